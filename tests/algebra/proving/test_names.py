import random
import re
import statistics
import time
from fractions import Fraction
from importlib import util
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
import sympy

from algeval.algebra.language import NAMES_IN_WORDS, encode, near_names, spell, system
from algeval.algebra.proving import holds_on, prove
from algeval.algebra.statements import read_identity
from algeval.data import Evaluation, KeyedSketch
from algeval.errors import DataError, TooLargeError

_SPEC = util.spec_from_file_location("counting", Path(__file__).with_name("counting.py"))
counting = util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(counting)

MODELS = ("independent", "correlated", "axioms")


def random_items(n, r, seed, size=12):
    """A list of (true label, answers), every label at least once."""
    draw = random.Random(seed)
    key = list(range(r)) + [draw.randrange(r) for _ in range(size - r)]
    return [(t, tuple(draw.randrange(r) for _ in range(n))) for t in key]


def exam_of(items, judges, labels):
    table = {label: {} for label in labels}
    for t, u in items:
        said = tuple(labels[a] for a in u)
        table[labels[t]][said] = table[labels[t]].get(said, 0) + 1
    return KeyedSketch.from_counts(table, judges=judges, labels=labels, answers=labels)


def mean(values):
    values = list(values)
    return Fraction(sum(values)) / len(values)


def table(one, items):
    """True positives, false positives, true and false negatives of a judge; the first label is positive."""
    cells = [(t == 0, u[one.judges[0]] == 0) for t, u in items]
    return [Fraction(cells.count(c)) for c in ((1, 1), (0, 1), (0, 0), (1, 0))]


def rate_right(i, t, items):
    return mean(u[i] == t for true, u in items if true == t)


def cohen(pairs):
    labels = {x for pair in pairs for x in pair}
    by_chance = sum(mean(a == x for a, _ in pairs) * mean(b == x for _, b in pairs) for x in labels)
    return (mean(a == b for a, b in pairs) - by_chance) / (1 - by_chance)


def precision(one, items, positive=0):
    return mean(t == positive for t, u in items if u[one.judges[0]] == positive)


def f1(one, items):
    tp, fp, _, fn = table(one, items)
    return tp / (tp + (fp + fn) / 2)


def jaccard(one, items):
    tp, fp, _, fn = table(one, items)
    return tp / (tp + fp + fn)


def matthews_squared(one, items):
    tp, fp, tn, fn = table(one, items)
    return (tp * tn - fp * fn) ** 2 / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def covariance(one, items):
    (i, j), (a, b) = one.judges, one.answers
    both = mean(u[i] == a and u[j] == b for _, u in items)
    return both - mean(u[i] == a for _, u in items) * mean(u[j] == b for _, u in items)


STATISTICS = {
    "rec": lambda one, items: rate_right(one.judges[0], 0, items),
    "prec": precision,
    "npv": lambda one, items: precision(one, items, 1),
    "F1": f1,
    "Jac": jaccard,
    "BA": lambda one, items: sum(rate_right(one.judges[0], t, items) for t in (0, 1)) / 2,
    "AUC": lambda one, items: sum(rate_right(one.judges[0], t, items) for t in (0, 1)) / 2,
    "J": lambda one, items: sum(rate_right(one.judges[0], t, items) for t in (0, 1)) - 1,
    "kappa": lambda one, items: cohen([
        (t if len(one.judges) == 1 else u[one.judges[0]], u[one.judges[-1]]) for t, u in items
    ]),
    "MCC2": matthews_squared,
    "a": lambda one, items: mean(u[one.judges[0]] == u[one.judges[1]] for _, u in items),
    "MV": lambda one, items: mean(
        statistics.median([u[i] == t for i in one.judges]) for t, u in items
    ),
    "unan": lambda one, items: mean(len({u[i] for i in one.judges}) == 1 for _, u in items),
    "odds": lambda one, items: Fraction(items.count((0, one.answers)), items.count((1, one.answers))),
    "joint": lambda one, items: mean(
        all(u[i] == a for i, a in zip(one.judges, one.answers, strict=True)) for _, u in items
    ),
    "covariance": covariance,
}  # fmt: skip


