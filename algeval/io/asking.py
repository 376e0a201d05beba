"""The one question of a table, filled in: what is proposed, what stands for it, the answers as options."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from algeval.data.contract import VOTES, Reading, Said
from algeval.data.facts import Facts, agreement
from algeval.io.answers import Question, answered

CODES = (-1, -9, 9, -99, 99, -999, 999)
"""Numbers that may stand for no answer: asked about where they are off the scale of the others."""

_BROKEN = re.compile(
    r"\b(error|timed? ?out|garbage|unpars\w*|invalid|exception|traceback)\b", re.IGNORECASE
)
_LONG = 25  # letters of a cell that is no label beside short ones
_RARE, _ENOUGH = 0.05, 20  # the share of the answers, of which there are so many
_OTHER = {
    "human": "judge",
    "judge": "human",
    "score": "human",
    "item": "prompt",
    "prompt": "item",
    "system": "rater",
}
"""The role that is offered beside the one that is proposed."""


@dataclass(frozen=True)
class Proposal:
    """The one question of a table: {column: role} proposed, and what stands for each.

    `cells` are {cell: rows} that may be no answers; `answers` are options, {name: values} each, the proposal
    first.
    """

    columns: Mapping[str, str]
    evidence: Mapping[str, str]
    cells: Mapping[str, int]
    answers: tuple[Mapping[str, tuple[str, ...]], ...]

    @property
    def sentence(self) -> str:
        """The question as a sentence."""
        parts = [f"{n!r} as {r} ({self.evidence[n]})" for n, r in self.columns.items()]
        sentences = [f"What are these columns? Proposed: {'; '.join(parts)}."] if parts else []
        if self.cells:
            shown = ", ".join(f"{text[:40]!r} in {n} rows" for text, n in self.cells.items())
            sentences.append(f"Are these cells no answers? {shown}.")
        return " ".join(sentences)

    @property
    def question(self) -> Question:
        """The question with its answers as they are typed."""
        return Question(self.sentence, tuple(self.columns), tuple(map(typed, self.answers)))


def typed(options: Mapping[str, Sequence[str]]) -> str:
    """Options as they are typed in a command, or in Python where the question is asked there."""
    texts = [answered(name, *values) for name, values in options.items()]
    return (" " if texts and texts[0].startswith("--") else ", ").join(texts)


def proposal_of(reading: Reading, *, values_said: bool = False) -> Proposal | None:
    """The one question of a table; None where everything that changes an answer is determined.

    values_said : whether somebody said which cells are answers
    """
    cells = {} if values_said else unclear_cells(reading)
    if not reading.open and not cells:
        return None
    columns = {name: reading.open[name] for name in reading.facts if name in reading.open}
    evidence = {name: _evidence(reading, name) for name in columns}
    missing = {"missing": tuple(cells)} if cells else {}
    first = {**_options(reading, columns), **missing}
    others = [_options(reading, choice) | missing for choice in _others(columns)]
    if cells and not columns:
        others = [{"labels": _labels_with(reading, cells)}]
    if reading.grid:
        stems = tuple(dict.fromkeys(stem for stem, _ in reading.grid.values()))
        first, others = {"systems": stems} | missing, [first]
    answers = [first, *(other for other in others if other and other != first)]
    return Proposal(columns, evidence, cells, tuple(answers))


def said_by(options: Mapping[str, Sequence[str]]) -> Said:
    """What an answer says of the columns."""
    names = {"judges": "judge", "judge": "rater", "ignore": "ignored"}
    roles = {
        c: names.get(n, n) for n, columns in options.items() for c in columns if n in _OF_COLUMNS
    }
    repeats = "rows" in options.get("trial", ())
    item = tuple(options.get("item", ()))
    return Said(roles, systems=tuple(options.get("systems", ())), repeats=repeats, item=item)


_OF_COLUMNS = ("judges", "human", "judge", "answer", "system", "prompt", "item", "ignore")


def _evidence(reading: Reading, name: str) -> str:
    """What is shown beside a column that is asked about; it decides nothing."""
    column = reading.facts[name]
    if name in reading.grid:
        return f"of {reading.grid[name][0]!r}"
    if reading.open[name] in ("item", "prompt"):
        return f"{column.n_rows} rows of {len(column.texts)}"
    said = [f"filled on {column.filled} of {column.n_rows}"]
    for other in reading.of(*VOTES)[:2]:
        same, n = agreement(column, other)
        if n and column.shares(other):
            said.append(f"agrees with {other.name!r} on {same / n:.0%}")
    return ", ".join(said)


def _others(columns: Mapping[str, str]) -> list[Mapping[str, str]]:
    """Other roles than the proposed: each the other it may be, or no votes at all."""
    choices = [{name: _OTHER.get(role, role) for name, role in columns.items()}]
    if any(role in VOTES for role in columns.values()):
        choices.append(
            {name: "ignored" if role in VOTES else role for name, role in columns.items()}
        )
    return [dict(choice) for choice in choices]


def _options(reading: Reading, roles: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Roles of the columns that are asked about as options."""
    new: defaultdict[str, list[str]] = defaultdict(list)
    for name, role in roles.items():
        new["judge" if role == "score" else role].append(name)
    options: dict[str, Sequence[str]] = {}
    if new["rater"]:
        options = {"judge": new["rater"][:1], "answer": [*new["judge"], *new["human"]][:1]}
    else:
        if new["judge"]:  # exactly these are judges then
            options["judges"] = [*reading.named("judge", "score"), *new["judge"]]
        if new["human"]:
            options["human"] = [*reading.named("human"), *new["human"]]
    options |= {"system": new["system"], "prompt": new["prompt"], "ignore": new["ignored"]}
    if new["item"]:
        options |= {"item": new["item"], "trial": ["rows"]}
    return {name: tuple(values) for name, values in options.items() if values}


