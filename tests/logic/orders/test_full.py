"""Full order: brackets against worked exams, brute force and the standalone verifier."""

import csv
import itertools
import json
from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic import alarm, threshold
from algeval.logic.exam import Frame, read_exam
from algeval.logic.orders.base import certified, refuted
from algeval.logic.orders.full import Full
from algeval.logic.proof import Clock, Outcome, keys_meeting
from algeval.logic.questions.threshold import Bracket
from algeval.verify import verify

F = Fraction
TABLE_1 = {"aa": 3, "ab": 2, "ba": 1, "bb": 9, "ta": 1, "tb": 7, "tt": 2}
CELLS_NEEDED = dict.fromkeys(["aaabbb", "abbaab", "bababa", "bbabaa", "aaaaaa", "bbbbbb"], 1)


def sketch(counts, labels="ab"):
    return Sketch.from_counts(counts, labels=list(labels))


def order_of(s, missing="excluded"):
    return Full(read_exam(s, missing), s)


def checked(certificate, s, spec, missing, *, possible):
    """A certificate as the standalone verifier sees it: of this claim, and proved."""
    document = json.loads(json.dumps(certificate.to_dict()))
    assert document["claim"] == {
        "verdict": "possible" if possible else "impossible",
        "data": s.digest,
        "order": "full",
        "missing": missing,
        "specification": spec.to_dict(),
    }
    verdict = verify(document, s.to_dict())
    assert verdict, verdict.sentence


def proved(s, bracket, missing):
    """Both ends of a bracket, as the standalone verifier sees them."""
    spec = Specification.at_least(bracket.lower)
    checked(bracket.witness, s, spec, missing, possible=True)
    key = tuple(np.sum(bracket.witness.evidence["cells"], axis=0).tolist())
    assert key in bracket.answer_keys or bracket.key_count > len(bracket.answer_keys)
    if bracket.refutation is not None:
        spec = Specification.at_least(bracket.upper, strict=True)
        checked(bracket.refutation, s, spec, missing, possible=False)


def bracket_of(s, missing="excluded", **settings):
    bracket = threshold(s, order="full", missing=missing, **{"time_limit": None} | settings)
    proved(s, bracket, missing)
    return bracket


def keys_at(s, spec, missing="excluded"):
    """Every answer key at which a specification can be met."""
    order = order_of(s, missing)
    program = order.program(spec)
    found, _ = keys_meeting(program, Clock(None), most=order.nodes[1], near=order.near)
    for key, witness in found.items():  # shares of just this key
        assert tuple(witness[0].tolist()) == key
        assert program.satisfied(witness)
    return list(found)


def shares(n, parts):
    """Every way to write n as an ordered sum."""
    cuts = itertools.combinations(range(n + parts - 1), parts - 1)
    for cut in cuts:
        ends = (-1, *cut, n + parts - 1)
        yield tuple(b - a - 1 for a, b in itertools.pairwise(ends))


def brute_levels(s, missing):
    """{answer key: the highest level some labelling with this key attains}, by enumeration."""
    best = {}
    tuples = s.codes.tolist()
    for cells in itertools.product(*(list(shares(n, s.n_labels)) for n in s.counts.tolist())):
        level = F(1)
        for i, t in itertools.product(range(s.n_judges), range(s.n_labels)):
            rows = list(zip(tuples, cells, strict=True))
            held = sum(c[t] for u, c in rows if missing == "wrong" or u[i] >= 0)
            right = sum(c[t] for u, c in rows if u[i] == t)
            level = min(level, F(right, held)) if held else level
        key = tuple(map(sum, zip(*cells, strict=True)))
        best[key] = max(level, best.get(key, F(0)))
    return best


def against_brute_force(s, missing):
    truth = max(brute_levels(s, missing).values())
    loose = bracket_of(s, missing)
    assert loose.lower <= truth <= loose.upper
    closed = bracket_of(s, missing, exact=True)
    assert (closed.lower, closed.upper, closed.exact) == (truth, truth, True)
    assert closed.status.value == "ok"
    assert closed.refutation is not None or truth == 1


# Worked exams -------------------------------------------------------------------------------------


def test_mt_bench_as_printed_in_table_1():
    s = sketch(TABLE_1, "abt")
    bracket = bracket_of(s, exact=True)
    assert bracket.lower == bracket.upper == F(5, 8)
    assert bracket.relaxation == F(16, 25)
    assert bracket.refutation.kind == "branches"
    assert bracket.answer_keys == ((6, 16, 3), (8, 14, 3))
    assert bracket.key_count == 2
    assert keys_at(s, Specification.at_least(F(5, 8))) == [(6, 16, 3), (8, 14, 3)]
    assert keys_at(s, Specification.at_least(F(12, 19))) == []