def by_hand(one, items):
    """What a name means, said again from the list of items."""
    share = [mean(u[i] == 1 for _, u in items) for i in range(len(items[0][1]))]
    here = [u for t, u in items if one.label in (None, t)]
    pairs = list(zip(one.judges, one.answers, strict=False))
    said = [all(u[i] == a for i, a in pairs) for u in here]
    on = {t: [u for true, u in items if true == t] for t in {t for t, _ in items}}
    if one.kind == "P":
        return Fraction(len(here), len(items))
    if one.kind in ("rate", "f", "share"):
        return mean(said)
    if one.kind in ("n", "R", "Q"):
        return sum(said)
    if one.kind == "g":
        return mean(u[one.judges[0]] == t for t, u in items)
    if one.kind == "d":
        return sum(mean(u[one.judges[0]] == t for u in on[t]) for t in on) - 1
    if one.kind == "Delta":
        return mean(np.prod([Fraction(u[i] == 1) - share[i] for i in one.judges]) for _, u in items)
    if one.kind in STATISTICS:
        try:
            return STATISTICS[one.kind](one, items)
        except ZeroDivisionError:
            return None
    rates = [mean(u[i] == a for u in here) for i, a in pairs]
    return mean(
        np.prod([Fraction(u[i] == a) - r for (i, a), r in zip(pairs, rates, strict=True)])
        for u in here
    )


@pytest.mark.parametrize(("n", "r"), [(1, 2), (3, 2), (4, 2), (1, 3), (2, 3), (3, 3)])
@pytest.mark.parametrize("model", ["correlated", "axioms"])
def test_every_name_means_the_same_in_every_model_and_by_hand(model, n, r):
    judges, labels = tuple("ijkl"[:n]), tuple("ABC"[:r])
    known = system(model, judges, labels)
    names = list(known.meanings)
    chosen = random.Random(n + r).sample(names, min(300, len(names)))
    for seed in range(3):
        items = random_items(n, r, seed)
        values = counting.count_values(known, exam_of(items, judges, labels))
        for name in chosen:
            want = by_hand(known.meanings[name], items)
            if want is not None:
                assert counting.evaluate(known.vocabulary[name], values) == want, name


def test_fourth_moments_are_the_same_in_every_model():
    # As products of deviations they are checked above; here without the independent model's rates.
    items = random_items(4, 2, 5)
    exam = exam_of(items, tuple("ijkl"), ("A", "B"))
    found = {holds_on("Delta_ijkl", exam, model=model) for model in MODELS}
    assert len(found) == 1


def test_moments_of_any_number_of_judges():
    items = random_items(6, 2, 8, 40)
    exam = exam_of(items, tuple("ijklmn"), ("A", "B"))
    share = [mean(u[i] == 1 for _, u in items) for i in range(6)]
    for who in ("ijklm", "iklmn", "ijklmn"):
        places = ["ijklmn".index(name) for name in who]
        want = mean(np.prod([(u[i] == 1) - share[i] for i in places]) for _, u in items)
        assert holds_on(f"Delta_{who}", exam, model="independent") == (want, 0)
        assert holds_on(f"Delta_{{{','.join(who)}}}", exam) == (want, 0)


def test_moments_of_five_judges_factor_if_errors_are_independent():
    # E prod(x - m): each deviation is -P_B d on label A and P_A d on label B.
    text = "Delta_ijklm = P_A*P_B*(P_A^4 - P_B^4)*d_i*d_j*d_k*d_l*d_m"
    assert prove(text, judges=5).holds


def test_covariances_of_three_labels_add_up_to_nothing():
    text = "Delta_{i:A,j:A} + Delta_{i:A,j:B} + Delta_{i:A,j:C} = 0"
    assert prove(text, judges=2, labels=3).holds
    assert not prove("Delta_{i:A,j:A} = Delta_{i:B,j:B}", judges=2, labels=3).holds
    assert prove("Delta_{i:A,j:A} = Delta_{i:B,j:B}", judges=2).holds


@pytest.mark.parametrize("model", MODELS)
def test_statistics_are_related_as_books_say(model):
    for text in (
        "1/F1_i = (1/prec_i + 1/rec_i)/2",
        "Jac_i = F1_i/(2 - F1_i)",
        "MCC2_i = J_i*(prec_i + npv_i - 1)",
        "BA_i = (1 + J_i)/2",
        "f_{A_i,B_j} = f_Ai - f_{A_i,A_j}",
        "a_ij = f_AiAj + f_BiBj",
    ):
        assert prove(text, model=model, judges=2).holds, text


