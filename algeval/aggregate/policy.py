"""Numeric policy of aggregation: every tuning constant, its value, why, and where it was measured.

"chosen" means chosen, not measured. What a user can set is a setting of a method and is not here.
"""

from __future__ import annotations

from fractions import Fraction

# probabilities at the edge
TINY = 1e-300  # before a log, so that 0 log 0 stays 0; near the smallest float
TIE = 1e-9  # chosen: posteriors closer than this are tied; far above rounding
EDGE = 1e-9  # chosen: one-coin accuracies and fitted shares stay so far from 0 and 1
MACE_EDGE = 1e-12  # chosen: the same of knowing and habits, whose logs must exist
SHARE_EDGE = 1e-12  # chosen: the same of the prevalence of a fitted two-class law
TOLD_STEPS = 100  # chosen: Newton steps of log-odds that move by at most 1 each; 5 to 10 do
NO_MASS = 1e-290  # chosen: fewer expected items come of TINY alone: no coverage
SURE = 1e-15  # log loss takes smaller probabilities for it; fixed, so that scores compare
HELD_OUT_FLOOR = 1e-4  # chosen: chances of independent models on held-out votes are above
PSEUDO_VOTES = 0.01  # chosen: of the score test's null fit; scores do not exist at 0 and 1

ROUNDING = 1e-9  # chosen: smaller differences of estimated chances are rounding
ADD_UP = Fraction(1, 10**9)  # chosen: shares given may miss a sum of 1 by this

# sizes
MOST_DIRECT_CELLS = 1 << 22  # chosen: cells up to which tuples are counted without a sort
MOST_SUBTUPLES = 1 << 12  # chosen: sub-tuples of a block of judges in vote sums
CHANCE_CELLS = 1 << 14  # chosen: items x judges whose chances are averaged at a time, for the cache
BLOCK_VOTES = 1 << 14  # chosen: votes gone through at a time, for the cache
MOST_EXPONENT = 700.0  # of exp, below overflow
MOST_PAIR_CELLS = 1 << 26  # chosen: cells of the table of pairs, half a gigabyte
MOST_FACTOR_CELLS = 1 << 27  # chosen: patterns x labels x nodes, a gigabyte an array
MOST_LOG_LINEAR = 12  # chosen: judges; 12 have 286 terms on 4,096 patterns
MOST_RANK = 10  # chosen: judges up to which ranks are computed
MOST_SHOWN = 40  # chosen: judges listed in a summary
FIRST_ITEMS = (10, 20, 50)  # chosen: lengths of lists of the most probable items

FEWEST_ON_A_LABEL = 10  # measured: with 2.5 items a label 60 independent judges passed for 8
EFFECTIVE_EXAMS, EFFECTIVE_SPREADS = 40, 2.0  # chosen: what independent judges leave, by chance
MOST_COPIES_WORK = 1 << 25  # chosen: tuples x judges^2 up to which `recommended` looks for copies

MOST_PAIR_WORK = 1 << 35  # chosen: tuples x judges^2 x answers; copies are searched to it, 10 s

# exact copies
COPY_ACCURACY = 0.95  # chosen: no judge is right more often on any item, or copies cannot be told
COPY_LEVEL = 0.01  # chosen: largest chance of a pair of copies among judges who are none
COPY_ITEMS = 30  # chosen: of judges with fewer common items nothing is said
COPY_DIFFERENT = 0.0955  # above 2 A (1 - A) the test cannot reject
COPY_SHARE = 0.04  # measured: real near duplicates are above; merging those has done harm

# independence of errors
TRAIT_NODES, TRAIT_STEPS, TRAIT_NEWTON = 21, 40, 3  # chosen: of the one-trait law of votes
TRAIT_RIDGES = (0.01, 0.05)  # chosen: of its intercepts and slopes
MOST_TRAIT_ITEMS = 20000  # chosen: of larger panels so many items are drawn for the comparison
FULL_WEIGHT_Z = 2.0  # measured: z from which independence has its full weight
MOST_WEIGHT = 0.8  # measured: copies that no test sees then cost a bounded sum

# accuracies without labels
RANGE_WIDENED = 0.5  # measured, of the range's width at each end: it then held 126 of 133 judges on
# balanced panels, 35 of 62 on panels with a rare label

