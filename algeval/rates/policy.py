"""Numeric policy of rates: every tuning constant, its value, and why.

"simulated" means that the grids of `tests/rates` measured it; "chosen" means chosen, not measured.
"""

from __future__ import annotations

LEVEL = 0.95  # of an interval, unless asked otherwise
FEWEST_GOLD = 10  # simulated: with fewer labels the judges' help cannot be told from luck
FEWEST_OF_A_KIND = (
    3  # simulated: rule of three; with fewer of a label, the labels alone are as good
)
FEW_OF_A_KIND = 12  # simulated: with fewer, the end on their side missed in 8% where 2.5% is meant

# leaderboards
NEWTON_STEPS = 100  # at most 9 were seen where the battles settle the ratings
NEWTON_STILL = 1e-9  # chosen: a step below this on the natural scale ends the fit
NEWTON_NOISE = 1e-14  # chosen: relative fall of a likelihood that is rounding and no fall
LAMBDA_ROUNDS = 2  # measured: a third round moves the weight of the votes by less than .001
LAMBDA_LEAST = 0.05  # chosen: the votes are left out sooner than weighed less than this
FEWEST_PICKS = (
    10  # measured: with 5 pairs that people decided ranks cover in 68 to 93%, with 10 in 98%
)
RATING_FAR = 40.0  # chosen: odds of 10^17; farther out a rating is on its way to infinity
RATING_HIGH = 8.0  # chosen: odds of 3,000; from here a linear program says whether there is an end
RUNS_AWAY = 1e-7  # chosen: gain of a direction with sides 1 that is more than the solver's rounding
BOOTSTRAP_DRAWS = 4000  # measured: the 95% quantile of the largest gap is then known to .7%
CLUSTERS_PER_SYSTEM = (
    1.5  # simulated: 20 systems on 12 to 25 prompts were parted in 2.7 to 7.3% of runs
)
MANY_CLUSTERS = 1000  # chosen: from here a standard error is as good as known
MOST_CHAINED = 2000  # chosen: pairs without a rating of both that are tested; then those that met
ELO_CENTRE = 1000  # where the average of all systems is put on the Elo scale
ELO_POINTS = 400  # of Elo, a factor of ten in the odds

# plans
POWER = 0.8  # of a comparison, unless asked otherwise
HARDEST = 0.5  # the rate whose labels vary most
PILOT_DRAWS = 2000  # chosen: resamples of a pilot behind the interval of rho2
ENOUGH_LABELS = 50  # simulated: at 36 labels the half-width was 9% above the closed form
ENOUGH_PILOT = 100  # chosen: with fewer labels the interval of rho2 is wider than 0.3 or so
MOST_EXACT_PAIRS = 20_000  # chosen: the exact test is then counted out in about a second
STILL = 1e-12  # chosen: a product of variances below this is that of a constant
PANEL_SIZES = (1, 2, 3, 5, 10, 20, 50)  # judges that a plan shows beside those asked for
MOST_REPEATS = 9  # chosen: labels per item that a plan tries, unless asked otherwise
# intervals from labels
PRIOR = 0.5  # simulated: Beta(1/2, 1/2) in a stratum; flatter is fatal where failures are rare
NO_PRIOR = 1e-9  # stands for a prior of nothing
DRAWS = 20_000  # chosen: of the posterior of a population; ends are steady to 1% of its spread
CONVOLVED_BELOW = 10**7  # products up to which a plain convolution is as quick as a transform
WHOLE_BELOW = 10**5  # chosen: from here only likely counts are looked at, for memory
LEFT_OUT = 1e-16  # chosen: chance of the rates beyond them, on either side
ONE_MISS = 1.0  # simulated: residuals count as one miss at least, or perfect judges look certain
FEWEST_GRADED = 50  # simulated: labels from which a graded number is safe to regress on
FEWEST_CLUSTERS = 10  # chosen: with fewer, the spread between clusters is itself a guess
FEWEST_EFFECTIVE = (
    3.0  # chosen: clusters, by their share of the labels, that leave a degree of freedom
)
FEWEST_TOGETHER = 20  # chosen: labelled items that two judges answered, for their correlation
MORE_PAIRS = 4.0  # chosen: standard errors of labelled pairs that show a draw of clusters
FEWER_TOUCHED = 2.5  # chosen: standard errors of groups with a label that show a draw of groups
RESAMPLES = 2_000  # chosen: of the labels, for the range of rho^2
MOST_RESAMPLED = 10**7  # chosen: resamples times different labels, for time
FEWEST_COPIED = (
    10,
    50,
)  # chosen: labels that a judge gives all alike: if it is odd elsewhere, or at all
UNBALANCED = 3.0  # chosen: standard errors of the judges' numbers; .27% of random draws exceed them
RANDOM_DRAWS = 20_000  # chosen: of the labels, to say how rare a balance beyond that is
MOST_GROUPS = 30  # chosen: values of a column that labelled items are compared with all by
UNBALANCED_CHANCE = 0.0027  # chosen: the same as a chance, for grades that the votes do not allow
REFUTED = 2.576  # chosen: standard errors between two points, 1 in 100 by chance
REFUTED_GRADES = 0.018  # chosen: chance that random labels grade any judge below a true belief
REFUTED_RATE = 0.998  # chosen: level of the interval that a belief's rates must miss; together 2%

