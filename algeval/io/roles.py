"""Roles of columns: what somebody stated, what is decided, in its order, and what must be asked."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from algeval.data.names import EVEN, Caution, folded, other_side, side_of
from algeval.errors import DataError, option
from algeval.io.answers import Positions, Question, answered, as_number, both
from algeval.io.evidence import (
    AT_FIRST,
    BAD_LABELS,
    CHECKS,
    CONFIDENT,
    COVARIATE,
    CRITERIA,
    DONE,
    FIRST_NAMES,
    FLAG,
    FLAGGED,
    GOOD_LABELS,
    GRADED,
    HIGH_IS_GOOD,
    HUMAN,
    HUMAN_NAMES,
    ID,
    JUDGE,
    KINDS_OF_VERDICT,
    LOOKED_AT,
    MACHINE,
    METRICS,
    MISSING,
    MODELS,
    MOST_VERDICTS,
    NEUTRAL_BAD,
    OF_PEOPLE,
    PEOPLE,
    PEOPLE_ONLY,
    PREDICTED,
    PROMPT,
    RATERS,
    REASON,
    REFERENCES,
    REVIEWER,
    SAID,
    SHOWN,
    SLICE,
    SWAP,
    SYSTEM,
    TIME,
    TRIAL,
    VERDICT_WORDS,
    VERDICTS,
    VOTES,
    WEAK,
    WEAK_HUMAN,
    WHO,
    Evidence,
    agreement,
    codes_among,
    each_once,
    forms_of,
    names_a_verdict_of_a_person,
    plain_letters,
    settle_commas,
    settles,
    share,
    stems,
    together,
    word_in_english,
    words_in,
)
from algeval.io.layout import Export, export_of, item_columns, shown
from algeval.io.tables import MemoryTable, Table, open_table

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
_OF_SIDES = words_in("a b c l r first second 1 2 model_a model_b left right")
TIES = frozenset({"tie", "draw", "both", "neither", "equal", "tied"})

APART = "it agrees with no judge and no person"


class Decision(NamedTuple):
    """The role of a column, and why."""

    role: str
    why: str


UNLIKE_HUMAN = "the name says a person, and it answers nothing that judges do"
_ROW_NUMBERS = "row numbers"
CHECKED = "the name says a check by rules"
NO_GRADE = "a number under a name that says nothing"
NO_PROMPT = "it repeats, and names no prompt"
NUMBERS_OF_IDS = "another long number on each row"
ONCE_EACH = "each system has it once: systems are compared on it"
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
    sayer: str | None = None  # column of who answered, as the file and not the caller says
    slice: tuple[str, ...] = ()
    covariate: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    labels: frozenset[str] | None = frozenset()  # folded; None: nothing is missing
    same: Mapping[str, str] = field(default_factory=dict)  # folded labels that are another
    roles: Mapping[str, str] = field(default_factory=dict)
    layout: Mapping[str, Any] = field(default_factory=dict)  # as it was saved beside roles

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
    grid_by_verdicts: bool = False  # no name of the grid says who judged: baseline_correct
    certainty: dict[str, str] = field(default_factory=dict)  # numbers: the verdict they are sure of
    aside: set[str] = field(
        default_factory=set
    )  # people's columns of another question: not counted
    n_rows: int = 0
    said: tuple[str, ...] = ()  # what was done to the table before its columns were looked at
    file: Path | Callable[[], Table] | None = (
        None  # table of a tool, from whose columns its reader made these
    )

    @property
    def changed(self) -> bool:
        """Whether verdicts stand in cells such as 'Score: 4'."""
        names = self.named("judge", "score", "human", "answer")
        return any(self.columns[name].changed for name in names)

    def layout_to_save(self) -> dict[str, Any]:
        """What roles alone do not say: how rows are outputs, and who is behind columns."""
        return {
            "kind": self.layout,
            "item": list(self.item),
            "pairs": self.pairs,
            "repeats": self.repeats,
            "people": self.people,
            "people_named": sorted(self.people_named),
            "runs": self.runs,
            "grid": {name: list(pair) for name, pair in self.grid.items()},
            "certainty": self.certainty,
            "aside": sorted(self.aside),
        }

    def as_saved(self, layout: Mapping[str, Any]) -> None:
        """Take a layout that was saved, as far as roles still have it."""
        verdicts = self.named("judge", "score", "human", "answer")

        def of_verdicts(name: str) -> dict[str, Any]:
            return {c: of for c, of in dict(layout.get(name, {})).items() if c in verdicts}

        self.layout = str(layout.get("kind", "wide"))
        self.item = tuple(n for n in layout.get("item", ()) if n not in self.named("ignored"))
        self.pairs, self.repeats = bool(layout.get("pairs")), bool(layout.get("repeats"))
        self.people = bool(layout.get("people"))
        self.people_named = frozenset(layout.get("people_named", ()))
        self.runs, self.certainty = of_verdicts("runs"), of_verdicts("certainty")
        self.grid = {c: (str(pair[0]), str(pair[1])) for c, pair in of_verdicts("grid").items()}
        self.aside = set(layout.get("aside", ())) & set(verdicts)
        self.names_judges = True

    def named(self, *roles: str) -> list[str]:
        """Columns of some roles, in the order of the table."""
        aside = self.aside if "human" in roles else ()
        return [n for n, d in self.decided.items() if d.role in roles and n not in aside]


_BAD = frozenset(
    {*BAD_LABELS, *NEUTRAL_BAD, *(f"{no}{form}" for form in GOOD_LABELS for no in _NOT)}
)
_SEVERITY = re.compile(
    r"(?:minor|major|critical|severe)(?:[ _-](?:issue|error|edit|mistake|problem|fix(?:e)?|change)s?)?"
)
"""How grave an error is: beside a label that says a pass, none."""


def good_label(labels: Iterable[str], columns: Sequence[Evidence] = ()) -> str | None:
    """The one label that is named like a pass where all others are not, None if that is not clear."""
    own = {plain_letters(label.casefold()): label.casefold() for label in labels}
    forms = list(own)
    for first, second in (("up", "down"), ("p", "f")):  # of thumbs, pass and fail
        if {*forms} == {first, second}:
            return own[first]
    good = {form for form in forms if form in GOOD_LABELS}
    if any(column.says(HIGH_IS_GOOD) for column in columns):
        good |= {"high"} & {*forms}
    bad = {form for form in forms if form in _BAD or _SEVERITY.fullmatch(form)}
    bad |= {f"{no}{form}" for form in good for no in _NOT} & {*forms}
    best = [form for form in good if form not in bad]
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
        taken = self.decided.keys() | self.open_names
        return [c for name, c in self.columns.items() if name not in taken]

    def _set(self, names: Iterable[str], role: str, why: str) -> None:
        for name in names:
            self.decided[name] = Decision(role, why)

    def _reopen(self, names: Iterable[str]) -> None:
        """Take the roles of columns back."""
        for name in names:
            self.decided.pop(name, None)

    def _named(self, *roles: str) -> list[Evidence]:
        return [self.columns[n] for n, d in self.decided.items() if d.role in roles]

    def _repeated(self, *roles: str) -> list[Evidence]:
        """Columns of some roles, filled on all rows, whose cells several rows share."""
        return [c for c in self._named(*roles) if not c.unique and c.filled == self.n]

    @property
    def _grouping(self) -> list[Evidence]:
        """Columns, filled on all rows, that part these into groups."""
        every = self.columns.values()
        return [c for c in every if c.filled == self.n and 1 < len(c.texts) < self.n]

    def _role(self, column: Evidence) -> str:
        return self.decided.get(column.name, NONE_OF_THEM).role

    def _why(self, column: Evidence) -> str:
        return self.decided.get(column.name, NONE_OF_THEM).why

    def _ask(self, question: str, columns: Sequence[str], answers: Sequence[str]) -> None:
        self.roles.questions.append(Question(question, tuple(columns), tuple(answers)))
        self.open_names.update(columns)

    def _is_model(self, column: Evidence) -> bool:
        verdict = set(column.leaf) <= KINDS_OF_VERDICT | REASON | {"choice", "pairwise"}
        return stems(column.leaf, MODELS) or (verdict and stems(column.parents, MODELS))

    def _is_judge_word(self, column: Evidence) -> bool:
        if says_system(column) or (
            column.is_score and column.parents & {"token", "tokens", "usage"}
        ):
            return False  # llm.token_count.completion
        words = {w.rstrip("0123456789") for w in column.words}
        words |= {w.removesuffix("s") for w in column.parents}
        suggested = column.leaf[-1:] == ["suggestion"] and len(column.words) > 1  # of Argilla
        if suggested and column.verdict_like and not column.says(HUMAN):
            return True
        if says_machines_verdict(column):
            others = self._others(column)
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
        exact = {"exact", "match"} <= {*column.words} or column.leaf == ["em"]
        if exact or (scored and column.labels):
            return True
        if "feedback" in column.parents or "scores" in column.parents or "eval" in column.parents:
            return True
        if self._is_reasoned(column):
            return True
        return not words.isdisjoint(JUDGE) and not column.sentences

    def _is_reasoned(self, column: Evidence) -> bool:
        """Whether reasons under the same name stand beside nearly every verdict, as only machines write."""
        words = {"justification", "reasoning", "explanation", "rationale", "reason"}
        stem = column.leaf[:-1]
        model = any(  # judge_model: claude on every row
            (c.constant and c.ends({"model", "judge"}) and stems(pieces(c.texts[0]), MODELS))
            or (c.says(HUMAN) and c.answered < 0.9 * self.n and c.verdict_like and share(c, column))
            for c in self.columns.values()
        )
        called = column.ends(KINDS_OF_VERDICT, {"choice"}) and (column.parents or stem or model)
        if (
            not called
            or column.says(HUMAN, OF_PEOPLE)
            or not (column.verdict_like or column.is_score)
        ):
            return False
        return any(
            c.parts[:-1] == column.parts[:-1]
            and c.ends(words)
            and (not stem or c.leaf[:-1] == stem)
            and c.filled >= 0.9 * self.n
            and 10 * column.filled >= 9 * self.n
            for c in self.columns.values()
        )

    def _others(self, column: Evidence) -> list[Evidence]:
        """Other columns of few labels, whatever their role."""
        return [c for c in self.columns.values() if c is not column and c.verdict_like]

    def _verdicts(self) -> list[Evidence]:
        """Columns that may hold verdicts: few labels, and no role yet."""
        return [c for c in self.free if c.verdict_like and c.words[-1:] != ["id"]]

    def _shares_with_any(self, column: Evidence) -> bool:
        """Whether words of a verdict are among those of another column of verdicts."""
        return (
            column.verdict_like
            and not names_setups(column)
            and any(
                c is not column and c.verdict_like and not c.ends(SYSTEM) and share(c, column)
                for c in self.columns.values()
            )
        )

    def _names_sides(self, column: Evidence) -> bool:
        if column.many and not all(map(self._is_side, column.texts[:AT_FIRST])):
            return False
        return len(column.labels) > 1 and all(map(self._is_side, column.labels))

    def _names_systems(self, column: Evidence) -> bool:
        """Whether a column of pairs holds the names of the two systems, and so says which is better."""
        systems = self._named("system") if self.roles.layout == "pairwise" else []
        names = {folded(text) for c in systems for text in c.texts}
        return len(column.labels) > 1 and {*column.labels} <= names

    def _names_better(self, column: Evidence) -> bool:
        """Whether a column beside verdicts on pairs says what these say: which of two is better."""
        beside = [c for c in self.columns.values() if c is not column and self._is_machine(c)]
        said = any(c.verdict_like and self._names_sides(c) and share(c, column) for c in beside)
        return said and self._names_sides(column)

    @staticmethod
    def _is_side(label: str) -> bool:
        form = folded(label)
        sided = form in _OF_SIDES or (
            len(form) > 1 and side_of(form) is not None
        )  # x may be a name
        return sided or not TIES.isdisjoint(pieces(label))

    @staticmethod
    def _says_verdicts(column: Evidence) -> bool:
        """Whether most of what two to six words say is good or bad, and they are no numbers."""
        said = sum(n for label, n in column.labels.items() if label in VERDICTS)
        return 1 < len(column.labels) <= 6 and not column.numeric and 2 * said >= column.answered

    def _of_codes(self, codes: Positions) -> Evidence:
        """Column without a name of rows that are alike where their codes are."""
        return Evidence("", self.n, tuple(map(str, range(int(codes.max()) + 1))), codes)

    def _is_machine(self, column: Evidence) -> bool:
        """Whether a column is called like the verdict of a model."""
        named = self._is_model(column) or (
            self._is_judge_word(column) and column.leaf != ["winner"]
        )
        people = column.says({"human", "gold", "expert"} if column.says(MACHINE) else HUMAN)
        return (named or column.says(PREDICTED)) and not people

    def _shares(self, column: Evidence) -> bool:
        return any(c is not column and c.verdict_like and share(c, column) for c in self.free)

    def _is_human_name(self, column: Evidence) -> bool:
        people = {word.removesuffix("s") for word in column.parents}
        if ["qa"] in column.parts[:-1] and column.verdict_like and not self._is_model(column):
            return True
        who = column.words[-1:] in (["id"], ["initials"], ["email"])
        if (column.ends(DONE) and column.binary) or who:
            return False
        mine = column.leaf[:1] == ["my"] and column.ends(GRADED, WEAK, WEAK_HUMAN)
        if (
            self._is_done_by_people(column)
            or is_titled(column)
            or (mine and not self._is_model(column))
        ):
            return True
        thumbs = bool(column.labels) and set(column.labels) <= {"\U0001f44d", "\U0001f44e"}
        agreed = (
            column.verdict_like
            and column.says(OF_PEOPLE)
            and column.ends({"consensus", "majority"})
        )
        if (thumbs or agreed) and not self._is_model(column) and not column.says(JUDGE):
            return True
        if column.verdict_like and self._has_reviewer(column):
            return True
        lists = any(text.startswith("[") for text in column.texts[:20])
        stem = column.name.rpartition(".")[0] or column.name
        beside = {f"{x}.{who}" for x in (stem, column.name) for who in ("users", "user", "user_id")}
        beside &= {*self.columns}
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
                and not (column.numeric and _counts(column))
                and not (column.says(REASON) and not column.ends(HUMAN) and not column.verdict_like)
            )
        by_name = not FIRST_NAMES.isdisjoint(column.words)
        if "annotation" in people and column.verdict_like and by_name:
            return not self._is_model(column)
        stated = column.says(_USERS) and column.says(GRADED, _OF_USERS)
        stated |= column.says(_OF_CUSTOMERS) and self._has_people_beside(column)
        machine = self._is_model(column) or column.says(MACHINE)
        return (stated or column.says({"annotation"})) and column.verdict_like and not machine

    def _is_done_by_people(self, column: Evidence) -> bool:
        """Whether a name says who judged, and cells hold verdicts: reviewed_by_team, with pass and fail."""
        at = column.leaf.index("by") if "by" in column.leaf[1:] else 0
        machine = column.says(MACHINE, JUDGE) or self._is_model(column)
        done = bool(DONE & {*column.leaf[:at]}) and len(column.leaf) > at + 1
        words = column.speaks or (not column.many and good_label(column.labels) is not None)
        return done and words and not (machine or column.binary)

    def _has_people_beside(self, column: Evidence) -> bool:
        """Whether another column of verdicts is called like a person's, and no user's."""
        others = [c for c in self.columns.values() if c is not column and c.verdict_like]
        others = [
            c for c in others if not (_says_a_user(c) or self._is_model(c) or c.says(MACHINE))
        ]
        return any(c.says(HUMAN, PEOPLE, OF_PEOPLE, {"my"}) for c in others)

    def _has_reviewer(self, column: Evidence) -> bool:
        """Whether a column of the same first words names who gave it: QA Verdict, QA Reviewer."""
        stem, above = column.leaf[:-1], column.parts[:-1]
        if column.leaf in (["vote"], ["winner"], ["choice"], ["preference"]):
            return any(c.leaf in (["voter"], ["voter", "id"]) for c in self.columns.values())
        if not (stem or above) or self._is_model(column) or not column.ends(WEAK | WEAK_HUMAN):
            return False
        judge = self._is_judge_word(column)
        return any(
            c is not column
            and c.parts[:-1] == above
            and (
                (c.leaf[:-1] == stem and (c.ends({"initials"}) or (c.ends(REVIEWER) and not judge)))
                or c.leaf == stem
            )
            and not (c.numeric or c.speaks or c.constant or share(c, column))
            and not stems(pieces(" ".join(c.texts[:50])), MODELS)
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

    def _says_labels(self, column: Evidence) -> bool:
        """Whether a column that may be called like a system says what verdicts say: reward_model."""
        plain = column.low in _PLAIN_SYSTEMS or self.roles.layout != "wide"
        return not plain and self._shares_with_any(column)

    def _may_be_system(self, column: Evidence) -> bool:
        """Whether a column is called like a system, and holds a few of them."""
        few = column.says({"version", "release"}) and 1 < len(column.texts) <= 6
        if column.says(WEAK_HUMAN, WEAK) and column.speaks:
            return False  # agent_label says pass and fail
        if self._says_labels(column) or (column.ends(SYSTEM) and column.leaf[0] in JUDGE):
            return False  # judge_model
        if column.ends(_AT_A_DESK) and _holds_people(column):
            return False
        return (
            (
                column.ends(SYSTEM)
                or says_system(column)
                or _is_of_prompts(column)
                or self._makes_the_text(column)
            )
            and not (column.numeric and not few)
            and not column.constant
            and 0 < len(column.texts) <= max(2, self.n // 3)
        )

    def _agreement_with(self, column: Evidence, settled: Sequence[Evidence]) -> float:
        picked = [agreement(column, c) for c in settled]
        strong = [k for k, n in picked if k * np.sqrt(n) > 4]
        return float(np.median(strong)) if 2 * len(strong) > len(picked) and strong else 0.0

    def _is_sparse(self, column: Evidence) -> bool:
        others = self._others(column)
        return column.answered < 0.6 * self.n and any(c.answered >= 0.9 * self.n for c in others)

    def _is_settled_judge(self, column: Evidence) -> bool:
        return self._is_machine(column) or self._why(column) == "as you say"

    def _goes_with(self, column: Evidence, least: float = 4) -> str:
        """The judge or person that a column agrees with most, by a z of at least 4; empty if none.

        Words as pass and fail, said by both, are no chance: a z of 3 will do.
        """
        judging = [*self.free, *self._named("judge", "score")]
        named = [c for c in judging if (c.verdict_like or c.is_score) and self._is_settled_judge(c)]
        others = [c for c in (*named, *self._named("human")) if c is not column]
        words = not (column.binary or column.numeric or column.ends(WEAK))
        picked = [(*agreement(column, c), c) for c in others]
        strong = [
            (k, c.name)
            for k, n, c in picked
            if k > 0.3 and k * np.sqrt(n) > min(least, 3 if words and share(column, c) else 4)
        ]
        return max(strong)[1] if strong else ""

    def _who_gave(self, column: Evidence) -> None:
        said = [self.columns[name] for name in self.open_names if name != column.name]
        if column.numeric and column.ends(GRADED) and column.answered >= SURELY_RECODED:
            said += self._named("judge")  # a tool's score of 1 for PASS
        again = next((c for c in said if c.verdict_like and recodes(c, column)), None)
        if again is not None:
            self._set([column.name], "ignored", f"the same as {again.name!r}, in other words")
            return
        if self.roles.layout == "long":
            if not column.says(HUMAN, WEAK, WEAK_HUMAN) and self._is_apart_from_answers(column):
                self._set([column.name], "slice", "it agrees with no judge and no person")
                return
            self._ask(
                f"Did a person give column {column.name!r} ({column.answered} of {self.n} rows)?",
                [column.name],
                [answered(what, column.name) for what in ("human", "slice", "ignore")],
            )
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

    def _is_apart_from_answers(self, column: Evidence) -> bool:
        """Whether what raters said, on 40 rows or more, is as good as independent of a column."""
        picked = agreements_with(column, self._named("answer"))
        return bool(picked) and all(n >= 40 and k <= 0.15 for k, n in picked)

    def _ask_if_judge(self, column: Evidence) -> None:
        prompts = self._repeated("prompt", "item")
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
                *(person if self.named_judges else ()),
                answered("judges", *judges),
                *(() if self.named_judges else person),
                answered("covariate" if may_measure(column) else "slice", column.name),
            ],
        )

    def _puts_out_texts(self, column: Evidence) -> bool:
        """Whether each prompt has a text of its own for each value of a column, so that it says whose."""
        prompts = self._repeated("prompt", "item")
        outputs = [c for c in self._named("text") if c.answers and c.filled >= 0.9 * self.n]
        trial = (
            column.ends(TRIAL, SLICE, REVIEWER, {"batch", "wave", "round", "shard"})
            or column.numeric
        )
        return not trial and any(
            differs_within(p, column) and not settles(p, text) for p in prompts for text in outputs
        )

    def _makes_the_text(self, column: Evidence) -> bool:
        """Whether a name says who makes what a text beside is called: captioner, of caption."""
        made = {c.leaf[-1] for c in self._named("text") if c.leaf and c.filled >= 0.9 * self.n}
        return not column.numeric and any(
            len(word) > 3 and column.leaf[-1:] in ([f"{word}er"], [f"{word}or"], [f"{word[:-3]}or"])
            for word in made
        )

    def _ask_system_or_judge(self, column: Evidence) -> None:
        """Decide or ask whether a column says whose output was judged, or who judged it."""
        if self._puts_out_texts(column) or self._makes_the_text(column):
            self._set([column.name], "system", "outputs of one prompt differ by it")
            return
        if column.says(SWAP):
            self._ask(
                f"Does {column.name!r} say in which order two answers were shown?",
                [column.name],
                [answered(what, column.name) for what in ("swap", "slice", "system")],
            )
            return
        answers = [answered(what, column.name) for what in ("system", "trial", "slice")]
        scores, judges = self._named("score"), self._named("judge")
        question = f"Does {column.name!r} say whose output was judged"
        named = any(self._why(c).startswith("the name says") for c in (*scores, *judges))
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
    own = column.says(MACHINE) or column.leaf[:1] == ["self"]  # self_check: the model's own
    named = own and column.says(verdicts | {"label"}) and not column.ends(CONFIDENT)
    return column.verdict_like and named


def may_measure(column: Evidence) -> bool:
    """Whether a column of numbers may be a measure of the output: it is not 0 and 1 alone."""
    return column.numeric and not column.binary


_ARMS = words_in(
    "baseline base control treatment test intervention experimental candidate challenger champion prod "
    "production staging canary tuned finetuned before after old new alt neu basis kontrolle antes despues "
    "avant apres"
)
"""What the arms of a test are called."""


_ARMS_OF_A_TEST = words_in(
    "baseline control treatment candidate challenger champion prod production staging canary"
)
"""What no version of a judge is called."""
_OF_ARMS = words_in("run group condition cohort bucket branch flow setting")
"""What a column of arms is called, as well as others that hold none."""
_KINDS_ON_ARMS = (
    KINDS_OF_VERDICT | VERDICT_WORDS | words_in("accuracy acc em win right ok good quality is")
)
"""What stands beside an arm in the name of a column of verdicts."""


def _name_of_arm(half: str) -> str:
    """An arm as half of a column's name has it: baseline_is of baseline_is_correct, (baseline)."""
    return half.strip("()[]").removesuffix("_is").removesuffix("_was")


def _is_criterion(text: str) -> bool:
    """Whether half of a column's name is what outputs were judged by, as helpfulness."""
    return bool(words := pieces(text)) and {*words} <= CRITERIA


def _is_kind_of_verdict(text: str) -> bool:
    """Whether half of a column's name says what was said, and not who said it."""
    words = pieces(text)
    return _says_person(text) or (bool(words) and {*words} <= _KINDS_ON_ARMS)


def _says_person(text: str) -> bool:
    """Whether half of a column's name says a person."""
    return not HUMAN.isdisjoint(_english(text))


def _is_negated(column: Evidence) -> bool:
    """Whether one of two labels is the other with a no before it: equiv, not_equiv."""
    short, long = sorted((re.sub(r"[\W_]+", "", label) for label in column.labels), key=len)
    negations = [
        "not",
        "non",
        "no",
        "un",
        "in",
        "im",
        "il",
        "ir",
        "dis",
        "nicht",
        "kein",
        "pas",
        "niet",
    ]
    return bool(short) and any(long == no + short for no in negations)


def _numbers_rows(column: Evidence) -> bool:
    """Whether a name is one of row numbers: #, index, "N. caso" but for ids."""
    if column.low in ("", "unnamed 0", "index", "row", "#", "no", "nr"):
        return True
    return column.leaf[0] in {"n", "no", "nr", "num", "number"} and not column.ends(ID)


def _holds_codes(column: Evidence) -> bool:
    """Whether cells are many numbers behind the same letters: segments S001, S002."""
    if column.numeric or not 12 < len(column.texts) <= column.n_rows:
        return False
    return len({text.rstrip("0123456789") for text in column.texts}) == 1


def _is_of_prompts(column: Evidence) -> bool:
    """Whether a name says which version of a prompt systems were asked with."""
    versions = {"version", "tag", "variant", "revision", "rev", "template"}
    return "prompt" in column.leaf and not versions.isdisjoint(column.leaf)


def says_trial(column: Evidence) -> bool:
    """Whether a name says a repetition, or the numbers of samples: sample_idx."""
    last = [
        w for w in column.leaf if w not in {"idx", "index", "no", "nr", "num", "number", "k", "i"}
    ]
    if names_setups(column):
        return False  # run: baseline, candidate
    drawn = {"sample", "completion", "generation", "rollout", "draw", "response"}
    counted = (len(last) < len(column.leaf) or last in (["sample"], ["rollout"])) and {
        *last[-1:]
    } & drawn
    return column.ends(TRIAL) or bool(counted and _counts_up(column))


