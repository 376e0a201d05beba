"""Who won a battle, as tables write it: a system of the row, first, second, or a tie."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.io.columns import Column, plain

__all__ = ["FIRST", "SECOND", "TIE", "UNKNOWN", "outcomes_of"]

FIRST, SECOND, TIE, UNKNOWN = 0, 1, 2, -1

_OTHER = -2
_WORDS = {
    FIRST: "first a left model_a modela system_a response_a answer_a assistant_a a>b a>>b",
    SECOND: "second b right model_b modelb system_b response_b answer_b assistant_b b>a b>>a",
    TIE: "tie tied draw equal same both neither bothbad both_bad tie_bothbad a=b",
}
_MEANING = {word: code for code, words in _WORDS.items() for word in words.split()}
_CRAMPED = str.maketrans({" ": "_", "-": "_", "(": "_", ")": None, "[": None, "]": None})


def outcomes_of(
    winner: Column, first: NDArray[np.int64], second: NDArray[np.int64], systems: tuple[str, ...]
) -> NDArray[np.int8]:
    """Return who won each battle: FIRST, SECOND, TIE, or UNKNOWN where the cell is blank.

    Parameters
    ----------
    winner : Column
    first, second : (n,) int arrays
        Places of the two systems.
    systems : tuple of str
        A name among them is read as that system before it is read as a word.

    Raises
    ------
    DataError
        If a cell is neither.
    """
    texts = [plain(value) for value in winner.values]
    place = {name: k for k, name in enumerate(systems)}
    named = winner.look_up([place.get(text or "", -1) for text in texts])
    meant = winner.look_up([_meaning(text) for text in texts])
    found = np.select([named == first, named == second], [FIRST, SECOND], meant)
    found = np.where((named >= 0) & (found == UNKNOWN), _OTHER, found)
    wrong = np.flatnonzero(found == _OTHER)
    if len(wrong):
        row = int(wrong[0])
        one, two = systems[first[row]], systems[second[row]]
        raise DataError(
            f"column {winner.name!r} must name the winner: {one!r}, {two!r}, first, second or tie; got "
            f"{texts[winner.codes[row]]!r} in row {row + 1}; rename it"
        )
    return found.astype(np.int8)


def _meaning(text: str | None) -> int:
    if text is None:
        return UNKNOWN
    cramped = text.casefold().translate(_CRAMPED).replace("__", "_")
    return _MEANING.get(cramped, _OTHER)