# the ladder
FLOORS = ("70%", "80%")  # chosen: accuracies looked at where none is named
END_WORK = 2.0  # chosen: for one certificate at order 1; 0.02 were the most seen
FULL_TUPLES = (
    128  # different tuples of answers up to which full order is tried: seconds; on votes of
)
# LLM judges it never said more than order 1 at the levels people believe
FULL_ITEMS = 100_000  # chosen: above it the tuples are not even counted, unless they must be few
LADDER_WORK = 20.0  # chosen: of all rows without labels, where there is no time limit
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
# labels one at a time
STREAM_STEPS = 1000  # chosen: steps of the grid of rates; an end is rounded outwards by at most one
STREAM_STAKE = 0.5  # simulated: most that a gambler risks; .75 and .9 end 8 to 40% wider
STREAM_FIRST_WEIGHT = 10  # simulated: labels before judges weigh; with 30 good ones end 18% wider
STREAM_MISLED = 0.001  # chosen: chance that shares which do have the mean fbar are ever doubted
STREAM_PRIOR = 10.0  # chosen: variance of a sum at which that doubt is quickest; 40 shares or so
STREAM_RIDGE = 0.25  # chosen: added to the judges' sum of squares, so that first weights are small

# two systems
PAIR_PRIOR = 1 / 3  # simulated: a third of a label for worse, same and better, in each stratum
PAIR_DRAWS = 20_000  # chosen: of the posterior; an end is steady to a tenth of a percent of chance
LABEL_MOVED = 1.0  # simulated: a label; with judges a verdict then held its size in every cell
BELIEFS = ("70%", "80%", "90%")  # chosen: accuracies looked at where none is named; one more than
# of a single rate, as two ranges leave a difference wider than either
STANDS_FOR = (0.1, 4.0)  # chosen: how far, as a share and in standard errors, the number of items
# that labels stand for may be from those there are, before chances of inclusion are refused
ESCAPED = 300.0  # chosen: items that may escape a draw, for odds of 1 on the least likely label;
# with a thirtieth of its odds all of so many do once in e^10 draws

# what to label next
SPREAD_BANDS = 5  # chosen: bands of the share across which labels are spread
UNCERTAIN_GOLD = 50  # chosen: labels below which the judges' doubt cannot be calibrated
UNCERTAIN_MIX = 0.5  # chosen: share of the labels drawn evenly; with less, sure errors weigh much
UNCERTAIN_RIDGE = 1.0  # chosen: pull of both coefficients of the calibration towards 0
UNCERTAIN_GAIN = 0.05  # chosen: predicted gain below which labels are spread instead
