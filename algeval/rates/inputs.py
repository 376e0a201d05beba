"""What rates are made of: verdicts of the panel, labels of people, clusters of items."""

from __future__ import annotations

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from algeval.data import Scores, Sketch, Summary, Votes
from algeval.data.names import (
    NOT_ANSWERED,
    Caution,
    Codes,
    CutNote,
    RowNumbers,
    SaidBy,
    folded,
    is_sparse,
)
from algeval.data.reading import Data, as_sketch
from algeval.data.votes import (
    BothOrders,
    EachOrder,
    GroupedSketch,
    Grouping,
    LabelledSketch,
    OfPrompts,
)
from algeval.door import table as read_table
from algeval.errors import DataError, option, parameter, renamed
from algeval.io.answers import (
    Question,
    answered,
    as_number,
    cut_like_scores,
    label_of_number,
    refuse_other_scale,
    upper_half,
)
from algeval.io.evidence import OPPOSITES, is_adjudicated, is_bad_news, is_binary
from algeval.io.items import (
    TRUTH_NAMES,
    ItemRows,
    is_waves,
    of_grown_table,
    read_item_rows,
    values_of,
)
from algeval.io.journal import BY_PROMPT, BY_SYSTEM, DRAWN, EVEN
from algeval.io.layout import match, shown
from algeval.io.results import PEOPLE, Results, polarity_question, where_to_cut
from algeval.io.roles import good_label, likeliest_first
from algeval.io.sources import name_of
from algeval.io.tables import open_table
from algeval.rates.policy import FEWER_TOUCHED, FEWEST_CLUSTERS
from algeval.rates.streams import Draws
from algeval.result import exact
from algeval.result.numbers import did_you_mean, how_many

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
People = tuple[tuple[str, ...], Ints]  # names, and (n_items, n_people) places of their labels


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scope:
    """What an interval is about and how sure it is, as every rate and every difference has it."""

    target: str  # "items" or "population"; "auto" until labels are read
    level: float
    random: int = 0  # seed of posterior draws

    @property
    def scope(self) -> dict[str, Any]:
        """Settings of every interval."""
        return {"target": self.target, "level": self.level}


TARGETS = ("auto", "items", "population")


def target_of(target: str, labelled: Iterable[tuple[int, int]]) -> str:
    """What an interval is about: as asked, by default more items like these once half are labelled.

    Below half the two differ little, and labels that leave no doubt of these items leave none of more.
    `labelled` : how many labels and items each system has.
    """
    if target != "auto":
        return target
    return "population" if any(2 * n >= n_items > 0 for n, n_items in labelled) else "items"


# --- Rates and beliefs as people write them, kept exact: 0.8, "80%" and "4/5" are the same.


def exact_share(value: object, name: str) -> Fraction:
    """Setting as a fraction from 0 to 1."""
    share = exact(value, name)
    if not 0 <= share <= 1:
        raise DataError(
            f"{parameter(name)} must lie from 0 to 1; got {value!r}; write 70 percent as 0.7 or '70%'"
        )
    return share


# --- What the panel says of each item, as seen from one label.


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """The judges' votes on each item, as votes for one label or against it."""

    items: tuple[str, ...]
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    label: str  # the one whose rate is asked for
    # (n_items,), 1 where the panel's verdict is the label, 0 where it is another one, -1 where it is open:
    # it takes more votes than any other answer, of two labels than the other one; a tie is no verdict
    verdict: NDArray[np.int8]
    # (n_items,), share of those who answered that gave the label; half for a tie and, of two labels, for
    # what is neither; NaN where nobody did
    share: Floats
    answered: Ints  # (n_items,), how many judges answered
    # (n_items,), the verdict, and where several labels have most votes an equal part for each, as a tie says
    # nothing of which it is: over all labels it adds up to 1; NaN where nobody judged
    credit: Floats
    # (rows,), how many items each row stands for, where the items without labels are only counted:
    # `items` are then the labelled ones, the first rows
    weights: Ints | None = None
    groups: tuple[Grouping, ...] = ()  # slices and systems of the items

    def total(self, numbers: NDArray[Any]) -> Any:
        """Sum over all items of a number per row."""
        return numbers.sum() if self.weights is None else numbers @ self.weights

    def mean(self, numbers: NDArray[Any], kept: NDArray[np.bool_]) -> float:
        """Mean over the items of the rows that are kept."""
        if not kept.any():
            return float("nan")
        if self.weights is None:
            return float(numbers[kept].mean())
        return float(np.average(numbers[kept], weights=self.weights[kept]))

    def filled(self, numbers: NDArray[Any], kept: NDArray[np.bool_]) -> Floats:
        """Numbers, with the mean of those that are kept in place of the others; one half where none are."""
        usual = self.mean(numbers, kept) if kept.any() else 0.5
        return np.where(kept, numbers, usual)

    @property
    def n_items(self) -> int:
        """Number of items, those nobody judged included."""
        return len(self.items) if self.weights is None else int(self.weights.sum())

    @property
    def n_unjudged(self) -> int:
        """Number of items that nobody judged."""
        return int(self.total(self.answered == 0))

    @property
    def is_empty(self) -> bool:
        """Whether there is no judge: people's labels stand alone."""
        return not self.judges and not self.answered.any()


def as_votes(data: Any, name: str = "votes", source: Any = None) -> Votes:
    """Votes item by item, which labels are joined to; a table is read.

    Scores that were read from a `source` are refused with the question where to cut.
    """
    if isinstance(data, Scores) and source is not None and not isinstance(source, Scores):
        raise where_to_cut(data, name_of(source))
    read = read_table(data, items=True)
    if isinstance(read, LabelledSketch):
        return read.some
    if isinstance(read, Votes):
        return read
    raise DataError(
        f"{parameter(name)} must be votes item by item, as labels are joined to items; got "
        f"{type(read).__name__}, which holds counts alone; pass the votes"
    )


def n_unjudged(data: Data) -> int:
    """How many items nobody judged; 0 where counts per judge do not tell."""
    if isinstance(data, Summary):
        return 0
    counts = data if isinstance(data, Votes) else as_sketch(data)
    nobody = (counts.codes == NOT_ANSWERED).all(axis=1)
    return int(nobody.sum() if isinstance(counts, Votes) else counts.counts[nobody].sum())


def pass_label(labels: tuple[str, ...], judges: Sequence[str] = ()) -> str:
    """The one label that is named like a pass, where no other is; "" where that cannot be told.

    It cannot where judges are named after something bad, as gpt_hallucination, and answer yes or no.
    """
    if any(is_bad_news(name) for name in judges) and is_binary(labels):
        return ""
    form = good_label(labels)
    return next((label for label in labels if label.casefold() == form), "")


def answered_by(votes: Any) -> tuple[str, ...]:
    """Judges, or where there are none the columns of people: their names may say that a yes is bad."""
    if votes.judges:
        return tuple(votes.judges)
    notes = getattr(votes, "notes", ())
    return next((note.columns for note in notes if isinstance(note, SaidBy)), ())


def likely_grade(votes: Any) -> str:
    """The grade from which on outputs are likely good, "" of words: the upper half of people's."""
    key = getattr(votes, "key", None)
    said = [] if key is None else [votes.labels[code] for code in np.unique(key[key >= 0])]
    return upper_half(said) or upper_half(votes.labels)


def good_of_table(source: Any, labels: Sequence[str]) -> str | None:
    """The good label of a results table, as it was said or as its names say; None of anything else."""
    own = source.good if isinstance(source, Results) else None
    return own if own in labels else None


_CONTRARY = {bad: good for good, bad in OPPOSITES} | {
    "0": "1",
    "false": "true",
    "incorrect": "correct",
}
"""The good label of which nobody may have said but the other."""


def label_or_pass(
    label: object, labels: tuple[str, ...], judges: Sequence[str] = (), grade: str = ""
) -> str:
    """The label that is meant, by default the one named like a pass; a question where neither is known.

    `grade` : the likely answer where labels are grades.
    """
    if label is not None:
        return labels[label_index(labels, label)]
    passing = pass_label(labels, judges)
    if passing:
        return passing
    bad = next((name for name in judges if is_bad_news(name)), None)
    if bad is not None and is_binary(labels):
        question = polarity_question(bad, labels)
    else:
        answers = tuple(answered("good", name) for name in likeliest_first(labels)[:12])
        cut = grade or upper_half(labels)
        if cut:
            answers = (f"{answered('cut', cut)} ({cut} and above count)", *answers)
        other = _CONTRARY.get(folded(labels[0]), "") if len(labels) == 1 else ""
        if other:
            answers = (f"{answered('labels', other, labels[0])} (nobody says {other!r})", *answers)
        question = Question(f"Which label counts: {shown(labels)}?", (), answers)
    error = DataError(
        f"{parameter('good')} must name the label whose rate is asked for; {question.question} Answer with "
        f"{' or '.join(question.answers)}"
    )
    error.questions = (question,)
    raise error


