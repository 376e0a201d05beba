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

# two systems
PAIR_PRIOR = 1 / 3  # simulated: a third of a label for worse, same and better, in each stratum
PAIR_DRAWS = 20_000  # chosen: of the posterior; an end is steady to a tenth of a percent of chance
FEWEST_DISCORDANT = 6  # exact: with five labelled differences no sign test reaches .05
FEWEST_CLUSTERS = 10  # chosen: labelled clusters below which their spread is not known
ONE_DISAGREEMENT = 1.0  # simulated: residuals count as one at least, or perfect judges look certain
BELIEFS = (
    0.7,
    0.8,
    0.9,
)  # chosen: accuracies whose consequences are shown where there are no labels
STANDS_FOR = (0.1, 4.0)  # chosen: how far, as a share and in standard errors, the items that labels
# stand for may be from those there are before the chances of inclusion are refused
UNBALANCED = (
    3.0  # simulated: standard errors by which judges may see labelled items differ from all;
)
# random draws pass it once in 300 times

# what to label next
SPREAD_BANDS = 5  # simulated: bands of the share across which labels are spread
UNCERTAIN_GOLD = 50  # simulated: labels below which the judges' uncertainty cannot be calibrated
UNCERTAIN_MIX = (
    0.5  # simulated: share of the labels drawn evenly; less, and sure errors weigh too much
)
UNCERTAIN_RIDGE = 1.0  # chosen: pull of both coefficients of the calibration towards 0
UNCERTAIN_GAIN = 0.05  # chosen: predicted gain below which labels are spread instead
