"""The numbered equations, from the catalogue."""

from __future__ import annotations

from fractions import Fraction

from algeval.algebra import Entry, catalogue, encode
from algeval.replicate.algebraic.exams import decoded, table_1
from algeval.replicate.claim import Claim, Verdict
from algeval.replicate.computed import entry, fact

__all__ = ["equations"]

_VERDICTS: dict[str, Verdict] = {"proved": "reproduced", "erratum": "erratum"}

_WITH_A_CORRECTION = {"S20": "S22", "S28": "S30", "S36": "S37 and S38", "S40": "S41"}
"""Equations that hold with corrected coefficients only, and where those are printed."""


def equations() -> tuple[Claim, ...]:
    """Return a claim per numbered equation of the catalogue."""
    return tuple(_claim(one) for one in catalogue() if one.paper == "001")


def _claim(one: Entry) -> Claim:
    verdict, note = _VERDICTS[one.verdict], one.note
    if one.number in _WITH_A_CORRECTION:
        verdict = "conditional"
        wrong = _WITH_A_CORRECTION[one.number]
        note = f"false with the coefficients printed in {wrong}; proved with them corrected"
    special = {"S83": unknowns_not_listed, "S87": quadratic_of_table_1}
    return Claim(
        id=f"001-{one.number}",
        place=f"({one.number})",
        printed=one.statement.removesuffix(", with b corrected"),
        verdict=verdict,
        compute=fact(special[one.number]) if one.number in special else entry(one.number),
        note=note,
    )


def unknowns_not_listed() -> tuple[str, bool]:
    """Return which unknowns of the encoding the printed list lacks."""
    listed = {"P_A", *["P_{i,A}", "P_{i,B}"] * 3}
    needed = [symbol.name for symbol in encode(3).parameters]
    missing = [name for name in needed if name not in listed]
    told = f"{len(needed)} unknowns, of which the list lacks {', '.join(missing)}"
    return told, len(needed) == 7 and len(missing) == 4


def quadratic_of_table_1() -> tuple[str, bool]:
    """Return the coefficients a and c of Table 1's quadratic, and the discriminant as printed."""
    moments = decoded(table_1()).moments
    assert moments is not None
    a, c = moments.discriminant, moments.product
    printed = Fraction(3190087950361, 16 * 10**18)
    told = (
        f"a = {a.numerator}/({a.denominator / 1e17:g}e17), c = {c.numerator}/({c.denominator:.0e})"
    )
    right = a == 100 * printed and c == Fraction(1612380721606215379, 10**24)
    return told, right and printed**2 - 4 * printed * c < 0 < a**2 - 4 * a * c
