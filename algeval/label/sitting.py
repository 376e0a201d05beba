"""A sitting: what is on the screen of each person, what they say, and what is written before they go on."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from statistics import median
from threading import RLock
from typing import Any, ClassVar

from algeval.data.names import NOT_ANSWERED
from algeval.errors import AlgevalError, DataError
from algeval.io.journal import SCHEMA, Journal, Labels, merge, new_id, now, read_journal
from algeval.io.layout import shown
from algeval.io.results import Results
from algeval.judges.people import HumanAgreement
from algeval.label.answer import Bar, Live, live
from algeval.label.choosing import Plan, Share, agreement, next_row, people_agree
from algeval.label.texts import Cell, cells_of
from algeval.result import Result, Status, Table, percent
from algeval.result.files import write_table
from algeval.result.numbers import how_many, percent_up

PAUSE = 300.0  # chosen: seconds after which somebody was away, so that pace does not count them


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Labelling(Result):
    """What a labelling has come to.

    Attributes
    ----------
    status : Status
        ok: the answer is decided, and one may stop; undetermined: it is not, or there is none to decide.
    message : str
    goal : "rate", "difference", "judges", "slices" or "labels"
        What the labels are for.
    good : str
        The label that is counted; of pairs of two systems the win of one: "mine wins".
    journal : str
        The file that holds every label, which `rate`, `versus`, `judges` and `report` take as `human`.
    n_items, n_labels : int
        Items of the table, and how many of them have a label of this labelling.
    n_unclear : int
        Items put off, not to be told, or on which people are split; an interval counts them as either.
    people : tuple of str
        Who has said anything, in the order of their first acts.
    agree : (int, int)
        Of the pairs of people who labelled one item: how many agree, of how many.
    level : float
        Chance that no interval ever shown misses.
    bars : tuple of Bar
        Each rate with an interval that holds whenever one stops.
    humans : HumanAgreement or None
        How far people agree on items that two or more of them labelled; its interval holds whenever one
        stops.
    """

    schema: ClassVar[str] = "algeval.labelling/1"

    goal: str
    good: str
    journal: str
    n_items: int
    n_labels: int
    n_unclear: int
    people: tuple[str, ...]
    agree: tuple[int, int]
    level: float
    bars: tuple[Bar, ...]
    humans: HumanAgreement | None = None

    def as_tables(self) -> tuple[Table, ...]:
        """Row per rate."""
        return (Table.of_records("Rates so far", Bar, self.bars),)

    def summary(self) -> str:
        """What is decided, the rates, how far people agree, and where the labels are."""
        lines = [self.message]
        for bar in self.bars:
            lines.append(f"  {bar_text(bar, self.goal, self.good)}")
        if self.n_unclear:
            lines.append(
                f"  {how_many(self.n_unclear, 'item')} unclear (put off, not to be told, or split): counted "
                "as either"
            )
        lines += [f"  {line}" for line in agreement_text(self.humans)]
        lines += [f"  {note}" for note in self.reading]
        lines.append(f"Labels: {self.journal}")
        return "\n".join(lines)


def question_of(plan: Plan, question: str | None) -> str:
    """What is asked of every item."""
    if plan.other_side:
        return question or "Which answer is better?"
    return question or f"Which label is right: {' or '.join(plan.settings.labels)}?"


def bar_text(bar: Bar, goal: str, good: str) -> str:
    """One rate and its interval, in percent."""
    between = f"{percent(bar.low, 0)} and {percent(bar.high, 0)}"
    point = "" if bar.rate is None else f"{percent(bar.rate, 0)}, "
    name = f"{bar.name}: " if bar.name and goal != "difference" else ""
    what = "difference" if goal == "difference" else good
    unit = "prompt" if goal == "difference" else "label"
    of = " labelled for both" if goal == "difference" else ""
    return f"{name}{what} {point}between {between} ({how_many(bar.n_labels, unit)}{of})"


def agreement_text(humans: HumanAgreement | None) -> list[str]:
    """How far people agree, and the most that any judge can agree with them; nothing without two of them."""
    if humans is None:
        return []
    value, low, high = humans.agreement
    two = len(humans.people) == 2
    chance = f"; beyond chance {humans.beyond_chance}" if humans.beyond_chance else ""
    most = percent_up(humans.ceiling)
    pair, both = ("two people", "both") if two else (f"two of {len(humans.people)} people", "some")
    return [
        f"{pair} agree on {percent(value or 0.0, 0)} of {how_many(humans.n, 'item')} {both} labelled "
        f"(between {percent(low, 0)} and {percent(high, 0)}, whenever you stop){chance}: a judge that agrees "
        f"with people as often does as well as a person, and none can agree with these on more than {most}"
    ]


@dataclass(slots=True)
class _Screen:
    """What one person looks at."""

    row: int | None
    shown: str
    turn: int  # of that person; another process may have gone on


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is shown to one person.

    `turn` counts what the person has said; an act that names another turn comes from a page that is behind.
    """

    who: str
    turn: int
    item: str | None
    number: int
    cells: tuple[Cell, ...] = ()
    again: bool = False  # whether it was put off before
    partner: bool = False  # whether it is the second output on a prompt


