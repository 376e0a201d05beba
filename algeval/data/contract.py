"""The contract: which role each column of a table has, by what is said, its exact name, its shape or type.

How full a column is and whom it agrees with decide nothing: they are shown beside the one question.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from algeval.data.column_words import (
    FLAG,
    GROUP,
    JUDGE,
    KIND,
    MEASURE,
    OTHER_SIDE,
    PERSON,
    PROMPT,
    REASON,
    ROWS_OF_TOOLS,
    SHARED,
    SHOWN,
    SIDES,
    SYSTEM,
    TEXT,
    TOOLS,
    TRIAL,
    WINNER,
    bare,
    is_called_id,
    is_called_who,
    is_exact,
    is_family,
    is_kind,
    is_shared,
    says_what,
    who_says,
)
from algeval.data.exports import EXPORTS, Export, export_of
from algeval.data.facts import Facts, differs_within, each_once, named_in, shared_by_all

RULES = {
    "said": "as you say, or a file of columns",
    "tool": "a column of {}",
    "empty": "no cell is filled",
    "row numbers": "it numbers the rows",
    "twice": "the same column again",
    "time": "its cells are times",
    "text": "its cells are texts",
    "reason": "the name says what is written beside a vote",
    "measure": "the name says a measure",
    "judge": "the name says a judge",
    "model": "the name says a model",
    "person": "the name says a person",
    "raters": "numbered people, and nobody else votes",
    "votes table": "a table of ids and votes: each column is a judge",
    "who": "it says who answered",
    "what": "what they answered",
    "pair": "the two systems of a pair",
    "winner": "which of the two is better",
    "order": "the name says the order shown",
    "item": "the name says an id, and no two rows share it",
    "only id": "the only column without repeats",
    "prompt": "the name says what is asked, and rows share it",
    "system": "the name says whose output is judged",
    "trial": "the name says a repetition",
    "rest": "a number, a group or an id beside votes",
}
"""The rules, by name, with the reason that is printed."""

VOTES = ("judge", "score", "human", "answer")


@dataclass(frozen=True)
class Said:
    """What is said of a table: {column: role}, the systems side by side, whether equal ids are repetitions.

    `by` is who says it: "you", or the name of a file of columns; `whole` whether it settles what it leaves
    out, too; `item` the columns of the id in their order.
    """

    roles: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    repeats: bool = False
    by: str = "you"
    whole: bool = False
    item: tuple[str, ...] = ()

    @property
    def judges(self) -> bool:
        """Whether it names the judges' votes."""
        return not {"judge", "score", "answer"}.isdisjoint(self.roles.values())

    @property
    def people(self) -> bool:
        """Whether it names people's votes."""
        return "human" in self.roles.values()


@dataclass
class Reading:
    """What a table is read as: {column: role}, the rule of each, the layout, and what is to be asked.

    `open` are the columns to be asked about, with the roles that are proposed.
    """

    facts: Mapping[str, Facts]
    roles: dict[str, str] = field(default_factory=dict)
    rules: dict[str, str] = field(default_factory=dict)
    layout: str = "wide"  # "long", "pairwise" or "systems"
    item: tuple[str, ...] = ()
    pairs: bool = False
    repeats: bool = False
    people_named: tuple[str, ...] = ()
    runs: dict[str, str] = field(default_factory=dict)
    grid: dict[str, tuple[str, str]] = field(default_factory=dict)
    tool: str = ""
    by: str = "you"
    open: dict[str, str] = field(default_factory=dict)

    def named(self, *roles: str) -> list[str]:
        """Columns of some roles, in the order of the table."""
        return [name for name in self.facts if self.roles.get(name) in roles]

    def of(self, *roles: str) -> list[Facts]:
        """Facts of the columns of some roles."""
        return named_in(self.facts, self.named(*roles))

    def why(self, name: str) -> str:
        """The reason that is printed for a column."""
        if name in self.open:
            return "its role must be asked"
        rule = self.rules[name]
        if rule == "said":
            return "as you say" if self.by == "you" else f"as {self.by} says"
        return RULES[rule].format(self.tool)

    @property
    def unused(self) -> list[str]:
        """Columns that may be votes, by name or cells, and are none here."""
        used = {
            *self.named(*VOTES, "rater", "system", "item", "prompt", "trial", "swap"),
            *self.open,
        }
        columns = [
            c for c in self.facts.values() if c.name not in used and c.kind not in ("empty", "text")
        ]
        return [c.name for c in columns if _may_be_votes(c)]


