"""Roles of columns: what somebody stated, what is decided, and what must be asked."""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from algeval.data.names import folded, side_of
from algeval.errors import DataError, option
from algeval.io.answers import Positions
from algeval.io.column_words import (
    BAD_LABELS,
    CHECKS,
    COVARIATE,
    CRITERIA,
    DONE,
    FINAL,
    GOOD_LABELS,
    GRADED,
    HIGH_IS_GOOD,
    HUMAN,
    HUMAN_NAMES,
    JUDGE,
    MACHINE,
    METRICS,
    MODELS,
    NEUTRAL_BAD,
    OF_PEOPLE,
    PEOPLE,
    PREDICTED,
    REASON,
    REVIEWER,
    SLICE,
    SYSTEM,
    TIME,
    TRIAL,
    WEAK,
    WEAK_HUMAN,
    plain_letters,
    stems,
    words_in,
)
from algeval.io.evidence import (
    AT_FIRST,
    LOOKED_AT,
    VOTES,
    Evidence,
    agreement,
    each_once,
    settles,
    share,
)
from algeval.io.layout import item_columns
from algeval.io.options import OF_SEVERAL, ReadOptions, declared

_NOT = (
    "not ",
    "not_",
    "not-",
    "non-",
    "non ",
    "no ",
    "nicht ",
    "não ",
    "niet ",
    "un",
    "in",
    "不",
    "未",
)
"""What stands before a good word to make it a bad one."""
_OF_SIDES = words_in("a b c first second 1 2 model_a model_b left right")
TIES = frozenset({"tie", "draw", "both", "neither", "equal", "tied"})
KINDS_OF_VERDICT = words_in("label score value passed pass result grade verdict rating success")

APART = "it agrees with no judge and no person"


class Question(NamedTuple):
    """What must be asked: a sentence, the columns it is about, and the answers as options."""

    question: str
    columns: tuple[str, ...]
    answers: tuple[str, ...]


def answered(name: str, *values: str) -> str:
    """An answer as it is typed: --human 'my column', or human='my column' in Python, lists as lists."""
    text = option(name, values[0])
    if text.startswith("--"):
        typed = ",".join(values)
        if name in OF_SEVERAL or declared(ReadOptions)[name].form != "text":
            row = io.StringIO()  # a name with a comma stands in quotes
            csv.writer(row, lineterminator="").writerow(values)
            typed = row.getvalue()
        return f"{text.split(' ')[0]} {shlex.quote(typed)}"
    if name == "same":
        return f"{name}={dict(pair.split('=', 1) for pair in values)!r}"
    if name in ("judges", "systems") or len(values) > 1:
        return f"{name}={[*values]!r}"
    return text


def both(first: str, second: str) -> str:
    """Two answers as one."""
    return f"{first} {second}" if first.startswith("--") else f"{first}, {second}"


class Decision(NamedTuple):
    """The role of a column, and why."""

    role: str
    why: str


UNLIKE_HUMAN = "the name says a person, and it answers nothing that judges do"
NO_GRADE = "a number under a name that says nothing"
NO_PROMPT = "it repeats, and names no prompt"
NONE_OF_THEM = Decision("", "")
"""Of a column without a role."""


