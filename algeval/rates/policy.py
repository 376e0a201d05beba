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
STREAM_STAKE = 0.5  # simulated: most that a gambler risks; .75 and .9 end 8 to 40% wider
STREAM_FIRST_WEIGHT = 10  # simulated: labels before judges weigh; with 30 good ones end 18% wider
STREAM_RIDGE = 0.25  # chosen: added to the judges' sum of squares, so that first weights are small

# two systems
PAIR_PRIOR = 1 / 3  # simulated: a third of a label for worse, same and better, in each stratum
PAIR_DRAWS = 20_000  # chosen: of the posterior; an end is steady to a tenth of a percent of chance
FEWEST_DISCORDANT = 6  # exact: with five labelled differences no sign test reaches .05
FEWEST_CLUSTERS = 10  # chosen: labelled clusters below which their spread is not known
ONE_DISAGREEMENT = 1.0  # simulated: residuals count as one at least, or perfect judges look sure
BELIEFS = (0.7, 0.8, 0.9)  # chosen: accuracies whose consequences are shown without labels
STANDS_FOR = (0.1, 4.0)  # chosen: how far, as a share and in standard errors, the number of items
# that labels stand for may be from those there are, before chances of inclusion are refused
UNBALANCED = 3.0  # chosen: standard errors by which judges may see labelled items differ from all

# what to label next
SPREAD_BANDS = 5  # chosen: bands of the share across which labels are spread
UNCERTAIN_GOLD = 50  # chosen: labels below which the judges' doubt cannot be calibrated
UNCERTAIN_MIX = 0.5  # chosen: share of the labels drawn evenly; with less, sure errors weigh much
UNCERTAIN_RIDGE = 1.0  # chosen: pull of both coefficients of the calibration towards 0
UNCERTAIN_GAIN = 0.05  # chosen: predicted gain below which labels are spread instead