class _Table:
    """Columns of a table while they get their roles, each rule giving some to those that have none."""

    def __init__(self, facts: Mapping[str, Facts], said: Said, index: Sequence[str]) -> None:
        self.facts, self.said, self.index = facts, said, index
        self.reading = Reading(facts, repeats=said.repeats, by=said.by)
        for name, role in said.roles.items():
            if name in facts:
                self.set(facts[name], role, "said")

    def set(self, column: Facts, role: str, rule: str) -> None:
        self.reading.roles[column.name], self.reading.rules[column.name] = role, rule

    def vote(self, column: Facts, role: str, rule: str) -> None:
        """Give a column a vote's role; a judge's numbers that are no labels are scores."""
        self.set(column, "score" if role == "judge" and column.is_score else role, rule)

    @property
    def free(self) -> list[Facts]:
        taken = self.reading.roles.keys() | self.reading.open.keys()
        return [c for n, c in self.facts.items() if n not in taken]

    # --- types, and tools

    def by_type(self) -> None:
        for column in self.free:
            base = self.facts.get(re.sub(r"\.\d+$", "", column.name), column)
            if column.kind == "empty":
                self.set(column, "ignored", "empty")
            elif base is not column and _same(base, column):
                self.set(column, "ignored", "twice")
            elif column.counts_rows and (_is_written(column) or column.name in self.index):
                self.set(column, "ignored", "row numbers")
            elif column.kind == "time":
                self.set(column, "time", "time")
            elif column.last in REASON:
                self.set(column, "reason", "reason")
            elif column.kind in ("text", "nested"):
                self.set(column, "text", "text")

    def by_tool(self) -> None:
        """Columns under the exact names that a tool gives them."""
        export = export_of(self.facts)
        title, roles = _tool(self.facts, export)
        self.reading.tool = title
        for column in self.free if title else ():
            role = next((r for pattern, r in roles if re.fullmatch(pattern, column.name)), "")
            if role in ("judge", "score"):
                person = who_says(column) == "person" or "user" in column.words
                if not (self.said.people if person else self.said.judges):
                    self.vote(column, "human" if person else "judge", "tool")
            elif role and (role != "item" or column.unique):
                self.set(column, role, "tool")
        if self.said.roles:
            return
        for name, signs, item, who, what in ROWS_OF_TOOLS:
            if {*signs} <= self.facts.keys():
                self.reading.tool = name
                self._rows_of_tool(item, who, what)
                return
        if export is not None and export.who in self.facts and export.item in self.facts:
            patterns = export.answers.split("|")
            answers = [c.name for p in patterns for c in self.free if p and re.fullmatch(p, c.name)]
            if answers:
                self._rows_of_tool(export.item, export.who, answers[0])

    def _rows_of_tool(self, item: str, who: str, what: str) -> None:
        """A tool's table with a row per answer; of several questions an answer is an item each."""
        r, columns = self.reading, self.facts
        if "empty" in (columns[who].kind, columns[what].kind):
            return
        r.layout, r.item = "long", (item,)
        names = [c for c in self.free if c.low == "name" and not c.constant]
        if names and not each_once([columns[item], columns[who]]):
            self.set(names[0], "item", "tool")
            r.item = (item, names[0].name)
        self.set(columns[who], "rater", "tool")
        self.set(columns[what], "answer", "tool")
        self.set(columns[item], "item", "tool")
        self._people_among(columns[who])

    # --- names

    def by_name(self) -> None:
        """Judges, models and people by their exact names; measures beside them."""
        for column in self.free:
            called = column.last in MEASURE or {"confidence", "certainty"} & {*column.words}
            if called and (column.looks_like_votes or column.numbers is not None):
                self._aside(column, "measure")
        votes = [c for c in self.free if who_says(c) and _may_vote(c)]
        settled = {c.name: who_says(c) for c in votes if self._is_named(c, votes)}
        for column in votes:
            who = settled.get(column.name, "")
            if who and not (self.said.people if who == "person" else self.said.judges):
                self.vote(column, "human" if who == "person" else "judge", who)

    def _is_named(self, column: Facts, votes: Sequence[Facts]) -> bool:
        """Whether a name says a vote and whose: it is exact, or in the words of one whose name is."""
        if who_says(column) == "either" or column.low in SYSTEM:
            return False
        exact = [c for c in votes if c is not column and is_exact(c) and not is_called_who(c)]
        if not is_exact(column):
            return any(column.shares(c) for c in exact)
        return not is_called_who(column) or self._holds_votes(column, exact)

    def _holds_votes(self, column: Facts, exact: Sequence[Facts]) -> bool:
        """Whether a column called like who answered holds votes: those of another, or the only ones."""
        others = [
            c
            for c in self.facts.values()
            if c is not column and not is_called_id(c) and c.last not in GROUP
        ]
        others = [
            c
            for c in others
            if self.reading.roles.get(c.name, "judge") in VOTES and c.low not in SYSTEM
        ]
        others = [c for c in others if c in exact or c.looks_like_votes or says_what(c.words)]
        if not others:
            return True
        return any(column.shares(c) for c in others) and not self._tells_rows_apart(column)

    def by_pairs(self) -> None:
        columns = [*self.free, *self.reading.of("system")]
        sides = {c.low: c for c in columns if SIDES.fullmatch(c.low) and c.kind != "text"}
        for low, first in sides.items():
            side = SIDES.fullmatch(low)
            end = OTHER_SIDE.get(side.group(2), "?") if side is not None else "?"
            second = (
                None if side is None else sides.get(low[: side.start(2)] + end + low[side.end(2) :])
            )
            if second is None:
                continue
            for column in (first, second):
                if column.name not in self.reading.roles:
                    self.set(column, "system", "pair")
            self.reading.layout, self.reading.pairs = "pairwise", True
            for column in self.free:
                person = who_says(column) == "person"
                if WINNER & {*column.words} and not (
                    self.said.people if person else self.said.judges
                ):
                    self.vote(column, "human" if person else "judge", "winner")
            return

    def by_order(self) -> None:
        for column in self.free:
            if column.low in SHOWN and len(column.texts) == 2:
                self.set(column, "swap", "order")
        self.reading.pairs |= bool(self.reading.of("swap"))

    # --- a row per answer

    def by_rows(self) -> None:
        """One column of who, one of what, and ids that repeat."""
        r = self.reading
        whos = r.of("rater") or [c for c in self.free if is_called_who(c) and self._says_who(c)]
        if len(whos) != 1:
            return
        whats = r.of("answer") or self._answers_of(whos[0])
        if r.layout == "long" or len(whats) != 1 or self.said.judges > bool(r.of("answer")):
            return
        for column, role, rule in ((whos[0], "rater", "who"), (whats[0], "answer", "what")):
            if r.roles.get(column.name) != role:
                self.set(column, role, rule)
        r.layout = "long"
        self._people_among(whos[0])

    def _answers_of(self, who: Facts) -> list[Facts]:
        """Columns of what those in a column answered: a bare kind beside labels of items, else a vote."""
        free = [c for c in self.free if c is not who and (c.looks_like_votes or _may_vote(c))]
        kinds = [c for c in free if is_kind(c)]
        votes = [c for c in self.reading.of("judge", "human", "score") if not is_called_who(c)]
        ids = [c for c in self.facts.values() if c is not who and is_called_id(c)]
        ids = [c for c in ids if differs_within(who, c)]
        if len(kinds) == 1 and not any(differs_within(v, c) for v in votes for c in ids):
            return kinds
        if votes:  # a model's verdict is not the annotator's
            own = "person" if PERSON & {bare(w) for w in who.words} else "judge"
            return votes if len(votes) > 1 or who_says(votes[0]) in ("", own) else []
        return [c for c in free if says_what(c.words)]

    def _people_among(self, who: Facts) -> None:
        people = tuple(t for t in who.texts if who_says(Facts(t, 0)) == "person")
        self.reading.people_named = people if len(people) < len(who.texts) else ()

    def _says_who(self, who: Facts) -> bool:
        """Whether rows of one id are of several who answered, or there is but an id and an answer beside."""
        rest = [c for c in self.free if c is not who]
        if len(self.facts) == len(rest) + 1 == 3:
            whats = [c for c in rest if is_kind(c) and not c.shares(who)]
            if len(whats) == 1 and all(is_called_id(c) for c in rest if c not in whats):
                return True
        ids = [c for c in self.facts.values() if c is not who and (is_called_id(c) or is_shared(c))]
        return any(differs_within(who, c) for c in ids if len(c.texts) < c.filled)

    def _tells_rows_apart(self, who: Facts) -> bool:
        """Whether some id repeats whose rows are told apart by who answered."""
        parts = [
            c
            for c in self.facts.values()
            if c.low in SYSTEM | TRIAL | SHOWN or SIDES.fullmatch(c.low)
        ]
        parts = [c for c in parts if c is not who]
        ids = [
            c
            for c in self.facts.values()
            if is_called_id(c) and c is not who and not each_once([c])
        ]
        apart = [each_once([c, *parts]) for c in ids]
        return len(who.texts) > 1 and any(
            not alone and (each_once([c, who]) or each_once([c, who, *parts]))
            for c, alone in zip(ids, apart, strict=True)
        )

    # --- votes alone

    def by_votes_table(self, votes_only: bool) -> None:
        """Ids, or none, and columns of one shared set of labels: each column is a judge."""
        r, rest = self.reading, self.free
        ids = [c for c in rest if is_called_id(c)]
        ids = ids or (
            [c for c in rest if c.unique and not c.looks_like_votes] if votes_only else []
        )
        people = r.of("human")
        votes = [c for c in rest if c not in ids]
        alone = (
            len(ids) <= 1
            and {*r.roles.values()} <= {"item", "ignored", "human"}
            and r.layout == "wide"
        )
        if not alone or not votes or self.said.judges or any(map(_needs_a_name, votes)):
            return
        every = [*votes, *(c for c in people if c not in votes)]
        labels = all(c.looks_like_votes or _is_short(c) for c in every) and shared_by_all(every)
        numbers = all(c.numbers is not None for c in every) and len(votes) > 1 and not people
        if labels or numbers:
            for column in votes:
                self.vote(column, "judge", "votes table")
            for column in (c for c in ids if c.unique or c.filled < c.n_rows):
                self.set(column, "item", "item" if is_called_id(column) else "only id")

    # --- ids

    def by_ids(self) -> None:
        """The id of what is judged, what rows share, whose output, which repetition."""
        for column in self.free:
            if (
                column.low in TRIAL
                and not column.unique
                and not column.constant
                and not self.reading.of("trial")
            ):
                self.set(column, "trial", "trial")
            elif column.low in SYSTEM and self._is_system(column):
                self.set(column, "system", "system")
        ids = [c for c in self.free if is_called_id(c) or c.name in self.index or _is_written(c)]
        if self.reading.layout == "long":
            ids += [c for c in self.free if is_shared(c) and c not in ids and c.kind != "text"]
        if not self.reading.item:
            self._item_among(ids)
        shared = [
            *(c for c in ids if c in self.free and c.low != "id"),
            *self.free,
            *self.reading.of("text"),
        ]
        shared = [c for c in shared if is_shared(c) and 1 < len(c.texts) < c.filled == c.n_rows]
        if shared and not self.reading.of("prompt"):
            self.set(shared[0], "prompt", "prompt")

    def _is_system(self, column: Facts) -> bool:
        """Whether a name of systems is one here: `model` beside unnamed votes may be a judge."""
        r = self.reading
        if r.of("system") or column.constant or self.said.whole:
            return False
        return not column.low.startswith("model") or bool(r.of(*VOTES))

    def _item_among(self, ids: Sequence[Facts]) -> None:
        r = self.reading
        if r.of("item"):
            return self._item_said()
        unique = sorted((c for c in ids if c.unique), key=_rank)
        if unique and r.layout != "long":
            r.item = (unique[0].name,)
            self.set(unique[0], "item", "item")
            for column in unique[1:]:
                self.set(column, "ignored", "rest")
            return None
        repeated = [c for c in sorted(ids, key=_rank) if c.filled == c.n_rows and not c.constant]
        said = r.of("prompt")
        for column in said or repeated:
            parts = self._parts_of(column)
            if parts is not None:
                return self._settle_item(column, parts)
        named = [c for c in repeated if _is_of_items(c)][:1]
        if named and not said and named[0].words[0] not in SHARED:
            self._ask_repeats(named[0])
        return None

    def _item_said(self) -> None:
        """An id that is said: repeated rows are of its systems, else of a repetition."""
        r = self.reading
        said = named_in(self.facts, self.said.item) or r.of("item")
        systems = r.of("system") if r.layout != "pairwise" else []
        r.item = tuple(c.name for c in said)
        if (
            not each_once(said)
            and systems
            and not self.said.repeats
            and each_once([*said, *systems])
        ):
            r.item = (*r.item, *(c.name for c in systems))
        elif not each_once(said) and r.of("trial", "swap"):
            r.repeats = True

    def _parts_of(self, column: Facts) -> list[Facts] | None:
        """Systems, trials and orders that tell the rows of an id apart; None where none do."""
        r = self.reading
        maybe = [c for c in self.free if c.low in SYSTEM]  # `model`, which is asked about
        systems, again = r.of("system") or maybe, r.of("trial", "swap")
        for parts in ([], systems, again, [*systems, *again]):
            if each_once([column, *parts, *r.of("rater")]):
                return parts
        return None

    def _settle_item(self, column: Facts, parts: Sequence[Facts]) -> None:
        """Name an id whose rows differ by `parts`: each system's output is an item, trials repeat it."""
        r = self.reading
        again = [c for c in parts if r.roles.get(c.name) in ("trial", "swap")]
        systems = [c for c in parts if c not in again]
        texts = [c for c in r.of("text") if c.last in TEXT - PROMPT]
        fresh = bool(again) and any(differs_within(c, column) for c in texts)
        own = parts if fresh else systems
        if column.name not in r.roles:
            self.set(column, "prompt" if own else "item", "prompt" if own else "item")
        r.item = (column.name, *(c.name for c in own))
        r.repeats = r.repeats or (bool(again) and not fresh)

    def _ask_repeats(self, column: Facts) -> None:
        if self.said.repeats:
            self.set(column, "item", "said")
            self.reading.item = (column.name,)
        elif self.reading.of(*VOTES) and not self.said.whole:
            texts = [c for c in self.reading.of("text") if c.last in TEXT - PROMPT]
            fresh = any(differs_within(c, column) for c in texts)
            self.reading.open[column.name] = "prompt" if fresh else "item"

    # --- the rest

    def by_rest(self) -> None:
        """Columns that look like the votes that are missing are asked about; others are beside votes."""
        r, said = self.reading, self.said
        judged = bool(r.of("judge", "score", "answer")) or said.judges
        both = judged and (bool(r.of("human")) or said.people)
        settled = both or r.layout == "long" or said.whole or said.judges
        votes = r.of(*VOTES)
        missing = [c for c in self.free if not settled and not c.constant]
        missing = [c for c in missing if self._may_be_missing(c, votes, judged)]
        r.open |= self._proposed(missing, judged)
        for column in self.free:
            self._aside(column, "rest")

    def _aside(self, column: Facts, rule: str) -> None:
        """Give a column beside votes its role."""
        constant = column.constant and column.n_rows > 1
        number = column.numbers is not None and not (rule == "rest" and column.looks_like_votes)
        role = "ignored" if constant or column.kind == "ids" else "covariate" if number else "slice"
        self.set(column, role, rule)

    def _may_be_missing(self, column: Facts, votes: Sequence[Facts], judged: bool) -> bool:
        """Whether a column may hold the votes of judges or of people that no name says."""
        if column.low in SYSTEM:
            others = [c for c in self.free if c is not column]
            some = any(is_kind(c) or c.looks_like_votes for c in others)
            return column.low.startswith("model") and not votes and some
        flag = column.words[:1] and column.words[0] in FLAG and not says_what(column.words[1:])
        if (
            is_called_id(column)
            or column.last in GROUP
            or flag
            or (is_called_who(column) and votes)
        ):
            return False
        if column.is_score:
            return not judged and bool(who_says(column) or is_kind(column))
        alike = not votes or any(column.shares(c) for c in votes)
        return column.looks_like_votes and (alike or is_kind(column) or bool(who_says(column)))

    def _proposed(self, columns: Sequence[Facts], judged: bool) -> dict[str, str]:
        """The likeliest roles of columns that are asked about; they decide nothing."""
        hints = {c.name: _hint(c) for c in columns}
        base = [*self.reading.of(*VOTES), *(c for c in columns if hints[c.name] or is_kind(c))]
        base = base or _largest_group(columns)
        judged = judged or "judge" in hints.values()
        labelled = bool(self.reading.of("human")) or "human" in hints.values()
        proposed = {}
        for column in columns:
            machine = "score" if column.is_score else "judge"
            other = any(c is not column and is_kind(c) and c.last != "label" for c in columns)
            person = not labelled and (judged or (column.last == "label" and other))
            vote = any(column.shares(c) for c in base) or column.is_score or is_kind(column)
            role = "human" if person and not column.is_score else machine
            hint = {"judge": machine}.get(hints[column.name], hints[column.name])
            proposed[column.name] = (
                "system" if column.low in SYSTEM else hint or (role if vote else "ignored")
            )
        return proposed

    def by_raters(self) -> None:
        """Numbered people are judges where nobody else votes and nothing is asked."""
        r, stems = self.reading, defaultdict[str, list[Facts]](list)
        for column in r.of("human"):
            stem = re.sub(r"_?(\d+|[a-z]|i{1,3})$", "", column.low)
            if stem != column.low and r.rules[column.name] == "person":
                stems[stem].append(column)
        if r.named("judge", "score", "answer") or r.open or self.said.people or self.said.judges:
            return
        for column in (c for own in stems.values() if len(own) > 1 for c in own):
            self.vote(column, "judge", "raters")

    def by_runs(self) -> None:
        groups: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for run in filter(None, map(_RUN.fullmatch, self.reading.named("judge"))):
            groups[run.group(1)].append((int(run.group(2)), run.group()))
        for stem, own in groups.items():
            numbers = sorted(k for k, _ in own)
            if (
                len(own) > 1
                and numbers[0] in (0, 1)
                and all(b - a == 1 for a, b in pairwise(numbers))
            ):
                self.reading.runs |= {name: stem for _, name in own}

    def by_grid(self) -> None:
        """Judges and people each with the same names before or behind: systems side by side, asked about."""
        r, stems = self.reading, defaultdict[str, dict[str, str]](dict)
        for column in (c for n, c in self.facts.items() if n in r.open or r.roles.get(n) in VOTES):
            words = [w for w in column.words if w.rstrip("0123456789") not in JUDGE | PERSON | KIND]
            stem = next(
                (s for s in self.said.systems if s.casefold() in column.name.casefold()),
                "_".join(words),
            )
            who = r.open.get(column.name) or r.roles[column.name]
            if stem and not stem.isdigit() and (self.said.systems or not says_what(words)):
                stems[stem]["human" if who == "human" else "judge"] = column.name
        if self.said.systems:
            r.grid = {n: (s, who) for s in self.said.systems for who, n in stems[s].items()}
            r.layout = "systems"
            for name, (_, who) in r.grid.items():
                r.open.pop(name, None)
                self.vote(self.facts[name], r.roles.get(name, who), r.rules.get(name, "said"))
        elif (
            len(stems) > 1 and all(len(own) == 2 for own in stems.values()) and not self.said.roles
        ):
            r.grid = {n: (s, who) for s, own in stems.items() for who, n in own.items()}
            r.open |= {name: who for name, (_, who) in r.grid.items()}
        if r.grid and len(r.item) == 1 and r.roles.get(r.item[0]) == "item":
            self.set(self.facts[r.item[0]], "prompt", r.rules[r.item[0]])