@dataclass(frozen=True)
class Stated:
    """What the caller said about the columns of a results table."""

    item: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ()
    judges: tuple[str, ...] | None = None
    human: tuple[str, ...] = ()
    people: tuple[str, ...] = ()  # raters of a long table who are people
    raters: tuple[str, ...] = ()  # its judges, or the columns of them
    systems: tuple[str, ...] = ()  # columns of systems side by side
    system: tuple[str, ...] = ()
    trial: tuple[str, ...] = ()
    repeats: bool = False  # equal ids are repeated judgements
    swap: tuple[str, ...] = ()
    judge: str | None = None
    answer: str | None = None
    slice: tuple[str, ...] = ()
    covariate: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)

    def by_column(self, names: Sequence[str]) -> dict[str, str]:
        """{column: role} of the columns that are named."""
        said = {name: role for name, role in self.roles.items() if name in names}
        groups = {
            "item": self.item,
            "prompt": self.prompt,
            "judge": tuple(j for j in self.judges or () if self.judge is None),
            "human": self.human,
            "system": self.system,
            "trial": self.trial,
            "swap": self.swap,
            "rater": () if self.judge is None else (self.judge,),
            "answer": () if self.answer is None else (self.answer,),
            "slice": self.slice,
            "covariate": self.covariate,
            "text": self.text,
            "ignored": self.ignore,
        }
        for role, columns in groups.items():
            for name in columns:
                if name not in names:
                    continue
                if said.get(name, role) != role:
                    raise DataError(
                        f"a column must have one role; got {name!r} as {said[name]} and as {role}; name it "
                        "once"
                    )
                said[name] = role
        return said


@dataclass
class Roles:
    """Roles of all columns, the layout they make, and the questions left."""

    columns: dict[str, Evidence]
    decided: dict[str, Decision]
    questions: list[Question]
    layout: str = "wide"  # "long", "pairwise" or "systems"
    item: tuple[str, ...] = ()  # columns of the identity; none: row numbers
    names_judges: bool = False  # some column is called like a judge or a person
    pairs: bool = False  # verdicts are on two outputs side by side
    repeats: bool = False  # several rows judge the same output again
    people: bool = False  # the raters of a long table are people, a judge stands beside them
    people_named: frozenset[str] = (
        frozenset()
    )  # raters of a long table who are people beside judges
    runs: dict[str, str] = field(default_factory=dict)  # column of a run: its judge
    grid: dict[str, tuple[str, str]] = field(default_factory=dict)  # column: system, who judged
    certainty: dict[str, str] = field(default_factory=dict)  # numbers: the verdict they are sure of
    n_rows: int = 0
    said: tuple[str, ...] = ()  # what was done to the table before its columns were looked at

    @property
    def changed(self) -> bool:
        """Whether verdicts stand in cells such as 'Score: 4'."""
        names = self.named("judge", "score", "human", "answer")
        return any(self.columns[name].changed for name in names)

    def named(self, *roles: str) -> list[str]:
        """Columns of some roles, in the order of the table."""
        return [name for name, decision in self.decided.items() if decision.role in roles]


def good_label(labels: Iterable[str], columns: Sequence[Evidence] = ()) -> str | None:
    """The one label that is named like a pass where all others are not, None if that is not clear."""
    own = {plain_letters(label.casefold()): label.casefold() for label in labels}
    forms = list(own)
    if {*forms} == {"up", "down"}:  # of thumbs
        return own["up"]
    good, bad = set(GOOD_LABELS), {*BAD_LABELS, *NEUTRAL_BAD}
    if any(column.says(HIGH_IS_GOOD) for column in columns):
        good.add("high")
    bad |= {f"{no}{form}" for form in good for no in _NOT}
    best = [form for form in forms if form in good and form not in bad]
    if len(forms) < 2 or len(best) != 1 or not set(forms) - {best[0]} <= bad:
        return None
    return own[best[0]]


def likeliest_first(labels: Iterable[str]) -> tuple[str, ...]:
    """Labels with those that are named like a pass first, and those like a failure last.

    A letter or figure is a pass only beside a failure: y beside n, not beside x.
    """
    forms = {label: plain_letters(label.casefold()) for label in labels}
    failures = not BAD_LABELS.isdisjoint(forms.values())

    def rank(label: str) -> int:
        form = forms[label]
        good = form in GOOD_LABELS and (failures or not (len(form) == 1 and form.isalnum()))
        return 0 if good else 2 if form in BAD_LABELS else 1

    return tuple(sorted(forms, key=rank))


