"""Which items to label next."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr, expit, log_expit, logit

from algeval.aggregate import aggregate
from algeval.data import KeyedSketch, Sketch, Votes
from algeval.data.names import NOT_ANSWERED, Codes, check_choice, check_whole
from algeval.data.reading import Source
from algeval.data.sketch import group_rows
from algeval.data.votes import GroupedSketch, LabelledSketch
from algeval.door import reads_as_named
from algeval.errors import DataError, option, parameter
from algeval.io.answers import Rules, rules_of
from algeval.io.joining import PairsOfTuples, TupleTable, draw_pairs, draw_rows
from algeval.io.journal import BY_SYSTEM, EVEN
from algeval.io.results import Pooled, Results
from algeval.io.sources import (
    clusters_on_items,
    is_single_table,
    read_labelled,
    read_results,
    saved_counts,
)
from algeval.progress import until
from algeval.rates.inputs import (
    UNJUDGED,
    UNKNOWN,
    CountedPairs,
    Floats,
    Gold,
    Ints,
    Pairs,
    Panel,
    Waves,
    as_votes,
    cells_of_pair,
    cluster_codes,
    either_setting,
    human_codes,
    inclusion_of,
    join_gold,
    join_systems,
    panel_of,
    read_both,
    read_gold,
    same_outputs,
)
from algeval.rates.intervals import bands
from algeval.rates.policy import (
    UNCERTAIN_GAIN,
    UNCERTAIN_GOLD,
    UNCERTAIN_MIX,
    UNCERTAIN_RIDGE,
)
from algeval.rates.sizes import labels_needed, rows_for_width
from algeval.result import Result, Status, Table, percent
from algeval.result.base import Record, with_reading
from algeval.result.numbers import how_many
from algeval.result.tables import free_name

# --- What is to be labelled next, and with what chance it was drawn.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NextItems(Result):
    """Items to label next.

    Attributes
    ----------
    status : Status
        Always ok: a plan that would not pay is replaced by an even one, and the message says so.
    items : tuple of str
        In the order of the votes; by goal "labels" the most doubtful first.
    inclusion : tuple of float or None
        The chance with which each was drawn, in this wave or in earlier even ones that it goes on; None
        by goal "labels", whose items are picked, not drawn.
    before : dict of str to tuple of str
        Items labelled before and their labels; of two systems "" for an output without one.
    before_inclusion : tuple of float or None
        By goal "difference", the joint chance of each of these: None where nobody stated one, so that it
        counts for its item alone.
    waves : dict of str to tuple
        By goal "rate", of each item labelled before or drawn now: its wave, the strategy of that wave, and
        its chance; None where nobody stated one.
    goal : "rate", "difference" or "labels"
    strategy : str
        What was done: "spread", "uncertain", "differing", or "doubt" by goal "labels".
    drawn : str or None
        What `rate` or `versus` is to be told of how labels were drawn; None by goal "labels".
    n_items : int
    n_eligible : int
        Items that could be drawn.
    share_differing : float or None
        By goal "difference": share of items whose outputs, or else verdicts, differ.
    predicted_gain : float or None
        Share of the variance that chances by the judges' doubt would save; None where not asked for.
    random : int
        Seed of the draw.
    systems : dict of str to int
        By goal "rate" of a table of several systems: how many items of each; empty where items were drawn of
        all together.
    outputs : dict of str to (str, str)
        By goal "difference" of one table with two systems: the ids of both outputs of each prompt drawn or
        labelled before; the file has a row for each.
    texts : dict of str to dict of str to str
        Words of the table to show, by column and by the id of an output; judges' reasons are left out.
    """

    schema: ClassVar[str] = "algeval.next-items/1"
    meaning: ClassVar[str] = (
        "Keep the chances beside the labels: without them no unbiased estimate can be made of these items."
    )

    items: tuple[str, ...]
    inclusion: tuple[float, ...] | None
    before: dict[str, tuple[str, ...]]
    before_inclusion: tuple[float | None, ...] = ()
    waves: dict[str, tuple[int, str, float | None]] = field(default_factory=dict)
    goal: str
    strategy: str
    drawn: str | None
    n_items: int
    n_eligible: int
    share_differing: float | None
    predicted_gain: float | None
    random: int
    systems: dict[str, int] = field(default_factory=dict)
    outputs: dict[str, tuple[str, str]] = field(default_factory=dict)
    texts: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)

    @property
    def chances(self) -> dict[str, float]:
        """The joint chance of each item drawn or labelled before: the `inclusion` of estimates.

        Where a wave looked at labels, it is one over the weight that averages the waves, at most 1.
        """
        if self.waves:
            numbers, hows, columns = zip(*self.waves.values(), strict=True)
            chances = np.array([1.0 if chance is None else chance for chance in columns])
            weights, _ = Waves(np.array(numbers), hows).weights(chances, self.n_items)
            joint = np.minimum(1 / np.maximum(weights, 1.0), 1.0)
            return dict(zip(self.waves, joint.tolist(), strict=True))
        drawn = zip(self.items, self.inclusion or (), strict=False)
        return {item: chance or 1.0 for item, chance in self._earlier.items()} | dict(drawn)

    @property
    def _earlier(self) -> dict[str, float | None]:
        """The chances of items labelled before, where there is one."""
        return dict.fromkeys(self.before) | dict(
            zip(self.before, self.before_inclusion, strict=False)
        )

    @property
    def ledger(self) -> list[dict[str, Any]]:
        """The rows of the file that `write` makes: every label so far, and an empty one per item drawn."""
        names, rows = self._sheet()
        return [dict(zip(names, row, strict=True)) for row in rows]

    def as_tables(self) -> tuple[Table, ...]:
        """Row per item: the columns of the file that `write` makes."""
        names, rows = self._sheet()
        return (Table.of_rows("Label next", names, rows),)

    def _sheet(self) -> tuple[list[str], list[list[Any]]]:
        names, rows = self._labels()
        taken = [*names]
        columns = {free_name(name, taken): by_item for name, by_item in self.texts.items()}
        more = [[by_item.get(row[0], "") for by_item in columns.values()] for row in rows]
        return [*names, *columns], [row + own for row, own in zip(rows, more, strict=True)]

    def _labels(self) -> tuple[list[str], list[list[Any]]]:
        """Names and rows of the sheet without texts."""
        if self.outputs:
            drawn = {*self.items}
            chances = self._earlier | dict(zip(self.items, self.inclusion or (), strict=False))
            said = dict.fromkeys(self.items, ("", "")) | self.before
            each: list[list[Any]] = [
                [item, chances[prompt], label]
                for prompt, own in sorted(said.items(), key=lambda entry: entry[0] in drawn)
                for item, label in zip(self.outputs[prompt], own, strict=True)
                if label or prompt in drawn
            ]
            return ["item", "inclusion", "truth"], each
        truths = ["truth_a", "truth_b"] if self.goal == "difference" else ["truth"]
        if self.inclusion is None:
            return ["item", *truths], [[item, ""] for item in self.items]
        if self.waves:
            lines = [
                (item, *wave, *self.before.get(item, ("",))) for item, wave in self.waves.items()
            ]
            return ["item", "wave", "strategy", "inclusion", "truth"], [list(row) for row in lines]
        earlier = self._earlier
        rows: list[list[Any]] = [
            [item, earlier[item], *lines] for item, lines in self.before.items()
        ]
        empty = [""] * len(truths)
        pairs = zip(self.items, self.inclusion, strict=True)
        return ["item", "inclusion", *truths], rows + [[i, chance, *empty] for i, chance in pairs]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a table to fill in: item, inclusion, and an empty column for the labels.

        Items labelled before come first, with their labels; by goal "rate" with wave and strategy too.
        Filled in, it is what `rate` and `versus` take as `human`, and the next `next`. A file in which
        anything would be lost is not replaced.
        """
        self.to_file(path)

    def summary(self) -> str:
        """Message, the items with their chances, and what to keep."""
        shown = list(self.items[:_SHOWN])
        if self.inclusion is not None:
            shown = [f"{i}  {p:.4g}" for i, p in zip(shown, self.inclusion, strict=False)]
        more = len(self.items) - _SHOWN
        rest = [f"  ... and {how_many(more, 'item')} more"] if more > 0 else []
        meaning = [] if self.inclusion is None else [self.meaning]
        return "\n".join([self.message, *(f"  {line}" for line in shown), *rest, *meaning])


_SHOWN = 20
"""Items listed in a summary."""