# shares of labels
MOST_SHIFT = 40.0  # log-odds move by at most so much: beyond it a float is 0
SHIFT_SPREAD = 2.0  # chosen: a few items are not forced to the shares of many
DIFFERENT_ITEMS = 0.01  # chosen: where as many are called otherwise than by the fit, a note says so

# a few labels
MOST_VOTE_JUDGES = 110  # chosen: of more judges single votes have no coefficient
LABEL_FOLDS = 10  # chosen, for time: each is fitted by every recipe
FEWEST_FOR_CURVE = 20  # chosen: halves of fewer labels say nothing of more
LEAST_T, LEAST_W = 1e-6, 1e-3  # chosen: posteriors and means are clipped there before the log

# one normal trait
NO_SPREAD = 1e-12  # chosen: scores that vary less are constant
FIRST_NOISE = 0.05  # chosen: error variances start above, for EM to move at all
LEAST_NOISE = 0.02  # chosen, and settled on with the votes the method was measured on: no judge
# is nearly the trait itself; where two judges are copies, lower floors follow them alone
MOST_LOADING = 0.98  # chosen: the key is not the trait either
COMMON = 0.25  # chosen: share of the items every pair of judges must have in common
SHARE_OF_VOTES_EDGE = 0.02  # chosen: a share of votes taken for a prevalence keeps off 0 and 1
MOST_LOG_DIVISOR = 12.0  # chosen: posteriors to the power exp(-12) are uniform
PANEL_TOL, PANEL_STEPS = 1e-7, 3000  # chosen: of the factor `recommended` compares with
UNRELATED = 0.05  # chosen: above this chance of such correlations, judges may be unrelated
STEPS_AT_ONE_RATE = 20  # crowd-kit's: zero-based skill halves its steps so often, against circles

# the pool of judges' tables
POOL_DIAGONAL = 0.7  # chosen: the prior of the pooled row says the true label so often
POOL_PRIOR = 0.5  # chosen: its weight in votes per answer
SHARE_WEIGHT = 0.1  # the default weight of the smoothed vote share in `pooled_dawid_skene`

# loops and climbs; pairs are (iterations, slope)
FIRST_CLIMB = (30, 1e-3)  # chosen: of the M-step a climb starts with: only a direction
MEMORY, LINE_SEARCH = 30, 40  # chosen: of L-BFGS, above the defaults 10 and 20
NULL_TOL = 1e-9  # chosen: `tol` of the score test's null fit, whose score must vanish
MANY_STEPS, MANY_TOL = 200, 1e-3  # chosen: EM above 24 judges; log Z is an estimate there
MANY_M_STEP = (60, 1e-5)  # chosen: its pseudo-likelihood M-step
STUDY_M_STEP = (50, 1e-6)  # chosen: the same of the pseudo-likelihood study
GLAD_PREDICT = (2000, 1e-9)  # chosen: when the ease of new items is found
MOST_LOG_EASE = 30.0  # chosen: log-eases are cut here, so that exp does not overflow
ALIKE_STARTS = 1e-6  # chosen: nats per item within which starts ended at the best
RIDGE_START = 10.0  # the default of `ising`: the climb the grid of ridges starts from
RIDGE_GRID = (3.0, 10.0, 30.0)  # chosen
RIDGE_FOLDS = 3  # chosen, for time
RIDGE_CLIMB = (100, 1e-4)  # chosen: of each fold, which starts near its end

# starts
SOFTEN = 0.2  # chosen: weight of the uniform, lest vote shares of 0 stay 0
SOFT_MAJORITY = (0.1, 0.9)  # chosen: soft majority posteriors keep within
SCREEN, SCREEN_ABOVE = 40, 12  # chosen: iterations before only the best Ising start goes on
FIRST_SHARE = (1e-3, 1 - 1e-3)  # chosen: the prevalence of a first M-step keeps within
NOISE = 1.0  # chosen: standard deviation of perturbed starts, in log-odds
TRAIT_NOISE = 0.1  # chosen: the same of the second trait's loadings
FIRST_LOADING = 0.5  # chosen: of every judge on the first trait; 0 would stay 0