def either_setting(old: Any, new: Any, old_name: str, new_name: str) -> Any:
    """The setting under whichever of its two names it has; refused under both.

    Callers of the old name are told the new one.
    """
    if old is None:
        return new
    if new is not None:
        raise DataError(
            f"{old_name} and {new_name} are one setting; got both; keep {parameter(new_name)}"
        )
    renamed(old_name, new_name)
    return old


def refuse_of_counts(counted: Sketch | None, settings: Mapping[str, Any]) -> None:
    """Refuse settings that are joined to items where there are counts alone."""
    named = [name for name, value in settings.items() if value is not None]
    if counted is not None and named:
        raise DataError(
            f"{parameter(named[0])} must come with votes item by item; got counts; pass the votes"
        )


def label_index(labels: tuple[str, ...], label: object) -> int:
    """Place of a label, or say which there are."""
    name = label_of_number(str(label), labels)
    if name not in labels:
        near = did_you_mean(name, labels)
        if len(labels) == 1:
            near = f"where nobody says {name!r}, name all labels: {answered('labels', name, labels[0])}"
        raise DataError(f"{parameter('good')} must be one of {list(labels)}; got {label!r}; {near}")
    return labels.index(name)


def tie_of(votes: Votes | Sketch, label: object, tie: str | None) -> str | None:
    """Label of a tie as the votes spell it."""
    if tie is None:
        return None
    answer = next((name for name in votes.answers if folded(name) == folded(str(tie))), str(tie))
    if answer == str(label):
        raise DataError(
            f"{parameter('tie')} must be another label than the one whose rate is asked for; got "
            f"{tie!r} for both; name the "
            "label that counts one half"
        )
    return answer


def panel_of(
    votes: Votes | Sketch,
    label: object,
    tie: str | None = None,
    truths: Collection[str] = (),
) -> Panel:
    """Panel's verdicts as seen from a label.

    Of items that are only counted there is a row for each of their tuples. `tie`: a label that counts one
    half; the verdict is the label then where its share is above one half. `truths`: labels that people gave;
    where these are two, what else judges say is for neither. Where there are no judges it says the same of
    every item.
    """
    index = label_index(votes.labels, label)
    if not votes.judges:
        return _of_no_judges(votes, index)
    codes, weights = votes.codes, None
    if isinstance(votes, LabelledSketch):
        others, counts = votes.others
        codes = np.concatenate([votes.some.codes, others])
        weights = np.concatenate([np.ones(votes.some.n_items, np.int64), counts])
        items = votes.some.items
    elif isinstance(votes, Sketch):
        items, weights = (), votes.counts
    else:
        items = votes.items
    answered = (codes != NOT_ANSWERED).sum(axis=1)
    for_it = (codes == index).sum(axis=1)
    tie = tie_of(votes, label, tie)
    other = _other_of_two(votes, index, tie, truths)
    if other is not None:  # what else judges say is for neither
        for_it = (answered + for_it - (codes == other).sum(axis=1)) / 2
        most, n_most = answered - for_it, np.ones(len(codes), np.int64)
    elif tie in votes.answers:
        for_it = for_it + (codes == votes.answers.index(str(tie))).sum(axis=1) / 2
        most, n_most = answered - for_it, np.ones(len(codes), np.int64)
    else:
        most, n_most = _most_of_another(codes, votes.n_answers, index, answered - for_it)
    tied = (for_it == most) & (answered > 0)
    share = np.divide(for_it, answered, out=np.full(len(codes), np.nan), where=answered > 0)
    return Panel(
        items,
        votes.judges,
        votes.labels,
        votes.labels[index],
        np.where(tied | (answered == 0), -1, for_it > most).astype(np.int8),
        share,
        answered.astype(np.int64),
        np.where(answered == 0, np.nan, np.where(tied, 1 / (1 + n_most), for_it > most)),
        weights,
        _groups(votes),
    )


def _of_no_judges(votes: Votes | Sketch, index: int) -> Panel:
    """Panel that says the same of every item, as nobody judged any."""
    items = votes.items if isinstance(votes, Votes) else ()
    n = len(votes.codes)
    half = np.full(n, 0.5)
    none = np.zeros(n, np.int64)
    of = (votes.labels, votes.labels[index])
    panel = Panel(items, (), *of, np.zeros(n, np.int8), half, none, half)
    return replace(panel, groups=_groups(votes))


def _groups(votes: Votes | Sketch) -> tuple[Grouping, ...]:
    """Slices and systems of the items; none of counts."""
    groups = votes.groupings if isinstance(votes, Votes) else ()
    return tuple(own for own in groups if type(own) is Grouping)


def _other_of_two(
    votes: Votes | Sketch, index: int, tie: str | None, truths: Collection[str]
) -> int | None:
    """The other one of two labels, a tie that counts one half left out; None where there are more."""
    names = [name for name in votes.labels if name != tie]
    if len(names) > 2 and votes.labels[index] in truths:
        names = [name for name in names if name in truths]
    others = [name for name in names if name != votes.labels[index]]
    return votes.labels.index(others[0]) if len(others) == 1 else None


def labels_of_people(votes: Votes | Sketch, *golds: Gold | None) -> set[str]:
    """Labels that people gave."""
    codes = {code for gold in golds if gold is not None for code in gold.truth.tolist()}
    return {name for code, name in enumerate(votes.labels) if code in codes}


