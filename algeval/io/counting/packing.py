"""Answers of many judges in a few whole numbers, which a database groups faster than texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algeval.data.names import NOT_ANSWERED, Codes
from algeval.io.opened import sql_text

__all__ = ["NO_ROW", "Packing", "looked_up"]

NO_ROW = NOT_ANSWERED - 1
"""The code of a judge of whom a long table says nothing on an item, not even that there is no answer."""

_BITS = 62
"""Of a whole number of DuckDB, what is used."""


@dataclass(frozen=True, slots=True)
class Packing:
    """Where the code of each judge's answer stands: `width` bits each, 0 for no row.

    Examples
    --------
    >>> packing = Packing.of(3, 2)
    >>> packing.width, packing.in_a_word, packing.names
    (2, 31, 'w0')
    """

    n_judges: int
    width: int

    @classmethod
    def of(cls, n_judges: int, n_answers: int) -> Packing:
        """Return a packing with room for every answer, for none, and for no row."""
        return cls(n_judges, (n_answers + 1).bit_length())

    @property
    def in_a_word(self) -> int:
        """How many judges' answers go into one whole number."""
        return _BITS // self.width

    @property
    def n_words(self) -> int:
        """How many whole numbers an item takes."""
        return -(-self.n_judges // self.in_a_word)

    @property
    def names(self) -> str:
        """What the whole numbers are called, as SQL lists them."""
        return ", ".join(f"w{word}" for word in range(self.n_words))

    def of_rows(self, place: str, code: str) -> list[str]:
        """Return the SQL of a row's part of each whole number, given its judge's place and its code."""
        shift = f"(({place} % {self.in_a_word}) * {self.width})"
        return [
            f"CASE WHEN {place} // {self.in_a_word} = {word} THEN ({code} - {NO_ROW}) << {shift} ELSE 0 END"
            for word in range(self.n_words)
        ]

    def of_columns(self, codes: Sequence[str]) -> list[str]:
        """Return the SQL of each whole number, given that of each judge's code."""
        step = self.in_a_word
        return [
            " | ".join(
                f"(({code} - {NO_ROW}) << {at * self.width})"
                for at, code in enumerate(codes[word * step : (word + 1) * step])
            )
            for word in range(self.n_words)
        ]

    def unpack(self, found: Mapping[str, Any]) -> Codes:
        """Return (rows, judges): the codes that were packed into the columns w0, w1, ..."""
        columns = []
        for place in range(self.n_judges):
            word, at = divmod(place, self.in_a_word)
            packed = np.asarray(found[f"w{word}"], np.int64) >> (at * self.width)
            columns.append(((packed & ((1 << self.width) - 1)) + NO_ROW).astype(np.int16))
        return np.stack(columns, axis=1)


def looked_up(sql: str, numbers: Mapping[Any, int], otherwise: int) -> str:
    """Return the SQL of the whole number that stands for a text, or for none."""
    texts = [text for text in numbers if text is not None]
    if not texts:
        return f"{otherwise}::BIGINT"
    kinds = ", ".join(sql_text(str(text)) for text in texts)
    listed = ", ".join(str(numbers[text]) for text in texts)
    place = f"enum_code(CAST({sql} AS ENUM({kinds})))::BIGINT + 1"
    return f"coalesce(([{listed}]::BIGINT[])[{place}], {otherwise})"
