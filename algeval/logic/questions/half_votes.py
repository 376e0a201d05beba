"""The weighted half-vote: one decision from several experts, a tie counting half for each side.

No-Knowledge Alarms, appendix B, establishes its ground truth, and the grades of the panel of
authors, this way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from algeval.data import NOT_ANSWERED, Votes
from algeval.data.reading import refuse_scores
from algeval.errors import DataError
from algeval.result import Result, Status
from algeval.result.tables import Table
from algeval.result.wording import how_many

__all__ = ["HalfVotes", "half_votes"]

_HALF = Fraction(1, 2)

Groups = Mapping[Any, Sequence[object]]
Record = tuple[object, object, object]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HalfVotes(Result):
    """One decision per item, and the weights it was made from.

    Attributes
    ----------
    items : tuple of str
        Item ids.
    decisions : tuple of str or None
        The side with more weight, or the tie; None where nobody voted.
    weights : tuple of pairs of Fraction
        Per item, the votes for the first and the second side, ties counting half for each.
    counts : dict
        How many items were decided each way.
    ties : tuple of str
        Items decided as ties: the two sides weigh the same.
    split : tuple of str
        Those ties that no expert, or not every expert, called a tie: opposite votes cancelled.
    undecided : tuple of str
        Items without any vote.
    labels : pair of str
        The two sides.
    tie : str
        How a tie is written.
    """

    schema: ClassVar[str] = "algeval.half_votes/1"

    items: tuple[str, ...]
    decisions: tuple[str | None, ...]
    weights: tuple[tuple[Fraction, Fraction], ...]
    counts: dict[str, int]
    ties: tuple[str, ...]
    split: tuple[str, ...]
    undecided: tuple[str, ...]
    labels: tuple[str, str]
    tie: str

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per item: the weight of each side, and the decision."""
        columns: dict[str, Any] = {"item": self.items}
        columns |= {
            f"for {label}": [w[k] for w in self.weights] for k, label in enumerate(self.labels)
        }
        return (Table("Half votes", columns | {"decision": self.decisions}),)

    def records(self, judge: object) -> list[tuple[str, str, str | None]]:
        """Return (item, judge, decision) triples, to join with those of other judges.

        Examples
        --------
        >>> decided = half_votes({"q1": ["a", "tie"]})
        >>> decided.records("experts")
        [('q1', 'experts', 'a')]
        """
        return [(i, str(judge), d) for i, d in zip(self.items, self.decisions, strict=True)]

    def to_votes(self, judge: object) -> Votes:
        """Return the decisions as the votes of one judge."""
        labels = (*self.labels, self.tie)
        return Votes.from_columns({judge: self.decisions}, items=self.items, labels=labels)


