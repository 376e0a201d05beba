"""`read_results`: a results table as what it is, outputs with judges, people, systems and texts."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.data import NOT_ANSWERED, Scores, Votes
from algeval.data.names import (
    EVEN,
    AtMost,
    Caution,
    Codes,
    CutNote,
    FrameRows,
    RowNumbers,
    SaidBy,
    counted_by_cut,
    folded,
    is_sparse,
    natural_order,
    other_side,
    side_of,
    with_absent,
)
from algeval.data.scores import is_percentage, of_scale
from algeval.data.votes import BothOrders, GroupedSketch, Grouping, OfPrompts, Texts
from algeval.errors import DataError, either_way, option
from algeval.io.answers import (
    NUMBERED,
    Column,
    Positions,
    Question,
    ReadOptions,
    Rules,
    Slip,
    answered,
    as_number,
    commas_in,
    cut_at,
    cut_column,
    cut_like_scores,
    cuts_of,
    first_apart,
    is_at_most,
    is_crowd,
    label_of_number,
    look_like_scores,
    mixes_truths,
    people_of,
    refuse_other_scale,
    saved_reading,
    slip_note,
    slips_among,
    tidy,
    upper_half,
    without_commas,
)
from algeval.io.evidence import (
    BAD_LABELS,
    CRITERIA,
    GOOD_LABELS,
    MACHINE,
    MODELS,
    OPPOSITES,
    PAIR,
    ROLES,
    SAID,
    SAYS_NO,
    SYSTEM,
    VERDICT_WORDS,
    Evidence,
    is_adjudicated,
    is_bad_news,
    is_binary,
    names_a_verdict,
    stems,
)
from algeval.io.formats import is_there
from algeval.io.items import KeySource, judge_columns, key_source
from algeval.io.journal import DRAWN
from algeval.io.layout import (
    SHARED_BY_OUTPUTS,
    WINNER,
    ColumnRoles,
    Layout,
    export_of,
    find_layout,
    fold_one_hot,
    item_columns,
    shown,
    words_of,
)
from algeval.io.reading import NAMING, scores_in, scores_of_table, votes_of_table
from algeval.io.roles import (
    APART,
    CHECKED,
    CHOSEN,
    NO_GRADE,
    OF_RATERS_WHO_ARE_PEOPLE,
    SIDES,
    UNLIKE_HUMAN,
    Roles,
    Stated,
    good_label,
    pieces,
    repeated_blocks,
    roles_in_file,
    roles_of,
)
from algeval.io.tables import Index, Table
from algeval.result import exact
from algeval.result.numbers import did_you_mean, how_many
from algeval.result.tables import Table as Grid

_NO_INDEX = Index()
_NUMBERS = ("judge", "score", "human", "answer", "covariate")
"""Roles of columns that may hold numbers written with commas."""
Cells = tuple[
    tuple[str, ...], Positions
]  # distinct texts, and which of them each item has (-1: none)


@dataclass(slots=True)
class _View:
    """Columns made for the reader of votes: ids, a column per judge, what people said."""

    columns: dict[str, Column]
    n_rows: int
    notes: tuple[str, ...] = ()
    index: Index = _NO_INDEX
    weights: Positions | None = None

    whys: Mapping[str, str] = field(default_factory=dict)
    """What the columns are that the table had not, as people must not say."""
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.names = tuple(self.columns)

    def column(self, name: str) -> Column:
        """One of the columns."""
        return self.columns[name]

    def same_values(self, name: str) -> Positions | None:
        """Rows with the same value."""
        return self.columns[name].codes


def occurring(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Codes that occur, in order; -1 is none."""
    return np.flatnonzero(np.bincount(codes + 1)[1:]).astype(np.int64)


def own_say_more(both: int, each: tuple[int, int], fewest: int) -> bool:
    """Whether labels of two systems say something of each, and nothing of pairs of outputs."""
    return not both and (sum(each) >= fewest or min(each) > 0)


_FEWEST_PROMPTS = 3  # over which mean scores of two systems are compared
_MOST_OF_MEANS = 4  # judges whose means are said in a sentence


def _mean_with_interval(x: NDArray[np.float64]) -> tuple[float, float, float, int]:
    """Mean, the ends of its 95% interval by Student's t, and how many numbers there are."""
    from scipy.special import stdtrit

    n = len(x)
    half = float(stdtrit(n - 1, 0.975)) * float(x.std(ddof=1)) / n**0.5
    mean = float(x.mean())
    return mean, mean - half, mean + half, n


PEOPLE = "people"
"""The column beside labels of what each of several people said of an item."""


class Pooled(Caution):
    """The note that outputs of several systems are taken together."""