def test_definitions_are_expressions_of_what_is_counted():
    # Definitions of observables in one another, evaluated, against the counts.
    for model in ("correlated", "axioms"):
        known = system(model, 3, 2)
        values = counting.Values(known, {(t, u): 1 + u[0] for t, u in random_items(3, 2, 9)})
        for symbol, definition in known.observables.items():
            assert counting.evaluate(definition, values) == values[symbol], symbol


@pytest.mark.parametrize(
    "text",
    [  # S12, S15 and the definition of d, in frequencies
        "Delta_ij = f_BBA + f_BBB - f_Bi*f_Bj",
        "Delta_ij = R_iB_jB/Q - R_iB*R_jB/Q^2",
        "Delta_ijk = f_BBB - (f_Bi*f_Bj*f_Bk + f_Bi*Delta_jk + f_Bj*Delta_ik + f_Bk*Delta_ij)",
        "d_i = R_iA_A/Q_A + R_iB_B/Q_B - 1",
        "d_i = P_iA + P_iB - 1",
        "f_Bi = P_B*d_i + 1 - P_iA",
    ],
)
def test_axioms_had_neither_d_nor_delta(text):
    found = prove(text, model="axioms")
    assert found.holds
    assert found.check()
    for seed in range(5):
        exam = exam_of(random_items(3, 2, seed), tuple("ijk"), ("A", "B"))
        left, right = holds_on(text, exam)
        assert left == right


def test_axioms_refute_the_covariance_of_independent_judges():
    text = "Delta_ij = P_A*P_B*d_i*d_j"
    assert prove(text).holds
    found = prove(text, model="axioms", judges=2)
    assert (found.exam.n_items, found.smallest) == (3, True)
    assert holds_on(text, found.exam) == (found.left, found.right)
    wide = text + " + P_A*Gamma_ij_A + P_B*Gamma_ij_B"
    assert prove(wide, model="axioms", judges=2).holds


def test_six_judges_were_numbers():
    assert system("independent", 6).judges == tuple("ijklmn")
    assert encode(12).judges == tuple("ijklmnopqrst")
    assert system("independent", 12).look_up("Delta_ij") == sympy.Symbol("Delta_{i,j}")
    assert prove("P_iA = P_nA", judges=6).exam.sketch.judges == tuple("in")
    assert prove("P_iA = unan", judges=6).exam.sketch.judges == tuple("ijklmn")
    assert prove("Delta_ij*Delta_kl = Delta_ik*Delta_jl", judges=4).holds
    with pytest.raises(DataError, match="got 'Delta_ij'"):
        prove("Delta_ij = 0", judges=["1", "2", "3", "4", "5", "6"])


@pytest.mark.parametrize(("model", "n"), [("independent", 6), ("correlated", 6), ("axioms", 6)])
def test_numbers_of_judges_are_still_understood(model, n):
    known = system(model, n)
    numbers = tuple(map(str, range(1, n + 1)))
    old = spell(model, numbers, known.labels)
    by_meaning = {meaning: name for name, meaning in known.meanings.items()}
    for name in random.Random(n).sample(list(old), 150):
        assert known.look_up(name) == known.vocabulary[by_meaning[old[name]]], name
    for name, letter in {
        "P_{2,A}": "P_{j,A}", "P_1A": "P_iA", "d_6": "d_n", "f_{B_3}": "f_{B_k}", "g_4": "g_l",
    }.items():  # fmt: skip
        assert known.look_up(name) == known.vocabulary[letter]


def test_numbers_of_ten_judges_are_still_understood():
    known = system("independent", 10)
    assert known.look_up("P_{10,A}") == sympy.Symbol("P_{r,A}")
    assert known.look_up("Delta_{1,10}") == sympy.Symbol("Delta_{i,r}")
    assert known.look_up("P_{11,A}") is None