def _most_of_another(
    codes: Codes, n_answers: int, index: int, against: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Per row the most votes that an answer other than the label got, and how many such answers did."""
    if n_answers == 2:
        return against, np.ones(len(codes), np.int64)
    most, n_most = np.zeros(len(codes), np.int64), np.zeros(len(codes), np.int64)
    for other in set(range(n_answers)) - {index}:
        got = (codes == other).sum(axis=1)
        n_most = np.where(got > most, 1, n_most + (got == most))
        most = np.maximum(most, got)
    return most, n_most


# --- A number of each item, such as the chance with which it was drawn to be labelled.


_NAMES = ("value", "score", "probability", "chance", "p", "pi")


def _is_table(values: Any) -> bool:
    """Whether numbers are named by item: {item: number}, a path, a frame or records."""
    if isinstance(values, str | os.PathLike | Mapping) or hasattr(values, "columns"):
        return True
    if getattr(values_of(values), "has_ids", False):
        return True
    return isinstance(values, list | tuple) and bool(values) and isinstance(values[0], Mapping)


def _chance_or_number(text: str) -> float | None:
    """Number a cell spells, also a share as a spreadsheet with decimal commas saves it: 0,25."""
    return as_number(text.replace(",", ".") if re.fullmatch(r"\s*0,\d+\s*", text) else text)


def numbers_by_item(supplied: Any, items: Sequence[str], name: str) -> Floats:
    """Number per item from {item: number}, a table, a path, or numbers in item order."""
    if _is_table(supplied):
        rows = read_item_rows(supplied, name, (name, *_NAMES), items=items)
        texts = dict(zip(rows.items, rows.values, strict=True))
        numbers = [_chance_or_number(texts.get(item) or "") for item in items]
    else:
        numbers = list(np.asarray(supplied, np.float64).ravel())
        if len(numbers) != len(items):
            raise DataError(
                f"{parameter(name)} must hold one number per item ({len(items)}); got "
                f"{len(numbers)}; or pass "
                "{item: number}"
            )
    values = np.array([np.nan if value is None else value for value in numbers], np.float64)
    lacking = np.flatnonzero(~np.isfinite(values))
    if len(lacking):
        raise DataError(
            f"every item must have a finite number in {name}; {how_many(len(lacking), 'item')} "
            f"without: {shown([items[row] for row in lacking.tolist()], 3)}; add them"
        )
    return values


def chances_of(supplied: Any, items: Sequence[str], rows: Ints, name: str = "inclusion") -> Floats:
    """Chance with which each labelled item was drawn.

    `supplied`: by item, where only labelled items need one; or one per item, labelled or not; `rows`: (n,),
    which of them are labelled.
    """
    labelled = [items[row] for row in rows.tolist()]
    if _is_table(supplied):
        chances = numbers_by_item(supplied, labelled, name)
    else:
        chances = numbers_by_item(supplied, items, name)[rows]
    check_chances(chances, labelled, name)
    return chances


def check_chances(chances: Floats, items: Sequence[str], name: str) -> None:
    """Refuse chances that are none."""
    wrong = np.flatnonzero(~((chances > 0) & (chances <= 1)))
    if len(wrong):
        raise DataError(
            f"{parameter(name)} must be above 0 and at most 1, the chance with which an item was "
            "drawn to be labelled; "
            f"got {chances[wrong[0]]:g} for {shown([items[int(wrong[0])]], 1)}; take it from what next "
            "wrote, or leave it out"
        )


# --- Labels that people gave to some of the items: the only way by which truth enters a rate.


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """Labels joined to the items of the votes."""

    rows: Ints  # (n,), places in the items of the votes, increasing
    # (n,), places in their labels; one beyond them is a tie that no judge can give, or people are split
    truth: Ints
    # (n,), the share of its people who gave the label whose rate is asked for; a tie is worth 1/2
    values: Floats
    # (n,), the chance with which each item was drawn, where the table has a column of that name
    inclusion: Floats | None = None
    # in which wave each item was drawn and by which strategy, where the table says both
    waves: Waves | None = None
    n_annotators: int = 1  # most labels that one item had; 1 unless several people labelled
    # of two labels of one item, the share that agree, where items have several
    agreement: float | None = None
    notes: tuple[str, ...] = ()  # what was read as what, and what was left out
    differ: str = ""  # on how many items people differ, in words; empty where they do not
    # in which order items were drawn, where the labels are a journal, which anybody may stop at any time
    draws: Draws | None = None
    # of several people, their names and (n_items, n_people) places of what each said of the votes' items
    people: People | None = None
    prompts: Ints | None = None  # (n,) of which prompt each is an output, where the labels say so

    @property
    def cautions(self) -> tuple[str, ...]:
        """Those of the notes that may change an answer."""
        return tuple(str(note) for note in self.notes if isinstance(note, Caution))

    def __len__(self) -> int:
        return len(self.rows)

    def only(self, kept: NDArray[Any]) -> Gold:
        """Some of the labels, as a draw of its own."""
        parts: dict[str, Any] = {
            "rows": self.rows[kept],
            "truth": self.truth[kept],
            "values": self.values[kept],
        }
        parts["prompts"] = None if self.prompts is None else self.prompts[kept]
        return replace(self, **parts, inclusion=None, waves=None, draws=None)

    def settled(self, n_labels: int) -> Gold:
        """The labels without items on which people are split."""
        kept = self.truth < n_labels
        if kept.all():
            return self
        waves = self.waves
        if waves is not None:
            hows = tuple(how for how, is_kept in zip(waves.strategy, kept, strict=True) if is_kept)
            waves = Waves(waves.number[kept], hows)
        chances = None if self.inclusion is None else self.inclusion[kept]
        return replace(self.only(kept), inclusion=chances, waves=waves, draws=self.draws)


Weights = tuple[Floats, Floats]

UNKNOWN = "unknown"
"""The strategy of labels whose draw is not known, so that they speak for their own items alone."""


PICKED = "picked"
"""The strategy of labels that were picked for their doubt: no rate may be made of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Waves:
    """How labels that came in several draws were drawn."""

    # (n,), the wave of each label; later waves draw among the items without a label
    number: Ints
    # "spread" or "random", the same chance for all; "uncertain", by earlier labels; "unequal"; or "unknown"
    strategy: tuple[str, ...]

    def blocks(self) -> list[tuple[Ints, str]]:
        """Labels drawn as if at once, and how: even waves in a row are one draw, unknown ones one block."""
        blocks: list[tuple[Ints, str]] = []
        for number in np.unique(self.number).tolist():
            rows = np.flatnonzero(self.number == number)
            how = "random" if self.strategy[rows[0]] in EVEN else self.strategy[rows[0]]
            if blocks and how == blocks[-1][1] and how in ("random", UNKNOWN):
                rows = np.sort(np.concatenate([blocks.pop()[0], rows]))
            blocks.append((rows, how))
        return blocks

    def weights(self, chances: Floats | None, n_items: int) -> Weights:
        """Weight of each label, and what its squared residual adds to the variance of a total.

        A wave draws among the items without a label, perhaps by what earlier labels said. What is labelled
        before it, and what it draws, each over its chance, estimate the total without bias, whatever came
        before; so does any average of such estimates whose weights no label moves. These are n / (M (M -
        n)), for n labels among M items: then even waves weigh as one draw of all their labels, N/n each,
        and nothing is lost. `chances`: (n,), the chance of each label in its wave; read where a wave was
        not even.
        """
        blocks, left = self.blocks(), n_items
        over, squares, shares = np.zeros(len(self.number)), np.zeros(len(self.number)), []
        for rows, how in blocks:
            n = len(rows)
            if how == "random" or chances is None:
                over[rows] = left / n
            elif how != UNKNOWN:
                over[rows] = 1 / chances[rows]
            counts = how != UNKNOWN or len(blocks) == 1
            shares.append(n / (left * max(left - n, 1e-9)) if counts else 0.0)
            left -= n
        total = sum(shares) or 1.0
        later = sum(shares) / total
        for (rows, _), share in zip(blocks, shares, strict=True):
            own = share / total
            later -= own
            squares[rows] = own**2 * np.maximum(over[rows] - 1, 0.0) * over[rows]
            over[rows] = own * over[rows] + later
        return over, squares


def read_gold(
    gold: Any,
    votes: Votes,
    label: object,
    *,
    name: str = "human",
    tie: str | None = None,
    split: bool = False,
) -> Gold:
    """Labels joined to the items of `votes`, as seen from one label.

    `gold`: {item: label}; a path or table with a column of items and one of labels, and one of annotators
    where an item has several rows; a Series whose index names the items; "key" for the key that the votes
    hold; or Votes, whose key it is, or whose judges are the annotators if they hold none. An array or
    Series without ids fits only votes without ids, one value a row; `name`: the setting it was given as,
    for sentences; `tie`: a label that counts one half, one of the votes' or not; `split`: whether items on
    which people are split are kept, which have no label and the share of their people as value.
    """
    if isinstance(gold, Gold):
        return gold
    if isinstance(gold, str) and gold == "key":
        gold = votes
    if isinstance(gold, Votes):
        rows = _rows_of(gold, name, complete=gold is not votes)
    elif isinstance(gold, ItemRows):
        rows = gold
    else:
        rows = read_item_rows(gold, name, TRUTH_NAMES, (*DRAWN, *_PROMPTS), votes.items)
    if not isinstance(gold, Votes):
        _refuse_other_scale(rows, votes, name)
        rows = of_grown_table(_cut_as_scores(rows, votes, name), votes.items)
    labels = _joined(rows, votes, name, label, tie_of(votes, label, tie))
    labels = labels if split or tie is not None else labels.settled(len(votes.labels))
    if not len(labels):
        raise _no_label(name)
    if labels.inclusion is not None and labels.waves is None and name == "human":
        labels = replace(labels, notes=(*labels.notes, _without_waves(labels.inclusion)))
    draws = _draws(rows, votes, labels.rows, labels.values)
    notes = labels.notes if draws is None else (*labels.notes, LOOKED_AT)
    hows = set() if labels.waves is None else set(labels.waves.strategy)
    if "draw" in rows.beside and hows == {UNKNOWN}:
        notes = (*notes, _not_drawn(name, len(labels), votes.n_items))
    return replace(labels, draws=draws, notes=notes)


def in_each_order(votes: Votes, gold: Gold, *, drawn: bool = False) -> tuple[Votes, Gold]:
    """Votes and labels with an item for each verdict on pairs judged in both orders.

    Labels `drawn` with known chances, or one by one, and those of few pairs, are left as they are.
    """
    both = votes.in_each_order()
    if both is votes:
        return votes, gold
    drawn = drawn or gold.draws is not None or gold.inclusion is not None
    if drawn or len(gold) < FEWEST_CLUSTERS:
        said = "pairs on which a judge's answer changes with the order do not count in its accuracy"
        return votes, replace(gold, notes=(*gold.notes, Caution(said)))
    rows = np.concatenate([gold.rows, gold.rows + votes.n_items])
    truth, values = np.tile(gold.truth, 2), np.tile(gold.values, 2)
    return both, replace(gold, rows=rows, truth=truth, values=values)


def shared_labels(
    votes: Votes, gold: Gold, least: int = FEWEST_CLUSTERS, target: str = "items"
) -> tuple[Ints, Caution] | None:
    """Clusters of items that have one label together, and a sentence on them; None where there are none.

    So it is where people labelled prompts, with the outputs of each, and not outputs drawn one by one; where
    the labels of a prompt's outputs are all alike, far more than by chance; and where several rows show one
    pair. Labels that were drawn with known chances, or one by one, are not of that kind, but outputs of a
    prompt belong together where it is about more prompts like these.

    `least`: how many prompts must have labels; `target`: of the population of prompts, outputs of a prompt
    belong together however labels were drawn.
    """
    if gold.draws is not None or (gold.inclusion is not None and target != "population"):
        return None
    if gold.inclusion is not None:
        return _of_more_prompts(votes, gold, least)
    whole = _whole_prompts(votes, gold, least, target) or _prompts_of_labels(votes, gold)
    if whole is not None or len(gold) < 2 * FEWEST_CLUSTERS:
        return whole
    for grouping in votes.groupings:
        codes = grouping.apart
        own, sizes = np.unique(codes[gold.rows], return_counts=True)
        several = sizes[sizes > 1]
        if len(own) < FEWEST_CLUSTERS or not len(several):
            continue
        of = f"{len(gold)} labels are of {len(own)}"
        if isinstance(grouping, EachOrder):
            said = (
                f"each verdict on {how_many(len(own), 'labelled pair')} judged in both orders counts: "
                "of two that differ at most one is right; a pair counts once in intervals"
            )
            return codes, Caution(said)
        if isinstance(grouping, BothOrders):
            said = f"{of} pairs, shown in several rows each: a pair counts once in intervals"
            return codes, Caution(said)
        alike = len(np.unique(np.stack([codes[gold.rows], gold.truth]), axis=1).T) == len(own)
        p = np.bincount(gold.truth) / len(gold)
        by_chance = float(np.log(np.maximum((p[:, None] ** several).sum(axis=0), 1e-300)).sum())
        if alike and by_chance < _ALIKE_BY_CHANCE:
            said = f"{of} values of {grouping.name!r}, alike within each: each counts once in intervals"
            return codes, Caution(said)
    return None


_ALIKE_BY_CHANCE = np.log(0.01)


def labels_together(votes: Votes | Sketch, gold: Gold, target: str) -> tuple[Ints, Caution] | None:
    """Clusters of the rows of a panel in which labels stand together, and a sentence on them."""
    if isinstance(votes, LabelledSketch):
        return _prompts_of_counts(votes, gold)
    return shared_labels(votes, gold, 1, target) if isinstance(votes, Votes) else None


def _prompts_of_counts(counted: LabelledSketch, gold: Gold) -> tuple[Ints, Caution] | None:
    """Clusters of the rows of a panel by counted prompts, of labelled outputs alone, and a sentence on them.

    None where each has one label. Labels of a prompt may have been drawn together or not, as how many outputs
    it has in all was not counted.
    """
    for grouping in counted.some.groupings:
        n = len(np.unique(grouping.apart[gold.rows]))
        if n < len(gold):
            said = (
                f"{len(gold)} labels are of outputs to {how_many(n, 'value')} of {grouping.name!r}: each "
                "counts once in intervals"
            )
            named = grouping.apart
            others = np.arange(len(counted.others[1])) + 2 * len(named)
            return np.unique(np.concatenate([named, others]), return_inverse=True)[1], Caution(said)
    return None


def _prompts_of_labels(votes: Votes, gold: Gold) -> tuple[Ints, Caution] | None:
    """Clusters of labelled items by the prompts beside their labels, of votes that know none."""
    if gold.prompts is None or any(isinstance(g, OfPrompts) for g in votes.groupings):
        return None
    n = len(np.unique(gold.prompts))
    own = np.arange(votes.n_items) + 2 * len(gold)
    own[gold.rows] = gold.prompts
    said = f"{len(gold)} labels are of outputs to {how_many(n, 'prompt')}: each counts once in intervals"
    return np.unique(own, return_inverse=True)[1], Caution(said)


def _whole_prompts(
    votes: Votes, gold: Gold, least: int, target: str
) -> tuple[Ints, Caution] | None:
    """Prompts of which people labelled several outputs together, and a sentence on them."""
    for grouping, n in _labelled_prompts(votes, gold, least):
        if touches_few(gold.rows, grouping.apart):
            said = (
                f"{len(gold)} labels stand together in {how_many(n, 'value')} of {grouping.name!r}, fewer "
                "than labels of outputs drawn one by one would: each counts once in intervals"
            )
            return grouping.apart, Caution(said)
        if target == "population":
            return _of_more_prompts(votes, gold, least)
    return None


def _of_more_prompts(votes: Votes, gold: Gold, least: int) -> tuple[Ints, Caution] | None:
    """Prompts as clusters of the population of more like them, however labels were drawn."""
    for grouping, n in _labelled_prompts(votes, gold, least):
        values = f"{how_many(n, 'value')} of {grouping.name!r}"
        said = f"{len(gold)} labels are of outputs to {values}: of more like them each counts once"
        return grouping.apart, Caution(said)
    return None


def _labelled_prompts(votes: Votes, gold: Gold, least: int) -> Iterator[tuple[OfPrompts, int]]:
    """Groupings by prompts, and of how many of these there are labels, where these are enough."""
    for grouping in votes.groupings:
        if isinstance(grouping, OfPrompts):
            n = len(np.unique(grouping.apart[gold.rows]))
            if n >= max(least, 1):
                yield grouping, n


def touches_few(rows: Ints, groups: Ints) -> bool:
    """Whether labelled rows lie in fewer groups than those of as many rows drawn one by one would.

    The number of groups without any has the mean and the variance of a draw without replacement.
    """
    n, n_items = len(rows), len(groups)
    sizes, how_often = np.unique(np.unique(groups, return_counts=True)[1], return_counts=True)
    if not 1 < n < n_items or sizes[-1] == 1:
        return False
    together = sizes[:, None] + sizes
    none, neither = (_chance_of_none(own, n, n_items) for own in (sizes, together))
    expected = float(how_often @ none)
    variance = float(how_often @ neither @ how_often - how_often @ np.diag(neither))
    variance += expected - expected**2
    untouched = int(how_often.sum()) - len(np.unique(groups[rows]))
    return bool(untouched - expected > FEWER_TOUCHED * np.sqrt(max(variance, 0.0)) + 1e-9)


def _chance_of_none(sizes: Ints, n: int, n_items: int) -> Floats:
    """Chance that none of `n` rows drawn of `n_items` is in a group of such a size."""
    left = np.maximum(n_items - sizes, 0).astype(np.float64)
    logs = gammaln(left + 1) - gammaln(np.maximum(left - n, 0) + 1)
    logs += gammaln(n_items - n + 1.0) - gammaln(n_items + 1.0)
    return np.where(left >= n, np.exp(logs), 0.0)


def _refuse_other_scale(rows: ItemRows, votes: Votes, name: str) -> None:
    """Refuse labels that are grades on another scale than those of judges, or than their cut."""
    if "draw" in rows.beside:
        return
    cut = next((note for note in votes.notes if isinstance(note, CutNote)), None)
    codes = votes.codes.values if is_sparse(votes.codes) else votes.codes
    n_used = len(np.unique(codes[codes >= 0]))
    if n_used < len(votes.labels) and {*rows.values} - {None} <= {*votes.labels}:
        return  # labels that were stated
    refuse_other_scale(lambda: parameter(name), rows.values, votes.answers, codes, cut)


def _cut_as_scores(rows: ItemRows, votes: Votes, name: str) -> ItemRows:
    """Labels of votes that were cut from scores: numbers are cut there, 0 and 1 kept, and both is said."""
    cut = next((note for note in votes.notes if isinstance(note, CutNote)), None)
    if cut is None or cut.at is None or "draw" in rows.beside:  # of a journal, as they were shown
        return rows
    values, note = cut_like_scores(name, rows.values, cut.at)
    notes = (*rows.notes, *([note] if note else []))
    return replace(rows, values=rows.values if values is None else tuple(values), notes=notes)


class NotDrawn(Caution):
    """Note that no label of these items was drawn since its journal was begun."""


def _not_drawn(name: str, n: int, n_items: int) -> NotDrawn:
    return NotDrawn(
        f"{name}: all {how_many(n, 'label')} here are from before the journal was begun, which does not say "
        f"how they were drawn; they are read as a random draw of all {n_items} items"
    )


LOOKED_AT = Caution(
    "human is a journal of labels, which its answer may have stopped: intervals here are for a number of "
    "labels fixed beforehand; rate, versus, judges and slices have those that hold whenever one stops, of "
    "items drawn one by one and with the method left open"
)
"""What is said of labels that were looked at as they came, where an interval does not allow for it."""


def _draws(rows_of_gold: ItemRows, votes: Votes, rows: Ints, values: Floats) -> Draws | None:
    """Items in the order of the column 'draw'; None without one."""
    texts = rows_of_gold.beside.get("draw")
    if texts is None:
        return None
    where = {item: row for row, item in enumerate(votes.items)}
    numbers = {
        where[item]: float(text)
        for item, text in zip(rows_of_gold.items, texts, strict=True)
        if text is not None and item in where
    }
    if not numbers:
        return None
    order = np.array(sorted(numbers, key=numbers.__getitem__), np.int64)
    by_row = np.full(votes.n_items, np.nan)
    by_row[rows] = values
    positions = np.array([numbers[row] for row in order.tolist()]).astype(np.int64)
    hows = rows_of_gold.beside.get("strategy", ())
    by_prompt = any(folded(how or "") == BY_PROMPT for how in hows)
    strata = _strata(rows_of_gold, votes.items)
    return Draws(order, by_row[order], strata, positions, by_prompt)


def _strata(rows_of_gold: ItemRows, items: Sequence[str]) -> Ints | None:
    """Stratum of each item, where labels were drawn in strata."""
    texts = rows_of_gold.beside.get("stratum")
    if texts is None or not any(texts):
        return None
    stratum_of = dict(zip(rows_of_gold.items, texts, strict=True))
    names = [stratum_of.get(item) or "" for item in items]
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


def _without_waves(inclusion: Floats) -> str:
    """How a table with chances and no waves is read."""
    if np.ptp(inclusion) == 0:
        return "column 'inclusion' without 'wave' and 'strategy': all had the same chance, so one random draw"
    return (
        "column 'inclusion' without 'wave' and 'strategy': each label counts one over its chance, and one "
        "without, or with a chance of 1, for its own item alone"
    )


def labelled_items(gold: Any) -> tuple[str, ...]:
    """Items to which a table of labels gives one."""
    rows = read_item_rows(gold, "human", TRUTH_NAMES, DRAWN)
    if any(rows.beside.get("stratum", ())):
        return tuple(dict.fromkeys(rows.items))  # the sizes of strata are counted
    draws = rows.beside.get("draw", (None,) * len(rows.items))
    cells = zip(rows.items, rows.values, draws, strict=True)
    return tuple(dict.fromkeys(item for item, *cell in cells if cell != [None, None]))


def _with_tie(votes: Votes, tie: str | None) -> tuple[str, ...]:
    """Labels that items may have: those of the votes, and the tie."""
    return votes.labels if tie is None or tie in votes.labels else (*votes.labels, tie)


def _rows_of(gold: Votes, name: str, *, complete: bool) -> ItemRows:
    """Key of votes, or, of votes other than the judges', what each annotator said."""
    if gold.key is not None:
        kept = gold.key != NOT_ANSWERED
        drawn = {own.name: np.array(own.cells, object) for own in gold.drawn}
        for column in ("draw", "stratum", PEOPLE):  # of items without a label, too
            kept |= drawn.get(column, np.full(len(kept), None)) != None  # noqa: E711
        kept |= drawn.get("strategy", np.full(len(kept), None)) == BY_SYSTEM
        rows = np.flatnonzero(kept)
        spelled = np.array([*gold.labels, None], object)[gold.key[rows]]
        beside = {column: tuple(cells[rows].tolist()) for column, cells in drawn.items()}
        items = tuple(gold.items[row] for row in rows.tolist())
        read = ItemRows(name, items, tuple(spelled.tolist()), beside=beside)
        return _by_person(read, gold.labels) if PEOPLE in beside else read
    if not complete:
        raise DataError(
            f"{option(name, 'key')} needs votes with a key; these have none; pass {{item: label}}"
        )
    filled = np.argwhere(gold.codes != NOT_ANSWERED)
    cells = [
        (gold.items[i], gold.answers[gold.codes[i, j]], gold.judges[j]) for i, j in filled.tolist()
    ]
    items, values, sayers = zip(*cells, strict=True) if cells else ((), (), ())
    return ItemRows(name, items, values, sayers)


def _by_person(rows: ItemRows, labels: Sequence[str]) -> ItemRows:
    """Rows with one for each of several people who labelled an item."""
    names = {*map(folded, labels)}
    at, values, sayers = [], [], []
    for k, (value, cell) in enumerate(zip(rows.values, rows.beside[PEOPLE], strict=True)):
        each = (
            [(value, None)] if cell is None else [(v, who) for who, v in json.loads(cell).items()]
        )
        for own, who in each:
            if own is None or folded(own) in names:
                at.append(k)
                values.append(own)
                sayers.append(who)
    beside = {n: tuple(own[k] for k in at) for n, own in rows.beside.items() if n != PEOPLE}
    items = tuple(rows.items[k] for k in at)
    return replace(rows, items=items, values=tuple(values), sayers=tuple(sayers), beside=beside)


_PROMPTS = ("prompt_id", "prompt")


def _prompts_beside(rows: ItemRows, items: Sequence[str]) -> Ints | None:
    """Prompt of each labelled item, by a column beside the labels; None where each has its own, or none."""
    name = next((name for name in _PROMPTS if name in rows.beside), None)
    if name is None:
        return None
    prompt_of = dict(zip(rows.items, rows.beside[name], strict=True))
    prompts = [prompt_of[item] for item in items]
    codes: dict[str, int] = {}
    numbers = [
        len(items) + k if p is None else codes.setdefault(p, len(codes))
        for k, p in enumerate(prompts)
    ]
    return np.array(numbers, np.int64) if len({*numbers}) < len(numbers) else None


def _joined(
    rows_of_gold: ItemRows, votes: Votes, name: str, label: object, tie: str | None
) -> Gold:
    labels = _with_tie(votes, tie)
    credits = np.zeros(len(labels))
    credits[label_index(votes.labels, label)] = 1.0
    if tie is not None:
        credits[labels.index(tie)] = 0.5
    codes = _codes(rows_of_gold, labels, name)
    rows_by_item: dict[str, list[int]] = defaultdict(list)
    for item, code in zip(rows_of_gold.items, codes, strict=True):
        if code != NOT_ANSWERED:
            rows_by_item[item].append(code)
    n_labelled = len(rows_by_item)
    strange = _without_votes(rows_by_item, votes, name)
    truth = _single_rows(rows_by_item, rows_of_gold.sayers is not None, labels, name)
    notes = (*rows_of_gold.notes, *strange)
    where = {item: row for row, item in enumerate(votes.items) if item in truth}
    items = sorted(truth, key=where.__getitem__)
    final = np.array([truth[item] for item in items], np.int64)
    empty = len(set(rows_of_gold.items)) - n_labelled
    if empty and "draw" not in rows_of_gold.beside:
        notes += (f"{name}: {how_many(empty, 'item')} without a label left out",)
    gold = Gold(
        np.array([where[item] for item in items], np.int64),
        final,
        np.array([credits[rows_by_item[item]].mean() for item in items]),
        _inclusion(rows_of_gold, items, name),
        _waves(rows_of_gold, items, name),
        max(map(len, rows_by_item.values())),
        _agreement(rows_by_item.values()),
        notes,
        _differing(rows_by_item, credits),
        people=_people(rows_of_gold, codes, votes),
        prompts=_prompts_beside(rows_of_gold, items),
    )
    gold = _as_labelled(gold, rows_of_gold)
    return _with_chances_of_strata(gold, rows_of_gold, votes)


def people_of_results(results: Results, items: Sequence[str], labels: Sequence[str]) -> People:
    """What each person of a results table said of the items; -1 where that is none of the labels.

    A column of adjudicated labels is nobody's own answer and is left out.
    """
    exactly = {label: k for k, label in enumerate(labels)}
    loosely = {folded(label): k for k, label in enumerate(labels)}
    columns = {}
    for name, (texts, codes) in results.said.items():
        if is_adjudicated(name):
            continue
        answers = [results.rules.answer(text) for text in texts]
        own = [exactly.get(str(a), loosely.get(folded(a or ""), NOT_ANSWERED)) for a in answers]
        columns[name] = np.array([*own, NOT_ANSWERED], np.int64)[codes]
    table = np.stack([*columns.values()] or [np.empty(0, np.int64)], axis=1)
    if tuple(items) != results.items and columns:
        row_of = {item: row for row, item in enumerate(results.items)}
        table = table[[row_of[item] for item in items]]
    return tuple(columns), table


def _people(rows_of_gold: ItemRows, codes: Sequence[int], votes: Votes) -> People | None:
    """What each of several people said of each item; None where they are not named."""
    if rows_of_gold.sayers is None:
        return None
    names = tuple(dict.fromkeys(name for name in rows_of_gold.sayers if name is not None))
    column = {name: j for j, name in enumerate(names)}
    where = {item: row for row, item in enumerate(votes.items)}
    table = np.full((votes.n_items, len(names)), NOT_ANSWERED, np.int64)
    for item, sayer, code in zip(rows_of_gold.items, rows_of_gold.sayers, codes, strict=True):
        if item in where and sayer is not None and code < len(votes.labels):
            table[where[item], column[sayer]] = code
    return names, table


def _codes(rows_of_gold: ItemRows, labels: tuple[str, ...], name: str) -> list[int]:
    """Place of each row's label."""
    exactly = {label: number for number, label in enumerate(labels)}
    loosely = {folded(label): number for number, label in enumerate(labels)}
    if len(loosely) < len(exactly):
        loosely = {}
    codes_of: dict[str | None, int] = {None: NOT_ANSWERED}
    for text in set(rows_of_gold.values) - {None}:
        code = exactly.get(text, loosely.get(folded(text)))  # type: ignore[arg-type]
        if code is None:
            how = f"spell them alike, or read the votes with {option('labels')} naming every label"
            if as_number(str(text)) is not None and set(labels) <= {"0", "1"}:
                how = f"say from where on people's numbers are good, {answered('cut', 'human=X')}"
            raise DataError(
                f"every label of {parameter(name)} must be one of the votes' labels "
                f"{list(labels)}; got {text!r}; {how}"
            )
        codes_of[text] = code
    return [codes_of[text] for text in rows_of_gold.values]


def _no_label(name: str) -> DataError:
    return DataError(
        f"{parameter(name)} must label at least one item; got none, as an item on which people are split has "
        f"no label; leave {option(name)} out, or label more"
    )


def _without_votes(rows_by_item: dict[str, list[int]], votes: Votes, name: str) -> tuple[str, ...]:
    """Leave out labels of items without votes, and say so; refuse them where that shows other ids."""
    if not rows_by_item:
        raise _no_label(name)
    with_votes = set(votes.items)
    strange = [item for item in rows_by_item if item not in with_votes]
    if not strange:
        return ()
    others = f"{how_many(len(strange), 'other item')}: {shown(strange, 3)}"
    if len(strange) == len(rows_by_item) or isinstance(votes.items, RowNumbers):
        raise DataError(
            f"every item of {parameter(name)} must be among those the judges voted on; got "
            f"{others}; the votes have "
            f"for example {votes.items[0]!r}; correct the ids, or leave these rows out"
        )
    for item in strange:
        del rows_by_item[item]
    return (Caution(f"{name}: {others}; left out, as no judge voted on them"),)


def _single_rows(
    rows_by_item: dict[str, list[int]], named: bool, labels: tuple[str, ...], name: str
) -> dict[str, int]:
    """One label per item: the majority of its annotators, where they are named; else beyond the labels."""
    truth: dict[str, int] = {}
    for item, codes in rows_by_item.items():
        ranked = Counter(codes).most_common(2)
        if len(ranked) > 1 and not named:
            first, second = (labels[code] for code, _ in ranked)
            raise DataError(
                f"{parameter(name)} must hold one label per item; got {first!r} and {second!r} for "
                f"{item!r}; keep one, "
                "or add a column 'annotator' if several people labelled"
            )
        split = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
        truth[item] = len(labels) if split else ranked[0][0]
    return truth


def _differing(rows_by_item: Mapping[str, list[int]], credits: Floats) -> str:
    """On how many items several people differ, and what these count; empty where they agree."""
    several = [codes for codes in rows_by_item.values() if len(codes) > 1]
    differ = [codes for codes in several if len({*codes}) > 1]
    if not differ:
        return ""
    half = all(credits[codes].mean() == 0.5 for codes in differ)
    who = f"{max(map(len, several))} people" if half else "people"
    counts = "count half" if half else "count the share of their people who say it"
    return f"{who} differ on {len(differ)} of {how_many(len(several), 'item')}, which {counts}"


def _agreement(values: Any) -> float | None:
    """Share of pairs of labels of one item that agree, None without such a pair."""
    same = pairs = 0
    for codes in values:
        n = len(codes)
        pairs += n * (n - 1) // 2
        same += sum(k * (k - 1) // 2 for k in Counter(codes).values())
    return same / pairs if pairs else None


def _inclusion(rows_of_gold: ItemRows, items: list[str], name: str) -> Floats | None:
    texts = rows_of_gold.beside.get("inclusion")
    if texts is None:
        return None
    chances = {i: x or "1" for i, x in zip(rows_of_gold.items, texts, strict=True)}  # for itself
    return chances_of(chances, items, np.arange(len(items)), f"column 'inclusion' of {name}")


def _with_chances_of_strata(gold: Gold, rows_of_gold: ItemRows, votes: Votes) -> Gold:
    """Labels with the chance that the labels of their stratum among these votes had together."""
    strata = _strata(rows_of_gold, votes.items)
    if strata is None or gold.inclusion is None:
        return gold
    hows = np.array(() if gold.waves is None else gold.waves.strategy)
    drawn = hows != UNKNOWN if len(hows) else np.ones(len(gold), bool)
    sizes = np.bincount(strata) - np.bincount(strata[gold.rows[~drawn]], minlength=strata.max() + 1)
    labelled = np.bincount(strata[gold.rows[drawn]], minlength=strata.max() + 1)
    chances = gold.inclusion.copy()
    chances[drawn] = (labelled / np.maximum(sizes, 1))[strata[gold.rows[drawn]]]
    return replace(gold, inclusion=chances)


def _waves(rows_of_gold: ItemRows, items: list[str], name: str) -> Waves | None:
    """Waves that the columns 'wave' and 'strategy' tell; None without both, and the chances."""
    if not {"inclusion", "wave", "strategy"} <= set(rows_of_gold.beside):
        return None
    numbers, hows = (
        dict(zip(rows_of_gold.items, rows_of_gold.beside[c], strict=True)) for c in _WAVES
    )
    pairs = [(numbers[item] or "", folded(hows[item] or "")) for item in items]
    for item, (number, how) in zip(items, pairs, strict=True):
        if (as_number(number) or 0.5) % 1 or how not in STRATEGIES:
            raise DataError(
                f"columns 'wave' and 'strategy' of {parameter(name)} must hold a whole number and one of "
                f"{list(STRATEGIES)}; got {number!r} and {how!r} for {item!r}; take them from what "
                "next wrote"
            )
    if len({number for number, _ in pairs}) < len(set(pairs)):
        raise DataError(
            f"all labels of a wave of {parameter(name)} must have one strategy; got several for "
            "one wave; take them "
            "from what next wrote"
        )
    return Waves(
        np.array([float(number) for number, _ in pairs]).astype(np.int64),
        tuple(h for _, h in pairs),
    )


def _as_labelled(gold: Gold, rows_of_gold: ItemRows) -> Gold:
    """Labels drawn by system with the chance of those that are labelled; of one system an even draw."""
    chances, waves = gold.inclusion, gold.waves
    hows = np.array(() if waves is None else waves.strategy)
    if waves is None or chances is None or {*hows} - {UNKNOWN} != {BY_SYSTEM}:
        return gold
    own = hows == BY_SYSTEM
    if np.ptp(chances[own]) == 0:
        even = tuple("random" if by_system else UNKNOWN for by_system in own.tolist())
        return replace(gold, waves=replace(waves, strategy=even))
    cells = zip(rows_of_gold.beside["inclusion"], rows_of_gold.beside["strategy"], strict=True)
    drawn = Counter(float(cell or 1) for cell, how in cells if how == BY_SYSTEM)
    labelled = Counter(chances[own].tolist())
    exact = chances.copy()
    exact[own] = [x * labelled[x] / max(labelled[x], drawn[x]) for x in chances[own].tolist()]
    return replace(gold, inclusion=exact)


_WAVES = ("wave", "strategy")
STRATEGIES = (*EVEN, BY_SYSTEM, "uncertain", "unequal", UNKNOWN, PICKED)


# --- Two systems' votes and labels, item by item: what the judges say of each difference, what labels say.


UNJUDGED = 2
"""The difference of two verdicts of which one is missing; a stratum of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The items that both systems answered."""

    items: tuple[str, ...]  # in the order of A
    rows_a: Ints  # (n_items,), where each is among the items of A's votes, and of B's
    rows_b: Ints
    panel_a: Panel  # of all items of A's votes, and of B's
    panel_b: Panel
    only_a: tuple[str, ...]  # items that only one of them answered; they take no part
    only_b: tuple[str, ...]
    # (rows,), how many items each row stands for, where those without labels are only counted
    weights: Ints | None = None
    trials: bool = False  # whether items are prompts, of which a system has several outputs

    @property
    def unit(self) -> str:
        """What an item is called in sentences."""
        return "prompt" if self.trials else "item"

    @property
    def n_items(self) -> int:
        """Number of items that both answered."""
        return len(self.rows_a) if self.weights is None else int(self.weights.sum())

    @property
    def each(self) -> Ints:
        """(rows,) how many items each row stands for."""
        return np.ones(len(self.rows_a), np.int64) if self.weights is None else self.weights

    def total(self, rows: NDArray[np.bool_]) -> int:
        """How many items the rows are that are kept."""
        return int(rows.sum() if self.weights is None else self.weights[rows].sum())

    @property
    def verdicts(self) -> NDArray[np.int8]:
        """The panel's verdict on A less that on B; `UNJUDGED` where there is only one."""
        a, b = self.panel_a.verdict[self.rows_a], self.panel_b.verdict[self.rows_b]
        return np.where((a < 0) | (b < 0), UNJUDGED, a - b).astype(np.int8)

    @property
    def credits(self) -> Floats:
        """What the panel credits A with less what it credits B with; NaN where nobody judged one of them."""
        difference: Floats = self.panel_a.credit[self.rows_a] - self.panel_b.credit[self.rows_b]
        return difference

    @property
    def shares(self) -> Floats:
        """The share of votes for A less that for B; the mean of the others where nobody judged."""
        return _filled(self.panel_a.share[self.rows_a] - self.panel_b.share[self.rows_b])


class CountedPairs(NamedTuple):
    """Counted prompts with outputs of two systems: those labelled for both in front, one by one."""

    pairs: Pairs
    cells: (
        Ints  # (rows, 2), of the counts: the cell of the first system's output and of the second's
    )
    n_labelled: int

    @classmethod
    def of(
        cls,
        counts: GroupedSketch,
        cells: Ints,
        prompts: Ints,
        label: object,
        truths: Collection[str] = (),
    ) -> CountedPairs:
        """Pairs of cells (n, 2), of which each stands for so many prompts."""
        both = (human_codes(counts)[cells] != NOT_ANSWERED).all(axis=1)
        each = np.repeat(np.flatnonzero(both), prompts[both])
        rows = np.concatenate([each, np.flatnonzero(~both)])
        weights = np.concatenate([np.ones(len(each), np.int64), prompts[~both]])
        ids, every = RowNumbers.of(len(rows)), np.arange(len(rows))
        votes = [counts.codes[counts.tuples[cells[rows, side]]] for side in (0, 1)]
        a, b = (panel_of(Votes(ids, *counts.axes, own), label, truths=truths) for own in votes)
        return cls(Pairs(ids, every, every, a, b, (), (), weights), cells[rows], len(each))


def human_codes(counts: GroupedSketch) -> Ints:
    """Label of people of each cell, as a position in the labels."""
    if counts.has("human"):
        return counts.split("human").codes
    return np.full(len(counts.cells), NOT_ANSWERED)


def cells_of_pair(counts: GroupedSketch, pair: tuple[str, str]) -> tuple[Ints, Ints]:
    """(n, 2) cells of the first system's output and of the second's, and on how many prompts."""
    assert counts.pairs is not None  # of counts that are paired
    split = counts.split("system")
    cells, prompts = counts.pairs[:, :2], counts.pairs[:, 2]
    systems = split.codes[cells]
    first, second = (split.values.index(name) for name in pair)
    kept = (systems.min(axis=1) == min(first, second)) & (systems.max(axis=1) == max(first, second))
    step = 1 if first < second else -1  # the lower number stands first in counts
    return cells[kept][:, ::step], prompts[kept]


def _filled(values: Floats) -> Floats:
    finite = ~np.isnan(values)
    return np.where(finite, values, values[finite].mean() if finite.any() else 0.0)


def join_systems(
    votes_a: Votes, votes_b: Votes, label: object, truths: Collection[str] = ()
) -> Pairs:
    """Items that both files have, joined by id."""
    panel_a, panel_b = (panel_of(votes, label, truths=truths) for votes in (votes_a, votes_b))
    if votes_a.items == votes_b.items:
        every = np.arange(votes_a.n_items)
        return Pairs(votes_a.items, every, every, panel_a, panel_b, (), ())
    row_of = {item: row for row, item in enumerate(votes_b.items)}
    rows_a = [row for row, item in enumerate(votes_a.items) if item in row_of]
    items = tuple(votes_a.items[row] for row in rows_a)
    if not items:
        raise DataError(
            f"the two systems must have items in common; got for example {votes_a.items[0]!r} and "
            f"{votes_b.items[0]!r}; write the item ids alike in both files"
        )
    rows_b = [row_of.pop(item) for item in items]  # what stays is B's alone
    both = set(items)
    only_a = tuple(item for item in votes_a.items if item not in both)
    rows_of = np.array(rows_a, np.int64), np.array(rows_b, np.int64)
    return Pairs(items, *rows_of, panel_a, panel_b, only_a, tuple(row_of))


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Items labelled for both systems."""

    rows: Ints  # (n,), places in the items of the pairs, increasing
    a: Floats  # (n,), 1 where the system's answer has the label
    b: Floats
    # items labelled for one of the systems only, which say nothing of the difference
    n_one_sided: int = 0
    # (n,), whether some outputs of the item have no label, of items of several outputs; None of others
    partly: NDArray[np.bool_] | None = None
    # of items of several outputs with some label, those of which the one system has more labelled
    uneven: float = 0.0

    @property
    def differences(self) -> Floats:
        """A less B."""
        return self.a - self.b

    def __len__(self) -> int:
        return len(self.rows)


def no_labels() -> Labels:
    """Labels of nothing."""
    return Labels(np.empty(0, np.int64), np.empty(0), np.empty(0))


def join_gold(pairs: Pairs, gold_a: Gold, gold_b: Gold) -> Labels:
    """Labels of the items that are labelled for both systems."""
    a = _by_pair(gold_a, pairs.rows_a, len(pairs.panel_a.items))
    b = _by_pair(gold_b, pairs.rows_b, len(pairs.panel_b.items))
    finite_a, finite_b = ~np.isnan(a), ~np.isnan(b)
    rows = np.flatnonzero(finite_a & finite_b)
    return Labels(rows, a[rows], b[rows], int((finite_a ^ finite_b).sum()))


def join_trials(
    panels: tuple[Panel, Panel],
    prompts: tuple[Sequence[str], Sequence[str]],
    golds: tuple[Gold, Gold],
) -> tuple[Pairs, Labels]:
    """Prompts that both systems answered, once or several times, as items: means over their outputs."""
    names = list(dict.fromkeys(prompts[0]))
    both = {*names} & {*prompts[1]}
    items = tuple(name for name in names if name in both)
    row_of = {name: row for row, name in enumerate(items)}
    codes = [np.array([row_of.get(p, -1) for p in own], np.int64) for own in prompts]
    a, b = (_of_prompts(*of, items) for of in zip(panels, codes, strict=True))
    rows = np.arange(len(items))
    only = [tuple(dict.fromkeys(p for p in own if p not in both)) for own in prompts]
    pairs = Pairs(items, rows, rows, a, b, only[0], only[1], trials=True)
    values, shares = [], []
    for gold, code in zip(golds, codes, strict=True):
        said = np.full(len(code), np.nan)
        said[gold.rows] = gold.values
        values.append(_mean_of_each(said, code, len(items)))
        shares.append(_mean_of_each(np.where(np.isnan(said), 0.0, 1.0), code, len(items)))
    finite = [~np.isnan(own) for own in values]
    kept, some = np.flatnonzero(finite[0] & finite[1]), finite[0] | finite[1]
    labels = Labels(
        kept,
        values[0][kept],
        values[1][kept],
        n_one_sided=int((finite[0] ^ finite[1]).sum()),
        partly=np.minimum(*shares)[kept] < 1,
        uneven=float((shares[0] != shares[1])[some].mean()) if some.any() else 0.0,
    )
    return pairs, labels


def _of_prompts(panel: Panel, codes: Ints, items: tuple[str, ...]) -> Panel:
    """Panel of prompts: shares and credits are means over the outputs that somebody judged."""
    n = len(items)
    share, credit = (_mean_of_each(own, codes, n) for own in (panel.share, panel.credit))
    answered = np.bincount(codes[codes >= 0], panel.answered[codes >= 0], n).astype(np.int64)
    verdict = np.where(np.isnan(credit), -1, credit > 0.5).astype(np.int8)
    own = replace(panel, items=items, groups=(), verdict=verdict, answered=answered)
    return replace(own, share=share, credit=credit)


def _mean_of_each(values: Floats, codes: Ints, n: int) -> Floats:
    """Mean of the values of each code, without NaN; NaN where there is none."""
    kept = (codes >= 0) & ~np.isnan(values)
    sums = np.bincount(codes[kept], values[kept], n)
    counts = np.bincount(codes[kept], minlength=n)
    mean: Floats = np.divide(sums, counts, out=np.full(n, np.nan), where=counts > 0)
    return mean


def _by_pair(gold: Gold, rows: Ints, n_items: int) -> Floats:
    values = np.full(n_items, np.nan)
    values[gold.rows] = gold.values
    return np.asarray(values[rows])


def inclusion_of(
    inclusion: Any, golds: tuple[Gold, Gold], pairs: Pairs, labels: Labels
) -> Floats | None:
    """Chance of each labelled item: as given, or from a column of the labels; None without."""
    chances = _chances_beside(golds, pairs) if inclusion is None else inclusion
    return None if chances is None else chances_of(chances, pairs.items, labels.rows)


def _chances_beside(golds: tuple[Gold, Gold], pairs: Pairs) -> dict[str, float] | None:
    chances: dict[str, float] = {}
    for gold, panel in zip(golds, (pairs.panel_a, pairs.panel_b), strict=True):
        if gold.inclusion is not None:
            pairs_of = zip(gold.rows.tolist(), gold.inclusion.tolist(), strict=True)
            chances |= {panel.items[row]: chance for row, chance in pairs_of}
    return chances or None


_OUTPUTS = ("output", "response", "answer", "text", "completion", "generation")


def same_outputs(pairs: Pairs, outputs_a: Any, outputs_b: Any) -> NDArray[np.bool_] | None:
    """Where the two systems put out exactly the same, None where outputs were not given.

    An item without an output in either is taken to differ.
    """
    if outputs_a is None and outputs_b is None:
        return None
    if outputs_a is None or outputs_b is None:
        raise DataError(
            "outputs of both systems must be given, or of neither; got those of one; pass "
            f"{option('outputs_a')} and "
            f"{option('outputs_b')}"
        )
    a = _outputs(outputs_a, pairs.panel_a.items, "outputs_a")
    b = _outputs(outputs_b, pairs.panel_b.items, "outputs_b")
    shared = [item in a and item in b for item in pairs.items]
    if not any(shared):
        raise DataError(
            f"{parameter('outputs')} must be of the items voted on; got none, for example of "
            f"{pairs.items[0]!r}; write "
            "the item ids alike"
        )
    return np.array(
        [k and a[item] == b[item] for k, item in zip(shared, pairs.items, strict=True)], bool
    )


def _outputs(outputs: Any, items: Sequence[str], name: str) -> dict[str, Any]:
    if isinstance(outputs, Mapping) and not set(map(str, outputs)).isdisjoint(items):
        texts = {str(item): text for item, text in outputs.items()}
    elif isinstance(outputs, list | tuple) and not any(isinstance(o, Mapping) for o in outputs):
        if len(outputs) != len(items):
            raise DataError(
                f"{parameter(name)} must hold one output per item ({len(items)}); got "
                f"{len(outputs)}; or pass "
                "{item: output}"
            )
        texts = dict(zip(items, outputs, strict=True))
    else:
        rows = read_item_rows(outputs, name, _OUTPUTS, items=items)
        texts = dict(zip(rows.items, rows.values, strict=True))
    return {item: text for item, text in texts.items() if text is not None}


def left_out(names: tuple[str, str], pairs: Pairs) -> tuple[str, ...]:
    """Sentence per system on the items that it alone answered."""
    sentences = []
    for name, only in zip(names, (pairs.only_a, pairs.only_b), strict=True):
        if only:
            sentences.append(
                f"{how_many(len(only), pairs.unit)} of {name} alone left out: {shown(only, 3)}"
            )
    return tuple(sentences)


# --- Labels of two systems' answers to the same items, in one table.


_NAMES_OF_BOTH = ("truth", "gold", "label", "key", "answer", "human")


def read_both(gold: Any, votes: tuple[Votes, Votes], label: object) -> tuple[Gold, Gold]:
    """Labels of each system.

    `gold`: with columns item, truth_a and truth_b, and perhaps inclusion; or the keys of both votes.
    """
    if isinstance(gold, str) and gold == "key":
        a, b = (read_gold(gold, of, label, split=True) for of in votes)
        return a, b
    check_letters(gold, "ab")
    return read_side(gold, "a", votes[0], label), read_side(gold, "b", votes[1], label)


def check_letters(gold: Any, letters: str) -> None:
    """Refuse labels of one system, which would be taken for the others' too."""
    if values_of(gold) is not None:
        raise DataError(
            f"{parameter('human')} must be a table with a column of labels for each system; got one "
            f"{type(gold).__name__}; "
            f"give each system's labels apart, as {option('human_a')} and {option('human_b')} of two"
        )
    columns = _columns(gold)
    if any(match(columns, _names(letter)) is None for letter in letters):
        wanted = ", ".join(f"truth_{letter}" for letter in letters)
        got = shown(columns, 4) if columns else "{item: label}"
        raise DataError(
            f"{parameter('human')} must be a table with columns item, {wanted}, one of each system; "
            f"got {got}; rename "
            "them, or give each system's labels apart"
        )


def _columns(gold: Any) -> list[str]:
    """Names of a table's columns; none where it is {item: label}."""
    if is_waves(gold):
        first, *rest = map(_columns, gold)
        return [name for name in first if all(name in names for names in rest)]
    if not isinstance(gold, Mapping):
        return list(open_table(gold).names)
    held = all(isinstance(c, list | tuple) or hasattr(c, "shape") for c in gold.values())
    return [str(name) for name in gold] if held else []


def _names(letter: str) -> tuple[str, ...]:
    """Names by which the column of a system's labels is known."""
    return (*(f"{word}_{letter}" for word in _NAMES_OF_BOTH), letter)


def read_side(gold: Any, letter: str, votes: Votes, label: object) -> Gold:
    """Labels of one system from a table of all, where a is the first system."""
    rows = read_item_rows(gold, "human", _names(letter), ("inclusion",), votes.items)
    return read_gold(rows, votes, label, name=f"human of {letter}", split=True)


# --- Items that belong together: responses to one prompt, turns of one conversation, epochs.


_NAMES_OF_CLUSTERS = (
    "cluster",
    "group",
    "prompt",
    "prompt_id",
    "question",
    "conversation",
    "pair",
    "document",
)


def cluster_codes(cluster: Any, items: Sequence[str]) -> Ints:
    """Cluster of each item as a number from 0, in order of first appearance.

    `cluster`: {item: cluster}; a path or table with a column of items and one of clusters; or one cluster
    per item, in their order.
    """
    names = _of_items(cluster, items)
    number: dict[str, int] = {}
    return np.array([number.setdefault(name, len(number)) for name in names], np.int64)


def _of_items(cluster: Any, items: Sequence[str]) -> list[str]:
    if _is_plain(cluster) and not getattr(values_of(cluster), "has_ids", False):
        if len(cluster) != len(items):
            raise DataError(
                f"{parameter('cluster')} must hold one value per item ({len(items)}); got "
                f"{len(cluster)}; or pass "
                "{item: cluster}"
            )
        values = [None if value is None else str(value) for value in cluster]
    else:
        rows_of_cluster = read_item_rows(cluster, "cluster", _NAMES_OF_CLUSTERS, items=items)
        cluster_of = dict(zip(rows_of_cluster.items, rows_of_cluster.values, strict=True))
        values = [cluster_of.get(item) for item in items]
    lacking = [item for item, value in zip(items, values, strict=True) if value is None]
    if lacking:
        raise DataError(
            f"every item must belong to a cluster; {how_many(len(lacking), 'item')} without one: "
            f"{shown(lacking, 3)}; give each its own name if it stands alone"
        )
    return [value or "" for value in values]


def _is_plain(cluster: Any) -> bool:
    """Whether it is one value per item, and no table."""
    if isinstance(cluster, str | Mapping) or hasattr(cluster, "columns"):
        return False
    if hasattr(cluster, "tolist"):
        return getattr(cluster, "ndim", 1) == 1
    return isinstance(cluster, list | tuple) and not any(
        isinstance(value, Mapping) for value in cluster
    )
