"""Count where more different rows occur than can be translated one by one: scores, wide panels."""

from __future__ import annotations

import numpy as np

from algeval.data import Sketch
from algeval.errors import DataError
from algeval.io.answers import MOST_ANSWERS, Rules
from algeval.io.columns import unmasked
from algeval.io.counting.scan import Scan
from algeval.io.json_files import decoded
from algeval.io.meaning import meaning_of
from algeval.io.opened import sql_text

__all__ = ["count_in_two_passes"]

_MOST_CELLS = 200_000
"""More distinct cells than this are no answers, and too many for scores to cut."""


def count_in_two_passes(scan: Scan, judges: tuple[str, ...], rules: Rules) -> Sketch:
    """Learn the distinct cells in one pass, then group by what they mean in a second.

    Raises
    ------
    DataError
        If the cells are too many to be answers or scores.
    """
    cells = [scan.cells[name] for name in judges]
    listed = ", ".join(cells)
    found = scan.run(
        f"SELECT cell, count(*) AS n FROM (SELECT unnest([{listed}]) AS cell FROM {scan.relation}) "
        f"WHERE cell IS NOT NULL GROUP BY cell ORDER BY n DESC, cell LIMIT {_MOST_CELLS + 2}"
    )
    raw = [str(cell) for cell in unmasked(found["cell"])]
    if len(raw) > _MOST_CELLS or (rules.cut is None and len(raw) > 10 * MOST_ANSWERS):
        raise DataError(
            f"votes must hold at most {MOST_ANSWERS} different answers; got more than "
            f"{min(len(raw), _MOST_CELLS)} different cells; choose other columns with judges="
        )
    texts = [rules.answer(value) for value in decoded("judges", raw, scan.json)]
    votes = np.asarray(found["n"]).tolist()
    meaning = meaning_of([("judges", texts)], _tallied(texts, votes), rules)
    grouped = scan.run(_group_query(scan.relation, cells, raw, list(meaning.codes[0])))
    codes = np.stack([np.asarray(grouped[f"a{place}"]) for place in range(len(judges))], axis=1)
    counts = np.asarray(grouped["n"])
    return Sketch(judges, meaning.labels, meaning.answers, codes.astype(np.int16), counts)


def _tallied(texts: list[str | None], votes: list[int]) -> dict[str, tuple[int, int]]:
    """Return {answer: (votes, place)}; of equally many votes the text that sorts first comes first."""
    found: dict[str, tuple[int, int]] = {}
    for place, (text, n) in enumerate(zip(texts, votes, strict=True)):
        if text is not None:
            before, at = found.get(text, (0, place))
            found[text] = (before + n, at)
    return found


def _group_query(relation: str, cells: list[str], raw: list[str], codes: list[int]) -> str:
    texts = ", ".join(map(sql_text, raw))
    numbers = ", ".join(map(str, codes))
    columns = ", ".join(f"{cell} AS r{place}" for place, cell in enumerate(cells))
    picked = ", ".join(f"coalesce(m{p}.code, -1) AS a{p}" for p in range(len(cells)))
    joins = " ".join(
        f"LEFT JOIN meaning m{place} ON r{place} = m{place}.raw" for place in range(len(cells))
    )
    return (
        f"WITH meaning AS MATERIALIZED (SELECT unnest([{texts}]) AS raw, "
        f"unnest([{numbers}]::SMALLINT[]) AS code), votes AS (SELECT {columns} FROM {relation}) "
        f"SELECT {picked}, count(*) AS n FROM votes {joins} GROUP BY ALL"
    )
