"""What the logic layer returns: verdicts, each with a certificate anybody can check."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from numpy.typing import NDArray

from algeval.data import Evaluation, Sketch, Specification, Summary
from algeval.data.names import Axes, positions
from algeval.logic.policy import SUMMARY_KEYS
from algeval.logic.proof import Certificate
from algeval.result import Result, format_exact
from algeval.result.base import Record
from algeval.result.tables import Table, scalars

if TYPE_CHECKING:
    import networkx

__all__ = [
    "Alarm",
    "Bounds",
    "LogicResult",
    "Order",
    "Panel",
    "Point",
    "Range",
    "Rung",
    "Threshold",
]

Order = int | str
"""1, 2, ... or "full"."""

Range = tuple[Fraction, Fraction]


_SILENCE = (
    "Silence is no praise: judges who agree can all be wrong, and judges who never disagree and "
    "answer with labels only are always right by some answer key."
)
_SMOKE = (
    "It does not say which judge misses it, how good any judge is, or that a true answer key "
    "exists."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogicResult(Axes, Result):
    """What every logical verdict echoes.

    Attributes
    ----------
    order : int or "full"
        How many judges' joint answers were used: 1 reads each judge's counts alone.
    missing_rule : "excluded" or "wrong"
        What an item a judge did not answer means for its accuracy.
    n_items : int
        Number of items, Q.
    judges, labels, answers : tuples of str
        Names of the axes.
    missing_counts : tuple of int
        Per judge, how many items it did not answer.
    data : Sketch, Summary or None
        What it is about, where that is kept; not part of the JSON.
    """

    schema: ClassVar[str] = "algeval.logic/1"

    order: Order
    missing_rule: str
    n_items: int
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    missing_counts: tuple[int, ...]
    data: Sketch | Summary | None = field(default=None, repr=False)

    @property
    def meaning(self) -> str:
        """What the verdict does not mean."""
        return "It speaks of these votes alone, whatever the answer key."

    def summary(self) -> str:
        """Verdict, what it does not mean, and the settings it rests on."""
        missing = sum(self.missing_counts)
        lines = [self.message, self.meaning, f"Order: {self.order}; items: {self.n_items}."]
        if missing:
            lines.append(f"{missing} missing answers, counted as {self.missing_rule}.")
        return "\n".join(lines)

    @property
    def proofs(self) -> dict[str, Certificate | None]:
        """What proves the result, by name; None where nothing does."""
        return {}

    def export(self, kind: str) -> str:
        """Its proofs as theorems of another system, about every answer key of the data.

        Parameters
        ----------
        kind : "coq"
            The system.

        Raises
        ------
        NotExported
            If no proof of it can be written in that system.
        """
        from algeval.export import NotExported, alarms

        if kind != "coq":
            raise NotExported(f"kind must be 'coq', which alarms are exported to; got {kind!r}")
        if self.data is None:
            raise NotExported(
                "a result must hold its data to be exported; ask `alarm` of the votes"
            )
        proofs = {name: None if c is None else c.to_dict() for name, c in self.proofs.items()}
        return alarms.coq_of(proofs, self.data.to_dict())

    def _with(self, witness: Certificate | None) -> tuple[Table, ...]:
        """Return one row for the result, and the accuracies and prevalences that a witness shows."""
        if witness is None or not witness.shows:
            return (scalars(self),)
        return (scalars(self), *witness.evaluation(*self.axes).as_tables()[:2])

    def _evaluation(self, certificate: Certificate | None) -> Evaluation | None:
        if certificate is None or certificate.kind != "witness":
            return None
        return certificate.evaluation(*self.axes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alarm(LogicResult):
    """Whether the votes alone prove that a specification cannot be met.

    Attributes
    ----------
    triggered : bool or None
        True: no answer key lets the specification hold. False: some answer key does, and
        `certificate` shows it. None: not settled within the limits.
    specification : Specification
        What was asked.
    certificate : Certificate or None
        The proof, checked by ``python -m algeval.verify``.
    """

    schema: ClassVar[str] = "algeval.alarm/1"

    triggered: bool | None
    specification: Specification
    certificate: Certificate | None
    time_limit: float | None = None

    @property
    def proofs(self) -> dict[str, Certificate | None]:
        """What proves the verdict."""
        return {"alarm": self.certificate}

    @property
    def meaning(self) -> str:
        """What the verdict does not mean."""
        return _SMOKE if self.triggered else _SILENCE

    def as_tables(self) -> tuple[Table, ...]:
        """Return one row, and what the judges' accuracies are in the witness of a silent alarm."""
        return self._with(self.certificate)

    @property
    def witness(self) -> Evaluation | None:
        """The evaluation that meets the specification, when the alarm is silent."""
        return self._evaluation(self.certificate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung(Record):
    """What one order tells of the threshold.

    Attributes
    ----------
    order : int or "full"
    status : str
        `ok`, or why there is no more than a bracket: `time_limit`, `undetermined`, `too_large`.
    lower, upper : Fraction
        Between which levels the threshold of this order lies.
    key_counts : tuple of int or None
        An answer key that attains `lower`.
    seconds : float
        How long it took.
    """

    order: Order
    status: str
    lower: Fraction
    upper: Fraction
    key_counts: tuple[int, ...] | None
    seconds: float

    @property
    def words(self) -> str:
        """The bracket as text."""
        if self.lower == self.upper:
            return format_exact(self.lower)
        return f"{format_exact(self.lower)} to {format_exact(self.upper)}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Threshold(LogicResult):
    """The highest accuracy that every judge could reach on every label at once.

    Attributes
    ----------
    lower : Fraction
        A level that some answer key lets every judge reach; `witness` shows it.
    upper : Fraction
        No answer key lets every judge exceed this; `refutation` proves it (None when upper is 1).
    exact : bool
        Whether lower equals upper: an alarm set above `lower` goes off, one at `lower` does not.
    key_count : int or None
        How many answer-key counts attain `lower` (None where they were not counted: at least those of
        `answer_keys` do). Proved only where `keys` is there.
    answer_keys : tuple of tuples of int
        Some of them: how many items have each label.
    keys : Certificate or None
        Where they could be proved cheaply: a witness of each, and a tree that refutes every other.
    require_labels : bool
        Whether every label had to occur in the answer key.
    relaxation : Fraction or None
        At full order: a level that weights prove no answer key exceeds, even were items divisible
        between labels. It bounds what would then be allowed; it need not be allowed.
    ladder : tuple of Rung
        Where asked for: what each order tells, the lowest first. Orders that could tell nothing more
        than one below them are left out.
    """

    schema: ClassVar[str] = "algeval.threshold/1"

    lower: Fraction
    upper: Fraction
    exact: bool
    witness: Certificate | None
    refutation: Certificate | None
    key_count: int | None = None
    answer_keys: tuple[tuple[int, ...], ...] = ()
    keys: Certificate | None = None
    require_labels: bool = False
    relaxation: Fraction | None = None
    ladder: tuple[Rung, ...] = ()
    time_limit: float | None = None

    @property
    def details(self) -> tuple[str, ...]:
        """Which answer keys attain `lower`, and what weights prove, as sentences."""
        lines = []
        if self.answer_keys:
            shown = "; ".join(self._key_words(key) for key in self.answer_keys[:SUMMARY_KEYS])
            count = f"at least {len(self.answer_keys)}"
            if self.key_count is not None:
                count = f"{self.key_count} in all"
                count += "" if self.keys is not None else ", counted without a certificate"
            more = "; ..." if len(self.answer_keys) > SUMMARY_KEYS else ""
            lines.append(f"Answer keys that attain it ({count}): {shown}{more}.")
        if self.relaxation is not None:
            lines.append(
                f"Were items divisible between labels, no more than {format_exact(self.relaxation)} "
                "would be allowed."
            )
        for rung in self.ladder:
            name = "Full order" if rung.order == "full" else f"Order {rung.order}"
            open_ = "" if rung.status == "ok" else f", {rung.status}"
            lines.append(f"{name}: {rung.words} ({rung.seconds:.1f} s{open_}).")
        return tuple(lines)

    def _key_words(self, key: tuple[int, ...]) -> str:
        return ", ".join(f"{n} x {label!r}" for n, label in zip(key, self.labels, strict=True))

    def summary(self) -> str:
        """Verdict, the answer keys, what it does not mean, and the settings."""
        first, *rest = LogicResult.summary(self).splitlines()
        return "\n".join([first, *self.details, *rest])

    @property
    def proofs(self) -> dict[str, Certificate | None]:
        """What proves that nothing higher is allowed, that `lower` is, and which keys attain it."""
        return {"refutation": self.refutation, "witness": self.witness, "keys": self.keys}

    @property
    def meaning(self) -> str:
        """What the verdict does not mean."""
        return (
            "It is an upper limit on the worst accuracy, not an estimate: the judges may be far "
            "worse, and a label that occurs on no item is left out of it."
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Return one row, the answer keys that attain `lower`, and the judges' accuracies then."""
        rows = [(number, *key) for number, key in enumerate(self.answer_keys, start=1)]
        names = ("answer key", *(f"items of {label}" for label in self.labels))
        first, *rest = self._with(self.witness)
        keys = Table.of_rows("Answer keys that attain it", names, rows)
        if not self.ladder:
            return (first, keys, *rest)
        columns = ("order", "lower", "upper", *names[1:], "seconds", "status")
        nothing = (None,) * len(self.labels)
        rungs = [
            (r.order, r.lower, r.upper, *(r.key_counts or nothing), r.seconds, r.status)
            for r in self.ladder
        ]
        return (first, Table.of_rows("By order", columns, rungs), keys, *rest)

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation that attains `lower`."""
        return self._evaluation(self.witness)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panel(LogicResult):
    """How many judges must fall short, and the largest panel that might not.

    Attributes
    ----------
    min_violators : int
        Certified: at least this many judges fall short, whatever the answer key.
    largest_panel : tuple of str
        Judges that some answer key lets meet the conditions together (see `witness`).
    exact : bool
        Whether the two add up to all judges, so that both are best possible.
    certificate : Certificate or None
        The proof of `min_violators` (None when it is 0).
    witness : Certificate or None
        The proof that `largest_panel` can meet the conditions (None when it is empty).
    failing : tuple of str
        Judges that cannot meet the conditions even alone.
    pairwise : tuple of pairs of str
        Pairs of judges, none of them failing alone, that cannot both meet the conditions; at most
        200,000, and fewer where time ran out.
    """

    schema: ClassVar[str] = "algeval.panel/1"

    specification: Specification
    min_violators: int
    largest_panel: tuple[str, ...]
    exact: bool
    certificate: Certificate | None
    witness: Certificate | None
    failing: tuple[str, ...]
    pairwise: tuple[tuple[str, str], ...]
    time_limit: float | None = None

    @property
    def proofs(self) -> dict[str, Certificate | None]:
        """What proves how many fall short, and that the largest panel may not."""
        return {"panel": self.certificate, "witness": self.witness}

    @property
    def meaning(self) -> str:
        """What the verdict does not mean."""
        return (
            "It does not say which judges miss it: another panel may be the good one, and the "
            "largest panel may be wrong together."
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Row per judge: whether it is in the largest panel, and whether it fails alone."""
        largest, failing = set(self.largest_panel), set(self.failing)
        columns = {
            "judge": self.judges,
            "in the largest panel": [judge in largest for judge in self.judges],
            "fails alone": [judge in failing for judge in self.judges],
        }
        pairs = Table.of_rows("Pairs in conflict", ("judge", "other"), self.pairwise)
        return (Table("Judges", columns), scalars(self), pairs)

    @property
    def conflicts(self) -> networkx.Graph[str]:
        """The graph of judges whose edges are pairs that cannot both meet the conditions.

        Judges that fail even alone carry the node attribute ``failing=True``.
        """
        import networkx

        graph: networkx.Graph[str] = networkx.Graph()
        graph.add_nodes_from(self.judges, failing=False)
        graph.add_nodes_from(self.failing, failing=True)
        graph.add_edges_from(self.pairwise)
        return graph

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation in which the largest panel meets the conditions."""
        return self._evaluation(self.witness)


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeProof(Record):
    """What proves a range: each certificate is one that the verifier accepts.

    Attributes
    ----------
    lowest, highest : Certificate or None
        A witness that attains the end; None where none was found.
    below, above : Certificate or None
        A refutation of anything beyond the end; None where there is no such value (below 0, above 1).
    undefined : Certificate or None
        Where there is no range: no evaluation holds the judge to an item of the label.
    """

    lowest: Certificate | None = None
    below: Certificate | None = None
    highest: Certificate | None = None
    above: Certificate | None = None
    undefined: Certificate | None = None

    def certificates(self) -> list[Certificate]:
        """Return those there are."""
        every = (self.lowest, self.below, self.highest, self.above, self.undefined)
        return [entry for entry in every if entry is not None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bounds(LogicResult):
    """The lowest and highest value of every quantity over all consistent evaluations.

    Attributes
    ----------
    accuracy : (N, R, 2) object array
        Lowest and highest accuracy of each judge on each label, over the evaluations in which the
        judge answered an item of that label; None where there is none.
    grade : (N, 2) object array
        Lowest and highest share of correct answers of each judge.
    prevalence : (R, 2) object array
        Lowest and highest share of each label in the answer key.
    specification : Specification or None
        What the evaluations were held to.
    outer : tuple of str
        The ranges of which an end is only a certified limit: nothing lies beyond it, but no
        evaluation was found that attains it.
    certificates : dict of RangeProof
        What proves each range, under its name: "grade of x", "accuracy of x on a", "prevalence of a".
    """

    schema: ClassVar[str] = "algeval.bounds/1"

    accuracy: NDArray[Any]
    grade: NDArray[Any]
    prevalence: NDArray[Any]
    specification: Specification | None
    outer: tuple[str, ...] = ()
    certificates: dict[str, RangeProof] = field(default_factory=dict)
    time_limit: float | None = None

    @property
    def proofs(self) -> dict[str, Certificate | None]:
        """What proves each end of each range."""
        ends = ("lowest", "below", "highest", "above", "undefined")
        pairs = ((name, end, proof) for name, proof in self.certificates.items() for end in ends)
        return {f"{name}, {end}": getattr(proof, end) for name, end, proof in pairs}

    @property
    def meaning(self) -> str:
        """What the verdict does not mean."""
        return (
            "Each range stands alone: ends of different ranges need not be reached together, and "
            "an accuracy counts only evaluations in which the judge answered that label."
        )

    def accuracy_of(self, judge: object, label: object) -> Range | None:
        """Return (lowest, highest) accuracy of a judge on a label, or None."""
        (i,) = positions("judge", [judge], self.judges)
        (t,) = positions("label", [label], self.labels)
        return ends_of(self.accuracy[i, t])

    def grade_of(self, judge: object) -> Range | None:
        """Return (lowest, highest) grade of a judge, or None."""
        (i,) = positions("judge", [judge], self.judges)
        return ends_of(self.grade[i])

    def prevalence_of(self, label: object) -> Range | None:
        """Return (lowest, highest) prevalence of a label, or None."""
        (t,) = positions("label", [label], self.labels)
        return ends_of(self.prevalence[t])

    def as_tables(self) -> tuple[Table, ...]:
        """Row per range: quantity, judge, label, lowest and highest value.

        "attained" is false where an end is only a certified limit (see `outer`).
        """
        rows = [
            (*named, *(ends_of(ends) or (None, None)), _range_name(*named) not in self.outer)
            for named, ends in self._ranges()
        ]
        names = ("quantity", "judge", "label", "lower", "upper", "attained")
        return (Table.of_rows("Ranges", names, rows),)

    def _ranges(self) -> Iterator[tuple[tuple[str, str | None, str | None], NDArray[Any]]]:
        for t, label in enumerate(self.labels):
            yield ("prevalence", None, label), self.prevalence[t]
        for i, judge in enumerate(self.judges):
            yield ("grade", judge, None), self.grade[i]
            for t, label in enumerate(self.labels):
                yield ("accuracy", judge, label), self.accuracy[i, t]

    def summary(self) -> str:
        """Verdict and a table of every range."""
        lines = [LogicResult.summary(self)]
        for t, label in enumerate(self.labels):
            lines.append(f"prevalence of {label}: {ends_in_words(self.prevalence[t])}")
        for i, judge in enumerate(self.judges):
            lines.append(f"grade of {judge}: {ends_in_words(self.grade[i])}")
            for t, label in enumerate(self.labels):
                lines.append(
                    f"accuracy of {judge} on {label}: {ends_in_words(self.accuracy[i, t])}"
                )
        return "\n".join(lines)


class Point(NamedTuple):
    """One consistent evaluation in the papers' R-space.

    Attributes
    ----------
    key_counts : tuple of int
        How many items have each label, q.
    correct : tuple of tuples of int
        Per judge and label, how many items of the label it answered correctly.
    """

    key_counts: tuple[int, ...]
    correct: tuple[tuple[int, ...], ...]


def _range_name(quantity: str, judge: str | None, label: str | None) -> str:
    of = label if judge is None else judge if label is None else f"{judge} on {label}"
    return f"{quantity} of {of}"


def ends_of(pair: NDArray[Any]) -> Range | None:
    """Ends of a range, or None where there is none."""
    low, high = pair.tolist()
    return None if low is None else (low, high)


def ends_in_words(pair: NDArray[Any]) -> str:
    """Range in words."""
    result = ends_of(pair)
    return "nothing" if result is None else " to ".join(format_exact(value) for value in result)