# --- Draws of so many items with chances that are known: fixed size, systematic, in a random order.
#
# Source: Madow (1949). Chances add up to the number drawn; an item is drawn where their running sum passes
# one of equally spaced marks with a random start.


DesignPlaces = Ints


def chances_for(weights: Floats, n: int, sizes: Ints | None = None) -> Floats:
    """Chances of inclusion in proportion to positive weights, at most 1 each, that add up to n.

    What is capped at 1 is redistributed over the others. `sizes`: how many items each weight is of, by
    default one.
    """
    size = np.ones(len(weights), np.int64) if sizes is None else sizes
    chances: Floats = np.minimum(n * weights / (weights @ size), 1.0)
    while (free := chances < 1).any() and n - chances @ size > 1e-9:
        left = n - size[~free].sum()
        chances[free] = np.minimum(left * weights[free] / (weights[free] @ size[free]), 1.0)
    return chances


def systematic(chances: Floats, order: DesignPlaces, rng: np.random.Generator) -> DesignPlaces:
    """Places drawn, increasing; each is drawn with its chance, and all chances add up to n.

    `chances`: (n_items,); `order`: (n_items,), neighbours in it are seldom drawn together.
    """
    n = round(float(chances.sum()))
    edges = np.concatenate([[0.0], np.cumsum(chances[order])])
    edges *= n / edges[-1]  # so that rounding neither adds nor drops an item
    marks = np.arange(n) + rng.random()
    drawn = np.searchsorted(edges, marks, side="right") - 1
    return np.sort(order[np.minimum(drawn, len(order) - 1)])


def spread_order(
    strata: DesignPlaces, clusters: DesignPlaces | None, rng: np.random.Generator
) -> DesignPlaces:
    """Order by strata, random inside; items of a cluster stand together in its mean stratum.

    Systematic draws along it give each stratum its share of the labels, and clusters no second label before
    nearly all have one.
    """
    shuffle = rng.permutation(len(strata))
    if clusters is None:
        return np.lexsort((shuffle, strata))
    sizes = np.maximum(np.bincount(clusters), 1)
    middle = np.bincount(clusters, strata) / sizes
    order = rng.permutation(len(sizes))
    return np.lexsort((shuffle, order[clusters], middle[clusters]))


# --- Chances that follow the judges' doubt, once labels have said what the doubt is worth.
#
# Uncalibrated, the judges' own doubt is the wrong guide: many of their errors lie where they agree, and
# labels there would be rare and weigh much.


def calibrated(shares: Floats, answered: Ints, rows: Ints, y: Floats) -> Floats:
    """Each item's chance to have the label: a logistic curve of the logit of the share.

    `shares`: (n_items,), NaN where nobody judged, which counts as one half; `answered`: (n_items,), how
    many judges each share is of; half a vote is added on both sides; `rows, y`: (n,), labelled items and
    their labels, 0 or 1.
    """
    from scipy.optimize import minimize

    passes = np.nan_to_num(shares * answered, nan=0.0)
    x = logit((passes + 0.5) / (answered + 1))
    sign = 2 * y - 1

    def loss(c: Floats) -> tuple[float, Floats]:
        z = sign * (c[0] + c[1] * x[rows])
        pull = -sign * expit(-z)
        value = -log_expit(z).sum() + UNCERTAIN_RIDGE / 2 * float(c @ c)
        return value, np.array([pull.sum(), pull @ x[rows]]) + UNCERTAIN_RIDGE * c

    slope = minimize(loss, np.zeros(2), jac=True, method="BFGS").x
    return np.asarray(expit(slope[0] + slope[1] * x))


def doubt_chances(p: Floats, n: int, sizes: Ints | None = None) -> Floats:
    """Chances half even, half in proportion to sqrt(p (1 - p)), that add up to n."""
    doubt = np.sqrt(p * (1 - p))
    size = np.ones(len(p), np.int64) if sizes is None else sizes
    even = UNCERTAIN_MIX / size.sum()
    return chances_for(even + (1 - UNCERTAIN_MIX) * doubt / (doubt @ size), n, size)


def gain_of(p: Floats, chances: Floats, sizes: Ints | None = None) -> float:
    """By how much the chances lower the variance that even ones would have, from 0 to 1."""
    size = np.ones(len(p), np.int64) if sizes is None else sizes
    variance = p * (1 - p) * size
    even = float(variance.sum()) * (size.sum() / (chances @ size) - 1)
    if even <= 0:
        return 0.0
    return float(1 - (variance * (1 / chances - 1)).sum() / even)


# --- What every goal is asked, and what is drawn of the items that have no label yet.


Before = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawing:
    """What every goal is asked: how many items, what is labelled, what belongs together."""

    n: int
    gold: Any
    cluster: Any
    label: object
    random: int

    def labels_of(self, votes: Votes) -> tuple[Gold | None, Before]:
        """Labels there are, and the same by item."""
        if self.gold is None:
            return None, {}
        gold = read_gold(self.gold, votes, self.label)
        truths = zip(gold.rows.tolist(), gold.truth.tolist(), strict=True)
        return gold, {votes.items[row]: (votes.labels[code],) for row, code in truths}

    def clusters_of(self, items: tuple[str, ...], rows: Ints) -> Ints | None:
        """Clusters of some of the items, numbered from 0 without gaps."""
        if self.cluster is None:
            return None
        codes = cluster_codes(self.cluster, items)[rows]
        return np.unique(codes, return_inverse=True)[1].astype(np.int64)

    def draw(
        self,
        items: Sequence[str],
        eligible: Ints,
        chances: Floats,
        spread: tuple[Ints, Ints | None],
        **fields: Any,
    ) -> NextItems:
        """What is drawn of the eligible items, with these chances.

        `spread`: the strata and the clusters of the eligible items; `fields`: further fields of the result.
        """
        rng = np.random.default_rng(self.random)
        drawn = systematic(chances, spread_order(*spread, rng), rng)
        return NextItems(
            status=Status.OK,
            items=tuple(items[row] for row in eligible[drawn].tolist()),
            inclusion=tuple(chances[drawn].tolist()),
            n_items=len(items),
            n_eligible=len(eligible),
            random=self.random,
            **fields,
        )

    def how_many_of(self, eligible: Ints) -> int:
        """How many are drawn of those left."""
        if not len(eligible):
            raise DataError(
                f"{parameter('items')} must be left to label; got none; every one that counts is labelled"
            )
        return min(self.n, len(eligible))


def not_labelled(n_items: int, labelled: Ints | None) -> Ints:
    """Places that are not labelled."""
    left = np.ones(n_items, bool)
    left[[] if labelled is None else labelled] = False
    return np.flatnonzero(left)


# --- Items to tell two systems apart by: where outputs differ, or more often where verdicts do.


def for_difference(
    votes: tuple[Votes, Votes], outputs: tuple[Any, Any], drawing: Drawing, *, even: bool = False
) -> NextItems:
    """Draw items among those whose outputs differ, or else of all, differing verdicts more often.

    even : whether all have the same chance, spread over the differences of verdicts.
    """
    pairs = join_systems(*votes, drawing.label)
    same = same_outputs(pairs, *outputs)
    apart = pairs.verdicts != 0 if same is None else ~same
    rows, own, before = _labelled(pairs, votes, drawing, apart)
    eligible = not_labelled(pairs.n_items, rows)
    if same is not None:
        eligible = eligible[~same[eligible]]
    n = drawing.how_many_of(eligible)
    share = float(apart.mean())
    message = _message(n, len(eligible), share, in_clusters=same is not None)
    if even:
        message = _message_of_prompts(n, len(eligible), share)
    alike = np.full(len(eligible), n / len(eligible))
    drawn = drawing.draw(
        pairs.items,
        eligible,
        alike if even else _chances(apart[eligible], n),
        _spread(pairs, votes[0], drawing, eligible),
        message=message + _of_earlier(own),
        before=before,
        goal="difference",
        strategy="spread" if even else "differing",
        drawn="differing" if same is not None and not own.any() else "unequal",
        share_differing=share,
        predicted_gain=None,
    )
    return _jointly(drawn, pairs, apart, (rows, own)) if before else drawn


