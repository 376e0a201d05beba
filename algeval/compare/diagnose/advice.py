"""From findings to a recommendation in words, with its reasons; no key is read."""

from __future__ import annotations

from dataclasses import dataclass

from algeval.aggregate import METHODS
from algeval.aggregate.checks.held_out import HeldOut
from algeval.aggregate.checks.pair_test import PairTest
from algeval.compare.diagnose.parts import Coupling, Findings, Quartets
from algeval.result.wording import how_many

__all__ = ["Advice", "advise"]

_CLEARLY = 2.0
_INFLATED = 1.2
_LOOSE = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A verdict on independence, the method recommended (or None), and why."""

    dependent: bool | None
    verdict: str
    method: str | None
    recommendation: str
    reasons: tuple[str, ...]


def advise(found: Findings) -> Advice:
    """Weigh the findings.

    Independence stands unless the test of all pairs rejects it. If it stands, Dawid-Skene; if not,
    or if nothing could be tested, the method whose posteriors are held back; nothing where the votes
    cannot identify even independent judges.
    """
    rejected = _rejections(found.pairs, found.quartets)
    dependent = None if found.pairs is None else found.pairs.rejected
    method, recommendation, first = _choice(dependent, found.coupling)
    return Advice(
        dependent=dependent,
        verdict=_verdict(dependent),
        method=method,
        recommendation=recommendation,
        reasons=(*first, *(rejected if method else ()), *_cautions(found)),
    )


def _rejections(test: PairTest | None, sets: Quartets | None) -> tuple[str, ...]:
    found = []
    if test is not None and test.rejected:
        found.append(f"the test of all pairs rejects independence (p = {test.p_value:.2g})")
    if sets is not None and sets.n_rejected:
        told = (
            f"{sets.n_rejected} of {how_many(sets.n_tested, 'set')} of {sets.size} judges reject "
        )
        found.append(told + "independence on their own, by algebra")
    return tuple(found)


def _verdict(dependent: bool | None) -> str:
    if dependent is None:
        return "No test of independence applies to these votes."
    if dependent:
        return "The judges' errors are not independent given the classes the votes show."
    return "No evidence against independent errors, which does not show independence."


def _choice(
    dependent: bool | None, coupling: Coupling | None
) -> tuple[str | None, str, tuple[str, ...]]:
    if coupling is None:
        return (
            None,
            "Recommended: no aggregate. Use what logic alone allows (alarm, threshold, bounds), "
            "or get votes of more judges on the same items.",
            ("these votes cannot identify even independent judges",),
        )
    if dependent is False and coupling.within < _INFLATED:
        return (
            "dawid-skene",
            "Recommended: method 'dawid-skene'; its posteriors may be read as probabilities as far "
            "as these tests can see.",
            ("the test of all pairs finds no shared errors and evidence is not inflated",),
        )
    why = (
        (f"posteriors of independent judges count evidence {coupling.within:.1f} times or more",)
        if coupling.within >= _INFLATED
        else ("posteriors of independent judges may be too sure of themselves",)
    )
    return (
        "recommended",
        "Recommended: method 'recommended' (tables drawn to the panel's, posteriors held back); do not "
        f"read posteriors of {_independent_methods()} as probabilities.",
        why,
    )


def _independent_methods() -> str:
    *names, last = (repr(m.name) for m in METHODS.values() if m.independent)
    return f"{', '.join(names)} or {last}"


def _cautions(found: Findings) -> tuple[str, ...]:
    told = []
    if found.held_out is not None:
        told += _better_models(found.held_out)
    if found.stability is not None and found.stability.changed > _LOOSE:
        changed = f"{100 * found.stability.changed:.0f}% of the labels"
        told.append(f"{changed} depend on the start of EM: look at both ends")
    if found.coupling is not None and found.coupling.within >= 2:
        told.append(
            "what judges share may be a trait of the items that is not the label: a few dozen "
            "labelled items would tell more than any number of votes"
        )
    weak = [row.model for row in found.identifiability if (row.standard_error or 0) > 1]
    if weak:
        told.append(f"these items leave some direction of {', '.join(weak)} to prior and start")
    if found.suspects:
        names = ", ".join(suspect.judge for suspect in found.suspects)
        told.append(f"check the files of {names} first: they agree with nobody")
    return tuple(told)


def _better_models(found: HeldOut) -> list[str]:
    base = found.methods.index("dawid-skene")
    better = [
        f"{name} (z = {found.z[place, base]:+.1f})"
        for place, name in enumerate(found.methods)
        if found.z[place, base] > _CLEARLY
    ]
    if not better:
        return []
    return [
        f"unseen votes are better predicted by {', '.join(better)} than by independence: compare "
        "its labels, though better prediction of votes does not make labels more accurate"
    ]