# --- What the rules ask of a column.


_RUN = re.compile(r"(.+?)[_ .-]?(?:run|rep|trial|epoch|seed)[_ .-]?(\d+)", re.I)
_SIGN = re.compile(
    "|".join(
        [
            *(sign for _, signs, _ in TOOLS for sign in signs),
            *(re.escape(sign) for _, signs, *_ in ROWS_OF_TOOLS for sign in signs),
            *(re.escape(sign) for export in EXPORTS for sign in export.signs),
        ]
    ),
    re.IGNORECASE,
)
"""Names that a column of a tool's table may have; one without any is of no tool."""
_SHORT = 12  # in a table of so few rows each may have a label of its own


def _may_be_votes(column: Facts) -> bool:
    """Whether a column that is not used must be named: by its cells or its name it may hold votes."""
    named = who_says(column) or KIND & {*column.words} or "confidence" in column.words
    number = (
        column.kind in ("number", "whole")
        and column.last not in MEASURE
        and not is_called_id(column)
    )
    return column.looks_like_votes or bool(named) or number


def _is_short(column: Facts) -> bool:
    return column.n_rows <= _SHORT and column.kind in ("label", "whole", "ids", "number")


def _may_vote(column: Facts) -> bool:
    """Whether cells may be votes: numbers, or labels of which most occur twice."""
    plain = column.kind in ("label", "whole", "number") and 2 * len(column.labels) <= column.filled
    return plain or column.is_score or _is_short(column)