@dataclass(frozen=True, eq=False)
class Results:
    """A results table: outputs that were judged, by whom, and what else is known of them.

    Attributes
    ----------
    name : str
        The file, or the kind of the frame.
    items : tuple of str
        Ids of the outputs; row numbers where no column holds any.
    roles : {column: role}
        item, prompt, text, judge, human, system, trial, swap, covariate, slice, time, score, reason,
        ignored; of a long table also rater and answer.
    columns : data frame
        A row per column of the table: column, role, why, coverage, example.
    votes : Votes
        The judges' verdicts, with what people said as their key.
    human : {item: label or None}
        What people said, one label an item: the adjudicated one, else that of most people; None where they
        are split.
    systems : tuple of str
        Whose outputs were judged, in the order met; empty where no column says.
    good : str or None
        The label a rate counts, None where it cannot be told.
    notes : tuple of str
        What reading did, a sentence each.

    Examples
    --------
    >>> import algeval as ae
    >>> rows = {"output_id": ["a", "b"], "gpt4o": ["pass", "fail"], "human": ["pass", None]}
    >>> results = ae.read_results(rows)
    >>> results.roles, results.human
    ({'output_id': 'item', 'gpt4o': 'judge', 'human': 'human'}, {'a': 'pass'})
    """

    name: str
    items: tuple[str, ...]
    reading: Roles = field(repr=False)
    options: ReadOptions = field(repr=False)
    table_notes: tuple[str, ...] = field(repr=False)
    judged: dict[str, Cells] = field(repr=False)
    scored: dict[str, Cells] = field(repr=False)
    said: dict[str, Cells] = field(repr=False)  # by people, a column each
    rows: Positions = field(
        repr=False
    )  # (n_items,) a row of the table that has what is known of an item
    system_of: tuple[str, ...] = field(default=(), repr=False)  # (n_items,) where there are several
    repeats: tuple[str, ...] = field(
        default=(), repr=False
    )  # what repeated judgements say, a sentence each
    n_trials: int = 1
    settled: tuple[str, ...] = field(default=(), repr=False)  # columns whose bad answer is known
    drawn: tuple[Texts, ...] = field(default=(), repr=False)  # how labelled items were drawn
    label_notes: tuple[str, ...] = field(default=(), repr=False)  # on labels that were joined
    by_answer: frozenset[str] = field(
        default=frozenset(), repr=False
    )  # columns of verdicts on pairs that name the answer, whatever its place
    runs: dict[str, tuple[Cells, Positions]] = field(
        default_factory=dict, repr=False
    )  # of each judge that judged outputs more than once: its verdicts, and the item of each
    turned: NDArray[np.bool_] | None = field(
        default=None, repr=False
    )  # of verdicts in `runs` on pairs in both orders: whether the pair was shown exchanged
    counts: GroupedSketch | None = field(
        default=None, repr=False
    )  # of all rows of a large table, of which these are those with a human label

    # --- roles

    @property
    def roles(self) -> dict[str, str]:
        """{column: role}."""
        return {name: decision.role for name, decision in self.reading.decided.items()}

    @property
    def n_items(self) -> int:
        """Number of outputs."""
        return len(self.items) if self.counts is None else self.counts.n_items

    @property
    def layout(self) -> str:
        """Layout: wide, long, pairwise (in whichever rows), or systems side by side."""
        return "pairwise" if self.pairs_in_rows else self.reading.layout

    @property
    def columns(self) -> Any:
        """Data frame of the columns: column, role, why, coverage (share of rows filled), example."""
        return columns_frame(self.reading)

    def __str__(self) -> str:
        return f"{self.headline()}\n{columns_text(self.reading)}"

    def headline(self, labelled: int | None = None) -> str:
        """One line: outputs, systems, judges, human answers, the good label.

        `labelled` : outputs that people labelled, where their labels are not of the table.
        """
        prompts = self.reading.named("prompt")
        parts = [how_many(self.n_items, "pair" if self.layout == "pairwise" else "output")]
        if self.reading.item:
            parts[0] += f" ({', '.join(self.reading.item)})"
        if prompts and self.n_prompts < len(self.items):
            parts[0] += f" of {how_many(self.n_prompts, 'prompt')}"
        if self.systems:
            parts[0] += (
                f", systems {', '.join(self.systems[:6])}{', ...' if self.systems[6:] else ''}"
            )
        uncut = self.options.cut is None
        n = (len(self.judged) or len(self.scored)) if uncut else len(self.voting)
        kind = " with scores" if uncut and not self.judged else ""
        parts.append(how_many(n, "judge") + kind if n else "no judge")
        labelled = len(self.human) if self.said or labelled is None else labelled
        if labelled:
            parts.append(f"{how_many(labelled, 'human answer')} ({labelled / self.n_items:.0%})")
        else:
            parts.append("no human answers")
        if self.counted:
            parts.append(f"an output {self.counted} is good")
        elif self.good:
            parts.append(f"'{self.good}' is the good label")
        return f"{self.name}: {'; '.join(parts)}"

    @property
    def n_labelled(self) -> int:
        """Number of outputs with a label of people, who are not split on it."""
        return sum(label is not None for label in self.human.values())

    @property
    def n_prompts(self) -> int:
        """Number of distinct prompts."""
        column = next((self.reading.columns[n] for n in self.reading.named("prompt")), None)
        if column is None:
            return len(self.items)
        codes = column.codes[self.rows]
        return len(occurring(codes)) + bool((codes < 0).any())

    # --- data

    @cached_property
    def rules(self) -> Rules:
        """How cells of judges and people are read."""
        missing = self.options.missing
        words = [missing] if isinstance(missing, str) else [*(missing or ())]
        verdicts = [*self.reading.named("judge", "human", "answer"), *self.reading.grid]
        columns = [self.reading.columns[name] for name in verdicts]
        mixed = mixes_truths(t for c in (*self.judged.values(), *self.said.values()) for t in c[0])
        named = self.options.exact_labels or self.options.labels is not None
        absent = {word for c in columns for word in c.absent}
        if any(column.none_is_label for column in columns):
            absent.discard("none")
        return Rules.make(
            [*words, *sorted(absent)] or missing,
            self.options.labels,
            self.options.cut,
            self.options.exact_labels,
            _renamed(self.options) or (NUMBERED if mixed and not named else None),
        )

    @cached_property
    def human(self) -> dict[str, str | None]:
        """{item: label} of the items that people answered; None where they are split."""
        texts, codes = self._person
        spelled = [*texts, None]
        answered = np.zeros(len(self.items), bool)
        for cells in self.said.values():
            answered |= _shared_codes(cells, {}) >= 0
        rows = np.flatnonzero(answered).tolist()
        return {self.items[row]: spelled[codes[row]] for row in rows}

    @cached_property
    def _person(self) -> Cells:
        """What people said of each item: the adjudicated label, else that of most."""
        if not self.said:
            return (), np.full(len(self.items), NOT_ANSWERED, np.int64)
        first = [n for n in self.said if is_adjudicated(n)]
        rest = [n for n in self.said if n not in first]
        texts, codes = _most([self.said[n] for n in first or rest], len(self.items), self.rules)
        if not first or not rest:
            return texts, codes
        others, more = _most([self.said[n] for n in rest], len(self.items), self.rules)
        joined = tuple(dict.fromkeys((*texts, *others)))
        lookup = {text: k for k, text in enumerate(joined)}
        look = np.array([*(lookup[t] for t in others), -1])
        own = np.array([*(lookup[t] for t in texts), -1])[codes]
        return joined, np.where(own >= 0, own, look[more])

    @cached_property
    def beside_labels(self) -> tuple[Texts, ...]:
        """How labelled items were drawn, and what each of several people said, where nobody adjudicated."""
        names = [n for n in self.said if not is_adjudicated(n)]
        if len(names) < 2:
            return self.drawn
        table = np.stack([self.said[n][1] for n in names], axis=1)
        first = [self.said[n] for n in self.said if n not in names]
        over = _most(first, len(self.items), self.rules)[1] >= 0
        table[over] = NOT_ANSWERED
        answers = [[*map(self.rules.answer, self.said[n][0]), None] for n in names]
        patterns, of = np.unique(table, axis=0, return_inverse=True)
        cells = []
        for codes in patterns.tolist():
            said = {
                n: a[c] for n, a, c in zip(names, answers, codes, strict=True) if a[c] is not None
            }
            cells.append(json.dumps(said) if len(said) > 1 else None)
        return (*self.drawn, Texts(PEOPLE, tuple(np.array(cells, object)[of.ravel()])))

    @cached_property
    def people_agree(self) -> tuple[float, int] | None:
        """Share of pairs of people's answers to one item that agree, and how many items have two."""
        if len(self.said) < 2:
            return None
        names: dict[str, int] = {}
        said = [_translated(c, [self.rules.answer(t) for t in c[0]]) for c in self.said.values()]
        table = np.stack([_shared_codes(cells, names) for cells in said], axis=1)
        several = (table >= 0).sum(axis=1) > 1
        if not several.any():
            return None
        same = pairs = 0
        for j in range(table.shape[1]):
            for k in range(j):
                both = (table[:, j] >= 0) & (table[:, k] >= 0)
                pairs += int(both.sum())
                same += int((table[both, j] == table[both, k]).sum())
        return same / pairs, int(several.sum())

    @cached_property
    def votes(self) -> Votes:
        """The judges' verdicts item by item, with what people said as the key."""
        if not self.judged and (uncut := self._where_to_cut()) is not None:
            uncut.compared = self.mean_scores
            raise uncut
        judged = self.voting
        if not judged and self.said and not self._may_hold_judges:
            return self._of_people_alone()
        if not judged:
            aside = self._may_hold_judges if self.said else []
            or_none = (
                f", or say that these are none: {answered('covariate', *aside)}" if aside else ""
            )
            raise DataError(
                f"{self.name} must have a column of a judge's verdicts; got none in "
                f"{shown(list(self.reading.columns))}; name them with {option('judges')}{or_none}"
            )
        view, roles, truth = self._view(judged, strict=self.options.labels is None)
        rules = self._without_names_of_people(judged, self._rules_with(judged))
        votes, _ = votes_of_table(view, roles, rules, truth)
        caution = (Pooled(self.pooled),) if self.pooled else ()
        notes = (*votes.notes, *self.notes, *caution)
        return replace(
            votes,
            notes=notes,
            groupings=self._groupings(),
            texts=self._texts(),
            drawn=self.beside_labels if self.said else (),
            again=self._in_both_orders(votes),
        )

    @property
    def _may_hold_judges(self) -> list[str]:
        """Columns under names that say nothing, which may be verdicts or scores of judges."""
        whys = (NO_GRADE, APART)
        return [n for n, d in self.reading.decided.items() if d.why.startswith(whys)]

    def _of_people_alone(self) -> Votes:
        """What people said of the outputs, which no judge judged."""
        texts, codes = self._person
        said = [self.rules.answer(text) for text in texts]
        seen = natural_order({text for text in said if text is not None})
        if look_like_scores(seen) and not self.options.exact_labels:
            raise _where_people_pass(seen, self)
        labels = with_absent(self.rules.labels or seen, self.options.good)
        if not labels:
            raise DataError(
                f"people must have labelled something, as no judge judged; got no label in "
                f"{shown(list(self.said))}; label outputs drawn at random: algeval label"
            )
        spelled = {folded(label): k for k, label in enumerate(labels)}
        look = [NOT_ANSWERED if t is None else spelled.get(folded(t), NOT_ANSWERED) for t in said]
        key = np.array([*look, NOT_ANSWERED], np.int16)[codes]
        caution: list[str] = [Pooled(self.pooled)] if self.pooled else []
        return Votes(
            *(self.items, (), tuple(labels), tuple(labels)),
            np.empty((len(self.items), 0), np.int16),
            key,
            (*self.table_notes, *self.notes, *map(Caution, caution)),
            self._groupings(),
            self._texts(),
            self.beside_labels,
        )

    def _in_both_orders(self, votes: Votes) -> Codes | None:
        """Verdicts in either order on pairs judged in both; None where they do not fold to the votes."""
        if not (self.reading.pairs and self.reading.named("swap")) or is_sparse(votes.codes):
            return None
        trials = self.trials
        if not trials or any(own.n_judges > 2 for own in trials.values()):
            return None
        again = np.full((*votes.codes.shape, 2), NOT_ANSWERED, votes.codes.dtype)
        again[:, :, 0] = votes.codes
        index = {folded(answer): k for k, answer in enumerate(votes.answers)}
        for judge, own in trials.items():
            if judge not in votes.judges or len(own.codes) != votes.n_items:
                return None
            look = np.array([*(index.get(folded(a), NOT_ANSWERED) for a in own.answers), -1])
            again[:, votes.judges.index(judge)] = look[own.codes]
        first, second = again[:, :, 0], again[:, :, 1]
        steady = (first == second) | (second < 0)
        return again if (np.where(steady, first, votes.codes) == votes.codes).all() else None

    def _without_names_of_people(self, judged: dict[str, Cells], rules: Rules) -> Rules:
        """Rules without new names of answers that only people gave, who have them already."""
        if not rules.renamed or not self.said:
            return rules
        own = {rules.form(t) for texts, _ in judged.values() for text in texts if (t := tidy(text))}
        theirs = {*self._person[0]}
        kept = {old: new for old, new in rules.renamed.items() if old in own or new not in theirs}
        return replace(rules, renamed=kept)

    def _where_to_cut(self) -> DataError | None:
        """The question from where on scores are good, where they are no labels or people say words."""
        if not self.holds_scores or self.options.labels is not None or self.options.exact_labels:
            return None
        scores = self.scores
        said = {text for text in self._person[0] if self.rules.answer(text) is not None}
        words = said == {"0", "1"} or any(as_number(text) is None for text in said)
        distinct = {text for texts, _ in self.scored.values() for text in texts}
        many = look_like_scores(distinct)
        if scores is None or not (words or many or on_several_scales(scores)):
            return None
        return where_to_cut(scores, self.name)

    @cached_property
    def score_differences(self) -> dict[str, tuple[float, float, float, int]]:
        """{judge: mean score of the second of two systems less that of the first, ends, prompts}.

        The 95% interval is that of Student's t over prompts that have scores of both, and is about prompts
        like these; each system's score of a prompt is the mean over its outputs. Only where three prompts
        or more have both.
        """
        if len(self.by_system) != 2 or not self.holds_scores:
            return {}
        made: dict[str, tuple[float, float, float, int]] = {}
        means: list[dict[str, dict[str, float]]] = []
        for part, prompts in zip(self.by_system.values(), self._prompts_by_system, strict=True):
            scores = part.scores
            if scores is None:
                return {}
            names, of = np.unique(prompts, return_inverse=True)
            own: dict[str, dict[str, float]] = {}
            for judge, values in zip(scores.judges, scores.values.T, strict=True):
                kept = ~np.isnan(values)
                n = np.bincount(of[kept], minlength=len(names))
                total = np.bincount(of[kept], values[kept], minlength=len(names))
                own[judge] = {str(names[k]): float(total[k] / n[k]) for k in np.flatnonzero(n)}
            means.append(own)
        for judge in means[0].keys() & means[1].keys():
            first, second = (own[judge] for own in means)
            both = [second[prompt] - first[prompt] for prompt in first if prompt in second]
            if len(both) >= _FEWEST_PROMPTS:
                made[judge] = _mean_with_interval(np.array(both))
        return {judge: made[judge] for judge in means[0] if judge in made}

    @property
    def mean_scores(self) -> str:
        """Sentence on the mean scores of two systems, judge by judge; empty where there is none."""
        differences = self.score_differences
        if not differences:
            return ""
        first, second = self.by_system
        parts = [
            f"{judge} {mean:+.3g} ({low:+.3g} to {high:+.3g})"
            for judge, (mean, low, high, _) in [*differences.items()][:_MOST_OF_MEANS]
        ]
        n = max(prompts for *_, prompts in differences.values())
        more = "; ..." if len(differences) > _MOST_OF_MEANS else ""
        return (
            f"Mean score of {second} less that of {first}, prompt by prompt: {', '.join(parts)}{more}; 95% "
            f"intervals, {n} prompts. So judges say, who may favour a system"
        )

    @property
    def trials(self) -> dict[str, Votes]:
        """{judge: votes} of judges that judged outputs more than once, a column a repeat."""
        made = {}
        for judge, ((texts, codes), of_row) in self.runs.items():
            kept = codes >= 0
            codes, of_row = codes[kept], of_row[kept]
            order = np.argsort(of_row, kind="stable")
            ends = np.flatnonzero(np.diff(of_row[order], prepend=-1))
            position = np.arange(len(order)) - np.repeat(ends, np.diff(np.append(ends, len(order))))
            columns = {}
            for k in range(int(position.max(initial=-1)) + 1):
                rows = order[position == k]
                column = np.full(len(self.items), NOT_ANSWERED, np.int64)
                column[of_row[rows]] = codes[rows]
                columns[f"{judge} {k + 1}"] = (texts, column)
            if len(columns) > 1:
                own = replace(self, judged=columns, said={}, scored={}, runs={})
                view, roles, truth = own._view(columns)
                made[judge] = votes_of_table(view, roles, own.rules, truth)[0]
        return made

    @property
    def rules_of_votes(self) -> Rules:
        """How cells of these judges are read, with labels that only people gave."""
        return self._rules_with(self.judged)

    def _rules_with(self, judged: dict[str, Cells]) -> Rules:
        """Rules whose labels are also those that only people gave."""
        if self.rules.labels is not None or not self.said:
            return self.rules
        form, own = self.rules.form, dict[str, str]()
        for texts, codes in judged.values():
            for code in occurring(codes).tolist():
                answer = self.rules.answer(texts[code])
                if answer is not None:
                    own.setdefault(form(answer), answer)
        people = (self.rules.answer(t) for texts, _ in self.said.values() for t in texts)
        more = {f: t for t in people if t and (f := form(t)) not in own}
        if not more or len(own) > 12 or len(more) > _MOST_MORE or self.rules.cut is not None:
            return self.rules
        return replace(self.rules, labels=natural_order([*own.values(), *more.values()]))

    @property
    def pooled(self) -> str:
        """Sentence that outputs of several systems stand together, where they do."""
        if len(self.systems) < 2 or self.layout == "pairwise":
            return ""
        return (
            f"outputs of {how_many(len(self.systems), 'system')} ({', '.join(self.systems[:4])}"
            f"{', ...' if self.systems[4:] else ''}) are taken together; read_results(...).split('system') "
            "has each"
        )

    @property
    def voting(self) -> dict[str, Cells]:
        """The columns of judges whose verdicts are votes: labels, and scores where they are cut."""
        judged = dict(self.judged)
        if self.options.cut is not None or not judged:
            judged |= self.scored
            order = [*self.reading.columns]
            judged = dict(
                sorted(judged.items(), key=lambda p: order.index(p[0]) if p[0] in order else 0)
            )
        return judged

    @property
    def holds_scores(self) -> bool:
        """Whether judges gave numbers, and no option makes labels of them."""
        judged = [self.reading.columns[name] for name in self.judged if name in self.roles]
        grades = all(column.numeric and set(column.labels) != {"0", "1"} for column in judged)
        return bool(self.scored) and grades and self.options.cut is None

    def has_judges(self, columns: Iterable[str]) -> bool:
        """Whether every judge that was named is a column, or a judge of the votes."""
        names = self.options.judges or ()
        absent = {*([names] if isinstance(names, str) else map(str, names))} - {*columns}
        return absent <= {*self.judged, *self.scored, *self.said}

    @cached_property
    def preferences(self) -> dict[str, Cells]:
        """Winners of pairs by columns of numbers from 1, the first is better, to 2, the second is."""
        winners: dict[str, Cells] = {}
        for name, (texts, codes) in self.scored.items() if self.layout == "pairwise" else ():
            value = np.array([float(text) for text in texts])
            if value.min() >= 1 and value.max() <= 2:
                side = np.where(value > 1.5, 1, np.where(value < 1.5, 0, 2))  # 2: a tie
                winners[name] = (("1", "2", "tie"), np.array([*side, NOT_ANSWERED])[codes])
        return winners

    @property
    def names_winners(self) -> bool:
        """Whether judges or people say who won pairs of systems."""
        decided = self.judged or self.said or self.preferences
        return self.layout == "pairwise" and bool(decided)

    @property
    def pairs_in_rows(self) -> bool:
        """Whether rows of a long table say which of two systems won, a rater each."""
        return says_winners(self.reading)

    @property
    def is_graded(self) -> bool:
        """Whether judges give numbers, cut or not, so that people's labels may be on a scale of their own."""
        cut = any(isinstance(note, CutNote) for note in self.repeats)
        columns = [*self.judged.values(), *self.scored.values()]
        return bool(columns) and (
            cut
            or self.options.cut is not None
            or any(_numbers_of(self, c) is not None for c in columns)
        )

    def as_scores(self) -> Results:
        """Results in which all numbers of judges are scores, however few."""
        columns = {**self.judged, **self.scored}
        numbers = {n: c for n, c in columns.items() if None not in map(as_number, c[0])}
        return replace(self, scored=numbers, judged={})

    @cached_property
    def scores(self) -> Scores | None:
        """The judges' scores, and grades beside them; None where no column holds any."""
        if not self.scored:
            return None
        judged = self.scored | (self.judged if self.holds_scores else {})
        order = [name for name in self.reading.columns if name in judged]
        judged = {name: judged[name] for name in (order if len(order) == len(judged) else judged)}
        view, roles, truth = self._view(judged, self.covariates)
        layout = find_layout(view, roles)
        scores = scores_of_table(view, roles, layout, truth, self.options.missing)[0]
        if scores.key is None:
            return scores
        means = self._mean_of_people()
        if means is not None:
            return replace(scores, key=means, key_kind="number")
        if scores.key_kind == "class":
            texts = [None if k is None else str(k) for k in scores.key]
            named = tuple(dict.fromkeys(text for text in texts if text is not None))
            classes = dict(zip(named, self._as_classes(named), strict=True))
            key = tuple(None if text is None else classes[text] for text in texts)
            words = {code: text for text, code in classes.items()}
            spelled = (words["0"], words["1"]) if {*words} == {"0", "1"} else None
            spelled = None if spelled == ("0", "1") else spelled
            return replace(scores, key=key, key_words=spelled)
        return scores

    def _as_classes(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        """People's two words for good and bad outputs as "1" and "0", as scores that are cut have them."""
        good = self._word_for_good(texts)
        forms = [folded(text) for text in texts]
        if len(texts) != 2 or good not in forms:
            return texts
        return tuple(str(int(form == good)) for form in forms)

    def _word_for_good(self, said: Sequence[str]) -> str | None:
        """The word of people, folded, that the upper half of good scores has, whichever is to be counted.

        By what words and columns are called, and as `good` states where these do not tell.
        """
        people = [c for n in self.said if (c := self.reading.columns.get(n)) is not None]
        if is_binary(said) and people and all(column.is_bad_news for column in people):
            return next((folded(word) for word in said if folded(word) in SAYS_NO), None)
        stated = self.options.good
        return good_label(said, self._verdicts) or (None if stated is None else folded(str(stated)))

    def _mean_of_people(self) -> tuple[float | None, ...] | None:
        """Mean of people's numbers of each item; None where there are fewer than two people, or words."""
        first = [name for name in self.said if is_adjudicated(name)] or list(self.said)
        if len(first) < 2:
            return None
        columns = []
        for texts, codes in (self.said[name] for name in first):
            numbers = [as_number(text) for text in texts]
            if None in numbers:
                return None
            columns.append(np.array([*numbers, np.nan], float)[codes])
        values = np.stack(columns)
        said = ~np.isnan(values)
        sums, n = np.where(said, values, 0).sum(axis=0), said.sum(axis=0)
        return tuple(float(s / k) if k else None for s, k in zip(sums, n, strict=True))

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels that judges or people gave."""
        if self.counts is not None:
            return self.counts.labels
        if self.judged or self.options.cut is not None:
            return self.votes.labels
        texts = [t for t in self._person[0] if self.rules.answer(t) is not None]
        return tuple(sorted(texts))

    @property
    def good(self) -> str | None:
        """The label a rate counts, in the judges' spelling; None where it cannot be told."""
        if self.options.cut is not None and not self.judged:
            return "1"
        if self.options.good is not None:
            stated = str(self.options.good)
            near = [label for label in self.labels if folded(label) == folded(stated)]
            return near[0] if near else label_of_number(stated, self.labels)
        if self.polarity is not None or self.reading.pairs:
            return None
        form = good_label(self.labels, self._verdicts)
        return next((label for label in self.labels if label.casefold() == form), None)

    @property
    def counted(self) -> str:
        """What the good label counts where scores are cut, as "at or above 4"; else empty."""
        at = self.options.cut
        notes = self.repeats if at is None or isinstance(at, Mapping) else (CutNote(cut_at(at)),)
        return counted_by_cut(self.good or "", notes)

    @property
    def _verdicts(self) -> list[Evidence]:
        return [self.reading.columns[n] for n in self.reading.named("judge", "human", "answer")]

    @property
    def polarity(self) -> Question | None:
        """The question which of two answers is good, where names of columns say that a yes is bad."""
        if self.options.good is not None:
            return None
        said = {folded(label) for label in self.labels}
        bad = [c for c in self._verdicts if c.is_bad_news and c.binary and said & set(c.labels)]
        bad = [c for c in bad if c.name not in self.settled]
        if not bad:
            return None
        own = [label for label in self.labels if folded(label) in bad[0].labels]
        return polarity_question(bad[0].name, own or self.labels)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Whose outputs were judged, in the order met."""
        if self.counts is not None and self.counts.has("system"):
            counted = self.counts.systems
            return counted if len(counted) > 1 else ()
        if self.system_of:
            return tuple(dict.fromkeys(self.system_of))
        if self.layout != "pairwise":
            return ()
        columns = [self.reading.columns[n] for n in self.reading.named("system")]
        names = (np.array([*c.texts, None], object)[c.codes].tolist() for c in columns)
        return tuple(
            dict.fromkeys(name for row in zip(*names, strict=True) for name in row if name)
        )

    @property
    def texts(self) -> dict[str, dict[str, str]]:
        """{column: {item: words}} of prompts, responses and what else is there to read."""
        return {t.name: _by_item(self.items, t.cells) for t in self._texts()}

    @property
    def covariates(self) -> dict[str, dict[str, str]]:
        """{column: {item: cell}} of numbers about the outputs."""
        return {n: _by_item(self.items, self._cells(n)) for n in self.reading.named("covariate")}

    @property
    def slices(self) -> dict[str, dict[str, str]]:
        """{column: {item: group}}."""
        return {n: _by_item(self.items, self._cells(n)) for n in self.reading.named("slice")}

    def to_dict(self) -> dict[str, Any]:
        """The votes as a JSON object, which `algeval.verify` reads."""
        return self.votes.to_dict()

    def split(self, by: str = "system") -> dict[str, Results]:
        """{value: results} of the outputs of each system, or of each group of a column.

        Raises
        ------
        DataError
            If there are no systems, or no such column.
        """
        if by == "system" or by in self.reading.named("system"):
            cells: Sequence[str | None] = self.system_of
            if not cells:
                raise DataError(
                    f"{self.name} must have a column of systems; got none in "
                    f"{shown(list(self.reading.columns))}; name it with {option('system')}"
                )
        else:
            if by not in self.reading.columns:
                near = did_you_mean(by, self.reading.columns)
                raise DataError(f"by must be 'system' or a column; got {by!r}; {near}")
            cells = self._cells(by)
        kinds = dict.fromkeys(cell for cell in cells if cell is not None)
        array = np.array(cells, object)
        return {str(kind): self.only(np.flatnonzero(array == kind)) for kind in kinds}

    @cached_property
    def by_system(self) -> dict[str, Results]:
        """Results of each system; empty where no column says whose outputs were judged."""
        return self.split("system") if len(set(self.system_of)) > 1 else {}

    def has_people(self, human: Any) -> bool:
        """Whether what is said of people names columns of people that there are, or "key" for these."""
        named = [human] if isinstance(human, str) else human
        if not isinstance(named, list | tuple) or not all(isinstance(n, str) for n in named):
            return False
        return bool(named) and set(named) <= {"key", *self.said}

    def with_people(self, human: Any) -> Results:
        """Results with labels of people from a mapping, a Series, a frame or a file, joined by item."""
        truth = KeySource(table=human, name="human", names=tuple(self.said))
        joined = _with_labels_by_id(self, truth)
        return _beside_own(joined, self)

    def only(self, kept: NDArray[np.int64]) -> Results:
        """Results of some of the items."""

        def some(columns: dict[str, Cells]) -> dict[str, Cells]:
            return {name: (texts, codes[kept]) for name, (texts, codes) in columns.items()}

        return replace(
            self,
            items=tuple(self.items[k] for k in kept.tolist()),
            judged=some(self.judged),
            scored=some(self.scored),
            said=some(self.said),
            rows=self.rows[kept],
            drawn=tuple(Texts(own.name, tuple(own.cells[k] for k in kept)) for own in self.drawn),
            system_of=tuple(self.system_of[k] for k in kept.tolist()) if self.system_of else (),
        )

    def each_system(self, fewest: int) -> dict[str, Results]:
        """Results of each system, named by prompts, so that outputs of one prompt are paired.

        Of two they are not where each system's own labels say more.
        """
        parts = self.by_system
        if len(parts) == 2 and self.own_labels_say_more(fewest):
            return parts
        return {name: part.by_prompt() for name, part in parts.items()}

    @cached_property
    def prompts_of_trials(self) -> dict[str, tuple[str, ...]]:
        """Prompt of each output of each system, where one system or more has several outputs of a prompt.

        Empty where each has one, where no prompt is shared by systems, and where some output has none.
        """
        parts = self.by_system
        names = [n for n in self._pairing if self.roles[n] != "trial"]
        names = names or self.reading.named("prompt")[:1]
        if (
            not names
            or self.layout not in ("wide", "long")
            or (names == self._pairing and self._pairs_singly)
        ):
            return {}
        prompts = {n: part._named_by(names) for n, part in parts.items()}
        several = any(len({*own}) < len(own) for own in prompts.values())
        shared = set.intersection(*map(set, prompts.values())) if prompts else set()
        return prompts if several and shared and all(map(len, prompts.values())) else {}

    def own_labels_say_more(self, fewest: int) -> bool:
        """Whether labels of each of two systems say more than those of prompts labelled for both."""
        a, b = self.labelled_prompts
        return own_say_more(len(a & b), (len(a), len(b)), fewest)

    @cached_property
    def answered_prompts(self) -> list[set[str]]:
        """Prompts that each system answered."""
        return [{*prompts} for prompts in self._prompts_by_system]

    @cached_property
    def labelled_prompts(self) -> list[set[str]]:
        """Prompts of which people labelled an output, of each system."""
        named = zip(self.by_system.values(), self._prompts_by_system, strict=True)
        prompt_of = [(part.human, dict(zip(part.items, own, strict=True))) for part, own in named]
        return [
            {prompts[item] for item, label in human.items() if label is not None}
            for human, prompts in prompt_of
        ]

    @property
    def _prompts_by_system(self) -> list[tuple[str, ...]]:
        """Prompt of each output of each system, or its own name."""
        parts = self.by_system.items()
        return [self.prompts_of_trials.get(n) or part.by_prompt().items for n, part in parts]

    @cached_property
    def pairs_prompts(self) -> bool:
        """Whether some prompt has an output of every system."""
        if self.prompts_of_trials:
            return True
        named = [{*(part._prompts or part.items)} for part in self.by_system.values()]
        return bool(named) and bool(set.intersection(*named))

    def by_prompt(self) -> Results:
        """Same outputs named by their prompts, by which those of two systems are paired."""
        return self._by_prompt or self

    @cached_property
    def _by_prompt(self) -> Results | None:
        return None if self._prompts is None else replace(self, items=self._prompts)

    @cached_property
    def _prompts(self) -> tuple[str, ...] | None:
        """Prompt of each output; None where some has none, or several outputs."""
        ids = self._named_by(self._pairing) if self._pairing else ()
        return ids if ids and len(set(ids)) == len(ids) else None

    @cached_property
    def _pairing(self) -> list[str]:
        """Columns that say which outputs of systems belong together."""
        names = [n for n in self.reading.item if self.roles.get(n) != "system"]
        names = [n for n in names if self.roles[n] != "item" or not self._names_outputs(n)]
        return names or self.reading.named("prompt")[:1]

    def _names_outputs(self, name: str) -> bool:
        """Whether a column of ids names each output, and not what outputs of several systems answer.

        In a long table an output has a row of each judge.
        """
        systems = self.reading.named("system")
        if self.layout != "long" or not systems:
            return self.reading.columns[name].unique
        codes = [self.reading.columns[c].codes for c in (name, *systems)]
        both = np.unique(np.stack(codes), axis=1).shape[1]
        return bool(both == len(np.unique(codes[0])))

    @cached_property
    def _pairs_singly(self) -> bool:
        """Whether each system has one output of what outputs belong together by."""
        return all(part._prompts is not None for part in self.by_system.values())

    def _named_by(self, names: Sequence[str]) -> tuple[str, ...]:
        """Ids of outputs made of the cells of some columns; none where a first cell is empty."""
        parts = [self._cells(n) for n in names]
        ids = tuple(":".join(map(str, row)) for row in zip(*parts, strict=True))
        return () if None in parts[0] else ids

    # --- what notes say

    def _said_scores(self) -> str:
        """Note on scores beside the verdicts, which a cut makes votes of where people's labels are two."""
        names = list(self.scored)
        note = f"numbers beside the verdicts, not used as votes: {shown(names, 4)}"
        if len({*self.human.values()} - {None}) > 2:
            return note
        return f"{note}; {option('judges', names[0])} with {option('cut')} makes votes of them"

    @property
    def notes(self) -> tuple[str, ...]:
        """What reading did, a sentence each."""
        notes = [*self.label_notes, *self.repeats]
        broken = _broken(self.reading)
        if broken:
            notes.append(Caution(f"votes that failed, counted as missing: {broken}"))
        if self.judged and self.scored and not self.holds_scores and self.options.cut is None:
            notes.append(self._said_scores())
        if len(self.said) > 1:
            agree = self.people_agree
            people = f"human answers of {shown(list(self.said), 4)} make one label an item"
            first = [n for n in self.said if is_adjudicated(n)]
            how = f", that of {shown(first)} first" if first and len(first) < len(self.said) else ""
            seen = (
                ""
                if agree is None
                else (
                    f"; two people agree on {agree[0]:.0%} of {how_many(agree[1], 'item')} both answered"
                )
            )
            if self.holds_scores and self._mean_of_people() is not None:
                notes.append(f"people's scores of {shown(list(self.said), 4)} are averaged")
            else:
                split = len(self.human) - self.n_labelled
                ties = f"{how_many(split, 'tie')}, worth half in a rate" if split else "no ties"
                notes.append(f"{people}{how}, {ties}{seen}")
        notes += self._commas_said
        notes += _said_of_arms(self.reading)
        for name, decision in self.reading.decided.items():
            column = self.reading.columns[name]
            if name in self.reading.aside:
                notes.append(f"{name!r} is left out: {decision.why}")
            elif decision.why == UNLIKE_HUMAN and (column.numeric or column.binary):
                taken = (
                    f"{option('human', name)} with {option('cut')}, if answers are grades, takes it"
                )
                notes.append(Caution(f"{name!r} is left out: {decision.why}; {taken}"))
        if self.said:
            n = len(self.human)
            columns = shown(list(self.said), 4)
            labelled = (
                f"{how_many(n, 'item')} labelled by people ({columns}): evidence for the rate"
            )
            if self.judged or self.scored:
                notes.append(f"{labelled}, and what judges are scored by")
            else:
                notes.append(SaidBy(self.said, labelled))
        return tuple(notes)

    @property
    def _commas_said(self) -> list[str]:
        """What commas in numbers, and marks of percentages, were taken for."""
        used = [self.reading.columns[n] for n in self.reading.named(*_NUMBERS)]
        plainly = any(c.commas == "decimal" for c in self.reading.columns.values())
        kinds = {
            "decimal": [c.name for c in used if c.commas == "decimal"],
            "either": [c.name for c in used if c.commas == "either"],
        }
        notes = []
        if percents := [c.name for c in used if c.percent]:
            notes.append(f"percentages in {shown(percents, 4)}: 87% is read as 87")
        if kinds["decimal"]:
            notes.append(f"decimal commas in {shown(kinds['decimal'], 4)}: 4,5 is read as 4.5")
        if kinds["either"] and plainly:
            taken = "1,234 is taken for 1.234, as commas elsewhere in the table are decimal"
            notes.append(Caution(f"{shown(kinds['either'], 4)}: {taken}"))
        elif kinds["either"]:
            taken = "1,234 is taken for 1234, a thousand; write 1.234 if the comma is decimal"
            notes.append(Caution(f"{shown(kinds['either'], 4)}: {taken}"))
        return notes

    # --- parts

    def _cells(self, name: str) -> tuple[str | None, ...]:
        column = self.reading.columns[name]
        texts = np.array([*column.texts, None], object)
        return tuple(texts[column.codes[self.rows]].tolist())

    def _texts(self) -> tuple[Texts, ...]:
        names = self.reading.named("text", "reason")
        names += [n for n in self.reading.named("prompt") if self.reading.columns[n].sentences]
        order = {name: k for k, name in enumerate(self.reading.columns)}
        reasons = {*self.reading.named("reason")}
        names = sorted(names, key=order.__getitem__)
        return tuple(Texts(n, self._cells(n), n in reasons) for n in names)

    def _groupings(self) -> tuple[Grouping, ...]:
        """Prompts whose outputs hang together, then groups, systems last."""
        groupings: list[Grouping] = []
        names = [*self.reading.named("prompt", "slice"), *self.reading.named("system")]
        whys = {name: self.reading.decided[name].why for name in names}
        for name in (n for n in names if not whys[n].startswith("a person's, ")):
            codes = self.reading.columns[name].codes[self.rows]
            held = occurring(codes)
            if len(held) + bool((codes < 0).any()) < len(codes):
                rank = np.full(int(held[-1]) + 2 if len(held) else 1, -1, np.int64)
                rank[held] = np.arange(len(held))  # a code of -1 reads the last, which is -1
                kind = OfPrompts if self._has_trials_of(name) else Grouping
                groupings.append(kind(name, rank[codes]))
        shown_again = self._pairs_again()
        return (*groupings, *([] if shown_again is None else [shown_again]))

    def _has_trials_of(self, name: str) -> bool:
        """Whether a column is of prompts of which a system has several outputs."""
        if self.roles[name] != "prompt":
            return False
        names = (name, *self.reading.named("system"))
        cells = np.stack([self.reading.columns[c].codes[self.rows] for c in names])
        cells = cells[:, (cells >= 0).all(axis=0)]
        return len(np.unique(cells, axis=1).T) < len(cells.T)

    def _pairs_again(self) -> BothOrders | None:
        """Which items show one pair of answers in one order or the other; None where each has a row."""
        systems, prompts = self.reading.named("system"), self.reading.named("prompt")
        if self.layout != "pairwise" or len(systems) != 2 or not prompts:
            return None
        sides = zip(*map(self._cells, systems), strict=True)
        pairs = [tuple(sorted(pair, key=repr)) for pair in sides]
        texts = np.array(pairs_shown(self.reading) or [""] * self.reading.n_rows, object)
        keys = zip(*map(self._cells, prompts), pairs, texts[self.rows].tolist(), strict=True)
        at: dict[tuple[object, ...], int] = {}
        codes = np.array([at.setdefault(key, len(at)) for key in keys], np.int64)
        return (
            BothOrders(_free("pair", self.reading.columns), codes) if len(at) < len(codes) else None
        )

    def _view(
        self,
        judged: dict[str, Cells],
        attributes: Mapping[str, Mapping[str, str]] | None = None,
        *,
        strict: bool = True,
    ) -> tuple[_View, ColumnRoles, KeySource]:
        names = tuple(judged)
        item, person = _free("item", names), _free("human", names)
        columns = {name: Column(name, texts, codes) for name, (texts, codes) in judged.items()}
        ids: tuple[str, ...] = ()
        if not isinstance(self.items, RowNumbers):
            lookup = np.arange(len(self.items))
            columns = {item: Column(item, self.items, lookup), **columns}
            ids = (item,)
        truth = KeySource()
        if self.said:
            texts, codes = self._person
            if self.options.cut is not None and not self.judged:
                texts = self._as_classes(texts)
            if not strict:  # labels that are none of those asked for
                labelled = {folded(str(label)) for label in self.options.labels or ()}
                kept = [folded(self.rules.answer(t) or "") in labelled for t in texts]
                codes = np.where(np.array([*kept, False])[codes], codes, -1)
            columns[person] = Column(person, texts, codes)
            truth = KeySource(column=person, name=f"column {shown(list(self.said), 2)}")
        for name, cells in (attributes or {}).items():
            values = [cells.get(entry) for entry in self.items]
            distinct = {
                v: k for k, v in enumerate(dict.fromkeys(v for v in values if v is not None))
            }
            codes = np.array([-1 if v is None else distinct[v] for v in values], np.int64)
            columns[name] = Column(name, tuple(distinct), codes)
        index = Index(counts_rows=isinstance(self.items, FrameRows))
        view = _View(columns, len(self.items), self.table_notes, index)
        roles = ColumnRoles(item=ids, judges=names, from_reader=True)
        if attributes:
            roles = roles.with_attributes(attributes)
        return view, roles.with_key(truth.column), truth


def _free(name: str, taken: Iterable[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _by_item(items: Sequence[str], cells: Iterable[str | None]) -> dict[str, str]:
    return {item: cell for item, cell in zip(items, cells, strict=True) if cell is not None}


def _renamed(options: ReadOptions) -> dict[Any, object] | None:
    """New names of answers: those of `map`, and of `same`, two spellings of one label."""
    same = options.same
    if same is None:
        return None if options.map is None else dict(options.map)
    if not isinstance(same, Mapping):
        raise DataError(
            f"same must name spellings of one label; got {same!r}; write {{'1': 'pass', '0': 'fail'}}"
        )
    return {**(options.map or {}), **same}


def _shared_codes(cells: Cells, names: dict[str, int]) -> Positions:
    """Codes of cells among labels that several columns share."""
    texts, codes = cells
    lookup = [names.setdefault(folded(t), len(names)) for t in texts]
    return np.array([*lookup, -1], np.int64)[codes]


def _most(columns: Sequence[Cells], n_items: int, rules: Rules) -> Cells:
    """The answer most columns give to each item; none where two are given as often."""
    spelled: dict[str, str] = {}
    names: dict[str, int] = {}
    tables = []
    for texts, codes in columns:
        lookup = []
        for text in texts:
            answer = rules.answer(text)
            if answer is None:
                lookup.append(-1)
                continue
            spelled.setdefault(folded(answer), answer)
            lookup.append(names.setdefault(folded(answer), len(names)))
        tables.append(np.array([*lookup, -1], np.int64)[codes])
    counts = np.zeros((n_items, max(1, len(names))), np.int64)
    for codes in tables:
        rows = np.flatnonzero(codes >= 0)
        np.add.at(counts, (rows, codes[rows]), 1)
    best = counts.argmax(axis=1)
    tied = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) > 1
    picked = np.where((counts.max(axis=1) == 0) | tied, -1, best)
    return tuple(spelled[form] for form in names), picked


def _broken(reading: Roles) -> str:
    """How many verdicts of each column failed, as words."""
    parts = []
    for name in reading.named("judge", "answer", "human"):
        failures = sorted(reading.columns[name].failures.items(), key=lambda pair: -pair[1])
        if failures:
            kinds = ", ".join(f"{text!r} ({n})" for text, n in failures[:4])
            parts.append(f"{sum(n for _, n in failures)} of {name}: {kinds}")
    return "; ".join(parts[:8]) + ("; ..." if parts[8:] else "")


def polarity_question(name: str, labels: Sequence[str]) -> Question:
    """The question which answer of a column is the good one."""
    ordered = sorted(labels, key=lambda label: folded(label) not in SAYS_NO)
    return Question(
        f"Which answer of {name!r} is the good one: {' or '.join(map(repr, ordered))}?",
        (),
        tuple(answered("good", label) for label in ordered),
    )


# --- The columns as a table and as text.


def columns_grid(reading: Roles) -> Grid:
    """Table of the columns: column, role, why, coverage, example."""
    reading = roles_in_file(reading)
    decided, columns = reading.decided, reading.columns
    return Grid(
        "Columns",
        {
            "column": list(decided),
            "role": [d.role for d in decided.values()],
            "why": [d.why for d in decided.values()],
            "coverage": [columns[n].filled / max(1, reading.n_rows) for n in decided],
            "example": [columns[n].example for n in decided],
        },
    )


def columns_frame(reading: Roles) -> Any:
    """The table of columns as a data frame, a pandas one indexed by column too."""
    frame = columns_grid(reading).frame(None)
    if type(frame).__module__.startswith("pandas"):
        frame.index = list(frame["column"])
    return frame


def columns_text(reading: Roles) -> str:
    """One line a column: its role, how much of it is filled, an example, and why."""
    reading = roles_in_file(reading)
    width = min(32, max(map(len, reading.decided), default=1))
    lines = []
    for name, decision in reading.decided.items():
        column = reading.columns[name]
        said = name if len(name) <= width else name[: width - 2] + ".."
        example = column.example[:16]
        lines.append(
            f"  {said.ljust(width)}  {decision.role.ljust(9)} {column.filled:>6} of {reading.n_rows}"
            f"  {example.ljust(16)} {decision.why}"
        )
    return "\n".join(lines)


# --- Reading: a table as results.


def stated_roles(options: ReadOptions, table: Table, *, strict: bool = True) -> Stated:
    """What reading options say of the columns of a table; where `strict` each is checked to be there."""

    def names(value: Any, what: str) -> tuple[str, ...]:
        if value is None:
            return ()
        listed = [value] if isinstance(value, str | int) else list(value)
        picked = tuple(str(name) for name in listed)
        if not strict:
            return tuple(name for name in picked if name in table.names)
        for name in picked:
            if name not in table.names:
                near = did_you_mean(name, table.names)
                raise DataError(
                    f"{option(what)} must name a column; got {name!r}; {near}; the columns are "
                    f"{shown(table.names)}"
                )
        return picked

    trial = options.trial
    repeats = isinstance(trial, str) and trial == "rows" and "rows" not in table.names
    judges = None if options.judges is None else tuple(map(str, options.judges))
    swap = options.swap if options.swap not in ("two", "agree") else None
    human = options.human if options.human is not None else options.key
    columns = human if _names_columns(human, table.names) else None
    people = () if human is None else _raters_named(table, human)
    columns = None if people else columns
    judge = next(iter(names(options.judge, "judge")), None)
    systems = options.systems
    roles, layout = _saved(options, table.names)
    rules = Rules.make(options.missing, options.labels, None)
    if judge is None and judges is not None and set(judges) - set(table.names):
        judges = None if options.judge is None and options.answer is None else judges
    return Stated(
        item=names(options.item, "item"),
        prompt=names(options.prompt, "prompt"),
        judges=judges,
        human=names(columns, "human"),
        people=people,
        systems=tuple(map(str, (systems,) if isinstance(systems, str) else systems or ())),
        system=names(options.system, "system"),
        trial=() if repeats else names(trial, "trial"),
        repeats=repeats,
        swap=names(swap, "swap"),
        judge=judge,
        raters=tuple(map(str, options.judges or ())),
        answer=next(iter(names(options.answer, "answer")), None),
        sayer=table.index.sayer,
        slice=names(options.slice, "slice"),
        covariate=names(options.covariate, "covariate"),
        text=names(options.text, "text"),
        ignore=names(options.ignore, "ignore"),
        labels=frozenset(map(folded, rules.labels or ())) if rules.missing else None,
        same=_folded_names(options),
        roles=roles,
        layout=layout,
    )


def _folded_names(options: ReadOptions) -> dict[str, str]:
    """{folded label: the folded label that it is} of new names."""
    named = ((tidy(old), tidy(new)) for old, new in (_renamed(options) or {}).items())
    return {folded(old): folded(new) for old, new in named if old and new}


def _raters_named(table: Table, human: Any) -> tuple[str, ...]:
    """People whom `human` names as some column of the table holds them: ann,ben; none if it names none."""
    if isinstance(human, str):
        if human in table.names or is_there(human):
            return ()
        human = human.split(",")
    if not isinstance(human, list | tuple) or not all(isinstance(entry, str) for entry in human):
        return ()
    if not set(human).isdisjoint(table.names):
        return ()
    columns = [c for name in table.names if (c := _column(table, name)) is not None]
    held = ({tidy(value) for value in c.values[:_MOST_RATERS]} for c in columns)
    return tuple(human) if any(set(human) <= texts for texts in held) else ()


_MOST_RATERS = 10_000


def _names_columns(human: Any, names: Sequence[str]) -> bool:
    """Whether what is said of people names columns, and no file."""
    if isinstance(human, str):
        return human in names or not is_there(human)
    listed = isinstance(human, list | tuple) and bool(human)
    return (
        listed
        and all(isinstance(entry, str) for entry in human)
        and not set(human).isdisjoint(names)
    )


def _saved(options: ReadOptions, names: Sequence[str]) -> tuple[dict[str, str], dict[str, Any]]:
    """{column: role} of a mapping or a file that was saved, and the layout beside it."""
    if options.columns is None:
        return {}, {}
    document = saved_reading(options.columns)
    columns = document["columns"]
    for name, role in columns.items():
        if role not in ROLES:
            raise DataError(
                f"a role must be one of {', '.join(ROLES)}; got {role!r} for column {name!r}; correct it"
            )
    roles = {str(name): str(role) for name, role in columns.items() if str(name) in names}
    if not roles:
        raise DataError(
            f"{option('columns')} must name columns of this table; got {shown(list(columns), 6)}, none of "
            f"which it has; its columns are {shown(names, 6)}: is it of another table?"
        )
    return roles, document.get("layout", {})


def _saved_in_vain(options: ReadOptions, names: Iterable[str]) -> tuple[str, ...]:
    """Caution of columns that were saved and are not there."""
    if options.columns is None:
        return ()
    here = set(names)
    absent = [name for name in saved_reading(options.columns)["columns"] if str(name) not in here]
    if not absent:
        return ()
    verb = "is" if len(absent) == 1 else "are"
    said = f"{option('columns')} names {shown(absent, 6)}, which {verb} not in this table"
    return (Caution(f"{said}; the others are read as it says"),)


def questions_error(name: str, questions: Sequence[Question], reading: Roles) -> DataError:
    """Complaint that holds the questions, all at once, with the answers as options to copy."""
    lines = []
    for question in questions:
        lines.append(f"{question.question} Answer with {' or '.join(question.answers)}")
    lines += reading.said
    error = DataError(f"{name} can be read in more than one way: {'; '.join(lines)}")
    error.questions, error.reading = tuple(questions), reading
    return error


class PlainTable(NamedTuple):
    """What a plain table of votes has beside them: the column of human labels, and words to show."""

    human: str | None = None
    texts: tuple[Texts, ...] = ()
    complaint: DataError | None = None  # what to ask where the reader of votes makes nothing of it


_PLAIN = PlainTable()


def _texts_of_rows(reading: Roles) -> tuple[Texts, ...]:
    """Columns of words, a cell per row; none of a table whose rows are votes."""
    if reading.layout != "wide" or reading.n_rows > MOST_TEXTS:
        return ()
    columns = [reading.columns[name] for name in reading.named("text", "reason", "prompt")]
    return tuple(
        Texts(
            c.name,
            tuple(np.array([*c.texts, None], object)[c.codes].tolist()),
            c.name in reading.named("reason"),
        )
        for c in columns
        if c.sentences or c.name in reading.named("text", "reason")
    )


MOST_TEXTS = 100_000  # rows of a plain table whose texts are kept

NEW = frozenset({*NAMING, "columns", "same"})
"""Options that only a results table has."""


def results_of(
    table: Table, options: ReadOptions, name: str, source: Any = None, *, always: bool = False
) -> Results | PlainTable:
    """Results in a table, or the questions that must be answered first.

    A `PlainTable` of a table of votes, whose columns are judges and ids, unless results are wanted `always`.
    """
    table, options, unfolded = _with_systems_below(table, options)
    table = _with_systems_of_answers(table, options)
    table, options, folded_rows = _with_worst_errors(_with_filters_beside(table), options)
    always = always or unfolded or folded_rows or isinstance(options.cut, Mapping | str)
    stated_options = options.stated().keys()
    if not always and NEW & stated_options == {"human"} and options.key is None:
        as_key = replace(options, key=people_of(options), human=None)
        picked = results_of(table, as_key, name, source)
        if isinstance(picked, PlainTable) and _fits_votes(table, as_key):
            return picked  # whose people are named, and no more of it is to be asked
    swap = options.swap not in (None, "two", "agree")
    strict = always or swap or bool(NEW & stated_options)
    if not strict and {"judge", "answer"} & stated_options:
        return _of_named_votes(table, options, name, source)
    with_winners = table if options.judges is not None else _with_winners(table)
    if strict:
        return _results(with_winners, options, name, source, stated_roles(options, table))
    stated = stated_roles(options, table, strict=False)
    if with_winners is not table or (options.item is not None and not stated.item):
        return _PLAIN  # the reader of votes folds them, too, or says that there is no such column
    try:
        reading = roles_of(table, stated)
        plain, human = _is_plain(table, reading, options)
        if plain and not _has_scales(table, reading, options, name):
            complaint = None
            if reading.questions:
                complaint = questions_error(name, reading.questions, reading)
            return PlainTable(human, _texts_of_rows(reading), complaint)
        results = _results(table, options, name, source, stated, reading)
        return results if results.has_judges(table.names) else _PLAIN
    except DataError as error:
        if error.questions and (error.reading is None or not _names_nobody(options, error.reading)):
            raise
        return _PLAIN  # the reader of votes says what is wrong


def _of_named_votes(
    table: Table, options: ReadOptions, name: str, source: Any
) -> Results | PlainTable:
    """Results of a long table whose columns are stated, where people are among its judges."""
    stated = stated_roles(options, table, strict=False)
    if people_of(options) is not None or stated.judge in (None, stated.answer):
        return _PLAIN
    reading = roles_of(table, stated)
    if reading.questions or reading.layout != "long" or not _has_people(reading):
        return _PLAIN
    return _results(table, options, name, source, stated, reading)


def _names_nobody(options: ReadOptions, reading: Roles) -> bool:
    """Whether one of the judges, or the person, is neither a column nor in a cell nor a file."""
    human = people_of(options)
    person = [human] if isinstance(human, str) and not is_there(human) else []
    unknown = {*map(str, options.judges or ()), *person} - {*reading.columns, "key"}
    return bool(unknown) and not any(
        unknown <= set(column.texts) for column in reading.columns.values()
    )


def _results(
    table: Table,
    options: ReadOptions,
    name: str,
    source: Any,
    stated: Stated,
    reading: Roles | None = None,
) -> Results:
    """Results in a table, or the questions that must be answered first."""
    reading = reading or roles_of(table, stated)
    _refuse_chains(options, reading)
    whys = table.whys if isinstance(table, _View) else {}
    reading.decided |= {n: reading.decided[n]._replace(why=why) for n, why in whys.items()}
    if (once := _said_once(table, reading)) is not None:
        reading.questions.append(once)
    if reading.questions:
        raise questions_error(name, reading.questions, reading)
    options, said = _in_units_of_cells(options, reading)
    results = _built(table, reading, options, name)
    results = replace(results, repeats=(*results.repeats, *said)) if said else results
    absent = _saved_in_vain(options, reading.columns)
    results = replace(results, repeats=(*results.repeats, *absent)) if absent else results
    _check_judges(results)
    results = _with_chances_beside(results)
    human = options.human if options.human is not None else options.key
    if human is None or stated.human or stated.people:
        return _settled(results)
    own = _settled(results) if results.said else results
    return _beside_own(_with_people(own, table, human, source), own)


def _with_chances_beside(results: Results) -> Results:
    """Results whose labels were drawn with the chances in a column beside them, which is said.

    So it is where labels that were drawn with `next` were merged with the table.
    """
    names = [n for n in DRAWN if results.roles.get(n) in ("covariate", "slice", "ignored")]
    ignored = results.roles.get("inclusion") == "ignored"
    if "inclusion" not in names or ignored or results.layout not in ("wide", "long"):
        return results
    labelled = np.array([results.human.get(item) is not None for item in results.items])
    chances = np.array([as_number(t or "") or 0 for t in results._cells("inclusion")], np.float64)
    if not labelled.any() or not ((chances > 0) & (chances <= 1))[labelled].all():
        return results
    if len(np.unique(chances[labelled])) == 1:
        return results
    note = (
        "labels count by the chances in column 'inclusion' with which they were drawn; "
        f"{option('ignore', 'inclusion')} takes them for a random draw"
    )
    drawn = tuple(Texts(name, results._cells(name)) for name in names)
    return replace(results, drawn=drawn, repeats=(*results.repeats, note))


def _refuse_chains(options: ReadOptions, reading: Roles) -> None:
    """Refuse a=b=c where no cell is 'a=b', as it may mean that a is b or that b is c."""
    for old, new in (_renamed(options) or {}).items():
        form = folded(tidy(old) or "")
        if "=" in form and not any(form in map(folded, c.texts) for c in reading.columns.values()):
            raise DataError(
                f"{option('same')} must give each answer one new name; got {f'{old}={new}'!r}, and no cell "
                f"is {old!r}; write it like {either_way(str({'yes': 1, 'no': 0}), 'yes=1,no=0')}"
            )


def _in_units_of_cells(
    options: ReadOptions, reading: Roles
) -> tuple[ReadOptions, tuple[Caution, ...]]:
    """Options whose cut is a number as cells have them, and what was taken for what.

    Of cells such as 87%, which are read as 87, a share means percent: 50%, .5 and 50 are one cut.
    """
    roles = {"human": reading.named("human"), "judges": reading.named("judge", "score", "answer")}
    columns = {n: reading.columns[n] for names in roles.values() for n in names}
    numbers = {n: c for n, c in columns.items() if c.numeric}
    if is_at_most(options.cut):  # what it is of each column is told apart
        options = replace(options, cut={"judges": options.cut, "human": options.cut})
    if not numbers or options.cut is None:
        return options, ()
    notes: dict[str, None] = {}

    def own(value: object, names: Iterable[str]) -> dict[str, Fraction]:
        """The number on each column."""
        each = {n: _in_unit(value, numbers[n]) for n in names if n in numbers}
        notes.update((note, None) for _, note in each.values() if note)
        return {name: number for name, (number, _) in each.items()}

    cut: Any = options.cut
    if isinstance(cut, Mapping):
        columns_of = {n: [c for c in roles.get(n, [n]) if c == n or c not in cut] for n in cut}
        of_name = {n: own(at, columns_of[n]) for n, at in cut.items()}
        cut = {n: _alike(of_name[n], at) for n, at in cut.items()}
        for (
            n
        ) in of_name:  # a number of its own of each column of the role, where it is not the same
            cut |= of_name[n] if len({*of_name[n].values()}) > 1 else {}
    else:
        each = own(cut, numbers)
        cut = each if len({*each.values()}) > 1 else _alike(each, cut)
    return replace(options, cut=cut), tuple(map(Caution, notes))


def _alike(each: Mapping[str, Fraction], stated: object) -> Any:
    """The number that all columns have; what was stated where there are none, or several."""
    return next(iter(each.values())) if len({*each.values()}) == 1 else stated


def _in_unit(value: object, column: Evidence) -> tuple[Fraction, str]:
    """A stated number as a column's cells have it, and a note where it could be two."""
    if is_at_most(value):
        limit = str(value).removeprefix("<=").strip()
        number, note = _in_unit(limit, column)
        return AtMost(number), note
    number = exact(value, "cut")
    cells = [x for x in map(as_number, column.labels) if x is not None]
    shares = any(0 < x < 1 for x in cells)
    if column.percent:
        if not is_percentage(value) and (shares or not 0 < number < 1):
            return number, ""
        note = f"{value} is read as {float(100 * number):g}%, as cells are percentages"
        return 100 * number, "" if is_percentage(value) else f"{note}; write {value}% if it is that"
    number, of_100 = of_scale(value, np.array(cells, float), column.name)
    return number, f"{value} is read as {float(number):g}, as cells go up to 100" if of_100 else ""


def _check_judges(results: Results) -> None:
    """Refuse a judge that is neither a column nor one whose name a cell holds."""
    names = results.options.judges or ()
    listed = [names] if isinstance(names, str) else list(map(str, names))
    columns = {*results.reading.columns, *results.judged, *results.scored, *results.said}
    raters = {
        t for name in results.reading.named("rater") for t in results.reading.columns[name].texts
    }
    absent = [name for name in listed if name not in columns | raters]
    if absent:
        near = did_you_mean(absent[0], columns)
        raise DataError(
            f"{option('judges')} must name columns or judges of {results.name}; got {absent[0]!r}; {near}; "
            f"the columns are {shown(list(results.reading.columns))}"
        )


def _settled(results: Results) -> Results:
    """Results in which judges and people say the same words on one scale, or the question that is left."""
    results, unlike = _on_their_scales(_cut_apart(_without_slips(results)))
    if unlike is not None:
        raise questions_error(results.name, [unlike], results.reading)
    results = _in_words_of_all(_without_undecided(_sides_alike(results)))
    more = _people_say_more(results)
    return replace(results, repeats=(*results.repeats, *more)) if more else results


def _without_slips(results: Results) -> Results:
    """Results in which answers that look mistyped are missing, and a sentence on them."""
    if results.options.cut is not None:
        return results
    columns = {**results.judged, **results.said}
    read = {n: [results.rules.answer(text) for text in texts] for n, (texts, _) in columns.items()}
    counts: dict[str, Counter[str]] = {name: Counter() for name in columns}
    for name, (_, codes) in columns.items():
        n_of = np.bincount(codes[codes >= 0], minlength=len(read[name])).tolist()
        for text, n in zip(read[name], n_of, strict=True):
            if text is not None and n:
                counts[name][text] += n
    every: Counter[str] = sum(counts.values(), Counter())
    shared = slips_among(every, results.rules)
    slips: list[Slip] = []
    for name, own in counts.items() if shared else ():
        texts, codes = columns[name]
        mine = {t: u for t, u in slips_among(own, results.rules).items() if t in shared}
        for text, like in mine.items():
            rows = np.flatnonzero(
                np.isin(codes, [k for k, t in enumerate(read[name]) if t == text])
            )
            slips.append(
                Slip(text, like, len(rows), f" of {name!r} ({_named_rows(results, rows)})")
            )
        kept = [None if said in mine else t for t, said in zip(texts, read[name], strict=True)]
        columns[name] = _translated((texts, codes), kept)
    if not slips:
        return results
    return replace(
        results,
        judged={name: columns[name] for name in results.judged},
        said={name: columns[name] for name in results.said},
        repeats=(*results.repeats, slip_note(slips, "label")),
    )


def _named_rows(results: Results, rows: Positions) -> str:
    """First of some outputs, by id or by row number."""
    ids = [results.items[row] for row in rows.tolist()]
    what = " ".join(results.reading.item) if len(results.reading.item) == 1 else "row"
    return f"{what} {', '.join(ids[:3])}{', ...' if ids[3:] else ''}"


def _in_words_of_all(results: Results) -> Results:
    """Results in which all say the same words; checks by rules that none of them fits are left out."""
    decided = results.reading.decided
    checks = [n for n in results.judged if n in decided and decided[n].why == CHECKED]
    while True:
        alike, opposed = _same_polarity(results)
        alike, foreign = _in_shared_words(alike)
        question = foreign or _unlike_words(alike) or opposed or _apart_from_all(alike)
        if alike is results:  # else words were translated
            question = question or _beside_verdicts(alike)
        if question is None:
            return alike
        alone = {*checks} == {*results.judged} and results.scored
        out = [n for n in checks if n in question.columns or (alone and results.said)]
        why = "a check by rules, in words that nobody else says"
        if not out and (out := _of_another_question(alike, question)):
            instead = option("same", "WORD=WORD")
            why = (
                f"a judge of another question, in words that nobody else says; {instead} translates"
            )
        if not out or len(results.judged) + len(results.scored) <= len(out):
            raise questions_error(results.name, [question], results.reading)
        note = Caution(f"{shown(out)} is left out: {why}")
        judged = {n: cells for n, cells in results.judged.items() if n not in out}
        checks = [n for n in checks if n not in out]
        results = replace(results, judged=judged, repeats=(*results.repeats, note))


# --- Numbers on scales of their own: grades to 5 beside grades to 10.


def _translated(cells: Cells, texts: Sequence[str | None]) -> Cells:
    """Cells in which each text is another, or none."""
    names = {text: k for k, text in enumerate(dict.fromkeys(t for t in texts if t is not None))}
    look = [-1 if text is None else names[text] for text in texts]
    return tuple(names), np.array([*look, -1], np.int64)[cells[1]]


def _cut_apart(results: Results) -> Results:
    """Results in which numbers are cut in two, each column where its own cut is."""
    cuts = cuts_of(results.options.cut)
    people = dict(results.said)
    judges = {**results.judged, **results.scored}
    of_all = None
    words = low, high = _words_of_halves(results)
    alone_at = None if cuts or results.options.cut is None else exact(results.options.cut, "cut")
    turned = _turned(results, words, cuts, alone_at)
    if results.options.cut is not None and not cuts:
        at = exact(results.options.cut, "cut")
        halves = [name for name, cells in judges.items() if {*cells[0]} <= {"0", "1"}]
        unjudged = people and not judges and not results._may_hold_judges
        if (
            high != "1" or turned or unjudged or (halves and not 0 < at <= 1)
        ):  # 0 and 1 are cut already
            cuts = {"judges": at, "human": at}
            of_all = at if high != "1" else None
    if not cuts:
        return results
    unknown = cuts.keys() - {*people, *judges, "judges", "human"}
    if unknown:
        name = min(unknown)
        listed = [*judges, *people]
        raise DataError(
            f"{option('cut')} must name columns of judges or people, {shown(listed)}, or judges or human for "
            f"all others of them; got {name!r}; {did_you_mean(name, listed)}"
        )
    notes, uncut = _cut_each(results, judges, people, cuts)
    if uncut:
        raise DataError(
            f"{option('cut')} must give a cut for every judge who gives numbers; got none for "
            f"{shown(uncut)}; write judges=X for all that are not named, or leave them out with "
            f"{answered('ignore', *uncut)}"
        )
    cut_names = {_name_cut(note) for note in notes}
    notes = notes or ([_said_cut("human", cuts["human"])] if "human" in cuts else notes)
    for name in cut_names & judges.keys():
        own = (high, low) if name in turned else words
        judges[name] = _translated(judges[name], [own[int(text)] for text in judges[name][0]])
    said = _said_of_halves(notes, words, turned, of_all)
    order = [*results.reading.columns]
    judged = {n: c for n, c in judges.items() if n in results.judged or n in cut_names}
    if set(judged) <= set(order):
        judged = {n: judged[n] for n in order if n in judged}
    alone = next(iter(people)) if len(people) == 1 else "human"
    labels_at = cuts.get(alone, cuts.get("human"))
    note = Caution(said) if turned and high == "1" else CutNote(labels_at, said)
    return replace(
        results,
        options=replace(results.options, cut=None),
        judged=judged,
        scored={n: c for n, c in results.scored.items() if n not in judged},
        said=people,
        repeats=(*results.repeats, note),
    )


def _words_of_halves(results: Results) -> tuple[str, str]:
    """What scores below a cut are called, and those from it on: as people say in two words, else 0 and 1."""
    said = [
        *dict.fromkeys(t for cells in results.said.values() for t in _said_words(results, cells))
    ]
    good = results._word_for_good(said)
    if len(said) != 2 or None not in map(as_number, said) or good not in [*map(folded, said)]:
        return "0", "1"
    first, second = said
    return (first, second) if folded(second) == good else (second, first)


def _low_is_good(results: Results, name: str) -> bool:
    """Whether a judge's high scores are bad by its name, as of gpt4_toxicity."""
    column = results.reading.columns.get(name)
    return is_bad_news(name) if column is None else column.is_bad_news


_FEWEST_TO_DOUBT = 30
"""Items with a score and a label, from which on it is asked of a judge who surely goes against people."""

_SURELY, _FAR = 3.0, 0.3
"""Standard deviations below what chance would agree, and the negative correlation, from which on it is."""


def _turned(
    results: Results, words: tuple[str, str], cuts: Mapping[str, Fraction], of_all: Fraction | None
) -> list[str]:
    """Judges whose scores are good below their cut; or the question of those who surely go against people.

    By name where people say words. Where they say 0 and 1, which may be good or bad alike, the name must say
    so and the verdicts, too. A cut of a judge's own is taken as it is stated.
    """
    good = _good_by_people(results, words, cuts.get("human", of_all))
    turned, opposed = [], {}
    for name, cells in {**results.judged, **results.scored}.items():
        at = cuts.get(name, cuts.get("judges", of_all))
        values = _numbers_of(results, cells)
        if at is None or values is None:
            continue
        most = isinstance(at, AtMost)  # low ones are good, as is said
        reached = values <= float(at) if most else values >= float(at)
        above = np.where(np.isnan(values), np.nan, reached)
        bad, against = _low_is_good(results, name), _go_against(above, good)
        if bad and not most and (words[1] != "1" or against):
            turned.append(name)
            against = words[1] != "1" and _go_against(1 - above, good)
        if against and name not in cuts:
            opposed[name] = at
    if opposed:
        raise questions_error(
            results.name, [_question_of_halves(results, opposed, turned)], results.reading
        )
    return turned


def _good_by_people(
    results: Results, words: tuple[str, str], at: Fraction | None
) -> NDArray[np.float64]:
    """1 of items that people call good, 0 of others, NaN where they say nothing or it is not known."""
    texts, codes = results._person
    answers = [results.rules.answer(text) for text in texts]
    said = {folded(answer) for answer in answers if answer is not None}
    numbers = {answer: as_number(answer) for answer in answers if answer is not None}
    cut_too = not (said <= {"0", "1"} or at is None)
    limit = 1.0 if not cut_too or at is None else float(at)
    most = cut_too and isinstance(at, AtMost)
    look = []
    for answer in answers:
        number = None if answer is None else numbers[answer]
        if answer is None or (number is None and not said <= {*map(folded, words)}):
            look.append(np.nan)
        else:
            look.append(
                float(
                    folded(answer) == folded(words[1])
                    if number is None
                    else (number <= limit if most else number >= limit)
                )
            )
    return np.array([*look, np.nan])[codes]


def _go_against(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    """Whether two columns of 0 and 1 surely and far disagree, on no fewer items than let one doubt.

    A poor judge of many items may surely be below chance and be no judge of the contrary.
    """
    both = np.isfinite(first) & np.isfinite(second)
    first, second = first[both], second[both]
    if len(first) < _FEWEST_TO_DOUBT or not first.std() or not second.std():
        return False
    r = float(np.corrcoef(first, second)[0, 1])
    return r < -_FAR and r * np.sqrt(len(first) - 1) < -_SURELY


def _question_of_halves(
    results: Results, opposed: Mapping[str, Fraction], turned: Collection[str]
) -> Question:
    """The question whether some judges' high scores are good, with what answers it."""
    halves = [
        f"{name!r} below {float(at):g}" if name in turned else _said_cut(repr(name), at)
        for name, at in opposed.items()
    ]
    stated = cuts_of(results.options.cut) if isinstance(results.options.cut, Mapping) else {}
    others = [n for n in (*results.judged, *results.scored) if n not in opposed]
    rest = {"judges": next(iter(opposed.values()))} if others else {}
    if any(_numbers_of(results, cells) is not None for cells in results.said.values()):
        rest["human"] = next(iter(opposed.values()))
    cuts = {**rest, **stated, **opposed}
    typed = answered("cut", *(f"{name}={_typed_at(at)}" for name, at in cuts.items()))
    low = {
        n: at if isinstance(at, AtMost) else AtMost(_next_below(results, n, at))
        for n, at in opposed.items()
    }
    contrary = {**cuts, **low}
    other = answered("cut", *(f"{name}={_typed_at(at)}" for name, at in contrary.items()))
    answers = [f"{typed} (they are good there, and the judge is wrong)"]
    answers += [] if other == typed else [f"{other} (low scores are good)"]
    answers += [f"{answered('ignore', *opposed)} (leave out)"] if others else []
    return Question(
        f"Scores count as good of {', '.join(halves)}, and people's labels surely say the contrary: is it "
        "so? (High scores that are bad need a cut such as <=2, or a column named so, such as errors.)",
        tuple(opposed),
        tuple(answers),
    )


def _typed_at(at: Fraction) -> str:
    """A cut as it is typed."""
    return f"{'<=' if isinstance(at, AtMost) else ''}{float(at):g}"


def _next_below(results: Results, name: str, at: Fraction) -> Fraction:
    """The highest score of a judge below a cut; the cut where there is none."""
    texts = ({**results.judged, **results.scored})[name][0]
    below = [exact(t) for t in texts if as_number(t) is not None and exact(t) < at]
    return max(below, default=at)


def _said_of_halves(
    notes: Sequence[str], words: tuple[str, str], turned: Collection[str], of_all: Fraction | None
) -> str:
    """What scores are called from their cuts on, and below them."""
    low, high = words
    if of_all is not None and not turned:
        return f"scores cut: {float(of_all):g} and above is {high!r}, below is {low!r}"
    parts = []
    for note in notes:
        name, _, at = note.rpartition(" from ")
        on = "" if " up to " in note else " on"
        parts.append(
            f"{name} below {at} (high is bad by its name)" if name in turned else f"{note}{on}"
        )
    if not turned:
        parts = [f"{', '.join(notes)}{'' if ' up to ' in notes[-1] else ' on'}"]
    return f"{high!r} is {', '.join(parts)}, else {low!r}"


def _said_cut(name: str, at: Fraction) -> str:
    """Where a column is cut: human from 4, or of low scores that are good risk up to 2."""
    return f"{name} {'up to' if isinstance(at, AtMost) else 'from'} {float(at):g}"


def _name_cut(note: str) -> str:
    """The column of what `_said_cut` says."""
    return note.rpartition(" up to " if " up to " in note else " from ")[0]


def _cut_each(
    results: Results,
    judges: dict[str, Cells],
    people: dict[str, Cells],
    cuts: Mapping[str, Fraction],
) -> tuple[list[str], list[str]]:
    """Cut columns of numbers in their places; what was cut where, and judges for whom no cut was stated."""
    notes, uncut = [], []
    for columns, all_of_them in ((judges, "judges"), (people, "human")):
        for name, (texts, codes) in columns.items():
            own = name in cuts and name not in ("judges", "human")  # else of all that are not named
            at = cuts.get(name if own else all_of_them)
            read = [results.rules.answer(text) for text in texts]
            numbers = {text for text in read if text is not None}
            halved = numbers <= {"0", "1"} or any(as_number(text) is None for text in numbers)
            if halved and not own:
                continue  # cut already, or words, which are no scores
            if at is None:
                uncut += [name] * (columns is judges)
                continue
            columns[name] = _translated((texts, codes), cut_column(name, read, at))
            notes.append(_said_cut(name, at))
    return notes, uncut


def _cut_as_before(results: Results) -> Results:
    """Results whose joined labels are cut where a cut of each column said so; 0 and 1 are so already.

    With one cut for all of them the reader of votes cuts them, and a note says it.
    """
    stated = results.options.cut
    if stated is not None and not isinstance(stated, Mapping) and results.said:
        answers = [results.rules.answer(text) for text in results._person[0]]
        _, note = cut_like_scores("human", answers, exact(stated, "cut"))
        return replace(results, label_notes=(*results.label_notes, *([note] if note else [])))
    cut = next((note for note in results.repeats if isinstance(note, CutNote)), None)
    if cut is None or cut.at is None:
        return results
    said = {}
    for name, (texts, codes) in results.said.items():
        read = [results.rules.answer(text) for text in texts]
        numbers = {text for text in read if text is not None}
        refuse_other_scale(option("human"), numbers, cut=cut)
        own, _ = cut_like_scores(name, read, cut.at)
        said[name] = (texts, codes) if own is None else _translated((texts, codes), own)
    return replace(results, said=said)


def _numbers_of(results: Results, cells: Cells) -> NDArray[np.float64] | None:
    """Numbers that a column holds, NaN where none; None where it holds words, or 0 and 1."""
    texts = [results.rules.answer(text) for text in cells[0]]
    numbers = [None if text is None else as_number(text) for text in texts]
    if any(t is not None and x is None for t, x in zip(texts, numbers, strict=True)):
        return None
    values = np.array([*(np.nan if x is None else x for x in numbers), np.nan])[cells[1]]
    return None if {*values[~np.isnan(values)].tolist()} <= {0.0, 1.0} else values


def _on_their_scales(results: Results) -> tuple[Results, Question | None]:
    """Results in which grades on several scales are scores, which are compared by rank, with a note.

    With one cut for all of them the question where each is cut.
    """
    options = results.options
    if options.labels is not None or options.exact_labels:
        return results, None
    judges = {**results.judged, **results.scored}
    values = {n: v for n, c in judges.items() if (v := _numbers_of(results, c)) is not None}
    people = {n: v for n, c in results.said.items() if (v := _numbers_of(results, c)) is not None}
    if (
        options.cut is None and values.keys() & results.judged and _in_two_words(results)
    ):  # the good one is scored higher
        return _as_ranked(results, values), None
    columns = {**values, **people}
    apart = first_apart(columns)
    if apart is None:
        return results, None
    ends = [_scale(name, columns[name]) for name in apart]
    if options.cut is not None or set(apart) <= people.keys():
        cuts = cut_pairs(likely_cuts(values, people), people)
        typed = answered("cut", *(f"{name}={cut}" for name, cut in cuts.items()))
        return results, Question(
            f"{ends[0]} and {ends[1]}, which are two scales: from where on is an output good on each?",
            apart,
            (typed, *_same_scale_answer(options)),
        )
    note = (
        f"{ends[0]} and {ends[1]}: read as two scales, on which equal numbers do not mean the same, so that "
        f"ranks are compared; {_in_common_grades([*columns.values()])}"
    )
    return replace(_as_ranked(results, values), repeats=(*results.repeats, Caution(note))), None


def _in_common_grades(columns: Sequence[NDArray[np.float64]]) -> str:
    """What reads grades as of one scale, where they are few; else that each may be cut."""
    grades = np.unique(np.concatenate(columns))
    grades = grades[~np.isnan(grades)]
    if len(grades) > _MOST_GRADES:
        return f"{option('cut')} says from where on an output is good on each"
    return f"{answered('labels', *(f'{grade:g}' for grade in grades))} reads them as one"


_MOST_GRADES = 11


def _same_scale_answer(options: ReadOptions) -> tuple[str, ...]:
    """The answer that all are on one scale, where one cut was stated."""
    if options.cut is None:
        return ()
    at = f"{float(exact(options.cut, 'cut')):g}"
    return (f"{answered('cut', f'judges={at}', f'human={at}')} (one scale)",)


def _as_ranked(results: Results, numbers: Iterable[str]) -> Results:
    """Results in which judges who give numbers give scores."""
    moved = {*numbers, *results.scored}
    judges = {**results.judged, **results.scored}
    return replace(
        results,
        judged={n: c for n, c in results.judged.items() if n not in moved},
        scored={n: c for n, c in judges.items() if n in moved},
    )


def _in_two_words(results: Results) -> bool:
    """Whether people answer in two words, one of them good, or in 1 and 0."""
    texts = {a for cells in results.said.values() for a in _said_words(results, cells)}
    plain = bool(texts) and all(as_number(text) is None for text in texts)
    return texts == {"0", "1"} or (plain and len(texts) == 2 and good_label(texts) is not None)


def _scale(name: str, values: NDArray[np.float64]) -> str:
    return f"{name!r} goes from {np.nanmin(values):g} to {np.nanmax(values):g}"


_FEWEST_TO_MATCH = 20
"""Items with a score and a label, from which on a cut is where as many scores are good as people say."""


def likely_cuts(
    values: Mapping[str, NDArray[np.float64]],
    people: Mapping[str, NDArray[np.float64]],
    good: NDArray[np.float64] | None = None,
    low_is_good: Collection[str] = (),
) -> dict[str, str]:
    """A cut for each column of numbers: the upper half of people's grades, and as large a share of judges'.

    Without enough of these the middle of all judges' scores, and of each one's own where that would leave
    one of them nothing above or below. `good` : 1 of items that people call good in words, 0 of those they
    do not, NaN of the rest. `low_is_good` : judges whose scores are good below their cut.
    """
    cuts = {}
    for name, grades in people.items():
        listed = [f"{x:.6g}" for x in np.unique(grades[~np.isnan(grades)])]
        cuts[name] = upper_half(listed) or listed[-1]
        if good is None:
            good = np.where(np.isnan(grades), np.nan, grades >= float(cuts[name]))
    middle = _common_middle(values)
    for name, scores in values.items():
        distinct = np.unique(scores[~np.isnan(scores)])
        at = middle
        if at is None:
            at = max(np.nanmedian(scores), distinct[min(1, len(distinct) - 1)])
        both = np.isfinite(scores) & np.isfinite(np.nan if good is None else good)
        if good is not None and both.sum() >= _FEWEST_TO_MATCH and len(distinct) > 1:
            above = (scores[both][:, None] >= distinct[1:]).mean(axis=0)
            share = good[both].mean()
            share = 1 - share if name in low_is_good else share
            at = distinct[1:][np.abs(above - share).argmin()]
        cuts[name] = f"{at:.6g}"
    return cuts


def _common_middle(columns: Mapping[str, NDArray[np.float64]]) -> float | None:
    """Median of all scores on one scale, None where it leaves one of a few judges nothing above or below."""
    if not columns or first_apart(columns) is not None:
        return None
    scores = [*columns.values()]
    middle = float(np.nanmedian(np.concatenate(scores)))
    kept = [np.concatenate(scores)] if is_crowd(scores) else scores
    return middle if all(np.nanmin(x) < middle <= np.nanmax(x) for x in kept) else None


def cut_pairs(cuts: Mapping[str, str], people: Iterable[str]) -> dict[str, str]:
    """Cuts of columns, under one name where all judges have one, `human` where all people have."""
    pairs: dict[str, str] = {}
    names = set(people)
    for name, own in (("judges", cuts.keys() - names), ("human", cuts.keys() & names)):
        listed = {column: cut for column, cut in cuts.items() if column in own}
        alike = len(set(listed.values())) == 1
        pairs |= {name: next(iter(listed.values()))} if alike else listed
    return pairs


def on_several_scales(data: Scores) -> bool:
    """Whether judges, and people who give numbers, are not all on one scale."""
    values, people = _graded(data)
    return (
        first_apart({**values, **{f"people: {name}": x for name, x in people.items()}}) is not None
    )


def suggested_cuts(data: Scores) -> dict[str, str]:
    """Where scores are likely good, as `cut` takes it: {"judges": X} where one number holds for all.

    On one scale it is where people's grades reach the upper half. Where people say in words which items are
    good, each judge is cut so that as many are; without people all are cut in the middle of all scores.
    """
    values, people = _graded(data)
    if people and not on_several_scales(data):
        return {"judges": likely_cuts({}, people)["human"]}
    good = None
    if data.key is not None and {*data.key} <= {"0", "1", None}:
        good = np.array([np.nan if k is None else float(k) for k in data.key])
    words = data.key_words is not None  # 0 and 1 may be good or bad alike
    low = [name for name in data.judges if words and is_bad_news(name)]
    return cut_pairs(likely_cuts(values, people, good, low), people)


def typed_cut(cuts: Mapping[str, str]) -> str:
    """Cuts as `--cut` takes them: a number, or one for each column."""
    if [*cuts] == ["judges"]:
        return cuts["judges"]
    row = io.StringIO()  # a name with a comma stands in quotes
    csv.writer(row, lineterminator="").writerow(f"{name}={at}" for name, at in cuts.items())
    return row.getvalue()


def _graded(
    data: Scores,
) -> tuple[dict[str, NDArray[np.float64]], dict[str, NDArray[np.float64]]]:
    """Numbers of each judge, and those of people."""
    columns = dict(zip(data.judges, data.values.T, strict=True))
    people = {}
    if data.key is not None and data.key_kind == "number":
        people["human"] = np.array([np.nan if k is None else float(k) for k in data.key])
    return {name: column for name, column in columns.items() if np.isfinite(column).any()}, people


def _where_people_pass(numbers: Sequence[str], results: Results) -> DataError:
    """The question from where on an output is good, of numbers that people gave and no judge."""
    people = shown(list(results.said))
    at = upper_half(numbers)
    question = Question(
        f"From where on is an output good, by {people}?", (*results.said,), (answered("cut", at),)
    )
    error = DataError(
        f"people of {results.name} give numbers, and this question is about labels: {question.question} "
        f"Answer with {question.answers[0]}"
    )
    error.questions = (question,)
    return error


def where_to_cut(data: Scores, name: str) -> DataError:
    """Complaint that holds the question from where on an output is good, with a likely answer."""
    cuts = suggested_cuts(data)
    typed = [*cuts.values()] if [*cuts] == ["judges"] else [f"{n}={c}" for n, c in cuts.items()]
    judges = shown(data.judges, 4)
    question = Question(
        f"From where on is an output good, by {judges}?",
        data.judges,
        (answered("cut", *typed),),
    )
    error = DataError(
        f"judges of {name} give numbers, and this question is about labels: {question.question} "
        f"Answer with {question.answers[0]}"
    )
    error.questions = (question,)
    return error


def _with_winners(table: Table) -> Table:
    """Table in which winner_a, winner_b and winner_tie, a 1 in one of them, are one column of verdicts."""
    names = [name for name in table.names if not WINNER.isdisjoint(words_of(name)[:-1])]
    columns = [c for name in names if (c := table.column(name)).values]
    if len(columns) < 2:
        return table
    folded_columns, notes = fold_one_hot(columns)
    if not notes:
        return table
    left = [name for name in table.names if name not in names]
    view = {name: column for name in left if (column := _column(table, name)) is not None}
    view |= {column.name: column for column in folded_columns}
    return _View(view, table.n_rows, (*table.notes, *notes), table.index)


# --- Pairs of answers whose columns name the systems: answer_v3, answer_v4, and who won by these names.


def _with_systems_of_answers(table: Table, options: ReadOptions) -> Table:
    """Table with the two systems of a pair, where the columns of its answers and the verdicts name them.

    Answers of a and b, left and right, first and second have places, and no names of systems.
    """
    stated = options.system is not None or options.systems is not None
    called = any(map(_PAIR.fullmatch, map(str.lower, table.names)))
    if stated or called or table.n_rows > MOST_TEXTS:
        return table
    answers = [n for n in table.names if not SAID.isdisjoint(words_of(n))]
    for names in combinations(answers, 2):
        pair = _sides_in(names)
        rest = [n for n in table.names if n not in names]
        several = any(_sides_in((names[0], n)) for n in answers if n not in names)
        if pair is None or several or not (spelled := _names_the_better(table, rest, pair)):
            continue
        view = {n: column for n in table.names if (column := _column(table, n)) is not None}
        whys = {}
        for name, side, of in zip(("system_a", "system_b"), pair, names, strict=True):
            system = spelled[side]
            view[name] = Column(name, (system,), np.zeros(table.n_rows, np.int64))
            whys[name] = f"{system!r} by the name of {of!r}, as the verdicts say it"
        return _View(view, table.n_rows, table.notes, table.index, table.weights, whys)
    return table


def _names_the_better(table: Table, names: Sequence[str], pair: tuple[str, str]) -> dict[str, str]:
    """Systems as the verdicts spell them, where a column says which of two is better, and none says else."""
    naming = {n: own for n in names if (own := _names_both(table, n, pair))}
    called = [n for n in naming if names_a_verdict(n) or CHOSEN & set(words_of(n))]
    if not called:
        return {}
    for name in names:
        column = None if name in naming else _column(table, name)
        if column is None or not 2 <= len(column.values) <= 12:
            continue
        said = {folded(text) for value in column.values if (text := tidy(value)) is not None}
        if {" ".join(pieces(text)) for text in said} <= {*pair} | EVEN:
            continue  # a person who names one of them so far
        words = any(as_number(text) is None for text in said)
        verdicts = 2 * len(said & VERDICT_WORDS) >= len(said)  # and no topic called factual
        if verdicts or (words and names_a_verdict(name)):
            return {}  # pass and fail: of one answer, whatever the other column says
    return naming[called[0]]


_PAIR = re.compile(PAIR)


def _sides_in(names: Sequence[str]) -> tuple[str, str] | None:
    """What two names say between the words that they share in front and behind, where it may name systems."""
    first, second = (pieces(name) for name in names)
    while first and second and first[0] == second[0]:
        first, second = first[1:], second[1:]
    while first and second and first[-1] == second[-1]:
        first, second = first[:-1], second[:-1]
    if not (0 < len(first) <= 4 and 0 < len(second) <= 4) or {*first, *second} in SIDES:
        return None
    return " ".join(first), " ".join(second)


def _names_both(table: Table, name: str, pair: tuple[str, str]) -> dict[str, str]:
    """Systems as a column spells them that says which of two is better; none of one that says else."""
    column = _column(table, name)
    if column is None or not 2 <= len(column.values) <= 8 or SYSTEM & set(words_of(name)):
        return {}
    spelled = {" ".join(pieces(t)): t for v in column.values if (t := tidy(v)) is not None}
    both = {*pair} <= spelled.keys() <= {*pair} | EVEN
    return {side: spelled[side] for side in pair} if both else {}


# --- Systems side by side whose columns repeat: a row for each, before anything is read.


def _with_systems_below(table: Table, options: ReadOptions) -> tuple[Table, ReadOptions, bool]:
    """Table with a row for each system, where a block of columns is repeated for each; whether it is.

    promptfoo heads the outputs of a provider with [provider] and repeats Status, Score ... behind each, or
    begins them with [PASS] or [FAIL]. Other blocks are read so where `systems` names their first columns.
    """
    sides, auto = repeated_blocks(table.names), False
    gone = {c for of in sides.values() for c in of.values()}
    if sides:
        auto = all(map(_PROVIDER.match, sides))
        named = options.systems
        wanted = {named} if isinstance(named, str) else set(map(str, named or ()))
        if wanted and wanted <= {*sides, *_named_systems(sides).values()}:
            short = _named_systems(sides)
            sides = {k: v for k, v in sides.items() if {k, short[k]} & wanted}
            options, auto = replace(options, systems=None), True
        first = next(iter(sides.values()))
        if set(map(str, options.judges or ())) & (
            gone - {base for base in first if base == first[base]}
        ):
            auto = False  # a column of another block by its own name: they are judges
    if sides and auto:
        columns = {
            lead: {base: c for base, name in of.items() if (c := _column(table, name)) is not None}
            for lead, of in sides.items()
        }
        return *_a_row_each(table, columns, options, gone), True
    tagged = {n: _untagged(c) for n in table.names if (c := _tagged(table, n)) is not None}
    if tagged:
        return *_a_row_each(table, tagged, options, set(tagged)), True
    groups = _under_headings(table, options)
    if not groups:
        return table, options, False
    gone = {f"{group}/{name}" for group, of in groups.items() for name in of}
    are_systems = any(Evidence(name, 0).answers for name in next(iter(groups.values())))
    return *_a_row_each(table, groups, options, gone, named=are_systems), True


def _under_headings(table: Table, options: ReadOptions) -> dict[str, dict[str, Column]]:
    """Columns under headings that have the same names, as v1/GPT-4o and v2/GPT-4o; {} where none do.

    So they are where a name is that of an output, or of who judged: of what only criteria tell apart, the
    headings may be who judged.
    """
    halves = [n.split("/", 1) for n in table.names if "/" in n]
    sides: dict[str, dict[str, Column]] = {}
    for group, name in halves:
        if group and name and (column := _column(table, f"{group}/{name}")) is not None:
            sides.setdefault(group, {})[name] = column
    sides = {group: of for group, of in sides.items() if len(of) > 1}
    common = set.intersection(*map(set, sides.values())) if len(sides) > 1 else set()
    telling = [name for name in common if Evidence(name, 0).answers or names_a_verdict(name)]
    taken = {str(n) for value in options.stated().values() for n in _several(value)}
    if (
        len(common) < 2
        or not telling
        or any(f"{g}/{n}" in taken for g, of in sides.items() for n in of)
    ):
        return {}
    wanted = {str(name) for name in _several(options.systems)} & {*sides}
    picked = {g: of for g, of in sides.items() if not wanted or g in wanted}
    return {
        group: {name: of[name] for name in of if name in common} for group, of in picked.items()
    }


def _several(value: object) -> Sequence[object]:
    if isinstance(value, str):
        return (value,)
    return value if isinstance(value, list | tuple) else ()


_PROVIDER = re.compile(r"\[(.+?)\] ")
_TAG = re.compile(r"\[(PASS|FAIL|ERROR)\]\s*")


def _named_systems(leads: Iterable[str]) -> dict[str, str]:
    """Systems by the headings of their outputs: what stands in brackets, where it tells them apart."""
    matched = {lead: _PROVIDER.match(lead) for lead in leads}
    short = {lead: m.group(1) if m else lead for lead, m in matched.items()}
    return short if len(set(short.values())) == len(short) else {lead: lead for lead in matched}


def _tagged(table: Table, name: str) -> Column | None:
    """Column of a provider's outputs, each of which begins with its verdict."""
    if not _PROVIDER.match(name):
        return None
    column = _column(table, name)
    texts = [] if column is None else [str(value) for value in column.values]
    return column if texts and all(map(_TAG.match, texts)) else None


def _untagged(column: Column) -> dict[str, Column]:
    """Outputs and their verdicts, of texts that begin with these."""
    texts = [str(value) for value in column.values]
    tags = [m.group(1) if (m := _TAG.match(text)) else "" for text in texts]
    rest = tuple(text[len(tag) + 2 :].strip() for tag, text in zip(tags, texts, strict=True))
    return {
        "output": Column("output", rest, column.codes),
        "Status": Column("Status", tuple(tags), column.codes),
    }


class _Below(_View):
    """Columns of systems side by side, made a row for each."""

    once: tuple[str, ...] = ()  # columns with a cell for all systems of a row
    systems: tuple[str, ...] = ()


def _a_row_each(
    table: Table,
    sides: Mapping[str, Mapping[str, Column]],
    options: ReadOptions,
    gone: set[str],
    *,
    named: bool = True,
) -> tuple[Table, ReadOptions]:
    """Table with a row for each of the systems whose columns stand side by side; a row was one prompt.

    `named` : whether they are systems for sure; else it is asked what the column of their names says.
    """
    k, systems = len(sides), _named_systems(sides)
    kept = [c for n in table.names if n not in gone and (c := _column(table, n)) is not None]
    view = {c.name: Column(c.name, c.values, np.repeat(c.codes, k)) for c in kept}
    whys = {}
    name = _free("system" if named else "table", view)
    several = k > 1 and options.system is None
    if several and options.prompt is None and options.item is None:
        test = next((c.name for c in kept if _names_rows(c, table.n_rows)), None)
        if test is None:
            test = _free("test", view)
            rows = np.repeat(np.arange(table.n_rows), k)
            view[test] = Column(test, tuple(range(1, table.n_rows + 1)), rows)
        options = replace(options, prompt=test)
        whys[test] = "a row of the table: several systems answer it"
    if several and named:
        options = replace(options, system=name)
    options = replace(options, systems=None)
    view[name] = Column(name, tuple(systems.values()), np.tile(np.arange(k), table.n_rows))
    if named:
        whys[name] = "the systems side by side"
    fields = [f for f in next(iter(sides.values())) if all(f in of for of in sides.values())]
    for name_of_field in fields:
        own = _free(name_of_field, view)
        view[own] = _interleaved(own, [of[name_of_field] for of in sides.values()])
    listed = ", ".join(map(repr, systems.values()))
    what = "systems" if named else "columns with the same names"
    note = f"{what} side by side, a row for each output: {listed}"
    notes = (*table.notes, note if named else Caution(f"{note}; {name!r} says which"))
    below = _Below(view, k * table.n_rows, notes, table.index)
    below.whys = whys if several else {}
    if several:
        below.once, below.systems = tuple(c.name for c in kept), tuple(systems.values())
    return below, options


# --- Rows that are errors, or one output's answer read in several ways: a row for each output again.


_SEVERITIES = ("no-error", "neutral", "trivial", "minor", "major", "critical")
"""Of errors in an output, in order; the first two are none."""

_NO_ERRORS = {"no-error", "no error", "none", "no issues", "no-issues"}


def _with_worst_errors(table: Table, options: ReadOptions) -> tuple[Table, ReadOptions, bool]:
    """Table in which the worst error of an output, by each who marked them, is its label; whether it is.

    MQM has a row for each error: its category and severity, beside the segment, the system and the rater.
    """
    if {"judge", "answer", "judges", "item"} & options.stated().keys():
        return table, options, False
    severity = next((c for n in table.names if (c := _severity(table, n)) is not None), None)
    rater = next((n for n in table.names if words_of(n)[-1:] and _marks_errors(n)), None)
    ids = [n for n in table.names if set(words_of(n)) & {"seg", "segment", "sentence"}]
    if severity is None or rater is None or not ids:
        return table, options, False
    doc = [n for n in table.names if words_of(n)[:1] == ["doc"] or words_of(n)[:1] == ["document"]]
    system = [n for n in table.names if set(words_of(n)) & SYSTEM]
    keys = [c for n in (*doc, *ids, *system, rater) if (c := _column(table, n)) is not None]
    group = np.unique(np.stack([c.codes for c in keys]), axis=1, return_inverse=True)[1].ravel()
    if group.max() + 1 == table.n_rows:
        return table, options, False
    rank = np.array([*map(_severity_rank, severity.values), -1])[severity.codes]
    order = np.lexsort((np.arange(table.n_rows), -rank, group))
    first = np.sort(order[np.diff(group[order], prepend=-1) > 0])
    view = {n: c for n in table.names if (c := _column(table, n)) is not None}
    view = {n: Column(n, c.values, c.codes[first]) for n, c in view.items()}
    said = (
        f"rows are errors: the worst {severity.name!r} that each {rater!r} marked in an output is its label "
        f"({how_many(table.n_rows, 'row')}, {how_many(len(first), 'label')})"
    )
    none = next((str(v) for v in severity.values if str(v).casefold() in _NO_ERRORS), None)
    options = replace(
        options,
        judge=rater,
        answer=severity.name,
        item=[*doc, *ids],
        system=options.system if options.system is not None else (system or None),
        good=options.good if options.good is not None else none,
    )
    below = _Below(view, len(first), (*table.notes, Caution(said)), table.index)
    below.whys = {
        **dict.fromkeys((*doc, *ids), "what was judged"),
        **dict.fromkeys(system, "whose output was judged"),
        severity.name: "the worst error in an output",
        rater: "who marked errors",
    }
    return below, options, True


def _severity(table: Table, name: str) -> Column | None:
    """Column of severities of errors, by its name and cells."""
    column = _column(table, name) if "severity" in words_of(name) else None
    if column is None or len(column.values) < 2:
        return None
    return column if all(_severity_rank(v) >= 0 for v in column.values if tidy(v)) else None


def _severity_rank(value: object) -> int:
    """How bad an error of some severity is, 0 where there is none; -1 of other words."""
    form = str(value).strip().casefold()
    if form in _NO_ERRORS:
        return 0
    return _SEVERITIES.index(form) if form in _SEVERITIES else -1


def _marks_errors(name: str) -> bool:
    """Whether a column is called like those who mark errors."""
    return words_of(name)[-1].rstrip("s") in {
        "rater",
        "annotator",
        "evaluator",
        "judge",
        "reviewer",
    }


def _with_filters_beside(table: Table) -> Table:
    """Table of lm-eval with a row for each document, where answers were read out in several ways.

    What each filter made of the metrics is a column of its own: the same outputs, judged in two ways.
    """
    names = set(table.names)
    if "filter" not in names or (export := export_of(names)) is None or export.title != "lm-eval":
        return table
    filters, docs = _column(table, "filter"), _column(table, "doc_id")
    if filters is None or docs is None or len(filters.values) < 2 or (filters.codes < 0).any():
        return table
    models = [c for n in ("model_name", "model") if n in names and (c := _column(table, n))]
    keys = np.stack([docs.codes, *(c.codes for c in models)])
    group = np.unique(keys, axis=1, return_inverse=True)[1].ravel()
    at = np.full((group.max() + 1, len(filters.values)), -1, np.int64)
    at[group, filters.codes] = np.arange(table.n_rows)
    if (at >= 0).sum() < table.n_rows or (at[:, 0] < 0).any():
        return table  # a document twice, or without the first filter
    view: dict[str, Column] = {}
    for name in table.names:
        column = _column(table, name)
        if column is None or name == "filter":
            continue
        cells = np.append(column.codes, -1)[at]
        if export.role(name) in ("judge", "score") and (cells != cells[:, :1]).any():
            for k, kind in enumerate(filters.values):
                own = _free(f"{name} {kind}", view)
                view[own] = Column(own, column.values, cells[:, k])
        else:
            view[name] = Column(name, column.values, cells[:, 0])
    listed = ", ".join(repr(str(kind)) for kind in filters.values)
    note = Caution(f"filters of lm-eval stand beside each other, a row for each document: {listed}")
    return _View(view, len(at), (*table.notes, note), table.index)


def _names_rows(column: Column, n_rows: int) -> bool:
    """Whether a column called like an id or a prompt has a cell of its own in every row."""
    words = words_of(column.name)[-1:]
    called = bool(item_columns([column.name])) or not SHARED_BY_OUTPUTS.isdisjoint(words)
    return called and len(column.values) == n_rows and bool((column.codes >= 0).all())


def _said_once(table: Table, reading: Roles) -> Question | None:
    """Question whose outputs verdicts are about that stand once a row, beside those of several systems."""
    if not isinstance(table, _Below):
        return None
    names = [n for n in table.once if reading.decided[n].role in ("human", "judge", "score")]
    if not names:
        return None
    verb = "stands" if len(names) == 1 else "stand"
    return Question(
        f"{', '.join(map(repr, names))} {verb} once a row, beside the outputs of "
        f"{', '.join(map(repr, table.systems))}: of whose output is it?",
        tuple(names),
        (*(answered("systems", name) for name in table.systems), answered("ignore", *names)),
    )


def _interleaved(name: str, columns: Sequence[Column]) -> Column:
    """One column of several, whose cells of a row follow each other."""
    at: dict[object, int] = {}
    codes = []
    for column in columns:
        new = [at.setdefault(value, len(at)) for value in column.values]
        codes.append(np.array([*new, -1], np.int64)[column.codes])
    return Column(name, tuple(at), np.stack(codes, axis=1).ravel())


def _column(table: Table, name: str) -> Column | None:
    try:
        return table.column(name)
    except DataError:  # lists or objects
        return None


def _is_plain(table: Table, reading: Roles, options: ReadOptions) -> tuple[bool, str | None]:
    """Whether the reader of votes makes the same of a table, and the column of true labels it has then.

    So it is where no name says a model, a person or a system, and no column stands beside the verdicts.
    """
    key = options.key if isinstance(options.key, str) and options.key in table.names else None
    people = [name for name in reading.named("human") if name != key]
    roles = ColumnRoles.of(options).with_key(key or (people[0] if len(people) == 1 else None))
    several = reading.layout == "wide" and len(_systems_of(reading, np.arange(reading.n_rows))) > 0
    special = reading.runs or reading.grid or reading.pairs or reading.repeats or several
    by_column = roles.judges is not None and set(roles.judges) <= {*reading.columns}
    if roles.judges is not None and by_column and not ((several and reading.item) or reading.pairs):
        people = [name for name in people if name not in roles.judges]
        named = [reading.columns[name] for name in roles.judges if name in reading.columns]
        vocabulary = {form for column in named for form in column.labels}
        fits = all(set(reading.columns[name].labels) == vocabulary for name in people)
        fits = fits and not any(column.commas for column in named)
        return len(people) <= (options.key is None) and fits, people[0] if people else None
    criteria = any(q.question.startswith(("Do ", "Are ", "Did ")) for q in reading.questions)
    criteria |= any(  # a sparse column that is named after a judgement may be a person's
        q.question.startswith("Who gave ") and reading.columns[name].says(CRITERIA, VERDICT_WORDS)
        for q in reading.questions
        for name in q.columns
    )
    long = reading.layout == "long" and (
        len(reading.item) > 1 or _has_people(reading) or bool(reading.named("judge"))
    )
    alone = not people and not special and not criteria and not reading.names_judges and not long
    if alone and reading.layout != "long":
        return not reading.changed and not _takes_constant(table, reading, options), None
    if special or len(people) > 1 or (options.key is not None and people):
        return False, None
    try:
        layout = find_layout(table, roles)
        if layout.kind == "long":
            plainly = (alone and not reading.changed) or _is_plainly_long(layout, reading)
            return plainly and not (people and reading.layout == "long"), None
        if reading.layout == "long":
            return False, None
        votes = {column.name for column in judge_columns(table, layout, Rules.of(options))[0]}
    except DataError:
        return False, None
    columns = [reading.columns[name] for name in votes if name in reading.columns]
    if _are_unlike(reading, people) or (people and reading.named("covariate")):
        return False, None
    if any(_needs_reading(column) for column in columns) or _in_two_vocabularies(columns):
        return False, None
    judged = set(reading.named("judge")), set(reading.named("judge", "score"))
    same = votes in judged and set(layout.item) == set(reading.item)
    vocabulary = {form for column in columns for form in column.labels}
    if any(set(reading.columns[name].labels) != vocabulary for name in people):
        return False, None
    return same and not reading.questions, people[0] if people else None


def _has_scales(table: Table, reading: Roles, options: ReadOptions, name: str) -> bool:
    """Whether numbers in a table of votes are grades on several scales."""
    named = [reading.columns[n] for n in reading.named("judge", "score", "human", "answer")]
    graded = [column for column in named if column.numeric and len(column.texts) > 2]
    looks = look_like_scores({text for column in graded for text in column.texts})
    if not graded or (looks and options.cut is None):  # scores are compared by rank
        return False
    try:
        results = _built(table, reading, options, name)
    except DataError:
        return False
    compared, question = _on_their_scales(_cut_apart(results))
    return question is not None or compared is not results


def _takes_constant(table: Table, reading: Roles, options: ReadOptions) -> bool:
    """Whether the reader of votes takes a column that names one system throughout for a judge."""
    left_out = [reading.columns[name] for name in reading.named("ignored")]
    constant = {c.name for c in left_out if len(c.texts) == 1 and c.ends(SYSTEM)}
    if not constant or not reading.named("judge", "score"):
        return False
    try:
        layout = find_layout(table, ColumnRoles.of(options))
        votes = {} if layout.kind == "long" else judge_columns(table, layout, Rules.of(options))[0]
    except DataError:
        return False
    return any(column.name in constant for column in votes)


def _are_unlike(reading: Roles, people: Sequence[str]) -> bool:
    """Whether verdicts stand beside numbers, or a yes is good in one column and bad in another."""
    judges = [reading.columns[name] for name in reading.named("judge")]
    words = [c.name for c in judges if not c.numeric]
    named = any("name says" in reading.decided[name].why for name in words)
    if reading.named("score") and (named or any(len(c.labels) == 2 for c in judges)):
        return True
    binary = [c for c in (*judges, *(reading.columns[n] for n in people)) if c.binary]
    return len({c.is_bad_news for c in binary}) > 1


def _fits_votes(table: Table, options: ReadOptions) -> bool:
    """Whether the column that people's labels are in says what judges say, in the same words."""
    if not (isinstance(options.key, str) and options.key in table.names):
        return True
    rules = Rules.of(options)
    try:
        layout = find_layout(table, ColumnRoles.of(options).with_key(options.key))
        if layout.kind == "long" or scores_in(table, layout, rules):
            return True
        columns = [*judge_columns(table, layout, rules)[0], table.column(options.key)]
    except DataError:
        return False
    forms = [
        {folded(a) for value in column.values if (a := rules.answer(value))} for column in columns
    ]
    return forms[-1] <= set().union(*forms[:-1])


def _is_plainly_long(layout: Layout, reading: Roles) -> bool:
    """Whether a row is a vote of nobody but judges."""
    if reading.layout == "long" and not reading.questions:
        same = [layout.judge] == reading.named("rater") and [layout.answer] == reading.named(
            "answer"
        )
        raters = reading.columns[layout.judge].texts
        people = bool(reading.people_named) or any(is_person(name, raters) for name in raters)
        return same and not people and set(layout.item) == set(reading.item)
    aside = layout.judge in reading.named("slice") and reading.named("judge", "human")
    return layout.judge.strip().lower() != "model" and reading.layout != "long" and not aside


def _has_people(reading: Roles) -> bool:
    """Whether some rater of a long table is a person among judges."""
    raters = reading.columns[reading.named("rater")[0]].texts if reading.named("rater") else ()
    return bool(reading.people_named) or any(is_person(name, raters) for name in raters)


def _in_two_vocabularies(columns: Sequence[Evidence]) -> bool:
    """Whether two columns of two labels each share none."""
    kinds = [frozenset(c.labels) for c in columns if len(c.labels) == 2]
    return any(kind.isdisjoint(kinds[0]) for kind in kinds)


_PLAINLY_MISSING = {"", "na", "n/a", "nan", "none", "null"}


def _needs_reading(column: Evidence) -> bool:
    """Whether cells stand for verdicts that the reader of votes would spell otherwise."""
    forms = {folded(text) for text in column.texts} if len(column.texts) <= 200 else set()
    return column.changed or bool(forms & column.absent - _PLAINLY_MISSING)


def _with_people(results: Results, table: Table, human: Any, source: Any) -> Results:
    """Results with labels from a mapping, a Series, a frame or a file, joined by item."""
    truth = replace(key_source(table, human, source), names=tuple(results.said))
    if truth.column is not None:
        column = results.reading.columns[truth.column]
        codes = column.codes[results.rows]
        said = {truth.column: (column.texts, codes)}
        judged = {n: c for n, c in results.judged.items() if n != truth.column}
        return replace(results, said=said, judged=judged)
    if truth.rows is None:
        return _with_labels_by_id(results, truth)
    cells = [None if v is None or v != v else str(v) for v in truth.rows]
    return _with_labels(results, [cells[row] for row in results.rows.tolist()], truth.beside)


def _beside_own(joined: Results, own: Results) -> Results:
    """Results with labels that were joined and those of the table's own people, in one set.

    Where they differ those that were joined count. Labels that were drawn with known chances stand alone:
    with them is what was labelled before.
    """
    joined = _settled(_cut_as_before(_worded_as(joined, own)))
    if not own.said or _say_the_same(joined, own) or joined.holds_scores != own.holds_scores:
        return joined
    name, (texts, codes) = next(iter(joined.said)), joined._person
    own_texts, own_codes = own._person
    own_name = shown([*own.said], 3)
    names: dict[str, int] = {}
    first, second = (
        _shared_codes(cells, names) for cells in ((texts, codes), (own_texts, own_codes))
    )
    both = (first >= 0) & (second >= 0)
    differ = int((first[both] != second[both]).sum())
    if joined.drawn:
        n_left = int(((own_codes >= 0) & (codes < 0)).sum())
        left = (
            f"{how_many(n_left, 'label')} of {own_name} are not in the file of labels, and left out"
        )
        changed = (
            f"of {how_many(int(both.sum()), 'item')} with a label of {own_name} and in the file they differ "
            f"on {differ}, where the file's count"
        )
        said_of = [*([Caution(left)] if n_left else []), *([Caution(changed)] if differ else [])]
        return replace(joined, label_notes=(*joined.label_notes, *said_of))
    if (own_codes >= 0).all():  # an answer key, of which these are a sample
        said = f"{own_name} labels every output, and the labels that were passed are used alone"
        said += f"; they differ on {differ} of {both.sum()} items" if differ else ""
        return replace(joined, label_notes=(*joined.label_notes, Caution(said)))
    spelled = {folded(text): text for text in (*own_texts, *texts)}
    kept = (tuple(spelled[form] for form in names), np.where(first >= 0, first, second))
    said = f"labels of {int((first >= 0).sum())} items join the {int((second >= 0).sum())} of {own_name}"
    how = (
        "they say the same" if not differ else f"they differ on {differ}, where the new ones count"
    )
    said += f"; of {how_many(int(both.sum()), 'item')} with both {how}" if both.any() else ""
    first_own = next(iter(own.said))
    if first_own in own.reading.columns:
        said += f"; {option('ignore', first_own)} leaves its own out"
    notes = (*joined.label_notes, Caution(said) if differ else said)
    return replace(
        joined, said={first_own if len(own.said) == 1 else name: kept}, label_notes=notes
    )


def _say_the_same(joined: Results, own: Results) -> bool:
    """Whether labels that were joined are the table's own."""
    if joined.said.keys() != own.said.keys():
        return False
    both = ((cells, own.said[name]) for name, cells in joined.said.items())
    return all(a[0] == b[0] and np.array_equal(a[1], b[1]) for a, b in both)


def _worded_as(results: Results, own: Results) -> Results:
    """Results whose joined labels are in the two words of the table's own people, by the good one."""
    if not own.said or not results.said:
        return results
    old = {
        form: text
        for cells in own.said.values()
        for form, text in _present(cells, own.rules).items()
    }
    said = {}
    for name, cells in results.said.items():
        new = _present(cells, results.rules)
        good, target = good_label([*new]), good_label([*old])
        if len(new) == len(old) == 2 and good and target and not new.keys() & old.keys():
            bad = next(text for form, text in old.items() if form != target)
            words = {f: old[target] if f == good else bad for f in new}
            cells = tuple(words.get(folded(t), t) for t in cells[0]), cells[1]
        said[name] = cells
    return replace(results, said=said)


def _with_labels_by_id(results: Results, truth: KeySource) -> Results:
    """Results with labels joined by item."""
    from algeval.io.answers import plain

    joined, said = truth.for_items(results.items)
    pairs = dict(zip(*(joined.pairs or ((), ())), strict=True))
    texts = {item: plain(value) for item, value in pairs.items()}
    if not any(item in texts for item in results.items):
        some = ", ".join(map(repr, list(texts)[:3]))
        raise DataError(
            f"human labels must name items of {results.name}, such as {results.items[0]!r}; got {some}; "
            "none matches: write the ids of the items"
        )
    labelled = _with_labels(results, [texts.get(item) for item in results.items], truth.beside)
    cautions = tuple(note for note in said if isinstance(note, Caution))
    here = set(results.items)
    stray = [item for item in texts if item not in here]
    if stray:
        n, some = how_many(len(stray), "label"), ", ".join(map(repr, stray[:3]))
        cautions = (*cautions, Caution(f"{n} of {len(texts)} name no item here, such as {some}"))
    blank = sum(text is None or results.rules.answer(text) is None for text in texts.values())
    if blank:
        n = how_many(blank, "item has", "items have")
        cautions = (
            *cautions,
            Caution(f"{n} no label yet, of the {len(texts)} in the file of labels"),
        )
    return replace(labelled, drawn=joined.drawn, label_notes=cautions)


def _with_labels(results: Results, values: Sequence[str | None], column: str | None) -> Results:
    """Results with a label of people or none per item, in place of their own."""
    from algeval.io.answers import tidy

    answer = results.rules.answer
    spelled = [None if v is None or answer(v) is None else tidy(v) for v in values]
    if commas_in({v for v in spelled if v is not None}) == "decimal":
        spelled = [v and without_commas(v, decimal=True) for v in spelled]
    spelled = _as_numbers_beside(spelled)
    distinct = {v: k for k, v in enumerate(dict.fromkeys(v for v in spelled if v is not None))}
    codes = np.array([-1 if v is None else distinct[v] for v in spelled], np.int64)
    name = column or "human"
    judged = {n: c for n, c in results.judged.items() if n != name}
    return replace(results, said={name: (tuple(distinct), codes)}, judged=judged)


def _as_numbers_beside(labels: Sequence[str | None]) -> list[str | None]:
    """Labels in which yes and no beside 1 and 0, as labels that were cut are written back, are 1 and 0."""
    texts = {label for label in labels if label is not None}
    words = {text for text in texts if as_number(text) is None}
    good = {text for text in words if folded(text) in GOOD_LABELS}
    bad = {text for text in words if folded(text) in BAD_LABELS}
    if not words or not texts - words or not texts - words <= {"0", "1"} or words != good | bad:
        return list(labels)
    if len(good) > 1 or len(bad) > 1:
        return list(labels)
    new = dict.fromkeys(good, "1") | dict.fromkeys(bad, "0")
    return [label if label is None else new.get(label, label) for label in labels]


_TOGETHER = 2.0  # z of a correlation from which two judges' words are taken to mean the same


def _present(cells: Cells, rules: Rules) -> dict[str, str]:
    """{folded: spelled} of the verdicts in a column."""
    texts, codes = cells
    picked = (texts[code] for code in occurring(codes).tolist())
    return {folded(text): text for text in picked if rules.answer(text) is not None}


def _main_words(
    kinds: Sequence[frozenset[str]],
    words: Sequence[Mapping[str, str]],
    people: Sequence[Mapping[str, str]],
) -> frozenset[str]:
    """The two words that most say, of some pairs of them, by judges and people."""
    judges = {frozenset(own) for own in words}
    if len({frozenset(own) for own in people}) > 1 and len(judges) == 1 and kinds[0] in judges:
        return kinds[0]  # people answer in several pairs of words: the judges' are common to all
    main = max(kinds, key=lambda kind: (kinds.count(kind), sorted(kind)))
    return _poles_of_many([*words, *people], main) or main


def _in_shared_words(results: Results) -> tuple[Results, Question | None]:
    """Results in which judges who say 1 and 0, or true and false, say pass and fail as the others do.

    So it is where the words leave no doubt and the verdicts agree; else the question whether they mean the
    same.
    """
    options = results.options
    stated = options.labels is not None or options.cut is not None or _renamed(options)
    if stated or not results.judged or results.reading.pairs:
        return results, None
    words = {name: _present(cells, results.rules) for name, cells in results.judged.items()}
    people = [_present(cells, results.rules) for cells in results.said.values()]
    kinds = [frozenset(w) for w in words.values() if len(w) == 2] + [
        frozenset(w) for w in people if len(w) == 2 for _ in words
    ]
    if not kinds:
        return results, None
    main = _main_words(kinds, [*words.values()], people)
    if len(words) == 1:
        main = frozenset(next(iter(words.values())))  # people's words are put into the judge's
        if len(main) != 2:
            return results, None
    spelled = {form: text for w in (*words.values(), *people) for form, text in w.items()}
    judged, notes = dict(results.judged), list[str]()
    turned: dict[str, str] = {}  # words of judges that are taken for others
    for name, every in words.items():
        own = _good_and_bad(every)
        if len(own) != 2 or not main.isdisjoint(every) or results.layout == "long":
            continue
        column = results.reading.columns.get(name)
        of_main = {form: spelled[form] for form in main}
        forms = _in_words_of(own, of_main, column)
        agree = _agreement_in(results, judged[name], forms, main)
        if not forms:
            forms, agree = _surely_the_same(results, judged[name], own, of_main)
        if not forms or (agree is not None and agree[1] < _TOGETHER):
            return results, _same_words(results, name, own, main)
        texts, codes = judged[name]
        judged[name] = tuple(forms.get(folded(t), t) for t in texts), codes
        turned |= forms
        quoted = [
            " and ".join(map(repr, side))
            for side in zip(*((own[f], t) for f, t in forms.items()), strict=True)
        ]
        notes.append(
            f"{name} says {quoted[0]}: taken for {quoted[1]}"
            + ("" if agree is None else f"; the others agree on {agree[0]:.0%}")
        )
    judged, of_more = _those_who_say_more(judged, words, main, turned)
    answered_, of_people = _people_in_shared_words(results, main, spelled)
    notes += of_more + of_people
    if not notes:
        return results, None
    noted = (*results.repeats, *notes)
    return replace(results, judged=judged, said=answered_, repeats=noted), None


def _in_words_of(
    own: Mapping[str, str], main: Mapping[str, str], column: Evidence | None
) -> dict[str, str]:
    """{one of two folded words: the main word that is as good}; empty where words leave that open."""
    good, target = _good_of_two(own, column), _good_of_two(main, None)
    if good is None or target is None:
        return {}
    bad = next(form for form in own if form != good)
    return {good: main[target], bad: next(text for form, text in main.items() if form != target)}


def _agreement_in(
    results: Results, cells: Cells, forms: Mapping[str, str], main: frozenset[str]
) -> tuple[float, float] | None:
    """Agreement with the others of verdicts that are put into other words."""
    texts, codes = cells
    said = tuple(forms.get(folded(t), t) for t in texts)
    return _agreement_with_rest(results, (said, codes), main)


def _surely_the_same(
    results: Results, cells: Cells, own: Mapping[str, str], main: Mapping[str, str]
) -> tuple[dict[str, str], tuple[float, float] | None]:
    """The one way to put two words into the main ones in which nearly all verdicts are the others'.

    Both ways are tried: one agrees on 75% of 30 rows or more, by a z above 5; else it is empty. Its words
    then say the contrary of what they would the other way round, and no judge is wrong so much more often.
    """
    for pair in permutations(main.values()):
        forms = dict(zip(own, pair, strict=True))
        agree = _agreement_in(results, cells, forms, frozenset(main))
        if agree is not None and (cells[1] >= 0).sum() >= 30 and agree[0] >= 0.75 and agree[1] > 5:
            return forms, agree
    return {}, None


def _good_and_bad(words: Mapping[str, str]) -> dict[str, str]:
    """Of three words or more, the only good and the only bad one, where there are such."""
    poles = [[form for form in words if form in listed] for listed in (GOOD_LABELS, BAD_LABELS)]
    if len(words) <= 2 or any(len(forms) != 1 for forms in poles):
        return dict(words)
    return {forms[0]: words[forms[0]] for forms in poles}


def _those_who_say_more(
    judged: Mapping[str, Cells],
    words: Mapping[str, Mapping[str, str]],
    main: frozenset[str],
    turned: Mapping[str, str],
) -> tuple[dict[str, Cells], list[str]]:
    """Judges who say unsure, too, beside words of others that are taken for the main ones."""
    changed, notes = dict(judged), list[str]()
    for name, own in words.items():
        if len(own) > 2 and main.isdisjoint(own) and turned.keys() & own.keys():
            texts, codes = changed[name]
            changed[name] = (tuple(turned.get(folded(t), t) for t in texts), codes)
            notes.append(f"{name}: its words are taken as those of the judges beside it")
    return changed, notes


def _people_in_shared_words(
    results: Results, main: frozenset[str], spelled: Mapping[str, str]
) -> tuple[dict[str, Cells], list[str]]:
    """People's answers in the two words of judges, where another person says them or verdicts agree."""
    people = [_present(cells, results.rules) for cells in results.said.values()]
    alike = any(main >= set(w) for w in people)
    said, notes = dict(results.said), list[str]()
    target = good_label(list(main))
    for name, cells in results.said.items():
        own = _present(cells, results.rules)
        if (plain := _other_forms(own, main)) is not None:
            said[name] = tuple(plain.get(folded(t), t) for t in cells[0]), cells[1]
            notes.append(f"{name}: {shown(sorted(plain), 4)} are taken for the judges' words")
            continue
        good = good_label(list(own))
        if good is None or target is None or len(own) != 2 or not main.isdisjoint(own):
            continue
        other = next(form for form in main if form != target)
        forms = {f: spelled[target if f == good else other] for f in own}
        turned = tuple(forms.get(folded(t), t) for t in cells[0]), cells[1]
        column = results.reading.columns.get(name)
        agree = _agreement_with_rest(replace(results, said={}), turned, main)
        bad_news = column is not None and column.is_bad_news
        if alike or (agree is not None and agree[1] > 0 and not bad_news):
            said[name] = turned
            notes.append(f"{name} says {own[good]!r}: taken for {spelled[target]!r}")
    return said, notes


_FORMS = ("pass passed", "fail failed", "accept accepted", "reject rejected", "approve approved")
"""Words that say the same, in each of two forms."""


def _other_forms(own: Mapping[str, str], main: frozenset[str]) -> dict[str, str] | None:
    """{a person's other form of a judge's word: that word}, where the person says such forms beside it."""
    if len(own) <= 2 or main.isdisjoint(own):
        return None
    pairs = [set(words.split()) for words in _FORMS]
    other = {
        form: next(iter(pair & main))
        for form in own.keys() - main
        for pair in pairs
        if form in pair and pair & main
    }
    return other or None


def _apart_from_all(results: Results) -> Question | None:
    """The question what a judge's words mean, none of which anybody else says: it would never be right."""
    options = results.options
    if options.labels is not None or options.cut is not None or results.layout == "long":
        return None
    columns = {**results.judged, **results.said}
    own = {name: _said_words(results, cells) for name, cells in columns.items()}
    for name in results.judged:
        words = own[name]
        others = {f: t for n, each in own.items() if n != name for f, t in each.items()}
        lone = [f for f in words if f not in others]
        left = [f for f in others if f not in words]
        paired = results.reading.pairs or results.layout == "pairwise"
        if len(words) == len(others) == 2 and len(lone) == 1 and not paired:
            return Question(
                f"Is {words[lone[0]]!r} of {name!r} the same as {others[left[0]]!r}, which others say?",
                (name,),
                (answered("same", f"{words[lone[0]]}={others[left[0]]}"), answered("ignore", name)),
            )
        if not words or not others or len(lone) < len(words):
            continue
        two = [n for n, each in own.items() if n != name and len(each) == 2]
        pairs = _likeliest_pairs(results, name, two[0]) if two and len(words) == 2 else []
        return Question(
            f"No answer of {name!r} ({shown(list(words.values()), 3)}) is one of the others' "
            f"({shown(list(others.values()), 3)}): which are the same?",
            (name,),
            (*(answered("same", *each) for each in pairs), answered("ignore", name)),
        )
    return None


def _of_another_question(results: Results, question: Question) -> list[str]:
    """Judge whose words can be put into nobody's, where two others or more share theirs; else empty."""
    names = [name for name in question.columns if name in results.judged]
    if len(names) != 1 or question.answers != (answered("ignore", names[0]),):
        return []
    columns = {**results.judged, **results.said}
    words = [{*_said_words(results, c)} for name, c in columns.items() if name != names[0]]
    shared = all(any(w & other for other in words if other is not w) for w in words if w)
    return names if shared and len(words) > 1 and len(results.judged) > 1 else []


def _beside_verdicts(results: Results) -> Question | None:
    """The question which words of judges are no answers, where people give two labels and never these."""
    options = results.options
    settings = (options.labels, options.missing, options.cut, options.exact_labels)
    own, others = _forms_of(results, results.said), _forms_of(results, results.judged)
    numbers = [form for form in others if as_number(form) is not None]
    stated = any(value not in (None, False) for value in settings)
    if stated or numbers or len(own) != 2 or not {*own} < {*others}:
        return None
    strange = natural_order(others[form] for form in others.keys() - own.keys() - EVEN)
    if not strange or results.layout == "pairwise" or results.reading.pairs:
        return None
    return Question(
        f"People say {shown([*own.values()])} alone, and judges {shown(strange, 4)} too: answers, or none?",
        (*results.judged,),
        (answered("missing", *strange), answered("labels", *own.values(), *strange)),
    )


def _said_words(results: Results, cells: Cells) -> dict[str, str]:
    """{folded: spelled} of a column's answers, under their new names."""
    answers = (results.rules.answer(cells[0][code]) for code in occurring(cells[1]).tolist())
    return {folded(answer): answer for answer in answers if answer is not None}


def _likeliest_pairs(results: Results, name: str, other: str) -> list[list[str]]:
    """Both ways in which two words of one column are the two of another, the likelier first."""
    columns = {**results.judged, **results.said}
    forms = []
    for each in (name, other):
        texts, codes = columns[each]
        read = [results.rules.answer(text) for text in texts]
        forms.append(np.array([*(folded(a) if a else "" for a in read), ""], object)[codes])
    words = [_said_words(results, columns[each]) for each in (name, other)]
    (a, b), (c, d) = (list(w) for w in words)
    first = int(
        ((forms[0] == a) & (forms[1] == c)).sum() + ((forms[0] == b) & (forms[1] == d)).sum()
    )
    second = int(
        ((forms[0] == a) & (forms[1] == d)).sum() + ((forms[0] == b) & (forms[1] == c)).sum()
    )
    orders = [(c, d), (d, c)] if first >= second else [(d, c), (c, d)]
    return [
        [f"{words[0][x]}={words[1][y]}" for x, y in zip((a, b), o, strict=True)] for o in orders
    ]


def _people_say_more(results: Results) -> tuple[str, ...]:
    """Caution of people's labels that no judge gives, beside some that judges do: no judge is right there."""
    if results.layout == "long" or not results.judged or results.options.labels is not None:
        return ()
    words = _forms_of(results, results.judged)
    notes = []
    for name, cells in results.said.items():
        own = _forms_of(results, {name: cells})
        more = {form for form in own if form not in words}
        if not more or len(more) == len(own) or len(words) > 6:
            continue
        codes = [
            k
            for k, text in enumerate(cells[0])
            if (a := results.rules.answer(text)) is not None and folded(a) in more
        ]
        n = int(np.isin(cells[1], codes).sum())
        quoted = shown([own[form] for form in sorted(more)], 4)
        grades = None not in map(as_number, (*own, *words))
        mean = "" if grades else f"; {option('same')} says what they mean"
        notes.append(
            Caution(
                f"{how_many(n, 'answer')} of {name!r} ({quoted}) {'is' if n == 1 else 'are'} none of the "
                f"judges': no judge is right there{mean}"
            )
        )
    return tuple(notes)


def _sides_alike(results: Results) -> Results:
    """Results of pairs in which model_a and A, second and b are one word: the first that is met."""
    if not results.reading.pairs and results.layout != "pairwise":
        return results
    spelled: dict[int, str] = {}

    def alike(cells: Cells) -> Cells:
        sides = [side_of(text) for text in cells[0]]
        return tuple(
            text if side is None else spelled.setdefault(side, text)
            for text, side in zip(cells[0], sides, strict=True)
        ), cells[1]

    judged = {name: alike(cells) for name, cells in results.judged.items()}
    said = {name: alike(cells) for name, cells in results.said.items()}
    return replace(results, judged=judged, said=said)


def _poles_of_many(
    words: Sequence[Mapping[str, str]], main: frozenset[str]
) -> frozenset[str] | None:
    """The good and the bad one of labels that two columns or more share, where only one says two words.

    So it is with correct, partial and incorrect beside an exact match of True and False.
    """
    many = [frozenset(own) for own in words if len(own) > 2]
    own = [w for w in words if frozenset(w) == main]
    if len(own) > 1 or len(many) < 2 or any(not main.isdisjoint(kind) for kind in many):
        return None
    common = frozenset.intersection(*many)
    pairs = [
        frozenset({good, bad})
        for good in common & GOOD_LABELS
        for bad in common
        if bad in {f"in{good}", f"un{good}", f"not {good}", f"not_{good}", f"non-{good}"}
        or (good, bad) in OPPOSITES
    ]
    return pairs[0] if len(pairs) == 1 else None


_UNDECIDED = frozenset(
    {
        "pending",
        "not reviewed",
        "unreviewed",
        "not rated",
        "unrated",
        "todo",
        "tbd",
        "skipped",
        "skip",
    }
    | {"unsure", "not sure", "don't know", "dont know", "do not know", "dk", "idk", "can't tell"}
    | {
        "cannot tell",
        "cant tell",
        "can't judge",
        "undecided",
        "nsp",
        "ne sait pas",
        "ns/nc",
        "no sé",
    }
    | {"no sabe", "unsicher", "weiß nicht", "weiss nicht", "keine angabe", "k.a.", "non so"}
    | {"não sei", "不确定", "わからない", "weet niet", "не знаю"}
)
"""What a person says who does not judge."""


def _without_undecided(results: Results) -> Results:
    """Results in which people who say that they do not know say nothing, where no judge says so."""
    options = results.options
    if options.labels is not None or _renamed(options) or not results.judged:
        return results
    judges = {form for cells in results.judged.values() for form in _present(cells, results.rules)}
    said, notes = dict(results.said), []
    for name, (texts, codes) in results.said.items():
        forms = [folded(text) for text in texts]
        rest = {*_present((texts, codes), results.rules)} - _UNDECIDED
        dropped = [k for k, form in enumerate(forms) if form in _UNDECIDED - judges]
        away = np.isin(codes, dropped)
        if len(rest) > 1 and away.any():
            kept = [k for k in range(len(texts)) if k not in dropped]
            look = np.full(len(texts) + 1, -1, np.int64)
            look[kept] = np.arange(len(kept))
            said[name] = (tuple(texts[k] for k in kept), look[codes])
            quoted = shown([texts[k] for k in dropped])
            notes.append(
                f"{how_many(int(away.sum()), 'answer')} {quoted} of {name!r} are missing: no judge says so"
            )
    return replace(results, said=said, repeats=(*results.repeats, *notes)) if notes else results


def _same_polarity(results: Results) -> tuple[Results, Question | None]:
    """Results in which a yes is good throughout: a judge of errors whose yes is the others' no is turned.

    So it is where the name says that a yes is bad, as others' do not, and the verdicts oppose the others';
    where they neither oppose nor agree, the question what to do with them.
    """
    columns = {
        name: results.reading.columns[name]
        for name in (*results.judged, *results.said)
        if name in results.reading.columns
    }
    bad = [n for n, c in columns.items() if c.is_bad_news and c.binary]
    plain = [n for n, c in columns.items() if not c.is_bad_news and c.binary]
    if results.options.good is not None or not bad or not plain:
        return results, None
    praised = any(columns[n].says(GOOD_LABELS, CRITERIA) for n in plain)
    judged, said, notes, settled = dict(results.judged), dict(results.said), [], results.settled
    for name in bad:
        own = judged if name in judged else said
        others = [judged.get(n) or said[n] for n in plain]
        z = _opposition(own[name], others, results.rules)
        words = sorted(_present(own[name], results.rules).values())
        if z is None or len(words) != 2:
            continue
        if abs(z) < _TOGETHER:
            return results, Question(
                f"Does {words[1]!r} of {name!r} mean the same as {words[1]!r} of {plain[0]!r}?",
                (name,),
                (answered("good", words[1]), answered("ignore", name)),
            )
        if z < 0 or praised:
            settled = (*settled, name)  # else a yes of all of them may be bad
        if z < 0:
            turned = {words[0]: words[1], words[1]: words[0]}
            texts, codes = own[name]
            own[name] = (tuple(turned.get(text, text) for text in texts), codes)
            notes.append(
                f"{name}: a {words[1]!r} is bad by its name, and is said where others say {words[0]!r}: its "
                "answers are turned round"
            )
    repeats = (*results.repeats, *notes)
    return replace(results, judged=judged, said=said, settled=settled, repeats=repeats), None


def _opposition(cells: Cells, others: Sequence[Cells], rules: Rules) -> float | None:
    """The z of the strongest correlation of two labels with those of others, None where they share none."""
    names: dict[str, int] = {}
    own = _shared_codes(cells, names)
    zs = []
    for other in others:
        if set(_present(other, rules)).isdisjoint(_present(cells, rules)):
            continue
        codes = _shared_codes(other, names)
        filled = (own >= 0) & (codes >= 0)
        x, y = own[filled], codes[filled]
        varied = len(x) > 1 and x.min() < x.max() and y.min() < y.max()
        r = float(np.corrcoef(x == own.max(), y == own.max())[0, 1]) if varied else 0.0
        zs.append(r * np.sqrt(len(x)))
    return max(zs, key=abs) if zs else None


def _good_of_two(words: Mapping[str, str], column: Evidence | None) -> str | None:
    """The good one of two folded labels: a no, where the name says that a yes is bad."""
    good = good_label(list(words))
    if column is not None and column.is_bad_news and good is not None:
        return next(form for form in words if form != good) if column.binary else None
    return good


def _same_words(
    results: Results, name: str, own: Mapping[str, str], main: frozenset[str]
) -> Question:
    """The question which of the others' words a judge's two words are, the likelier answer first."""
    columns = {**results.judged, **results.said}
    other = next(
        (n for n, c in columns.items() if n != name and main == _said_words(results, c).keys()),
        None,
    )
    targets = [*_said_words(results, columns[other]).values()] if other else sorted(main)
    targets.sort(key=lambda text: folded(text) not in GOOD_LABELS)
    words = sorted(own.values(), key=lambda text: folded(text) not in GOOD_LABELS)
    pairs = (
        _likeliest_pairs(results, name, other)
        if other and len(main) == len(_said_words(results, columns[name])) == 2
        else [[f"{a}={b}" for a, b in zip(words, targets, strict=False)]]
    )
    first = dict(pair.rsplit("=", 1) for pair in pairs[0])
    return Question(
        f"Is {words[0]!r} of {name!r} the same as {first[words[0]]!r}?",
        (name,),
        (*(answered("same", *each) for each in pairs), answered("ignore", name)),
    )


def _agreement_with_rest(
    results: Results, cells: Cells, main: frozenset[str]
) -> tuple[float, float] | None:
    """How often the verdicts of others in the main words agree, and the largest z of their correlation.

    None of fewer than 20 pairs of verdicts.
    """
    names: dict[str, int] = {}
    own = _shared_codes(cells, names)
    same = n_pairs = 0
    z = -np.inf
    for other in (*results.judged.values(), *results.said.values()):
        if main.isdisjoint(_present(other, results.rules)):
            continue
        codes = _shared_codes(other, names)
        filled = (own >= 0) & (codes >= 0)
        n, x, y = int(filled.sum()), own[filled], codes[filled]
        n_pairs += n
        same += int((x == y).sum())
        if n and (x == y[0]).std() and (y == y[0]).std():
            z = max(z, float(np.corrcoef(x == y[0], y == y[0])[0, 1]) * np.sqrt(n))
    return (same / n_pairs, z) if n_pairs >= 20 else None


def _unlike_words(results: Results) -> Question | None:
    """The question whether people's and judges' words are the same, where they share none."""
    if not results.judged or not results.said or results.options.cut is not None:
        return None
    renamed = {folded(str(v)) for v in (_renamed(results.options) or {}).values()}
    if results.options.labels is not None:
        return None
    own, others = _forms_of(results, results.said), _forms_of(results, results.judged)
    if not own or not others:
        return None
    person = next(iter(results.said))
    if others.keys() <= {"0", "1"} and len(own) > 2 and None not in map(as_number, own):
        return _from_which_number(person, own)
    foreign = [own[form] for form in own.keys() - others.keys()]
    if len(foreign) > _MOST_MORE and not results.holds_scores:
        return _of_other_words([*results.said], foreign, list(others.values()))
    if len(own) > 12 or len(others) > 12:
        return None
    if len(foreign) < len(own):
        own = {form: text for form, text in own.items() if form not in others}
        left = _left_numbers(person, own, others, renamed)
        if renamed and left is not None:
            return left
        if not renamed or not own or good_label(list(others)) not in others.keys() - renamed:
            return None  # else no word of people was named as the good one
    return (
        _from_which_grade(person, own, others)
        or _from_which_word(results, own, others)
        or _word_of_people(results, own, others)
    )


def _forms_of(results: Results, columns: Mapping[str, Cells]) -> dict[str, str]:
    """{folded: spelled} of the answers in some columns."""
    picked: dict[str, str] = {}
    for texts, codes in columns.values():
        for code in occurring(codes).tolist():
            answer = results.rules.answer(texts[code])
            if answer is not None:
                picked[folded(answer)] = texts[code]
    return picked


_MOST_MORE = 6  # labels of people that no judge gives


def _of_other_words(people: Sequence[str], own: Sequence[str], others: Sequence[str]) -> Question:
    """The question what to do with people's answers that no judge gives, and that are too many to map."""
    said = shown(natural_order(own), 4)
    return Question(
        f"{how_many(len(own), 'answer')} of {shown(people, 4)} ({said}) are no labels of the judges "
        f"({shown(natural_order(others), 4)}), so that no judge can be right there. Another scale? Write "
        "people's labels in the judges' words, or leave it out",
        tuple(people),
        tuple(answered("ignore", name) for name in people),
    )


def _from_which_word(
    results: Results, own: Mapping[str, str], others: Mapping[str, str]
) -> Question | None:
    """The question which of three words of people or more are the judges' good one, likely answers first.

    They are put in the order in which judges call outputs good where people say them.
    """
    good = good_label(list(others))
    if len(own) < 3 or len(own) > 6 or len(others) != 2 or good is None:
        return None
    bad = next(form for form in others if form != good)
    person, cells = next(iter(results.said.items()))
    rates: dict[str, float] = {}
    for form in own:
        there = np.isin(cells[1], [k for k, text in enumerate(cells[0]) if folded(text) == form])
        said = [
            np.isin(
                codes[there & (codes >= 0)],
                [k for k, text in enumerate(texts) if folded(text) == good],
            )
            for texts, codes in results.judged.values()
        ]
        rates[form] = float(np.mean(np.concatenate(said))) if any(map(len, said)) else 0.5
    sense = {form: (form in GOOD_LABELS) - (form in BAD_LABELS) for form in own}
    graded = all(len(form) == 1 and "a" <= form <= "f" for form in own)  # as in schools
    ordered = sorted(own, key=lambda form: form if graded else (-sense[form], -rates[form]))
    mappings = [[good if k < n_good else bad for k in range(len(ordered))] for n_good in (1, 2)]
    return _mapped(
        f"Which words of {person!r} mean {others[good]!r}?", person, own, others, ordered, mappings
    )


def _mapped(
    question: str,
    person: str,
    own: Mapping[str, str],
    others: Mapping[str, str],
    ordered: Sequence[str],
    mappings: Iterable[Sequence[str]],
) -> Question:
    """A question whose answers put a person's ordered words into the judges', in some mappings."""
    answers = [
        answered("same", *(f"{own[f]}={others[t]}" for f, t in zip(ordered, mapping, strict=True)))
        for mapping in mappings
    ]
    return Question(question, (person,), (*answers, answered("ignore", person)))


def _word_of_people(
    results: Results, own: Mapping[str, str], others: Mapping[str, str]
) -> Question:
    """The question whether people's words for good and bad are the judges'."""
    person, judges = next(iter(results.said)), [*results.judged]
    good_own = good_label(list(own)) if len(own) > 1 else next(iter(own))
    words = not all(as_number(form) is not None for form in own)
    good_own = good_own or next((f for f in own if words and f in GOOD_LABELS), None)
    good_other = good_label(list(others))
    good_other = good_other or next((form for form in others if form in GOOD_LABELS), None)
    pairs = []
    if good_own is not None and good_other is not None:
        pairs.append(f"{own[good_own]}={others[good_other]}")
        bad_own = [form for form in own if form != good_own]
        bad_other = [form for form in others if form != good_other]
        if len(bad_other) == 1:
            pairs += [f"{own[form]}={others[bad_other[0]]}" for form in bad_own]
    if not pairs and all(as_number(form) is not None for form in own):
        quoted = ", ".join(map(repr, judges[:3]))
        return Question(
            f"{person!r} and {quoted} have no label in common: which is left out?",
            (person,),
            (answered("ignore", *judges), answered("ignore", person)),
        )
    first = own[good_own or next(iter(own))]
    target = others.get(good_other or "", next(iter(others.values())))
    orders = [pairs or [f"{first}={target}"]]
    two = [n for n in judges if len(_said_words(results, results.judged[n])) == 2]
    if two and len(_said_words(results, results.said[person])) == len(own) == 2:
        orders = _likeliest_pairs(results, person, two[0])
    return Question(
        f"Is {first!r} of {person!r} the same as {target!r}?",
        (person,),
        (*(answered("same", *order) for order in orders), answered("ignore", person)),
    )


def _from_which_grade(
    person: str, own: Mapping[str, str], others: Mapping[str, str]
) -> Question | None:
    """The question which grades of people are the judges' good label, where these say two labels."""
    numbers = {form: as_number(form) for form in own}
    good = good_label(list(others))
    if len(own) < 3 or len(others) != 2 or good is None or None in numbers.values():
        return None
    bad = next(form for form in others if form != good)
    ordered = sorted(own, key=lambda form: numbers[form] or 0.0)
    mappings = [
        [good if (numbers[f] or 0.0) >= (numbers[first] or 0.0) else bad for f in ordered]
        for first in ordered[-2:]
    ]
    question = f"From which grade of {person!r} on is an output {others[good]!r}?"
    return _mapped(question, person, own, others, ordered, mappings)


def _left_numbers(
    person: str, own: Mapping[str, str], others: Mapping[str, str], named: set[str]
) -> Question | None:
    """The question what is left of a person's grades, of which some were named as judges' labels."""
    if len(others) != 2 or not own or None in map(as_number, own):
        return None
    ordered = sorted(others, key=lambda form: form in named)  # rather what was not named yet
    grades = sorted(own.values(), key=lambda text: as_number(text) or 0.0)
    return Question(
        f"What are {', '.join(grades)} of {person!r}, {' or '.join(map(repr, others.values()))}?",
        (person,),
        (
            *(answered("same", *(f"{grade}={others[f]}" for grade in grades)) for f in ordered),
            answered("ignore", person),
        ),
    )


def _from_which_number(person: str, own: Mapping[str, str]) -> Question:
    """The question from which of people's numbers on an output is good, where judges say 1 and 0."""
    grades = sorted(own.values(), key=lambda text: as_number(text) or 0.0)
    first = upper_half(grades) or grades[-1]
    later = grades[grades.index(first) + 1 :][:1] if first in grades else []
    return Question(
        f"From which grade of {person!r} on is an output '1', as judges say?",
        (person,),
        (*(answered("cut", f"human={at}") for at in (first, *later)), answered("ignore", person)),
    )


def _built(table: Table, reading: Roles, options: ReadOptions, name: str) -> Results:
    """Results whose rows are items, whatever the layout."""
    build = {"long": _of_long, "systems": _of_grid}.get(reading.layout, _of_wide)
    return build(table, reading, options, name)


def _ids(reading: Roles, names: Sequence[str], table: Table) -> tuple[tuple[str, ...], Positions]:
    """Ids in order of first appearance, and each row's; row numbers where no column holds ids."""
    n = reading.n_rows
    if not names:
        kind = FrameRows if table.index.counts_rows else RowNumbers
        return kind.of(n), np.arange(n)
    columns = [reading.columns[name] for name in names]
    for column in columns:
        if (column.codes < 0).any():
            row = int(np.flatnonzero(column.codes < 0)[0]) + 1
            raise DataError(
                f"every row must name its item; row {row} has none in column {column.name!r}; fill it or "
                f"choose another with {option('item')}"
            )
    texts = [  # ids as they are written, 1,234 too
        [text or "" for text in table.column(c.name).texts()]
        if c.commas
        else np.array(c.texts, object)[c.codes].tolist()
        for c in columns
    ]
    joined = texts[0] if len(texts) == 1 else list(map(":".join, zip(*texts, strict=True)))
    if len(columns) == 1 and columns[0].unique and not columns[0].commas:
        return tuple(joined), np.arange(n)
    lookup: dict[str, int] = {}
    codes = np.fromiter((lookup.setdefault(t, len(lookup)) for t in joined), np.int64, n)
    return tuple(lookup), codes


def _cells_of(column: Evidence) -> Cells:
    """Cells of a column, none where they mean no verdict or say that a program failed."""
    kept = [t for t in column.texts if folded(t) not in column.absent and t not in column.failures]
    lookup = {text: k for k, text in enumerate(kept)}
    look = np.array([*(lookup.get(t, -1) for t in column.texts), -1], np.int64)
    return tuple(kept), look[column.codes]


def _systems_of(reading: Roles, rows: Positions) -> tuple[str, ...]:
    """System of each item, empty where fewer than two are named."""
    names = reading.named("system")
    if not names or reading.layout == "pairwise" or says_winners(reading):
        return ()
    parts = []
    for name in names:
        column = reading.columns[name]
        parts.append(np.array([*column.texts, "none"], object)[column.codes[rows]].tolist())
    systems = [" ".join(row) for row in zip(*parts, strict=True)]
    return tuple(systems)


def _of_wide(table: Table, reading: Roles, options: ReadOptions, name: str) -> Results:
    ids = list(reading.item)
    items, of_row = _ids(reading, ids, table)
    columns = reading.columns
    judged = {n: _cells_of(columns[n]) for n in reading.named("judge")}
    aside = [n for n, of in reading.certainty.items() if columns[of].numeric]  # on no grade's scale
    scored = {n: _cells_of(columns[n]) for n in reading.named("score") if n not in aside}
    said = {n: _cells_of(columns[n]) for n in reading.named("human")}
    repeats: tuple[str, ...] = ()
    runs: dict[str, tuple[Cells, Positions]] = {}
    turned = None
    by_answer: set[str] = set()
    n_trials = 1
    if len(items) < reading.n_rows:
        if not reading.repeats and reading.item:
            seen = np.bincount(of_row)
            from algeval.io.items import repeated_items

            raise repeated_items(items[int(seen.argmax())], int((seen > 1).sum()), reading.item)
        turned = turned_rows(reading)
        again = _judged_again(reading, judged, said, of_row, turned)
        by_answer, runs, repeats, n_trials = (
            again.by_answer,
            again.runs,
            again.notes,
            again.n_trials,
        )
        judged, said = again.judged, again.said
        rows = np.full(len(items), -1, np.int64)
        rows[of_row[::-1]] = np.arange(reading.n_rows)[::-1]
        scored = {n: _first(c, rows) for n, c in scored.items()}
    else:
        rows = np.empty(len(items), np.int64)
        rows[of_row] = np.arange(reading.n_rows)
    if reading.runs:
        judged, more, n_trials, runs = _runs_folded(reading, judged)
        repeats, turned = (*repeats, *more), None
    return Results(
        turned=turned,
        name=name,
        items=items,
        reading=reading,
        options=options,
        table_notes=table.notes,
        judged=judged,
        scored=scored,
        said=said,
        rows=rows,
        system_of=_systems_of(reading, rows),
        repeats=repeats,
        n_trials=n_trials,
        by_answer=frozenset(by_answer),
        runs=runs,
    )


class _Again(NamedTuple):
    """Verdicts on items with several rows: one of each item, and what was made of the rows."""

    judged: dict[str, Cells]
    said: dict[str, Cells]
    runs: dict[str, tuple[Cells, Positions]]
    by_answer: set[str]
    notes: tuple[str, ...]
    n_trials: int


def _judged_again(
    reading: Roles,
    judged: dict[str, Cells],
    said: dict[str, Cells],
    of_row: Positions,
    turned: NDArray[np.bool_],
) -> _Again:
    """Verdicts of most rows of each item; those on pairs that were shown exchanged are turned back first."""
    n_items, n_trials = int(of_row.max()) + 1, int(np.bincount(of_row).max())
    by_answer, by_name = _name_answers(reading, judged, said, of_row, turned)
    judged, said = (_mirrored(reading, columns, by_answer, turned) for columns in (judged, said))
    return _Again(
        {n: _folded(c, of_row, n_items) for n, c in judged.items()},
        {n: _folded(c, of_row, n_items) for n, c in said.items()},
        {n: (c, of_row) for n, c in judged.items()},
        by_answer,
        (*by_name, *_repeats_said(judged, of_row, n_trials)),
        n_trials,
    )


def judges_of_pairs(results: Results) -> list[str]:
    """Judges of a table of pairs, each as a column or as a rater."""
    raters = results.judged if results.pairs_in_rows else ()
    return [*dict.fromkeys((*results.reading.named("judge"), *raters))]


def sides_won(results: Results, name: str) -> Positions | None:
    """Of each row whether the answer shown first (0) or second (1) won, or neither (2), -1 where nobody said.

    Verdicts may name the place, the answer in whatever place, or the system; None where that is not known.
    """
    reading, (texts, codes) = results.reading, _cells_by_row(results, name)
    turned = turned_rows(reading)
    systems = [reading.columns[system] for system in reading.named("system")]
    forms = [folded(text) for text in texts]
    called = {folded(text) for system in systems for text in system.texts}
    of_forms = [side_of(form) for form in forms]
    n_sides, n_names = len(of_forms) - of_forms.count(None), len(called.intersection(forms))
    by_name = len(systems) == 2 and n_names >= max(1, n_sides)
    if by_name and not (n_sides and turned.any()):
        first, second = (np.array([*map(folded, c.texts), ""], object)[c.codes] for c in systems)
        said = np.array([*forms, ""], object)[codes]
        sides = np.where(said == first, 0, np.where(said == second, 1, 2))
        by_answer = True
    elif n_sides:
        sides = np.array([*(2 if s is None else s for s in of_forms), -1], np.int64)[codes]
        by_answer = name in results.by_answer
        if results.by_answer and not by_answer:
            return None  # people name the answer, and this judge may or may not
    else:
        return None
    exchanged = turned & by_answer & (sides < 2)
    return np.where(codes < 0, -1, np.where(exchanged, 1 - sides, sides))


def _cells_by_row(results: Results, name: str) -> Cells:
    """What a judge of pairs says row by row: its column, or its rows of a long table."""
    reading = results.reading
    if not results.pairs_in_rows or name in reading.named("judge", "human"):
        column = reading.columns[name]
        return column.texts, column.codes
    (rater,), (answer,) = reading.named("rater"), reading.named("answer")
    who, what = reading.columns[rater], reading.columns[answer]
    mine = who.codes == who.texts.index(name)
    return what.texts, np.where(mine, what.codes, -1)


def says_winners(reading: Roles) -> bool:
    """Whether rows of a long table name two systems and, a rater each, the place or name of the better."""
    systems, answers = reading.named("system"), reading.named("answer")
    if reading.layout != "long" or len(systems) != 2 or not answers:
        return False
    columns = [reading.columns[name] for name in systems]
    called = {folded(text) for column in columns for text in (column.name, *column.texts)}
    said = {folded(text) for text in reading.columns[answers[0]].labels} - EVEN
    said = {text for text in said if not text.startswith("tie")}
    return bool(said) and all(text in called or side_of(text) is not None for text in said)


def turned_rows(reading: Roles) -> NDArray[np.bool_]:
    """Rows of pairs that were shown the other way round, by the column that says so."""
    swaps = reading.named("swap")
    if not swaps:
        return np.zeros(reading.n_rows, bool)
    order = reading.columns[swaps[0]]
    turned = order.codes == 1 if len(order.texts) == 2 else np.zeros(reading.n_rows, bool)
    flags = [folded(t) for t in order.texts]
    for word in ("true", "1", "yes", "swapped"):
        if word in flags:
            turned = order.codes == flags.index(word)
    return np.zeros(reading.n_rows, bool) if _exchanged(reading, turned) else turned


def numbered_systems(reading: Roles) -> list[Positions]:
    """The two systems of each row of pairs as numbers, the same in both columns; -1 for none."""
    columns = [reading.columns[name] for name in reading.named("system")]
    names = {text: k for k, text in enumerate(dict.fromkeys(t for c in columns for t in c.texts))}
    return [np.array([*map(names.get, c.texts), -1], np.int64)[c.codes] for c in columns]


def _exchanged(reading: Roles, turned: NDArray[np.bool_]) -> bool:
    """Whether the columns of the systems are exchanged in turned rows, and so say the order themselves."""
    systems, prompts = reading.named("system"), reading.named("prompt", "item")
    if len(systems) != 2 or not prompts or turned.all() or not turned.any():
        return False
    first, second = numbered_systems(reading)
    low, high = np.minimum(first, second), np.maximum(first, second)
    keys = [reading.columns[name].codes for name in prompts if name not in systems]
    group = np.unique(np.stack([*keys, low, high]), axis=1, return_inverse=True)[1].ravel()
    in_order = first == low
    # (group, turned, in order): how many rows
    counts = np.zeros((group.max() + 1, 2, 2), np.int64)
    np.add.at(counts, (group, turned.astype(np.int64), in_order.astype(np.int64)), 1)
    both = counts[(counts.sum(axis=2) > 0).all(axis=1)]
    return bool(len(both)) and bool(
        ((both[:, 0] * both[:, 1]).sum(axis=1) == 0).all()
    )  # never the same order under both


def pairs_shown(reading: Roles) -> list[str]:
    """Which two answers each row shows, in whatever order; nothing without texts of both sides."""
    systems = reading.named("system")
    texts = reading.named("text", "reason", "ignored", "slice")
    texts = [name for name in texts if not reading.columns[name].nested]
    if len(systems) != 2:
        return []
    pairs = zip(*systems, strict=False)
    common = next((k for k, (a, b) in enumerate(pairs) if a != b), min(map(len, systems)))
    tails = systems[0][common:], systems[1][common:]
    twins = [
        (name, name.removesuffix(tails[0]) + tails[1])
        for name in texts
        if tails[0] and name.endswith(tails[0]) and name.removesuffix(tails[0]) + tails[1] in texts
    ]
    if not twins:
        return []

    def cells(name: str) -> list[str | None]:
        column = reading.columns[name]
        return list(map((*column.texts, None).__getitem__, column.codes.tolist()))

    prompts = zip(*map(cells, reading.named("prompt")), strict=True)
    shared = list(prompts) or [()] * reading.n_rows
    sides = (zip(*map(cells, names), strict=True) for names in zip(systems, *twins, strict=True))
    return [repr((at, *sorted(pair, key=repr))) for at, *pair in zip(shared, *sides, strict=True)]


def _mirrored(
    reading: Roles,
    columns: dict[str, Cells],
    by_answer: Collection[str],
    turned: NDArray[np.bool_],
) -> dict[str, Cells]:
    """Verdicts of pairs shown the other way round, with first and second exchanged back.

    `by_answer` : columns whose verdicts name the answer, whatever its place, which stay.
    """
    if not reading.named("swap") or not reading.pairs:
        return columns
    result = {}
    for name, (texts, codes) in columns.items():
        forms = [folded(t) for t in texts]
        if name in by_answer or not any(map(other_side, forms)):
            result[name] = (texts, codes)
            continue
        more = list(texts)
        look = []
        for form in forms:
            exchanged = other_side(form) or form
            if exchanged not in map(folded, more):
                more.append(exchanged)
            look.append([folded(t) for t in more].index(exchanged))
        swapped = np.array([*look, -1], np.int64)[codes]
        result[name] = (tuple(more), np.where(turned, swapped, codes))
    return result


def _name_answers(
    reading: Roles,
    judged: Mapping[str, Cells],
    said: Mapping[str, Cells],
    of_row: Positions,
    turned: NDArray[np.bool_],
) -> tuple[set[str], tuple[str, ...]]:
    """Columns of verdicts on pairs that name the answer and not its place, and notes that say so.

    People's are where nearly all pairs judged in both orders have one side twice, as people are not moved by
    places so much; a judge's where they agree with these people far more as they stand, than with sides
    exchanged. Without people a judge who always takes the first looks as one who names the answer.
    """
    if not reading.named("swap") or not reading.pairs:
        return set(), ()
    people = {}
    for name, cells in said.items():
        same, other = _sides_in_both_orders(cells, of_row, turned)
        if same >= 9 * other and same - other > 3 * np.sqrt(same + other):
            people[name] = (
                f"of {same + other} pairs that {name!r} judged in both orders {same} have"
            )
    if len(people) < len(said) or not said:
        return set(), ()
    sides = np.stack([_sides(cells) for cells in said.values()])
    truth = np.where((sides >= 0).any(axis=0), sides.max(axis=0), -1)
    by_answer = set(people)
    for name, cells in judged.items():
        own = _sides(cells)
        both = turned & (own >= 0) & (truth >= 0)
        alike, n = int((own == truth)[both].sum()), int(both.sum())
        if 2 * alike - n > 3 * np.sqrt(n):
            by_answer.add(name)
    note = (
        f"{next(iter(people.values()))} one side twice, so that verdicts of {shown(sorted(by_answer))} are "
        "read as naming the answer, not the place where it was shown"
    )
    return by_answer, (Caution(note),)


def _sides(cells: Cells) -> Positions:
    """0 where a row names the first of two answers, 1 the second, -1 neither."""
    texts, codes = cells
    side = [-1 if (s := side_of(text)) is None else s for text in texts]
    return np.array([*side, -1], np.int64)[codes]


def _sides_in_both_orders(
    cells: Cells, of_row: Positions, turned: NDArray[np.bool_]
) -> tuple[int, int]:
    """How many pairs judged in both orders have one side twice, and how many each side once."""
    rows = np.full((2, int(of_row.max()) + 1), -1, np.int64)
    rows[turned.astype(np.int64), of_row] = np.arange(len(of_row))
    first, second = _sides(cells)[rows[:, (rows >= 0).all(axis=0)]]
    usable = (first >= 0) & (second >= 0)
    same = int((usable & (first == second)).sum())
    return same, int(usable.sum()) - same


def _folded(cells: Cells, of_row: Positions, n_items: int) -> Cells:
    """The cell most rows of each item hold; none where two are held as often."""
    texts, codes = cells
    forms: dict[str, int] = {}
    look = [forms.setdefault(folded(t), k) for k, t in enumerate(texts)]
    codes = np.array([*look, -1], np.int64)[codes]
    labelled = codes >= 0
    width = len(texts) + 1
    pairs, counts = np.unique(of_row[labelled] * width + codes[labelled], return_counts=True)
    rows, picked = pairs // width, pairs % width
    best = np.zeros(n_items, np.int64)
    np.maximum.at(best, rows, counts)
    top = counts == best[rows]
    n_top = np.bincount(rows[top], minlength=n_items)
    result = np.full(n_items, -1, np.int64)
    sole = top & (n_top[rows] == 1)
    result[rows[sole]] = picked[sole]
    return texts, result


def _first(cells: Cells, rows: Positions) -> Cells:
    return cells[0], cells[1][rows]


def _repeats_said(judged: dict[str, Cells], of_row: Positions, n_trials: int) -> tuple[str, ...]:
    """How often each judge says the same of an output again."""
    parts = []
    for name, (_, codes) in judged.items():
        share = _repeats_itself(codes, of_row)
        if share is not None:
            parts.append(f"{name} repeats itself {share:.0%}")
    said = f"up to {n_trials} judgements of an output are one vote, that of most (a tie none)"
    return (Caution(f"{said}; {', '.join(parts[:8])}" if parts else said),)


def _repeats_itself(codes: Positions, of_row: Positions) -> float | None:
    """Share of pairs of one item's verdicts that agree."""
    labelled = codes >= 0
    width = int(codes.max(initial=0)) + 1
    per_item = np.bincount(of_row[labelled]).astype(np.int64)
    pairs = int((per_item * (per_item - 1) // 2).sum())
    _, same = np.unique(of_row[labelled] * width + codes[labelled], return_counts=True)
    return int((same * (same - 1) // 2).sum()) / pairs if pairs else None


def _runs_folded(
    reading: Roles, judged: dict[str, Cells]
) -> tuple[dict[str, Cells], tuple[str, ...], int, dict[str, tuple[Cells, Positions]]]:
    """Runs of one judge as one vote, that of most, and the runs with the item of each."""
    result: dict[str, Cells] = {}
    repeated: dict[str, tuple[Cells, Positions]] = {}
    notes = []
    most = 1
    for name, cells in judged.items():
        stem = reading.runs.get(name)
        if stem is None:
            result[name] = cells
            continue
        if stem in result:
            continue
        runs = [judged[n] for n in judged if reading.runs.get(n) == stem]
        names: dict[str, int] = {}
        table = np.concatenate([_shared_codes(run, names) for run in runs])
        n = len(runs[0][1])
        of_row = np.tile(np.arange(n), len(runs))
        spelled = {folded(t): t for texts, _ in reversed(runs) for t in texts}
        together = (tuple(spelled[f] for f in names), table)
        repeated[stem] = (together, of_row)
        result[stem] = _folded(together, of_row, n)
        share = _repeats_itself(table, of_row)
        most = max(most, len(runs))
        again = "" if share is None else f"; {stem} repeats itself {share:.0%}"
        notes.append(
            Caution(f"{len(runs)} runs of {stem} are one vote, that of most (a tie none){again}")
        )
    return result, tuple(notes), most, repeated


def _of_long(table: Table, reading: Roles, options: ReadOptions, name: str) -> Results:
    """Results of a row per verdict; raters who are people are labels."""
    (rater,), (answer,) = reading.named("rater"), reading.named("answer")
    who, what = reading.columns[rater], reading.columns[answer]
    ids = list(reading.item)
    items, of_row = _ids(reading, ids, table)
    texts, codes = _cells_of(what)
    rows = np.full(len(items), -1, np.int64)
    rows[of_row[::-1]] = np.arange(reading.n_rows)[::-1]
    judged: dict[str, Cells] = {}
    said: dict[str, Cells] = {}
    runs: dict[str, tuple[Cells, Positions]] = {}
    people = {t for t in who.texts if is_person(t, who.texts)} | reading.people_named
    people -= set(map(str, options.judges or ()))
    people, aside = _people_named(options, people, who.texts)
    raters: tuple[str, ...] = who.texts
    repeats: tuple[str, ...] = ()
    if reading.people:
        said[answer], repeats = _said_by_all(who, (texts, codes), of_row, len(items))
        raters = ()
    kept = None if options.judges is None else set(map(str, options.judges))
    for position, rater_name in enumerate(raters):
        mine = who.codes == position
        if rater_name in aside or (
            kept is not None and rater_name not in kept and rater_name not in people
        ):
            continue
        seen = np.bincount(of_row[mine], minlength=1)
        if seen.max(initial=0) > 1 and not (reading.repeats or reading.named("trial")):
            item = items[int(seen.argmax())]
            raise DataError(
                f"each judge must answer an item once; got {int(seen.max())} votes of {rater_name!r} on item "
                f"{item!r}; keep one of them, or say with {option('trial', 'rows')} that they are repeated"
            )
        if seen.max(initial=0) > 1 and rater_name not in people:
            runs[rater_name] = ((texts, codes[mine]), of_row[mine])
        cells = _of_its_own(_folded((texts, codes[mine]), of_row[mine], len(items)))
        (said if rater_name in people else judged)[rater_name] = cells
    for column in reading.named("judge", "human"):  # the same on all rows of an item
        cells = _folded(_cells_of(reading.columns[column]), of_row, len(items))
        (said if reading.decided[column].role == "human" else judged)[column] = cells
    scored: dict[str, Cells] = {}
    if what.is_score:
        judged, scored = {}, judged
    repeats = (*repeats, *_questions_pooled(reading))
    if aside:
        repeats = (*repeats, f"labels of {shown(sorted(aside), 4)} are left out: people are named")
    results = Results(
        name=name,
        items=items,
        reading=reading,
        options=options,
        table_notes=table.notes,
        judged=judged,
        scored=scored,
        said=said,
        rows=rows,
        system_of=_systems_of(reading, rows),
        repeats=repeats,
        runs=runs,
    )
    return _with_orders(results, of_row) if raters else results


def _with_orders(results: Results, of_row: Positions) -> Results:
    """Results of a long table in which a column says that pairs were shown in both orders, a pair an item."""
    reading = results.reading
    if not (says_winners(reading) and reading.named("swap") and reading.pairs):
        return results
    shown_in = np.unique(2 * of_row + turned_rows(reading), return_inverse=True)
    if len(shown_in[0]) == len(results.items):
        return results
    again = _in_long_orders(reading, [*results.judged], [*results.said], of_row, shown_in)
    return replace(
        results,
        judged=again.judged,
        said=again.said,
        runs=again.runs,
        turned=shown_in[0] % 2 == 1,
        by_answer=frozenset(again.by_answer),
        repeats=(*again.notes, *results.repeats),
        n_trials=again.n_trials,
    )


def _in_long_orders(
    reading: Roles,
    judges: Sequence[str],
    people: Sequence[str],
    of_row: Positions,
    shown_in: tuple[Positions, Positions],
) -> _Again:
    """Verdicts of a long table on pairs in both orders, by the rows of a wide one: a pair in an order each.

    `shown_in`: twice the pair, and one more where it is exchanged, of each such row; of each verdict the row.
    """
    (rater,), (answer,) = reading.named("rater"), reading.named("answer")
    who, (texts, codes) = reading.columns[rater], _cells_of(reading.columns[answer])
    orders, of_order = shown_in

    def by_order(name: str) -> Cells:
        mine = who.codes == who.texts.index(name)
        return _of_its_own(_folded((texts, codes[mine]), of_order[mine], len(orders)))

    judged, said = ({n: by_order(n) for n in names if n in who.texts} for names in (judges, people))
    return _judged_again(reading, judged, said, orders // 2, orders % 2 == 1)


def _of_its_own(cells: Cells) -> Cells:
    """Cells whose texts are those that occur, in their order."""
    texts, codes = cells
    kept = occurring(codes)
    look = np.full(len(texts) + 1, -1, np.int64)
    look[kept] = np.arange(len(kept))
    return tuple(texts[code] for code in kept.tolist()), look[codes]


def _people_named(
    options: ReadOptions, people: set[str], raters: Sequence[str]
) -> tuple[set[str], set[str]]:
    """Raters who are people, and those that are left out where some are named."""
    human = people_of(options)
    listed = [human] if isinstance(human, str) else human if isinstance(human, list | tuple) else []
    named = {str(name) for name in listed} & set(raters)
    return (named, people - named) if named else (people, set())


def _questions_pooled(reading: Roles) -> list[str]:
    """A sentence on each column of questions whose answers are outputs of their own."""
    questions = [reading.columns[n] for n in reading.item if reading.decided[n].role == "slice"]
    return [
        f"answers to {len(q.texts)} questions ({q.name!r}: {shown(q.texts, 4)}) stand together, each an "
        "output of its own; keep the rows of one to judge it alone"
        for q in questions
    ]


def _said_by_all(
    who: Evidence, cells: Cells, of_row: Positions, n_items: int
) -> tuple[Cells, tuple[str, ...]]:
    """What most people said of each item, and how far they agree, as a sentence."""
    share = _repeats_itself(cells[1], of_row)
    again = "" if share is None else f"; two of them agree on {share:.0%} of what both answered"
    most = int(np.bincount(of_row[cells[1] >= 0], minlength=1).max())
    note = (
        f"answers of {how_many(len(who.texts), 'person', 'people')} ({who.name!r}), up to {most} an item, "
        f"make one label, that of most (ties left out){again}"
    )
    return _folded(cells, of_row, n_items), (note,)


def is_person(name: str, others: Sequence[str]) -> bool:
    """Whether a rater is a person among judges: human, gold, expert_1, author_0."""

    def person(text: str) -> bool:
        words = [w.rstrip("0123456789") for w in re.split(r"[^a-z0-9]+", text.lower()) if w]
        machine = stems(words, MODELS) or not MACHINE.isdisjoint(words)
        return not machine and not OF_RATERS_WHO_ARE_PEOPLE.isdisjoint(words)

    return person(name) and not all(map(person, others))


def _said_of_arms(reading: Roles) -> list[str]:
    """Caution that columns such as baseline_correct are verdicts on systems, and what says otherwise."""
    names = [n for n in reading.grid if reading.decided[n].role != "human"]
    if not reading.grid_by_verdicts or not names:
        return []
    systems = ", ".join(dict.fromkeys(system for system, _ in reading.grid.values()))
    people = ""
    if len(names) == len(reading.grid):
        people = f"; {answered('human', *names)} if people gave them"
    said = (
        f"{shown(names, 6)} are read as a judge's verdicts on the systems {systems}, side by side{people}; "
        f"{answered('judges', *names)} if they are judges of the same answers"
    )
    return [Caution(said)]


def _of_grid(table: Table, reading: Roles, options: ReadOptions, name: str) -> Results:
    """Results of systems side by side: an item is a row and a system."""
    n = reading.n_rows
    prompts = [n_ for n_ in reading.named("prompt") if n_ in reading.item] or list(reading.item)
    ids, of_row = _ids(reading, prompts, table)
    systems = list(dict.fromkeys(system for system, _ in reading.grid.values()))
    items = tuple(f"{ids[k]}:{system}" for system in systems for k in of_row.tolist())
    judged: dict[str, Cells] = {}
    said: dict[str, Cells] = {}
    scored: dict[str, Cells] = {}
    for column, (_, who) in reading.grid.items():
        target = {"human": said, "score": scored}.get(reading.decided[column].role, judged)
        if who in target:
            continue
        names: dict[str, None] = {}
        parts = []
        mine = {s: c for c, (s, e) in reading.grid.items() if e == who}
        for system in systems:
            texts: tuple[str, ...] = ()
            codes = np.full(n, -1, np.int64)
            if system in mine:
                texts, codes = _cells_of(reading.columns[mine[system]])
            for text in texts:
                names.setdefault(text)
            lookup = {t: k for k, t in enumerate(names)}
            parts.append(np.array([*(lookup[t] for t in texts), -1], np.int64)[codes])
        target[who] = (tuple(names), np.concatenate(parts))
    return Results(
        name=name,
        items=items,
        reading=reading,
        options=options,
        table_notes=table.notes,
        judged=judged,
        scored=scored,
        said=said,
        rows=np.tile(np.arange(n), len(systems)),
        system_of=tuple(np.repeat(systems, n).tolist()),
    )
