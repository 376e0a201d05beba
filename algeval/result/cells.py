"""Cells of tables: plain values for frames and files, a few characters for people."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from algeval.result.numbers import Quadratic

__all__ = ["holds_numbers", "plain_column", "shown"]


def plain_column(column: Sequence[Any]) -> list[Any]:
    """Return cells that every library takes: of one kind, with None where there is nothing."""
    cells = [_plain(cell) for cell in column]
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {int, float} and float in kinds:
        return [None if cell is None else float(cell) for cell in cells]
    if len(kinds) > 1:
        return [None if cell is None else str(cell) for cell in cells]
    return cells


def _plain(cell: Any) -> Any:
    if hasattr(cell, "item"):  # a NumPy scalar, without importing NumPy
        cell = cell.item()
    if isinstance(cell, Fraction | Quadratic):
        return float(cell)
    if isinstance(cell, float) and cell != cell:
        return None
    if isinstance(cell, bool | float) or cell is None:
        return cell
    if isinstance(cell, int):
        return cell if abs(cell) < 2**63 else str(cell)
    return str(cell)


def holds_numbers(column: Sequence[Any]) -> bool:
    """Whether every cell is a number, or missing."""
    return {type(cell) for cell in plain_column(column)} <= {int, float, type(None)}


def shown(cell: Any) -> str:
    """Return a cell in few characters, with a dash where there is nothing."""
    if hasattr(cell, "item"):
        cell = cell.item()
    if cell is None or cell != cell:
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Fraction | Quadratic):
        return str(cell) if cell in (0, 1) else f"{cell} ({float(cell):.4g})"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
