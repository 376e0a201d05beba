"""Order 1 against enumeration of every answer key and every table, complete votes or not."""

import importlib.util
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.data import Specification, Summary
from algeval.logic.questions.alarm import alarm
from algeval.logic.questions.panel import panel
from algeval.logic.questions.threshold import threshold
from algeval.verify import verify

_spec = importlib.util.spec_from_file_location("brute", Path(__file__).parents[1] / "brute.py")
brute = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(brute)

SETTINGS = settings(derandomize=True, deadline=None, max_examples=60)
LEVELS = [Fraction(1, 3), Fraction(1, 2), Fraction(7, 12), Fraction(2, 3), Fraction(1)]


@st.composite
def summaries(draw, *, most=6, sparse=True):
    n_labels = draw(st.sampled_from([2, 2, 3]))
    n_items = draw(st.integers(1, most if n_labels == 2 else 4))
    extra = draw(st.integers(0, 1)) if n_labels == 2 else 0
    width = n_labels + extra + (1 if sparse else 0)
    rows = []
    for _ in range(draw(st.integers(1, 3))):
        cuts = sorted(
            draw(st.lists(st.integers(0, n_items), min_size=width - 1, max_size=width - 1))
        )
        parts = [b - a for a, b in zip([0, *cuts], [*cuts, n_items], strict=True)]
        rows.append(parts[: n_labels + extra])
    answers = "abcdef"[: n_labels + extra]
    names = [f"j{i}" for i in range(len(rows))]
    return Summary(names, list(answers[:n_labels]), list(answers), np.array(rows), n_items)


def proved(certificate, data):
    verdict = verify(certificate, data)
    assert verdict.ok, verdict.sentence
    return verdict


@given(summaries(), st.sampled_from(["excluded", "wrong"]), st.booleans())
@SETTINGS
def test_threshold_equals_enumeration(summary, rule, require):
    table = brute.best_worst(summary, rule, low=1 if require else 0)
    found = threshold(summary, missing=rule, require_labels=require)
    if not table:
        assert found.status.value == "inconsistent"
        return
    truth = max(min(row) for row in table.values())
    assert found.exact
    assert found.lower == found.upper == truth
    attaining = {key for key, row in table.items() if min(row) >= truth}
    assert set(found.answer_keys) <= attaining
    if found.key_count is not None:
        assert found.key_count == len(attaining)
    proved(found.witness, summary)
    if truth < 1:
        proved(found.refutation, summary)
    else:
        assert found.refutation is None


@given(summaries(), st.sampled_from(["excluded", "wrong"]), st.sampled_from(LEVELS), st.booleans())
@SETTINGS
def test_alarm_equals_enumeration(summary, rule, level, strict):
    spec = Specification.at_least(level, strict=strict)

    def meets(correct, held):
        shares = [Fraction(c, d) for c, d in zip(correct, held, strict=True) if d]
        return all(v > level if strict else v >= level for v in shares)

    possible = brute.possible(summary, rule, meets)
    found = alarm(summary, spec, missing=rule)
    assert found.triggered is (not possible)
    proved(found.certificate, summary)


@given(summaries(), st.sampled_from(["excluded", "wrong"]), st.sampled_from(LEVELS))
@SETTINGS
def test_panel_equals_enumeration(summary, rule, level):
    table = brute.best_worst(summary, rule)
    size = max(sum(value >= level for value in row) for row in table.values())
    found = panel(summary, level, missing=rule)
    assert found.exact
    assert len(found.largest_panel) == size
    assert found.min_violators == summary.n_judges - size
    if found.certificate is not None:
        proved(found.certificate, summary)
    if found.witness is not None:
        proved(found.witness, summary)
    assert (found.certificate is None) == (size == summary.n_judges)
    for a, b in found.conflicts.edges:
        pair = panel(summary.select([a, b]), level, missing=rule)
        assert pair.min_violators == 1


@given(
    summaries(most=4), st.sampled_from(["excluded", "wrong"]), st.sampled_from(LEVELS), st.data()
)
@SETTINGS
def test_any_specification_equals_enumeration(summary, rule, level, data):
    """Accuracy from above and below, grade and prevalence together."""
    first = data.draw(st.sampled_from(["<=", ">="]))
    second = data.draw(st.sampled_from(["<=", ">="]))
    third = data.draw(st.sampled_from(["<=", ">", ">="]))
    spec = (
        Specification.accuracy(first, level, label="a")
        & Specification.grade(second, Fraction(1, 2))
        & Specification.prevalence("b", third, Fraction(1, 3))
    )
    sign = {"<=": lambda v, x: v <= x, ">=": lambda v, x: v >= x, ">": lambda v, x: v > x}

    def meets(correct, held):
        on_a = held[0] == 0 or sign[first](Fraction(correct[0], held[0]), level)
        total = sum(held)
        return on_a and (total == 0 or sign[second](Fraction(sum(correct), total), Fraction(1, 2)))

    allowed = [
        key
        for key in brute.keys(summary.n_items, summary.n_labels)
        if sign[third](Fraction(key[1], summary.n_items), Fraction(1, 3))
    ]
    possible = brute.possible(summary, rule, meets, allowed)
    found = alarm(summary, spec, missing=rule)
    assert found.triggered is (not possible)
    proved(found.certificate, summary)


@pytest.mark.parametrize("seed", range(3))
def test_larger_incomplete_exams_agree_with_their_certificates(seed):
    """Too large to enumerate: the certificates alone settle them."""
    rng = np.random.default_rng(seed)
    rows = [rng.multinomial(60, p) for p in rng.dirichlet(np.ones(5), size=6)]
    summary = Summary(list("uvwxyz"), list("abcd"), list("abcd"), np.array(rows)[:, :4], 60)
    found = threshold(summary)
    assert found.exact
    proved(found.witness, summary)
    if found.upper < 1:
        proved(found.refutation, summary)