def _jointly(
    drawn: NextItems,
    pairs: Pairs,
    apart: NDArray[np.bool_],
    earlier: tuple[Ints, NDArray[np.bool_]],
) -> NextItems:
    """What is drawn with the joint chance of all labels.

    No wave looks at labels, and each is even among items that are apart and among the others. So all its
    labels are one random draw of either kind, and their chance is the share of the kind that is labelled.
    Labels that count for their own items alone have none, and leave the others.
    """
    rows, own = earlier
    row_of = {item: row for row, item in enumerate(pairs.items)}
    every = np.concatenate([rows, [row_of[item] for item in drawn.items]]).astype(np.int64)
    alone = np.concatenate([own, np.zeros(len(drawn.items), bool)])
    kinds = apart.astype(np.int64)
    sizes = np.bincount(kinds, minlength=2) - np.bincount(kinds[every[alone]], minlength=2)
    counts = np.bincount(kinds[every[~alone]], minlength=2)
    chances = (counts / np.maximum(sizes, 1))[kinds[every]].tolist()
    before = zip(chances[: len(rows)], own.tolist(), strict=True)
    return replace(
        drawn,
        before_inclusion=tuple(None if alone else chance for chance, alone in before),
        inclusion=tuple(chances[len(rows) :]),
    )


def _labelled(
    pairs: Pairs,
    votes: tuple[Votes, Votes],
    drawing: Drawing,
    apart: NDArray[np.bool_],
) -> tuple[Ints, NDArray[np.bool_], Before]:
    """Items labelled for both, whether each counts for itself alone, and their labels."""
    if drawing.gold is None:
        return np.empty(0, np.int64), np.empty(0, bool), {}
    golds = read_both(drawing.gold, votes, drawing.label)
    labels = join_gold(pairs, *golds)
    rows = labels.rows
    chances = inclusion_of(None, golds, pairs, labels)
    own = np.ones(len(rows), bool) if chances is None else _own_alone(chances, apart, rows)
    return rows, own, _both_labels(pairs, votes, golds, rows)


def _own_alone(chances: Floats, apart: NDArray[np.bool_], rows: Ints) -> NDArray[np.bool_]:
    """Which labels count for their own items alone: those of chance 1, or all if a kind's vary."""
    own = np.zeros(len(rows), bool)
    for kind in (False, True):
        of_kind = apart[rows] == kind
        certain = of_kind & (chances == 1)
        if certain.sum() < (apart == kind).sum():
            own |= certain
        drawn = chances[of_kind & ~own]
        if len(drawn) and np.ptp(drawn) > 1e-6:
            return np.ones(len(rows), bool)
    return own


_NO_DRAW = "nothing says what chance they had, or the table has grown since they were drawn"


def _of_earlier(own: NDArray[np.bool_]) -> str:
    sentence = ""
    if (~own).any():
        sentence += f" {how_many(int((~own).sum()), 'earlier label')} count in full."
    if own.any():
        n = how_many(int(own.sum()), "earlier label")
        sentence += f" {n} count for their own items alone: {_NO_DRAW}."
    return sentence


def _chances(apart: NDArray[np.bool_], n: int, sizes: Ints | None = None) -> Floats:
    """Even chances, half of which go to where the two are apart if that is only some."""
    size = np.ones(len(apart), np.int64) if sizes is None else sizes
    even = np.full(len(apart), 1 / size.sum())
    if apart.all() or not apart.any():
        return n * even
    mixed = UNCERTAIN_MIX * even + (1 - UNCERTAIN_MIX) * apart / (apart @ size)
    return chances_for(mixed, n, size)


def _spread(
    pairs: Pairs, votes_a: Votes, drawing: Drawing, eligible: Ints
) -> tuple[Ints, Ints | None]:
    """Strata and the clusters of eligible items."""
    verdicts = pairs.verdicts[eligible].astype(np.int64)
    strata = np.where(verdicts == UNJUDGED, 3, verdicts + 1)
    return strata, drawing.clusters_of(votes_a.items, pairs.rows_a[eligible])


def _both_labels(
    pairs: Pairs, votes: tuple[Votes, Votes], golds: tuple[Gold, Gold], rows: Ints
) -> Before:
    parts = []
    for system, gold in zip(votes, golds, strict=True):
        pairs_of = zip(gold.rows.tolist(), gold.truth.tolist(), strict=True)
        parts.append({system.items[row]: (*system.labels, "")[code] for row, code in pairs_of})
    items = [pairs.items[row] for row in rows.tolist()]
    return {item: (parts[0][item], parts[1][item]) for item in items}


def _message(n: int, n_eligible: int, share: float, *, in_clusters: bool) -> str:
    if in_clusters:
        return (
            f"{how_many(n, 'item')} of {n_eligible} whose outputs differ ({percent(share)} of all): there "
            f"alone the systems can differ; pass the outputs and {option('drawn', 'differing')} to "
            "versus."
        )
    kept, rest = percent(UNCERTAIN_MIX, 0), percent(1 - UNCERTAIN_MIX, 0)
    return (
        f"{how_many(n, 'item')} of {n_eligible}: {rest} of the chance where the verdicts differ "
        f"({percent(share)} of the items), {kept} spread over all, since judges may err alike on both."
    )


def table_of_two(source: Any, human: Any) -> Results | None:
    """Results of one table with a column of two systems; None of another."""
    if not isinstance(source, Results) and not is_single_table(source):
        return None
    if not isinstance(source, Results):
        try:
            results = read_results(source, human=human)
        except DataError as error:
            if error.questions:
                raise
            return None
    else:
        own = human is None or source.has_people(human)
        results = source if own else source.with_people(human)
    if results.layout == "pairwise":
        raise DataError(
            f"{option('goal', 'difference')} draws outputs of two systems, labelled one by one; "
            f"{results.name} holds pairs, of which a label says which is better: leave "
            f"{option('goal')} out to draw pairs for people, whose picks leaderboard takes"
        )
    return results if len(results.by_system) == 2 else None


def for_two_systems(results: Results, drawing: Drawing) -> NextItems:
    """Draw prompts of a table with two systems, both outputs of which are to be labelled."""
    by_output = results.by_system
    parts = {name: part.by_prompt() for name, part in by_output.items()}
    a, b = (part.votes for part in parts.values())
    if set(a.items).isdisjoint(b.items):
        raise DataError(
            f"prompts must have one output of each system ({', '.join(parts)}) to draw both; got none such; "
            f"name the column that they share with {option('prompt')}, and the one that numbers several "
            f"outputs of a prompt with {option('trial')}"
        )
    both = results.said and all(part.n_labelled for part in parts.values())
    label = results.good if drawing.label is None else drawing.label
    drawing = replace(
        drawing,
        gold="key" if both else None,
        label=a.labels[-1] if label is None else label,
        cluster=clusters_on_items(drawing.cluster, results, a),
    )
    drawn = for_difference((a, b), (None, None), drawing, even=True)
    ids = [
        dict(zip(part.items, own.items, strict=True))
        for part, own in zip(parts.values(), by_output.values(), strict=True)
    ]
    key = results.votes.key is not None
    stated = key and read_gold("key", results.votes, drawing.label).inclusion is not None
    said = [part.human for part in parts.values()]
    drawn = _with_single_labels(drawn, said, 2 * len(a.items), stated=stated)
    outputs = {p: (ids[0].get(p, ""), ids[1].get(p, "")) for p in (*drawn.before, *drawn.items)}
    drawn = _with_texts(replace(drawn, outputs=outputs), results.votes)
    return with_reading(drawn, a, b)


def _with_single_labels(
    drawn: NextItems, human: Sequence[Mapping[str, str | None]], n_outputs: int, *, stated: bool
) -> NextItems:
    """What is drawn beside labels of outputs whose other one has none: all are one random draw of outputs.

    They are left out where some labels count for their own items alone, as those without a chance do.
    """
    prompts = dict.fromkeys(p for said in human for p, label in said.items() if label is not None)
    labels = {p: tuple(said.get(p) or "" for said in human) for p in prompts}
    if not stated or all(map(all, labels.values())) or None in drawn.before_inclusion:
        return drawn
    new = sum(2 - sum(map(bool, labels.get(p, ()))) for p in drawn.items)
    chance = min(1.0, (sum(bool(x) for both in labels.values() for x in both) + new) / n_outputs)
    n = how_many(sum(not all(both) for both in labels.values()), "label")
    return replace(
        drawn,
        message=f"{drawn.message} {n} of one output of a prompt count, too: {new} more are to be written.",
        before=labels,
        before_inclusion=(chance,) * len(labels),
        inclusion=(chance,) * len(drawn.items),
    )


def _message_of_prompts(n: int, n_eligible: int, share: float) -> str:
    spread = f", spread over the differences of verdicts ({percent(share)} differ)" if share else ""
    return (
        f"{how_many(n, 'prompt')} of {n_eligible}{spread}; each had the same chance. Label both outputs of "
        "each."
    )