# log Z by annealing
CHAINS, ANNEALING_STEPS = 500, 100  # measured in tests/aggregate/kernels/test_ising_many.py
MEAN_FIELD_SWEEPS = 200  # chosen: mean field only starts the annealing
BASE_EDGE = 0.02  # chosen: chances the annealing starts from stay so far from 0 and 1

# identifiability and information
RANK_TOL = 1e-9  # chosen: singular values below this share of the largest are 0
NO_INFORMATION = 1e-12  # chosen: eigenvalues of the information per item below it are 0
NULL_RCOND, TESTED_RCOND = 1e-10, 1e-8  # chosen: the same in the score test
MOST_FISHER, FISHER_DRAWS = 14, 1 << 14  # chosen: judges enumerated; draws above
MOST_TEST_ROWS, TEST_DRAWS = 1 << 16, 1 << 15  # chosen: patterns enumerated; draws above
TEST_CHUNK = 1 << 12  # chosen: rows of scores at a time, for memory

RELATED_LEVEL = 0.05  # chosen: coins are warned of in 95% of exams, measured in `relatedness`
MOST_RELATED_CELLS = 1 << 22  # chosen: cells of all pairs, 32 MB an array

# the test of pairs; sizes and power with these are measured in its docstring
SCALING_EXAMS = 100  # chosen: exams that give each pair its centre and spread, no more
DRAWN_ITEMS = 2000  # chosen: larger exams have drawn ones of this size, for time
DRAWN_CELLS = 1 << 22  # chosen: cells of votes drawn at a time, for memory
PACKED_BITS = 62  # tuples of answers are counted as one whole number where they fit in 64 bits
DRAWN_AT_ONCE = 50  # chosen: exams drawn before it is asked whether that is enough
ENOUGH_AS_FAR = 10  # chosen: so many exams as far off end the drawing; p is then within a third
PAIR_PSEUDO_VOTES = 0.1  # measured: .01 to 1 reject alike; some, lest a drawn exam knows no errors
PAIR_FIT = (1e-6, 5000)  # `tol` and steps of the fit to the votes; chosen: its sums must vanish
DRAWN_FIT = (1e-4, 500)  # chosen: the same of each drawn exam, whose items are at most 2,000

# intervals and their cost
REFIT_TOL = 1e-4  # measured: 1e-5 takes a third to twice as long and moves no end by more than .01
EQUAL = 1e-6  # chosen: estimates closer than this are equal, far above rounding
MOST_ALIKE = 30  # chosen: judges alike in all they meet that are told apart one by one
TIMED_REFITS = 5  # chosen: refits timed before it is said what all of them would take
SHOWN_REFITS = 100  # measured: coverage in `Aggregation.bootstrap` is with as many
SHOWN_SECONDS = 4.0  # chosen: what intervals may cost a method that were not asked for
LONG_REFITS = (  # sums over states or a search in each step: .07 to 1 s a refit were measured
    "curie-weiss",
    "factor",
    "glad",
    "ising",
    "ising-class-dependent",
    "ising-pseudolikelihood-study",
    "log-linear",
)
REFIT_SECONDS = ((2e-3, 5e-8), (0.1, 3e-6))  # measured, of the others and these: any; per cell

# words
CHANCE_MISSED = 0.05  # chosen: shared among the pairs of a suspect: its best is luck
OPPOSITE = Fraction(-1, 5)  # chosen: pooled kappa from which a suspect is called flipped
IDLE = 0.05  # chosen: MACE names judges who know the label more rarely

# single models
ALIKE_CLASSES = 0.02  # chosen: Curie-Weiss classes with closer shares of 1 votes are alike
NO_COVARIANCE = 1e-12  # chosen: triplets do not divide by less
MOST_LEAN = 1 - 1e-12  # chosen: of the triplets' 2 prevalence - 1
NO_SIDE = 1e-9  # chosen: a leading direction of smaller sum takes no side
REACH = 6.0  # the factor grid ends here; beyond it the normal has 2e-9 of its mass
NODES = {1: 61, 2: 25}  # chosen; a finer grid at rank 2 agrees (tests/.../test_factor.py)