def test_parameters_and_exams_with_numbered_judges_fit_an_encoding():
    encoding = encode(6)
    draw = random.Random(1)
    given = {s.name: Fraction(draw.randint(1, 9), 10) for s in encoding.parameters}
    old = {}
    for name, value in given.items():
        letter = name[3] if name.startswith("P_{") else None
        old[
            name if letter is None else name.replace(letter, str("ijklmn".index(letter) + 1), 1)
        ] = value
    assert set(old) != set(given)
    assert encoding.frequencies(old) == encoding.frequencies(given)
    half = np.array([[[Fraction(3, 4), Fraction(1, 4)]] * 2] * 6, dtype=object)
    key = np.array([Fraction(1, 2)] * 2)
    both = [
        encoding.frequencies(Evaluation(judges, ("A", "B"), ("A", "B"), key, half))
        for judges in (tuple("ijklmn"), tuple("123456"))
    ]
    assert both[0] == both[1]


@pytest.mark.parametrize(
    ("text", "options", "near"),
    [
        ("Delta_ji = 0", {}, "did you mean Delta_ij"),
        ("delta_ij = 0", {"model": "axioms"}, "did you mean Delta_ij"),
        ("P_ia = 0", {}, "did you mean P_iA"),
        ("f_AAAB = 0", {}, "did you mean f_AAB or f_AAA"),
        ("Gama_ij_A = 0", {"model": "axioms"}, "did you mean Gamma_ij_A"),
        ("P_gptyes", {"judges": ["gpt"], "labels": ["yes", "no"]}, r"did you mean P_\{gpt,yes\}"),
        ("Delta_ij = 0", {"labels": 3}, "d and Delta are about two labels"),
        ("zeta = 0", {"model": "axioms"}, "written like .*d_i.*Delta_ij.*R_iA_jA_A"),
    ],
)
def test_the_message_was_cut_before_the_names_that_matter(text, options, near):
    with pytest.raises(DataError, match=near):
        prove(text, **options)


def test_near_names_are_known_names():
    known = system("axioms", 3, 2)
    for name in random.Random(3).sample(list(known.meanings), 40):
        near = near_names(name + "x", known.meanings)
        assert known.meanings[near[0]] == known.meanings[name]
    assert near_names("zeta", known.meanings) == []


def test_the_whole_vocabulary_was_built_to_refuse_a_name():
    started = time.monotonic()
    with pytest.raises(DataError, match="got 'zeta'"):
        prove("zeta = 1", judges=12)
    assert time.monotonic() - started < 5
    known = system("independent", 12)
    read_identity("Delta_ij = P_A*P_B*d_i*d_j", known)
    assert len(known.vocabulary._made) == 5
    assert not known.observables._made


def test_names_are_those_of_all_combinations():
    known = system("axioms", 3, 2)
    for size in (1, 2, 3):
        for who, said in product(combinations("ijk", size), product("AB", repeat=size)):
            name = "R_" + "_".join(i + a for i, a in zip(who, said, strict=True))
            assert {name, name + "_A", name + "_B"} <= set(known.vocabulary)


@pytest.mark.parametrize(
    "judges",
    [101, 10**11, 10**5000, [f"j{k}" for k in range(20_000)]],
    ids=["101", "10^11", "10^5000", "a list"],
)
def test_too_many_judges_are_refused_before_their_names_are_made(judges):
    """Without a limit 10^11 of them took all memory, and 20,000 gave a number too long to print."""
    with pytest.raises(TooLargeError, match="judges must be at most 100") as refused:
        prove("P_A + P_B = 1", judges=judges)
    assert len(str(refused.value)) < 200


def test_every_kind_of_name_is_in_words_and_every_name_in_words_is_a_name():
    models = [system(model, 3, 2) for model in MODELS]
    known = {name: meaning for setting in models for name, meaning in setting.meanings.items()}
    explained = [name for kind in NAMES_IN_WORDS for name in kind.names]
    assert len(set(explained)) == len(explained)
    kinds = {known[name].kind for name in explained}  # a KeyError is a name that no model has
    assert kinds == {meaning.kind for meaning in known.values()}


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("accuracy_i", "g_i"),
        ("TPR_i", "P_iA"),
        ("FPR_{i}", "P_{i,B|A}"),
        ("mcc_i", "MCC2_i"),
        ("prevalence", "P_A"),
    ],
)
def test_a_word_of_the_field_is_answered_with_its_name(said, name):
    with pytest.raises(DataError, match=re.escape(f"; {name} is ")):
        prove(f"{said} <= 1")
