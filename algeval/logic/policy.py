"""Numeric policy of logic: every tuning constant, its value, why, and where it was measured.

None of them decides a verdict: floats and limits only say what is tried and for how long, and whatever
is tried is checked exactly. "chosen" means chosen, not measured.
"""

from __future__ import annotations

from fractions import Fraction

# exact arithmetic
SAFE = 1 << 61  # sums of products below this stay far from 64 bits; above, Python's integers

# floats that propose
LARGEST_COUNT = 10**6  # chosen: counts that add up to more are scaled down for the solver
VIOLATED = 1e-10  # chosen: items by which the rows are missed before multipliers are tried
MET = 1e-9  # chosen: items by which rows may be missed and whole numbers still looked for
APART = 1e-6  # chosen: a share farther than this from a whole number is fractional
HARDLY = 1e-6  # chosen: real items a judge is held to below which an accuracy is not read
ROUNDINGS = (1, 2, 3, 4, 6, 12, 60, 1000, 10**6, 10**9, 10**12)  # sizes of multipliers, short first
WEIGHT_ROUNDINGS = (1, 2, 3, 4, 6, 12, 60, 1000, 10**6)  # the same where a person reads them
SHARPEST_ROUNDINGS = (60, 10**6)  # chosen: of each of Dinkelbach's steps, before the short ones
WEIGHT_STEP = 1e-10  # chosen: Dinkelbach's steps on weights end below this
WEIGHT_STEPS = 60  # chosen: how many at most; fewer than ten were ever seen

# which way is quicker
SIMPLEX_BELOW = 20_000  # unknowns; above, interior point took less time at order 2, 20 judges
TRIED_BELOW = 5_000  # chosen: unknowns up to which several splits on the key are tried
ALL_AT_ONCE_BELOW = 400  # chosen: unknowns up to which all are asked to be whole at once
ALL_SETS = 8  # chosen: labels up to which each of 2^R sets of labels has its row at once
CLOSED_CELLS, CLOSING_WORK = 300, 5.0  # chosen: tuples x labels up to which a bracket of full
# order is closed unasked, and with how much work that is tried
PRINTED_ITEMS = 1_000  # items from which one is less than the tenth of a percent that is printed
CLOSED_BELOW = 3_000  # chosen: unknowns of order 2 up to which a bracket is closed unasked

TUPLES_AT_ONCE = 500  # decision tuples up to which full order asks a solver: a bracket took 0.8
# times as long as tuple by tuple at 300 tuples, 2.3 times at 600, 5 at 1,200 (21 judges)
SPARSE_BELOW = 0.2  # chosen: share of judges held to an item below which only those are stored
TUPLE_BLOCK = 4096  # chosen: tuples summed over at once, for memory

# weights of many decision tuples, in floats
INTERIOR_STEPS = 80  # of Newton's method; 12 to 25 were seen, 40 where judges gave few answers
INTERIOR_GAP = 1e-9  # chosen: of all items, between the two programs, below which it ends
INTERIOR_DECIDED = 0.01  # chosen: the same as a share of the least surplus, if that is all one asks
INTERIOR_START = 0.1  # chosen: how far from the edge it begins
INTERIOR_STEP = 0.95  # chosen: share of the way to the edge that a step goes
INTERIOR_COPIES = 5  # measured: 4 to 7 of the blocks of all pairs are in memory at once
INTERIOR_MINUTES = 4e-11  # of 25 steps, per floating-point operation of one; 6 to 13 GFLOP/s seen
MOST_INTERIOR_GIGABYTES = 4.0  # chosen: for the blocks of all pairs
MOST_INTERIOR_MINUTES = 10.0  # chosen: for one path, of which a threshold walks several

# pairs of judges, in floats and in whole numbers
PAIRS_AT_ONCE = 3_000  # unknowns up to which a solver is asked for the whole program; of 5,670 (21
# judges, 3 labels) it left a bracket .4 wide after 20 s
HARDLY_CURVED = 1e-12  # chosen: of a pair's margins, below which floats cannot tell them from stiff
NEVER = 1e30  # chosen: curvature of the table of an answer never given, which stays empty
MESSAGE_ROUNDINGS = (30, 300, 3_000, 10**5, 10**7, 10**9)  # chosen: sizes of weights, short first
PAIRS_APART = Fraction(1, 100_000)  # chosen: between the two ends of a bracket in floats
PAIR_HALVINGS = 10  # chosen: of what is left between them
PAIR_STEPS_BELOW = (3, 12, 48, 192)  # quarters of R / Q below it, for whole tables; the first had
# some for 12 judges and 5 labels, 21 and 3, 21 and 5, 2,500 items
PAIR_STEPS_CLOSER = 3  # chosen: how often the step that had some is halved
PAIR_MOVES = 200  # moves of single items in a pair; all tables that exist were found,
# 12 to 40 judges
TIE = 1.0  # random numbers that break ties: smaller or larger ones found no more
WIDER = (0, 1, 3)  # chosen: items by which a judge's whole table may be farther from the real one
MOST_REFITS = 12  # chosen: judges laid out anew for the sake of a pair