def _with_texts(drawn: NextItems, votes: Votes) -> NextItems:
    """What is drawn with the words to show of each output in its file, of the columns that are no reasons."""
    wanted = {item for pair in drawn.outputs.values() for item in pair}
    wanted = wanted or {*drawn.waves, *drawn.before, *drawn.items}
    rows = [(item, row) for row, item in enumerate(votes.items) if item in wanted]
    texts = {
        column.name: {item: column.cells[row] or "" for item, row in rows}
        for column in votes.texts
        if not column.reasons
    }
    return replace(drawn, texts=texts)


# --- Items to estimate the rate of a label from.


def for_rate(votes: Votes, drawing: Drawing, *, uncertain: bool) -> NextItems:
    """Draw items evenly, or by calibrated doubt where that pays."""
    panel = panel_of(votes, drawing.label)
    gold, before = drawing.labels_of(votes)
    waves = None if gold is None else waves_of(gold)
    eligible = not_labelled(votes.n_items, None if gold is None else gold.rows)
    n = drawing.how_many_of(eligible)
    chances, gain = np.full(len(eligible), n / len(eligible)), None
    if uncertain:
        votes.need_judges()
        doubtful, gain = _by_doubt(_calibrated(panel, gold)[eligible], n)
        chances = doubtful if gain >= UNCERTAIN_GAIN else chances
    clusters = drawing.clusters_of(votes.items, eligible)
    even = bool(np.ptp(chances) < 1e-12)
    strategy = "spread" if even else "uncertain"
    drawn = drawing.draw(
        votes.items,
        eligible,
        chances,
        (bands(panel.share[eligible]), clusters),
        message=_message_of_for_rate(
            n, len(eligible), even, gain, clusters, judged=not panel.is_empty
        )
        + _of_earlier(np.array([how == UNKNOWN for how in waves.strategy] if waves else (), bool)),
        before=before,
        goal="rate",
        strategy=strategy,
        drawn="unequal",
        share_differing=None,
        predicted_gain=gain,
    )
    return _with_ledger(drawn, gold, waves)


def waves_of(gold: Gold) -> Waves:
    """Waves of labels; a table of chances alone is one draw, but for what has none, or a chance of 1."""
    if gold.waves is not None:
        return gold.waves
    chances = np.ones(len(gold)) if gold.inclusion is None else gold.inclusion
    certain = chances == 1
    drawn = "unequal" if certain.any() or np.ptp(chances) else "random"
    number = np.where(certain, 1, 2) if certain.any() else np.ones(len(gold), np.int64)
    return Waves(number, tuple(UNKNOWN if own else drawn for own in certain.tolist()))


def _with_ledger(drawn: NextItems, gold: Gold | None, waves: Waves | None) -> NextItems:
    """What is drawn with the waves of all labels; even waves in a row have one joint chance."""
    items, hows, numbers = list(drawn.before), [], []
    chances = np.full(len(items), 1.0)
    if gold is not None and waves is not None:
        hows, numbers = list(waves.strategy), waves.number.tolist()
        chances = chances if gold.inclusion is None else gold.inclusion.copy()
    number = max(numbers, default=0) + 1
    every = Waves(
        np.array([*numbers, *[number] * len(drawn.items)], np.int64),
        (*hows, *[drawn.strategy] * len(drawn.items)),
    )
    chances = np.concatenate([chances, drawn.inclusion or ()])
    left = drawn.n_items
    for rows, how in every.blocks():
        if how == "random":
            chances[rows] = len(rows) / left
        left -= len(rows)
    items += drawn.items
    columns = zip(items, every.number.tolist(), every.strategy, chances.tolist(), strict=True)
    return replace(
        drawn,
        inclusion=tuple(chances[len(drawn.before) :].tolist()),
        waves={item: (k, how, None if how == UNKNOWN else p) for item, k, how, p in columns},
        drawn="random" if len(every.blocks()) == 1 and drawn.strategy in EVEN else "unequal",
    )


def _by_doubt(p: Floats, n: int, sizes: Ints | None = None) -> tuple[Floats, float]:
    """Chances by calibrated doubt and the share of the variance they save."""
    chances = doubt_chances(p, n, sizes)
    return chances, gain_of(p, chances, sizes)


def _calibrated(panel: Panel, gold: Gold | None) -> Floats:
    n = 0 if gold is None else len(gold)
    if gold is None or n < UNCERTAIN_GOLD:
        raise DataError(
            f"{option('strategy', 'uncertain')} needs at least {UNCERTAIN_GOLD} labels to "
            "calibrate the judges' doubt; "
            f"got {n}; take {option('strategy', 'spread')} first, and pass its labels as {option('human')}"
        )
    return calibrated(panel.share, panel.answered, gold.rows, gold.values)


def _message_of_for_rate(
    n: int,
    n_eligible: int,
    even: bool,
    gain: float | None,
    clusters: Ints | None,
    *,
    judged: bool = True,
) -> str:
    over = ["the bands of the judges' shares"] if judged else []
    if clusters is not None:
        over.insert(0, how_many(int(clusters.max()) + 1, "cluster"))
    sentence = f"{how_many(n, 'item')} of {n_eligible}, "
    sentence += f"spread over {' and '.join(over)}" if over else "drawn at random"
    if gain is None:
        return f"{sentence}; each had the same chance."
    saved = (
        f"chances by calibrated doubt would save about {percent(max(gain, 0), 0)} of the variance"
    )
    if even:
        return f"{sentence}; {saved}, too little to be worth it, so each had the same chance."
    kept = percent(UNCERTAIN_MIX, 0)
    mixed = percent(1 - UNCERTAIN_MIX, 0)
    return f"{sentence}; {saved}, so they were taken for {mixed}, even ones for {kept}."


# --- The same of a table of several systems, each of which has a rate of its own.

_FEWEST_FOR_RHO = 30  # labels from which the judges' help is counted
_NARROWEST, _WIDEST = 1e-4, 0.5  # half-widths among which that of all systems is sought


def share_of_good(results: Results) -> float:
    """Share of the good label among the verdicts, or of people where no judge votes; away from 0 and 1."""
    alone = not _votes_in(results)
    if results.good is None or (alone and (results.scored or not results.n_labelled)):
        return 0.8
    votes = results.votes
    if results.good not in votes.answers:
        return 0.8
    codes = votes.key if alone and votes.key is not None else votes.codes
    answered = codes != NOT_ANSWERED
    share = (codes == votes.answers.index(results.good)).sum() / max(1, answered.sum())
    return float(np.clip(share, 0.1, 0.9))


def _votes_in(results: Results) -> bool:
    return bool(results.judged if results.options.cut is None else results.voting)


def _rho2(results: Results) -> float:
    """Squared correlation of the best judge with people, 0 while there are few labels."""
    few = sum(label is not None for label in results.human.values()) < _FEWEST_FOR_RHO
    if few or results.good is None or not _votes_in(results):
        return 0.0
    votes = results.votes
    if votes.key is None or results.good not in votes.answers:
        return 0.0
    code, best = votes.answers.index(results.good), 0.0
    for verdicts in votes.codes.T:
        rows = (votes.key != NOT_ANSWERED) & (verdicts != NOT_ANSWERED)
        x, y = verdicts[rows] == code, votes.key[rows] == code
        if rows.sum() >= _FEWEST_FOR_RHO and x.min() < x.max() and y.min() < y.max():
            best = max(best, float(np.corrcoef(x, y)[0, 1]) ** 2)
    return best


def labels_for_rate(results: Results, half_width: float) -> int:
    """Random labels that tell the rate of all outputs to within a half-width."""
    return _Needs.of(results).labels(half_width)


@dataclass(frozen=True, slots=True)
class _Needs:
    """What decides how many labels a rate takes."""

    share: float
    rho2: float
    n_items: int
    n_labelled: int

    @classmethod
    def of(cls, results: Results) -> _Needs:
        labelled = sum(label is not None for label in results.human.values())
        return cls(share_of_good(results), _rho2(results), len(results.items), labelled)

    def labels(self, half_width: float) -> int:
        """Random labels that tell the rate to within a half-width."""
        alone = rows_for_width(self.share, half_width, exact=True)
        n = labels_needed(alone, self.rho2, self.n_items, population=False)
        return self.n_items if n is None else min(n, self.n_items)

    def more(self, half_width: float) -> int:
        """Labels that are missing for it."""
        return max(0, self.labels(half_width) - self.n_labelled)


