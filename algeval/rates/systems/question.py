"""A comparison as it was asked: files joined, labels read, settings checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import Votes
from algeval.data.settings import check_choice, check_number, check_whole
from algeval.errors import DataError
from algeval.io.sources import Source
from algeval.rates.inputs import Gold, as_votes, cluster_codes, read_gold
from algeval.rates.inputs.both import read_both
from algeval.rates.inputs.pairs import (
    UNJUDGED,
    Labels,
    Pairs,
    join_gold,
    join_systems,
    no_labels,
    same_outputs,
)
from algeval.rates.systems.drawing import inclusion_of

__all__ = ["Question", "read_question"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """Two systems on the items they share.

    Attributes
    ----------
    votes : (Votes, Votes)
    pairs : Pairs
    same : (n_items,) bool array or None
        Where both put out the same; None where outputs are not known.
    labels : Labels
        Of items labelled for both.
    inclusion : (n_gold,) float array or None
        The chance with which each of these was drawn, where they differ.
    clusters : (n_items,) int array or None
    drawn, target, method : str
    at_least : object or None
        What is believed of the judges.
    usual : tuple of str
        Levels to look at where nothing is believed.
    time_limit : float or None
        Seconds for the proofs of what follows from it.
    level : float
    names : (str, str)
    random : int
    notes : tuple of str
        What reading the labels did.
    """

    votes: tuple[Votes, Votes]
    pairs: Pairs
    same: NDArray[np.bool_] | None
    labels: Labels
    inclusion: NDArray[np.float64] | None
    clusters: NDArray[np.int64] | None
    drawn: str
    target: str
    method: str
    at_least: object | None
    usual: tuple[str, ...]
    time_limit: float | None
    level: float
    names: tuple[str, str]
    random: int
    notes: tuple[str, ...]

    @property
    def open_items(self) -> NDArray[np.bool_]:
        """Where the two systems can differ."""
        return np.ones(self.pairs.n_items, bool) if self.same is None else ~self.same

    @property
    def differing(self) -> NDArray[np.bool_]:
        """Where outputs differ, or verdicts where outputs are not known."""
        if self.same is not None:
            return ~self.same
        verdicts = self.pairs.verdicts
        return np.asarray((verdicts != 0) & (verdicts != UNJUDGED))

    @property
    def n_discordant(self) -> int:
        """Labelled items on which the labels differ and the systems can."""
        return int((self.labels.differences[self.open_items[self.labels.rows]] != 0).sum())


def read_question(
    votes_a: Source,
    votes_b: Source,
    label: object,
    *,
    golds: tuple[Any, Any, Any],
    outputs: tuple[Any, Any],
    drawing: tuple[str | None, Any],
    **settings: Any,
) -> Question:
    """Return the question; see `compare_systems` for what each part may be."""
    votes = as_votes(votes_a, "votes_a"), as_votes(votes_b, "votes_b")
    pairs = join_systems(*votes, label)
    read = _golds(golds, votes, label)
    labels = no_labels() if read is None else join_gold(pairs, *read)
    same = same_outputs(pairs, *outputs)
    drawn, inclusion = _drawn(drawing, read, pairs, labels, same)
    return Question(
        votes=votes,
        pairs=pairs,
        same=same,
        labels=labels,
        inclusion=inclusion,
        drawn=drawn,
        notes=tuple(dict.fromkeys(note for gold in read or () for note in gold.notes)),
        **_checked(settings, votes[0], pairs),
    )


def _checked(settings: dict[str, Any], votes_a: Votes, pairs: Pairs) -> dict[str, Any]:
    cluster = settings["cluster"]
    codes = None
    if cluster is not None:
        of_all = cluster_codes(cluster, votes_a.items)[pairs.rows_a]
        codes = np.unique(of_all, return_inverse=True)[1]
    return {
        "clusters": codes,
        "target": check_choice("target", settings["target"], ("items", "population")),
        "method": check_choice("method", settings["method"], ("auto", "strata", "ppi")),
        "at_least": settings["at_least"],
        "usual": settings["usual"],
        "time_limit": settings["time_limit"],
        "level": check_number("level", settings["level"], least=0, most=1, strict=True),
        "names": _two_names(settings["names"]),
        "random": check_whole("random", settings["random"], least=0),
    }


def _two_names(names: Sequence[str]) -> tuple[str, str]:
    found = tuple(map(str, names))
    if len(set(found)) != 2 or len(found) != 2:
        raise DataError(f"names must be two different names; got {names!r}; pass (name_a, name_b)")
    return found[0], found[1]


def _golds(
    golds: tuple[Any, Any, Any], votes: tuple[Votes, Votes], label: object
) -> tuple[Gold, Gold] | None:
    """Return the labels of each system, None if there are none."""
    gold_a, gold_b, gold = golds
    if gold is not None and (gold_a is not None or gold_b is not None):
        raise DataError("labels must come as gold= or as gold_a= and gold_b=; got both; drop one")
    if (gold_a is None) != (gold_b is None):
        raise DataError(
            "labels must be of both systems' answers; got those of one; pass gold_a= and gold_b="
        )
    if gold_a is not None:
        a = read_gold(gold_a, votes[0], label, name="gold_a")
        return a, read_gold(gold_b, votes[1], label, name="gold_b")
    if gold is None:
        return None
    return read_both(gold, votes, label)


def _drawn(
    drawing: tuple[str | None, Any],
    golds: tuple[Gold, Gold] | None,
    pairs: Pairs,
    labels: Labels,
    same: NDArray[np.bool_] | None,
) -> tuple[str, NDArray[np.float64] | None]:
    """Return how labels were drawn, and their chances where they differ."""
    drawn, inclusion = drawing
    if drawn is not None:
        check_choice("drawn", drawn, ("random", "differing", "unequal"))
    if drawn == "differing" and same is None:
        raise DataError(
            "drawn='differing' needs to know which outputs differ; got none; pass outputs_a= and outputs_b="
        )
    if drawn in ("random", "differing") and inclusion is not None:
        raise DataError(
            f"inclusion must come with drawn='unequal'; got drawn={drawn!r}; say which it is"
        )
    if drawn in ("random", "differing") or golds is None:
        return drawn or "random", None
    chances = inclusion_of(inclusion, golds, pairs, labels)
    if chances is None and drawn == "unequal":
        raise DataError(
            "drawn='unequal' needs the chance of each labelled item; got none; pass inclusion={item: chance}"
        )
    return "random" if chances is None else "unequal", chances