class OutOfTurnError(AlgevalError):
    """An act on an item that is not the one this person is at; nothing was written."""


@dataclass(slots=True)
class Sitting:
    """A journal, who takes part, and what is on their screens.

    Attributes
    ----------
    people : tuple of str
    show : columns shown beside the texts
    revealed : whether the judges have been shown
    """

    plan: Plan
    journal: Journal
    people: tuple[str, ...]
    share: Share = field(default_factory=Share)
    show: tuple[str, ...] = ()
    revealed: bool = False
    _screens: dict[str, _Screen] = field(default_factory=dict)
    _lock: Any = field(default_factory=RLock)
    _cache: tuple[int, Labels | None, Live | None] = (-1, None, None)

    @property
    def labels(self) -> Labels:
        """What the journal says so far, with what other processes have added to it."""
        if self.journal.path.exists():
            self.journal.read_on()
        count = len(self.journal.records)
        if self._cache[0] != count or self._cache[1] is None:
            self._cache = (count, self.journal.labels, None)
        labels = self._cache[1]
        assert labels is not None  # set just above
        return labels

    @property
    def live(self) -> Live:
        """The answer so far."""
        with self._lock:
            labels = self.labels
            if self._cache[2] is None:
                self._cache = (self._cache[0], labels, live(self.plan, labels))
            answer = self._cache[2]
            assert answer is not None  # set just above
            return answer

    @property
    def humans(self) -> HumanAgreement | None:
        """How far people agree so far."""
        own = self.plan.settings
        return people_agree(self.labels, own.labels, own.level)

    def view(self, who: str) -> View:
        """What a person is to look at now: the same until they have said something of it."""
        with self._lock:
            labels = self.labels
            own = labels.latest.get(who, [])
            screen = self._screens.get(who)
            turn = labels.turns[who]
            if screen is None or screen.row is None or screen.turn != turn:
                busy = {
                    self.plan.items[s.row]
                    for w, s in self._screens.items()
                    if w != who and s.row is not None
                }
                screen = _Screen(next_row(self.plan, labels, who, self.share, busy), now(), turn)
                self._screens[who] = screen
            n_done = len({a.item for a in own if a.kind != "skip"})
            if screen.row is None:
                return View(who=who, turn=turn, item=None, number=n_done)
            item = self.plan.items[screen.row]
            unit = next((u for u in self.plan.units if screen.row in u), (screen.row,))
            done = [r for r in unit if (self.plan.items[r], who) in labels.acts]
            return View(
                who=who,
                turn=turn,
                item=item,
                number=n_done + 1,
                cells=cells_of(
                    self.plan.results, screen.row, self.show, swapped=self.plan.swapped(item, who)
                ),
                again=(item, who) in labels.acts,
                partner=bool(done) and item not in [self.plan.items[r] for r in done],
            )

    def act(
        self,
        who: str,
        kind: str,
        *,
        turn: int | None = None,
        item: str | None = None,
        label: str | None = None,
        note: str = "",
        seconds: float = 0.0,
    ) -> None:
        """Write what a person says of the item on their screen; it is on the disk when this returns.

        Of a pair the label is of the sides as shown; written is that of the sides in the table.

        Raises
        ------
        OutOfTurnError
            If they are at another item by now, as in a second tab.
        DataError
            If the label is none of those that may be given, or the person does not take part.
        OSError
            If it cannot be written; the item stays on the screen.
        """
        with self._lock:
            self._check(who, kind, label)
            if not isfinite(seconds):
                raise DataError(f"seconds must be a finite number; got {seconds}; leave it out")
            view = self.view(who)
            if (turn is not None and turn != view.turn) or (item is not None and item != view.item):
                raise OutOfTurnError
            if view.item is None:
                raise OutOfTurnError
            record: dict[str, Any] = {
                "id": new_id(),
                "kind": kind,
                "item": view.item,
                "who": who,
                "time": now(),
                "shown": self._screens[who].shown,
                "seconds": round(min(max(float(seconds), 0.0), 86_400.0), 2),
            }
            if kind == "label":
                record["label"] = label
            if self.plan.other_side:
                record["swapped"] = self.plan.swapped(view.item, who)
                if label is not None and record["swapped"]:
                    record["label"] = self.plan.other_side.get(label, label)
            if note:
                record["note"] = note[:10_000]
            self._write(record)
            del self._screens[who]

    def begin(self) -> None:
        """Write the first line of a new journal, which is not there before something is to be kept."""
        if self.journal.start is None:
            first = {"schema": SCHEMA, "kind": "start", "id": new_id(), "time": now()}
            self.journal.add({**first, **self.plan.start})

    def _write(self, record: Mapping[str, Any]) -> None:
        self.begin()
        self.journal.add(record)

    def _check(self, who: str, kind: str, label: str | None) -> None:
        if who not in self.people:
            raise DataError(
                f"who must be one of {shown(list(self.people))}; got {who!r}; add the name to who"
            )
        if kind not in ("label", "unsure", "skip", "second"):
            raise DataError(f"kind must be label, unsure or skip; got {kind!r}; correct it")
        if kind in ("label", "second") and label not in self.plan.settings.labels:
            raise DataError(
                f"label must be one of {shown(list(self.plan.settings.labels))}; got {label!r}; correct it"
            )

    def undo(self, who: str) -> str | None:
        """Take back a person's last act, which comes on the screen again; the item, or None without one."""
        with self._lock:
            self._check(who, "skip", None)
            own = self.labels.latest.get(who, [])
            if not own:
                return None
            last = own[-1]
            self.journal.add(
                {"id": new_id(), "kind": "undo", "undoes": last.id, "who": who, "time": now()}
            )
            row = self.plan.row_of.get(last.item)
            self._screens[who] = _Screen(row, last.shown, self.labels.turns[who])
            return last.item

    def second_look(self, who: str, item: str, label: str, note: str = "") -> None:
        """Write what a person says of an item after the judges were shown; it is no label of its own."""
        with self._lock:
            self._check(who, "second", label)
            if (item, who) not in self.labels.acts:
                raise DataError(
                    f"item must be one that {who} labelled; got {item!r}; look at another"
                )
            self._write(
                {
                    "id": new_id(),
                    "kind": "second",
                    "item": item,
                    "who": who,
                    "label": label,
                    "note": note[:10_000],
                    "time": now(),
                }
            )

    def pace(self, who: str) -> float | None:
        """Seconds a label, the middle of the last 30; None before the third."""
        with self._lock:
            own = [a.seconds for a in self.labels.latest.get(who, []) if a.kind == "label"][-30:]
        kept = [seconds for seconds in own if 0 < seconds < PAUSE]
        return median(kept) if len(kept) >= 3 else None

    def disagreements(self) -> list[dict[str, Any]]:
        """Labelled items on which judges say otherwise than people, most judges first; shows the judges."""
        with self._lock:
            self.revealed = True
            labels, votes = self.labels, self.plan.votes
        if votes is None:
            return []
        seconds = {(r["item"], r["who"]): r["label"] for r in labels.second}
        rows = []
        for (item, who), act in labels.acts.items():
            if act.kind != "label" or item not in self.plan.row_of:
                continue
            row = self.plan.row_of[item]
            codes = votes.codes[row]
            said = {
                j: votes.answers[c]
                for j, c in zip(votes.judges, codes, strict=True)
                if c != NOT_ANSWERED
            }
            against = sum(answer != act.label for answer in said.values())
            if against:
                rows.append(
                    {
                        "item": item,
                        "who": who,
                        "label": act.label,
                        "note": act.note,
                        "judges": said,
                        "against": against,
                        "second": seconds.get((item, who)),
                    }
                )
        return sorted(rows, key=lambda row: (-row["against"] / len(row["judges"]), row["item"]))

    def result(self) -> Labelling:
        """What the labelling has come to."""
        answer, labels = self.live, self.labels
        drawn = [item for item in labels.by_item if item in self.plan.row_of]
        labelled = [item for item in drawn if labels.truth(item)]
        split = [i for i in labelled if _is_split(labels.truth(i))]
        settings = self.plan.settings
        earlier = f" here, {len(self.plan.before):,} before" if self.plan.before else ""
        return Labelling(
            status=Status.OK if answer.stop else Status.UNDETERMINED,
            message=f"{how_many(len(labelled), 'item')} labelled{earlier}. {answer.sentence}.",
            goal=settings.goal,
            good=self.plan.counted,
            journal=str(self.journal.path),
            n_items=len(self.plan.items),
            n_labels=len(labelled),
            n_unclear=len(drawn) - len(labelled) + len(split),
            people=labels.people,
            agree=agreement(labels),
            level=settings.level,
            bars=answer.bars,
            humans=self.humans,
            reading=self.journal.gaps,
        )