def shares_of_systems(
    systems: Mapping[str, Results], left: Mapping[str, int], n: int, random: int
) -> dict[str, int]:
    """How many of n labels each system gets, of what is left: as many as bring all rates to one half-width.

    That half-width is found by halving, so that what it takes is at most n. What is over, all of n where even
    the widest takes more, goes one by one to a system with the fewest labels, of equal ones as chance has it.
    """
    needs = {name: _Needs.of(part) for name, part in systems.items()}
    low, high, got = _NARROWEST, _WIDEST, dict.fromkeys(systems, 0)
    width = _WIDEST
    for _ in range(25):
        takes = {name: min(need.more(width), left[name]) for name, need in needs.items()}
        if sum(takes.values()) > n:
            low = width
        else:
            high, got = width, takes
        width = (low * high) ** 0.5
    order = np.random.default_rng(random).permutation([*systems]).tolist()
    for _ in range(n - sum(got.values())):
        free = [name for name in order if got[name] < left[name]]
        got[min(free, key=lambda name: needs[name].n_labelled + got[name])] += 1
    return got


def table_of_systems(source: Any, human: Any, votes: Votes) -> Results | None:
    """Results of a table with outputs of several systems; None of another."""
    if isinstance(source, Results):
        results = source
    elif any(isinstance(note, Pooled) for note in votes.notes) and is_single_table(source):
        results = read_results(source)
    else:
        return None
    if human is not None and not results.has_people(human):
        results = results.with_people(human)
    return results if results.pooled and len(results.by_system) > 1 else None


def for_rates(results: Results | None, drawing: Drawing) -> NextItems | None:
    """Draw items of each system evenly, so many that all rates get one precision.

    Earlier labels without a chance count for their own items alone; None where earlier waves were neither
    these nor even, and what is drawn beside them is drawn of all outputs together. In the file all others
    are one draw, with the chance of their system.
    """
    if results is None:
        return None
    parts = results.by_system
    label = drawing.label or results.good or results.votes.labels[-1]
    golds = {
        name: read_gold("key", part.votes, label) for name, part in parts.items() if part.n_labelled
    }
    hows = {name: waves_of(gold).strategy for name, gold in golds.items()}
    if {how for own in hows.values() for how in own} - {*EVEN, BY_SYSTEM, UNKNOWN}:
        return None
    left = {name: len(p.items) - len(hows.get(name, ())) for name, p in parts.items()}
    n = drawing.how_many_of(np.arange(sum(left.values())))
    got = shares_of_systems(parts, left, n, drawing.random)
    chances: dict[str, float] = {}
    before: Before = {}
    alone: set[str] = set()
    drawn: list[str] = []
    for k, (name, part) in enumerate(parts.items()):
        key = "key" if name in golds else None
        own = replace(drawing, n=got[name], label=label, gold=key, random=drawing.random + k)
        before |= own.labels_of(part.votes)[1]
        items = for_rate(part.votes, own, uncertain=False).items if got[name] else ()
        drawn += items
        rows = zip(golds[name].rows.tolist(), hows[name], strict=True) if key else ()
        unknown = {part.votes.items[row] for row, how in rows if how == UNKNOWN}
        alone |= unknown
        size = len(part.items) - len(unknown)
        chances[name] = (size - left[name] + got[name]) / max(size, 1)
    system = dict(zip(results.items, results.system_of, strict=True))
    row = {item: k for k, item in enumerate(results.items)}
    ordered = [*before, *sorted(drawn, key=row.__getitem__)]
    made = NextItems(
        status=Status.OK,
        message=_message_of_systems(got, sum(left.values()))
        + _of_earlier(np.array([item in alone for item in before], bool)),
        items=tuple(ordered[len(before) :]),
        inclusion=tuple(chances[system[item] or ""] for item in ordered[len(before) :]),
        before=before,
        waves={
            item: (1, UNKNOWN, None)
            if item in alone
            else (1 + bool(alone), BY_SYSTEM, chances[system[item] or ""])
            for item in ordered
        },
        goal="rate",
        strategy="spread",
        drawn="unequal",
        n_items=len(results.items),
        n_eligible=sum(left.values()),
        share_differing=None,
        predicted_gain=None,
        random=drawing.random,
        systems=got,
    )
    votes = results.votes
    apart = replace(votes, notes=tuple(n for n in votes.notes if not isinstance(n, Pooled)))
    return with_reading(_with_texts(made, votes), apart)


def _message_of_systems(got: Mapping[str, int], n_eligible: int) -> str:
    listed = [f"{n} of {name}" for name, n in got.items()]
    if len(listed) > _MOST_SYSTEMS:
        more = sum([*got.values()][_MOST_SYSTEMS:])
        listed = [*listed[:_MOST_SYSTEMS], f"{more} of {len(got) - _MOST_SYSTEMS} more systems"]
    words = f"{', '.join(listed[:-1])} and {listed[-1]}"
    return (
        f"{how_many(sum(got.values()), 'item')} of {n_eligible}: {words}, so that intervals of the "
        "rates come out as alike as so many labels allow; outputs of a system had the same chance."
    )


_MOST_SYSTEMS = 6  # that are named in a sentence


# --- Items whose consensus label people would improve most.


def for_labels(votes: Votes, drawing: Drawing) -> NextItems:
    """Pick the items whose consensus label is the most doubtful, ties in a random order."""
    gold, before = drawing.labels_of(votes)
    eligible = not_labelled(votes.n_items, None if gold is None else gold.rows)
    n = drawing.how_many_of(eligible)
    shuffled = np.random.default_rng(drawing.random).permutation(eligible)
    picked = shuffled[np.argsort(-_doubt(votes)[shuffled], kind="stable")[:n]]
    return NextItems(
        status=Status.OK,
        message=_message_of_labels(n, len(eligible)),
        items=tuple(votes.items[row] for row in picked.tolist()),
        inclusion=None,
        before=before,
        goal="labels",
        strategy="doubt",
        drawn=None,
        n_items=votes.n_items,
        n_eligible=len(eligible),
        share_differing=None,
        predicted_gain=None,
        random=drawing.random,
    )


def _message_of_labels(n: int, n_eligible: int) -> str:
    return (
        f"The {how_many(n, 'item')} of {n_eligible} whose consensus label is the most doubtful. They were "
        "picked, not drawn: no interval of a rate may be made of their labels."
    )


def _doubt(votes: Votes) -> Floats:
    """Entropy of each item's posterior."""
    with until(inf):
        fit = aggregate(votes.without_key(), "recommended")
    return np.asarray(entr(fit.posterior).sum(axis=1)[fit.item_pattern])


# --- The same from counts: decision tuples, and how many items of each; the engine draws the rows.