# --- Cells that may be no answers.


def unclear_cells(reading: Reading) -> dict[str, int]:
    """{cell: rows} of codes off the scale, and of replies that no person gives, rare or long."""
    people = reading.of("human")
    said_by_people = {label for c in people for label in c.labels}
    unclear: dict[str, int] = {}
    for column in reading.of("judge", "human", "answer"):
        if not column.looks_like_votes:
            continue
        own = (
            _codes_in(column) if column.numbers is not None else _replies_in(column, said_by_people)
        )
        for text, n in own.items():
            unclear[text] = unclear.get(text, 0) + n
    return unclear


def _codes_in(column: Facts) -> dict[str, int]:
    """Codes off the scale of a column of whole numbers."""
    numbers = {*(column.numbers or ())}
    codes = {}
    for code in CODES:
        rest = numbers - {*CODES} if code in numbers else set()
        below = code < 0 and rest and min(rest) >= 0
        if len(rest) > 1 and (below or code >= max(rest) + 3):
            codes[f"{code}"] = sum(n for text, n in column.rows_of.items() if float(text) == code)
    return codes


def _replies_in(column: Facts, by_people: set[str]) -> dict[str, int]:
    """Cells of a column of short labels that are no label by their length, words or rareness."""
    rows = column.rows_of
    cells = {}
    for text, n in rows.items():
        odd = _BROKEN.search(text) or (len(text) >= _LONG and " " in text)
        rare = bool(by_people & column.labels) and n <= max(2, _RARE * column.filled)
        rare = rare and column.filled >= _ENOUGH and not text.isalpha()
        if (odd or rare) and text.casefold() not in by_people and n < column.filled / 4:
            cells[text] = n
    return cells if len(rows) - len(cells) > 1 else {}


def _labels_with(reading: Reading, cells: Mapping[str, int]) -> tuple[str, ...]:
    """All labels of the votes, those that are asked about last."""
    texts = {
        t: None for c in reading.of("judge", "human", "answer") for t in c.texts if t not in cells
    }
    return (*texts, *cells)