def _is_split(counts: Mapping[str, int]) -> bool:
    ranked = sorted(counts.values(), reverse=True)
    return len(ranked) > 1 and ranked[0] == ranked[1]


# --- Beginning a sitting, adding the journals of others, and what goes back into a table.


def journal_path(table: str | os.PathLike[str]) -> Path:
    """Where the journal of a table lies: beside it, whatever the table's ending."""
    path = Path(table)
    stem = path.name
    for ending in (".gz", ".zst", path.with_suffix("").suffix, path.suffix):
        stem = stem.removesuffix(ending) if ending and stem != ending else stem
    return path.with_name(f"{stem}.labels.jsonl")


def begin(
    plan: Plan, path: str | os.PathLike[str], people: Sequence[str], **settings: Any
) -> Sitting:
    """Sitting on a journal, which is begun, or gone on with where it is of the same table and goal.

    Raises
    ------
    DataError
        If the file is something else, or of another table, goal or seed.
    """
    journal = Journal(path)
    if journal.start is None:
        if journal.path.exists() and journal.path.stat().st_size and not _torn_only(journal):
            raise DataError(
                f"the journal must be a file that `algeval label` wrote, or a new one; got {str(path)!r}, "
                "which holds something else; name another with --journal"
            )
    else:
        check_start(journal, plan.start)
    for name in people:
        if not name.strip() or len(name) > 80 or not name.isprintable():
            raise DataError(
                f"who must be a name of at most 80 letters; got {name!r}; write another"
            )
    return Sitting(plan, journal, tuple(people), **settings)