# groups of near copies
FEWEST_UNITS = 4  # tetrads need four; of three judges one label explains any correlations
MOST_GROUP, FEW_JUDGES = 25, 100  # chosen: groups are so small where judges are more, for time
FAR_MILDER = 0.03  # chosen: no group where the others explain the same by 3% of the dependence
GROUP_ITEMS = 1000  # chosen: items of a drawn exam, for time; z hardly depends on them
MIN_COMMON = 20  # chosen: common items from which a pair's correlation is used
MOST_RIVALS = 3  # chosen: rivals told of a group, the tightest first
MOST_NAMED = 8  # chosen: judges of a group named in a sentence
NEARLY_ALIKE = 0.8  # chosen: agreement from which a group is said to answer nearly alike
EQUAL_ITEMS = 100  # chosen: judges who never differ on so many items are named

# hidden states from three views of judges
VIEW_STARTS = 30  # chosen: random partitions from which judges are swapped
MOST_ENUMERATED = 12  # chosen: judges up to which all partitions are looked at, 5,775 of twelve
MOST_SWAPS = 1000  # chosen: no search takes so many; each saves something
VIEW_CANDIDATES = 3  # chosen: partitions refitted where the fit decides
MOST_REFITTED = 15  # chosen: judges up to which swaps are refitted, for time
TRIED_SWEEPS = 30  # chosen: of a first look at a swap, from the algebraic start alone
MOMENT_CELLS = 1 << 20  # chosen: products of two views held at a time, 8 MB
CP_STARTS, CP_SWEEPS, CP_TOL = 6, 300, 1e-10  # chosen: of the alternating least squares
K_RANK_TOL = 0.1  # measured in tests/.../test_moment_tensor.py: unique designs have .24 and more
NO_STATE = 1e-9  # chosen: a last row smaller than this has no scale to divide by
LEAST_WEIGHT = 1e-3  # chosen: a state of fewer items is none
LEAST_STATE_NOISE = 0.005  # chosen: share of its variance a judge keeps within states
STATE_FOLDS = 5  # chosen: of the choice of the number of states
COUNTED_ITEMS = 20000  # chosen: items drawn for that choice, for time
COUNTED_EM = (1e-4, 11)  # measured: 10 steps tell four states from others where none did not
MOST_STATES = 6  # chosen: numbers of states compared; more take more judges than most have
MOST_TENSOR_SECONDS = 120.0  # chosen: decompositions that take longer are refused
TENSOR_SECONDS = (7e-5, 1.1e-7)  # measured: of a sweep, and of it for each cell; 20 and 40 judges
POLISH_TOL = 1e-6  # chosen: `tol` of EM after the moments
VIEW_PENALTIES = (0.02, 0.05)  # measured: of the split that finds views; half of both does as well
VIEW_TOL, VIEW_SWEEPS = 1e-6, 2000  # chosen: of that split, whose small entries do not matter
LEAST_ANCHORS = 0.5  # chosen: anchors that a state must have for a value
# sparse and low-rank parts of a precision matrix; sweeps measured on correlations of 21 and of 11
# language models, penalties .001 to .1
SPLIT_STEP = 2.0  # measured: times the penalties' geometric mean; 100 to 680 sweeps, where one step
# for all penalties has taken more than 8,000
SPLIT_RELAXED = 1.6  # measured: 30 to 55% fewer sweeps than with 1
SPLIT_SWEEPS = 10  # chosen: sweeps between two certificates, which cost as much as a sweep
SPLIT_UNBALANCED = 10.0  # chosen: relative residuals further apart than this change the step
SPLIT_BALANCED_FOR = 500  # chosen: sweeps after which the step stays, for convergence is proved so
SPLIT_ZERO = 1e-6  # chosen: entries and eigenvalues below it count as none; those shrunk away are 0
SPLIT_SINGULAR = 1e-10  # chosen: eigenvalues of correlations below it are 0
NEAR_TIE = 0.1  # chosen: eigenvalues closer than a tenth of the larger leave their vectors open
SPLIT_PENALTY = 0.004  # the authors', divided by the root of the number of judges
CHOOSING_ANCHORS = 5  # chosen: known scores from which a factor, or a curve, is chosen
FEWEST_ANCHORS = 3  # chosen: items from which a rank correlation says anything

# consensus of scores
LARGEST_SCORE = 1e100  # chosen: squares of larger ones overflow
MIXED_SCALES = 3.0  # chosen: widths further apart than this are no common scale
BACKWARDS = 0.05  # chosen: judges loading below its negative are said to order items the other way
ANCHOR_SIZES = (5, 10, 20, 50, 100, 200, 500)  # chosen: of the learning curve of anchors
ANCHOR_DRAWS = 50  # chosen: random draws of each size

