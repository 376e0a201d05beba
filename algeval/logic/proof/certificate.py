"""Certificates: a claim about the data and the evidence that proves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

import numpy as np

from algeval.data import Evaluation, Specification
from algeval.data.names import expect_schema
from algeval.errors import DataError
from algeval.logic.policy import SHOWN_WEIGHTS
from algeval.result.values import ByValue

__all__ = ["Certificate", "claim"]

SCHEMA = "algeval.certificate/1"


@dataclass(frozen=True, slots=True, eq=False)
class Certificate(ByValue):
    """A claim and its evidence, as ``python -m algeval.verify`` reads them.

    Parameters
    ----------
    claim : mapping
        Verdict, digest of the data, order, missing rule and specification.
    evidence : mapping
        What proves it: its "kind" is witness, cap, weights, multipliers, branches or conflicts.

    The format is described in the reference on certificates.
    """

    claim: Mapping[str, Any]
    evidence: Mapping[str, Any]
    shown: Evaluation | None = field(default=None, compare=False)
    """The evaluation a witness shows, where it was worked out already; not part of the file."""

    @property
    def verdict(self) -> str:
        """Either "possible" or "impossible"."""
        return str(self.claim["verdict"])

    @property
    def kind(self) -> str:
        """The kind of evidence."""
        return str(self.evidence["kind"])

    @property
    def specification(self) -> Specification:
        """The specification the claim speaks of."""
        return Specification.from_dict(self.claim["specification"])

    @property
    def shows(self) -> bool:
        """Whether it is a witness whose `evaluation` needs no data beside it."""
        return self.kind == "witness" and (self.shown is not None or "tables" in self.evidence)

    def explain(self, judges: Sequence[str], labels: Sequence[str]) -> str:
        """Return in one sentence what the evidence rests on, by name."""
        if self.kind == "weights":
            return _named_weights(self.evidence["weights"], judges, labels)
        if self.kind == "cap":
            named = [
                f"{name} on {label}"
                for name, label in zip(self.evidence["judges"], labels, strict=True)
                if name is not None
            ]
            return f"It rests on how often a label was answered by {', '.join(named)}."
        reasons = {
            "witness": "It shows an answer key and what each judge got right.",
            "multipliers": "It adds up rows of the program to a contradiction.",
            "branches": "It splits the possible answer keys into cases and refutes each.",
            "conflicts": "It names sets of judges that cannot meet the standard together.",
        }
        return reasons[self.kind]

    def describe(self) -> str:
        """Return the claim in one sentence."""
        can = "can" if self.verdict == "possible" else "cannot"
        return (
            f"With these votes (order {self.claim['order']}), some answer key {can} meet: "
            f"{self.specification.describe()} [{self.kind}]."
        )

    def evaluation(
        self, judges: Sequence[str], labels: Sequence[str], answers: Sequence[str]
    ) -> Evaluation:
        """Return the evaluation a witness shows."""
        if self.shown is not None:
            return self.shown
        if "tables" not in self.evidence:
            raise DataError(
                f"only a witness with tables is an evaluation; got {self.kind!r}; "
                "read the cells of a full-order witness beside its sketch"
            )
        tables = np.array(self.evidence["tables"], dtype=object).transpose(0, 2, 1)
        return Evaluation.from_counts(judges, labels, answers, self.evidence["key_counts"], tables)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types (schema `algeval.certificate/1`)."""
        return {"schema": SCHEMA, "claim": dict(self.claim), "evidence": dict(self.evidence)}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; this does not verify it."""
        expect_schema(document, SCHEMA)
        return cls(document["claim"], document["evidence"])

    def __repr__(self) -> str:
        return f"Certificate({self.verdict}, {self.kind})"


def _named_weights(
    weights: Sequence[Sequence[str]], judges: Sequence[str], labels: Sequence[str]
) -> str:
    named = [
        f"{judge} on {label} (weight {weight})"
        for judge, row in zip(judges, weights, strict=True)
        for label, weight in zip(labels, row, strict=True)
        if Fraction(weight)
    ]
    shown = ", ".join(named[:SHOWN_WEIGHTS]) + (", ..." if len(named) > SHOWN_WEIGHTS else "")
    return (
        f"It rests on {len(named)} accuracies that no answer key lets be so high at once: {shown}."
    )


def claim(
    digest: str, order: int | str, missing: str, specification: Specification, *, possible: bool
) -> dict[str, Any]:
    """Return the claim of a certificate."""
    return {
        "verdict": "possible" if possible else "impossible",
        "data": digest,
        "order": order,
        "missing": missing,
        "specification": specification.to_dict(),
    }
