"""Numeric policy of rates: every tuning constant, its value, and why.

"simulated" means that the grids of `tests/rates` measured it; "chosen" means chosen, not measured.
"""

from __future__ import annotations

LEVEL = 0.95  # of an interval, unless asked otherwise
FEWEST_GOLD = 10  # simulated: with fewer labels the judges' help cannot be told from luck
FEWEST_OF_A_KIND = (
    3  # simulated: rule of three; with fewer of a label, the labels alone are as good
)