# chains of judges, two labels at order 2
CHAIN_GRID = 33  # chosen: answer keys looked at together while the least violation is bracketed
CHAIN_CASES = 1_000  # chosen: answer keys refuted one by one; more were never seen near a threshold
MOST_CHAINED_ITEMS = 10**9  # above it products would leave 64 bits

# what logic can ever tell
MOST_REACH_JUDGES = 10_000  # chosen: the limit of more is that of these but for the fourth digit
MOST_REACH_PATTERNS = 4_096  # chosen: patterns of answers of one linear program
REACH_HALVINGS = 30  # to a billionth

# what work counts, in units of about a second of a quiet machine; no default bound is a wall clock
LEAST_WORK = 0.004  # of a linear program however small: measured, 2 to 7 ms
NODE_WORK = 0.25  # chosen: a node of the integer program, as a share of its linear program
CELLS_A_SECOND = 2 * 10**8  # measured: cells of tables of tuples, in a pass over all
PRODUCTS_A_SECOND, SPARSE_PRODUCTS = 4 * 10**9, 5 * 10**7  # measured: dense, and sparse
# how much is begun that nothing can interrupt
ENTRIES_A_SECOND = 300_000  # of a program, built and solved: 6 * 10^6 entries took 10 to 20 s
TERMS_A_SECOND = 500_000  # chosen: of a polynomial that counts keys; about 2 * 10^6 were measured
PAIR_PRODUCTS = 3 * 10**9  # products a second when pairs are counted; 6 * 10^9 were measured

# how long a search goes on
NODES = 2_000  # chosen: relaxations of a tree at orders 1 and 2
FULL_NODES = 20_000  # chosen: the same at full order
FIRST_NODES = (500, 40)  # before the integer program, on up to / more than FIRST_NODES_BELOW cells
FIRST_NODES_BELOW = 400  # cells up to which a tree is as quick as a call of the solver
MAX_DEPTH = 250  # chosen: of a tree; Python's own limit on recursion is near
NEARLY_WHOLE = 1e-3  # chosen: a cell this near to a whole number above takes it without a search
MOVED_TUPLES = 1_000  # chosen: of many, those whose items are moved, the most undecided ones
ROUNDED_SINGLY = 20_000  # chosen: tuples rounded one after another, which make up for all before
ROUNDED_AT_ONCE = 32  # chosen: tuples before these rounded together, by the shortfalls before all
REPAIR_STEPS, REPAIR_STUCK = 300, 60  # chosen: moves of single items, and without gain
REPAIR_CLOSED = 7  # chosen: moves for which a pair just left stays closed
STEP_SHARE = 0.7  # chosen: of the time left, for an order that has another below it
SOLVER_SHARE = 0.5  # chosen: of the time, for the integer program between two trees
LEVEL_SHARE = 1 / 3  # chosen: of the time left, for one level of a bracket
LEVELS_UNDECIDED = 3  # chosen: levels a bracket leaves undecided before it stops
RAISES = 12  # chosen: steps of Dinkelbach's rule on the relaxation of a bracket
BEYOND = (0.0, 1e-9, 1e-7, 1e-5, 1e-3, 1e-2)  # chosen: how far above it a refutation is tried
STEPS_BELOW = (0, 1, 4, 16, 64, 256)  # chosen: quarters of 1/Q below it, for whole numbers
SPOILED_BY = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)  # chosen: levels above one, to round weights
CLOSE_ENOUGH = 1e-5  # chosen: width of a bracket of many tuples that no rounding narrows further
NARROW = Fraction(1, 1000)  # chosen: its width below which no large program is built to narrow it
ROUNDED_LEVELS = 8  # chosen: levels at which cells are rounded and repaired
BISECTIONS = 6  # chosen: of order 1's gap between two attempts to prove that nothing is above
END_NODES = (400, 60)  # chosen: relaxations beyond an end, on up to / more than 400 unknowns
END_HALVINGS = 10  # chosen: of the gap to an end that is not attained
END_DENOMINATOR = 10**6  # chosen: of the levels tried there
NEAR_WORK = 2.0  # chosen: for whole numbers near a real solution, most of it kept
RUNGS_BELOW, RUNGS_WORK = 200, 0.4  # unknowns and work of a report's ladder; measured: about 0.1 s
FREED_TOTALS = (None, 8, 2)  # chosen: besides what is fractional, no total, every 8th, every 2nd
FAIR_SHARES = 3  # chosen: of the time that a range would get if all got the same
QUESTION_WORK = 40.0  # chosen: of a question without a time limit, one or two minutes at most
END_WORK = 10.0  # chosen: for one step of an end
GROUP_WORK = 10.0  # chosen: for one group of judges of a panel
GROWING_WORK = 1.0  # chosen: for one more judge, where a panel is grown judge by judge
CONFLICTS_SHARE = 0.75  # chosen: of the time, in which conflicts are looked for
SHRUNK_BELOW = 6  # chosen: judges of a conflict up to which they are left out one by one
FULL_SHARE = 0.2  # chosen: of the time, for full order before the program of an order below it
GROUPS_SHARE = 0.3  # chosen: the same for m judges by themselves
GROUPS_TRIED = 200  # chosen: groups of m judges that are looked at by themselves
LOOKED_AT_FIRST = 500  # chosen: tuples that show most judges to be no copies of one another
PAIRS_SHARE = 0.5  # chosen: of the time, for comparing judges two by two
KEYS_SHARE = 0.6  # chosen: of the time, for the answer key of the largest panel; the rest shows it
WITHOUT_CLOCK = 64  # chosen: small steps between two looks at the clock
KEY_WORK = 5.0  # chosen: for listing the answer keys that attain a threshold