def says_system(column: Evidence) -> bool:
    """Whether a name says a system anywhere, and all values are such: agent_llm holds models."""
    return column.says(SYSTEM, {"target"}, _OF_ARMS) and names_setups(column)


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


_TITLED = re.compile(
    r"(?:Fr|Hr|Frau|Herr|Dr|Prof|Mr|Mrs|Ms|Mme|Mlle|Sr|Sra|Sig|Dott|Dra)(?:\. ?| )[^\W\d_a-z][^\W\d_]+"
    r"(?: [^\W\d_]+)?"
)
"""A person by title and name: Fr. Wagner."""
_METADATA = words_in(
    "finished completed submitted done status progress consent valid active deleted public published"
)
"""Called so, a value that is the same on every row says nothing of the outputs."""
SIDES = ({"left", "right"}, {"first", "second"}, {"a", "b"}, {"1", "2"}, {"l", "r"})
_OF_REFERENCES = words_in("reference expected correct gold golden ideal true target")

_ON_THE_LEFT = words_in("on left first shown is which side at the top read")
"""Words of a name that says which of two answers was shown first, and nothing else."""


class Rows(Desk):
    """Decisions about texts, times, pairs in one row, and numbers about outputs."""

    # --- nothing to read

    def _empty_and_constant(self) -> None:
        blocks = repeated_blocks(list(self.columns))  # of systems, where their outputs differ
        outputs = [self.columns[lead] for lead in blocks]
        sides = {name for of in blocks.values() for name in of.values()}
        sides = set() if any(_equal(outputs[0], c) for c in outputs[1:]) else sides
        for column in self.free:
            first = re.fullmatch(r"(.+)\.\d+", column.name)
            same = self.columns.get(first.group(1)) if first else self._longer_name(column)
            if column.nested and self._lists_people(column):
                self._ask_lists(column)
            elif column.nested:
                self._set([column.name], "ignored", "it holds lists or objects")
            elif not column.filled:
                self._set([column.name], "ignored", "it is empty")
            elif (
                same is not None
                and not (column.name in sides and column.verdict_like and column.speaks)
                and _equal(column, same)
            ):
                self._set([column.name], "ignored", f"the same as {same.name!r} on every row")
            elif column.counts_rows and column.name not in self.index and _numbers_rows(column):
                self._set([column.name], "ignored", _ROW_NUMBERS)
            elif column.constant and column.filled == self.n and not self._may_be_constant(column):
                self._set([column.name], "ignored", f"it says {column.example!r} on every row")

    def _ask_lists(self, column: Evidence) -> None:
        self._ask(
            f"Column {column.name!r} holds lists of answers, of several people or judges. Write a column for "
            "each of them, or leave it out.",
            [column.name],
            [answered("ignore", column.name)],
        )

    def _lists_people(self, column: Evidence) -> bool:
        """Whether lists are called like people's labels, or stand beside lists of whose they are."""
        called = names_a_verdict_of_a_person(column.name) and not column.ends(REASON)
        return called or f"{column.name}.users" in self.columns

    def _longer_name(self, column: Evidence) -> Evidence | None:
        """An earlier column of the same cells whose name's words are among this one's, or the reverse."""
        for other in self.columns.values():
            if other is column:
                return None
            inside = set(other.leaf) < set(column.leaf) or set(column.leaf) < set(other.leaf)
            if (
                inside
                and other.parents == column.parents
                and other.parents
                and _equal(column, other)
            ):
                return other
        return None

    def _may_be_constant(self, column: Evidence) -> bool:
        """Whether a column of one value is a judge or a person who always says one thing."""
        word = next(iter(column.labels), "")
        speaks = word in GOOD_LABELS or word in BAD_LABELS
        if (column.ends(DONE) and column.binary) or is_question(column.name):
            return False
        named = self._is_model(column) or self._is_judge_word(column) or column.says(HUMAN)
        if column.of_pair:
            return True
        if column.says(SYSTEM, COVARIATE):
            return False
        others = [c for c in self.columns.values() if c.verdict_like and len(c.labels) > 1]
        others = [
            c for c in others if not c.ends(SYSTEM)
        ]  # judge = gpt-4 beside systems gpt-4, llama
        others = [c for c in others if c.binary == column.binary]  # Finished is True beside grades
        return (speaks and named) or (
            not column.ends(SLICE, _METADATA)
            and not column.numeric
            and any(share(c, column) for c in others)
        )

    # --- times, reasons, texts

    def _references(self) -> None:
        """Name right answers that answers are compared with, but for labels and scores like others'."""
        scores = [c for c in self.columns.values() if c.is_score]
        for column in [c for c in self.free if c.low in REFERENCES]:
            like = _says_words_of(column, self._others(column))
            if not (like or (column.is_score and scores[1:])):
                self._set([column.name], "text", "the right answers, to compare with")

    def _times_and_texts(self) -> None:
        for column in self.free:
            if column.is_time:
                self._set([column.name], "time", "dates or times")
        judged = [c for c in self.columns.values() if c.verdict_like]
        for column in self.free:
            if (
                column.unique
                and column.name in item_columns([column.name])
                and not is_to_read(column)
            ):
                continue
            of_judge = self._is_model(column) or self._is_judge_word(column)
            words = column.texts if column.many else column.labels
            remarks = any(" " in word for word in words) and not self._shares(column)
            says_reason = column.ends(REASON) or (
                column.says(REASON) and (of_judge or remarks or not column.verdict_like)
            )
            if column.says({"finish", "stop", "end", "termination"}):
                continue
            numbers = column.mostly_numbers or self._speaks_like_a_judge(column)
            if column.unique and 10 * sum(map(_has_digit, words)) > 9 * len(words):
                continue  # id_comment
            if says_reason and not numbers:
                if self._says_what_machines_say(column):
                    continue  # human feedback in the words of a judge
                role = "text" if column.says({"notes", "note"}) else "reason"
                self._set([column.name], role, "the name says a reason, and it holds words")
            elif self._is_text(column, judged) or column.parents & {"raw", "completion"}:
                self._set([column.name], "text", "words to read")

    def _speaks_like_a_judge(self, column: Evidence) -> bool:
        return column.verdict_like and (column.speaks or column.binary)

    def _is_text(self, column: Evidence, judged: Sequence[Evidence]) -> bool:
        if column.numeric or self._speaks_like_a_judge(column):
            return False
        others = [c for c in judged if c is not column and not c.numeric]
        if column.verdict_like and any(share(c, column) for c in others):
            return False
        if is_to_read(column):
            return True
        if ["id"] in (column.leaf[-1:], column.leaf[:1]) or column.leaf[-1:] == ["uuid"]:
            return False
        if column.low in ("ground truth", "expected output"):
            return not column.verdict_like or len(column.labels) > 6
        if column.ends({"answer", "output"}) and column.says(_OF_REFERENCES):
            return not column.binary and not set(column.labels) <= {*GOOD_LABELS, *BAD_LABELS}
        named = column.ends(SHOWN) or not {"inputs", "outputs", "input", "output"}.isdisjoint(
            column.parents
        )
        if named and column.unique and not any(" " in text for text in column.texts[:50]):
            figures = all(re.search(r"\d", text) for text in column.texts[:50])
            return column.ends(SHOWN) and not figures  # inputs.example and passage may hold ids
        few = column.asks and 4 < len(column.texts) <= LOOKED_AT
        if few and len(" ".join(column.texts).split()) >= 3 * len(column.texts):
            return True  # short questions
        return (
            named
            and not column.ends(ID - {"document"})
            and len(column.texts) > 12
            and not column.verdict_like
        )

    # --- pairs of systems

    def _both_orders(self) -> None:
        """Add the question what a judge's columns of verdicts on pairs in both orders name: x_ab, x_ba."""
        pairs = [*self._orders_by_end(), *self._shown_first()]
        if self.stated.judges is not None:
            for first, second in pairs:
                if first.name in self.stated.judges and second in self.free:
                    why = f"{first.name!r} in the other order, no judge, as you say"
                    self._set([second.name], "ignored", why)
            return
        free = {c.name for c in self.free}
        pairs = [pair for pair in pairs if free.issuperset(c.name for c in pair)]
        pairs += self._second_orders({c.name for pair in pairs for c in pair})
        if pairs:
            self._ask_both_orders(pairs)

    def _numbered_runs(self) -> None:
        """Add the question who gave verdicts whose columns differ in the number of a run: run_1, run_2."""
        if self.stated.judges is not None:
            return
        groups: defaultdict[str, list[Evidence]] = defaultdict(list)
        for column in self.free:
            run = re.fullmatch(_NUMBERED_RUN, column.low)
            if run and column.verdict_like:
                groups["".join(run.groups(""))].append(column)
        for columns in groups.values():
            if len(columns) < 2 or not all(share(columns[0], c) for c in columns[1:]):
                continue
            names = [c.name for c in columns]
            self._ask(
                f"Are {', '.join(map(repr, names))} judges of the same output, or one judge asked again? "
                "Where each is of another output, of several runs of a system, write a row for each, with "
                f"the number of the run in a column for {option('trial')}.",
                names,
                [answered("judges", *names), answered("ignore", *names)],
            )

    def _orders_by_end(self) -> list[tuple[Evidence, Evidence]]:
        """Columns whose names differ in an end that says the order: ab and ba, order 1 and order 2."""
        verdicts = [c for c in self.columns.values() if c.verdict_like and len(c.leaf) > 1]
        columns = {_with_order(c.leaf): c for c in verdicts}
        pairs = []
        for (*stem, last), column in columns.items():
            for other in (columns.get((*stem, b)) for a, b in _ORDERS if a == last):
                alike = {end for *own, end in columns if own == stem}
                if other is None or any(map(str.isdigit, alike - {"12", "21"})):
                    continue  # judges with numbers
                if last == "first" and (
                    column.speaks or column.numeric or not self._is_model(column)
                ):
                    continue  # what was said first
                if share(column, other):
                    pairs.append((column, other))
        return pairs

    def _shown_first(self) -> list[tuple[Evidence, Evidence]]:
        """Columns whose names differ in which answer was shown first, as verdicts or texts are called."""
        verdicts = [c for c in self.columns.values() if c.verdict_like and "first" in c.leaf]
        verdicts = [c for c in verdicts if len(c.leaf) > 2]  # and who judged
        texts = {word for c in self._named("text") for word in c.leaf}
        pairs = []
        for column, other in combinations(verdicts, 2):
            differ = [
                pair for pair in zip(column.leaf, other.leaf, strict=False) if pair[0] != pair[1]
            ]
            said = texts | {word for label in column.labels for word in pieces(label)}
            if len(column.leaf) != len(other.leaf) or len(differ) != 1 or not share(column, other):
                continue
            if {*differ[0]} <= said and "first" not in differ[0]:
                pairs.append((column, other))
        met = Counter(c.name for pair in pairs for c in pair)
        return [pair for pair in pairs if met[pair[0].name] == met[pair[1].name] == 1]

    def _ask_both_orders(self, pairs: Sequence[tuple[Evidence, Evidence]]) -> None:
        """Add one question for all columns of verdicts on pairs in both orders: what they name."""
        columns = [c for pair in pairs for c in pair]
        quoted = [f"{first.name!r} and {second.name!r}" for first, second in pairs]
        likewise = f" (and so {'; '.join(quoted[1:])})" if len(pairs) > 1 else ""
        seconds = {second.name for _, second in pairs}
        beside = {*self._machines_beside(*columns), *(c.name for c in self._named("judge"))}
        names = [n for n in self.columns if n in beside | {c.name for c in columns}]
        self._ask(
            f"Do {quoted[0]}{likewise} hold one judge's verdicts in both orders? Where they name the place "
            f"shown (A, first), take one order, or write a row for each, with a column for {option('swap')}; "
            "where they name the answer, in whatever order, all may be judges.",
            [c.name for c in columns],
            [
                answered("judges", *(n for n in names if n not in seconds)),
                answered("judges", *names),
            ],
        )

    def _machines_beside(self, *columns: Evidence) -> list[str]:
        """Other columns of verdicts on pairs that are called like a machine's."""
        verdicts = [c for c in self.free if c.verdict_like and self._names_sides(c)]
        return [c.name for c in verdicts if c not in columns and self._is_machine(c)]

    def _second_orders(self, taken: Collection[str]) -> list[tuple[Evidence, Evidence]]:
        """Verdicts called like others but for a word as 'swapped': those of the judge in the other order.

        That both name the answer, and not its place, is taken where they agree far more as they stand than
        with the sides of one exchanged; else they are returned, to be asked about.
        """
        verdicts = [c for c in self.free if c.verdict_like and self._names_sides(c)]
        verdicts = [c for c in verdicts if c.name not in taken]
        by_words = {frozenset(c.words): c for c in verdicts}
        open_: list[tuple[Evidence, Evidence]] = []
        for column in verdicts:
            word = next((w for w in column.words if w in _TURNED_WORDS), None)
            first = None if word is None else by_words.get(frozenset(column.words) - {word})
            if first is None or first is column or not share(first, column):
                continue
            straight, n = agreement(first, column)
            turned, _ = agreement(first, _with_sides_exchanged(column))
            if straight * np.sqrt(n) > 3 and straight > turned + 0.3:
                self._set(
                    [first.name], "judge", f"its verdicts in the other order: {column.name!r}"
                )
                why = (
                    f"{first.name!r} in the other order; both name the answer, as they agree on it"
                )
                self._set([column.name], "judge", why)
            else:
                open_.append((first, column))
        return open_

    def _pairs(self) -> None:
        bases: defaultdict[str, list[str]] = defaultdict(list)
        for column in self.free:
            match = column.of_pair
            votes = column.verdict_like_numbers or self._names_sides(column)
            if match and (not votes or self._meets_its_other(column)):
                bases[match.group(1)].append(column.name)
        for names in bases.values():
            if len(names) == 1 and not self._shares(self.columns[names[0]]):
                self._set(names, "slice", "one of the two systems of a pair")
            if len(names) == 2:
                self._set(names, "system", "the two systems of a pair")
                self.roles.layout, self.roles.pairs = "pairwise", True
        if self.roles.layout == "wide":
            self._pairs_by_values()
        texts = {w for c in self._named("text") for w in c.words}
        stated = self._named("judge", "human")
        candidates_ = [c for c in (*self.free, *stated) if c.verdict_like and self._names_sides(c)]
        if self.roles.layout == "wide" and candidates_:
            self.roles.pairs |= any(sides <= texts for sides in SIDES[1:])
        self._swaps()
        if self.roles.layout == "pairwise" and candidates_:
            flags = [c for c in self.free if c.binary and not self._names_sides(c)]
            flags = [c for c in flags if not (self._is_model(c) or self._is_judge_word(c))]
            flags = [c for c in flags if not c.says(HUMAN)]
            self._set([c.name for c in flags], "slice", "it names neither answer of a pair")

    def _meets_its_other(self, column: Evidence) -> bool:
        """Whether systems called a, b, c stand in a column: another of such a name never says the same.

        Judges called model_a and model_b would agree on some row.
        """
        for other in self.free:
            if other is column or other.of_pair is None or column.of_pair is None:
                continue
            texts = [np.array([*c.texts, None], object)[c.codes] for c in (column, other)]
            alike = other.of_pair.group(1) == column.of_pair.group(1)
            if alike and self.n > 9 and {*column.texts} == {*other.texts} and len(column.texts) > 2:
                return not (texts[0] == texts[1]).any()
        return False

    def _swaps(self) -> None:
        """Name the column of the order in which two answers were shown; ask of verdicts called so."""
        for column in self.free:
            in_pairs = self.roles.layout == "pairwise"
            if not column.verdict_like:
                continue
            turned = not {"swapped", "flipped", "reversed", "switched"}.isdisjoint(column.labels)
            left = in_pairs and self._names_sides(column) and {*column.leaf} <= _ON_THE_LEFT
            if self._says_which_first(column):
                self._set([column.name], "swap", "which of two answers was shown first")
                continue
            if not (column.says(SWAP) or turned or left):
                continue
            named = self._is_model(column) or column.says(WEAK, WEAK_HUMAN, HUMAN, CHOSEN)
            if named and in_pairs and self._names_sides(column) and self._shares(column):
                self._ask(
                    f"Does {column.name!r} name the better answer, or the order in which two were shown?",
                    [column.name],
                    [
                        answered("judges", *self._machines_beside(column), column.name),
                        answered("swap", column.name),
                        answered("ignore", column.name),
                    ],
                )
            elif in_pairs or column.says({"swapped", "flipped", "presentation"}) or turned:
                self._set([column.name], "swap", "the order in which two answers were shown")

    def _says_which_first(self, column: Evidence) -> bool:
        """Whether a column names the answer shown first, as verdicts beside name the better of two."""
        if len(column.labels) != 2 or column.numeric or column.speaks:
            return False
        saw = column.ends({"first"}) and column.says({"saw", "seen", "shown", "showed", "read"})
        if not saw and column.says(WEAK, WEAK_HUMAN, HUMAN, CHOSEN):
            return False  # else curator_saw_first
        orders = [re.findall("[a-z0-9]", label) for label in column.labels]
        if len(orders[0]) == 2 and orders[0] == orders[1][::-1]:
            return True  # AB and BA
        first, last = (pieces(label) for label in column.labels)
        sides = [word for word in first if word in ("a", "b", "1", "2")]
        if len(sides) == 2 and first == last[::-1] != last:
            return True  # A then B, and B then A
        if column.says(SWAP) and all("first" in pieces(label) for label in column.labels):
            return True  # new_first and old_first
        beside = {"first", "shown", "left", "top", "model", "response", "answer", "system"}
        leads = column.says({"first", "order", "left", "top"}) and not self._is_model(column)
        leads |= column.says({"first", "left", "top"}) and column.says(SWAP)
        said = [
            {frozenset(pieces(label)) - beside for label in c.labels if label not in EVEN}
            for c in (column, *self.free)
            if c.verdict_like
        ]
        return leads and said[0] in said[1:] and said.count(said[0]) > 2

    def _pairs_by_values(self) -> None:
        """Take two columns of the same names, never alike on a row, for the systems of a pair, or ask.

        A column must say which of the two won: by its place, by its column, or by its name.
        """
        groups = [
            c
            for c in self.free
            if 1 < len(c.texts) <= max(12, self.n // 3)
            and c.filled == self.n > 9
            and not (c.numeric or c.binary or c.speaks or c.sentences)
            and not c.ends(SLICE)
            and not self._names_sides(c)
            and good_label(c.labels) is None
        ]
        for first, second in combinations(groups, 2):
            names = set(first.texts), set(second.texts)
            if 5 * len(names[0] & names[1]) < 4 * len(names[0] | names[1]):
                continue
            rows = [np.array(c.texts, object)[c.codes] for c in (first, second)]
            if (rows[0] == rows[1]).any():
                continue
            sides = {first.low, second.low}
            others = [*self.free, *self._named("judge", "human")]
            others = [c for c in others if c is not first and c is not second]
            called = {folded(text) for text in names[0] | names[1]}
            plain = [c for c in others if c.verdict_like and self._names_sides(c)]
            won = [c for c in others if _says_winner(c, sides) or _says_winner(c, called)]
            if not (plain or won):
                continue
            pair = [first.name, second.name]
            listed_pair = any(c.of_pair for c in (first, second))
            called_so = first.ends(SYSTEM) and second.ends(SYSTEM)  # first_sys, second_sys
            called_so &= {*first.leaf} ^ {*second.leaf} in SIDES
            called_so |= {*first.words} ^ {*second.words} in SIDES and bool(plain)
            if won or listed_pair or names_setups(first) or sides in SIDES or called_so:
                why = "the two systems of a pair: the same names, and never alike on a row"
                self._set(pair, "system", why)
                self.roles.layout, self.roles.pairs = "pairwise", True
            else:
                self._ask(
                    f"Do {pair[0]!r} and {pair[1]!r} name the two whose answers were compared?",
                    pair,
                    [answered("system", *pair), answered("slice", *pair)],
                )
            return

    # --- names that say a number about the output, or a group

    def _by_name(self) -> None:
        for column in self.free:
            if column.speaks or is_titled(column):
                continue
            if stems(column.words, METRICS) and column.numeric and not column.verdict_like:
                self._set([column.name], "score", "the name says a metric")
            elif (verdict := self._of_certainty(column)) is not None:
                role = "covariate" if column.verdict_like else "score"
                self._set([column.name], role, f"how sure {verdict.name!r} is")
                self.roles.certainty[column.name] = verdict.name
            elif _is_of_prompts(column) and 1 < len(column.texts) <= 6:
                continue
            elif column.ends(_AT_A_DESK) and _holds_people(column):
                self._set([column.name], "slice", "names of people at a desk")
            elif self._says_group(column) and not _holds_codes(column):
                role, why = self._group(column)
                self._set([column.name], role, why)

    def _of_certainty(self, column: Evidence) -> Evidence | None:
        """The verdict that a column's numbers say the certainty of: gpt4o, of gpt4o_conf."""
        of_label = column.leaf[-1:] == ["score"] and len(column.leaf) > 1 and column.is_decimal
        if not column.numeric or not (column.says(CONFIDENT) or of_label):
            return None
        stem = [w for w in column.leaf if w not in CONFIDENT | {"score", "level", "value"}]
        if of_label and not column.says(CONFIDENT):
            same = [c for c in self.columns.values() if c.leaf == stem and c.verdict_like]
            return same[0] if same and not same[0].numeric else None
        verdicts = [c for c in self._others(column) if c.parts[:-1] == column.parts[:-1]]
        verdicts = [c for c in verdicts if not c.says(CONFIDENT, COVARIATE)]
        verdicts = [c for c in verdicts if self._role(c) in ("", "judge")]
        if stem:
            return next((c for c in verdicts if {*stem} <= {*c.leaf}), None)
        named = [c for c in verdicts if self._is_machine(c)]
        return named[0] if len(named) == 1 else None

    def _says_group(self, column: Evidence) -> bool:
        """Whether a name says a number about the output or a group of outputs, and no verdict."""
        groups = {"scores", "feedback", "eval", "annotation", "annotations", "evaluation"}
        if column.parents & groups or self._says_what_machines_say(column):
            return False
        if self._is_model(column) and not column.says(COVARIATE - {"time-taken"}):
            return False
        if column.ends(DONE) and column.says(HUMAN) and column.binary:
            return True
        judging = column.says(HUMAN, {"judge", "verdict", "grader", "rater"})
        if judging or "by" in column.leaf[1:-1] or self._names_judges_and_people(column):
            return False  # reviewed_by_team
        if column.leaf[:1] and column.leaf[0] in FLAG:
            return (
                not (column.speaks or column.says(MACHINE, JUDGE))
                and not set(column.leaf[1:])
                & {*GOOD_LABELS, *BAD_LABELS, *WEAK, *CRITERIA, "expected"}
                and not column.is_bad_news
            )
        aimed = column.leaf[:1] == ["target"] and column.ends({"grade", "mark", "level"})
        if aimed or column.low in FLAGGED or (len(column.leaf) == 1 and column.says(FLAGGED)):
            return True
        if column.is_bad_news and column.verdict_like and column.binary:
            return False
        if not column.many and good_label(column.labels) is not None and not column.binary:
            return False  # qa_team says resolved and unresolved
        if column.figures:
            return column.says(COVARIATE) and not column.ends(
                CRITERIA, {"score", "rating", "grade"}
            )
        return not (column.sentences or column.unique) and self._ends_like_group(column)

    def _ends_like_group(self, column: Evidence) -> bool:
        """Whether a name ends like a group's, and the cells are no labels, arms or ids of prompts."""
        labels = column.words[-1:] in (["label"], ["lbl"]) and self._shares_with_any(column)
        arms = column.says(_OF_ARMS) and names_setups(column)
        prompts = column.words[-1:] == ["id"] and self._has_each_system_once(column)
        return column.ends(SLICE) and not (labels or arms or prompts)  # team_label, segment_id

    def _has_each_system_once(self, column: Evidence) -> bool:
        """Whether each value stands once with each value of a column that is called like systems."""
        return any(
            2 * len(column.texts) <= self.n == len(column.texts) * len(c.texts)
            and each_once([column, c])
            for c in self.columns.values()
            if c is not column and self._may_be_system(c)
        )

    def _names_judges_and_people(self, column: Evidence) -> bool:
        """Whether values are models and people, though no output differs by them: a source of verdicts."""
        if (
            column.many
            or column.filled < self.n
            or not column.ends({"source", "by", "from", "who", "origin"})
        ):
            return False
        if any(c.answers or _of_a_side(c) for c in self._named("text")):
            return False
        words = [{w.rstrip("0123456789") for w in pieces(text)} for text in column.texts]
        people = [bool(w & (HUMAN | PEOPLE_ONLY | FIRST_NAMES)) for w in words]
        models = [bool(stems(w, MODELS) or w & JUDGE) for w in words]
        every = all(a or b for a, b in zip(people, models, strict=True))
        if not (every and any(people) and any(models)):
            return False
        again = [c for c in self.columns.values() if not c.unique and c.filled == self.n]
        return any(each_once([c, column]) for c in again if c is not column and not c.numeric)

    def _says_what_machines_say(self, column: Evidence) -> bool:
        """Whether all of a column's words are labels of a machine's verdicts: category beside gpt-4o."""
        return (
            column.verdict_like
            and len(column.labels) > 1
            and not (column.binary or column.numeric)
            and any(
                set(column.labels) <= set(c.labels) and self._is_machine(c)
                for c in self.columns.values()
                if c is not column and c.verdict_like and not c.ends(SYSTEM)
            )
        )

    def _group(self, column: Evidence) -> tuple[str, str]:
        if column.figures and not (column.binary and column.leaf[0] in FLAG):
            return "covariate", "the name says a measure"
        return "slice", "the name says a group"


def repeated_blocks(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Blocks of columns that are the same but for their first: {first: {name without number: column}}."""
    names = list(names)
    counted = {n: 0 for n in names if f"{n}.1" in names}
    for name in counted:
        while f"{name}.{counted[name] + 1}" in names:
            counted[name] += 1
    if not counted or len(set(counted.values())) > 1:
        return {}
    blocks = {}
    for k in range(next(iter(counted.values())) + 1):
        block = {base: f"{base}.{k}" if k else base for base in counted}
        at = [names.index(name) for name in block.values()]
        if at != list(range(at[0], at[0] + len(at))) or not at[0]:
            return {}
        blocks[names[at[0] - 1]] = {"output": names[at[0] - 1], **block}
    ours = {name for of in blocks.values() for name in of.values()}
    return blocks if len(ours) == len(blocks) * (len(counted) + 1) else {}


def _says_winner(column: Evidence, names: set[str]) -> bool:
    """Whether a column says one of two or more names on most rows, and ties on the others."""
    labels = set(column.labels)
    return len(labels & names) > 1 and labels <= names | TIES


_ORDERS = (
    ("ab", "ba"),
    ("12", "21"),
    ("forward", "reverse"),
    ("forward", "reversed"),
    ("fwd", "rev"),
    ("original", "swapped"),
    ("normal", "swapped"),
    ("unswapped", "swapped"),
    ("order1", "order2"),
    ("ordera", "orderb"),
    ("first", "second"),
)
"""Ends of the names of columns that hold verdicts on pairs shown in one order and in the other."""


def is_titled(column: Evidence) -> bool:
    """Whether a name is a person's with a title: Fr. Wagner."""
    return _TITLED.fullmatch(column.name.strip()) is not None


def is_question(name: str) -> bool:
    """Whether a column's name is a question that a form asked: 'Is the second answer correct?'."""
    return bool(re.search(r"[?？؟]", name)) and (len(name.split()) > 3 or len(name) > 24)


def _equal(first: Evidence, second: Evidence) -> bool:
    a = np.array([*first.texts, ""], object)[first.codes]
    b = np.array([*second.texts, ""], object)[second.codes]
    return bool((a == b).all())


_NUMBERED_RUN = (
    r"(run|trial|attempt|sample|try|rep|repeat|repetition|seed|iteration|epoch)s? ?\d+"
    r"( (?:correct|pass|passed|score|verdict|label|grade|result|ok|success|outcome))?"
)
"""What verdicts are called of which the name says the number of a run, and nothing of who judged."""


def _with_order(leaf: Sequence[str]) -> tuple[str, ...]:
    """Words of a name, its order at the end as one word: order 1, order1."""
    numbered = leaf[-2:-1] == ["order"] and leaf[-1] in ("1", "2", "a", "b")
    return (*leaf[:-2], "".join(leaf[-2:])) if numbered else tuple(leaf)


CHOSEN = words_in("winner win won vote choice chosen pref preference preferred pick better best")
_TURNED_WORDS = words_in("swapped reversed flipped swap reverse flip rev turned mirrored")


def _with_sides_exchanged(column: Evidence) -> Evidence:
    """Verdicts with the first and the second answer exchanged."""
    return replace(column, name="", texts=tuple(other_side(t) or t for t in column.texts))


def is_to_read(column: Evidence) -> bool:
    """Whether cells are words to read."""
    return column.sentences


_TALKS = words_in("session sessionid conversation thread threadid dialog dialogue chat call")
"""Of those, what a talk of several turns is called."""
_KINDS = (
    words_in(
        "human humans person people manual annotator annotation expert user reviewer crowd worker"
    ),
    words_in(
        "llm model ai code api eval auto automatic automated machine heuristic bot judge llm_judge"
    ),
)
"""Words by which a column tells people's answers from machines'."""
_CRITERION = words_in("criterion criteria dimension rubric metric attribute quality")
_PART_OF_TALK = words_in("turn round step")
_PARTS_OF_TALK = _PART_OF_TALK | {"aspect"}


class Ids(Rows):
    """Decisions about what a row is, and about ids."""

    # --- columns of a known tool

    def _of_tool(self) -> None:
        """Name a tool's own columns: who answered what, and what it notes beside."""
        self._beside_suggestions()
        export = export_of(self.columns)
        if export is None or self.roles.layout == "long":
            return
        own = {c.name: role for c in self.free if (role := export.role(c.name))}
        why = f"a column of {export.title}"
        for name, role in own.items():
            column = self.columns[name]
            if column.nested or not column.filled or role in ("item", "who", "answer"):
                continue
            if role == "judge" and (not column.verdict_like or column.constant):
                role = "score" if column.is_score else ""
            if role == "text" and (column.numeric or column.constant):
                continue
            if role == "judge" and self.stated.judges is not None:
                continue
            if role and not (role == "score" and not column.numeric):
                self._set([name], role, why)
        self._answers_of_tool(export, own)

    def _beside_suggestions(self) -> None:
        """Take responses beside suggestions to the same question, as of Argilla, for people's."""
        questions = {
            c.name[: -len(".suggestion")].lower()
            for c in self.columns.values()
            if re.search(r".[.-]suggestion$", c.name, re.IGNORECASE)
        }
        for column in self.free:
            stem, _, rest = column.name.lower().rpartition(".response")
            if stem in questions and re.fullmatch(r"s?(\.\d+)?", rest):
                listed = column.nested or any(text.startswith("[") for text in column.texts[:9])
                if not listed and (column.verdict_like or column.is_score):
                    self._set([column.name], "human", "people's responses beside a suggestion")

    def _item_of_tool(self, export: Export) -> Evidence | None:
        """Column of what people judged in a tool: a task, where one input makes several."""
        item, finer = self.columns.get(export.item), self.columns.get(export.finer)
        if item is None or finer is None or settles(item, finer):
            return item
        self.decided.pop(finer.name, None)
        self._set([item.name], "prompt", f"it was asked about in several ways: {finer.name!r}")
        return finer

    def _who_of_tool(self, export: Export) -> Evidence | None:
        """Column of who answered in a tool: of the sources of scores, where one name has several."""
        who, by = self.columns.get(export.who), self.columns.get(export.by)
        if who is None or by is None or not by.filled or settles(who, by):
            return who
        self.decided.pop(by.name, None)
        self._set([who.name], "slice", f"several answered under one of these: {by.name!r}")
        people = {text for text in by.texts if _KINDS[0] & set(pieces(text))}
        self.roles.people_named = frozenset(people)
        return by

    def _asks_several(self, export: Export, who: Evidence, answer: Evidence) -> bool:
        """Whether names under which scores were kept may be of several questions, which is asked then."""
        names = self.columns[export.who]
        sayers = MODELS | JUDGE | MACHINE | HUMAN | PEOPLE | FIRST_NAMES
        nameless = [t for t in names.texts if not stems(pieces(t.lower()), sayers)]
        if len(nameless) <= 1 if who is names else settles(who, names):
            return False
        self._ask(
            f"Do {shown(nameless or names.texts, 4)} of {names.name!r} answer one question, or several? Of "
            "several, keep the rows of one",
            [names.name, answer.name],
            [both(answered("judge", names.name), answered("answer", answer.name))],
        )
        return True

    def _answers_of_tool(self, export: Export, own: Mapping[str, str]) -> None:
        """Name what people answered in a tool, who they were and what they judged."""
        answers = [c for c in map(self.columns.__getitem__, own) if own[c.name] == "answer"]
        item, who = self._item_of_tool(export), self._who_of_tool(export)
        if not export.answers and who is not None:
            answers = [
                c for c in self.free if export.role(c.name) is None and not self._is_machine(c)
            ]
            answers = [
                c for c in answers if any(share(c, m) for m in self.free if self._is_machine(m))
            ]
        answers = [
            c for c in answers if c.name not in self.decided and (c.verdict_like or c.is_score)
        ]
        if export.by:
            whole = [c for c in answers if 20 * c.filled >= 19 * self.n]
            again = [c for c in whole if c.numeric] if len(whole) > 1 else []
            self._set([c.name for c in again], "ignored", "the same answers as numbers")
            answers = [c for c in whole if c not in again]
        if item is None or item.name in self.decided or len(answers) != 1 or self.stated.item:
            return
        answer = answers[0]
        if who is None or item.unique or not item.filled:
            self._set([answer.name], "human", f"people's answers in {export.title}")
            if item.unique:
                self._set([item.name], "item", "one value a row")
                self.roles.item = (item.name,)
            if who is not None and who.name not in self.decided and not who.constant:
                self._set([who.name], "slice", f"who answered in {export.title}")
        elif who.name not in self.decided:
            if export.by and self._asks_several(export, who, answer):
                return
            self.roles.layout, self.roles.item = "long", (item.name,)
            self._set([who.name], "rater", f"who answered in {export.title}")
            self._set([answer.name], "answer", "what they said")
            self._set([item.name], "item", "what was judged")
            self._name_beside(who, answer, self._beside_raters(who, answer, [item]))

    # --- a row per verdict

    def _long(self) -> None:
        if self.stated.judge is not None or self.stated.answer is not None:
            self._long_as_said()
            return
        if self.stated.judges is not None and set(self.stated.judges) <= set(self.columns):
            return
        sayer = self.columns.get(self.stated.sayer or "")
        raters = self._may_be_raters() if sayer is None else [sayer]
        models = [c for c in self.columns.values() if self._is_model(c) and c.verdict_like]
        outputs = [c for c in self._named("text") if not c.ends(REASON) and c.filled == self.n]
        outputs = [c for c in outputs if not c.asks]
        many = any(20 * len(c.texts) >= 19 * self.n for c in outputs)
        wrote = sayer is not None or (many and self._labelled_once(raters))
        if sayer is None and (len(models) > 1 or (many and not wrote)):
            return  # columns of judges, or another output on each row, which one person saw
        for rater in raters:
            ids = self._ids_of_raters(rater)
            if ids is not None and _names_users(rater) and not self._users_judge(rater, ids):
                continue
            if ids is None:
                ids = self._ids_and_a_group(rater)
            answer = None if ids is None else self._answer_column(rater, ids)
            if answer is None or ids is None:
                if ids is not None and not each_once(ids):
                    self._ask_answer(rater, ids)
                continue
            ids = self._rows_of_raters(ids)
            beside = self._beside_raters(rater, answer, ids)
            if each_once(ids) and any(map(self._is_machine, beside)):
                self._single_raters(rater, answer)
                return
            self._of_raters(rater, answer, ids, beside, wrote=wrote)
            return

    def _may_be_raters(self) -> list[Evidence]:
        """Columns that may say who gave the vote of each row, those of users last."""
        said = [self.columns[n] for n in self.stated.human if n in self.columns]
        raters = [c for c in (*said, *self.free) if self._may_name_raters(c)]
        more = [c for c in self.free if self._names_who_saw(c) or self._names_judges_and_people(c)]
        raters += [c for c in more if c not in raters]
        votes = [c for c in self.columns.values() if c.says(_KINDS_OF_ANSWER)]
        votes = [c for c in votes if c.numeric or c.verdict_like]
        if any(map(self._is_machine, votes)) and any(map(self._is_human_name, votes)):
            # a reviewer gave no judge_score beside human_score
            raters = [c for c in raters if c.says(JUDGE, MACHINE)]
        return sorted(raters, key=_names_users)

    def _labelled_once(self, raters: Sequence[Evidence]) -> bool:
        """Whether a person's labels are the same on all rows of an item, which a judge met once each.

        Then the item was judged, and another text on each row is what each judge wrote.
        """
        for rater in filter(self._is_called_like_rater, raters):
            ids = self._ids_of_raters(rater) or []
            rows, again = together(ids) if ids else None, together([*ids, rater])
            if rows is None or again is None:
                continue
            item = self._of_codes(rows)
            people = [c for c in self.columns.values() if c is not rater and self._is_human_name(c)]
            people = [c for c in people if len(c.labels) > 1]
            if any(_is_alike_within(item, again, c) for c in people):
                return True
        return False

    def _of_raters(
        self,
        rater: Evidence,
        answer: Evidence,
        ids: list[Evidence],
        beside: Sequence[Evidence],
        *,
        wrote: bool,
    ) -> None:
        """Roles in a table with a row per verdict; where raters `wrote` texts, these are no outputs."""
        self.roles.layout = "long"
        self._set([rater.name], "rater", "who answered")
        self._set([answer.name], "answer", "what they said")
        ids = self._without_trials(ids)
        self._name_ids(ids)
        self.roles.item = tuple(c.name for c in ids)
        self._name_beside(rater, answer, beside)
        rows = together(ids) if wrote else None
        if rows is not None:
            output = self._of_codes(rows)
            texts = [c for c in self._named("text") if c not in ids and not c.asks]
            remarks = [c.name for c in texts if not _settled_where_filled(output, c)]
            self._set(remarks, "reason", "words of each who answered")

    def _names_who_saw(self, column: Evidence) -> bool:
        """Whether a column of people makes rows of one output differ: students, addresses, participants."""
        called = column.says(PEOPLE_ONLY, HUMAN, _WHO_SAW) and not (column.numeric or column.speaks)
        called &= not (column.unique or column.is_time or column.sentences)
        if not called or len(column.texts) < 3:
            return False
        if is_called_rater(column) and not any(map(self._is_called_like_rater, self.free)):
            return True
        outputs = [c for c in self._named("text") if not c.ends(REASON) and c.filled == self.n]
        ids = [c for c in (*self.free, *outputs) if not c.numeric and c is not column and outputs]
        ids = [c for c in ids if 4 < len(c.texts) <= self.n / 1.5]
        whole = [c for c in ids if all(settles(c, text) for text in outputs)]
        return any(each_once([c, column]) for c in whole)

    def _without_trials(self, ids: list[Evidence]) -> list[Evidence]:
        """Ids without a repetition in which the same outputs were judged again, which becomes a trial.

        So it is where what is said of outputs, and of no id alone, is the same in all repetitions.
        """
        trials = [c for c in ids if says_trial(c)]
        rest = [c for c in ids if c not in trials]
        rows = together(rest) if trials and rest else None
        if rows is None:
            return ids
        output = self._of_codes(rows)
        shown_ = [c for c in self._named("text") if c.answers]
        others = [c for c in self.columns.values() if c not in ids and len(c.texts) > 1]
        others = [c for c in others if c.numeric or c.verdict_like or c.says(HUMAN)]
        said = shown_ or [c for c in others if not any(settles(each, c) for each in rest)]
        again = together([*rest, *trials])
        assert again is not None
        same = [c for c in said if c in shown_ or _is_alike_within(output, again, c)]
        same = [c for c in same if _settled_where_filled(output, c)]
        outputs = ("response", "output", "answer", "completion", "generation")
        named = any(c.leaf[0] in outputs and c.words[-1:] == ["id"] for c in rest if c.leaf)
        if not named and (not same or (shown_ and len(same) < len(shown_))):
            return ids
        self._set([c.name for c in trials], "trial", "which repetition")
        return rest

    def _users_judge(self, rater: Evidence, ids: Sequence[Evidence]) -> bool:
        """Whether users gave the verdicts: rows of an item repeat, and no column says who else judged."""
        rows = together(ids)
        named = [c for c in self.columns.values() if c.constant and not _names_users(c)]
        others = rater.name not in self.stated.human and any(map(self._is_called_like_rater, named))
        return rows is not None and 2 * self.n >= 3 * (int(rows.max()) + 1) and not others

    def _ids_and_a_group(self, rater: Evidence) -> list[Evidence] | None:
        """Ids that each rater met once in each group of a column that nobody named, which is asked about."""
        groups = [c for c in self.free if c is not rater and 1 < len(c.texts) <= 12]
        groups = [c for c in groups if not (c.numeric or c.binary or c.speaks)]
        for group in [c for c in groups if not c.ends(SLICE, CRITERIA, WEAK, WEAK_HUMAN)]:
            ids = self._ids_of_raters(rater, [group])
            if ids is not None:
                self._ask(
                    f"Does {group.name!r} say whose output was judged?",
                    [group.name],
                    [answered("system", group.name), answered("trial", group.name)],
                )
                return ids
        return None

    def _ask_answer(self, rater: Evidence, ids: Sequence[Evidence]) -> None:
        """Add the question which column holds what raters said, where several may."""
        item = together(ids)
        assert item is not None
        rows = self._of_codes(item)
        picked = [
            c.name
            for c in self.free
            if c is not rater
            and c not in ids
            and (c.verdict_like or c.is_score)
            and not c.says(COVARIATE)
            and not _settled_where_filled(rows, c)
        ]
        if not picked or any(map(self._is_machine, map(self.columns.__getitem__, picked))):
            return
        self._ask(
            f"Which column holds what each of {rater.name!r} said?",
            [rater.name, *picked],
            [answered("answer", name) for name in picked[:6]],
        )

    def _kinds_of_raters(self) -> None:
        """Name the raters who are people where a column says of each row whether a person answered."""
        rater = next(iter(self._named("rater")), None)
        if rater is None:
            return
        if self.stated.people:
            self._people_as_said(rater)
            return
        for column in [c for c in (*self.free, *self._named("slice")) if 1 < len(c.texts) <= 6]:
            people = [k for k, text in enumerate(column.texts) if _KINDS[0] & set(pieces(text))]
            machines = [k for k, text in enumerate(column.texts) if _KINDS[1] & set(pieces(text))]
            if not people or not machines or len(people) + len(machines) < len(column.texts):
                continue
            by_person = np.isin(column.codes, people)
            who, others = set(rater.codes[by_person]), set(rater.codes[~by_person])
            if who & others:
                continue
            self.roles.people_named = frozenset(rater.texts[k] for k in who if k >= 0)
            self._set([column.name], "ignored", "whether a person or a machine answered")
            self._set([rater.name], "rater", "who answered: people's answers are the labels")
            return
        self._sparse_raters(rater)

    def _people_as_said(self, rater: Evidence) -> None:
        """Take those raters for people whom the caller names."""
        unknown = [name for name in self.stated.people if name not in rater.texts]
        if unknown:
            raise DataError(
                f"{option('human')} must name a column or people of {rater.name!r}; got {unknown[0]!r}; "
                f"they are {shown(rater.texts)}"
            )
        self.roles.people_named = frozenset(self.stated.people)

    def _sparse_raters(self, rater: Evidence) -> None:
        """Settle or leave open whether raters of few items beside models of all items are people."""
        if self.stated.raters or self.stated.human:
            return
        others, sparse = beside_models(dict(zip(rater.texts, rater.counts.tolist(), strict=True)))
        if not others:
            return
        if self._are_people(replace(rater, texts=tuple(others), codes=np.empty(0, np.int64))):
            self.roles.people_named = frozenset(others)
            return
        if not sparse:
            return
        quoted = ", ".join(map(repr, [*others][:6])) + (", ..." if [*others][6:] else "")
        self._ask(
            f"Are {quoted} of {rater.name!r} people, or more judges?",
            [rater.name],
            [answered("human", *others), answered("judges", *rater.texts)],
        )

    def _name_beside(self, rater: Evidence, answer: Evidence, beside: Sequence[Evidence]) -> None:
        """Name verdicts beside those of raters: true labels, a model's, or to be asked."""
        machines = [c for c in beside if self._is_machine(c)]
        for column in beside:
            if column.name in self.decided:
                continue
            if self._is_human_name(column):
                self._set([column.name], "human", "the name says a person")
            elif column in machines:
                self._set([column.name], "judge", "a model's answer beside what raters said")
            elif self._agreement_with(column, [answer]) > 0.3 or (
                len(column.labels) > 1 and set(column.labels) <= set(answer.labels)
            ):
                self._who_gave(column)
        if machines:
            self._who_rated(rater, machines)

    def _rows_of_raters(self, ids: list[Evidence]) -> list[Evidence]:
        """The id of rows, where hardly any output has a second rater: then each row is judged by itself."""
        rows = together(ids)
        ours = [c for c in self.free if c.unique and item_columns([c.name])]
        once = rows is not None and 10 * (int(rows.max()) + 1) >= 9 * self.n
        machines = any(self._is_machine(c) and c.verdict_like for c in self.free)
        return ours[:1] if ours and once and machines and not each_once(ids) else ids

    def _beside_raters(
        self, rater: Evidence, answer: Evidence, ids: Sequence[Evidence]
    ) -> list[Evidence]:
        """Verdicts that are the same on all rows of an item, in the words of the raters."""
        rows = together(ids)
        if rows is None:
            return []
        item = self._of_codes(rows)
        others = [c for c in self.columns.values() if c not in (rater, answer, *ids)]
        others = [c for c in others if self._role(c) in ("", "human", "judge") and c.verdict_like]
        return [c for c in others if share(c, answer) and _settled_where_filled(item, c)]

    def _single_raters(self, rater: Evidence, answer: Evidence) -> None:
        """Name who answered where each output has one rater, and a judge's verdict stands beside."""
        self._set([rater.name], "slice", "who answered: one rater an output")
        if answer.name not in self.decided and self._are_people(rater):
            self._set([answer.name], "human", f"given by people, named in {rater.name!r}")

    def _are_people(self, rater: Evidence) -> bool | None:
        """Whether raters are people, by the name of their column or their own; None if that is open."""
        if rater.name in self.stated.human or not PEOPLE_ONLY.isdisjoint(rater.words):
            return True
        if stems(pieces(" ".join(rater.texts[:50])), MODELS):
            return False
        return True if _like_people(rater.texts) else None

    def _who_rated(self, rater: Evidence, machines: Sequence[Evidence]) -> None:
        """Take raters for people beside a model's verdicts, or ask whether they are."""
        people = self._are_people(rater)
        if people:
            self.roles.people = True
            self._set([rater.name], "rater", "who answered: people, whose answers are the labels")
        elif people is None:
            names = [c.name for c in machines]
            truth = ",".join(names)
            self._ask(
                f"Are those named in {rater.name!r} people, whose answers are the truth for {truth!r}, or "
                "judges as well?",
                [rater.name],
                [answered("human", rater.name), answered("ignore", *names)],
            )

    def _long_as_said(self) -> None:
        rater, answer = self.stated.judge, self.stated.answer
        if rater is None:
            picked = next((c.name for c in self.free if self._may_name_raters(c)), None)
            rater = picked
        if answer is None and rater is not None:
            column = self._answer_column(self.columns[rater], ())
            answer = None if column is None else column.name
        for what, name in (("judge", rater), ("answer", answer)):
            if name is None or name not in self.columns:
                raise DataError(
                    f"{option(what)} must name a column; got {name!r}; the columns are "
                    f"{shown(list(self.columns))}"
                )
        self._set([str(rater)], "rater", "who answered")
        self._set([str(answer)], "answer", "what they said")
        own = (*self.stated.item, *self.stated.prompt)
        said = [self.columns[n] for n in (*own, *(self.stated.system if own else ()))]
        ids = said or self._ids_of_raters(self.columns[str(rater)]) or []
        if not self.stated.item:
            self._name_ids(ids)
        self.roles.item = tuple(c.name for c in ids)

    def _name_ids(self, ids: Sequence[Evidence]) -> None:
        systems = [c for c in ids if self._role(c) == "system" or c.ends(SYSTEM) or says_system(c)]
        for column in ids:
            if self._role(column) not in ("", "text"):
                continue
            if column in systems:
                self._set([column.name], "system", "whose output was judged")
            elif _says_question(column) and len(ids) > 1:
                why = "which question was answered: each answer counts as an output of its own"
                self._set([column.name], "slice", why)
            elif systems and (column.ends(PROMPT) or column.says({"task"})):
                self._set([column.name], "prompt", "several systems answer it")
            else:
                self._set([column.name], "item", "what was judged")

    def _is_called_like_rater(self, column: Evidence) -> bool:
        """Whether a name is that of a column of who judged: judge, grader name, rater_id."""
        words = column.leaf
        if words[-1:] == ["model"] and not JUDGE.isdisjoint(words):
            words = words[:-1]  # a coder's model wrote code
        if words[:1] in (["model"], ["llm"]) and (
            _like_raters(column.texts) or self._is_never_twice(column)
        ):
            words = words[1:]  # llm_judge, where it does not hold the verdicts
        while len(words) > 1 and words[-1] in ("id", "name", "email", "mail", "code", "initials"):
            words = words[:-1]
        named = len(words) == 1 and words[0] in _WHO_JUDGED
        named |= len(words) == 2 and words[1] == "by" and words[0] in _DONE_BY_RATERS
        return named or (column.low == "identifier" and "annotator_kind" in self.columns)

    def _may_name_raters(self, column: Evidence) -> bool:
        named = self._is_called_like_rater(column)
        if not named or column.unique or len(column.texts) < 2:
            return False
        return (
            not column.speaks
            and not column.binary
            and not (column.numeric and self._shares(column) and not self._is_never_twice(column))
            and not self._names_better(column)
        )

    def _is_never_twice(self, column: Evidence) -> bool:
        """Whether ids that repeat have no value twice, as numbers of raters and no verdicts."""
        ids = [c for c in self.free if not c.unique and (item_columns([c.name]) or c.ends(ID))]
        ids = [
            c for c in ids if c is not column and len(c.texts) >= 10 and 2 * len(c.texts) <= self.n
        ]
        systems = [[c] for c in self.columns.values() if self._may_be_system(c)]
        return any(
            each_once([c, column, *some]) and not each_once([c, *some])
            for c in ids
            for some in ([], *systems)
        )

    def _answer_column(self, rater: Evidence, ids: Sequence[Evidence]) -> Evidence | None:
        """Column of what raters said: one that differs between the rows of an item, where some do."""
        others = [c for c in self.free if c is not rater and (c.verdict_like or c.is_score)]
        others = [c for c in others if c.words[-1:] != ["id"] and not c.unique]
        others = [c for c in others if not settles(rater, c)]  # else it says who they are
        rows = together(ids) if ids else None
        if rows is not None and int(rows.max()) + 1 < self.n:
            item = self._of_codes(rows)
            differ = [c for c in others if not _settled_where_filled(item, c)]
            plain = [c for c in differ if not c.says(CONFIDENT)]
            others = plain or differ or others
            machines = [c for c in self.free if c is not rater and c.verdict_like]
            machines = [c for c in machines if self._is_machine(c)]
            same = [c for c in others if any(share(c, m) for m in machines if m not in others)]
            if len(same) == 1:
                return same[0]
        answers = {"vote", "value", "choice", "preference", "winner", "category"}
        named = [c for c in others if c.ends(WEAK, WEAK_HUMAN, answers)]
        named.sort(key=lambda c: (not c.verdict_like, c.ends({"confidence"})))
        if named:
            words = [c for c in others if c.speaks and c not in named]
            alike = named[0].numeric and len(words) == 1 and agreement(named[0], words[0])[0] > 0.5
            return words[0] if alike else named[0]  # PASS, and its score of 1
        verdicts = [c for c in others if c.verdict_like and not c.says(COVARIATE)]
        likely = [c for c in verdicts if c.ends(CRITERIA)]
        by_name = len(likely) == 1
        likely = (
            likely
            if len(likely) == 1
            else [c for c in verdicts if c.numeric or c.speaks or c in likely]
        )
        verdicts = likely or verdicts
        scores = [c for c in others if c.is_score and not c.says(COVARIATE)]
        scores = [c for c in scores if not by_name or c.ends(CRITERIA, GRADED)]
        return verdicts[0] if len(verdicts) == 1 and not scores else None

    def _ids_of_raters(
        self, rater: Evidence, groups: Sequence[Evidence] = ()
    ) -> list[Evidence] | None:
        """Columns that name what was judged, so that each rater met each once; `groups` may be among them."""
        usable = [c for c in self.free if c is not rater and not c.unique and not c.constant]
        ranked = item_columns([c.name for c in usable])
        ids = [self.columns[n] for n in ranked]
        usable = [c for c in usable if c not in ids]
        plain = [c for c in usable if not c.verdict_like]
        ids += [c for c in plain if c.ends(ID | PROMPT)]
        ids += [c for c in plain if c not in ids and not c.numeric]
        usable = [c for c in usable if c not in ids and not c.numeric]
        ids += [c for c in usable if len(c.labels) > 4 and not self._shares(c)]
        ids += [c for c in self._named("text") if c.asks and 1 < len(c.texts) < self.n]
        others, said = [c for c in self._grouping if c is not rater], self.stated
        systems = [c for c in others if c.ends(SYSTEM) or c.name in said.system or c in groups]
        trials = [c for c in others if says_trial(c) or c.name in said.trial]
        turns = [c for c in self.columns.values() if c.says(_PARTS_OF_TALK) or _says_question(c)]
        first = [c for group in (systems, trials, turns) for c in group[:1]]
        combos = [[*some] for k in range(4) for some in combinations(first, k)]
        pair = [c for c in self.columns.values() if c.of_pair]
        pair = [c for c in pair if not (c.verdict_like_numbers or self._names_sides(c))]
        names_winner = self._names_sides(rater) or any(share(rater, c) for c in pair)
        pair = [] if len(pair) != 2 or names_winner else pair
        if pair:  # each order in which two were shown
            combos += [pair]
        placed = bool(pair) and self._say_sides(pair)
        swaps = self._named("swap")
        for order in ([], swaps) if pair and swaps else ([],):
            for column in ids:
                for more in combos:
                    parts = [column, *(c for c in more if c is not column)]
                    if len(parts) != 1 + len(more) or not each_once([*parts, *order, rater]):
                        continue
                    if not placed or more is pair or self._same_on_each(pair, parts):
                        self.roles.repeats |= bool(order)  # each pair, in both orders
                        return parts
        return None

    def _say_sides(self, pair: Sequence[Evidence]) -> bool:
        """Whether verdicts on pairs say which of two is better by its place in the row, not by its name."""
        verdicts = [c for c in self.free if c.verdict_like and self._names_sides(c)]
        return any(not any(share(c, system) for system in pair) for c in verdicts if c not in pair)

    def _same_on_each(self, columns: Sequence[Evidence], parts: Sequence[Evidence]) -> bool:
        """Whether columns are the same on all rows of an item."""
        rows = together(parts)
        return rows is not None and all(settles(self._of_codes(rows), c) for c in columns)

    # --- identity

    def _identity(self) -> None:
        self._settle_rows()
        self._pairs_in_orders()

    def _settle_rows(self) -> None:
        said = self._named("item")
        if self.roles.layout == "long":
            if not self.roles.item:
                self.roles.item = tuple(c.name for c in said)
            self._prompts()
            return
        if said:
            self.roles.item = tuple(c.name for c in said)
            with_system = [*said, *self._named("system")]
            if self.roles.layout == "wide" and not each_once(said) and each_once(with_system):
                self._by_prompt_and(said)
            self._other_ids()
            self._prompts()
            return
        index = [self.columns[n] for n in self.index if n in self.columns]
        names = [c for c in self.free if c.name not in self.index or self.index_named]
        ranked = item_columns([c.name for c in names])
        ranked += [
            c.name
            for c in names
            if c.name not in ranked and (c.leaf[:1] == ["id"] or (c.low == "qid" and c.unique))
        ]
        ranked = [n for n in ranked if not self._is_criterion(n)]
        numbering = [n for n in ranked if self._numbers_trials(n, ranked)]
        self._set(numbering, "ignored", "an id of rows, which judge the same outputs again")
        ranked = [n for n in ranked if n not in numbering]
        unique = [n for n in ranked if self.columns[n].unique and not is_to_read(self.columns[n])]
        rows = [n for n in unique if self.columns[n].low in ("", "unnamed 0", "index")]
        best = [n for n in unique if n not in rows]
        best.sort(key=lambda n: (_says_who(self.columns[n]), _holds_links(self.columns[n])))
        if index and self.index_named and each_once(index):
            best = [c.name for c in index]
        if best:
            self._set(best[:1], "item", "one value a row")
            self.roles.item = tuple(best[:1])
        elif index and each_once(index):
            self._set([c.name for c in index], "item", "the index of the frame")
            self.roles.item = tuple(c.name for c in index)
        elif rows:
            self._set(rows[:1], "item", "a written index, one value a row")
            self.roles.item = (rows[0],)
        else:
            self._repeated_ids(ranked)
        self._by_row_numbers()
        if not self.index_named:
            rest = [n for n in self.index if n in self.columns and n not in self.roles.item]
            self._set(rest, "ignored", "the frame's index; a column of ids beats it")
        self._other_ids()
        self._prompts()

    def _by_row_numbers(self) -> None:
        """Take numbers that somebody gave the rows for their ids, where no other column is one."""
        if self.roles.item or self.open_names:
            return
        numbers = [n for n, d in self.decided.items() if d.why == _ROW_NUMBERS]
        numbers = [n for n in numbers if self.columns[n].low not in ("", "index", "unnamed 0")]
        self._set(numbers[:1], "item", "row numbers, and no other column is an id")
        self.roles.item = tuple(numbers[:1])

    def _numbers_trials(self, name: str, ranked: Sequence[str]) -> bool:
        """Whether a unique id that says not of what numbers rows that show outputs of other ids again."""
        column = self.columns[name]
        leaves = {"uuid", "guid", "uid", "id", "key", "hash", "row"}
        outputs = [c for c in self._named("text") if c.answers]
        if not (column.unique and outputs and set(column.leaf) <= leaves):
            return False
        usable = [c for c in self.columns.values() if c.filled == self.n and c is not column]
        trials = [c for c in usable if c.ends(TRIAL) and 1 < len(c.texts) <= self.n // 2]
        again = [c for c in usable if c.name in ranked and not (c.unique or c.verdict_like)]
        return any(
            each_once([c, trial]) and all(settles(c, text) for text in outputs)
            for trial in trials
            for c in again
        )

    def _is_criterion(self, name: str) -> bool:
        column = self.columns[name]
        return column.verdict_like and self._shares(column)

    def _other_ids(self) -> None:
        """Name further ids that differ on every row as ignored."""
        for column in self.free:
            if (
                column.unique
                and not is_to_read(column)
                and (item_columns([column.name]) or column.ends(ID) or column.counts_rows)
                and not (column.is_score and not (column.counts_rows and column.ends(ID, "#")))
                and not (self._is_model(column) or self._is_judge_word(column))
            ):
                if column.name in self.roles.item:
                    continue
                first = not self.roles.item and self.roles.layout == "wide" and not self.stated.item
                if first and not self.open_names:
                    self.roles.item = (column.name,)
                why = "one value a row" if first else "a second id: one value a row"
                self._set([column.name], "item" if first else "ignored", why)

    def _repeated_ids(self, ranked: Sequence[str]) -> None:
        """No column differs on every row: find what makes its rows differ, or ask."""
        if self.stated.prompt:
            self._by_prompt_and([self.columns[n] for n in self.stated.prompt])
            return
        unnamed = self._unnamed_ids()
        repeated = [
            self.columns[n]
            for n in ranked
            if not self.columns[n].constant
            and self.columns[n].filled == self.n
            and not (
                self.columns[n].verdict_like
                and (self.columns[n].words[-1:] != ["id"] or self._shares(self.columns[n]))
            )
            and not self._is_model(self.columns[n])
            and not self.columns[n].ends(SYSTEM, TRIAL, SLICE)
        ]
        if unnamed is not None and not repeated:
            self._set([unnamed.name], "item", "one value a row, and no other column is an id")
            self.roles.item = (unnamed.name,)
            return
        repeated = [c for c in repeated if len(c.texts) >= max(5, self.n // 40)]
        if not repeated:
            if (crossed := self._ids_by_partners()) is not None:
                self._by_prompt_and([crossed])
            return
        turn = next(iter(self._turns()), None)
        talk = next((c for c in repeated if turn is not None and each_once([c, turn])), None)
        if turn is not None and talk is not None:
            self._settle_turns(talk, [], turn)
            return
        if unnamed is not None:
            named = [c for c in repeated if not _says_who(c) and _may_name_prompts(c)]
            self._by_prompt_and(named[:1])
            if not self.roles.item:
                self._set([unnamed.name], "item", "one value a row")
                self.roles.item = (unnamed.name,)
        elif not self._by_two_ids(repeated):
            self._by_prompt_and(repeated[:1], ask=True)

    def _by_two_ids(self, repeated: Sequence[Evidence]) -> bool:
        """Name two ids, or an id and what was asked, that together differ on every row."""
        systems = [c for c in self.free if self._may_be_system(c) and c.filled == self.n]
        for first in repeated:
            for second in (*repeated, *(c for c in self._named("text") if c.asks)):
                if second is first or len(second.texts) <= 4:
                    continue
                if (
                    systems
                    and not each_once([first, second])
                    and each_once([first, second, *systems])
                ):
                    self._set([c.name for c in systems], "system", "whose output was judged")
                    self._set([first.name], "prompt", "several outputs share it")
                    self._set([second.name], "item", f"with {first.name!r} and the system, a row")
                    self.roles.item = tuple(c.name for c in (first, second, *systems))
                    return True
                if each_once([first, second]):
                    both = [first, second] if second in repeated else [second, first]
                    about = min(both, key=lambda c: (c.unique, not c.asks, len(c.texts)))
                    self._set([c.name for c in both], "item", "together one value a row")
                    self._set([about.name], "prompt", "several outputs share it")
                    self.roles.item = tuple(c.name for c in both)
                    return True
        return False

    def _ids_by_partners(self) -> Evidence | None:
        """Column under any name of which each value is met once by each system, in each trial or order."""
        partners = [c for c in self._grouping if len(c.texts) <= 12]
        parts_ = ("swap", "trial", "system")
        partners = [c for c in partners if c.ends(SYSTEM, TRIAL) or self._role(c) in parts_]
        for column in self._may_be_ids():
            for parts in (*([c] for c in partners), partners):
                if parts and column not in parts and self._crosses([column], parts):
                    return column
        return None

    def _may_be_ids(self) -> list[Evidence]:
        """Columns under names that say nothing, whose values may be what several rows are about."""
        open_whys = ("words to show", "a group", NO_GRADE, APART, "")
        return [
            c
            for c in self.columns.values()
            if self._why(c).partition(":")[0] in open_whys
            and c.name not in self.open_names
            and c.filled == self.n
            and 5 <= len(c.texts) <= self.n / 1.5
            and not (c.numeric and (c.is_decimal or c.verdict_like))
            and not (c.verdict_like and self._shares(c))
            and not is_to_read(c)
            and not c.ends(SYSTEM, TRIAL, SLICE, COVARIATE)
            and not (self._is_model(c) or self._is_judge_word(c) or c.says(HUMAN))
        ]

    def _crosses(self, ids: Sequence[Evidence], parts: Sequence[Evidence]) -> bool:
        """Whether rows alike on some columns differ on others, as by chance in less than 1 of 100 tables."""
        rows, others = together(ids), together(parts)
        if rows is None or others is None:
            return False
        item = self._of_codes(rows)
        part = self._of_codes(others)
        return differs_within(item, part, most=36)

    def _by_prompt_and(self, ids: list[Evidence], *, ask: bool = False) -> None:
        if not ids:
            return
        every = self._grouping
        free = [c for c in self.free if c in every]
        systems = [c for c in free if c.ends(SYSTEM) or says_system(c)]
        systems = [c for c in systems if not (c.verdict_like_numbers or c.is_decimal)]
        systems = self._named("system") or [c for c in systems if not self._says_labels(c)]
        if any(self._may_have_judged(c) for c in systems):
            return
        trials = [c for c in free if says_trial(c) and 2 * len(c.texts) <= self.n]
        trials = self._named("trial") or trials
        swaps = self._named("swap")
        ends = self._named("slice")
        turns = self._turns()[:1]
        id_ = ids[0]
        for parts, kind in (
            (systems, "system"),
            (trials[:1], "trial"),
            ([*systems, *trials[:1]], "both"),
            (turns, "turn"),
            ([*systems, *turns], "turn"),
            (swaps, "swap"),
            ([*systems, *swaps] if self.roles.layout == "pairwise" and swaps else [], "pairs"),
            ([*trials[:1], *swaps] if trials and swaps else [], "samples"),
        ):
            if not parts or not each_once([*ids, *parts]) or (kind == "turn" and not turns):
                continue
            if kind == "turn":
                self._settle_turns(id_, systems if len(parts) > 1 else [], turns[0])
            else:
                own = systems if kind in ("system", "both", "pairs") else []
                again = trials[:1] if kind in ("trial", "both", "samples") else []
                self._settle_ids(id_, own, again, kind)
            return
        if self.stated.repeats:
            self._set([id_.name], "item", "its rows judge the same output again")
            self.roles.item, self.roles.repeats = (id_.name,), True
            return
        self._repeats_alone(id_, ends, ask=ask)

    def _repeats_alone(self, id_: Evidence, groups: Sequence[Evidence], *, ask: bool) -> None:
        """Name an id whose rows no system, trial or order tells apart a prompt, or ask why it repeats."""
        outputs = [c for c in self._named("text") if c.answers or _of_a_side(c)]
        if not ask or any(c.unique for c in outputs):
            if _says_who(id_) and not id_.ends(_TALKS):
                return
            self._set([id_.name], "prompt", "several outputs share it")
            return
        if self._is_long_of_names(id_) or any(
            each_once([id_, c])
            for c in (*self.free, *groups)
            if c is not id_ and not c.numeric and len(c.texts) <= 12 and not c.binary
        ):
            return  # another question asks what that column is
        others = [c for c in self.columns.values() if c is not id_]
        appended = len(others) > 2 and all(c.filled <= len(id_.texts) for c in others)
        more = " Are rows with labels alone below the table? Keep them in a file of their own, "
        self._ask_why(id_, f"{more}and name it with {option('human')}." if appended else "")

    def _ask_why(self, id_: Evidence, more: str) -> None:
        """Add the question why an id repeats."""
        self._ask(
            f"Why does {id_.name!r} repeat ({len(id_.texts)} values in {self.n} rows)?{more}",
            [id_.name],
            [
                f"{option('trial', 'rows')} (each row judges the same output again)",
                f"{option('prompt', id_.name)} (each row is another output)",
            ],
        )

    def _is_long_of_names(self, id_: Evidence) -> bool:
        return any(
            each_once([id_, c]) for c in self.free if c is not id_ and self._may_name_raters(c)
        )

    def _turns(self) -> list[Evidence]:
        return [c for c in self.columns.values() if c.ends(_PART_OF_TALK) and c.filled == self.n]

    def _settle_turns(self, id_: Evidence, systems: Sequence[Evidence], turn: Evidence) -> None:
        """Name an id of which each turn is judged: a turn of a conversation is an output."""
        self._set([c.name for c in systems], "system", "whose output was judged")
        self._set([id_.name], "prompt", "several outputs share it")
        self._set([turn.name], "item", f"with {id_.name!r}, which turn was judged")
        self.roles.item = tuple(c.name for c in (id_, *systems, turn))

    def _settle_ids(
        self, id_: Evidence, systems: list[Evidence], trials: list[Evidence], kind: str
    ) -> None:
        """Name an id that repeats once for each system, trial or order."""
        outputs = [c for c in self._named("text") if c.answers]
        self._set([c.name for c in systems], "system", "whose output was judged")
        self._set([c.name for c in trials], "trial", "which repetition")
        texts = [c for c in self._named("text", "prompt") if c.asks and len(c.texts) > 1]
        texts = [c for c in texts if settles(id_, c)]
        if self.roles.layout == "pairwise":  # both systems stand in each row
            outputs = [c for c in self._named("text") if not c.asks]
        again = kind in ("trial", "both") and self._judged_again(id_, systems, outputs)
        if kind == "trial" and again:
            self._set([id_.name], "item", "its rows judge the same output again")
            self.roles.item, self.roles.repeats = (id_.name,), True
            return
        if kind == "swap":
            self._set([id_.name], "item", "a pair, judged in both orders")
            self.roles.item, self.roles.repeats, self.roles.pairs = (id_.name,), True, True
            return
        parts = [id_, *systems, *([] if again else trials)]
        self.roles.item = tuple(c.name for c in parts)
        self.roles.repeats |= again
        if kind in ("samples", "pairs"):
            self.roles.repeats = self.roles.pairs = True  # each pair of answers, in both orders
        if self.roles.layout == "pairwise" and not trials:
            self._set([id_.name], "prompt", "several pairs share it")
        elif texts and not id_.ends(PROMPT):
            self._set([id_.name], "item", "with the system and the trial, what was judged")
            self._set(
                [texts[0].name],
                "prompt",
                "the same text on several rows",
            )
        else:
            self._set([id_.name], "prompt", "several outputs share it")

    def _pairs_in_orders(self) -> None:
        """Take rows of a pair that differ in the order shown for one item, where no other id names it."""
        prompts, swaps = self._named("prompt"), self._named("swap")
        if self.roles.layout != "pairwise" or self.roles.item or not (len(prompts) == 1 and swaps):
            return
        pair = [*prompts, *self._named("system")]
        if not each_once(pair) and each_once([*pair, *swaps]):
            self.roles.item = tuple(
                c.name for c in (prompts if each_once([*prompts, *swaps]) else pair)
            )
            self.roles.repeats = self.roles.pairs = True

    def _judged_again(
        self, id_: Evidence, systems: Sequence[Evidence], outputs: Sequence[Evidence]
    ) -> bool:
        """Whether repetitions of an id, or of its systems, show the same output: by all texts there are.

        Of systems texts must be seen, and differ between them.
        """
        if id_.name in self.stated.prompt or (systems and all(settles(id_, c) for c in outputs)):
            return False
        rows = together([id_, *systems])
        return rows is not None and all(settles(self._of_codes(rows), c) for c in outputs)

    def _unnamed_ids(self) -> Evidence | None:
        """Column of ids under a name that does not say so: words, one a row, or numbers that count up."""
        for column in self.free:
            if not column.unique or is_to_read(column) or column.says(COVARIATE):
                continue
            if column.numeric and (self._is_model(column) or self._is_judge_word(column)):
                continue  # scores that happen to count up
            some = column.texts[:50]
            if not column.numeric and all(" " not in t for t in some) and self.n > 4:
                return column
            if column.numbers_rows:
                return column
        return None

    def _prompts(self) -> None:
        """Name what several outputs share: an id of prompts or sessions, or the text of a prompt.

        An id of people, talks or tickets is a prompt's only where nothing else is, and no system.
        """
        if self.stated.prompt or self._named("prompt"):
            return
        ids = [
            c
            for c in self.free
            if (
                c.ends(PROMPT)
                or _asks_in_few_words(c)
                or (c.ends(ID) and c.says(PROMPT | {"topic"}))
            )
            and not (
                c.verdict_like
                and (
                    self._shares(c)
                    or not (c.ends(ID) or _asks_in_few_words(c))
                    or len(c.labels) < 5
                )
            )
            and 1 < len(c.texts) < self.n
            and not (c.numeric and (c.is_decimal or c.parents & COVARIATE))
        ]
        ids = [c for c in ids if item_columns([c.name]) or c.ends(PROMPT, ID) or c.asks]
        if not ids:
            ids += [
                c for c in self.free if c.words[-1:] == ["id"] and self._has_each_system_once(c)
            ]
        inputs = [c for c in self._named("text") if c.asks and not c.says(REASON)]
        inputs = [c for c in inputs if not c.says({"context", "contexts"}) and c.filled == self.n]
        texts = [c for c in inputs if 1 < len(c.texts) < c.filled]
        if self.roles.layout == "long":
            texts = []
            ids = [c for c in ids if c.name not in self.roles.item]
        who = [
            c
            for c in self.free
            if _says_who(c)
            and not (c.ends(TRIAL, SYSTEM) or names_setups(c))
            and 1 < len(c.texts) < self.n
            and not (c.is_decimal or c.speaks or c.binary or is_to_read(c))
            and not (c.verdict_like and (self._shares(c) or self._is_judge_word(c)))
            and not (0 < len(c.labels) < 4 and good_label(c.labels) is not None)
        ]
        ids = [c for c in ids if c not in who]
        of_texts = [c for c in self.free if inputs and self._numbers_inputs(c, inputs)]
        systems = [c for c in self.columns.values() if self._may_be_system(c)]
        talks = [] if systems or texts else [c for c in who if c.ends(_TALKS)]
        named = [c for c in ids if all(settles(c, text) for text in inputs)]
        if picked := named or of_texts or texts or ids or talks:
            others = [c.name for c in ids if c is not picked[0]]
            self._set([picked[0].name], "prompt", "several outputs share it")
            self._set(others, "slice", "another group of outputs")
        else:
            self._ids_that_repeat(inputs)
        for column in who:
            if column.name not in self.decided:
                self._set([column.name], "slice", _hang_together(column))

    def _numbers_inputs(self, column: Evidence, inputs: Sequence[Evidence]) -> bool:
        """Whether ids that repeat say what was asked: each has one text of each column of inputs."""
        called = item_columns([column.name]) or column.ends(ID) or _holds_codes(column)
        return (
            bool(called)
            and 40 * len(column.texts) >= self.n
            and not (column.unique or column.constant or column.verdict_like_numbers)
            and not (_says_who(column) or column.ends(SYSTEM) or self._is_model(column))
            and column.filled == self.n
            and all(settles(column, text) for text in inputs)
        )

    def _ids_that_repeat(self, inputs: Sequence[Evidence]) -> None:
        """Name an id of what several outputs share, and leave those of people, talks and tickets groups."""
        for column in self.free:
            if (
                (item_columns([column.name]) or column.words[-1:] == ["id"])
                and not column.unique
                and not self._is_model(column)
                and not (column.says(HUMAN) or is_called_rater(column))
                and not column.ends(SYSTEM, SLICE)
                and (not column.verdict_like or column.words[-1:] == ["id"])
            ):
                many = 40 * len(column.texts) >= self.n and not self._named("prompt")
                many &= not _says_who(column) and all(settles(column, text) for text in inputs)
                many &= _may_name_prompts(column) or not self.roles.item
                role = "prompt" if many and column.filled == self.n else "slice"
                why = "ids that repeat" if role == "prompt" else _hang_together(column)
                self._set([column.name], role, why)


_USERS = words_in(
    "user users customer customers client clients guest guests visitor visitors caller callers reader "
    "readers audience cliente clientes kunde kunden klient usuario usuarios utilisateur gast gaste"
)
"""Those for whom an output was made, and who do not review it."""
_OF_USERS = words_in(
    "label annotation feedback fb vote satisfied satisfaction stars star csat nps reaction thumbs estrelas "
    "estrellas sterne etoiles stelle"
)
"""What they gave."""
_OF_CUSTOMERS = frozenset({"csat", "nps"})
"""Called so, nobody else gave it."""


def _says_a_user(column: Evidence) -> bool:
    """Whether a column holds what users said, by its name or its thumbs."""
    thumbs = {*column.labels} <= {"\U0001f44d", "\U0001f44e"}
    users = column.says(_USERS, _OF_CUSTOMERS, {"thumbs", "feedback", "fb", "satisfaction"})
    return not column.sentences and (users or thumbs)


def _has_digit(word: str) -> bool:
    return " " not in word and any(map(str.isdigit, word))


def _are_called_alike(alike: Sequence[Evidence]) -> bool:
    """Whether names differ in a number or a letter, as r1 and r2, or begin or end with one word."""
    stem = r"\d+|(?<![^\W\d_])[^\W\d_](?![^\W\d_])"
    ends = [{c.leaf[k] for c in alike if len(c.leaf) > 1} for k in (0, -1)]
    share_word = all(len(c.leaf) > 1 for c in alike) and any(
        len(some) == 1 and some.isdisjoint(WEAK | WEAK_HUMAN | {*"0123456789"}) for some in ends
    )
    return share_word or len({re.sub(stem, "", c.low) for c in alike}) == 1


def _decision_beside(alike: Sequence[Evidence]) -> Evidence | None:
    """The one of two that is called a decision or is there in part, beside a machine's output."""
    most = max(c.answered for c in alike)
    odd = [c for c in alike if c.ends(WEAK, WEAK_HUMAN) or 10 * c.answered < 9 * most]
    others = [c for c in alike if c not in odd and c.says(MACHINE, PREDICTED, SYSTEM)]
    return odd[0] if len(alike) == 2 and len(odd) == len(others) == 1 else None


_PLAIN_SYSTEMS = frozenset({"system", "model", "variant", "version", "arm"})
_PERHAPS_OF_PEOPLE = words_in(
    "agreed qa ref reference user avg average mean final true truth panel mos opinion target consensus gold "
    "actual correct manual expected adjudicated"
)
"""Called so, numbers that name no machine may be people's."""
_DONE_BY_RATERS = words_in(
    "annotated labeled labelled rated completed judged graded scored evaluated assessed coded marked"
)
_OF_INSPECT = frozenset("cipn")
"""Correct, incorrect, partly so, no answer, as scorers of Inspect write them."""
_AT_A_DESK = frozenset({"agent", "assistant", "representative"})


def beside_models(rows: Mapping[str, int]) -> tuple[dict[str, int], bool]:
    """Raters beside models whose names say neither judge nor person, and whether each has few rows."""
    models = [name for name in rows if stems(pieces(name), MODELS)]
    others = {
        name: n
        for name, n in rows.items()
        if name not in models
        and {w.rstrip("0123456789") for w in pieces(name)}.isdisjoint(JUDGE | HUMAN)
    }
    if not (models and others) or len(models) + len(others) < len(rows):
        return {}, False
    most = max(rows[name] for name in models)
    return others, all(n < 0.6 * most for n in others.values())


def _holds_people(column: Evidence) -> bool:
    """Whether cells are words like names of people, a known first name among them."""
    words = [text.split() for text in column.texts[:50]]
    alike = all(re.fullmatch(r"[A-Z][^\W\d_]+\.?|[A-Z]\.", w) for some in words for w in some)
    first = {w.lower() for some in words for w in some} & FIRST_NAMES
    return alike and bool(first) and not stems(pieces(" ".join(column.texts[:50])), MODELS)


def _holds_links(column: Evidence) -> bool:
    """Whether cells are addresses of pages."""
    return all(text.startswith(("http:", "https:", "www.")) for text in column.texts[:20])


def _counts(column: Evidence) -> bool:
    """Whether a name says how many: n_annotators, reviewer count."""
    return bool({"n", "num", "count", "number", "total"} & {*column.leaf[:1], *column.leaf[-1:]})


def _asks_in_few_words(column: Evidence) -> bool:
    """Whether a column called like what was asked holds a few short questions, in two words or more."""
    spaced = sum(" " in text.strip() or not text.isascii() for text in column.texts[:AT_FIRST])
    return column.asks and 2 * spaced > len(column.texts[:AT_FIRST]) and not column.speaks


def _says_question(column: Evidence) -> bool:
    """Whether a column says which of a few questions was answered."""
    return column.says(_CRITERION) or (column.low == "question" and len(column.texts) <= 12)


def _settled_where_filled(item: Evidence, column: Evidence) -> bool:
    """Whether the filled cells of each item are alike."""
    filled = column.codes >= 0
    pairs = np.unique(item.codes[filled] * (len(column.texts) + 1) + column.codes[filled])
    return len(pairs) == len(np.unique(item.codes[filled]))


def _is_alike_within(output: Evidence, again: Positions, column: Evidence) -> bool:
    """Whether repetitions of outputs hold the same cells, as new outputs hardly would.

    Of 20 repetitions or more, and by chance in less than 1 of 1,000 tables.
    """
    filled = column.codes >= 0
    more = len(np.unique(again[filled])) - len(np.unique(output.codes[filled]))
    alike = float(((column.counts / max(1, column.filled)) ** 2).sum())
    return _settled_where_filled(output, column) and more >= 20 and alike**more < 1e-3


_WHO_JUDGED = words_in(
    "judge worker workerid rater annotator grader evaluator labeler labeller coder reviewer voter user "
    "scorer turker marker reader assessor critic juror"
)
"""What a column of who judged is called in a table of a row for each verdict."""
_WHO_SAW = words_in("student participant respondent prolific pid email turker listener panelist")
"""What a column of people who saw an output is called, too."""
_OF_IDS = words_in("id ids uuid guid uid no nr num number key hash sha ref")
"""What stands behind the word that says what is numbered: pr_number."""
_OF_ITEMS = words_in(
    "item example sample case doc document row record instance input datapoint entry output test trace seg "
    "image img post article passage comment message turn utterance sentence"
)
"""What may be judged, of which the name of a repeated id may speak."""


def _may_name_prompts(column: Evidence) -> bool:
    """Whether a repeated id may be that of what was asked: it says so, or says no more than id."""
    return column.says(PROMPT, _OF_ITEMS) or len(column.leaf) == 1


def _says_who(column: Evidence) -> bool:
    """Whether a column is called like the id of a person, a talk, a ticket or a change, and of no prompt."""
    words = [w for w in column.leaf if not w.isdigit()]
    while len(words) > 1 and words[-1] in _OF_IDS:
        words.pop()
    if words[:1] == ["id"]:  # id_cliente
        words = words[1:]
    if words and words[-1] in WHO:
        return True
    return column.ends(ID) and column.says(WHO) and not column.says(PROMPT - WHO)


def _hang_together(column: Evidence) -> str:
    """Why a repeated id of people or talks is a group."""
    return f"{NO_PROMPT}: {option('cluster', column.name)} if its outputs are alike"


def _names_users(column: Evidence) -> bool:
    """Whether a column is called like the ids of users, who rarely judge."""
    words = {w for w in column.leaf if w not in _OF_IDS | {"name"}}
    return bool(words) and words <= {"user", "users", "userid"}


def is_called_rater(column: Evidence) -> bool:
    """Whether a column is called like who labelled a row, and nothing else: annotator id, reviewed by."""
    words = [w for w in column.leaf if w not in _OF_IDS | {"public", "private", "anonymous"}]
    people = (REVIEWER | PEOPLE_ONLY | RATERS) - {"user", "users", "human", "by"}
    by = len(words) == 2 and words[1] == "by" and not DONE.isdisjoint(words)
    return by or (len(words) == 1 and words[0] in people)


def _of_a_side(column: Evidence) -> bool:
    """Whether a column is called like what a side of a pair put out: response_a, right_answer."""
    sides = {side for pair in SIDES for side in pair}
    rest = [word for word in column.leaf if word not in sides]
    return 0 < len(rest) < len(column.leaf) and rest[-1] in SAID


OF_RATERS_WHO_ARE_PEOPLE = HUMAN | PEOPLE_ONLY | {"author"}
_SURELY_SYSTEM = words_in(
    "system model variant agent assistant bot sistema systeme modelo modele modell modello variante agente "
    "assistent assistente asistente"
)
_AGREED = words_in("consensus konsens consenso agreed konsensus accord acordo unanime")
_AGREEMENT = words_in("agree agrees agreement disagree disagrees disagreed concur concurs")
_CHECKED = re.compile(
    r"(?:passes|pass|valid) .+"
    r"|(?:json|xml|sql|yaml|html|format|code|output) (?:is )?(?:valid|ok|pass|passed|parses)"
    r"|(?:state|rule|format|length|unit|sanity|db|url|link|syntax|type|string) "
    r"(?:check|checks|test|tests|match)(?: ok| pass| passed| result)?"
)
_GROUPS_OF_VERDICTS = words_in(
    "eval evaluation score grade result metric annotation feedback output sample item meta metadata "
    "response suggestion label verdict vote"
)


class People(Ids):
    """Decisions about people, judges, criteria and systems."""

    # --- a form's answers: a row for each person, a column for each question

    def _questions_side_by_side(self) -> None:
        """Add the question what columns are whose names are questions: of a form that people filled in."""
        if self.stated.judges is not None or self.roles.layout != "wide":
            return
        columns = [c for c in self._verdicts() if is_question(c.name)]
        groups = [g for g in groups_that_share(columns) if len(g) > 2]
        called = [c for c in columns if self._is_machine(c) or c.says(HUMAN)]
        if not groups or called or self._named("human", "judge"):
            return
        names = [c.name for c in max(groups, key=len)]
        self._ask(
            f"Is each row what one person answered to {len(names)} questions, {names[0]!r}, ...? Then write "
            "a row for each answer, with the question as its item; or answer",
            names,
            [answered("judges", *names), answered("slice", *names)],
        )

    # --- systems side by side: v3_judge v4_judge v3_human v4_human

    def _side_by_side(self) -> None:
        if self.stated.judges is not None:
            return
        votes = self._verdicts()
        if self.stated.systems:
            self._side_by_side_as_said(votes)
            return
        if self._named("system") or any(map(self._may_be_system, self.free)):
            return  # rows of systems: judge_ax, judge_bx are two judges
        halves = {c.name: pair for c in votes if (pair := _halves(c.name)) is not None}
        for entry, other in ((0, 1), (1, 0)):
            grid = _of_two_or_more({n: (p[entry], p[other]) for n, p in halves.items()})
            who = {e for _, e in grid.values()}
            systems = {s for s, _ in grid.values()}
            ends = {e: {s for s, x in grid.values() if x == e} for e in who}
            full = all(picked == systems for picked in ends.values()) and self._say_alike(grid)
            if not full or len(systems) < 2 or len(grid) < len(systems) * len(who):
                continue
            people = {e for e in who if not HUMAN.isdisjoint(_english(e))}
            outside = [c for c in votes if c.name not in grid]
            if who == people and any(map(self._is_machine, outside)):
                continue  # judges who speak of no system: human_ann, human_bo are two people
            models = {e for e in {*who, *systems} if stems(pieces(e), MODELS)}
            judges = {e for e in who if not JUDGE.isdisjoint(_english(e))}
            odd = any(
                {w.rstrip("0123456789") for w in pieces(s)} & (JUDGE | HUMAN | PEOPLE | TRIAL)
                or (entry == 1 and (len(s) == 1 or s.isdigit()))
                or s.lower() in KINDS_OF_VERDICT
                for s in systems
            )
            if who <= judges | models | people and not odd and (people or not models & systems):
                self._grid_or_judges(grid, sorted(systems), by_people=bool(people))
                return
        self._arms()

    # --- verdicts on the arms of a test that no judge's name stands in: baseline_correct, pass_v2

    def _arms(self) -> None:
        """Take columns such as baseline_correct, candidate_correct for verdicts on systems, or ask.

        The arms of a test are named after no judge. Where the names may be of versions of a judge, and no
        texts of each system stand beside them, it is asked.
        """
        grid = self._grid_of_arms()
        if not grid:
            return
        systems = list(dict.fromkeys(system for system, _ in grid.values()))
        outside = [c for c in self.free if c.name not in grid]
        beside = any(c.verdict_like and self._is_human_name(c) for c in outside)
        people = any(n in self.stated.human or _says_person(kind) for n, (_, kind) in grid.items())
        shown_ = people or all(map(self._has_outputs_of, systems))
        certain = all(pieces(s)[0] in _ARMS_OF_A_TEST for s in systems)
        if shown_ or (certain and not beside):
            self.roles.grid, self.roles.grid_by_verdicts = grid, True
            self._take_grid()
            return
        quoted = ", ".join(map(repr, grid))
        self._ask(
            f"Are {quoted} verdicts on systems side by side, or judges of the same answers?",
            [*grid],
            [
                answered("systems", *systems),
                f"{answered('human', *grid)} (systems, judged by people)",
                answered("judges", *grid),
            ],
        )

    def _grid_of_arms(self) -> dict[str, tuple[str, str]]:
        """Columns whose names are an arm of a test, or a version, and a kind of verdict."""
        votes = [*self._verdicts(), *self._scores_and_people()]
        halves = {c.name: pair for c in votes if (pair := _halves(c.name)) is not None}
        for arm, kind in ((0, 1), (1, 0)):
            grid = {n: (_name_of_arm(p[arm]), p[kind]) for n, p in halves.items()}
            grid = {n: pair for n, pair in grid.items() if self._is_arm(pair[0])}
            kinds = {said for _, said in grid.values()}
            if len(kinds) > 1 or not all(map(_is_criterion, kinds)):
                grid = {n: pair for n, pair in grid.items() if _is_kind_of_verdict(pair[1])}
            systems, kinds = ({pair[k] for pair in grid.values()} for k in (0, 1))
            if len(systems) > 1 and len(grid) == len(systems) * len(kinds):
                return grid if self._alike_by_kind(grid) else {}
        return {}

    def _is_arm(self, name: str) -> bool:
        """Whether half of a column's name is an arm of a test or a version; not a model, who may judge."""
        if stems(pieces(name), MODELS):
            return False
        letter = len(name) == 1 and name.isalpha() and self._has_outputs_of(name)
        return letter or all_setups([name, name])

    def _has_outputs_of(self, system: str) -> bool:
        """Whether a column of texts is what a system put out: response_v3, v3_response."""
        low = system.lower()
        for column in self.columns.values():
            halves = [*map(str.lower, _halves(column.name) or ())]
            rest = [word for word in column.words if word != low and low not in halves]
            rest += [half for half in halves if low in halves and half != low]
            said = column.answers or (bool(rest) and rest[-1] in SAID and not column.asks)
            if (low in column.words or low in halves) and column.sentences and said:
                return True
        return False

    def _alike_by_kind(self, grid: Mapping[str, tuple[str, str]]) -> bool:
        """Whether verdicts of one kind have labels in common, or are numbers on one scale."""
        by: defaultdict[str, list[Evidence]] = defaultdict(list)
        for name, (_, kind) in grid.items():
            by[kind].append(self.columns[name])
        return all(share(a, b) or _overlap(a, b) for own in by.values() for a, b in pairwise(own))

    def _say_alike(self, grid: Mapping[str, tuple[str, str]]) -> bool:
        """Whether what somebody said of each system has labels in common."""
        by: defaultdict[str, list[Evidence]] = defaultdict(list)
        for name, (_, who) in grid.items():
            by[who].append(self.columns[name])
        return all(share(a, b) for own in by.values() for a, b in pairwise(own))

    def _side_by_side_as_said(self, votes: Sequence[Evidence]) -> None:
        """Take the columns that are named, or whose names begin or end so, for verdicts on each system."""
        for name in self.stated.systems:
            for column in (*votes, *self._scores_and_people()):
                halves = _halves(column.name) or ()
                if column.name == name or name in halves:
                    system = name.rsplit("_", 1)[0] if column.name == name else name
                    who = [half for half in halves if half != name and column.name != name]
                    self.roles.grid[column.name] = (system, who[0] if who else "judge")
        if not self.roles.grid:
            raise DataError(
                f"{option('systems')} must name columns of systems side by side, or what their names "
                f"begin with; got {shown(self.stated.systems)}; the columns are "
                f"{shown(list(self.columns))}"
            )
        self._take_grid()

    def _scores_and_people(self) -> list[Evidence]:
        """Columns of many numbers, and those that are said to be people's."""
        people = [self.columns[n] for n in self.stated.human if n in self.columns]
        return [c for c in self.free if c.is_score and not c.verdict_like] + people

    def _grid_or_judges(
        self, grid: dict[str, tuple[str, str]], systems: Sequence[str], *, by_people: bool
    ) -> None:
        """Take columns such as v3_judge, v4_judge for systems side by side, leave them to be judges, or ask.

        People who judged each system, or texts of each, show systems. A person's column that belongs to
        none of them is about one output, and so are the columns beside it.
        """
        outside = [c for c in self.free if c.name not in grid]
        of_all = self.stated.human or any(
            c.verdict_like and self._is_human_name(c) and not set(c.leaf) & set(systems)
            for c in outside
        )
        lower = {s.lower() for s in systems}

        def is_output(c: Evidence) -> bool:  # v3_response, response_v3
            rest = [word for word in c.words if word not in lower]
            return c.sentences and (c.answers or (bool(rest) and rest[-1] in SAID and not c.asks))

        shown_ = [c for c in self.columns.values() if is_output(c)]
        texts = all(any(s.lower() in c.words for c in shown_) for s in systems)
        versions = all_setups(systems)
        prefers = any(
            len({*c.labels} & lower) > 1 and {*c.labels} <= lower | EVEN
            for c in outside
            if c.verdict_like
        )
        several = len({who for _, who in grid.values()}) > 1
        if by_people or texts or prefers:
            self.roles.grid = grid
            self._take_grid()
        elif any(map(names_setups, outside)):
            return  # a column of systems stands beside them
        elif versions or (several and not of_all):
            self._ask_judges_or_systems([*grid], systems)

    def _take_grid(self) -> None:
        if not self.roles.grid:
            return
        self._join_kinds()
        self.roles.layout = "systems"
        for name, (system, who) in self.roles.grid.items():
            human = name in self.stated.human or not HUMAN.isdisjoint(_english(who))
            judge = "judge" if self.columns[name].verdict_like else "score"
            self._set([name], "human" if human else judge, f"{who} on what {system} put out")
        for column in self._named("item"):
            self._set([column.name], "prompt", "the systems side by side answer it")
        for column in self._named("prompt"):
            if column.name not in self.roles.item:
                self._set([column.name], "text", "words to read")

    def _join_kinds(self) -> None:
        """Add columns that speak of the same systems to the grid: scores beside people's labels."""
        systems = {system for system, _ in self.roles.grid.values()}
        taken = {who for _, who in self.roles.grid.values()}
        more: defaultdict[str, dict[str, str]] = defaultdict(dict)  # kind: {system: column}
        for column in [*self._verdicts(), *self._scores_and_people()]:
            halves = _halves(column.name)
            if column.name in self.roles.grid or halves is None:
                continue
            for half, kind in (halves, halves[::-1]):
                speaks = _is_kind_of_verdict(kind) or stems(pieces(kind), MODELS)
                if _name_of_arm(half) in systems and (
                    speaks or not JUDGE.isdisjoint(_english(kind))
                ):
                    more[kind][_name_of_arm(half)] = column.name
        for kind, of in more.items():
            grid = {name: (system, kind) for system, name in of.items()}
            if {*of} == systems and kind not in taken and self._alike_by_kind(grid):
                self.roles.grid |= grid

    def _said_once(self) -> None:
        """Add the question of whose output a person's column is that stands once beside several systems."""
        grid = [self.columns[name] for name in self.roles.grid]
        systems = ", ".join(dict.fromkeys(system for system, _ in self.roles.grid.values()))
        for column in self._named("human") if grid else []:
            alike = good_label(column.labels) is not None or any(share(column, c) for c in grid)
            if column.verdict_like and alike and column.name not in self.roles.grid:
                self._reopen([column.name])
                self._ask(
                    f"{column.name!r} stands once a row, beside verdicts on {systems}: of whose output is "
                    "it? Write a column for each, or leave it out",
                    [column.name],
                    [answered("ignore", column.name)],
                )

    # --- people

    def _agreements(self) -> None:
        """Add the question what to do with a column that says whether a person agrees with a verdict."""
        for column in self.free:
            says = column.says(_AGREEMENT) and (column.binary or {*column.labels} <= _AGREEMENT)
            others = [c for c in self._others(column) if not c.says(_AGREEMENT)]
            if not says or not any(map(self._is_machine, others)):
                continue
            if any(map(self._is_human_name, others)):
                why = "whether somebody agrees with a verdict; people's labels stand beside it"
                self._set([column.name], "slice", why)
            else:
                self._ask(
                    f"{column.name!r} says whether somebody agrees with a verdict, and no label. Write the "
                    "label: the judge's where they agree, another where not; or leave it out?",
                    [column.name],
                    [answered("ignore", column.name), answered("slice", column.name)],
                )

    def _people(self) -> None:
        candidates = [
            c for c in (*self.free, *self._named("judge", "score")) if c.verdict_like or c.is_score
        ]
        judged = [c for c in candidates if self._is_model(c) or self._is_judge_word(c)]
        judged += [c for c in candidates if stems(c.words, METRICS) or c.ends(PREDICTED)]
        self._who_answered()
        for column in self.free:
            if self._is_human_name(column):
                if self.stated.human and column.verdict_like:
                    self._set(
                        [column.name], "ignored", "the name says a person, and others are named"
                    )
                elif self._holds_answers(column, [c for c in candidates if c is not column]):
                    self._set([column.name], "human", "the name says a person")
                elif column.binary and column.leaf[0] not in FLAG:
                    self._who_gave(column)
                elif column.verdict_like or column.numeric:
                    self._set([column.name], "slice", UNLIKE_HUMAN)
                else:
                    self._set([column.name], "slice", "it names people, and holds no verdicts")
        self._consensus()
        self._of_named_people()
        self._numbered_and_named(judged)

    def _numbered_and_named(self, judged: Sequence[Evidence]) -> None:
        """Name people by first names beside named judges; ask of numbers behind one word: Rater 1, 2."""
        votes = [c for c in self.free if c.verdict_like or c.is_score]
        votes = [c for c in votes if not (self._is_model(c) or c.says(MACHINE))]  # qwen-max
        stems_ = {tuple(c.leaf[:-1]) for c in votes if self._is_numbered_person(c)} - {()}
        numbered = [c for c in votes if self._is_numbered_person(c) or (*c.leaf[:-1],) in stems_]
        votes = [c for c in votes if c.verdict_like and c not in numbered]
        firsts = [c for c in votes if _names_somebody(c)]
        firsts += [
            c for c in votes if c not in firsts and any(differ_in_a_word(c, f) for f in firsts)
        ]
        if any(c not in numbered and c not in firsts for c in judged):
            self._set([c.name for c in firsts], "human", "first names beside named judges")
            for column in numbered:
                self._who_gave(column)

    def _of_named_people(self) -> None:
        """Name what people gave where a column says who gave it, and a machine's verdict stands beside."""
        predicted = [c for c in self.free if c.verdict_like and self._is_machine(c)]
        if self._named("human") or self.stated.judges is not None or not predicted:
            return
        who = [c for c in self.columns.values() if self._names_people(c)]
        votes = [c for c in self._verdicts() if c not in (*predicted, *who)]
        votes = [c for c in votes if any(share(c, p) for p in predicted)]
        if who and len(votes) == 1 and not votes[0].binary:
            self._set([votes[0].name], "human", f"given by people, named in {who[0].name!r}")

    def _names_people(self, column: Evidence) -> bool:
        """Whether a column holds who labelled each row: annotator, with few names or numbers."""
        if not is_called_rater(column) or stems(pieces(" ".join(column.texts[:50])), MODELS):
            return False
        if not 1 < len(column.texts) < self.n or len(column.texts) > max(12, self.n // 3):
            return False
        if column.numeric:
            return self._numbers_people(column)
        others = self._others(column)
        said = any(share(c, column) for c in others if not names_setups(c))
        if column.speaks or column.binary or said or not column.verdict_like:
            return False
        return not self._goes_with(column)

    def _consensus(self) -> None:
        """Name what people agreed on, beside what each of them said."""
        people = self._named("human")
        for column in self.free:
            agreed = column.verdict_like and column.says(_AGREED) and not column.says(MACHINE)
            machines = [c for c in self.columns.values() if c.verdict_like and self._is_machine(c)]
            most = column.verdict_like and column.says({"majority"}) and not column.says(MACHINE)
            if most and len(machines) == 1 and share(column, machines[0]):
                self._set([column.name], "human", "the name says what most people said")
            if agreed and any(share(column, c) for c in people):
                self._set([column.name], "human", "the name says what people agreed on")

    def _who_answered(self) -> None:
        """Name columns of who labelled each row, by names or numbers; ask where they may be what was said."""
        for column in self.free:
            if not self._names_people(column) or self._names_better(column):
                continue
            if column.binary and self._shares_with_any(column):
                continue
            grades = [c for c in self._others(column) if c.numeric and self._is_grade(c)]
            grades = [c for c in grades if share(c, column)]
            if column.numeric and grades:
                self._ask(
                    f"Does {column.name!r} say who answered, or what they said?",
                    [column.name],
                    [answered("slice", column.name), answered("human", column.name)],
                )
            else:
                self._set([column.name], "slice", "who answered, one a row")

    def _is_grade(self, column: Evidence) -> bool:
        """Whether a column of grades is called like one, or like who gave them."""
        named = column.ends(CRITERIA, GRADED, WEAK, WEAK_HUMAN) or column.says(HUMAN, MACHINE)
        return named or self._is_model(column) or self._is_judge_word(column)

    def _numbers_people(self, column: Evidence) -> bool:
        """Whether an 'annotator' holds the numbers of people, 7 12 31, and not what they said.

        What they said would agree with some grades beside it.
        """
        filled = column.codes >= 0
        labels = self._others(column)
        labels = [c for c in labels if not (self._is_machine(c) or c.says(COVARIATE))]
        if column.is_decimal or not any((c.codes >= 0)[filled].all() for c in labels):
            return False  # nothing beside it that they may have said
        grades = [c for c in self.columns.values() if c is not column and c.numeric]
        grades = [c for c in grades if (c.verdict_like or c.is_score) and not c.says(COVARIATE)]
        return all(k * np.sqrt(n) <= 4 for k, n in agreements_with(column, grades))

    def _is_numbered_person(self, column: Evidence) -> bool:
        words = column.leaf
        glued = any(
            re.fullmatch(r"[a-z]+\d+", word) and re.sub(r"\d+", "", word) in PEOPLE
            for word in words
        )
        apart = (
            len(words) > 1
            and (words[-1].isdigit() or len(words[-1]) == 1)
            and not PEOPLE.isdisjoint(words[:-1])
        )
        initials = (
            len(words) == 2
            and len(words[-1]) <= 3
            and words[0] in PEOPLE - JUDGE
            and words[-1]
            not in JUDGE
            | GRADED
            | ID
            | {"by", "llm", "bot", "v1", "v2", "tag", "lbl", "ok", "ans", "out"}
            and not self._is_model(column)
        )
        return bool(glued or apart or initials)

    def _holds_answers(self, column: Evidence, others: Sequence[Evidence]) -> bool:
        """Whether what is called a person's is what the person said: by name, by words of verdicts.

        Else half of the cells are labels of other columns, or they are numbers beside numbers.
        """
        rest = {w for w in column.leaf if len(w) > 1 and not w.isdigit()}
        rest -= HUMAN | PEOPLE | FIRST_NAMES
        called = column.low in HUMAN_NAMES or column.is_bad_news or rest & _KINDS_OF_ANSWER
        said = not VERDICTS.isdisjoint(column.labels) or good_label(column.labels) is not None
        if column.labels and (called or (said and not rest) or self._names_sides(column)):
            return True
        if column.numeric and not column.binary and any(c.numeric for c in others):
            return True
        return _says_words_of(column, others)

    # --- judges by name

    def _judges(self) -> None:
        if self.stated.judges is not None:
            self._others_beside_stated()
            return
        if self.roles.layout == "long":
            return
        people = self._named("human")
        for column in self.free:
            if self._may_name_raters(column) or column.ends({"name", "by", "version"}):
                continue
            if column.words[-1:] in (["id"], ["initials"], ["email"]):
                self._id_beside_judges(column)
                continue
            automatic = column.says({"auto", "automatic", "automated"}) and column.says(WEAK)
            predicted = column.ends(PREDICTED) or not column.parents.isdisjoint(PREDICTED)
            predicted |= column.leaf[:1] in (["predicted"], ["prediction"], ["pred"])
            predicted = predicted and not column.ends(SYSTEM, SLICE, COVARIATE)
            automatic |= predicted and self._shares_with_any(column)
            automatic |= stems(column.words, METRICS) and column.verdict_like_numbers
            machine = column.says(MACHINE) and not column.ends(SYSTEM, SLICE, COVARIATE)
            automatic |= machine and column.verdict_like and any(share(column, c) for c in people)
            if column.ends(SYSTEM) and self._says_what_people_say(column, people):
                if column.words[-1:] in (
                    ["agent"],
                    ["agente"],
                ):  # a program, or who answers a customer
                    self._who_gave(column)
                else:
                    self._set([column.name], "judge", "a machine's: it says what people say")
                continue
            verdicts = column.speaks or column.binary or column.numeric
            system = column.ends(SYSTEM) and not (verdicts or says_machines_verdict(column))
            if not system and (self._is_model(column) or self._is_judge_word(column) or automatic):
                self._named_judge(column, people)
        self._checks()

    def _checks(self) -> None:
        """Take what programs check by rules for judges, where judges or people stand beside."""
        others = [c for c in self._named("judge", "human") if c.verdict_like]
        for column in self.free:
            checked = _is_check(column) or self._is_check_throughout(column)
            if not checked or self._of_certainty(column) is not None:
                continue
            if column.is_score and others and column.is_decimal:
                self._set([column.name], "score", CHECKED)
            elif (column.verdict_like and any(share(c, column) for c in others)) or (
                (column.binary or column.speaks or good_label(column.labels) is not None)
                and any(len(c.labels) <= 3 for c in others)
            ):
                self._set([column.name], "judge", CHECKED)

    def _is_check_throughout(self, column: Evidence) -> bool:
        """Whether a column that is called a check is filled on all rows, beside a machine's verdicts."""
        people = HUMAN | OF_PEOPLE | PEOPLE | {"qa", "spot", "my"}
        machines = any(self._is_machine(c) for c in self._named("judge", "score"))
        return (
            column.leaf[-1:] == ["check"]
            and machines
            and 10 * column.answered >= 9 * self.n
            and not column.says(people)
        )

    def _id_beside_judges(self, column: Evidence) -> None:
        if column.unique:
            self._set([column.name], "ignored", "a second id: one value a row")
        elif not self._may_be_system(column):
            self._set([column.name], "slice", "ids that repeat")

    def _says_what_people_say(self, column: Evidence, people: Sequence[Evidence]) -> bool:
        """Whether a column that is called like a system holds the words of people's verdicts."""
        words = column.verdict_like and not column.numeric and not names_setups(column)
        return words and not self._names_sides(column) and any(share(column, c) for c in people)

    def _named_judge(self, column: Evidence, people: Sequence[Evidence]) -> None:
        """Decide on a column that is called like a judge."""
        in_battles = self.roles.layout == "pairwise"
        machines = [c for c in (*self._verdicts(), *self._named("judge")) if self._is_machine(c)]
        won = column.leaf in (["vote"], ["winner"]) and column.verdict_like
        unclear = won and any(share(column, c) for c in machines if c is not column)
        if (in_battles and unclear) or (self._is_a_vote_on_a_part(column)):
            self._who_gave(column)
        elif column.verdict_like and self._voted(column, people):
            self.named_judges = True
            self._set([column.name], "judge", self._why_judge(column))
        elif column.is_score and not column.says({"time"}):
            self._set([column.name], "score", self._why_judge(column))
        elif column.verdict_like:
            close = self._agreement_with(column, [*people, *self._verdicts()])
            verdict = good_label(column.labels) is not None or column.ends(KINDS_OF_VERDICT, WEAK)
            verdict |= not GOOD_LABELS.isdisjoint(column.labels) or column.ends(_SURELY_JUDGE)
            verdict |= len(column.labels) == 2 and (self._is_model(column) or _is_negated(column))
            alone = {*column.leaf} <= _SURELY_JUDGE | MACHINE and column.says(_SURELY_JUDGE)
            verdict |= alone and len(column.labels) <= 4  # and no judge_failure_mode
            others = [c for c in self.columns.values() if self._is_machine(c) and c.verdict_like]
            foreign = good_label(column.labels) is None and VERDICT_WORDS.isdisjoint(column.labels)
            if close <= 0.3 and foreign and not verdict and (people or len(others) > 1):
                why = "its words are no verdicts, and nobody else says them"
                self._set([column.name], "slice", why)
            elif close > 0.3 or (verdict and not names_setups(column)):
                self.named_judges = True
                why = f"{self._why_judge(column)}, in words of its own"
                self._set([column.name], "judge", why)
            else:
                self._ask_if_judge(column)

    def _is_a_vote_on_a_part(self, column: Evidence) -> bool:
        """Whether a column is called a vote of nobody, on a part of what a machine says throughout."""
        named = self._is_model(column) or column.says(MACHINE, _SURELY_JUDGE)
        if named or not column.says({"vote", "winner"}) or 10 * column.answered > 6 * self.n:
            return False
        machines = [c for c in self._others(column) if self._is_machine(c) and share(c, column)]
        return any(10 * c.answered >= 9 * self.n for c in machines)

    def _why_judge(self, column: Evidence) -> str:
        return "the name says a model" if self._is_model(column) else "the name says a judge"

    def _voted(self, column: Evidence, people: Sequence[Evidence]) -> bool:
        """Whether a column named as a judge holds what others answer too, or a verdict's own words."""
        if column.speaks or column.numeric or column.binary or self._names_systems(column):
            return True
        if self.roles.layout == "pairwise" and self._names_sides(column):
            return True
        others = [c for c in (*people, *self._named("judge"), *self._verdicts()) if c is not column]
        return not others or any(share(column, c) for c in others)

    def _others_beside_stated(self) -> None:
        """Take all verdicts that --judges does not name for slices, and numbers for measures.

        One that is sparse beside judges who answered throughout may be a person's: it is asked about.
        """
        judges = self._named("judge")
        dense = bool(judges) and all(c.answered >= 0.9 * self.n for c in judges)
        unsettled = dense and not self._named("human") and not self.stated.human
        words = bool(judges) and not any(c.numeric for c in judges)
        for column in self.free:
            if column.ends(SYSTEM) or column.ends(TRIAL):
                continue
            named = self._is_model(column) or self._is_judge_word(column)
            stem = {*column.words} - KINDS_OF_VERDICT
            own = next((c for c in judges if stem and {*c.words} - KINDS_OF_VERDICT == stem), None)
            if words and (named or own is not None) and column.is_score:
                why = self._why_judge(column) if own is None else f"a number beside {own.name!r}"
                self._set([column.name], "score", why)
                continue
            shares = any(share(column, c) for c in judges)
            shares |= self._says_verdicts(column)
            if unsettled and shares and column.verdict_like and column.answered < 0.6 * self.n:
                self._ask(
                    f"Did a person give column {column.name!r} ({column.answered} of {self.n} rows)?",
                    [column.name],
                    [answered("human", column.name), answered("ignore", column.name)],
                )
                continue
            if column.numeric and not column.verdict_like:
                self._set([column.name], "covariate", "no judge, as you say")
            elif column.verdict_like:
                self._set([column.name], "slice", "no judge, as you say")

    def _majorities(self) -> None:
        """Leave out a column that says on every row what most judges say: it was computed from them."""
        if self.stated.judges is not None:
            return
        for column in [*self._named("judge"), *self._verdicts()]:
            judges = [c for c in self._named("judge") if c is not column and share(c, column)]
            said = self._why(column) == "as you say"
            stem = column.low.rstrip("0123456789 ")
            said |= stem != column.low and any(c.low.startswith(stem) for c in judges)  # judge8
            if len(judges) > 2 and not said and is_majority(column, judges):
                self._set([column.name], "ignored", "what most of the other judges say")

    # --- criteria, and columns that may be systems

    def _criteria_and_systems(self) -> None:
        if self.stated.judges is not None or self.roles.layout in ("long", "systems"):
            return
        votes = [*self._named("judge"), *self._verdicts()]
        votes = [
            c for c in votes if self.decided.get(c.name, Decision("", "as")).why != "as you say"
        ]
        if not self._ask_crossed(votes):
            self._ask_criteria([c for c in votes if c.verdict_like])
        self._ask_systems([c for c in votes if c.name not in self.open_names])

    def _ask_crossed(self, votes: Sequence[Evidence]) -> bool:
        """Add the question which of several is meant, where judges and people each have a column for each."""
        if self.stated.human or any(self._why(c) == "as you say" for c in self._named("human")):
            return False
        crossed: dict[str, dict[str, str]] = {}  # question: {who: column}
        for column in (*votes, *self._named("human")):
            parted = re.split("/|__", column.name, maxsplit=1)
            who, question = parted if parted[1:] else _halves(column.name) or ("", "0")
            if not question.isdigit() and {*pieces(question)}.isdisjoint(TRIAL | SWAP | HUMAN):
                crossed.setdefault(question, {})[who] = column.name
        people = {c.name for c in self._named("human")}
        every = {frozenset(by) for by in crossed.values()}
        names = [name for by in crossed.values() for name in by.values()]
        of_people = [[n for n in by.values() if n in people] for by in crossed.values()]
        of_judges = [[n for n in by.values() if n not in people] for by in crossed.values()]
        whole = len(crossed) > 1 == len(every) and all(of_people) and all(of_judges)
        if not whole or not people <= set(names):
            return False
        quoted = ", ".join(map(repr, crossed))
        self._reopen(names)
        answers = [
            both(answered("judges", *judges), answered("human", *own))
            for judges, own in zip(of_judges, of_people, strict=True)
        ]
        self._ask(
            f"Judges and people have a column for each of {quoted}: which one?", names, answers
        )
        return True

    def _ask_criteria(self, votes: Sequence[Evidence]) -> None:
        stemless = {c.name: self._criterion(c) for c in votes}
        criteria = [c for c in votes if stemless[c.name]]
        same = [c for c in criteria if c.constant]
        if len({stemless[c.name] for c in criteria if c not in same}) == 1:
            self._set([c.name for c in same], "ignored", "the same on every row")
            criteria = [c for c in criteria if c not in same]
        criteria = self._of_the_same_kind(self._criteria_of_people(criteria, stemless))
        names = [c.name for c in criteria]
        correct = all({*c.labels} <= _OF_INSPECT for c in criteria)  # what all scorers say
        if correct or len({stemless[name] for name in names}) < 2:
            return
        quoted = ", ".join(map(repr, names[:6])) + (", ..." if names[6:] else "")
        self._reopen(names)
        first = [name for name in names if stemless[name] == stemless[names[0]]]
        self._ask(
            f"Do {quoted} answer one question, or several?",
            names,
            [
                f"{answered('judges', *first)} (one question)",
                f"{answered('judges', *names)} (judges of one question)",
            ],
        )

    def _of_the_same_kind(self, criteria: Sequence[Evidence]) -> list[Evidence]:
        """Criteria answered in words or yes and no; grades beside them are scores of another question."""
        grades = [c for c in criteria if c.numeric and len(c.labels) > 2]
        if not grades or len(grades) == len(criteria):
            return list(criteria)
        others = [c for c in criteria if c not in grades]
        people = [c for c in self._named("human") if any(share(c, g) for g in grades)]
        if people and not any(
            share(c, o) for c in self._named("human") for o in others if not o.numeric
        ):
            why = f"another question than {people[0].name!r} answers: {option('judges')} takes it instead"
            self._set([c.name for c in others], "slice", why)
            return grades
        self._set([c.name for c in grades], "score", "grades, beside verdicts on another question")
        return [c for c in criteria if c not in grades]

    def _criteria_of_people(
        self, criteria: Sequence[Evidence], kinds: Mapping[str, str]
    ) -> list[Evidence]:
        """Criteria that are asked about: where people answered one of them, by its name, it is meant."""
        people = self._named("human")
        answered_ = {
            k for c in people for k in {*kinds.values()} - {""} if {*k.split()} <= {*c.leaf}
        }
        if len(answered_) != 1 or len({kinds[c.name] for c in criteria}) < 2:
            return list(criteria)
        kind = next(iter(answered_))
        for column in criteria:
            if kinds[column.name] != kind:
                self._set(
                    [column.name],
                    "ignored",
                    f"people answered {kind!r}, and this is another question",
                )
        return []

    def _criterion(self, column: Evidence) -> str:
        if column.says(HUMAN, OF_PEOPLE) or _is_check(column):
            return ""
        words = [w for w in column.leaf if w in CRITERIA]
        if not words and len(column.parts) > 1 and column.ends(KINDS_OF_VERDICT):
            others = HUMAN | PEOPLE | FIRST_NAMES | JUDGE | _GROUPS_OF_VERDICTS
            stem = [w.removesuffix("s") for w in column.parts[-2] if not w.isdigit()]
            stem = [w for w in stem if w.rstrip("0123456789") not in others]
            words = [] if stems(stem, MODELS) else stem  # grades.style.passed
        return " ".join(words)

    def _ticked(self, votes: Sequence[Evidence]) -> dict[str, str]:
        """Columns of ticks under models' names, where what was asked stands there, and no answer."""
        said_of = JUDGE | KINDS_OF_VERDICT | HUMAN
        has_prompts = any(c.asks for c in self._named("text", "prompt"))
        ticks = [
            c for c in votes if stems(c.leaf, MODELS) and said_of.isdisjoint(c.words) and _ticks(c)
        ]
        alone = has_prompts and 1 < len(ticks) == len(votes)
        return {c.name: c.name for c in ticks} if alone else {}

    def _ask_systems(self, votes: Sequence[Evidence]) -> None:
        ended = re.compile(
            r"(.+?)[_ .-](correct|pass|passed|acc|score|success|result|win|em|f1)$", re.IGNORECASE
        )
        picked = {
            c.name: m.group(1)
            for c in votes
            if (m := ended.match(c.name)) and stems(pieces(m.group(1)), MODELS)
        }
        outputs = [c for c in self._named("text") if c.answers]
        if not outputs and not picked:
            picked = self._ticked(votes)
        again = [name for name in self.columns if re.fullmatch(r".+\.\d", name)]
        again = [n for n in again if self.decided.get(n, NONE_OF_THEM).role != "ignored"]
        twice = [c for c in votes if c.name in again and c.name.rpartition(".")[0] in self.columns]
        leads = repeated_blocks(list(self.columns))
        said = {c.name for c in self._named("text")}
        if twice and (len(again) > len(twice) or (leads and said >= set(leads))):
            names = [c.name.rpartition(".")[0] for c in twice] + [c.name for c in twice]
            self._reopen(names)
            self._ask(
                f"Are {', '.join(map(repr, names))} judges of the same answers, or verdicts on systems side "
                f"by side? {'' if leads else 'Write a row for each output, or answer'}".rstrip(),
                names,
                [answered("judges", *names), *([answered("systems", *leads)] if leads else [])],
            )
            return
        if len(picked) < 2 or self._named("human"):
            return
        lower = [system.lower() for system in picked.values()]
        per_model = [c for c in outputs if any(each in c.name.lower() for each in lower)]
        if outputs and len(per_model) < 2:
            return
        if outputs:
            self.roles.grid = {name: (system, "judge") for name, system in picked.items()}
            self._take_grid()
            return
        self._ask_judges_or_systems([*picked], [*picked])

    def _ask_judges_or_systems(self, names: Sequence[str], systems: Sequence[str]) -> None:
        """Add the question whether columns are judges, or verdicts on systems side by side."""
        self._reopen(names)
        quoted = ", ".join(map(repr, names))
        self._ask(
            f"Are {quoted} judges of the same answers, or systems whose answers were judged?",
            names,
            [answered("judges", *names), answered("systems", *systems)],
        )

    def _person_beside(self, column: Evidence) -> Evidence | None:
        """A person's sparse column that is filled wherever this one is, as a reviewer's name is."""
        filled = column.codes >= 0
        people = [c for c in self._named("human") if c.filled < 0.6 * self.n]
        return next((c for c in people if (c.codes >= 0)[filled].all()), None)

    def _names_a_setup(self, column: Evidence) -> bool:
        """Whether a column says which of a few setups put out each row: app_id, experiment, checkpoint."""
        setups = {
            "app",
            "arm",
            "experiment",
            "config",
            "policy",
            "pipeline",
            "checkpoint",
            "engine",
            *("ranker", "retriever", "build", "stack", "rewriter", "variant", "version", "ver"),
        }
        if any(settles(c, column) for c in self._named("prompt") if 2 * len(c.texts) <= self.n):
            return False  # each prompt has but one
        ends = column.ends(setups, {"deployment", "release"})
        begins = column.leaf[0] in setups and names_setups(
            column
        )  # Wersja bota, version of the bot
        return (ends or begins) and len(column.texts) <= 12

    def _models_or_systems(self) -> None:
        columns = sorted(self.free, key=lambda c: not c.says(_SURELY_SYSTEM))
        for column in columns:
            if not self._may_be_system(column):
                continue
            beside = self._person_beside(column)
            if beside is not None:
                self._set([column.name], "slice", f"filled only where {beside.name!r} is")
                continue
            if self.roles.layout == "wide" and 10 * column.filled < 9 * self.n:
                self._set([column.name], "slice", "filled on a part of the rows, as no system is")
                continue
            if self.roles.layout == "long" or column.filled < self.n:
                self._set([column.name], "system", "whose output was judged")
                continue
            values_are_models = stems(pieces(" ".join(column.texts[:20])), MODELS)
            crosses = self._may_have_judged(column)
            if crosses is not None:
                if crosses.name not in self.decided:
                    self._set([crosses.name], "prompt", "several rows share it")
                answer = self._answers_beside(column)[0]
                self.decided.pop(answer.name, None)
                self._set([answer.name], "answer", "what was said")
                self.roles.layout = "long"
                judged = both(answered("judge", column.name), answered("answer", answer.name))
                question = f"Did {column.name!r} give the scores, or the answers that were scored?"
                self._ask(question, [column.name], [judged, answered("system", column.name)])
                continue
            if (
                values_are_models
                or column.low in _PLAIN_SYSTEMS
                or _is_of_prompts(column)
                or self._makes_the_text(column)
                or column.says(_SURELY_SYSTEM)
                or (column.says(_OF_ARMS) and names_setups(column))
                or (self._names_a_setup(column) and not self._named("system"))
            ):
                named = {"version", "arm", "app", "experiment"}
                if not self._names_sides(column) or column.says(named, _SURELY_SYSTEM):
                    self._set([column.name], "system", "whose output was judged")
            else:
                self._set([column.name], "slice", "the name says a group")


def is_majority(column: Evidence, judges: Sequence[Evidence]) -> bool:
    """Whether a column repeats the one label of most judges, where they differ on 10 rows or more."""
    names = sorted(set().union(*(forms_of(c) for c in (column, *judges))))
    if len(names) > 12:
        return False
    for rows in (slice(LOOKED_AT), slice(None)):  # the first rows show that most columns are none
        votes = np.stack([codes_among(c, names)[c.codes[rows]] for c in judges])
        own = codes_among(column, names)[column.codes[rows]]
        counts = np.stack([(votes == k).sum(0) for k in range(len(names))])
        most = counts.max(0)
        alone = (counts == most).sum(0) == 1
        clear = alone & (own >= 0)
        if not (own == counts.argmax(0))[clear].all():
            return False
    split = clear & (most < (votes >= 0).sum(0))
    computed = clear.sum() >= 0.9 * alone.sum()  # of all rows, as no person is
    return bool(computed and split.sum() >= 10)


def _says_words_of(column: Evidence, others: Sequence[Evidence]) -> bool:
    """Whether half of a column's cells or more are labels of others."""
    words = {form for c in others for form in c.labels}
    own = sum(n for label, n in column.labels.items() if label in words)
    return bool(own) and 2 * own >= column.answered


def differ_in_a_word(first: Evidence, second: Evidence) -> bool:
    """Whether two names differ in one of their words, as likert (Anna) and likert (Zoe), and share labels."""
    a, b = first.leaf, second.leaf
    alike = 1 < len(a) == len(b) and sum(x != y for x, y in zip(a, b, strict=True)) == 1
    return alike and share(first, second)


_SURELY_JUDGE = words_in(
    "judge juez jueza juge richter juiz giudice grader checker verifier scorer evaluator critic "
    "autorater autograder detector"
)
"""Ends of names of judges, whatever their labels."""


_BESIDE_NAMES = (WEAK | WEAK_HUMAN | GRADED | CRITERIA | HUMAN) | words_in(
    "of by from for de di da von van par por 2nd second first opinion view nota note voto"
)
"""What stands beside a first name in the name of a column that holds what the person said."""


def _names_a_model(column: Evidence) -> bool:
    """Whether a text of a column names a model."""
    return any(stems(pieces(text), MODELS) for text in column.texts[:AT_FIRST])


def _names_somebody(column: Evidence) -> bool:
    """Whether a name holds a first name beside a word or two, begins with one, or has it in parentheses."""
    words = column.leaf
    before = re.match(r"(\w+) ?[:|/–—]", column.name.strip())
    if before is not None and before.group(1).lower() in FIRST_NAMES:
        return True
    if FIRST_NAMES.isdisjoint(words):
        return False
    by = len(words) == 3 and words[1] == "by"
    last = re.search(r"\((\w+)\)$", column.name.strip())
    within = last is not None and last.group(1).lower() in FIRST_NAMES
    rest = {*words} - FIRST_NAMES - _BESIDE_NAMES
    return len(words) <= 2 or by or within or not rest


_LOOKED_FOR = words_in("expected reference keyword keywords target")
"""What a program finds in an output: contains_expected."""


def _is_check(column: Evidence) -> bool:
    """Whether a name says what a program checks by rules: regex_ok, valid_json, state_check."""
    above = column.parts[-2] if column.parts[:-1] and column.ends(KINDS_OF_VERDICT) else []
    named = any(
        not CHECKS.isdisjoint(words) or _CHECKED.fullmatch(" ".join(words)) is not None
        for words in (column.leaf, above)
    )
    named |= column.leaf[:1] == ["contains"] and column.ends(_LOOKED_FOR)
    return named and not column.says(HUMAN, OF_PEOPLE)


def agreements_with(column: Evidence, others: Sequence[Evidence]) -> list[tuple[float, int]]:
    """Agreement of a column with each of others, and the rows behind it."""
    return [agreement(column, c) for c in others]


def groups_that_share(columns: Sequence[Evidence]) -> list[list[Evidence]]:
    """Columns in groups: any two that have a label in common stand in one."""
    groups: list[list[Evidence]] = []
    for column in columns:
        mine = [g for g in groups if any(share(column, c) or _overlap(column, c) for c in g)]
        groups = [g for g in groups if g not in mine]
        groups.append([*(c for g in mine for c in g), column])
    return groups


def likeliest_words(first: Evidence, other: Evidence) -> list[list[str]]:
    """Both ways in which two labels of one column are the two of another, the likelier first."""
    (a, b), own = sorted(first.labels), likeliest_first(other.labels)
    if good_label(first.labels) is not None:
        a, b = likeliest_first(first.labels)[:2]
    orders = [[(a, own[0]), (b, own[1])], [(a, own[1]), (b, own[0])]]
    codes = [codes_among(c, names)[c.codes] for c, names in ((first, (a, b)), (other, own))]
    there = (codes[0] >= 0) & (codes[1] >= 0)
    straight = int((codes[0] == codes[1])[there].sum())
    if 2 * straight < int(there.sum()):
        orders.reverse()
    return [[f"{old}={new}" for old, new in pairs] for pairs in orders]


def _overlap(first: Evidence, second: Evidence) -> bool:
    """Whether two columns of many numbers lie on one scale."""
    if not (first.is_score and second.is_score):
        return False
    low, high = zip(
        *((np.nanmin(c.numbers), np.nanmax(c.numbers)) for c in (first, second)), strict=True
    )
    return bool(min(high) - max(low) > 0.5 * (max(high) - min(low)))


def _of_two_or_more(grid: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Columns of systems side by side, without those whose system, or who judged it, is met once."""
    while True:
        kept = grid
        for half in (1, 0):
            met = Counter(pair[half] for pair in kept.values())
            once = max(met.values(), default=0) == 1
            kept = {n: pair for n, pair in kept.items() if once or met[pair[half]] > 1}
        if len(kept) == len(grid):
            return grid
        grid = kept


def _english(text: str) -> list[str]:
    """Words and figures of a text, in English where they are known."""
    return [w for piece in pieces(plain_letters(text)) for w in word_in_english(piece)]


def _ticks(column: Evidence) -> bool:
    """Whether labels are marks such as ticks, as a person sets them."""
    return any(label and not any(map(str.isalnum, label)) for label in column.labels)


def _halves(name: str) -> tuple[str, str] | None:
    """The two halves of a name joined by one mark: v3_judge."""
    parts = re.split(r"[_. -]+", name)
    if len(parts) < 2:
        return None
    return "_".join(parts[:-1]), parts[-1]


_SURELY_TRIAL = frozenset(
    ["trial", "epoch", "seed", "repeat", "repetition", "replicate", "replica"]
)

_KINDS_OF_ANSWER = WEAK | WEAK_HUMAN | KINDS_OF_VERDICT | GRADED | CRITERIA | CHOSEN | VOTES
_KINDS_OF_ANSWER |= {*GOOD_LABELS, *BAD_LABELS, *_OF_USERS, "by", "thumb"}
"""Called so, a person's column holds what the person said."""
_DELIVERED = words_in("sent delivered posted exported assigned escalated")
"""Called so, a yes says what was done with an output, not what was found."""


class Order(People):
    """All decisions in their order."""

    def decide(self) -> None:
        """Take the decisions in their order."""
        chosen = self.stated.by_column(tuple(self.columns))
        if self.stated.layout and chosen.keys() == self.columns.keys():
            saved = dict.fromkeys(self.stated.roles, "as it was saved")
            self.roles.decided = {
                n: Decision(chosen[n], saved.get(n, "as you say")) for n in self.columns
            }
            self.roles.as_saved(self.stated.layout)
            if self._fits_layout():
                return
            self.roles.decided.clear()
        numbers = all(self.columns[n].is_score for n, role in chosen.items() if role == "judge")
        for name, role in chosen.items():
            self._set([name], "score" if role == "judge" and numbers else role, "as you say")
        if self.stated.judge is not None or self.stated.answer is not None:
            self.roles.layout = "long"
        self._of_tool()
        steps: tuple[Callable[[], None], ...] = (
            self._empty_and_constant,
            self._references,
            self._times_and_texts,
            self._both_orders,
            self._numbered_runs,
            self._pairs,
            self._by_name,
            self._runs_of_a_system,
            self._long,
            self._kinds_of_raters,
            self._identity,
            self._recoded,
            self._questions_side_by_side,
            self._side_by_side,
            self._trials_and_groups,
            self._agreements,
            self._people,
            self._judges,
            self._majorities,
            self._said_once,
            self._criteria_and_systems,
            self._models_or_systems,
            self._rest,
            self._labels_on_a_part,
            self._grades_beside_words,
            self._people_of_other_questions,
            self._runs,
            self._repeats,
            self._crossed,
        )
        for step in steps:
            step()
        self._merge_questions()
        if self.stated.judges is None:
            self._offer_all_judges()
        votes = [d for d in self.decided.values() if d.role in ("judge", "score", "human")]
        why = ("the name says a", "numbered people", "first names")
        self.roles.names_judges = any(d.why.startswith(why) for d in votes)
        self.roles.decided = {
            name: self.decided.get(name, Decision("ask", "its role must be asked"))
            for name in self.columns
        }

    def _fits_layout(self) -> bool:
        """Whether the columns that the layout needs have the roles it needs."""
        n = {role: len(self._named(role)) for role in ("rater", "answer", "system")}
        needed = {"long": n["rater"] == n["answer"] == 1, "pairwise": n["system"] == 2}
        needed["systems"] = bool(self.roles.grid)
        here = set(self.roles.item) <= self.columns.keys()
        return here and needed.get(self.roles.layout, True)

    def _offer_all_judges(self) -> None:
        """Name all judges in the answer that a column is one more: `judges` leaves out the others."""
        judges = [c.name for c in self._named("judge") if self._why(c) != "as you say"]
        begins = ("--judges ", "judges=")
        for k, question in enumerate(self.roles.questions):
            if not question.question.startswith(("Is column ", "Who gave column")):
                continue
            names = [name for name in judges if name not in question.columns]
            every = answered("judges", *names, *question.columns)
            answers = tuple(
                every if a.startswith(begins) and not all(name in a for name in names) else a
                for a in question.answers
            )
            self.roles.questions[k] = question._replace(answers=answers)

    def _merge_questions(self) -> None:
        """Make one question of those that ask of several columns who gave them."""
        several = [q for q in self.roles.questions if q.question.startswith("Who gave column ")]
        if len(several) < 2:
            return
        names = [name for q in several for name in q.columns]
        judges = [c.name for c in self._named("judge")]
        quoted = ", ".join(map(repr, names))
        measures = [name for name in names if may_measure(self.columns[name])]
        question = Question(
            f"Who gave columns {quoted}: people, or more judges?"
            f"{' Or are numbers measures?' if measures else ''}",
            tuple(names),
            (
                answered("human", *names),
                answered("judges", *judges, *names),
                *([answered("covariate", *measures)] if measures else []),
                answered("ignore", *names),
            ),
        )
        position = self.roles.questions.index(several[0])
        self.roles.questions[:] = [q for q in self.roles.questions if q not in several]
        self.roles.questions.insert(position, question)

    # --- what nobody named

    def _rest(self) -> None:
        if self.roles.layout == "long":
            for column in self.free:
                if self._is_machines_number(column):
                    self._set([column.name], "score", "a machine's number beside what raters said")
                elif self._may_be_of_a_person(column) and self._is_of_items(column):
                    self._person_beside_raters(column)
                else:
                    self._set([column.name], *self._beside_votes(column))
            return
        for column in list(self.free):
            if column.name in self.open_names or column.name in self.decided:
                continue
            if self._lists_verdicts(column):
                self._ask_lists(column)
            elif column.verdict_like:
                self._open(column)
            else:
                self._no_verdict(column)
        self._number_columns()

    def _is_another_answer(self, column: Evidence) -> bool:
        """Whether grades, or good and bad words, differ between the raters of an item."""
        rows = together([self.columns[name] for name in self.roles.item])
        raters = self._named("rater")
        graded = column.numeric and column.ends(CRITERIA, GRADED)
        if (
            rows is None
            or not (graded or good_label(column.labels) is not None)
            or column.ends(CONFIDENT)
        ):
            return False
        said = column.verdict_like and not any(settles(r, column) for r in raters)
        return said and not self._is_of_items(column)

    def _may_be_of_a_person(self, column: Evidence) -> bool:
        """Whether verdicts are called a person's: a desk or a team is one only of words that judge."""
        words = column.speaks or column.numeric or column.says(WEAK, WEAK_HUMAN)
        words |= any(share(column, c) for c in self._named("answer"))
        return column.verdict_like and (column.says(HUMAN) or (column.says(OF_PEOPLE) and words))

    def _person_beside_raters(self, column: Evidence) -> None:
        """Name a person's labels of items beside raters where both share none; else ask who gave them."""
        answer = self._named("answer")
        if answer and not share(column, answer[0]):
            instead = option("human", column.name)
            why = f"a person's, with no label of {answer[0].name!r}: {instead} takes it instead"
            self._set([column.name], "human", why)
            self.roles.aside.add(column.name)
        else:
            self._who_gave(column)

    def _is_of_items(self, column: Evidence) -> bool:
        """Whether the filled cells of each item of a long table are alike."""
        rows = together([self.columns[name] for name in self.roles.item])
        return rows is not None and _settled_where_filled(self._of_codes(rows), column)

    def _is_machines_number(self, column: Evidence) -> bool:
        """Whether numbers in a long table are of what was judged, and a machine's, by name or agreement."""
        answer = next(iter(self._named("answer")), None)
        if answer is None or not column.numeric or column.says(COVARIATE, TIME):
            return False
        if not self._is_of_items(column):
            return False
        k, n = agreement(column, answer)
        fine = self._is_fine(column) and k > 0.3 and k * np.sqrt(n) > 4
        return fine or self._is_machine(column)

    def _lists_verdicts(self, column: Evidence) -> bool:
        """Whether cells are lists of answers that some column of verdicts holds one by one."""
        some = [t for t in column.texts[:200] if t.startswith("[")]
        if not some or len(some) < min(len(column.texts), 200):
            return False
        parts = {folded(x.strip(" '\"")) for t in some for x in t.strip("[]").split(",")} - {""}
        others = self._others(column)
        return 0 < len(parts) <= 12 and any(parts <= set(c.labels) for c in others)

    def _recoded(self) -> None:
        """Leave out numbers that say again what words of the same judge say: eval.x.label, eval.x.score."""
        votes = self._verdicts()
        for column in votes:
            same = [c for c in votes if c.parts[:-1] == column.parts[:-1] and not c.numeric]
            other = next((c for c in same if recodes(c, column)), None)
            if column.numeric and column.parts[:-1] and other is not None:
                self._set([column.name], "ignored", f"the same as {other.name!r}, in numbers")

    def _runs_of_a_system(self) -> None:
        """Leave out a run that each system has but one of, as it names the system again."""
        systems = [
            c for c in self.columns.values() if self._may_be_system(c) and c.filled == self.n
        ]
        systems = [c for c in systems if not c.ends(TRIAL)]
        for column in self.free:
            if column.ends(TRIAL) and len(column.texts) > 1 and column.filled == self.n:
                again = next((c for c in systems if settles(c, column)), None)
                if again is not None:
                    self._set([column.name], "ignored", f"it names {again.name!r} again")
                elif 2 * len(column.texts) <= self.n:
                    systems.append(column)  # a seed of each repetition names it again

    def _trials_and_groups(self) -> None:
        """Name repetitions, though their numbers may be verdicts' too."""
        for column in self.free:
            if column.ends(TRIAL) and self.n > 20 and 2 * len(column.texts) > self.n:
                self._set([column.name], "covariate", "another on most rows, as no repetition is")
            elif (
                says_trial(column)
                and column.filled == self.n
                and not column.speaks
                and (
                    column.ends(_SURELY_TRIAL)
                    or not self._shares(column)
                    or (_counts_up(column) and self._agrees_with_none(column))
                )
            ):
                self._set([column.name], "trial", "which repetition")

    def _agrees_with_none(self, column: Evidence) -> bool:
        others = self._others(column)
        return all(k * np.sqrt(n) <= 3 for k, n in agreements_with(column, others))

    def _beside_votes(self, column: Evidence) -> tuple[str, str]:
        if self.roles.layout == "long" and self._is_another_answer(column):
            return "slice", f"raters gave it, too: {option('answer', column.name)} takes it instead"
        if column.unique and column.words[-1:] == ["id"]:
            return "ignored", "a second id: one value a row"
        if column.ends(GRADED) and column.numeric:
            return "score", "how sure the rater was"
        if column.numeric:
            return "covariate", "a number beside the answers"
        return "slice", "a group"

    def _open(self, column: Evidence) -> None:
        """Decide on verdicts under a name that says nothing, or ask."""
        scores = self._named("score")
        settled = self._named("judge", "human")
        rivals = [c for c in self._verdicts() if c is not column and c.name not in self.open_names]
        sides = [c for c in self.columns.values() if c.verdict_like and self._names_sides(c)]
        others = sides and not any(share(c, column) for c in sides if c is not column)
        if self.roles.layout == "pairwise" and others and column not in sides:
            self._set(
                [column.name], *self._beside_votes(column)
            )  # it says not which answer is better
            return
        if column.ends({"version", "ver"}) and self._is_judge_word(column):
            self._set([column.name], "slice", "the name says which version judged")
            return
        if not _DELIVERED.isdisjoint(column.leaf) and column.binary:
            self._set([column.name], "slice", "the name says what was done with it")
            return
        if self._is_of_prompts(column) and column not in sides and not self._names_systems(column):
            self._set(
                [column.name], "slice", "the same on all outputs of a prompt, as no verdict is"
            )
            return
        if {*column.leaf} - {"label", "class", "category"} <= REFERENCES:
            self._who_gave(column)
        elif not settled and not scores and self.stated.judges is None:
            self._plain(column, rivals)
        elif peers := self._peers(column, rivals):
            why = "columns that share their answers"
            self._set([c.name for c in (column, *peers)], "judge", why)
        else:
            self._beside_others(column, rivals)

    def _is_of_prompts(self, column: Evidence) -> bool:
        """Whether a column is alike within each of 10 prompts or more, where verdicts are not."""
        prompts = self._repeated("prompt")
        verdicts = [c for c in self._named("judge", "human", "score") if c.filled == self.n]
        return column.filled == self.n and any(
            self.n - len(p.texts) >= 10
            and settles(p, column)
            and any(not settles(p, c) for c in verdicts)
            for p in prompts
        )

    def _beside_others(self, column: Evidence, rivals: Sequence[Evidence]) -> None:
        """Decide on verdicts under a name that says nothing, beside judges, people or scores."""
        scores = self._named("score")
        settled = self._named("judge", "human")
        others = [*rivals, *(self.columns[name] for name in self.open_names)]
        shared = any(share(column, c) for c in settled)
        close = self._agreement_with(column, settled + scores)
        weak = column.ends(WEAK_HUMAN) or column.low in ("correct?", "is correct")
        if not settled and column.low == "status" and set(column.labels) == {"pass", "fail"}:
            self._set([column.name], "judge", "it says pass and fail")
        elif not settled and not shared and any(_go_together(column, c) for c in others):
            self._who_gave(column)  # it agrees with others beside numbers
        elif not settled and not shared:
            self._beside_scores(column, close, weak=weak)
        elif settled and self._is_of_another_scale(column, settled):
            if close > 0.5:
                self._who_gave(column)
            else:
                self._set([column.name], "covariate", "numbers on another scale than the grades")
        elif not shared and self._is_sparse(column) and _is_good_or_bad(column):
            self._who_gave(column)  # ok and nok beside 1 and 0
        elif not shared and self._may_be_grades(column, close):
            self._who_gave(column)
        elif not shared and not self._same_question(column, settled, close):
            named = column.ends(KINDS_OF_VERDICT, WEAK, WEAK_HUMAN)
            if named and (column.speaks or (column.binary and not column.binary_flag)):
                self._ask_if_judge(column)
            else:
                self._group_or_ask(column)
        else:
            self._beside_judges(column, close, weak=weak)

    def _peers(self, column: Evidence, rivals: Sequence[Evidence]) -> list[Evidence]:
        """Verdicts of two labels that agree with a column's, where a person is named and no judge yet."""
        if self._named("judge", "score") or column.binary_flag or len(column.labels) != 2:
            return []
        if any(share(column, c) for c in self._named("human")):
            return []
        two = [c for c in rivals if len(c.labels) == 2 and not c.binary_flag and share(c, column)]
        two = [c for c in two if c.filled >= 0.9 * self.n]
        strong = [agreement(column, c) for c in two]
        return [c for c, (k, n) in zip(two, strong, strict=True) if k > 0.2 and k * np.sqrt(n) > 4]

    def _is_of_another_scale(self, column: Evidence, settled: Sequence[Evidence]) -> bool:
        """Whether numbers under a name that says no judging lie beyond people's and judges' grades."""
        if not may_measure(column) or column.says(CRITERIA, OF_PEOPLE):
            return False
        if column.ends(GRADED, WEAK, WEAK_HUMAN):
            return False
        if self._is_judge_word(column) or self._is_model(column) or column.says(MACHINE):
            return False
        grades = [c.numbers for c in settled if c.numeric and not c.binary]
        if sum(int((~np.isnan(own)).sum()) for own in grades) < SURELY_RECODED:
            return False  # few answers do not show a scale
        low, high = min(map(np.nanmin, grades)), max(map(np.nanmax, grades))
        return bool(np.nanmin(column.numbers) < low or np.nanmax(column.numbers) > high)

    def _beside_scores(self, column: Evidence, close: float, *, weak: bool) -> None:
        """Decide on labels where all others are numbers."""
        if weak:
            self._set([column.name], "human", "the name says a true label, beside scores")
        elif (close > 0.3 and (len(column.labels) == 2 or column.numeric)) or (
            (column.numeric or _is_good_or_bad(column) or column.speaks)
            and self._is_sparse_beside_scores(column)
        ):
            self._who_gave(column)
        else:
            self._group_or_ask(column)

    def _group_or_ask(self, column: Evidence) -> None:
        """Name a group, unless it goes along with verdicts and differs within a prompt, as no group does."""
        prompts = self._repeated("prompt", "item")
        words = {*GOOD_LABELS, *BAD_LABELS, *NEUTRAL_BAD}
        says = not words.isdisjoint(column.labels) or column.ends(WEAK, WEAK_HUMAN)
        grouped = any(settles(p, column) for p in prompts) or column.ends(SLICE, SYSTEM) or not says
        least = (
            2.5 if 4 * column.answered <= 3 * self.n else 4
        )  # labels on a part may be a person's
        measure = may_measure(column) or names_setups(column)
        if column.speaks and not column.ends(SLICE, SYSTEM) and 10 * column.answered >= 9 * self.n:
            self._ask_if_judge(column)  # pass and fail on all rows are no group
        elif measure or grouped or not self._goes_with(column, least):
            self._set([column.name], *self._beside_votes(column))
        else:
            self._who_gave(column)

    def _beside_judges(self, column: Evidence, close: float, *, weak: bool) -> None:
        """Decide on verdicts that judges or people give, too."""
        people, sparse = self._named("human"), self._is_sparse(column)
        plain = not column.binary and not column.ends(WEAK)
        alone = (
            len(people) > 1
            and not self.stated.human
            and not self._named("judge")
            and sum(c.verdict_like for c in self.free) == 1
        )
        unproven = may_measure(column) and not (
            column.ends(CRITERIA, GRADED) or column.says(MACHINE)
        )
        others = [
            c for c in (*self._named("judge"), *self._verdicts()) if c is not column and c.numeric
        ]
        least = (
            3 if others else 2
        )  # of z, by which chance shows agreement in 1 of 700 tables, or of 40
        unproven &= all(
            k <= 0.3 or k * np.sqrt(n) < least for k, n in agreements_with(column, people)
        )
        if alone and not self.named_judges:
            self._who_gave(column)
        elif unproven and people and plain and not self._is_model(column):
            self._ask_if_judge(column)
        elif not self.named_judges and people and plain and not sparse:
            self._set([column.name], "judge", "it shares its answers with what people said")
        elif weak and column.says({"label", "labels", "annotation"}) and not people:
            self._set([column.name], "human", "the name says the labels")
        elif sparse or column.ends(WEAK, WEAK_HUMAN) or column.says({"final"}):
            self._who_gave(column)
        elif close <= 0.3 and column.ends(SLICE) and not column.speaks:
            self._set([column.name], *self._beside_votes(column))
        elif close <= 0.3:
            self._ask_if_judge(column)
        else:
            self._who_gave(column)

    def _plain(self, column: Evidence, rivals: Sequence[Evidence]) -> None:
        """Decide where no column is named as a judge or a person: columns that share labels vote."""
        alike = self._of_its_labels(column, rivals)
        if not alike:
            return
        keys = [c for c in alike if c.low in ("label", "labels")]
        if keys and all(c.ends(WEAK) for c in alike if c not in keys) and len(alike) > 1:
            for entry in alike:
                self._who_gave(entry)
        elif (
            len(alike) > (1 if self._named("text") else 2)
            and sum(map(self._is_sparse, alike)) == 1
            and not keys
        ):
            self._ask_of_odd(next(c for c in alike if self._is_sparse(c)), alike)
        elif odd := _decision_beside(alike):
            self._ask_of_odd(odd, alike)
        elif len(alike) > 1 and not keys and not self._may_be_a_panel(alike):
            for entry in alike:
                self._who_gave(entry)
        elif len(alike) > 1:
            self._set(
                [c.name for c in alike if c not in keys],
                "judge",
                "columns that share their answers",
            )
            self._set([c.name for c in keys], "human", "the name says the labels")
        elif (any(c.speaks for c in rivals) and not column.speaks) or self._is_id_or_group(column):
            self._set([column.name], *self._beside_votes(column))
        else:
            self._alone(column, rivals)

    def _may_be_a_panel(self, alike: Sequence[Evidence]) -> bool:
        """Whether columns are called alike, or stand on all rows beside a verdict that is on a part."""
        dense = all(10 * c.answered >= 9 * self.n for c in alike)
        beside = [c for c in self.columns.values() if c.verdict_like and c not in alike]
        part = dense and any(map(self._is_sparse, beside))
        ids = self.n < 5 and any(item_columns([c.name]) for c in alike)
        return part or ids or _are_called_alike(alike)

    def _ask_of_odd(self, odd: Evidence, alike: Sequence[Evidence]) -> None:
        """Ask who gave one of columns that share their answers; the others are judges."""
        others = [c.name for c in alike if c is not odd]
        self._set(others, "judge", "columns that share their answers")
        self._who_gave(odd)

    def _of_its_labels(self, column: Evidence, rivals: Sequence[Evidence]) -> list[Evidence]:
        """Columns that share labels with one, itself first; none where it is asked about.

        Those that go their own way, and two measures, are asked about.
        """
        alike = [column]
        for entry in alike:  # grows by those that share a label with one that does
            more = [c for c in rivals if c not in alike and share(c, entry)]
            alike += [c for c in more if _of_like_kind(c, entry)]
        odd = [c for c in alike if len(alike) > 2 and _is_apart_from(c, alike)]
        if len(alike) == 2 and len(rivals) > 1 and self._are_measures(alike):
            odd = alike
        for entry in odd:
            self._ask_if_judge(entry)
        return [] if column in odd else [c for c in alike if c not in odd]

    def _are_measures(self, pair: Sequence[Evidence]) -> bool:
        """Whether two columns of numbers that agree no more than by chance may be measures: age and floor."""
        plain = all(may_measure(c) and not c.ends(CRITERIA, GRADED, WEAK) for c in pair)
        kappa, n = agreement(*pair) if plain else (1.0, 1)
        return plain and kappa * np.sqrt(n) < 2

    def _is_id_or_group(self, column: Evidence) -> bool:
        """Whether words that are no verdicts are ids by their name, or a form's."""
        verdicts = column.speaks or column.binary or column.numeric or column.ends(WEAK)
        form = any(map(is_question, self.open_names))
        return not (verdicts or self._is_judge_word(column)) and (column.ends(ID) or form)

    def _alone(self, column: Evidence, rivals: Sequence[Evidence]) -> None:
        """Decide on verdicts that share no label with others, where nobody is named."""
        if not rivals and column.answered < 0.6 * self.n and self._has_dense_numbers():
            self._who_gave(column)
        elif (
            column.numeric
            and len(column.labels) > 2
            and any(c.is_score and not c.ends(COVARIATE) for c in self.free)
            and not column.ends(WEAK, CRITERIA, GRADED)
        ):
            self._ask_if_judge(column)
        elif not rivals and self.open_names and may_measure(column) and not column.ends(GRADED):
            self._group_or_ask(column)
        elif not rivals or column.speaks or column.ends(WEAK, CRITERIA):
            self._set([column.name], "judge", "the only column of verdicts")
        else:
            self._is_a_judge(column)

    def _has_dense_numbers(self) -> bool:
        return any(c.is_score and c.filled >= 0.9 * self.n for c in self.free)

    def _same_question(self, column: Evidence, settled: Sequence[Evidence], close: float) -> bool:
        two = len(column.labels) == 2 and any(len(c.labels) == 2 for c in settled)
        return close > 0.5 and two

    def _may_be_grades(self, column: Evidence, close: float) -> bool:
        """Whether a few whole numbers under an unknown name may be somebody's grades of the outputs."""
        several = column.verdict_like_numbers and len(column.labels) > 2
        return several and (close > 0.3 or self._is_sparse(column))

    def _is_sparse_beside_scores(self, column: Evidence) -> bool:
        scores = self._named("score")
        return column.filled < 0.6 * self.n and any(c.filled >= 0.9 * self.n for c in scores)

    def _is_a_judge(self, column: Evidence) -> None:
        verdict = {*GOOD_LABELS, *BAD_LABELS, *NEUTRAL_BAD}
        judged = any(
            c.speaks or c.numeric or c.binary for c in self.columns.values() if c is not column
        )
        if not column.numeric and verdict.isdisjoint(column.labels) and judged:
            self._set(
                [column.name], "slice", "a group: its words are no verdicts, and no judge says them"
            )
            return
        self._ask_if_judge(column)

    def _no_verdict(self, column: Evidence) -> None:
        """Name a column that holds no verdicts and no role."""
        if column.is_score:
            return  # all numbers together, below
        if column.unique and not column.numeric and not column.sentences:
            self._set([column.name], "ignored", "a second id: one value a row")
        elif column.figures:
            self._set(
                [column.name], "ignored", "numbers with marks: write them without, to use them"
            )
        elif len(column.texts) > max(12, self.n // 4):
            self._set([column.name], "text", "words to show")
        else:
            self._set([column.name], "slice", "a group")

    def _may_average_people(self, column: Evidence, *, machine: bool) -> bool:
        said = column.says(_PERHAPS_OF_PEOPLE) and not column.says(CONFIDENT, COVARIATE)
        return said and not machine

    def _is_fine_score(self, column: Evidence, *, unit: bool) -> bool:
        fine = unit and self._is_fine(column) and not column.says(_PERHAPS_OF_PEOPLE, OF_PEOPLE)
        return fine and bool(self._goes_with(column))

    def _number_columns(self) -> None:
        """Decide on numbers that are no grades: scores of judges, or measures."""
        settled = [*self._named("judge", "human", "score")]
        several = sum(c.is_score and not c.says(COVARIATE) for c in self.free) > 1
        for column in sorted(self.free, key=lambda c: not c.ends(CRITERIA, GRADED)):
            if column.name in self.open_names or not column.is_score:
                continue
            unit = bool(np.nanmin(column.numbers) >= 0 and np.nanmax(column.numbers) <= 1)
            close = self._agreement_with(column, [c for c in settled if c is not column])
            named = self._is_called_score(column, close, unit=unit)
            machine = self._is_model(column) or self._is_judge_word(column)
            machine = machine or stems(column.words, METRICS) or bool(column.parents)
            scores = [c for c in self._named("score") if " name" in self._why(c)]
            alone = not self._named("judge") and not scores
            if column.says({"time"}) or (column.says(COVARIATE) and not named):
                self._set([column.name], "covariate", "the name says a measure")
            elif not named and unit and column.is_decimal and alone and column.filled == self.n:
                self._set([column.name], "score", "numbers from 0 to 1, and nobody else judges")
            elif not named and self._is_fine_score(column, unit=unit):
                self._set([column.name], "score", "from 0 to 1 in steps that no person takes")
            elif (
                ((several or settled) and self._may_average_people(column, machine=machine))
                or self._may_be_persons(column, close, machine=machine)
                or (not named and any(_same_scale(column, c) for c in scores))
                or (named and not machine and self._agrees_with_nobody(column, settled))
            ):
                self._who_gave(column)
            elif named or not settled or (unit and close > 0.3 and self._named("score")):
                why = "numbers of a judge, by its name" if named else "numbers of a judge"
                self._set([column.name], "score", why)
            elif close > 0.5 and (self._is_fine(column) or self._is_machines_by_coverage(column)):
                self._set([column.name], "score", "numbers of a judge")
            elif close > 0.5 or (self._named("score") and self._may_be_peoples(column, close)):
                self._who_gave(column)
            else:
                self._no_grade(column)

    @staticmethod
    def _agrees_with_nobody(column: Evidence, others: Sequence[Evidence]) -> bool:
        """Whether whole numbers agree with none of others by more than chance: a pupil's grade of essays.

        Of each there must be 30 rows or more.
        """
        with_all = agreements_with(column, [c for c in others if c is not column])
        chance = all(n >= 30 and k * np.sqrt(n) < 2.5 for k, n in with_all)
        return bool(with_all) and chance and not column.is_decimal

    def _no_grade(self, column: Evidence) -> None:
        """Take numbers that are no grades for measures, and long ones, another on each row, for ids."""
        if column.unique and _numbers_of_ids(column):
            first = self.roles.layout == "wide" and not (self.roles.item or self.stated.item)
            self._set([column.name], "item" if first else "ignored", NUMBERS_OF_IDS)
            self.roles.item = (column.name,) if first else self.roles.item
            return
        instead = f"unless {option('human')} or {option('judges')} says so"
        self._set([column.name], "covariate", f"{NO_GRADE}: a measure, {instead}")

    def _may_be_peoples(self, column: Evidence, close: float) -> bool:
        """Whether numbers beside scores agree with them, are sparse, or called as those of translations."""
        assessed = column.says({"da"}) or column.low == "direct assessment"
        return close > 0.3 or assessed or self._is_sparse_beside_scores(column)

    def _is_called_score(self, column: Evidence, close: float, *, unit: bool) -> bool:
        """Whether numbers are called like a judge's scores; between 0 and 1 (`unit`), like bad news."""
        scored = column.ends(CRITERIA, GRADED) or any(w.endswith("score") for w in column.leaf)
        machine = column.says(MACHINE) and (column.says(WEAK) or close > 0.3)
        return scored or machine or self._is_judge_word(column) or (unit and column.is_bad_news)

    def _is_machines_by_coverage(self, column: Evidence) -> bool:
        """Whether numbers stand on all rows, some no whole ones, where people answered a part."""
        people = self._named("human")
        scored = column.ends(GRADED) or any(w.endswith("score") for w in column.leaf)
        whole = 20 * column.filled >= 19 * self.n and (column.is_decimal or scored)
        return whole and bool(people) and all(10 * c.answered <= 9 * self.n for c in people)

    def _is_fine(self, column: Evidence) -> bool:
        """Whether numbers on nearly all rows have thousandths, or go beyond 100 in steps of 1."""
        fine = sum(len(text.partition(".")[2]) > 2 for text in column.texts)
        wide = len(column.texts) > 60 and bool(np.nanmax(column.numbers) > 100)
        many = 2 * fine > len(column.texts) > 20 or wide
        return 10 * column.filled >= 9 * self.n and many

    def _may_be_persons(self, column: Evidence, close: float, *, machine: bool) -> bool:
        """Whether numbers under an unknown name may be a person's: sparse, or close to what people said."""
        people = bool(self._named("human"))
        if column.says(MACHINE) or self._is_fine(column) or self._is_machines_by_coverage(column):
            return False
        if not machine and self._is_sparse_beside_scores(column) and (close > 0.3 or not people):
            return True
        return (
            people
            and close > 0.5
            and not (self._is_model(column) or self._is_judge_word(column))
            and not stems(column.words, METRICS)
            and not column.ends(CONFIDENT, CRITERIA, {"preference"})
        )

    # --- labels that were taken for groups

    def _labels_on_a_part(self) -> None:
        """Look again at groups and measures on a part of the rows that people may have said.

        So are words of which one is good or bad, where nobody else is a person; and what agrees with
        judges or people as by chance it hardly does.
        """
        if self.roles.layout != "wide" or self.stated.human or self.stated.judges is not None:
            return
        settled = self._named("judge", "score", "human")
        for column in self._named("slice", "covariate", "system"):
            part = self.n <= 20 * column.answered <= 18 * self.n and column.answered >= 10
            if not (part and column.verdict_like) or self._why(column) == "as you say":
                continue
            if column.ends(CONFIDENT, DONE):
                continue
            alike = [c for c in settled if column.numeric or share(column, c)]
            close = [k * np.sqrt(n) for k, n in agreements_with(column, alike) if k > 0.5]
            says = not self._named("human") and self._says_verdicts(column)
            if not (says or max(close, default=0) > 3):
                continue
            del self.decided[column.name]
            self._who_gave(column)
        if not self._named("human") and not self.open_names:
            self._ask_of_reviewers()

    def _ask_of_reviewers(self) -> None:
        """Add the question whether a reviewer's column of two to four words holds verdicts or names."""
        for column in self._named("slice"):
            words = column.verdict_like and 1 < len(column.labels) <= 4 and not column.numeric
            called = self._why(column) == UNLIKE_HUMAN
            first = {word for label in column.labels for word in label.split()} & FIRST_NAMES
            if called and words and not first:
                del self.decided[column.name]
                self._ask(
                    f"Does {column.name!r} say who answered, or what they said?",
                    [column.name],
                    [answered("human", column.name), answered("slice", column.name)],
                )

    # --- people who answered another question

    def _grades_beside_words(self) -> None:
        """Take judges' grades for scores where people say a good and a bad word, so that none is the same."""
        people = [c for c in self._named("human") if c.verdict_like]
        labels = {label for c in people for label in c.labels}
        if self.roles.layout not in ("wide", "long"):
            return
        wide = self.roles.layout == "wide"
        judges = self._named("judge" if wide else "answer")
        scores = [c for c in self._named("human") if c.is_score]
        if wide and scores and not people and not any(share(c, j) for c in scores for j in judges):
            names = [c.name for c in judges if c.numeric]
            names = [name for name in names if self.decided[name].why != "as you say"]
            self._set(names, "score", "grades, where people gave numbers")
        if good_label(labels) is None and all(as_number(label) is not None for label in labels):
            return
        most = max((float(x) for c in judges if c.numeric for x in c.labels), default=0.0)
        if any(c.numeric and (not c.binary or most <= 2) for c in people):
            return
        said = [c for c in judges if self._why(c) == "as you say"]
        grades = [c for c in judges if c.numeric and not c.binary and len(c.labels) > 2]
        if self.roles.layout == "long":
            stated = [c for c in people if self._why(c) == "as you say"]
            if grades and not stated:
                self._set([c.name for c in people], "slice", UNLIKE_HUMAN)
            return
        if not said or len(grades) == len(judges):
            why = "grades, where people say yes or no"
            self._set([c.name for c in grades], "score", why)

    def _people_of_other_questions(self) -> None:
        """Leave out, or ask about, people's columns that have no label in common with the people's others.

        Those who answer as the judges do stay: a thumb beside a reviewer's verdict is another question.
        """
        if self.roles.layout not in ("wide", "pairwise"):
            return
        groups = groups_that_share(self._named("human"))
        if len(groups) < 2 or self._say_the_same(groups) or self._are_renamed(groups):
            return
        judges = self._named("judge")
        fitting = [g for g in groups if any(share(c, j) for c in g for j in judges)]
        stated = [g for g in groups if any(self._why(c) == "as you say" for c in g)]
        kept = stated or fitting or groups
        reviewers = [g for g in kept if not all(_says_a_user(c) for c in g)]
        kept = kept if stated else reviewers or kept
        if len(kept) > 1:
            self._ask_which_people(kept, judges)
        first = kept[0][0].name
        for column in (c for g in groups if g not in kept for c in g):
            kind = "a user's" if _says_a_user(column) else "a person's"
            instead = option("human", column.name)
            why = f"{kind}, with no label of {first!r}: {instead} takes it instead"
            together = self._words_alike(column, kept[0][0])
            why += f", {together} both" if together else ""
            counted = column.numeric and not column.binary and column.says({"thumbs"})
            self._set([column.name], "covariate" if counted else "human", why)
            self.roles.aside.add(column.name)

    def _words_alike(self, column: Evidence, first: Evidence) -> str:
        """Options by which two people's labels both count, in the likelier words; "" of three or more."""
        if len(column.labels) != 2 or len(first.labels) != 2:
            return ""
        pairs = likeliest_words(column, first)[0]
        return both(answered("human", first.name, column.name), answered("same", *pairs))

    def _are_renamed(self, groups: Sequence[Sequence[Evidence]]) -> bool:
        """Whether labels of people's columns are those of others under the names that were stated."""
        same = self.stated.same
        said = [{same.get(label, label) for c in g for label in forms_of(c)} for g in groups]
        return bool(same) and all(own & said[0] for own in said[1:])

    def _say_the_same(self, groups: Sequence[Sequence[Evidence]]) -> bool:
        """Whether people say good and bad in two pairs of words, alike on the rows that both have."""
        first, *others = [g[0] for g in groups]
        for other in others:
            labels = [list(c.labels) for c in (first, other)]
            two = all(len(own) == 2 and good_label(own) is not None for own in labels)
            phi, n = agreement(first, other) if two else (0.0, 0)
            if not two or n < 20 or phi < 0.6 or not _good_together(first, other):
                return False
        return True

    def _ask_which_people(
        self, groups: Sequence[Sequence[Evidence]], judges: Sequence[Evidence]
    ) -> None:
        """Add the question which of people's columns, each of labels of its own, holds the truth."""
        names = [c.name for g in groups for c in g]
        answers = []
        for group in groups:
            own = answered("human", *(c.name for c in group))
            fits = [j.name for j in judges if any(share(c, j) for c in group)]
            others = [n for n in names if n not in [c.name for c in group]]
            was_said = not set(self.stated.human).isdisjoint(others)
            rest = answered("ignore" if was_said else "slice", *others)
            if fits and len(fits) < len(judges):
                own = both(own, answered("judges", *fits))
            answers.append(both(own, rest))
        if len(groups) == 2 and all(len(g[0].labels) == 2 for g in groups):
            own = answered("human", *names)
            fit = any(share(groups[1][0], j) for j in judges)
            first, other = (groups[0][0], groups[1][0]) if fit else (groups[1][0], groups[0][0])
            answers += [both(own, answered("same", *p)) for p in likeliest_words(first, other)]
        self._reopen(names)
        self._ask(
            f"Which holds the labels that judges are to match: {' or '.join(map(repr, names))}? They have no "
            "label in common.",
            names,
            answers,
        )

    # --- runs of one judge

    def _runs(self) -> None:
        groups: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for column in self._named("judge"):
            marked = re.fullmatch(
                r"(.+?)[_ .-]?(?:run|rep|trial|sample|epoch|seed|try|pass)[_ .-]?(\d+)",
                column.name,
                re.IGNORECASE,
            )
            model = re.fullmatch(r"(.+?)[_ -](\d)", column.name)
            if marked:
                groups[marked.group(1)].append((int(marked.group(2)), column.name))
            elif model and stems(pieces(model.group(1)), MODELS):
                groups[model.group(1)].append((int(model.group(2)), column.name))
        for stem, picked in groups.items():
            numbers = sorted(k for k, _ in picked)
            if (
                len(picked) > 1
                and numbers[0] in (0, 1)
                and all(b - a == 1 for a, b in pairwise(numbers))
            ):
                for k, name in picked:
                    self.roles.runs[name] = stem
                    self._set([name], "judge", f"run {k} of {stem}")

    # --- rows that judge the same output again

    def _repeats(self) -> None:
        """Take rows of one item for repeated judgements; ask where people gave them other labels."""
        if self.roles.layout != "wide" or not self.roles.item or self.roles.pairs:
            return
        ids = [self.columns[n] for n in self.roles.item]
        if each_once(ids) or (rows := together(ids)) is None:
            return
        self.roles.repeats |= self.stated.repeats or bool(self._named("trial"))
        for column in () if self.stated.repeats or self.stated.item else self._named("human"):
            row, said = rows[column.codes >= 0], column.codes[column.codes >= 0]
            if self.roles.repeats and len({*zip(row, said, strict=True)}) > len({*row}):
                self._ask_why(ids[0], f" People's labels in {column.name!r} differ within it.")
                return

    # --- a group nobody named that crosses the prompts exactly

    def _crossed(self) -> None:
        """Add the question what a group under an unknown name is that makes the rows of one id differ."""
        if self.roles.layout != "wide" or self.roles.repeats or self.stated.repeats:
            return
        partners = [c for c in self._named("system", "trial") if c.filled == self.n]
        slices = [c for c in self._named("slice") if c.filled == self.n]
        ids = self._repeated("prompt", "item")
        no_prompts = (NO_PROMPT, "ids that repeat")
        ids += [c for c in slices if self._why(c).startswith(no_prompts) or c.words[-1:] == ["id"]]
        open_whys = ("a group", "a number beside the answers", NO_GRADE, NO_PROMPT, APART)
        groups = [
            c
            for c in self._named("slice", "covariate")
            if (self._why(c).partition(":")[0] in open_whys or c.ends(SYSTEM) or c.low == "source")
            and self._why(c) != "as you say"
            and not c.ends(
                SLICE - {"source"}, COVARIATE, ID, {"email", "address", "batch", "wave", "shard"}
            )
            and 1 < len(c.texts) <= 12
            and not c.is_decimal
        ]
        by_row = bool(self.roles.item) and self.columns[self.roles.item[0]].unique and not ids
        for column in (*ids, *(() if by_row else (*self._by_prompt_name(), *self._may_be_ids()))):
            if partners and each_once([column, *partners]):
                whole = self._named("system") and not self._named("prompt")
                if whole and 2 * len(column.texts) <= self.n:
                    self._set([column.name], "prompt", ONCE_EACH)
                return
            for parts in (*([c] for c in groups), *map(list, combinations(groups, 2))):
                if column not in parts and self._crosses([column, *partners], parts):
                    self._ask_parts(column, parts, partners)
                    return
        if not partners and not self.stated.system:
            self._ask_setups(groups)

    def _by_prompt_name(self) -> list[Evidence]:
        """Groups that are called like what is asked, as a scenario."""
        named = [c for c in self._named("slice") if c.ends(PROMPT, ID) and not c.ends(SLICE)]
        named = [c for c in named if c.filled == self.n and len(c.texts) > 4]
        return [c for c in named if self._why(c) != "as you say"]

    def _ask_parts(
        self, column: Evidence, parts: Sequence[Evidence], partners: Sequence[Evidence]
    ) -> None:
        self._reopen([part.name for part in parts])
        first = parts[0]
        rows = f"Rows of one {column.name!r} differ in"
        if len(parts) == 1 and not partners:
            self._ask_system_or_judge(first)
            named = self.decided.get(first.name, NONE_OF_THEM).role == "system"
            if named and not self._named("prompt") and self._why(column).startswith(NO_PROMPT):
                self._set([column.name], "prompt", ONCE_EACH)
            return
        if len(parts) == 1 and not first.numeric and all(c.ends(TRIAL) for c in partners):
            why = "outputs of one prompt differ by it in each repetition"
            self._set([first.name], "system", why)
            return
        if len(parts) == 1 and not (first.numeric or says_trial(first) or _counted_words(first)):
            if (said := self._verdicts_on_the_same(column)) is not None:
                self._ask(
                    f"Rows of one {column.name!r} are of the same output and differ in {first.name!r}: does "
                    f"it say who gave {said.name!r}?",
                    [first.name],
                    [
                        both(answered("judge", first.name), answered("answer", said.name)),
                        answered("slice", first.name),
                    ],
                )
                return
            self._set([first.name], "slice", "several outputs of one input, in words")
            return
        if len(parts) == 1:
            answers = [answered(what, first.name) for what in ("trial", "slice")]
            question = f"{rows} {first.name!r}: which repetition is it?"
        else:
            first, last = sorted(parts, key=lambda c: not names_setups(c))
            names = f"{first.name!r} and {last.name!r}"
            answers = [
                both(answered("system", a.name), answered("trial", b.name))
                for a, b in ((first, last), (last, first))
            ]
            question = (
                f"{rows} {names}: which says whose output was judged, and which the repetition?"
            )
        self._ask(question, [c.name for c in parts], answers)

    def _verdicts_on_the_same(self, column: Evidence) -> Evidence | None:
        """Verdicts that differ between rows of an id whose outputs are the same; None where these differ."""
        outputs = [c for c in self._named("text") if c.answers]
        same = outputs and all(settles(column, c) for c in (*outputs, *self._named("system")))
        verdicts = [c for c in self._named("judge", "score") if not settles(column, c)]
        return verdicts[0] if same and len(verdicts) == 1 else None

    def _ask_setups(self, groups: Sequence[Evidence]) -> None:
        """Add the question whether models, versions or arms of a test say whose output was judged."""
        for column in groups:
            if names_setups(column):
                self.decided.pop(column.name, None)
                self._ask_system_or_judge(column)
                return


def models_and_others(raters: Sequence[str]) -> tuple[list[str], list[str]]:
    """Raters named like models, and those named like neither a model, a judge nor a person's part."""
    models = [text for text in raters if stems(pieces(text), MODELS)]
    plain = [
        text
        for text in raters
        if text not in models
        and {w.rstrip("0123456789") for w in pieces(text)}.isdisjoint(JUDGE | HUMAN)
    ]
    return models, plain


def _like_people(raters: Sequence[str]) -> bool:
    """Whether most raters are named like people: by first names, addresses, or as annotators."""
    stem = [{w.rstrip("0123456789") for w in pieces(text.lower())} for text in raters[:50]]
    person = OF_RATERS_WHO_ARE_PEOPLE | FIRST_NAMES
    people = sum(
        "@" in text or not person.isdisjoint(some) for text, some in zip(raters, stem, strict=False)
    )
    return 2 * people > len(stem)


def _like_raters(texts: Sequence[str]) -> bool:
    """Whether texts name models or people."""
    return _like_people(texts) or any(stems(pieces(text), MODELS) for text in texts)


def people_beside_models(raters: Sequence[str]) -> frozenset[str]:
    """Raters named like people, as by first names, where all others are named like models."""
    models, others = models_and_others(raters)
    full = models and others and len(models) + len(others) == len(raters)
    return frozenset(others) if full and _like_people(others) else frozenset()


def roles_of(table: Table, stated: Stated) -> Roles:
    """Role of every column of a table, and what must be asked."""
    parted = any(note.endswith("read as CSV") for note in table.notes)
    columns = {n: Evidence.of(table, n, stated.labels, parted=parted) for n in table.names}
    settle_commas(columns.values())
    _share_none(columns.values())
    _share_waiting(columns.values())
    _share_few(columns.values())
    people = table.people if isinstance(table, MemoryTable) else frozenset()
    if people and not (stated.people or stated.raters or stated.human):
        stated = replace(stated, people=tuple(sorted(people)))
    reading = Order(columns, stated, table.index.columns, named=table.index.named)
    reading.decide()
    if isinstance(table, MemoryTable):
        if table.people:
            reading.roles.people_named = table.people
        reading.roles.file = table.file
    _say_origins(reading.roles, table)
    reading.roles.said = tuple(note for note in table.notes if isinstance(note, Caution))
    return reading.roles


def roles_in_file(roles: Roles) -> Roles:
    """Roles of the columns that the file has, where a tool's reader made others of them."""
    if roles.file is None:
        return roles
    try:
        held = open_table(roles.file) if isinstance(roles.file, Path) else roles.file()
        own = roles_of(held, Stated())
    except DataError:
        return roles  # the file is gone
    return roles if own.questions else own


def _say_origins(roles: Roles, table: Table) -> None:
    """Name, for each column that a tool's reader makes, what it is in the tool's file."""
    said = next((note for note in table.notes if note.startswith("item: ")), None)
    if said is None or not any("read as a file of" in note for note in table.notes):
        return
    origins = dict(part.split(": ", 1) for part in said.split("; ") if ": " in part)
    names = {"item": "item", "judge": "judge", "answer": "answer", "question": "answer"}
    for origin, column in names.items():
        if origin in origins and column in roles.decided:
            what = f"the question {origins[origin]}" if origin == "question" else origins[origin]
            people = column == "judge" and roles.people_named
            why = f"{what}; people's answers are the labels" if people else what
            roles.decided[column] = Decision(roles.decided[column].role, f"of the tool: {why}")


def _share_few(columns: Collection[Evidence]) -> None:
    """Take for verdicts a column's few answers, each hardly twice, in the words of verdicts of another."""
    verdicts = [c for c in columns if c.verdict_like and len(c.labels) > 1]
    for column in columns:
        sparse = not column.many and 0 < column.answered < 0.6 * column.n_rows
        if sparse and not column.verdict_like and len(column.labels) > 1:
            own = set(column.labels)
            column.of_others = any(own <= set(c.labels) for c in verdicts)
            column.of_others |= _are_often_said(column, [c for c in columns if c is not column])


def _are_often_said(column: Evidence, others: Sequence[Evidence]) -> bool:
    """Whether a column's few answers are those of others, of a judge among them, and said twice by all."""
    own = set(column.labels)
    alike = [c for c in others if not c.many and 2 * len(own & set(c.labels)) >= len(own)]
    judged = any(c.verdict_like or stems(c.words, MODELS) for c in alike)
    words = own.union(*(c.labels for c in alike))
    n = column.answered + sum(c.answered for c in alike)
    longest = max((len(word) for word in words), default=0)
    return judged and 2 * len(words) <= n and len(words) <= MOST_VERDICTS and longest <= 40


def _share_waiting(columns: Iterable[Evidence]) -> None:
    """Take 'not reviewed' for no label beside the labels of another column, where it is none."""
    verdicts = [c for c in columns if c.verdict_like and not c.parted_by_waiting[0]]
    for column in columns:
        waiting, rest = column.parted_by_waiting
        if waiting and not column.waiting and any(rest and rest <= set(c.labels) for c in verdicts):
            column.waiting = waiting
            column.__dict__.pop("labels", None)


def _share_none(columns: Iterable[Evidence]) -> None:
    """Take 'none' for a label in columns of the words of one where it is one."""
    keepers = [c for c in columns if c.none_is_label]
    words = {label for c in keepers for label in c.labels}
    for column in columns:
        if keepers and "none" in column.texts and column not in keepers:
            others = {folded(t) for t in column.texts} - set(MISSING)
            if others <= words:
                column.none_is_label = True
                column.__dict__.pop("labels", None)


def _same_scale(column: Evidence, score: Evidence) -> bool:
    """Whether numbers lie where a score's lie, spread as wide, and are written with as many decimals."""
    low, high = float(np.nanmin(score.numbers)), float(np.nanmax(score.numbers))
    own_low, own_high = float(np.nanmin(column.numbers)), float(np.nanmax(column.numbers))
    span = high - low
    near = low - span / 4 <= own_low and own_high <= high + span / 4
    return bool(span > 0 and near and own_high - own_low >= span / 3) and (
        column.is_decimal == score.is_decimal
    )


def _is_apart_from(column: Evidence, others: Sequence[Evidence]) -> bool:
    """Whether a column says what no other of its group says, and agrees with none of them."""
    rest = [c for c in others if c is not column]
    own = forms_of(column) - set().union(*map(forms_of, rest))
    return bool(own) and all(k * np.sqrt(n) < 2 for k, n in agreements_with(column, rest))


def _is_good_or_bad(column: Evidence) -> bool:
    """Whether a column says one word for good and one for bad, and not yes and no, as a flag may."""
    words = column.labels
    two = len(words) == 2 and not (column.binary or column.numeric)
    return two and good_label(words) is not None


def _of_like_kind(first: Evidence, second: Evidence) -> bool:
    """Whether not one says 0 and 1 where the other has five grades or more, on its own."""
    few, many = sorted((first, second), key=lambda c: len(c.labels))
    if not (first.numeric and second.numeric and few.binary and len(many.labels) > 4):
        return True
    kappa, n = agreement(few, many)
    return bool(kappa * np.sqrt(n) > 3)


def _go_together(first: Evidence, second: Evidence) -> bool:
    """Whether two columns of words share labels, and agree as by chance they hardly do."""
    if first.numeric or second.numeric or not share(first, second):
        return False
    kappa, n = agreement(first, second)
    return bool(kappa > 0.3 and kappa * np.sqrt(n) > 4)


def _numbers_of_ids(column: Evidence) -> bool:
    """Whether whole numbers of six digits or more, all as long, are ids rather than measures."""
    lengths = {len(text) for text in column.texts}
    return len(lengths) == 1 and min(lengths) > 5 and all(map(str.isdigit, column.texts))


def _counted_words(column: Evidence) -> bool:
    """Whether texts end in numbers, as run 1 and run 2 do."""
    return any(text[-1:].isdigit() for text in column.texts)


def _counts_up(column: Evidence) -> bool:
    """Whether the texts are 1 2 3 or 0 1 2, without a gap."""
    numbers = sorted(as_number(text) or 0 for text in column.texts) if column.numeric else []
    return bool(numbers) and numbers[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(numbers))


def _good_together(first: Evidence, second: Evidence) -> bool:
    """Whether two columns of a good and a bad label each mostly say good on the same rows."""
    goods = []
    for column in (first, second):
        good = good_label(column.labels)
        own = np.array([float(folded(t) == good) for t in column.texts] + [np.nan])
        goods.append(np.where(column.codes < 0, np.nan, own[column.codes]))
    both = ~(np.isnan(goods[0]) | np.isnan(goods[1]))
    return bool(both.any()) and bool((goods[0][both] == goods[1][both]).mean() > 0.5)