def test_mt_bench_weights_name_three_pairs():
    bracket = threshold(sketch(TABLE_1, "abt"), order="full", exact=False)
    assert bracket.upper == F(16, 25)
    assert bracket.refutation.evidence == {
        "kind": "weights",
        "weights": [["0", "1", "0"], ["1", "0", "1"]],
    }


def test_mt_bench_next_fraction_needs_two_leaves():
    s = sketch(TABLE_1, "abt")
    spec = Specification.at_least(F(12, 19))
    loud = alarm(s, spec, order="full", time_limit=None)
    assert loud.triggered is True
    assert loud.certificate.kind == "branches"
    tree = loud.certificate.evidence["tree"]
    assert "kind" in tree["low"]
    assert "kind" in tree["high"]
    checked(loud.certificate, s, spec, "excluded", possible=False)


@pytest.mark.parametrize(
    ("counts", "labels", "level"),
    [
        ({"ab": 5, "ba": 5}, "ab", F(1, 2)),
        ({"ac": 5, "ca": 5, "bb": 5}, "abc", F(1, 2)),
        ({"cb": 1, "ac": 1, "cc": 2, "aa": 1}, "abc", F(3, 4)),
        ({"cc": 1, "aa": 1, "cb": 1}, "abc", F(1, 2)),
        (CELLS_NEEDED, "ab", F(3, 5)),
        ({"baa": 1, "aba": 1, "aab": 1, "bbb": 2}, "ab", F(2, 3)),
        ({"cac": 1, "bca": 1, "acc": 1, "bac": 1}, "abc", F(1, 4)),
        ({"aa": 4, "bb": 3}, "ab", F(1)),
        ({"xx": 2}, "ab", F(0)),
    ],
)
def test_worked_thresholds(counts, labels, level):
    bracket = bracket_of(sketch(counts, labels), exact=True)
    assert (bracket.lower, bracket.upper, bracket.exact) == (level, level, True)


def test_irrational_relaxation():
    relaxation = bracket_of(sketch({"cb": 1, "ac": 1, "cc": 2, "aa": 1}, "abc")).relaxation
    assert relaxation >= (9 + 41**0.5) / 20
    assert float(relaxation) == pytest.approx((9 + 41**0.5) / 20, abs=1e-6)


def test_label_caps_beat_the_relaxation():
    bracket = bracket_of(sketch({"cc": 1, "aa": 1, "cb": 1}, "abc"))
    assert bracket.relaxation == F(2, 3)
    assert bracket.upper == F(1, 2)
    assert bracket.refutation.kind == "cap"
    assert bracket.refutation.evidence["judges"] == ["1", "1", "2"]


def test_two_thirds_is_the_relaxation_where_cells_must_be_split():
    s = sketch(CELLS_NEEDED)
    assert bracket_of(s).relaxation == F(2, 3)
    assert "split" in bracket_of(s, exact=True).refutation.evidence["tree"]


def test_one_judge_can_always_be_right():
    """One judge has order 1 only, and full order is the same there."""
    s = sketch({"a": 2, "b": 1})
    assert threshold(s).upper == 1
    assert free_bracket(s).lower == free_bracket(s).upper == 1


# Brute force --------------------------------------------------------------------------------------


def two_binary_judges(n_items):
    for counts in shares(n_items, 4):
        yield sketch(dict(zip(("aa", "ab", "ba", "bb"), counts, strict=True)))


@pytest.mark.parametrize("n_items", range(1, 5))
def test_every_exam_of_two_binary_judges(n_items):
    for s in two_binary_judges(n_items):
        against_brute_force(s, "excluded")


@pytest.mark.slow
@pytest.mark.parametrize("n_items", [5, 6, 7, 8])
def test_every_larger_exam_of_two_binary_judges(n_items):
    for s in two_binary_judges(n_items):
        against_brute_force(s, "excluded")


def random_exam(rng):
    """A small exam: up to three judges or labels, answers that are no label, missing answers."""
    n_labels = int(rng.integers(2, 4))
    shape = (int(rng.integers(3, 8 if n_labels == 2 else 6)), int(rng.integers(2, 4)))
    codes = rng.integers(-int(rng.integers(0, 2)), n_labels + int(rng.integers(0, 2)), shape)
    names = ["a", "b", "c", "x"]
    answers = names[: max(n_labels, codes.max() + 1)]
    judges = [str(i) for i in range(shape[1])]
    ones = np.ones(len(codes), np.int64)
    return Sketch(judges, names[:n_labels], answers, codes.astype(np.int16), ones)


