"""Numeric policy of rates: every tuning constant, its value, and why.

"simulated" means that the grids of `tests/rates` measured it; "chosen" means chosen, not measured.
"""

from __future__ import annotations

LEVEL = 0.95  # of an interval, unless asked otherwise
FEWEST_GOLD = 10  # simulated: with fewer labels the judges' help cannot be told from luck
FEWEST_OF_A_KIND = (
    3  # simulated: rule of three; with fewer of a label, the labels alone are as good
)

# labels one at a time
STREAM_STEPS = 1000  # chosen: steps of the grid of rates; an end is rounded outwards by at most one
STREAM_STAKE = (
    0.5  # simulated: most that a gambler risks; .75 and .9 end 5 to 40% wider at 400 labels
)
STREAM_FIRST_WEIGHT = 10  # simulated: labels before the judges get a weight; 30 ended wider
STREAM_RIDGE = (
    0.25  # chosen: added to the judges' sum of squares, so that the first weights are small
)