class Desk:
    """Columns of one table with what is decided of them, and what several decisions ask."""

    def __init__(
        self, columns: dict[str, Evidence], stated: Stated, index: tuple[str, ...], *, named: bool
    ) -> None:
        self.columns = columns
        self.stated = stated
        self.index = index
        self.index_named = named
        self.decided: dict[str, Decision] = {}
        self.n = next(iter(columns.values())).n_rows if columns else 0
        self.roles = Roles(columns, {}, [], n_rows=self.n)
        self.open_names: set[str] = set()
        self.named_judges = False

    # --- helpers

    @property
    def free(self) -> list[Evidence]:
        """Columns without a role."""
        return [
            c
            for name, c in self.columns.items()
            if name not in self.decided and name not in self.open_names
        ]

    def _set(self, names: Iterable[str], role: str, why: str) -> None:
        for name in names:
            self.decided[name] = Decision(role, why)

    def _named(self, *roles: str) -> list[Evidence]:
        return [self.columns[n] for n, d in self.decided.items() if d.role in roles]

    def _ask(self, question: str, columns: Sequence[str], answers: Sequence[str]) -> None:
        self.roles.questions.append(Question(question, tuple(columns), tuple(answers)))
        self.open_names.update(columns)

    def _is_model(self, column: Evidence) -> bool:
        verdict = set(column.leaf) <= KINDS_OF_VERDICT | REASON | {"choice", "pairwise"}
        return stems(column.leaf, MODELS) or (verdict and stems(column.parents, MODELS))

    def _is_judge_word(self, column: Evidence) -> bool:
        if says_system(column):
            return False
        words = {w.rstrip("0123456789") for w in column.words}
        words |= {w.removesuffix("s") for w in column.parents}
        if says_machines_verdict(column):
            others = [c for c in self.columns.values() if c is not column and c.verdict_like]
            if column.speaks or not others or any(share(c, column) for c in others):
                return True
        automatic = column.parents & {"auto", "automatic", "automated", "llm"}
        if (
            automatic
            and (column.verdict_like or column.is_score)
            and not column.says(COVARIATE, TIME)
        ):
            return True
        scored = column.leaf[:1] == ["score"] and set(column.labels) <= {"c", "i", "p", "n"}
        if ("exact" in column.words and "match" in column.words) or (scored and column.labels):
            return True
        if (
            column.parents & MACHINE
            and column.ends(WEAK - {"answer"}, GRADED)
            and column.verdict_like
        ):
            return True
        if "feedback" in column.parents or "scores" in column.parents or "eval" in column.parents:
            return True
        if column.parents and self._is_reasoned(column):
            return True
        return not words.isdisjoint(JUDGE) and not column.sentences

    def _is_reasoned(self, column: Evidence) -> bool:
        """Whether reasons of the same parents stand beside nearly every verdict, as only machines write."""
        return column.ends(KINDS_OF_VERDICT, {"choice"}) and any(
            c.parts[:-1] == column.parts[:-1]
            and c.ends({"justification", "reasoning", "explanation", "rationale"})
            and 10 * c.filled >= 9 * max(1, column.filled)
            and column.filled >= 0.9 * self.n
            for c in self.columns.values()
        )

    def _verdicts(self) -> list[Evidence]:
        """Columns that may hold verdicts: few labels, and no role yet."""
        return [c for c in self.free if c.verdict_like and c.words[-1:] != ["id"]]

    def _names_sides(self, column: Evidence) -> bool:
        if column.many and not all(map(self._is_side, column.texts[:AT_FIRST])):
            return False
        return len(column.labels) > 1 and all(map(self._is_side, column.labels))

    @staticmethod
    def _is_side(label: str) -> bool:
        form = folded(label)
        sided = form in _OF_SIDES or (
            len(form) > 1 and side_of(form) is not None
        )  # x may be a name
        return sided or not TIES.isdisjoint(pieces(label))

    def _of_codes(self, codes: Positions) -> Evidence:
        """Column without a name of rows that are alike where their codes are."""
        return Evidence("", self.n, tuple(map(str, range(int(codes.max()) + 1))), codes)

    def _is_machine(self, column: Evidence) -> bool:
        """Whether a column is called like the verdict of a model."""
        named = self._is_model(column) or (
            self._is_judge_word(column) and column.leaf != ["winner"]
        )
        return (named or column.says(PREDICTED)) and not column.says(HUMAN)

    def _shares(self, column: Evidence) -> bool:
        return any(c is not column and c.verdict_like and share(c, column) for c in self.free)

    def _is_human_name(self, column: Evidence) -> bool:
        people = {word.removesuffix("s") for word in column.parents}
        if ["qa"] in column.parts[:-1] and column.verdict_like and not self._is_model(column):
            return True
        if column.ends(DONE) and column.binary:
            return False
        thumbs = bool(column.labels) and set(column.labels) <= {"\U0001f44d", "\U0001f44e"}
        if thumbs and not self._is_model(column) and not column.says(JUDGE):
            return True
        if column.verdict_like and self._has_reviewer(column):
            return True
        lists = any(text.startswith("[") for text in column.texts[:20])
        beside = {f"{column.name}.users", f"{column.name}.user"} & {*self.columns}
        if column.verdict_like and beside and not lists:
            return True  # who gave each answer stands beside them
        if column.low in HUMAN_NAMES or column.says(HUMAN) or not people.isdisjoint(HUMAN):
            machine = self._is_model(column) or column.says(MACHINE)
            if machine and not column.says({"human", "gold", "expert"}):
                return False
            return (
                (column.verdict_like or column.is_score or not column.unique)
                and not column.sentences
                and not column.says({"time"})
                and not (column.says(REASON) and not column.ends(HUMAN) and not column.verdict_like)
            )
        if "annotation" in people and column.verdict_like and self._is_sparse(column):
            return not self._is_model(column)
        return (
            column.says({"user", "annotation", "customer"})
            and column.says(
                {"score", "rating", "label", "annotation", "feedback", "vote", "satisfied"}
            )
            and column.verdict_like
            and not self._is_model(column)
        )

    def _has_reviewer(self, column: Evidence) -> bool:
        """Whether a column of the same first words names who gave it: QA Verdict, QA Reviewer."""
        stem, above = column.leaf[:-1], column.parts[:-1]
        if column.leaf == ["vote"] and any(c.leaf == ["voter"] for c in self.columns.values()):
            return True
        if not (stem or above) or self._is_model(column) or self._is_judge_word(column):
            return False
        if not column.ends(WEAK | WEAK_HUMAN):
            return False
        return any(
            c is not column
            and c.leaf[:-1] == stem
            and c.parts[:-1] == above
            and c.ends(REVIEWER)
            and not c.numeric
            and not c.speaks
            for c in self.columns.values()
        )

    # --- a column of models: who judged, or whose output was judged

    def _answers_beside(self, column: Evidence) -> list[Evidence]:
        """Columns that may hold what a column of models said, or what was said of them."""
        votes = [c for c in (*self._verdicts(), *self._named("judge")) if not c.says(COVARIATE)]
        scores = [c for c in self.free if c.is_score and c.ends({"score", "rating", "grade"})]
        answers = [c for c in (*votes, *scores) if c is not column and not c.ends(SYSTEM)]
        graded = [c for c in answers if c.ends({"score", "rating", "grade"})]
        return graded if len(graded) == 1 else answers

    def _may_have_judged(self, column: Evidence) -> Evidence | None:
        """Id that a column of models crosses where the models may be the judges, too."""
        if column.name in self.decided or column.name in self.open_names or column.numeric:
            return None
        candidates = [c for c in (*self.free, *self._named("judge", "human")) if c is not column]
        settled = [
            c for c in candidates if self._is_model(c) or self._is_judge_word(c) or c.says(HUMAN)
        ]
        outputs = [c for c in self._named("text") if c.answers]
        models = stems(pieces(" ".join(column.texts[:20])), MODELS) or column.low == "model"
        answers = self._answers_beside(column)
        if not models or outputs or settled or len(answers) != 1 or answers[0].ends(VOTES):
            return None
        ids = item_columns([c.name for c in self.columns.values() if not c.unique])
        return next(
            (c for n in ids if (c := self.columns[n]) is not column and each_once([c, column])),
            None,
        )

    def _may_be_system(self, column: Evidence) -> bool:
        """Whether a column is called like a system, and holds a few of them."""
        few = column.says({"version", "release"}) and 1 < len(column.texts) <= 6
        return (
            (column.ends(SYSTEM) or says_system(column))
            and not (column.numeric and not few)
            and not column.constant
            and 0 < len(column.texts) <= max(2, self.n // 3)
        )

    def _agreement_with(self, column: Evidence, settled: Sequence[Evidence]) -> float:
        picked = [agreement(column, c) for c in settled]
        strong = [k for k, n in picked if k * np.sqrt(n) > 4]
        return float(np.median(strong)) if 2 * len(strong) > len(picked) and strong else 0.0

    def _is_sparse(self, column: Evidence) -> bool:
        others = [c for c in self.columns.values() if c is not column and c.verdict_like]
        return column.answered < 0.6 * self.n and any(c.answered >= 0.9 * self.n for c in others)

    def _by_evidence(self, column: Evidence) -> Decision | None:
        """What the rows that a column fills, and its agreement, say of who gave it; None if nothing."""
        named = [c for c in self._named("judge", "score") if self._is_machine(c)]
        people = [c for c in self._named("human") if c is not column]
        if self._is_machine(column) or column.says(CHECKS) or stems(column.words, METRICS):
            return None
        if any(recodes(c, column) for c in (*named, *people)):
            return None
        strong = self._goes_with(column)
        if not strong:
            role = "covariate" if may_measure(column) else "slice"
            return Decision(role, APART) if self._is_apart(column, [*named, *people]) else None
        where = self._part_of_people(column, named, people)
        if where is not None and column.verdict_like and not self._is_of_a_second_machine(column):
            return Decision("human", f"{where}, and it agrees with {strong!r}")
        if self._is_said_of_all(column):
            partial = bool(people) and all(10 * c.answered <= 9 * self.n for c in people)
            done = column.binary_flag or column.ends(DONE)
            if column.says(OF_PEOPLE) and column.ends(WEAK, WEAK_HUMAN):
                return Decision("human", f"the name says a person, and it agrees with {strong!r}")
            if partial and not (done or column.says(PEOPLE, HUMAN, REVIEWER, FINAL)):
                why = f"on all rows, of which people have a part; it agrees with {strong!r}"
                return Decision("judge", why)
        return None

    def _part_of_people(
        self, column: Evidence, machines: Sequence[Evidence], people: Sequence[Evidence]
    ) -> str | None:
        """Where a column is filled, if that is where people answer: with a person, on a part."""
        if not self.n <= 20 * column.answered <= 18 * self.n:
            return None
        filled = column.codes >= 0
        for person in people:
            both = int((filled & (person.codes >= 0)).sum())
            if 100 * both >= 97 * column.answered:
                return f"on rows that {person.name!r} has"
        every = any(10 * c.answered >= 9 * self.n for c in machines)
        return "on a part of the rows" if every and 4 * column.answered <= 3 * self.n else None

    def _is_said_of_all(self, column: Evidence) -> bool:
        """Whether words stand on all rows, and are not those of a group of prompts."""
        prompts = [c for c in self._named("prompt", "item") if not c.unique and c.filled == self.n]
        group = column.ends(SLICE, SYSTEM) or any(settles(p, column) for p in prompts)
        whole = column.verdict_like and not column.numeric
        return whole and not group and 20 * column.answered >= 19 * self.n

    def _is_apart(self, column: Evidence, settled: Sequence[Evidence]) -> bool:
        """Whether a column agrees with nobody and no other verdicts, and its name says nothing."""
        others = [*self._verdicts(), *(self.columns[name] for name in self.open_names)]
        called = column.ends(CRITERIA, GRADED, WEAK, WEAK_HUMAN) or column.is_bad_news
        return (
            bool(settled)
            and not (called or column.speaks or names_setups(column) or self._is_human_name(column))
            and all(
                n >= 30 and k * np.sqrt(n) < 2.5 for k, n in (agreement(column, c) for c in settled)
            )
            and all(
                k <= 0.3 or k * np.sqrt(n) < 4
                for k, n in (agreement(column, c) for c in others if c is not column)
            )
        )

    def _is_of_a_second_machine(self, column: Evidence) -> bool:
        """Whether models are named on the rows that a column fills, or each cell has its reason."""
        filled = column.codes >= 0
        for other in self.columns.values():
            if other is column or other.nested or 10 * other.filled > 9 * self.n:
                continue
            if 10 * ((other.codes >= 0) & filled).sum() < 9 * filled.sum():
                continue
            reasons = other.sentences and other.ends(REASON) and other.leaf[:1] == column.leaf[:1]
            if reasons or (names_setups(other) and not other.sentences):
                return True
        return False

    def _goes_with(self, column: Evidence) -> str:
        """The judge or person that a column agrees with most, beyond doubt; empty if none."""
        judging = [*self.free, *self._named("judge", "score")]
        named = [c for c in judging if (c.verdict_like or c.is_score) and self._is_machine(c)]
        others = [c for c in (*named, *self._named("human")) if c is not column]
        strong = [
            (k, c.name)
            for c in others
            for k, n in [agreement(column, c)]
            if k > 0.3 and k * np.sqrt(n) > 4
        ]
        return max(strong)[1] if strong else ""

    def _who_gave(self, column: Evidence) -> None:
        if (clear := self._by_evidence(column)) is not None:
            self._set([column.name], *clear)
            return
        said = [self.columns[name] for name in self.open_names if name != column.name]
        if column.numeric and column.ends(GRADED) and column.answered >= SURELY_RECODED:
            said += self._named("judge")  # a tool's score of 1 for PASS
        again = next((c for c in said if c.verdict_like and recodes(c, column)), None)
        if again is not None:
            self._set([column.name], "ignored", f"the same as {again.name!r}, in other words")
            return
        others = self._named("judge") or (self._named("score") if column.is_score else [])
        judges = [*(c.name for c in others), column.name]
        measure = [answered("covariate", column.name)] if may_measure(column) else []
        self._ask(
            f"Who gave column {column.name!r} ({column.answered} of {self.n} rows): a person, or one more "
            f"judge?{' Or is it a measure?' if measure else ''}",
            [column.name],
            [
                answered("human", column.name),
                answered("judges", *judges),
                *measure,
                answered("ignore", column.name),
            ],
        )

    def _ask_if_judge(self, column: Evidence) -> None:
        if (clear := self._by_evidence(column)) is not None:
            self._set([column.name], *clear)
            return
        prompts = [c for c in self._named("prompt", "item") if not c.unique and c.filled == self.n]
        if not column.numeric and prompts and differs_within(prompts[0], column):
            self._ask_system_or_judge(column)
            return
        judges = [*(c.name for c in self._named("judge")), column.name]
        person = [] if self._named("human") else [answered("human", column.name)]
        self._ask(
            f"Is column {column.name!r} a judge?"
            if not person
            else f"Is column {column.name!r} a judge, or what a person said?",
            [column.name],
            [
                answered("judges", *judges),
                *person,
                answered("covariate" if may_measure(column) else "slice", column.name),
            ],
        )

    def _puts_out_texts(self, column: Evidence) -> bool:
        """Whether each prompt has a text of its own for each value of a column, so that it says whose."""
        prompts = [c for c in self._named("prompt", "item") if not c.unique and c.filled == self.n]
        outputs = [c for c in self._named("text") if c.answers and c.filled >= 0.9 * self.n]
        trial = (
            column.ends(TRIAL, SLICE, REVIEWER, {"batch", "wave", "round", "shard"})
            or column.numeric
        )
        return not trial and any(
            differs_within(p, column) and not settles(p, text) for p in prompts for text in outputs
        )

    def _ask_system_or_judge(self, column: Evidence) -> None:
        """Decide or ask whether a column says whose output was judged, or who judged it."""
        if self._puts_out_texts(column):
            self._set([column.name], "system", "outputs of one prompt differ by it")
            return
        answers = [answered(what, column.name) for what in ("system", "trial", "slice")]
        scores, judges = self._named("score"), self._named("judge")
        question = f"Does {column.name!r} say whose output was judged"
        named = any(
            self.decided[c.name].why.startswith("the name says") for c in (*scores, *judges)
        )
        few = len(judges) + len(scores) <= 2 and len(judges) <= 1
        if few and (judges or scores) and not named and not self._named("human"):
            question += ", or who judged it"
            said = answered("answer", (judges or scores)[0].name)
            answers.insert(1, both(answered("judge", column.name), said))
        self._ask(f"{question}?", [column.name], answers)


def differs_within(item: Evidence, column: Evidence, most: int = 12) -> bool:
    """Whether the rows of each item differ in a column, as by chance they do in less than 1 of 100 tables."""
    if not 1 < len(column.texts) <= most or not each_once([item, column]):
        return False
    if len(item.texts) * len(column.texts) == len(item.codes):
        return True
    pairs = int((item.counts * (item.counts - 1) // 2).sum())
    alike = float(((column.counts / column.counts.sum()) ** 2).sum())
    return bool((1 - alike) ** pairs < 0.01)


SURELY_RECODED = 20  # rows on which a number that says PASS in another way surely does no more


def recodes(first: Evidence, second: Evidence) -> bool:
    """Whether two columns say the same in other words: pass and fail, 1 and 0, on all of 10 rows or more."""
    width = len(second.texts)
    if not len(first.texts) == width > 1 or share(first, second):
        return False
    pairs = first.codes * (width + 1) + second.codes
    if len(np.unique(pairs[:LOOKED_AT])) > width + 1:
        return False
    filled = first.codes >= 0
    if filled.sum() < 10 or not np.array_equal(filled, second.codes >= 0):
        return False
    return len(np.unique(pairs[filled])) == width


def says_machines_verdict(column: Evidence) -> bool:
    """Whether a name says a machine and a verdict, in whatever order: model_decision, decision_modele."""
    verdicts = WEAK - {"answer", "result", "outcome", "status", "ergebnis"}
    return column.verdict_like and column.says(MACHINE) and column.says(verdicts | {"label"})


def may_measure(column: Evidence) -> bool:
    """Whether a column of numbers may be a measure of the output: it is not 0 and 1 alone."""
    return column.numeric and not column.binary


_ARMS = words_in(
    "baseline base control treatment candidate challenger champion prod production staging canary tuned "
    "finetuned before after old new alt neu basis kontrolle antes despues avant apres"
)
"""What the arms of a test are called."""


def says_system(column: Evidence) -> bool:
    """Whether a name says a system anywhere, and all values are such: agent_llm holds models."""
    return column.says(SYSTEM) and names_setups(column)


def names_setups(column: Evidence) -> bool:
    """Whether all values are models, versions or arms of a test."""
    return all_setups(column.texts)


def all_setups(texts: Sequence[str]) -> bool:
    """Whether texts name a few setups of models."""
    return 1 < len(texts) <= 12 and all(
        stems(pieces(text), MODELS)
        or re.search(r"(?:^|[-_ .a-z])v\d+(?:[._-]\d+)*$", text.lower()) is not None
        or (bool(words := pieces(text)) and words[0] in _ARMS)
        or re.fullmatch(rf"(?:{'|'.join(sorted(SYSTEM))}|m)[-_ ]?(?:\d+|[a-e])", text.lower())
        for text in texts
    )


def pieces(text: str) -> list[str]:
    """Words and figures of a text."""
    return [w for w in re.split(r"[^a-z0-9]+", text.lower()) if w]
