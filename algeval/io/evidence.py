"""What a column of a results table shows by its name and cells, and what two columns have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import folded
from algeval.data.scores import mid_ranks
from algeval.errors import DataError
from algeval.io.answers import MISSING as BLANK
from algeval.io.answers import (
    Positions,
    as_number,
    commas_in,
    has_failed,
    plain,
    tidy,
    without_commas,
)
from algeval.io.column_words import (
    BAD_LABELS,
    COVARIATE,
    FIRST_NAMES,
    FLAG,
    GOOD_LABELS,
    GRADED,
    HUMAN,
    HUMAN_NAMES,
    ID,
    MISSING,
    MODELS,
    MONTH,
    PROMPT,
    PROMPTED,
    REASON,
    REFERENCES,
    REVIEWER,
    SAID,
    SHOWN,
    SLICE,
    SYSTEM,
    TIME,
    TRIAL,
    VERDICT_WORDS,
    WEAK,
    WEAK_HUMAN,
    in_english,
    is_bad_news,
    is_binary,
    plain_letters,
    stems,
    word_in_english,
)
from algeval.io.layout import words_of
from algeval.io.tables import Table

_COMPACT_DATE = re.compile(r"20[0-4]\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_RATED = re.compile(
    r"(?:score|rating|grade|verdict|note|puntuaci[oó]n)\s*[:=]\s*(.+)", re.IGNORECASE
)
_GRADE_IN_WORDS = re.compile(r"(\d{1,2})\s?(?:[:=.)–-]|\s)\s*[(\"']?[^\W\d_]{2,}.*", re.DOTALL)
_OUT_OF = re.compile(r"(-?\d+(?:\.\d+)?)\s*/\s*(\d+)")
_UNSPACED_LETTERS = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")  # Thai, kana, Han
_FIGURES = re.compile(r"[-+$\u20ac\u00a3]?\s?\d[\d.,]*\s?[%\u20ac$]?")
_DATE = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}([T ]\d{1,2}:\d{2}.*)?|\d{1,2}([-./])\d{1,2}\3\d{2,4}(,? .*)?"
    r"|\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일号]?( ?\d{1,2} ?[:時时시].*)?"
    rf"|(?:[a-z]{{3,9}},? )?{MONTH} \d{{1,2}},? .*\d{{4}}.*"
    rf"|(?:[a-z]{{3,9}},? )?\d{{1,2}}[ -]{MONTH}[ -]\d{{2,4}}.*",
    re.IGNORECASE,
)
"""Dates as they are written around the world, with the time of day or without."""
LOOKED_AT = 2000  # so many distinct cells are looked at to tell texts, times and numbers
_MOST_VERDICTS = 12  # labels of a column of verdicts
AT_FIRST = 200  # distinct cells that are looked at to see that there are more
_BEHIND = frozenset({"id", "name", "version", "text", "value", "label", "lbl"})
_COUNTERS = frozenset({"idx", "index", "no", "nr", "num", "number"})


@dataclass(eq=False)
class Evidence:
    """One column: its name as words, and its cells by distinct text.

    `texts` are the distinct texts as verdicts are compared: 'Score: 4' is 4, 1.0 is 1, 7,5 is 7.5;
    `codes`: (n_rows,), which of them each row holds, -1 for none.
    """

    name: str
    n_rows: int
    texts: tuple[str, ...] = ()
    codes: Positions = field(default_factory=lambda: np.empty(0, np.int64))
    nested: bool = False
    changed: bool = False  # cells such as 'Score: 4' and 7,5 are read as 4 and 7.5
    commas: str = ""  # what commas in its numbers are: "decimal", "thousand", or "either" of them
    of_others: bool = False  # its few labels are among those of another column of verdicts
    answers_by_forms: dict[frozenset[str], bool] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, table: Table, name: str, *, parted: bool = False) -> Evidence:
        """Evidence of a column of a table; `parted`: by commas, so that 1,2 may be a list in quotes."""
        try:
            column = table.column(name)
        except DataError:  # lists or objects
            return cls(name, table.n_rows, nested=True)
        texts, changed = _texts_of(column.values), False
        if not _VERSIONED.isdisjoint(words_of(name)):  # 2026.10 is not 2026.1
            texts = [t and plain(value) for t, value in zip(texts, column.values, strict=True)]
        commas = _commas(texts)
        if commas == "list":
            commas = "" if parted else "decimal"
        if commas and commas != "either":
            points = iter(_with_points(filter(None, texts), decimal=commas == "decimal"))
            texts, changed = [t and next(points) for t in texts], True
        rated = _all_rated(texts)
        if rated and len({r[1] for r in rated if r is not None} - {""}) <= 1:
            texts, changed = [None if r is None else r[0] for r in rated], True
        if (named := _grades_in_words(texts)) is not None:
            texts, changed = named, True
        kept = dict.fromkeys(t for t in texts if t is not None)
        if len(kept) == len(texts):  # each its own, as most columns' are
            return cls(
                name, table.n_rows, tuple(kept), column.codes, changed=changed, commas=commas
            )
        distinct = dict(zip(kept, range(len(kept)), strict=True))
        look = [-1 if t is None else distinct[t] for t in texts]
        codes = column.look_up(look)
        return cls(name, table.n_rows, tuple(distinct), codes, changed=changed, commas=commas)

    def settle_commas(self, *, decimal: bool) -> None:
        """Read 1,234 and the like, which may be two numbers, as the rest of the table has them."""
        own = self.texts
        points = _with_points(own, decimal=decimal)
        distinct = {t: k for k, t in enumerate(dict.fromkeys(points))}
        look = np.array([*(distinct[t] for t in points), -1], np.int64)
        self.texts, self.codes, self.changed = tuple(distinct), look[self.codes], True

    # --- the name

    @cached_property
    def low(self) -> str:
        """Name in lower case, its words apart."""
        return " ".join(self.words)

    @cached_property
    def words(self) -> list[str]:
        """Words of the name without marks around them."""
        words = words_of(plain_letters(in_english(self.name)).replace(":", " "))
        return self._whole([w for w in (re.sub(r"[^\w#+]", "", word) for word in words) if w])

    @staticmethod
    def _whole(words: list[str]) -> list[str]:
        """Words of which two that camelCase parts are a model's name again, DeepSeek, people without case."""
        words = [_without_case(part) for word in words for part in word_in_english(word)]
        pairs = [a + b for a, b in pairwise(words)]
        for k in reversed(range(len(pairs))):
            if pairs[k] in MODELS:
                words = [*words[:k], pairs[k], *words[k + 2 :]]
        return words

    @cached_property
    def parts(self) -> list[list[str]]:
        """Words of each part of a dotted name, the leaf last."""
        name = re.sub(r"\(\w+=[^()]*\)", "", self.name) or self.name  # f1(mode=strict) is f1
        dotted = re.split(r"[.:](?=[^\s\d])", plain_letters(in_english(name)))
        slashed = [part for piece in dotted for part in re.split(r"/(?=\S)", piece)]
        if not {part.strip().lower() for part in slashed} <= {*GOOD_LABELS, *BAD_LABELS}:
            dotted = slashed  # but for Pass/Fail
        parts = [[re.sub(r"[^\w#+]", "", w) for w in words_of(part)] for part in dotted]
        return [self._whole(p) for part in parts if (p := [w for w in part if w])] or [[]]

    @property
    def leaf(self) -> list[str]:
        """Words of the last part of a dotted name."""
        return self.parts[-1]

    @property
    def parents(self) -> set[str]:
        """Words of the parts before the last."""
        return {word for part in self.parts[:-1] for word in part}

    def says(self, *lists: Iterable[str]) -> bool:
        """Whether a word of the name's leaf is in a list."""
        return any(not set(self.leaf).isdisjoint(words) for words in lists)

    def ends(self, *lists: Iterable[str]) -> bool:
        """Whether the name's last word, but for figures and 'id' or 'name' behind it, is in a list."""
        words = [w for w in self.leaf if not w.isdigit()]
        if words[-1:] and words[-1] in _COUNTERS and not TRIAL.isdisjoint(words[-2:-1]):
            words.pop()  # repeatIdx
        while len(words) > 1 and words[-1] in _BEHIND:
            if words[-2:] == ["prompt", "version"]:
                break  # a version, of what systems were asked
            words.pop()
        return bool(words) and any(words[-1] in listed for listed in lists)

    @property
    def asks(self) -> bool:
        """Whether it is called like what a system was asked."""
        if self._is_last_message:
            return False
        return self.ends(PROMPTED) or not {"input", "inputs"}.isdisjoint(self.parents)

    @property
    def _is_last_message(self) -> bool:
        """Whether it is called like the message of a machine, or the last: final_message."""
        speakers = {"final", "last", "bot", "assistant", "agent", "model", "ai", "outgoing"}
        return self.ends({"message", "messages"}) and self.says(speakers)

    @property
    def answers(self) -> bool:
        """Whether it is called like what a system put out, and no reference to compare with."""
        reference = self.says({"reference", "references", "expected", "gold", "target"})
        return (
            not self.asks
            and not reference
            and (
                self.ends(SAID)
                or self._is_last_message
                or not {"output", "outputs"}.isdisjoint(self.parents)
            )
            and "reference" not in self.parents
        )

    @property
    def is_bad_news(self) -> bool:
        """Whether a yes of this column is bad by its name."""
        return is_bad_news(self.name)

    # --- the cells

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """(n_texts,) rows of each distinct text."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.texts)).astype(np.int64)

    @property
    def filled(self) -> int:
        """Rows with a cell that is not empty."""
        return int(self.counts.sum())

    @cached_property
    def failures(self) -> dict[str, int]:
        """Rows of each text that a program wrote in place of a verdict; none where labels are many."""
        pairs = list(zip(self.texts, self.counts.tolist(), strict=True))
        broken = {t: n for t, n in pairs if has_failed(t)} if len(pairs) <= 200 else {}
        if not broken:
            return {}
        rest = {folded(t) for t, _ in pairs} - {folded(t) for t in broken}
        return broken if 1 < len(rest) <= 12 else {}

    @cached_property
    def none_is_label(self) -> bool:
        """Whether 'none', so spelled, is one of several kinds: none, spam, harassment."""
        if "none" not in self.texts or len(self.texts) > LOOKED_AT:
            return False
        others = {folded(t) for t in self.texts if t not in self.failures} - set(MISSING)
        verdicts = {*GOOD_LABELS, *BAD_LABELS, *VERDICT_WORDS}
        return len(others) > 1 and not any(
            o in verdicts or as_number(o) is not None for o in others
        )

    @property
    def absent(self) -> frozenset[str]:
        """Folded cells that mean no verdict."""
        return frozenset(MISSING) - {"none"} if self.none_is_label else frozenset(MISSING)

    @cached_property
    def labels(self) -> dict[str, int]:
        """{folded label: rows} without failures and what means missing."""
        result: dict[str, int] = {}
        failures, absent = self.failures, self.absent
        for text, n in zip(self.texts, self.counts.tolist(), strict=True):
            form = folded(text)
            if text not in failures and form not in absent:
                result[form] = result.get(form, 0) + n
        return result

    @cached_property
    def many(self) -> bool:
        """Whether it surely has more labels than any column of verdicts, so that none need be folded."""
        some = self.texts[:AT_FIRST] if len(self.texts) > AT_FIRST else ()
        return len({folded(text) for text in some} - set(MISSING)) > _MOST_VERDICTS

    def shares_any(self, forms: frozenset[str]) -> bool:
        """Whether one of some folded labels is among its own, of which no list is kept."""
        if forms not in self.answers_by_forms:
            wanted = forms - self.absent
            first = {c for form in wanted for c in (form[:1], form[:1].upper())}
            self.answers_by_forms[forms] = any(  # folding keeps the first letter, if it is plain
                folded(text) in wanted
                for text in self.texts
                if text[0] in first or text[0] > "\x7f"
            )
        return self.answers_by_forms[forms]

    @property
    def answered(self) -> int:
        """Rows with a label."""
        return sum(self.labels.values())

    @cached_property
    def numeric(self) -> bool:
        """Whether every label is a number."""
        return bool(self._some) and all(as_number(label) is not None for label in self._some)

    @property
    def figures(self) -> bool:
        """Whether every label is a number, perhaps with commas, a currency or a percent sign."""
        return self.numeric or (
            bool(self._some) and all(_FIGURES.fullmatch(label) for label in self._some)
        )

    @cached_property
    def _some(self) -> list[str]:
        if self.many:
            some = map(folded, self.texts[:: max(1, len(self.texts) // LOOKED_AT)])
            return [form for form in some if form not in self.absent]
        labels = list(self.labels)
        return labels[:: max(1, len(labels) // LOOKED_AT)]

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """(n_rows,) the cells as numbers, NaN elsewhere."""
        values = [as_number(text) for text in self.texts]
        table = np.array([np.nan if v is None else v for v in values] + [np.nan])
        return table[self.codes]

    @property
    def verdict_like(self) -> bool:
        """At most 12 short labels, each twice on average, or whole numbers from 0 to 10."""
        n = 0 if self.many else len(self.labels)
        if not n:
            return False
        if self.numeric:
            some = [float(label) for label in self._some]
            whole = all(x == int(x) and -10 <= x <= 10 for x in some)
            few = 2 * n <= max(self.answered, 2) or n <= 3 or self.n_rows <= 8 or self.of_others
            return n <= 11 and whole and few
        if all(label.startswith(("{", "[{")) for label in self._some):
            return False  # JSON
        longest = max(len(label) for label in self._some)
        few = 2 * n <= self.answered or n <= 2 or (self.n_rows <= 8 and n <= 4) or self.of_others
        return n <= _MOST_VERDICTS and longest <= 40 and few

    @property
    def verdict_like_numbers(self) -> bool:
        """Whether it holds grades or 0 and 1."""
        return self.numeric and self.verdict_like

    @property
    def is_decimal(self) -> bool:
        """Whether some number is no whole one."""
        return self.numeric and any(float(label) % 1 for label in self._some)

    @property
    def binary_flag(self) -> bool:
        """Whether it is a yes or no about something that its name begins to ask: is_cached."""
        return self.binary and bool(self.leaf) and self.leaf[0] in FLAG

    @property
    def is_score(self) -> bool:
        """Numbers that are no verdicts."""
        return self.numeric and not self.verdict_like

    @property
    def speaks(self) -> bool:
        """Whether its labels are a verdict's whatever it is called: pass and fail."""
        return (
            not self.many
            and len(self.labels) > 1
            and any(label in VERDICT_WORDS for label in self.labels)
            and set(self.labels) <= {*GOOD_LABELS, *BAD_LABELS, *VERDICT_WORDS}
        )

    @property
    def binary(self) -> bool:
        """Whether its labels are yes and no, true and false, 0 and 1, high and low."""
        return not self.many and is_binary(self.labels)

    @cached_property
    def sentences(self) -> bool:
        """Whether cells are words to read: 30 characters on average, or blanks in most of many texts."""
        some = [
            t
            for t in self.texts[:: max(1, len(self.texts) // LOOKED_AT)]
            if folded(t) not in MISSING
        ]
        if not some or all(as_number(t) is not None for t in some[:20]):
            return False
        unspaced = [0 if t.isascii() else len(_UNSPACED_LETTERS.findall(t)) for t in some]
        length, words = (
            (sum(map(len, some)) + 1.5 * sum(unspaced)) / len(some),
            (sum(len(t.split()) for t in some) + sum(unspaced) / 2) / len(some),
        )
        wordy = sum(" " in t or n > 5 for t, n in zip(some, unspaced, strict=True))
        spaced = 2 * wordy > len(some) and len(self.texts) > 12
        return (length >= 30 and words >= 2) or (spaced and (words >= 2.5 or length >= 15))

    @cached_property
    def is_time(self) -> bool:
        """Whether cells are dates or times."""
        some = self.texts[:: max(1, len(self.texts) // 200)][:200]
        if some and all(_DATE.fullmatch(t) for t in some):
            return True
        if some and all(_COMPACT_DATE.fullmatch(t) for t in some) and len(self.texts) > 1:
            return True
        numbers = [as_number(t) for t in some]
        seconds = bool(numbers) and all(v is not None and 1e9 <= v < 2e13 for v in numbers)
        return seconds and not TIME.isdisjoint(self.words)

    @property
    def unique(self) -> bool:
        """Whether every row has a cell of its own."""
        return self.n_rows > 1 and len(self.texts) == self.n_rows and self.filled == self.n_rows

    @property
    def constant(self) -> bool:
        """Whether all cells that are filled are alike."""
        return len(self.texts) == 1 and self.n_rows > 1

    @cached_property
    def counts_rows(self) -> bool:
        """Whether it holds 0, 1, 2, ... or 1, 2, 3, ..., each once."""
        if not self.unique:
            return False
        numbers = np.sort(self.numbers)
        return bool(
            np.array_equal(numbers, np.arange(self.n_rows))
            or np.array_equal(numbers, np.arange(1, self.n_rows + 1))
        )

    @cached_property
    def numbers_rows(self) -> bool:
        """Whether it holds whole numbers, all distinct, among which a measure would have met one twice."""
        if not self.unique or not self.numeric or self.is_decimal or self.n_rows <= 12:
            return False
        span = float(np.ptp(self.numbers)) + 1
        pairs = self.n_rows * (self.n_rows - 1) / 2
        return bool(np.exp(-pairs / span) < 0.05) and bool(np.min(self.numbers) >= 0)

    @property
    def example(self) -> str:
        """The commonest cell, cut short."""
        if not self.texts:
            return ""
        text = " ".join(self.texts[int(self.counts.argmax())].split())
        return text if len(text) <= 24 else text[:22] + ".."


_VERSIONED = frozenset({"version", "versions", "release", "build", "ver"})
"""Words of a name whose numbers are no decimals."""


_PROFESSIONS = re.compile(r"\w{3,}(?:ologist|ologists|iatrist|ologe|ologin|ologue|ologo|ologa)")
"""Ends of words for people who know: cardiologist, psychiatrist."""


def _without_case(word: str) -> str:
    """A word for people without an ending of case, модератор for модератора; 'expert' for a cardiologist."""
    if word in HUMAN or len(word) < 7:
        return word
    if _PROFESSIONS.fullmatch(word):
        return "expert"
    begins = [word[:-k] for k in (1, 2) if len(word) - k >= 6 and word[:-k] in HUMAN]
    return begins[0] if begins else word


def _texts_of(values: Sequence[object]) -> list[str | None]:
    """Texts of distinct cells; most need no look, as they neither mean nothing nor are decimals."""
    if not all(type(value) is str for value in values):
        return [_text(value) for value in values]
    stripped: Iterable[str] = map(str.strip, values)  # type: ignore[arg-type]
    return [t if t and t[0] not in "nN#<-" and "." not in t else _text(t) for t in stripped]


def _text(value: object) -> str | None:
    text = tidy(value)
    if text is None or text in BLANK:
        return None
    blank = text[:1] in "nN" or text.isspace()  # as NaT may be
    return None if blank and folded(text) in ("nat", "") else text


def _commas(texts: Sequence[str | None]) -> str:
    """What commas in a column of numbers are, by its distinct cells."""
    first = next((t for t in texts if t and not _means_nothing(t)), "")
    if not (first[:1].isdigit() or first[:1] in ("+", "-")) or "," not in "".join(
        filter(None, texts)
    ):
        return ""
    return commas_in(t for t in texts if t and not _means_nothing(t))


def _means_nothing(text: str) -> bool:
    """Whether a cell of numbers is none: NA, timeout."""
    return not text[:1].isdigit() and (folded(text) in MISSING or has_failed(text))


def _with_points(texts: Iterable[str], *, decimal: bool) -> list[str]:
    """Numbers that were written with commas, without."""
    return [t if _means_nothing(t) else without_commas(t, decimal=decimal) for t in texts]


def settle_commas(columns: Iterable[Evidence]) -> None:
    """Take 1,234 for a decimal where another column has plainly decimal commas, for a thousand elsewhere."""
    decimal = any(c.commas == "decimal" for c in columns)
    for column in columns:
        if column.commas == "either":
            column.settle_commas(decimal=decimal)


def _grades_in_words(texts: Sequence[str | None]) -> list[str | None] | None:
    """Numbers of grades such as '8: accept, good paper' or '3 good', each said in one way, None of others."""
    some = {t for t in texts if t is not None}
    if not 1 < len(some) <= 12:
        return None
    numbers = {t: _GRADE_IN_WORDS.fullmatch(t) for t in some}
    if not all(numbers.values()) or any(len(t) > 200 for t in some):
        return None
    grades = {t: m.group(1) for t, m in numbers.items() if m is not None}
    return [t and grades[t] for t in texts] if len({*grades.values()}) == len(grades) else None


def _all_rated(texts: Sequence[str | None]) -> list[tuple[str, str] | None]:
    """Grades of texts, None of empty ones; an empty list where one has no grade, or all are empty."""
    rated: list[tuple[str, str] | None] = []
    for text in texts:
        rated.append(None if text is None else _rated(text))
        if text is not None and rated[-1] is None:
            return []
    return rated if any(rated) else []


def _rated(text: str) -> tuple[str, str] | None:
    """Grade, and what it is out of, of texts such as 'Score: 4' and '4/5'."""
    if (bare := re.fullmatch(r"\[+\s*([^\[\],]{1,20}?)\s*\]+", text)) is not None:
        return bare.group(1), ""
    prefix = _RATED.fullmatch(text)
    text, picked = (prefix.group(1).strip(), True) if prefix else (text, False)
    out_of = _OUT_OF.fullmatch(text)
    if out_of is not None:
        return tidy(out_of.group(1)) or "", out_of.group(2)
    return (tidy(text) or "", "") if picked else None


def names_a_verdict_of_a_model(name: str) -> bool:
    """Whether a column is called like a model's verdict: gpt4_verdict, model_sentiment, prediction."""
    column = Evidence(name, 0)
    words = [w for w in column.leaf if not w.isdigit()]
    aside = (
        SHOWN - {"prediction", "predicted"}
        | REASON
        | GRADED
        | COVARIATE
        | {"id", "name", "version"}
    )
    if (
        not words
        or column.ends(aside)
        or column.says({"tie"})
        or ("winner" in words and (words[-1] != "winner" or len(words) == 1))
        or re.fullmatch(PAIR, name.strip().lower())
    ):
        return False
    about = bool({"model", "llm", "ai", "auto", "bot"} & set(words)) and len(words) > 1
    return stems(words, MODELS) or bool({"prediction", "predicted", "pred"} & set(words)) or about


def names_a_verdict_of_a_person(name: str) -> bool:
    """Whether a column is called like what a person said: human_winner, expert_label, gold."""
    column = Evidence(name, 0)
    aside = TIME | REASON | COVARIATE | PROMPT | ID | REVIEWER | {"name", "email", "version"}
    if not column.leaf or column.ends(aside - HUMAN) or column.leaf[-1] in ("id", "at"):
        return False
    if column.low in REFERENCES or stems(column.leaf, MODELS):
        return False
    words = {word.rstrip("0123456789") for word in column.leaf}
    rated = words & {"user", "customer"} and words & (GRADED | WEAK | WEAK_HUMAN | {"feedback"})
    alone = len(column.leaf) == 1 and column.leaf[0] in HUMAN & REVIEWER
    first = len(column.leaf) <= 2 and not FIRST_NAMES.isdisjoint(words)
    return not alone and (bool(words & HUMAN) or column.low in HUMAN_NAMES or bool(rated) or first)


def names_more(name: str) -> bool:
    """Whether a column beside verdicts is called like one that matters: a system, a group, a measure."""
    column = Evidence(name, 0)
    said = names_a_verdict_of_a_model(name) or names_a_verdict_of_a_person(name)
    return said or column.ends(SYSTEM, SLICE, COVARIATE)


# --- What two columns have in common.


def share(first: Evidence, second: Evidence) -> bool:
    """Whether two columns have a label in common; true is 1, false is 0; 0 and 1 are no grades of 1 to 5."""
    if any(c.many for c in (first, second)) and _apart(first, second):
        return False
    forms = forms_of(first), forms_of(second)
    if forms[0].isdisjoint(forms[1]):
        return False
    few, many = sorted(forms, key=len)
    numbers = [[as_number(form) for form in some] for some in (few, many)]
    if None in (*numbers[0], *numbers[1]):
        return True
    few_, many_ = ([float(x) for x in some if x is not None] for some in numbers)
    return min(many_) <= min(few_) and max(few_) <= max(many_)


_SAME = {"true": "1", "false": "0", "1.0": "1", "0.0": "0", "model_a": "a", "model_b": "b"}


def _apart(first: Evidence, second: Evidence) -> bool:
    """Whether two columns, of which one may have a million labels, have none in common."""
    few, many = (second, first) if first.many else (first, second)
    if few.many:
        return False
    spelled = forms_of(few) | {word for word, form in _SAME.items() if form in forms_of(few)}
    return not many.shares_any(frozenset(spelled))


def forms_of(column: Evidence) -> set[str]:
    """Labels of a column, true and false as 1 and 0."""
    same = _SAME
    return {same.get(label, label) for label in column.labels}


def agreement(first: Evidence, second: Evidence) -> tuple[float, int]:
    """Kappa of labels, the correlation of ranks of more than two numbers, or phi where no label is shared.

    Of words and many numbers: the correlation ratio of ranks.

    The second number: how many rows have both.
    """
    both = (first.codes >= 0) & (second.codes >= 0)
    a, b = first.codes[both], second.codes[both]
    n = len(a)
    if n < 5:
        return 0.0, n
    if first.numeric and second.numeric and max(len(first.labels), len(second.labels)) > 2:
        return abs(_ranks_agree(first.numbers[both], second.numbers[both])), n
    if first.numeric != second.numeric:
        number, word = (first, second) if first.numeric else (second, first)
        if number.is_score and len(word.labels) > 2:
            return _ranks_differ(number.numbers[both], word.codes[both]), n
        if len(number.labels) > 2 and len(word.labels) == 2:
            truth = codes_among(word, sorted(forms_of(word)))[word.codes].astype(float)
            return abs(_ranks_agree(number.numbers, np.where(truth < 0, np.nan, truth))), n
    names = sorted(forms_of(first) | forms_of(second))
    if len(names) > 60:
        return 0.0, n
    x, y = codes_among(first, names)[a], codes_among(second, names)[b]
    settled = (x >= 0) & (y >= 0)
    x, y, n = x[settled], y[settled], int(settled.sum())
    if n < 5:
        return 0.0, n
    k = len(names)
    table = np.bincount(x * k + y, minlength=k * k).reshape(k, k).astype(np.float64)
    rows, columns = table.sum(1) / n, table.sum(0) / n
    if share(first, second):
        chance = float(rows @ columns)
        return (0.0 if chance >= 1 else (float(np.trace(table)) / n - chance) / (1 - chance)), n
    expected = np.outer(rows, columns) * n
    kept = expected > 0
    square = float((((table - expected) ** 2)[kept] / expected[kept]).sum())
    size = min((rows > 0).sum(), (columns > 0).sum()) - 1
    return (float(np.sqrt(square / (n * size))) if size > 0 else 0.0), n


def codes_among(column: Evidence, names: Sequence[str]) -> Positions:
    """Position among names of each of a column's texts, -1 of others."""
    same = {"true": "1", "false": "0"}
    lookup = {name: k for k, name in enumerate(names)}
    picked = []
    for text in column.texts:
        form = folded(text)
        settled = text not in column.failures and form not in column.absent
        picked.append(lookup.get(same.get(form, form), -1) if settled else -1)
    return np.array([*picked, -1], np.int64)


def _ranks_agree(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    settled = ~(np.isnan(x) | np.isnan(y))
    if settled.sum() < 5:
        return 0.0
    a, b = mid_ranks(x[settled]), mid_ranks(y[settled])
    if a.std() == 0 or b.std() == 0:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


def _ranks_differ(numbers: NDArray[np.float64], groups: Positions) -> float:
    """Square root of the share of ranks' variance between groups, less what chance puts there."""
    kept = ~np.isnan(numbers)
    ranks, groups = mid_ranks(numbers[kept]), np.unique(groups[kept], return_inverse=True)[1]
    n, k = len(ranks), int(groups.max(initial=-1)) + 1
    if n <= k or k < 2 or ranks.std() == 0:
        return 0.0
    means = np.bincount(groups, ranks) / np.bincount(groups)
    within = float(((ranks - means[groups]) ** 2).sum() / ((ranks - ranks.mean()) ** 2).sum())
    return float(np.sqrt(max(0.0, 1 - within * (n - 1) / (n - k))))


def together(columns: Sequence[Evidence]) -> Positions | None:
    """Each row's combination of cells as a number; None where a row lacks one."""
    rows: Positions | None = None
    for column in columns:
        if (column.codes < 0).any():
            return None
        rows = column.codes if rows is None else rows * (len(column.texts) + 1) + column.codes
        rows = np.unique(rows, return_inverse=True)[1].astype(np.int64)
    return rows


def each_once(columns: Sequence[Evidence]) -> bool:
    """Whether no two rows are equal on some columns, and none lacks a cell."""
    rows = together(columns)
    return rows is not None and len(rows) > 1 and int(rows.max()) == len(rows) - 1


def settles(first: Evidence, second: Evidence) -> bool:
    """Whether rows alike in the first are alike in the second."""
    pairs = np.unique(first.codes.astype(np.int64) * (len(second.texts) + 2) + second.codes + 1)
    return len(pairs) == len(np.unique(first.codes))


ROLES = (
    *("item", "prompt", "text", "judge", "human", "system", "trial", "swap", "covariate", "slice"),
    *("time", "score", "reason", "ignored", "rater", "answer"),
)
VOTES = frozenset({"vote", "verdict", "label", "judgment", "judgement", "answer", "annotation"})
"""What a column is called that holds what judges said, not what systems scored."""
PAIR = r"(model|system|assistant|generator|bot|player|engine)[_ ]?(a|b|1|2)(?:[_ ](?:id|name))?"
"""What the two systems of a pair are called."""