def _torn_only(journal: Journal) -> bool:
    """Whether nothing was ever written to it but a first line that was cut short."""
    head = journal.path.read_bytes()[:20]
    return b'{"schema":"algeval.labels'.startswith(head[:20])


def check_start(journal: Journal, own: Mapping[str, Any]) -> None:
    """Refuse to go on with a journal of another table, or of items drawn otherwise."""
    start = journal.start or {}
    if int(start.get("n_items", 0)) < int(own["n_items"]):
        raise DataError(
            f"the table must be the one that {journal.path.name} was begun with; got one of {own['n_items']} "
            f"items, it was of {start.get('n_items')}; go on with its labels in a new journal: --human "
            f"{journal.path.name} --journal NEW.labels.jsonl"
        )
    if start.get("digest") != own["digest"]:
        raise DataError(
            f"the table must be the one that {journal.path.name} was begun with; got another: its items or "
            "texts have changed since; bring the table back, or begin a new journal with --journal FILE"
        )
    for name, words in (
        ("goal", "--goal"),
        ("seed", "--seed"),
        ("labels", "--labels"),
        ("good", "--good"),
    ):
        if start.get(name) != own[name]:
            raise DataError(
                f"{words} must be {start.get(name)!r}, as {journal.path.name} was begun with; got "
                f"{own[name]!r}; keep it, or begin a new journal with --journal FILE"
            )
    for name in ("strata", "before"):
        if start.get(name) != own.get(name):
            what = "groups that items are drawn from" if name == "strata" else "labels in the table"
            raise DataError(
                f"the {what} must be those that {journal.path.name} was begun with; got others; begin a new "
                "journal with --journal FILE"
            )