def _needs_a_name(column: Facts) -> bool:
    """Whether a column beside ids is called like something else than a judge."""
    who = who_says(column)
    called = who in ("either", "person") or is_kind(column) or says_what(column.words)
    called |= is_called_who(column) and not who  # user, performer
    flag = bool(column.words) and column.words[0] in FLAG
    return called or flag or column.last in GROUP | MEASURE | TEXT or column.low in SYSTEM | TRIAL


def _hint(column: Facts) -> str:
    """Whose a column may be by one word of its name, whatever else it says."""
    words = {bare(word) for word in column.words}
    if words & JUDGE - {"model"} or any(map(is_family, words)):
        return "judge"
    return "human" if words & PERSON else ""


def _largest_group(columns: Sequence[Facts]) -> list[Facts]:
    """Most columns that share labels with one of them."""
    groups = [[c for c in columns if c is own or c.shares(own)] for own in columns]
    return max(groups, key=len, default=[])


def _same(first: Facts, second: Facts) -> bool:
    return first.texts == second.texts and bool((first.codes == second.codes).all())


def _is_written(column: Facts) -> bool:
    """Whether a column is the index that was written with a table."""
    return column.low in ("unnamed_0", "index", "row", "")


def _is_of_items(column: Facts) -> bool:
    """Whether a repeated id may be that of what is judged."""
    return column.low == "id" or (
        bool(column.words) and column.words[0] in PROMPT | {"instance", "id", "pair", "q"}
    )


