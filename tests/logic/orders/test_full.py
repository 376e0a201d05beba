"""Full order: brackets against worked exams, brute force and the standalone verifier."""

import csv
import itertools
import json
from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic.orders.full_arrays import full_alarm, full_keys, full_threshold
from algeval.logic.orders.full_bracket import cap_bound
from algeval.logic.orders.full_program import FullProgram
from algeval.verify import verify

F = Fraction
TABLE_1 = {"aa": 3, "ab": 2, "ba": 1, "bb": 9, "ta": 1, "tb": 7, "tt": 2}
CELLS_NEEDED = dict.fromkeys(["aaabbb", "abbaab", "bababa", "bbabaa", "aaaaaa", "bbbbbb"], 1)


def sketch(counts, labels="ab"):
    return Sketch.from_counts(counts, labels=list(labels))


def certificate(s, missing, spec, evidence, *, possible):
    claim = {
        "verdict": "possible" if possible else "impossible",
        "data": s.digest,
        "order": "full",
        "missing": missing,
        "specification": spec.to_dict(),
    }
    document = {"schema": "algeval.certificate/1", "claim": claim, "evidence": evidence}
    return json.loads(json.dumps(document))


def proved(s, bracket, missing):
    """Both ends of a bracket, as the standalone verifier sees them."""
    cells = {"kind": "witness", "cells": bracket.lower_cells.tolist()}
    spec = Specification.at_least(bracket.lower)
    assert verify(certificate(s, missing, spec, cells, possible=True), s.to_dict())
    assert tuple(bracket.lower_cells.sum(0).tolist()) in bracket.keys
    if bracket.upper_evidence is not None:
        spec = Specification.at_least(bracket.upper, strict=True)
        verdict = verify(
            certificate(s, missing, spec, bracket.upper_evidence, possible=False), s.to_dict()
        )
        assert verdict, verdict.sentence


def bracket_of(s, missing="excluded", **settings):
    bracket = full_threshold(s.codes, s.counts, s.n_labels, missing=missing, **settings)
    proved(s, bracket, missing)
    return bracket


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
    assert (closed.lower, closed.upper, closed.exact, closed.status) == (truth, truth, True, "ok")
    assert closed.upper_evidence is not None or truth == 1


# Worked exams -------------------------------------------------------------------------------------


def test_mt_bench_as_printed_in_table_1():
    s = sketch(TABLE_1, "abt")
    bracket = bracket_of(s, exact=True)
    assert bracket.lower == bracket.upper == F(5, 8)
    assert bracket.relaxation == F(16, 25)
    assert bracket.upper_evidence["kind"] == "branches"
    assert full_keys(s.codes, s.counts, 3, F(5, 8), missing="excluded") == [(6, 16, 3), (8, 14, 3)]
    assert full_keys(s.codes, s.counts, 3, F(12, 19), missing="excluded") == []


def test_mt_bench_weights_name_three_pairs():
    s = sketch(TABLE_1, "abt")
    bracket = full_threshold(s.codes, s.counts, 3, missing="excluded")
    assert bracket.upper == F(16, 25)
    evidence = bracket.upper_evidence
    assert evidence == {"kind": "weights", "weights": [["0", "1", "0"], ["1", "0", "1"]]}


def test_mt_bench_next_fraction_needs_two_leaves():
    s = sketch(TABLE_1, "abt")
    decision = full_alarm(s.codes, s.counts, 3, [[F(12, 19)] * 3] * 2, missing="excluded")
    assert decision.feasible is False
    tree = decision.evidence["tree"]
    assert "kind" in tree["low"]
    assert "kind" in tree["high"]
    spec = Specification.at_least(F(12, 19))
    assert verify(certificate(s, "excluded", spec, decision.evidence, possible=False), s.to_dict())