@dataclass(frozen=True, slots=True, eq=False)
class DrawnTuple(Record):
    """How many of the items with a decision tuple are to be labelled, or were.

    Attributes
    ----------
    answers : tuple of str or None
    n_drawn, n_items : int
        So many of so many; of labelled ones all.
    inclusion : float or None
        The chance of each of these items, drawn or not; None by goal "labels", and of those labelled
        before, as counts know nothing of theirs.
    label : str or None
        What people said; None of items to label.
    other_answers : tuple of str or None, or None
        By goal "difference": the votes on the second system's output of the prompt.
    other_label : str or None
    """

    answers: tuple[str | None, ...]
    n_drawn: int
    n_items: int
    inclusion: float | None
    label: str | None = None
    other_answers: tuple[str | None, ...] | None = None
    other_label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NextTuples(Result):
    """Decision tuples of which items are to be labelled next, and how many of each.

    Attributes
    ----------
    status : Status
        Always ok.
    judges, answers : tuple of str
    human : str or None
        The column of labels that rows with a label have.
    tuples : tuple of DrawnTuple
        Those of which items are drawn; by goal "labels" the most doubtful first.
    before : tuple of DrawnTuple
        By answers and label, the items labelled before.
    waves : tuple of (int, str)
        Number and strategy of the wave of earlier labels, if there are any, and of this one.
    goal : "rate", "difference" or "labels"
    strategy : "spread", "uncertain", "differing" or "doubt"
    n_items, n_eligible : int
        Of the table, and those that could be drawn; by goal "difference" prompts.
    predicted_gain : float or None
        As of `NextItems`.
    random : int
        Seed of the draw.
    systems : tuple of str
        By goal "difference": the two whose outputs are to be labelled.
    system : str or None
        Their column.
    """

    schema: ClassVar[str] = "algeval.next-tuples/1"
    meaning: ClassVar[str] = (
        "Draw so many rows of each tuple at random, as `draw` does, and keep the chances beside the labels."
    )

    judges: tuple[str, ...]
    answers: tuple[str, ...]
    human: str | None
    tuples: tuple[DrawnTuple, ...]
    before: tuple[DrawnTuple, ...]
    waves: tuple[tuple[int, str], ...]
    goal: str
    strategy: str
    n_items: int
    n_eligible: int
    predicted_gain: float | None
    random: int
    systems: tuple[str, ...] = ()
    system: str | None = None

    def as_tables(self) -> tuple[Table, ...]:
        """Row per tuple: its answers, how many of how many items, wave, strategy and chance."""
        judges = self.judges
        if self.systems:
            judges = tuple(f"{judge} of {name}" for name in self.systems for judge in self.judges)
        names = [f"label of {name}" for name in self.systems] or ["label"]
        names += ["n", "of", *([] if self.systems else ["wave", "strategy"]), "inclusion"]
        rows: list[tuple[Any, ...]] = []
        for part, wave in zip((self.before, self.tuples), self._both_waves, strict=True):
            for t in part:
                how = () if self.systems else wave
                labels = (t.label, t.other_label) if self.systems else (t.label,)
                votes = (*t.answers, *(t.other_answers or ()))
                rows.append((*votes, *labels, t.n_drawn, t.n_items, *how, t.inclusion))
        own = [free_name(name, judges) for name in names]
        return (Table.of_rows("Label next", (*judges, *own), rows),)

    @property
    def _both_waves(self) -> tuple[tuple[int, str], tuple[int, str]]:
        """Wave of earlier labels, whatever it is where there are none, and of this draw."""
        return (self.waves or ((1, UNKNOWN),))[0], (self.waves or ((1, self.strategy),))[-1]

    def summary(self) -> str:
        """Message, how many rows of which tuples, and how to draw them."""
        lines = []
        for t in self.tuples[:_SHOWN]:
            votes = self._votes(t.answers)
            if t.other_answers is not None:
                a, b = self.systems
                votes = f"{a}: {votes}; {b}: {self._votes(t.other_answers)}"
            chance = "" if t.inclusion is None else f"  {t.inclusion:.4g}"
            lines.append(f"  {t.n_drawn} of {t.n_items}{chance}  {votes}")
        more = len(self.tuples) - _SHOWN
        rest = [f"  ... and {how_many(more, 'tuple')} more"] if more > 0 else []
        return "\n".join([self.message, *lines, *rest, self.meaning])

    def _votes(self, answers: tuple[str | None, ...]) -> str:
        named = zip(self.judges, answers, strict=True)
        return ", ".join(f"{judge} {'-' if said is None else said}" for judge, said in named)

    def draw(self, source: Any, *, prompt: str | None = None, **reading: Any) -> Any:
        """Rows to label and those labelled before, drawn in the engine that holds the table.

        They have columns `wave`, `strategy` and `inclusion` beside their own, so that the table, once the
        column of labels is filled in, is what `rate` takes as `human=`. A relation of DuckDB and a lazy frame
        stay lazy. The same seed draws the same rows of a table whose rows keep their order (in Dask and Spark
        their partitions, too); of others write them down once drawn.

        Parameters
        ----------
        source : frame of pandas, Polars, PyArrow, Dask, Ibis or PySpark, or DuckDB relation
            The table that was counted.
        prompt : name of a column
            By goal "difference": that of the prompts, of which both outputs are drawn; their chance stands in
            `inclusion` alone, as `versus` takes it.
        reading
            Options of `read_votes` that say what cells mean (missing, labels, exact_labels, map, cut).

        Raises
        ------
        DataError
            If a column is not there or of a name to add, or the table holds fewer rows of a tuple than
            were counted.

        Examples
        --------
        >>> import pandas
        >>> from algeval.io import count
        >>> frame = pandas.DataFrame({"i": ["a", "b"] * 9, "j": ["a", "a", "b"] * 6})
        >>> next(count(frame, judges=["i", "j"]), 4).draw(frame).shape
        (4, 5)
        """
        if (prompt is None) == bool(self.systems):
            raise DataError(
                f"{parameter('prompt')} must name the column of prompts by {option('goal', 'difference')}, "
                f"and be left out elsewhere; got {prompt!r} by {option('goal', self.goal)}; change one"
            )
        if prompt is not None:
            return self._draw_pairs(source, prompt, rules_of("draw", reading))
        beside = [] if self.human is None else [self.human]
        listed = [*((t, True) for t in self.before), *((t, False) for t in self.tuples)]
        code_of = self._code_of
        codes = [
            [*(code_of[a] for a in t.answers), *([code_of[t.label]] if beside else [])]
            for t, _ in listed
        ]
        columns: dict[str, list[str | None] | Floats] = {}
        if self.waves:
            waves = [self._both_waves[0 if labelled else 1] for _, labelled in listed]
            columns = {
                "wave": np.array([float(number) for number, _ in waves]),
                "strategy": [how for _, how in waves],
                "inclusion": np.array([t.inclusion for t, _ in listed], np.float64),
            }
        names = (*self.judges, *beside)
        table = TupleTable(
            names, self.answers, np.array(codes, np.int16).reshape(-1, len(names)), columns
        )
        wanted = np.array([(t.n_drawn, t.n_items) for t, _ in listed], np.int64).reshape(-1, 2)
        return draw_rows(source, table, wanted, self.random, rules_of("draw", reading))

    @property
    def _code_of(self) -> dict[str | None, int]:
        return {None: NOT_ANSWERED} | {answer: code for code, answer in enumerate(self.answers)}

    def _draw_pairs(self, source: Any, prompt: str, rules: Rules) -> Any:
        """Both outputs of so many prompts of each pair of tuples, and of those labelled before."""
        said = [None] if self.human is None else [None, *self.answers]
        positions: dict[
            tuple[str | None, ...], int
        ] = {}  # of a tuple, and of what people said if that was counted
        groups: dict[tuple[int, int], int] = {}
        listed = (*self.before, *self.tuples)
        for k, t in enumerate(listed):
            done = k < len(self.before)
            labels = [(t.label, t.other_label)] if done else [(a, b) for a in said for b in said]
            for a, b in labels:
                if done or None in (a, b):  # a prompt labelled for one system alone is drawn, too
                    own = (*t.answers, a), (*(t.other_answers or ()), b)
                    first, second = (positions.setdefault(cell, len(positions)) for cell in own)
                    groups[first, second] = k
        beside = [] if self.human is None else [self.human]
        codes = [[self._code_of[a] for a in (cell if beside else cell[:-1])] for cell in positions]
        names = (*self.judges, *beside)
        table = TupleTable(
            names, self.answers, np.array(codes, np.int16).reshape(-1, len(names)), {}
        )
        wanted = np.array([(t.n_drawn, t.n_items) for t in listed], np.int64).reshape(-1, 2)
        chances = np.array([t.inclusion for t in listed], np.float64)
        pairs = PairsOfTuples(
            prompt, self.system or "", self.systems, len(positions), groups, {"inclusion": chances}
        )
        return draw_pairs(source, table, pairs, wanted, self.random, rules)


def tuples_of_counts(counts: Sketch, drawing: Drawing, goal: str, *, uncertain: bool) -> NextTuples:
    """Decision tuples to label: of each stratum as many as of the rows, of a tuple of it at random."""
    panel = panel_of(counts, drawing.label)
    gold, codes, sizes, first = None, counts.codes, counts.counts, 0
    if isinstance(counts, LabelledSketch):
        gold = read_gold("key", counts.some, drawing.label)
        (codes, sizes), first = counts.others, counts.some.n_items
    if not len(sizes):
        drawing.how_many_of(np.empty(0, np.int64))
    n = min(drawing.n, int(sizes.sum()))
    rng = np.random.default_rng(drawing.random)
    chances, gain = np.full(len(sizes), n / sizes.sum()), None
    if goal == "labels":
        numbers = _of_doubtful(counts, codes, sizes, n, rng)
        message, strategy = _message_of_labels(n, int(sizes.sum())), "doubt"
    else:
        if uncertain:
            doubtful, gain = _by_doubt(_calibrated(panel, gold)[first:], n, sizes)
            chances = doubtful if gain >= UNCERTAIN_GAIN else chances
        strategy = "spread" if np.ptp(chances) < 1e-12 else "uncertain"
        numbers = _of_strata(bands(panel.share[first:], sizes), chances, sizes, n, rng)
        even = strategy == "spread"
        message = _message_of_for_rate(n, int(sizes.sum()), even, gain, None)
        message += _of_earlier(np.ones(first, bool))
    return _plan_of(counts, (codes, sizes, chances, numbers), drawing, goal, strategy)(
        message=message, predicted_gain=gain
    )