def half_votes(
    votes: Votes | Groups | Iterable[Record],
    tie: object = "tie",
    labels: Sequence[object] = ("a", "b"),
) -> HalfVotes:
    """Decide every item by its experts' votes, each tie counting half for each side.

    Use it to make one judge of a panel, or an answer key of experts, in pair comparisons. It is the
    majority of those who took a side; a tie vote never changes who wins, only by what share.

    Parameters
    ----------
    votes : Votes, {item: votes} or (item, expert, vote) triples
        A vote is one of the two labels, the tie, or None where the expert did not vote. An expert
        votes once on an item.
    tie : str
        How a tie is written.
    labels : pair of str
        The two sides.

    Returns
    -------
    HalfVotes
        Status `ok`, or `undetermined` where some item got no vote at all.

    Raises
    ------
    DataError
        If a vote is neither a side nor a tie, or an expert votes twice on an item.

    Notes
    -----
    No-Knowledge Alarms, appendix B: "if two experts voted (model a, tie) this would be a preference for a".

    Examples
    --------
    >>> decided = half_votes({"q1": ["a", "tie"], "q2": ["a", "b"], "q3": ["b", "b", "a"]})
    >>> decided.decisions, decided.weights[0]
    (('a', 'tie', 'b'), (Fraction(3, 2), Fraction(1, 2)))
    """
    sides, even = _sides(labels, tie)
    worth = {
        sides[0]: (Fraction(1), Fraction(0)),
        sides[1]: (Fraction(0), Fraction(1)),
        even: (_HALF, _HALF),
    }
    groups = _groups(votes)
    for item, group in groups.items():
        for vote in group:
            if vote not in worth:
                raise DataError(
                    f"every vote must be one of {[*sides, even]} or None; got {vote!r} on item "
                    f"{item!r}; leave that vote out or pass labels= and tie="
                )
    weights = tuple(_weigh([worth[vote] for vote in group]) for group in groups.values())
    decisions = tuple(_decide(pair, sides, even) for pair in weights)
    found = dict(zip(groups, decisions, strict=True))
    tally = Counter(decisions)
    undecided = tuple(item for item, decision in found.items() if decision is None)
    ties = tuple(item for item, decision in found.items() if decision == even)
    counts = {name: tally[name] for name in (*sides, even)}
    return HalfVotes(
        status=Status.UNDETERMINED if undecided else Status.OK,
        message=_sentence(counts, undecided),
        items=tuple(groups),
        decisions=decisions,
        weights=weights,
        counts=counts,
        ties=ties,
        split=tuple(item for item in ties if set(groups[item]) != {even}),
        undecided=undecided,
        labels=sides,
        tie=even,
    )


def _sides(labels: Sequence[object], tie: object) -> tuple[tuple[str, str], str]:
    sides = tuple(str(label) for label in labels) if not isinstance(labels, str) else ()
    if len(sides) != 2 or len({*sides, str(tie)}) < 3:
        raise DataError(
            f"labels must name two sides, neither of them the tie {str(tie)!r}; got {labels!r}; half "
            "votes are for pair comparisons, use aggregate for more labels"
        )
    return (sides[0], sides[1]), str(tie)


def _groups(votes: Votes | Groups | Iterable[Record]) -> dict[str, list[str]]:
    """Return {item: votes}, without those who did not vote."""
    refuse_scores(votes)
    if isinstance(votes, Votes):
        names = votes.answers
        rows = votes.codes.tolist()
        return {
            item: [names[c] for c in row if c != NOT_ANSWERED]
            for item, row in zip(votes.items, rows, strict=True)
        }
    if isinstance(votes, Mapping):
        return {
            str(item): [str(v) for v in _listed(item, group) if v is not None]
            for item, group in votes.items()
        }
    groups: dict[str, list[str]] = {}
    seen: set[tuple[str, str]] = set()
    for item, expert, vote in votes:
        voter = str(item), str(expert)
        if voter in seen:
            raise DataError(
                f"an expert must vote once on an item; got two votes of {voter[1]!r} on item "
                f"{voter[0]!r}; keep one of them"
            )
        seen.add(voter)
        groups.setdefault(voter[0], []).extend([] if vote is None else [str(vote)])
    return groups


def _listed(item: object, group: Sequence[object]) -> Sequence[object]:
    if isinstance(group, str):
        raise DataError(
            f"the votes of an item must be a list; got {group!r} on item {str(item)!r}; write "
            f"[{group!r}]"
        )
    return group


def _weigh(pairs: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    first = sum((a for a, _ in pairs), Fraction(0))
    return first, sum((b for _, b in pairs), Fraction(0))


def _decide(pair: tuple[Fraction, Fraction], sides: tuple[str, str], tie: str) -> str | None:
    first, second = pair
    if first == second:
        return tie if first else None
    return sides[0] if first > second else sides[1]


def _sentence(counts: dict[str, int], undecided: Sequence[str]) -> str:
    listed = ", ".join(f"{n} {name}" for name, n in counts.items())
    text = f"Half votes decide {how_many(sum(counts.values()), 'item')}: {listed}."
    return f"{text} Nobody voted on {len(undecided)} more." if undecided else text
