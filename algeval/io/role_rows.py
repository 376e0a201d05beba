"""Columns of texts and times, of pairs in one row, and of numbers about an output."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from algeval.data.names import folded, other_side
from algeval.io.column_words import (
    BAD_LABELS,
    CONFIDENT,
    COVARIATE,
    CRITERIA,
    DONE,
    FLAG,
    FLAGGED,
    GOOD_LABELS,
    HUMAN,
    ID,
    JUDGE,
    MACHINE,
    METRICS,
    REASON,
    SHOWN,
    SLICE,
    SWAP,
    SYSTEM,
    WEAK,
    WEAK_HUMAN,
    stems,
    words_in,
)
from algeval.io.evidence import PAIR, Evidence, agreement, share
from algeval.io.layout import item_columns
from algeval.io.roles import NONE_OF_THEM, TIES, Desk, answered, good_label, names_setups

_TITLED = re.compile(
    r"(?:Fr|Hr|Frau|Herr|Dr|Prof|Mr|Mrs|Ms|Mme|Mlle|Sr|Sra|Sig|Dott|Dra)(?:\. ?| )[^\W\d_a-z][^\W\d_]+"
    r"(?: [^\W\d_]+)?"
)
"""A person by title and name: Fr. Wagner."""
_METADATA = words_in(
    "finished completed submitted done status progress consent valid active deleted public published"
)
"""Called so, a value that is the same on every row says nothing of the outputs."""
SIDES = ({"left", "right"}, {"first", "second"}, {"a", "b"}, {"1", "2"})
_EVEN = frozenset(
    {"tie", "draw", "both", "neither", "equal", "tied", "same", "none", "either", "no preference"}
)
"""Verdicts that neither of two answers is the better."""
_RIGHT_ANSWERS = (
    "reference",
    "references",
    "expected",
    "ground truth",
    "expected output",
    "target",
)
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
            if column.nested:
                self._set([column.name], "ignored", "it holds lists or objects")
            elif not column.filled:
                self._set([column.name], "ignored", "it is empty")
            elif (
                same is not None
                and not (column.name in sides and column.verdict_like and column.speaks)
                and _equal(column, same)
            ):
                self._set([column.name], "ignored", f"the same as {same.name!r} on every row")
            elif column.low in ("", "unnamed 0", "index", "row", "#", "no", "nr") and (
                column.counts_rows and column.name not in self.index
            ):
                self._set([column.name], "ignored", "row numbers")
            elif column.constant and column.filled == self.n and not self._may_be_constant(column):
                self._set([column.name], "ignored", f"it says {column.example!r} on every row")

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
        if re.fullmatch(PAIR, column.name.strip().lower()):
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
            if says_reason and not column.numeric and not self._speaks_like_a_judge(column):
                role = "text" if column.says({"notes", "note"}) else "reason"
                self._set([column.name], role, "the name says a reason, and it holds words")
            elif self._is_text(column, judged) or column.parents & {"raw", "completion"}:
                self._set([column.name], "text", "words to read")

    def _speaks_like_a_judge(self, column: Evidence) -> bool:
        return column.verdict_like and (column.speaks or column.binary)

    def _is_text(self, column: Evidence, judged: Sequence[Evidence]) -> bool:
        if column.numeric or self._speaks_like_a_judge(column):
            return False
        if any(
            c is not column and not c.numeric and share(c, column)
            for c in judged
            if column.verdict_like
        ):
            return False
        if is_to_read(column):
            return True
        if column.leaf[-1:] in (["id"], ["uuid"]):
            return False
        if " ".join(column.leaf) in _RIGHT_ANSWERS:
            return not column.verdict_like or len(column.labels) > 6
        if column.ends({"answer", "output"}) and column.says(_OF_REFERENCES):
            return not column.binary and not set(column.labels) <= {*GOOD_LABELS, *BAD_LABELS}
        named = column.ends(SHOWN) or not {"inputs", "outputs", "input", "output"}.isdisjoint(
            column.parents
        )
        if named and column.unique and not any(" " in text for text in column.texts[:50]):
            figures = all(re.search(r"\d", text) for text in column.texts[:50])
            return column.ends(SHOWN) and not figures  # inputs.example and passage may hold ids
        return (
            named
            and not column.ends(ID - {"document"})
            and len(column.texts) > 12
            and not column.verdict_like
        )

    # --- pairs of systems

    def _both_orders(self) -> None:
        """Two columns of one judge's verdicts on pairs, one for each order shown: x_ab, x_ba: asked about."""
        if self.stated.judges is not None:
            return
        ends = dict([*_ORDERS, *((b, a) for a, b in _ORDERS)])
        columns = {tuple(c.leaf): c for c in self.free if c.verdict_like and len(c.leaf) > 1}
        for leaf, column in columns.items():
            other = columns.get((*leaf[:-1], ends.get(leaf[-1], "")))
            if other is None or (leaf[-1], other.leaf[-1]) not in _ORDERS:
                continue
            alike = {last for *stem, last in columns if tuple(stem) == leaf[:-1]}
            if any(map(str.isdigit, alike - {"12", "21"})) or not share(column, other):
                continue  # judges with numbers, or other labels
            self._ask_both_orders(column, other)
        self._second_orders()

    def _ask_both_orders(self, first: Evidence, second: Evidence) -> None:
        """Add the question what two columns of verdicts on pairs in both orders name."""
        names, others = [first.name, second.name], self._machines_beside(first, second)
        self._ask(
            f"Do {names[0]!r} and {names[1]!r} hold one judge's verdicts in both orders? Where they name "
            "the place shown (A, first), write a row for each order, with a column for --swap; or answer",
            names,
            [
                f"{answered('judges', *others, names[0])} (one order)",
                f"{answered('judges', *others, *names)} (they name the answer, in whatever order)",
            ],
        )

    def _machines_beside(self, *columns: Evidence) -> list[str]:
        """Other columns of verdicts on pairs that are called like a machine's."""
        verdicts = [c for c in self.free if c.verdict_like and self._names_sides(c)]
        return [c.name for c in verdicts if c not in columns and self._is_machine(c)]

    def _second_orders(self) -> None:
        """Verdicts called like others but for a word as 'swapped': those of the judge in the other order.

        That both name the answer, and not its place, is taken where they agree far more as they stand than
        with the sides of one exchanged; else it is asked.
        """
        verdicts = [c for c in self.free if c.verdict_like and self._names_sides(c)]
        by_words = {frozenset(c.words): c for c in verdicts}
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
                self._ask_both_orders(first, column)

    def _pairs(self) -> None:
        bases: defaultdict[str, list[str]] = defaultdict(list)
        for column in self.free:
            match = re.fullmatch(PAIR, column.name.strip().lower())
            votes = column.verdict_like_numbers or self._names_sides(column)
            if match and not votes:
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
        candidates_ = [c for c in self.free if c.verdict_like and self._names_sides(c)]
        if (
            candidates_
            and self.roles.layout == "wide"
            and ({"a", "b"} <= texts or {"first", "second"} <= texts or {"1", "2"} <= texts)
        ):
            self.roles.pairs = True
        self._swaps()
        if self.roles.layout == "pairwise" and candidates_:
            flags = [c for c in self.free if c.binary and not self._names_sides(c)]
            flags = [c for c in flags if not (self._is_model(c) or self._is_judge_word(c))]
            flags = [c for c in flags if not c.says(HUMAN)]
            self._set([c.name for c in flags], "slice", "it names neither answer of a pair")

    def _swaps(self) -> None:
        """Name the column of the order in which two answers were shown; ask of verdicts called so."""
        for column in self.free:
            in_pairs = self.roles.layout == "pairwise"
            turned = not {"swapped", "flipped", "reversed", "switched"}.isdisjoint(column.labels)
            left = in_pairs and self._names_sides(column) and {*column.leaf} <= _ON_THE_LEFT
            if not column.verdict_like or not (column.says(SWAP) or turned or left):
                continue
            named = self._is_model(column) or column.says(WEAK, WEAK_HUMAN, HUMAN, _CHOSEN)
            if not named and self._says_which_first(column):
                self._set([column.name], "swap", "which of two answers was shown first")
                continue
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
        first = column.says({"first", "order", "left", "top"}) and column.says(SWAP)
        others = [c for c in self.free if c is not column and c.verdict_like]
        return (
            first
            and len(column.labels) == 2
            and not (column.numeric or column.speaks)
            and any(set(column.labels) <= set(c.labels) <= {*column.labels, *_EVEN} for c in others)
        )

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
            rows = (
                np.array(first.texts, object)[first.codes],
                np.array(second.texts, object)[second.codes],
            )
            if (rows[0] == rows[1]).any():
                continue
            sides = {first.low, second.low}
            others = [c for c in self.free if c is not first and c is not second]
            called = {folded(text) for text in names[0] | names[1]}
            plain = [c for c in others if c.verdict_like and self._names_sides(c)]
            won = [c for c in others if _says_winner(c, sides) or _says_winner(c, called)]
            if not (plain or won):
                continue
            pair = [first.name, second.name]
            listed_pair = any(re.fullmatch(PAIR, name.strip().lower()) for name in pair)
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
            elif self._says_group(column):
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
        verdicts = [
            c
            for c in self.columns.values()
            if c is not column
            and c.verdict_like
            and not c.says(CONFIDENT, COVARIATE)
            and c.parts[:-1] == column.parts[:-1]
            and self.decided.get(c.name, NONE_OF_THEM).role in ("", "judge")
        ]
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
        if column.says(HUMAN) or column.says({"judge", "verdict", "grader", "rater"}):
            return False
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
        return not column.sentences and column.ends(SLICE) and not column.unique

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


_CHOSEN = words_in("winner win won vote choice chosen pref preference preferred pick better best")
_TURNED_WORDS = words_in("swapped reversed flipped swap reverse flip rev turned mirrored")
"""Words that tell the name of verdicts in the other order from that of the first."""


def _with_sides_exchanged(column: Evidence) -> Evidence:
    """Verdicts with the first and the second answer exchanged."""
    return replace(column, name="", texts=tuple(other_side(t) or t for t in column.texts))


def is_to_read(column: Evidence) -> bool:
    """Whether cells are words to read."""
    return column.sentences