def _rank(column: Facts) -> tuple[bool, bool, bool]:
    """Plain ids come first, those of what is asked and of what stands around it last."""
    first = column.words[0] if column.words else ""
    return (
        first in ("reference", "db", "source", "run", "unnamed"),
        column.low not in ("id", "item_id"),
        first in SHARED,
    )


def _tool(names: Iterable[str], export: Export | None) -> tuple[str, Sequence[tuple[str, str]]]:
    held = list(names)
    for title, signs, roles in TOOLS:
        if all(any(re.fullmatch(sign, name) for name in held) for sign in signs):
            return title, roles
    return (
        ("", ()) if export is None else (export.title, [pair for pair in export.roles if pair[1]])
    )


_AS_SAID = Said()


def contract(
    facts: Mapping[str, Facts],
    said: Said = _AS_SAID,
    *,
    votes_only: bool = False,
    index: Sequence[str] = (),
) -> Reading:
    """Role of every column, the rule that gave it, and what is to be asked where votes are not determined.

    votes_only : whether the question is about votes alone, which take the only column without repeats as ids
    index : columns that were the index of a data frame
    """
    table = _Table(facts, said, index)
    table.by_type()
    if any(map(_SIGN.fullmatch, facts)):
        table.by_tool()
    table.by_pairs()
    table.by_order()
    table.by_name()
    table.by_rows()
    table.by_votes_table(votes_only)
    reading = table.reading
    if table.free or reading.of("item", "prompt", "text"):
        table.by_ids()
        table.by_rest()
    if "human" in {*reading.roles.values(), *reading.open.values()}:
        table.by_raters()
        table.by_grid()
    elif said.systems:
        table.by_grid()
    table.by_runs()
    for name in reading.open:
        reading.roles[name] = "ask"
    return reading