def _of_strata(
    strata: Ints, chances: Floats, sizes: Ints, n: int, rng: np.random.Generator
) -> Ints:
    """How many items of each tuple are drawn, as along a random order of the items of each stratum.

    Items of one stratum and one chance need no order; where chances differ in a stratum of more than a
    million items, those of one chance stand together.
    """
    group = np.unique(np.column_stack([strata, chances]), axis=0, return_inverse=True)[1].ravel()
    total = np.bincount(group, sizes)
    stratum, chance = (np.zeros(len(total)), np.zeros(len(total)))
    stratum[group], chance[group] = strata, chances
    order, lengths = [], []
    for k in np.unique(stratum).tolist():
        own = rng.permutation(np.flatnonzero(stratum == k))
        items = int(total[own].sum())
        mixed = len(own) > 1 and items <= _MOST_SHUFFLED
        order.append(rng.permutation(np.repeat(own, total[own].astype(np.int64))) if mixed else own)
        lengths.append(chance[order[-1]] if mixed else (total * chance)[own])
    groups, edges = np.concatenate(order), np.cumsum(np.concatenate(lengths))
    marks = np.arange(n) + rng.random()
    hit = np.searchsorted(edges * (n / edges[-1]), marks, side="right")
    drawn = np.zeros(len(total), np.int64)
    np.add.at(drawn, groups[np.minimum(hit, len(groups) - 1)], 1)
    numbers = np.zeros(len(sizes), np.int64)
    for k in np.flatnonzero(drawn).tolist():
        own = np.flatnonzero(group == k)
        numbers[own] = _hypergeometric(sizes[own], int(drawn[k]), rng)
    return numbers


_MOST_SHUFFLED = 1_000_000


def _hypergeometric(sizes: Ints, n: int, rng: np.random.Generator) -> Ints:
    """How many of n items drawn at random are of each kind."""
    numbers, left = np.zeros(len(sizes), np.int64), int(sizes.sum())
    order = np.argsort(-sizes, kind="stable")
    for k in order.tolist():
        left -= int(sizes[k])
        if n == 0:
            break
        numbers[k] = _draw_of(int(sizes[k]), left, n, rng)
        n -= int(numbers[k])
    return numbers


def _draw_of(good: int, bad: int, n: int, rng: np.random.Generator) -> int:
    """Hypergeometric number, beyond a thousand million too, where NumPy has none."""
    if good + bad < 10**9:
        return int(rng.hypergeometric(good, bad, n))
    drawn = 0
    for k in range(n):
        drawn += int(rng.integers(good + bad - k) < good - drawn)
    return drawn


def _of_doubtful(
    counts: Sketch, codes: Codes, sizes: Ints, n: int, rng: np.random.Generator
) -> Ints:
    """How many items of each tuple are picked, the most doubtful first, of equal ones at random."""
    with until(inf):
        fit = aggregate(Sketch(*counts.axes, counts.codes, counts.counts), "recommended")
    entropy = entr(fit.posterior).sum(axis=1)
    both = np.concatenate([fit.patterns.astype(np.int16), codes])
    row = group_rows(both, counts.n_answers)[1]
    of_row = np.zeros(int(row.max()) + 1)
    of_row[row[: len(fit.patterns)]] = entropy
    rank = np.unique(-of_row[row[len(fit.patterns) :]], return_inverse=True)[1]
    numbers = np.zeros(len(sizes), np.int64)
    for level in range(int(rank.max()) + 1):
        own = np.flatnonzero(rank == level)
        numbers[own] = _hypergeometric(sizes[own], min(n, int(sizes[own].sum())), rng)
        n -= int(numbers[own].sum())
        if not n:
            break
    return numbers


def _plan_of(
    counts: Sketch,
    drawn: tuple[Codes, Ints, Floats, Ints],
    drawing: Drawing,
    goal: str,
    strategy: str,
) -> Callable[..., NextTuples]:
    """Plan without its message: earlier labels, of whose chances counts know nothing, are a wave apart."""
    codes, sizes, chances, numbers = drawn
    picked = goal == "labels"
    names: list[str | None] = [*counts.answers, None]
    before: list[DrawnTuple] = []
    if isinstance(counts, LabelledSketch) and counts.some.key is not None:
        keyed = np.column_stack([counts.some.codes, counts.some.key])
        distinct, times = np.unique(keyed, axis=0, return_counts=True)
        for row, count in zip(distinct.tolist(), times.tolist(), strict=True):
            own = tuple(names[code] for code in row[:-1])
            before.append(DrawnTuple(own, count, count, None, names[row[-1]]))
    order = np.flatnonzero(numbers)
    tuples = tuple(
        DrawnTuple(
            tuple(names[code] for code in codes[k].tolist()),
            int(numbers[k]),
            int(sizes[k]),
            None if picked else float(chances[k]),
        )
        for k in order.tolist()
    )
    listed = () if picked else ((1, UNKNOWN), (2, strategy)) if before else ((1, strategy),)
    return partial(
        NextTuples,
        status=Status.OK,
        judges=counts.judges,
        answers=counts.answers,
        human=drawing.gold,
        tuples=tuples,
        before=tuple(before),
        waves=listed,
        goal=goal,
        strategy=strategy,
        n_items=counts.n_items,
        n_eligible=int(sizes.sum()),
        random=drawing.random,
    )


def pairs_of_counts(counts: Sketch, drawing: Drawing) -> NextTuples:
    """Pairs of decision tuples that two systems' outputs have, and how many prompts of each to label."""
    counts, (pairs, cells, first) = _pairs_of_two(counts, drawing.label)
    kinds = np.column_stack([counts.tuples[cells], pairs.verdicts])  # verdicts are those of tuples
    left, row = np.unique(kinds[first:], axis=0, return_inverse=True)
    sizes = np.bincount(row.ravel(), pairs.each[first:], len(left)).astype(np.int64)
    if not len(left):
        drawing.how_many_of(np.empty(0, np.int64))
    n, apart = min(drawing.n, int(sizes.sum())), left[:, 2] != 0
    strata = np.where(left[:, 2] == UNJUDGED, 3, left[:, 2] + 1)
    chances = _chances(apart, n, sizes)
    numbers = _of_strata(strata, chances, sizes, n, np.random.default_rng(drawing.random))
    if first:  # as of rows, what is drawn of either kind is one random draw of those left
        every = np.bincount(left[:, 2] != 0, sizes, 2)
        chances = (np.bincount(apart, numbers, 2) / np.maximum(every, 1))[apart.astype(np.int64)]
    share = pairs.total(pairs.verdicts != 0) / pairs.n_items
    done = np.column_stack([kinds[:first], human_codes(counts)[cells[:first]]])
    to_label = zip(left.tolist(), numbers.tolist(), sizes.tolist(), chances.tolist(), strict=True)
    texts = [_texts(counts, codes) for codes in counts.codes.tolist()]
    return NextTuples(
        status=Status.OK,
        message=_message(n, int(sizes.sum()), share, in_clusters=False)
        + _of_earlier(np.ones(first, bool)),
        judges=counts.judges,
        answers=counts.answers,
        human=counts.split("human").name if counts.has("human") else None,
        tuples=tuple(
            DrawnTuple(texts[x], m, size, chance, other_answers=texts[y])
            for (x, y, _), m, size, chance in to_label
            if m
        ),
        before=_labelled_before(counts, texts, done),
        waves=(),
        goal="difference",
        strategy="differing",
        n_items=pairs.n_items,
        n_eligible=int(sizes.sum()),
        predicted_gain=None,
        random=drawing.random,
        systems=counts.systems,
        system=counts.split("system").name,
    )