# normal factors behind scores
LEAST_UNIQUE = 0.005  # chosen: share of its variance that no judge owes to the factors; a copied
# judge would drive it to 0, and the likelihood to infinity
MOST_UNIQUE = 20.0  # chosen: of what is seen of a judge; bounds the climb's first steps
FACTOR_STARTS = 12  # measured: of two factors on the hardest of four sets one random start in three
# ends at the best peak; eleven and one more miss it once in a hundred
ONE_FACTOR_STARTS = 6  # measured: beside two to four near copies the first start, and at worst
# one random start in two, end at a lower peak
FACTOR_ROWS = 1 << 12  # chosen: items at a time, for memory
NEAR_COPIES = 0.5  # chosen: residual correlation from which a pair is told of; in four real panels
# only two string matchers (.57) and the two best judges (.58) are above
MOST_TURNS, LEAST_TURN = 500, 1e-9  # chosen: sweeps of varimax; it ends when no angle exceeds
EXTENDED = 0.5  # chosen: the middle of the range Foygel and Drton study

# graded responses
MOST_LEVELS = 15  # chosen: more distinct scores are binned; 15 and 20 agree within .1 on ASSET
SLOPE_SPREAD = 1.0  # chosen: slopes are drawn around their mean with it; moves large exams little
GRADED_NODES, MOST_GRADED_NODES = 61, 481  # chosen: of the first grid of traits, and of the finest
NODES_APART = 1.6  # chosen: in deviations of the sharpest posterior; sums are then right to 1%
FIRST_SCORING = 5  # chosen: scoring steps from curves that are flat
START_WIDTH = 0.5  # chosen: deviation of the posteriors EM starts from
HALVINGS = 20  # chosen: a scoring step is halved so often before a judge keeps its curve
STIFFEN = 1e-9  # chosen: added to the information's diagonal, relative, lest it be singular
PREDICTED_ROWS = 1 << 13  # chosen: items predicted at a time, for memory

# triplets of mean squared differences
MOST_TRIPLET_SHARE = 0.9  # chosen: a judge above this share of the weights answers alone

# what judges share
MOST_SHARED = 3  # chosen: factors tried, as many as `factor` takes
HELD_OUT_CELLS = 1 << 20  # chosen: of larger panels so many cells are held out in turn, for time
FEWEST_HALVED = 40  # chosen: items; halves of fewer settle no second factor
BEYOND = 2.0  # chosen: a gain counts from so many standard errors; sizes in test_confounders.py
LOOKS = 0.05  # chosen: chance that, of all correlations looked at, one is named that is not there
FEW_VOICES, MANY_JUDGES = 3.0, 6  # chosen: so many judges whose factor listens to fewer are told of
MOST_PAIRS = 10  # chosen: pairs of judges whose residuals are told
MANY_LEVELS = 10  # chosen: with as many scores to choose from, equal rows are no luck
MOST_DISCOUNTED = 3  # chosen: attributes discounted for comparison; each takes two fits

# work counted before it is begun
CELLS_NOT_COUNTED = 10**7  # chosen: tuples x judges x labels; then different ones are counted
QUICK_METHODS = ("majority", "weighted-majority")  # linear in the votes: never refused
ROWS_AT_ONCE = 1 << 13  # chosen: tuples whose votes are made floats together, for memory
# seconds before a fit begins, and nanoseconds per tuple, judge and label; the first is of all other methods
FIT_SECONDS = {  # measured: where judges are right on 80% of items
    "": (0.002, 45),
    "recommended": (0.008, 100),
    "recommended, two labels": (0.008, 300),
    "glad": (0.005, 2000),
    "mace": (0.02, 160),
    "curie-weiss": (0.03, 150),
    "factor": (0.03, 5000),
    "log-linear": (0.03, 7000),
    "ising": (0.03, 10_000),
    "ising-class-dependent": (0.03, 7000),
    "ising-pseudolikelihood-study": (2.0, 7000),
}
CELLS_A_VOTE = 3  # measured: 10^6 votes of 5,000 workers took 0.7 to 23 s, by method