def check_random_exams(seed, rounds):
    rng = np.random.default_rng(seed)
    for _ in range(rounds):
        s = random_exam(rng)
        for missing in ("excluded",) if s.complete else ("excluded", "wrong"):
            against_brute_force(s, missing)


@pytest.mark.parametrize("seed", range(4))
def test_random_exams(seed):
    check_random_exams(seed, 12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_more_random_exams(seed):
    check_random_exams(seed, 200)


@pytest.mark.parametrize("seed", range(3))
def test_keys_that_attain_a_level(seed):
    rng = np.random.default_rng(seed)
    for _ in range(4):
        s = random_exam(rng)
        levels = brute_levels(s, "excluded")
        x = sorted(levels.values())[len(levels) * 3 // 4] or F(1, s.n_items)
        expected = sorted(key for key, level in levels.items() if level >= x)
        assert keys_at(s, Specification.at_least(x)) == expected


# The missing rule, some pairs only, the cap of order 1 ---------------------------------------------


def test_missing_answers_count_only_under_wrong():
    # Under "wrong", judge 1 is never right on b and judge 2 never on a.
    s = sketch({"a.": 3, ".b": 3})
    assert bracket_of(s, "excluded", exact=True).lower == 1
    assert bracket_of(s, "wrong", exact=True).lower == 0


def test_nobody_answers():
    s = sketch({"..": 3})
    bracket = bracket_of(s)
    assert (bracket.lower, bracket.upper, bracket.exact) == (1, 1, True)
    assert bracket.refutation is None
    assert bracket_of(s, "wrong").upper == 0


def test_a_level_asked_of_some_pairs_only():
    s = sketch({"ab": 5, "ba": 5, "bb": 3})
    assert bracket_of(s).upper < 1
    assert decision_of(s, Specification.accuracy(">=", 1, judge="1")) is True
    assert decision_of(s, Specification.accuracy(">=", 1, label="a")) is True
    both = [Specification.accuracy(">=", 1, judge=judge, label="b") for judge in "12"]
    key = Specification.prevalence("b", ">=", F(8, 13))
    assert decision_of(s, both[0] & key) is True
    assert decision_of(s, both[0] & both[1] & key) is False


def test_full_order_is_never_above_order_1():
    s = sketch(TABLE_1, "abt")
    assert threshold(s, order=1).lower == F(2, 3)
    assert bracket_of(s).upper <= F(2, 3)
    # No table has both summaries of the text, but their order-1 threshold needs only the counts.
    text = sketch({"aa": 4, "ab": 1, "bb": 10, "tb": 7, "tt": 3}, "abt")
    assert threshold(text, order=1).lower == F(2, 3)
    assert bracket_of(text).upper <= F(2, 3)


# Bounds on the answer key -------------------------------------------------------------------------


def frame_of(s, low, high):
    """Bounds on the key, and the conditions that state them, as a claim would."""
    parts = [Specification.prevalence(s.labels[0], ">=", F(low[0], s.n_items))]
    for name, least, most in zip(s.labels, low, high, strict=True):
        parts.append(Specification.prevalence(name, ">=", F(least, s.n_items)))
        parts.append(Specification.prevalence(name, "<=", F(most, s.n_items)))
    return Frame(tuple(low), tuple(high), tuple(parts))


def free_bracket(s, missing="excluded", *, exact=True):
    """The bracket alone, nothing being known of order 1."""
    free = Frame((0,) * s.n_labels, (s.n_items,) * s.n_labels, ())
    return closed_in(s, missing, free, exact=exact)


def bounded_bracket(s, missing, low, high, *, exact):
    return closed_in(s, missing, frame_of(s, low, high), exact=exact)


def closed_in(s, missing, frame, *, exact):
    order = order_of(s, missing)
    bracket = Bracket(order, frame, Clock(None))
    bracket.run(Fraction(1), None)
    bracket.close(Clock(None), exact=exact)
    spec = frame.specification(bracket.lower, strict=False)
    witness = certified(order, spec, Outcome(witness=order.witness(bracket.shares)))
    checked(witness, s, spec, missing, possible=True)
    if bracket.refutation is not None:
        spec = frame.specification(bracket.upper, strict=True)
        refutation = refuted(order, spec, bracket.refutation)
        checked(refutation, s, spec, missing, possible=False)
    return bracket


def random_bounds(rng, n_labels, n_items):
    """Bounds around some key."""
    key = rng.multinomial(n_items, [1 / n_labels] * n_labels)
    low = [max(0, int(q) - int(rng.integers(0, 3))) for q in key]
    return low, [min(n_items, int(q) + int(rng.integers(0, 3))) for q in key]


@pytest.mark.parametrize("seed", range(3))
def test_bounds_on_the_key_against_brute_force(seed):
    rng = np.random.default_rng(seed)
    for _ in range(12):
        s = random_exam(rng)
        low, high = random_bounds(rng, s.n_labels, s.n_items)
        for missing in ("excluded",) if s.complete else ("excluded", "wrong"):
            truth = max(
                level
                for key, level in brute_levels(s, missing).items()
                if all(a <= q <= b for a, q, b in zip(low, key, high, strict=True))
            )
            loose = bounded_bracket(s, missing, low, high, exact=False)
            assert loose.lower <= truth <= loose.upper
            closed = bounded_bracket(s, missing, low, high, exact=True)
            assert (closed.lower, closed.upper, closed.closed) == (truth, truth, True)
            assert closed.settled


@pytest.mark.parametrize("seed", range(2))
def test_brackets_that_know_nothing_of_order_1_against_brute_force(seed):
    rng = np.random.default_rng(seed)
    for _ in range(8):
        s = random_exam(rng)
        for missing in ("excluded",) if s.complete else ("excluded", "wrong"):
            truth = max(brute_levels(s, missing).values())
            loose = free_bracket(s, missing, exact=False)
            assert loose.lower <= truth <= loose.upper
            closed = free_bracket(s, missing)
            assert (closed.lower, closed.upper, closed.closed) == (truth, truth, True)


@pytest.mark.parametrize("seed", range(3))
def test_given_key_counts_against_brute_force(seed):
    rng = np.random.default_rng(seed)
    for _ in range(6):
        s = random_exam(rng)
        levels = brute_levels(s, "excluded")
        key = sorted(levels)[int(rng.integers(len(levels)))]
        for exact in (False, True):
            found = threshold(s, order="full", key_counts=key, exact=exact, time_limit=None)
            assert found.lower <= levels[key] <= found.upper
            assert not exact or (found.exact and found.lower == levels[key])
            assert found.answer_keys == (key,)
            for one in (found.witness, found.refutation):
                assert one is None or verify(one, s).ok


def test_a_label_that_must_occur():
    """Nobody says b: with q_b >= 1 the threshold falls from 1 to 0."""
    s = Sketch.from_counts({"aa": 4}, labels=["a", "b"])
    assert bracket_of(s).lower == 1
    forced = bounded_bracket(s, "excluded", [0, 1], [4, 4], exact=False)
    assert (forced.lower, forced.upper, forced.closed) == (0, 0, True)
    asked = threshold(s, order="full", require_labels=True)
    assert (asked.lower, asked.upper, asked.exact) == (0, 0, True)


def test_alarm_and_keys_within_bounds():
    s = sketch(TABLE_1, "abt")
    level = Specification.at_least(F(5, 8))
    keys = keys_at(s, level & Specification.prevalence("a", ">=", F(7, 25)), "wrong")
    assert keys == [(8, 14, 3)]
    above = level & Specification.prevalence("a", ">=", F(9, 25))
    assert decision_of(s, above, "wrong") is False


# Alarm --------------------------------------------------------------------------------------------


def decision_of(s, spec, missing="excluded"):
    """Whether a specification is possible, as the standalone verifier confirms."""
    found = alarm(s, spec, order="full", missing=missing, time_limit=None)
    possible = not found.triggered
    checked(found.certificate, s, spec, missing, possible=possible)
    return possible


@pytest.mark.parametrize(("level", "feasible"), [(F(1, 2), True), (F(51, 100), False)])
def test_alarm_at_one_level(level, feasible):
    s = sketch({"ab": 5, "ba": 5})
    assert decision_of(s, Specification.at_least(level)) is feasible


def test_alarm_with_a_level_per_judge():
    s = sketch({"ab": 5, "ba": 5, "aa": 2})
    spec = Specification.accuracy(">=", F(9, 10), judge="1") & Specification.accuracy(
        ">=", F(1, 10), judge="2"
    )
    assert decision_of(s, spec) is brute_two_levels(s, F(9, 10), F(1, 10))


def brute_two_levels(s, first, second):
    for cells in itertools.product(*(list(shares(n, 2)) for n in s.counts.tolist())):
        table = np.array(cells)
        ok = True
        for i, x in enumerate((first, second)):
            for t in (0, 1):
                ok &= int(table[s.codes[:, i] == t, t].sum()) >= x * int(table[:, t].sum())
        if ok:
            return True
    return False


@pytest.mark.parametrize("seed", range(3))
def test_a_panel_can_meet_a_level_when_its_marginal_sketch_can(seed):
    rng = np.random.default_rng(seed)
    seen = set()
    for _ in range(6):
        s = planted(12, 3, 2, seed=int(rng.integers(1000)), accuracy=0.3, left_out=0.1)
        for panel in itertools.combinations(range(3), 2):
            part = s.marginal([s.judges[i] for i in panel])
            for x in (F(1, 2), F(2, 3), F(4, 5)):
                first, second = (Specification.accuracy(">=", x, judge=s.judges[i]) for i in panel)
                whole = decision_of(s, first & second)
                assert whole is decision_of(part, Specification.at_least(x))
                seen.add(whole)
    assert seen == {True, False}


def test_alarm_without_conditions_is_quiet():
    s = sketch({"ab": 1})
    assert decision_of(s, Specification.prevalence(None, ">=", 0)) is True


def test_alarm_caps_at_full_order():
    s = sketch({"cc": 1, "aa": 1, "cb": 1}, "abc")
    assert decision_of(s, Specification.at_least(F(2, 3))) is False


# Time, size, symmetry -----------------------------------------------------------------------------


def planted(n_items, n_judges, n_labels, *, seed, accuracy=0.7, left_out=0.0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_labels, n_items)
    guess = rng.integers(0, n_labels, (n_items, n_judges))
    codes = np.where(rng.random(guess.shape) < accuracy, truth[:, None], guess)
    codes = np.where(rng.random(guess.shape) < left_out, -1, codes)
    names = ["a", "b", "c"][:n_labels]
    judges = [str(i) for i in range(n_judges)]
    return Sketch(judges, names, names, codes.astype(np.int16), np.ones(n_items, np.int64))


def test_time_limit_says_what_is_known():
    s = planted(100, 5, 3, seed=1, accuracy=0.5, left_out=0.1)
    bracket = bracket_of(s, exact=True, time_limit=0.4)
    assert bracket.lower <= bracket.upper
    assert bracket.status.value == ("ok" if bracket.exact else "time_limit")


def test_no_time_at_all_still_gives_a_bracket():
    s = planted(60, 5, 3, seed=2, accuracy=0.5)
    bracket = bracket_of(s, exact=True, time_limit=0.0)
    assert (bracket.status.value, bracket.exact) == ("time_limit", False)
    open_ = alarm(s, F(1, 2), order="full", missing="wrong", time_limit=0)
    assert (open_.triggered, open_.status.value) == (None, "time_limit")
    assert open_.certificate is None


def test_counts_far_beyond_the_solver():
    counts = {"aab": 10**12, "aba": 3 * 10**12, "bab": 7 * 10**11 + 1, "bbb": 10**12, "aaa": 77}
    bracket = bracket_of(sketch(counts))
    assert bracket.upper - bracket.lower < F(1, 10**9)


@pytest.mark.parametrize("seed", range(3))
def test_relabelling_changes_nothing(seed):
    s = planted(15, 3, 3, seed=seed, accuracy=0.4)
    order = [2, 0, 1]
    turned = Sketch(
        [s.judges[i] for i in order],
        s.labels,
        s.answers,
        np.array([1, 2, 0], np.int16)[s.codes[:, order]],
        s.counts,
    )
    assert bracket_of(s, exact=True).lower == bracket_of(turned, exact=True).lower


@pytest.mark.parametrize("missing", ["excluded", "wrong"])
@pytest.mark.parametrize("complete", [True, False])
def test_llm_judges_bracket_is_narrow(real_votes, missing, complete):
    with open(real_votes / "civilcomments_judge_scores.csv", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    codes = np.array(
        [[-1 if cell == "" else int(float(cell) >= 4.5) for cell in row[1:-1]] for row in rows],
        np.int16,
    )
    codes = codes[(codes >= 0).all(1)] if complete else codes
    s = Sketch(head[1:-1], ["0", "1"], ["0", "1"], codes, np.ones(len(codes), np.int64))
    bracket = bracket_of(s, missing)
    assert bracket.upper - bracket.lower < F(1, 1000)
    weights = [y for row in bracket.refutation.evidence["weights"] for y in row if y != "0"]
    assert weights == ["1", "1"]