def _pairs_of_two(counts: Sketch, label: object) -> tuple[GroupedSketch, CountedPairs]:
    """Prompts that two systems answered; other counts are refused."""
    if not isinstance(counts, GroupedSketch) or counts.pairs is None or len(counts.systems) != 2:
        n = len(counts.systems) if isinstance(counts, GroupedSketch) else 0
        raise DataError(
            f"{option('goal', 'difference')} draws prompts that two systems answered; got counts of "
            f"{how_many(n, 'system')}{' without prompts' if n == 2 else ''}; count their rows alone, with "
            f"{option('system')} and {option('prompt')}"
        )
    a, b = counts.systems
    cells, prompts = cells_of_pair(counts, (a, b))
    if not len(cells):
        raise DataError(
            f"some prompt must have outputs of {a} and {b}; got none; look at {option('prompt')}"
        )
    return counts, CountedPairs.of(counts, cells, prompts, label)


def _texts(counts: Sketch, codes: Sequence[int]) -> tuple[str | None, ...]:
    return tuple(None if code == NOT_ANSWERED else counts.answers[code] for code in codes)


def _labelled_before(
    counts: Sketch, texts: Sequence[tuple[str | None, ...]], done: Ints
) -> tuple[DrawnTuple, ...]:
    """Prompts labelled for both systems: tuples, verdict and labels (n, 5)."""
    different, times = np.unique(done, axis=0, return_counts=True)
    listed = zip(different.tolist(), times.tolist(), strict=True)
    before = []
    for (x, y, _, *said), n in listed:
        label, other = _texts(counts, said)
        before.append(DrawnTuple(texts[x], n, n, None, label, texts[y], other))
    return tuple(before)


def _of_saved_counts(
    counts: Sketch | KeyedSketch, human: Any, settings: Mapping[str, Any], goal: str
) -> tuple[Sketch, str | None]:
    """Counts with the labelled items one by one, and the column of labels; what needs rows is refused."""
    for name, value in settings.items():
        if value is not None:
            raise DataError(
                f"{parameter(name)} must come with votes item by item; got counts; pass the votes"
            )
    if isinstance(counts, KeyedSketch):
        counts = GroupedSketch.of_keyed(counts)
    if isinstance(counts, GroupedSketch):
        if goal == "difference":
            counts.labelled(human)  # labels of another name are refused
            return counts, None
        return counts.labelled(human), counts.split("human").name if counts.has("human") else None
    if human is not None:
        raise DataError(
            f"labels must be counted beside the votes, as counts have no items to join them to; got "
            f"{human!r}; count the rows again with {option('human')}"
        )
    return counts, None


# --- Which items to label next, drawn so that what is estimated from them stays unbiased.


GOALS = ("rate", "difference", "labels")
STRATEGIES = ("spread", "uncertain")


@reads_as_named
def next(
    votes: Source,
    n: int = 50,
    human: Any = None,
    cluster: Any = None,
    goal: str = "rate",
    other: Source | None = None,
    *,
    good: object = None,
    outputs: Any = None,
    other_outputs: Any = None,
    strategy: str = "spread",
    random: int = 0,
    label: object = None,
    gold: Any = None,
) -> NextItems | NextTuples:
    """Items that people should label next, drawn at random, with the chance that each had.

    Labels are spread: every band of the judges' shares gets its part of them, and every cluster one before
    any gets two, as far as that goes. Following the judges' doubt instead sounds better and is worse unless
    it is calibrated, since many errors of judges lie where they agree. `next_items`, the old name, is the
    same function; ``from algeval import *`` leaves `next` out, for Python has a function of that name.

    Parameters
    ----------
    votes : Votes, table, or counts
        From counts (a `Sketch`, a `GroupedSketch`, or the path of one) come decision tuples and how many
        items of each, whose rows `NextTuples.draw` takes from the table in its engine.
    n : int
        How many; all that are left, if fewer.
    human : name of a column, mapping, path, table, Series or "key", optional
        Items labelled before: they are not drawn again. What an earlier draw wrote, filled in, says in which
        wave and how each was drawn; labels without a chance count for their own items alone. By goal
        "difference" a table of both systems' labels, as `versus` takes it. Of a results table its human
        column is taken without it.
    cluster : mapping, table or sequence, optional
        Items that belong together.
    goal : "rate", "difference" or "labels"
        To estimate a rate; to compare with a second system; or to improve the consensus labels, for which
        the most doubtful items are picked and from which no interval may be made.
    other : Votes or table
        By goal "difference": the judges' votes on the second system's answers; of one table with a column
        of two systems, and of counts by system and prompt, which hold both, none.
    good : str, optional
        The label that counts; of two labels it does not matter. By default the last of the labels.
    outputs, other_outputs : mapping, table or sequence, optional
        By goal "difference": what the systems put out. Items with the same text are left out then, as
        their difference is 0; without, they cannot be told and half of the labels are spread over all.
    strategy : "spread" or "uncertain"
        "uncertain" draws half of the labels by doubt that 50 labels or more have calibrated, if that saves
        5% of the variance or more.
    random : int
        Seed.
    label, gold : optional
        The old names of `good` and `human`, for one release.

    Returns
    -------
    NextItems, or of counts NextTuples
        With the texts of the table to show. By goal "difference" of one table with a column of two systems
        prompts are drawn, and the file has a row for both outputs of each.

    Raises
    ------
    DataError
        If nothing is left to label, labels are too few to calibrate with, or a setting is wrong.

    Examples
    --------
    >>> from algeval.data import Votes
    >>> votes = Votes.from_columns({"a": ["pass", "fail"] * 10, "b": ["pass"] * 20})
    >>> drawn = next(votes, 4)
    >>> drawn.items, drawn.inclusion
    (('9', '14', '19', '20'), (0.2, 0.2, 0.2, 0.2))
    """
    check_choice("goal", goal, GOALS)
    check_choice("strategy", strategy, STRATEGIES)
    source = votes
    label = either_setting(label, good, "label", "good")
    human = either_setting(gold, human, "gold", "human")
    votes = saved_counts(votes)
    if isinstance(votes, Sketch | KeyedSketch):
        beside = {
            "cluster": cluster,
            "other": other,
            "outputs": outputs,
            "other_outputs": other_outputs,
        }
        counts, column = _of_saved_counts(votes, human, beside, goal)
        drawing = Drawing(
            n=check_whole("n", n),
            gold=column,
            cluster=None,
            label=counts.labels[-1] if label is None else label,
            random=check_whole("random", random, least=0),
        )
        _check_strategy(goal, strategy)
        if goal == "difference":
            return pairs_of_counts(counts, drawing)
        return tuples_of_counts(counts, drawing, goal, uncertain=strategy == "uncertain")
    drawing = Drawing(
        n=check_whole("n", n),
        gold=None,
        cluster=cluster,
        label=label,
        random=check_whole("random", random, least=0),
    )
    put_out = outputs, other_outputs
    if goal == "difference" and other is None and put_out == (None, None):
        table = table_of_two(source, human)
        if table is not None:
            _check_strategy(goal, strategy)
            return for_two_systems(table, drawing)
    _check_fits(goal, other, put_out, strategy)
    votes, gold = read_labelled(votes, human)
    data = as_votes(votes, source=source)
    drawing = replace(
        drawing,
        gold=gold,
        cluster=clusters_on_items(cluster, source, data),
        label=data.labels[-1] if label is None else label,
    )
    if goal == "labels":
        data.need_judges()
    if goal == "rate" and strategy == "spread":
        by_system = for_rates(table_of_systems(source, human, data), drawing)
        if by_system is not None:
            return by_system
    if goal == "labels":
        return with_reading(_with_texts(for_labels(data, drawing), data), data)
    if goal == "rate":
        drawn = for_rate(data, drawing, uncertain=strategy == "uncertain")
        return with_reading(_with_texts(drawn, data), data)
    both = data, as_votes(other, "other")
    return with_reading(for_difference(both, put_out, drawing), *both)


next_items = next  # its old name


def _check_fits(goal: str, other: object, outputs: tuple[Any, Any], strategy: str) -> None:
    """Refuse settings that the goal has no use for."""
    if (other is not None) != (goal == "difference"):
        raise DataError(
            f"{parameter('other')} must hold the second system's votes where "
            f"{option('goal', 'difference')}, and be left out elsewhere; "
            f"got {option('goal', goal)} {'without' if other is None else 'with'} it; change one"
        )
    if goal != "difference" and outputs != (None, None):
        raise DataError(
            f"outputs belong to {option('goal', 'difference')}; got "
            f"{option('goal', goal)}; leave them out"
        )
    _check_strategy(goal, strategy)


def _check_strategy(goal: str, strategy: str) -> None:
    if goal != "rate" and strategy != "spread":
        raise DataError(
            f"{option('strategy', strategy)} belongs to {option('goal', 'rate')}; got "
            f"{option('goal', goal)}; leave it out"
        )