@pytest.mark.parametrize(
    ("counts", "labels", "threshold"),
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
def test_worked_thresholds(counts, labels, threshold):
    bracket = bracket_of(sketch(counts, labels), exact=True)
    assert (bracket.lower, bracket.upper, bracket.exact) == (threshold, threshold, True)


def test_irrational_relaxation():
    relaxation = bracket_of(sketch({"cb": 1, "ac": 1, "cc": 2, "aa": 1}, "abc")).relaxation
    assert relaxation >= (9 + 41**0.5) / 20
    assert float(relaxation) == pytest.approx((9 + 41**0.5) / 20, abs=1e-6)


def test_label_caps_beat_the_relaxation():
    bracket = bracket_of(sketch({"cc": 1, "aa": 1, "cb": 1}, "abc"))
    assert bracket.relaxation == F(2, 3)
    assert bracket.upper == F(1, 2)
    assert [row[0][0] for row in bracket.upper_evidence["rows"]] == ["size", "cap", "cap", "cap"]


def test_two_thirds_is_the_relaxation_where_cells_must_be_split():
    s = sketch(CELLS_NEEDED)
    assert bracket_of(s).relaxation == F(2, 3)
    assert "split" in bracket_of(s, exact=True).upper_evidence["tree"]


def test_one_judge_can_always_be_right():
    assert bracket_of(sketch({"a": 2, "b": 1})).upper == 1


# Brute force --------------------------------------------------------------------------------------


def two_binary_judges(n_items):
    for counts in shares(n_items, 4):
        yield sketch(dict(zip(("aa", "ab", "ba", "bb"), counts, strict=True)))


@pytest.mark.parametrize("n_items", range(1, 6))
def test_every_exam_of_two_binary_judges(n_items):
    for s in two_binary_judges(n_items):
        against_brute_force(s, "excluded")


@pytest.mark.slow
@pytest.mark.parametrize("n_items", [6, 7, 8])
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
        assert full_keys(s.codes, s.counts, s.n_labels, x, missing="excluded") == expected


# The missing rule, targets, the cap of order 1 ----------------------------------------------------


def test_missing_answers_count_only_under_wrong():
    # Under "wrong", judge 1 is never right on b and judge 2 never on a.
    s = sketch({"a.": 3, ".b": 3})
    assert bracket_of(s, "excluded", exact=True).lower == 1
    assert bracket_of(s, "wrong", exact=True).lower == 0


def test_nobody_answers():
    s = sketch({"..": 3})
    bracket = full_threshold(s.codes, s.counts, 2, missing="excluded")
    assert (bracket.lower, bracket.upper, bracket.exact) == (1, 1, True)
    assert bracket.upper_evidence is None
    assert bracket_of(s, "wrong").upper == 0


def test_a_level_asked_of_some_pairs_only():
    s = sketch({"ab": 5, "ba": 5, "bb": 3})
    mask = np.array([[True, True], [False, False]])
    first = full_threshold(s.codes, s.counts, 2, missing="excluded", targets=mask)
    assert (first.lower, first.upper) == (1, 1)
    label = np.array([[True, False], [True, False]])
    vacuous = full_threshold(s.codes, s.counts, 2, missing="excluded", targets=label)
    assert (vacuous.lower, vacuous.upper_evidence) == (1, None)


def test_cap_bound_is_the_order_1_threshold():
    s = sketch(TABLE_1, "abt")
    program = FullProgram.build(s.codes, s.counts, 3, missing="excluded")
    assert cap_bound(program, np.ones((2, 3), bool)) == F(2, 3)
    # No table has both summaries of the text, but their order-1 threshold needs only the counts.
    codes = np.array([[0, 0]] * 4 + [[0, 1]] + [[1, 1]] * 10 + [[2, 1]] * 7 + [[2, 2]] * 3)
    text = FullProgram.build(codes, np.ones(25, np.int64), 3, missing="excluded")
    assert cap_bound(text, np.ones((2, 3), bool)) == F(2, 3)
    partial = FullProgram.build(codes - 1, np.ones(25, np.int64), 3, missing="excluded")
    assert cap_bound(partial, np.ones((2, 3), bool)) is None


def test_a_cap_of_order_1_is_flagged_when_nothing_of_full_order_proves_it():
    s = sketch({"ab": 5, "ba": 5})
    bracket = full_threshold(s.codes, s.counts, 2, missing="excluded", order1_cap=F(2, 5))
    assert bracket.upper_is_order1
    assert bracket.upper_evidence is None
    loose = full_threshold(s.codes, s.counts, 2, missing="excluded", order1_cap=F(1))
    assert not loose.upper_is_order1


# Bounds on the answer key -------------------------------------------------------------------------


def prevalences(s, low, high):
    """Conditions that state bounds on the key, as a claim would."""
    spec = Specification.prevalence(s.labels[0], ">=", F(low[0], s.n_items))
    for name, least, most in zip(s.labels, low, high, strict=True):
        spec = spec & Specification.prevalence(name, ">=", F(least, s.n_items))
        spec = spec & Specification.prevalence(name, "<=", F(most, s.n_items))
    return spec


def bounded_bracket(s, missing, low, high, *, exact):
    bracket = full_threshold(
        s.codes, s.counts, s.n_labels, missing=missing, exact=exact, low=low, high=high
    )
    stated = prevalences(s, low, high)
    cells = {"kind": "witness", "cells": bracket.lower_cells.tolist()}
    spec = Specification.at_least(bracket.lower) & stated
    assert verify(certificate(s, missing, spec, cells, possible=True), s.to_dict())
    if bracket.upper_evidence is not None:
        spec = Specification.at_least(bracket.upper, strict=True) & stated
        document = certificate(s, missing, spec, bracket.upper_evidence, possible=False)
        verdict = verify(document, s.to_dict())
        assert verdict, verdict.sentence
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
            assert (closed.lower, closed.upper, closed.exact) == (truth, truth, True)


def test_a_label_that_must_occur():
    """Nobody says b: with q_b >= 1 the threshold falls from 1 to 0."""
    s = Sketch.from_counts({"aa": 4}, labels=["a", "b"])
    assert bracket_of(s).lower == 1
    forced = bounded_bracket(s, "excluded", [0, 1], [4, 4], exact=False)
    assert (forced.lower, forced.upper, forced.exact) == (0, 0, True)


def test_alarm_and_keys_within_bounds():
    s = sketch(TABLE_1, "abt")
    low, high = [7, 0, 0], [25, 25, 25]
    keys = full_keys(s.codes, s.counts, 3, F(5, 8), missing="wrong", low=low, high=high)
    assert keys == [(8, 14, 3)]
    levels = [[F(5, 8)] * 3] * 2
    settings = {"missing": "wrong", "low": [9, 0, 0], "high": high}
    assert full_alarm(s.codes, s.counts, 3, levels, **settings).feasible is False


# Alarm --------------------------------------------------------------------------------------------


def decision_of(s, targets, spec, missing="excluded", **settings):
    decision = full_alarm(s.codes, s.counts, s.n_labels, targets, missing=missing, **settings)
    evidence = decision.evidence
    if decision.feasible:
        evidence = {"kind": "witness", "cells": decision.cells.tolist()}
    document = certificate(s, missing, spec, evidence, possible=decision.feasible)
    verdict = verify(document, s.to_dict())
    assert verdict, verdict.sentence
    return decision.feasible


@pytest.mark.parametrize(("level", "feasible"), [(F(1, 2), True), (F(51, 100), False)])
def test_alarm_at_one_level(level, feasible):
    s = sketch({"ab": 5, "ba": 5})
    assert decision_of(s, [[level] * 2] * 2, Specification.at_least(level)) is feasible


def test_alarm_with_a_level_per_judge():
    s = sketch({"ab": 5, "ba": 5, "aa": 2})
    spec = Specification.accuracy(">=", F(9, 10), judge="1") & Specification.accuracy(
        ">=", F(1, 10), judge="2"
    )
    cited = np.array([[0, 0], [1, 1]])
    best = decision_of(s, [[F(9, 10)] * 2, [F(1, 10)] * 2], spec, conditions=cited)
    assert best is (brute_two_levels(s, F(9, 10), F(1, 10)))


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
                asked = [[x if i in panel else None] * 2 for i in range(3)]
                whole = full_alarm(s.codes, s.counts, 2, asked, missing="excluded")
                alone = full_alarm(part.codes, part.counts, 2, [[x] * 2] * 2, missing="excluded")
                assert whole.feasible is alone.feasible
                seen.add(whole.feasible)
    assert seen == {True, False}


def test_alarm_without_conditions_is_quiet():
    s = sketch({"ab": 1})
    assert full_alarm(s.codes, s.counts, 2, [[None] * 2] * 2, missing="excluded").feasible


def test_alarm_caps_at_full_order():
    s = sketch({"cc": 1, "aa": 1, "cb": 1}, "abc")
    assert decision_of(s, [[F(2, 3)] * 3] * 2, Specification.at_least(F(2, 3))) is False


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
    assert bracket.status == ("ok" if bracket.exact else "time_limit")


def test_no_time_at_all_still_gives_a_bracket():
    s = planted(60, 5, 3, seed=2, accuracy=0.5)
    bracket = bracket_of(s, exact=True, time_limit=0.0)
    assert (bracket.status, bracket.exact) == ("time_limit", False)
    decision = full_alarm(s.codes, s.counts, 3, [[F(1, 2)] * 3] * 5, missing="wrong", time_limit=0)
    assert (decision.feasible, decision.status) == (None, "time_limit")


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
    weights = [y for row in bracket.upper_evidence["weights"] for y in row if y != "0"]
    assert weights == ["1", "1"]