# sizes that are refused, or cut off with a word
MOST_UNKNOWNS = 300_000  # of a program; HiGHS needs minutes and gigabytes for more
MOST_UNKNOWNS_BETWEEN = 200_000  # chosen: the same between order 2 and full order
LP_DIGITS = 12  # an LP file holds whole numbers of so many digits exactly
MOST_BLAMED = 50_000  # chosen: sets of blamed judges; a deeper tree proves fewer violators
MOST_KEYS_TRIED = 20_000  # chosen: keys tried one by one where no closed form counts them
MOST_CELLS_FOR_KEYS = 2_000  # chosen: cells up to which the keys of a threshold are listed
MOST_ITEMS_FOR_KEYS = 500  # chosen: the same of items
MOST_WINDOW_LABELS = 4_096  # chosen: tuples of labels of a window
MOST_PANEL_ROWS = 20_000  # of the program of a panel; PuLP takes about 1 s to write so many
MOST_PAIRS = 200_000  # chosen: pairs of judges listed as excluding one another, for memory
FEW_TABLE_CELLS = 1000  # measured: from here arrays lay out tables quicker than loops
TABLE_CELLS_AT_ONCE = 10**6  # chosen: of the tables laid out together, for memory
MOST_PROOF_CELLS = 100_000_000  # chosen: of the tables of all witnesses of bounds, for memory
PROVED_KEYS = 500  # chosen: answer keys that a certificate lists; measured: 2.4 ms each
SHOWN_KEYS = 20  # chosen: answer keys listed beside a threshold
SHOWN_WEIGHTS = 12  # chosen: accuracies named when a certificate is explained
MOST_KEPT = 2_000_000  # chosen: states kept while members are drawn, for memory
MOST_PROGRAMS = 1_000  # chosen: integer programs of the second engine, one after the other
MOST_AXIOM_CELLS = 20_000_000  # chosen: entries of the matrices whose rank is computed
MOST_ROWS_OF_POINTS = 10_000  # chosen: rows of a table of evaluations
MOST_CODES = 10**7  # points are numbered in one number that a solver keeps exact in floats
MOST_STEPS = 10_000_000  # chosen: additions of whole numbers while members are counted
MOST_LATTICE_KEYS = 200_000  # chosen: answer keys gone through to count
MOST_JOINED = 2_000_000  # chosen: pair tables joined at order 2
MOST_POINTS = 1_000_000  # chosen: points kept while tables are projected
SUMMARY_KEYS = 6  # chosen: answer keys told in a summary
SHOWN_PANELS = (2, 3, 5, 9, 21)  # chosen: numbers of judges whose reach a summary lists
