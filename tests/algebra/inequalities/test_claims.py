"""The fixtures: every verdict, every refuting exam recounted, every true claim tried on random points."""

import random
from fractions import Fraction
from importlib import util
from pathlib import Path

import pytest

from algeval.algebra.language import system
from algeval.algebra.proving import Contradiction, Counterexample, Theorem, prove
from algeval.algebra.statements import Space, read_problem, read_texts
from algeval.data import KeyedSketch

_SPEC = util.spec_from_file_location("claims", Path(__file__).with_name("claims.py"))
claims = util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(claims)

ALL = claims.FIXTURES + claims.OWN
QUICK = [one for one in ALL if one[2].get("judges") in (1, 2) and one[2].get("labels", 2) == 2]
REST = [one for one in ALL if one not in QUICK]


def check(claim, given, settings, verdict):
    found = prove(claim, given=given, **settings)
    if verdict == "contradiction":
        assert isinstance(found, Contradiction), found
        assert found.holds is None
    elif verdict == "true":
        assert isinstance(found, Theorem) or type(found).__name__ == "Proof", found
        assert found.holds is True
    else:
        assert isinstance(found, Counterexample), found
        assert found.holds is False
        recount(found, claim, given)


def recount(found, claim, given):
    """The claim fails and the hypotheses hold on the exam as it is written out, along the route of
    polynomials on cells, which shares nothing with counting."""
    exam = KeyedSketch.from_dict(found.to_dict()["exam"])
    judges, labels = exam.sketch.judges, exam.sketch.answers
    known = system("axioms", judges, labels)
    problem = read_problem(read_texts(claim, given, {}, known), Space(known))
    cells = dict.fromkeys(range(problem.domain.n), Fraction(0))
    for row in range(len(exam.sketch)):
        said = [labels.index(a) for a in exam.sketch.decision(row)]
        for t, count in enumerate(exam.keyed[row]):
            place = t
            for a in said:
                place = place * len(labels) + a
            cells[place] += Fraction(int(count), exam.n_items)
    point = tuple(cells.values())
    assert sum(point) == 1
    assert problem.admits(point)
    assert problem.fails(point)


@pytest.mark.parametrize(("claim", "given", "settings", "verdict"), QUICK)
def test_quick_claims(claim, given, settings, verdict):
    check(claim, given, settings, verdict)


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "given", "settings", "verdict"), REST)
def test_the_other_claims(claim, given, settings, verdict):
    check(claim, given, settings, verdict)


@pytest.mark.parametrize(
    ("claim", "given", "settings", "verdict"), [one for one in ALL if one[3] == "true"]
)
def test_no_random_point_contradicts_a_claim_that_is_called_true(claim, given, settings, verdict):
    known = system(
        settings.get("model", "independent"), settings.get("judges", 3), settings.get("labels", 2)
    )
    problem = read_problem(read_texts(claim, given, {}, known), Space(known))
    draw = random.Random(claim)
    for attempt in range(150):
        point = []
        for size in problem.domain.sizes:
            weights = [draw.randint(0, 2 + attempt // 8) + (attempt % 2) for _ in range(size)]
            weights = weights if any(weights) else [1] * size
            point += [Fraction(w, sum(weights)) for w in weights]
        if settings.get("model") == "axioms" or min(point[: problem.domain.sizes[0]]):
            assert not problem.violated(tuple(point)), point


def test_every_verdict_is_among_the_claims():
    assert len(ALL) > 140
    assert {verdict for *_, verdict in ALL} == {"true", "false", "contradiction"}