def merged(sitting: Sitting, paths: Sequence[str | os.PathLike[str]]) -> str:
    """Sentence on what other journals have added to this one."""
    others = [read_journal(path) for path in paths]
    sitting.begin()
    journal = sitting.journal
    n = merge(journal, others)
    people = journal.labels.people
    return (
        f"{how_many(n, 'record')} of {how_many(len(paths), 'journal')} added to {journal.path.name}, none "
        f"twice; it now has labels of {', '.join(people) or 'nobody'}"
    )


def joined_columns(sitting: Sitting, name: str) -> dict[str, list[str | None]]:
    """Columns to put beside a table: the label of most people, and those of each where there are several."""
    labels, plan = sitting.labels, sitting.plan
    most: list[str | None] = []
    for item in plan.items:
        counts = labels.truth(item)
        split = _is_split(counts)
        settled = max(counts, key=counts.__getitem__) if counts and not split else None
        most.append(settled if counts else plan.before.get(item))
    columns = {name: most}
    if len(labels.people) > 1:
        for who in labels.people:
            cells: list[str | None] = []
            for item in plan.items:
                act = labels.acts.get((item, who))
                cells.append(act.label if act is not None and act.kind == "label" else None)
            columns[f"{name}_{who}"] = cells
    return columns


def write_joined(sitting: Sitting, source: Any, target: str | os.PathLike[str], name: str) -> None:
    """Write the table with people's labels as columns; the table itself stays as it is.

    Raises
    ------
    DataError
        If no columns say which item a row is of, or the file holds what the table does not.
    """
    from algeval.io.tables import open_table

    results = sitting.plan.results
    table = open_table(source)
    cells_of_columns = {column: list(table.column(column).texts()) for column in table.names}
    columns: dict[str, list[Any]] = dict(cells_of_columns)
    placed = _placed(results, cells_of_columns, table.n_rows)
    for column, cells in joined_columns(sitting, name).items():
        for ending, item_of_row in placed.items():
            columns[f"{column}{ending}"] = [None if k < 0 else cells[k] for k in item_of_row]
    write_table(target, columns)


def _placed(
    results: Results, cells: Mapping[str, Sequence[str | None]], n_rows: int
) -> dict[str, list[int]]:
    """{ending of a column's name: item of each row, -1 without}.

    A table with a row per item, or several (one per judge), has one such column; one whose rows hold the
    outputs of several systems has a column of each system.
    """
    first = results.rows.tolist()
    if len(set(first)) < len(first):
        systems = results.system_of
        endings = {name: f"_{name}" for name in results.systems}
        made = {ending: [-1] * n_rows for ending in endings.values()}
        for k, row in enumerate(first):
            made[endings[systems[k]]][row] = k
        return made
    if len(first) == n_rows:
        of_row = [-1] * n_rows
        for k, row in enumerate(first):
            of_row[row] = k
        return {"": of_row}
    for roles in (("item",), ("item", "prompt", "system"), ("item", "prompt", "system", "text")):
        names = [name for name in cells if results.roles.get(name) in roles]
        keys = list(zip(*(cells[name] for name in names), strict=True)) if names else []
        item_of = {keys[row]: k for k, row in enumerate(first)} if keys else {}
        if len(item_of) == len(first):
            return {"": [item_of.get(key, -1) for key in keys]}
    raise DataError(
        f"a joined table needs columns that say which item each row is of; got none that tell the "
        f"{len(first)} items of {results.name} apart; name the journal with --human instead"
    )
