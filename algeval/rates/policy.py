"""Numeric policy of rates: every tuning constant, its value, and why.

"simulated" means that the grids of `tests/rates` measured it; "chosen" means chosen, not measured.
"""

from __future__ import annotations

LEVEL = 0.95  # of an interval, unless asked otherwise
FEWEST_GOLD = 10  # simulated: with fewer labels the judges' help cannot be told from luck
FEWEST_OF_A_KIND = (
    3  # simulated: rule of three; with fewer of a label, the labels alone are as good
)

# intervals from labels
PRIOR = 0.5  # simulated: Beta(1/2, 1/2) in a stratum; flatter is fatal where failures are rare
DRAWS = 20_000  # chosen: of the posterior of a population; ends are steady to 1% of its spread
CONVOLVED_BELOW = 10**7  # products up to which a plain convolution is as quick as a transform
ONE_MISS = 1.0  # simulated: residuals count as one miss at least, or perfect judges look certain
FEWEST_GRADED = 50  # simulated: labels from which a graded number is safe to regress on
FEWEST_CLUSTERS = 10  # chosen: clusters with labels, for an interval over clusters
FEWEST_TOGETHER = 20  # chosen: labelled items that two judges answered, for their correlation
MORE_PAIRS = 4.0  # chosen: standard errors of labelled pairs that show a draw of clusters
RESAMPLES = 2_000  # chosen: of the labels, for the range of rho^2
MOST_RESAMPLED = 10**7  # chosen: resamples times different labels, for time
UNBALANCED = (
    3.0  # simulated: standard errors of the judges' numbers, .1% to .4% of random draws exceed
)
REFUTED = 2.576  # chosen: standard errors between two points, 1 in 100 by chance

# the ladder
FLOORS = ("70%", "80%")  # chosen: accuracies looked at where none is named
END_SECONDS = 2.0  # chosen: for one certificate at order 1; 0.02 were the most seen
FULL_TUPLES = (
    128  # different tuples of answers up to which full order is tried: seconds; on votes of
)
# LLM judges it never said more than order 1 at the levels people believe
FULL_ITEMS = 100_000  # chosen: above it the tuples are not even counted, unless they must be few
FULL_SHARE = 0.5  # chosen: of the time left, for the ranges and then the thresholds at full order
MOST_TRIOS = 120  # chosen: decoded in one look; all there are for nine judges or fewer
BOOTSTRAP_SAMPLES = 400  # chosen: decoded again as a check of the error bar, not as the bar
ROBUST_STARTS, ROBUST_FOUND = (
    16,
    2,
)  # of the search for the smallest shared correlation: starts at most,
# and solutions after which it ends; on the trios tried all solutions were the same
MODELS = ("majority", "one-coin", "dawid-skene", "recommended")  # chosen: few assumptions to many
MOST_TRIO_CELLS = 2 * 10**7  # chosen: trios x rows counted; about half a second
ROBUST_MISS = 1e-6  # chosen: by which the search may miss a moment of the votes
