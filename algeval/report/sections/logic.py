"""What is logically possible, each verdict with a certificate the verifier accepted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from algeval.data import Sketch, Specification, Summary
from algeval.logic import alarm, panel, threshold
from algeval.logic.proof.certificate import Certificate
from algeval.logic.results import Alarm, Panel, Threshold
from algeval.progress import steps
from algeval.report.parts import Section
from algeval.result import Status, format_exact
from algeval.verify import read_data, verify

__all__ = ["LEVELS", "LogicAnswers", "ask", "check", "logic_section"]

LEVELS = tuple(map(Fraction, ("0.6", "0.75", "0.9")))
"""Where no level is asked for: how many judges fall short of these."""

_UNASKED = 5
"""Panels at levels that nobody asked for get this part of the time limit each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogicAnswers:
    """The verdicts, and their certificates.

    `alarm` is None where no level was asked for; `panels` are at the level asked for if that is
    impossible, and otherwise at those of `LEVELS` that not all judges can meet.
    """

    threshold: Threshold
    alarm: Alarm | None
    panels: tuple[Panel, ...]
    proofs: dict[str, Certificate]

    @property
    def panel(self) -> Panel | None:
        """The panel at the level asked for."""
        return self.panels[0] if self.panels and self.alarm is not None else None


def ask(
    counts: Sketch | Summary,
    specification: Specification | None,
    *,
    missing: str,
    time_limit: float | None,
) -> LogicAnswers:
    """Ask threshold, alarm if there is a level, and panels; the certificates are left to `check`.

    Each is asked at the highest order the data support. What lower orders know is part of that; where
    the alarm steps down it says so.
    """
    options: dict[str, Any] = {"missing": missing, "time_limit": time_limit}
    t = threshold(counts, **options)
    a = None if specification is None else alarm(counts, specification, **options)
    levels = _levels(specification, a, t.lower)
    if a is None and time_limit is not None:
        options["time_limit"] = time_limit / _UNASKED
    panels = tuple(panel(counts, level, **options) for level in levels)
    proofs = dict(_proofs(t, a, panels))
    return LogicAnswers(threshold=t, alarm=a, panels=panels, proofs=proofs)


def check(proofs: Mapping[str, Certificate], counts: Sketch | Summary) -> None:
    """Raise if the verifier rejects one of some certificates."""
    read = read_data(counts)  # once for all certificates
    for name, certificate in steps(proofs.items(), "checking certificates"):
        verdict = verify(certificate, read)
        if not verdict.ok:
            raise RuntimeError(f"{name} was rejected by the verifier: {verdict.sentence}")


def _proofs(t: Threshold, a: Alarm | None, panels: tuple[Panel, ...]) -> Iterator[tuple[str, Any]]:
    """Yield every certificate there is, under the name of a file."""
    named = [("threshold-attained", t.witness), ("threshold-nothing-above", t.refutation)]
    named += [] if a is None else [("alarm", a.certificate)]
    for k, p in enumerate(panels, start=1):
        place = f"-{k}" if len(panels) > 1 else ""
        named += [(f"panel{place}-fall-short", p.certificate), (f"panel{place}-may", p.witness)]
    yield from ((name, proof) for name, proof in named if proof is not None)


def _levels(asked: Specification | None, found: Alarm | None, reached: Fraction) -> list[Any]:
    """Return what panels are asked for, knowing the level that all judges can reach."""
    if asked is None or found is None:
        return [level for level in LEVELS if level > reached]
    return [asked] if found.triggered and asked.min_judges is None else []


def logic_section(answers: LogicAnswers) -> Section:
    """Return the section."""
    t, a = answers.threshold, answers.alarm
    what = (
        "from how often each judge gave each answer (order 1)"
        if t.order == 1
        else "from how the judges agreed item by item (full order)"
    )
    lines = [_threshold_line(answers.threshold)]
    if t.refutation is not None:
        lines.append(f"Why no more: {t.refutation.explain(t.judges, t.labels)}")
    lines += [] if a is None else [a.message]
    lines += [p.message for p in answers.panels]
    lines.append(f"{len(answers.proofs)} certificates, each accepted by the stand-alone verifier.")
    results = {"threshold": t, "alarm": a, "panel": answers.panel, "panels": answers.panels}
    return Section(
        title=f"What is logically possible, {what}",
        lines=tuple(lines),
        caveat=t.meaning if a is None else f"{a.meaning} {t.meaning}",
        results=results,
    )


def _threshold_line(t: Threshold) -> str:
    if t.exact:
        line = f"Threshold: all judges can be {format_exact(t.lower)} accurate on every label, and no more."
    else:
        line = (
            f"Threshold: between {format_exact(t.lower, 3)}, which all judges can reach on every "
            f"label, and {format_exact(t.upper, 3)}, above which they cannot."
        )
    if t.answer_keys and t.key_count is not None:
        first = ", ".join(
            f"{n} x {label!r}" for label, n in zip(t.labels, t.answer_keys[0], strict=True)
        )
        more = t.key_count - 1
        others = "or 1 other answer key" if more == 1 else f"or {more} other answer keys"
        line += f" It takes an answer key of {first}{', ' + others if more else ' only'}."
    if t.status is not Status.OK:
        line += f" ({t.status.value}: {t.status.advice})"
    return line
