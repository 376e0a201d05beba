"""Appendix A: the grid of the sweep, its draws, and what was found on it."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from algeval.budgets import log_outcomes, majority_accuracy
from algeval.budgets.kernel import by_squaring, certified_law
from algeval.budgets.sweep import ITEMS, LABELS, admissible
from algeval.budgets.sweep import sweep as slices
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact

__all__ = ["sweep"]

PAIRS_OF_LABELS = 50 * 50
UNDER_ASSUMPTION_1 = 50 * 51 // 2
POINTS = 20_000
SEED = 4


def sweep() -> tuple[Claim, ...]:
    """Return the claims in the order of the appendix."""
    return (*_of_the_grid(), *_of_the_exact_values(), *_of_the_draws())


def _size(low: int, high: int) -> int:
    """Return how many points the grid has if its five accuracies run from low to high hundredths."""
    grid = np.arange(low, high + 1)
    worse, wrong, right = (part.ravel() for part in np.meshgrid(grid, grid, grid, indexing="ij"))
    kept = int(((100 - worse) * wrong > worse * (100 - right)).sum())
    return kept * grid.size**2 * len(ITEMS) * len(LABELS)


def _nearly_five_billion() -> tuple[str, bool]:
    found = len(admissible()[0]) * PAIRS_OF_LABELS * len(ITEMS) * len(LABELS)
    return f"{found:,}", found == _size(51, 100) and 4.5e9 < found < 5e9


def _fifty_or_fifty_one() -> tuple[str, bool]:
    sizes = [_size(51, 100), _size(50, 99), _size(50, 100)]
    told = "{:,} points from .51 to 1, {:,} from .50 to .99, {:,} with both ends".format(*sizes)
    return told, max(sizes[:2]) < 5e9 < sizes[2]


def _half_of_them() -> tuple[str, bool]:
    every = len(admissible()[0]) * len(ITEMS) * len(LABELS)
    kept = every * UNDER_ASSUMPTION_1
    return f"{kept:,} of {every * PAIRS_OF_LABELS:,}", 2 * kept > every * PAIRS_OF_LABELS > kept


def _of_the_grid() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-A-size",
            place="introduction, section 2, appendix A",
            printed="more than four, and almost five, billion points",
            compute=fact(_nearly_five_billion),
        ),
        Claim(
            id="004-A-S",
            place="appendix A",
            printed="50 evenly spaced points in [.5, 1], .01 apart",
            verdict="wording",
            compute=fact(_fifty_or_fifty_one),
            note="there are 51; without either end the grid has nearly five billion points",
        ),
        Claim(
            id="004-A-half",
            place="section 2, appendix A",
            printed="one label is better on all of nearly five billion points",
            verdict="conditional",
            compute=fact(_half_of_them),
            note="on those of Assumption 1, about half, as appendix A says; not on the others",
        ),
    )


def _seeded_slices() -> tuple[str, bool]:
    found = list(slices(random.Random(SEED).sample(range(65_369), 2)))
    points, better = (sum(getattr(part, name) for part in found) for name in ("points", "better"))
    return f"{better:,} of {points:,} points of 2 pairs of classifiers", better == points


def _exceptions_by_rounding() -> tuple[str, bool]:
    """Count reversals by plain convolution where the winning chances are next to 1; logarithms have none."""
    rng, reversed_, above, worst, in_logs = np.random.default_rng(SEED), 0, 0, 0.0, 0
    for _ in range(150):
        theta, s = rng.uniform(0.85, 1), rng.uniform(0.5, 0.75)
        pair = [(q, n) for q, n in ((theta, 303), (float(majority_accuracy(theta, 3)), 101))]
        one, three = (by_squaring(s * q, s * (1 - q), n).win for q, n in pair)
        logs = [log_outcomes(s * q, s * (1 - q), n) for q, n in pair]
        lost = [np.logaddexp(law.tie, law.loss) for law in logs]
        reversed_ += one < three
        above += max(one, three) > 1
        worst = max(worst, three - one)
        in_logs += bool(lost[0] >= lost[1])
    told = f"{reversed_} of 150 reversed, by at most {worst:.1g}, {above} above 1; in logarithms {in_logs}"
    return told, reversed_ > 0 and above > 0 and worst < 1e-11 and in_logs == 0


def _squaring_is_convolution() -> tuple[str, bool]:
    worst = 0.0
    for n in (10, 101, 1000):
        plain, ball = by_squaring(0.16, 0.154, n).win, certified_law(0.16, 0.154, n).win
        worst = max(worst, abs(plain - float(ball)))
    return f"off by at most {worst:.1g}", worst < 1e-12


def _of_the_exact_values() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-A-squaring",
            place="appendix A",
            printed="convolutions by squaring give the exact chances",
            compute=fact(_squaring_is_convolution),
            tolerance="1e-12, rounding of sums next to 1",
        ),
        Claim(
            id="004-A-violations",
            place="appendix A",
            printed="under the assumptions one label is never worse, rounding apart",
            compute=fact(_seeded_slices),
            tolerance="exact: differences are above 1e-12 of the chance of no win; a seeded slice of the "
            "grid",
            note="004-CJ1-grid checks the conditions of the proof on all of it",
        ),
        Claim(
            id="004-A-rounding",
            place="appendix A",
            printed="the only exceptions are of the order 1e-12, where both chances are next to 1, and often "
            "with "
            "computed chances above 1: rounding",
            compute=fact(_exceptions_by_rounding),
            tolerance="reversals below 1e-11; none where the small chances of no win are compared instead",
        ),
    )


class _Drawn(NamedTuple):
    """Winning chances of one label and of several at points drawn from the grid, and which is larger."""

    one: Any
    several: Any
    ahead: Any
    q_w: Any


@cache
def _drawn(low: int, biased: bool) -> _Drawn:
    """Draw points of the grid that begins at `low` hundredths, q_w > q_b where biased."""
    rng = np.random.default_rng(SEED)
    grid: Any = np.arange(low, low + 50)
    worse, wrong, right = (part.ravel() for part in np.meshgrid(grid, grid, grid, indexing="ij"))
    better, worse = (100 - worse) * wrong / 1e4, worse * (100 - right) / 1e4
    pair = rng.choice(np.flatnonzero(better > worse), POINTS)
    first, second = np.triu_indices(50, 1) if biased else np.tril_indices(50)
    place = rng.integers(first.size, size=POINTS)
    q_b, q_w = grid[first[place]] / 100, grid[second[place]] / 100
    m, n = rng.choice(LABELS, POINTS), rng.choice(ITEMS, POINTS)

    def law(b: Any, w: Any, items: Any) -> Any:
        up = better[pair] * b + worse[pair] * (1 - w)
        return log_outcomes(up, np.maximum(better[pair] + worse[pair] - up, 0), items)

    votes = [np.where(m == 3, *(majority_accuracy(q, k) for k in LABELS)) for q in (q_b, q_w)]
    one, several = law(q_b, q_w, m * n), law(votes[0], votes[1], n)
    lost = np.logaddexp(several.tie, several.loss) - np.logaddexp(one.tie, one.loss)
    ahead = np.where(one.win < np.log(0.5), one.win - several.win, lost) > 0
    return _Drawn(np.exp(one.win), np.exp(several.win), ahead, q_w)


def _hundred_draws(chance: Any) -> Any:
    """Return the law (points, 101) of how many of 100 draws are won."""
    k: Any = np.arange(101)
    p = np.minimum(chance, 1)[:, None]
    ways = gammaln(101) - gammaln(k + 1) - gammaln(101 - k)
    return np.exp(ways + xlogy(k, p) + xlog1py(100 - k, -p))


def _reversed_draws(low: int) -> tuple[float, float]:
    """Return the share of points at which 100 draws favour several labels, expected, and its error."""
    at = _drawn(low, biased=False)
    more = 1 - np.cumsum(_hundred_draws(at.several), axis=1)
    found = (_hundred_draws(at.one) * more).sum(axis=1)
    return float(found.mean()), float(found.std() / POINTS**0.5)


def _sampled_reversals() -> tuple[str, bool]:
    (low, error), (high, _) = _reversed_draws(50), _reversed_draws(51)
    told = (
        f"{low:.2%} expected on the grid from .50 to .99, {high:.2%} from .51 to 1 "
        f"(standard error {error:.2%})"
    )
    return told, abs(low - 0.016) < 3 * error + 0.0005 and high < low


def _average_distance() -> tuple[str, bool]:
    at = _drawn(51, biased=False)
    variance = float((at.one * (1 - at.one)).mean()) / 100
    error = (variance / (len(admissible()[0]) * PAIRS_OF_LABELS * 30)) ** 0.5
    return f"standard error of the mean signed distance {error:.1g}", 3e-8 < error < 1e-6


def _mean_squared_error() -> tuple[str, bool]:
    """Whether the mean of p (1 - p)/100, the error of 100 draws, can be of the order printed."""
    at = _drawn(51, biased=False)
    means = [float((p * (1 - p)).mean()) / 100 for p in (at.one, at.several)]
    told = "{:.4f} with one label, {:.4f} with several; at most .0025".format(*means)
    return told, max(means) < 0.0025


def _two_thirds() -> tuple[str, bool]:
    shares = [float(_drawn(low, biased=True).ahead.mean()) for low in (51, 50)]
    told = "{:.3f} on the grid from .51 to 1, {:.3f} from .50 to .99".format(*shares)
    return told, max(abs(share - 2 / 3) for share in shares) < 0.025


def _falling_with_q_w() -> tuple[str, bool]:
    at = _drawn(51, biased=True)
    shares = [
        float(at.ahead[(at.q_w > low) & (at.q_w <= low + 0.1)].mean())
        for low in (0.505, 0.605, 0.705, 0.805, 0.905)
    ]
    told = ", ".join(f"{share:.2f}" for share in shares)
    return f"by q_w up to .6, .7, .8, .9, 1: {told}", shares == sorted(shares, reverse=True)


def _of_the_draws() -> tuple[Claim, ...]:
    error = f"{POINTS:,} points drawn from the grid, seeded"
    return (
        Claim(
            id="004-A-1.6",
            place="appendix A",
            printed="draws alone favour m labels at 1.6% of the points",
            compute=fact(_sampled_reversals),
            tolerance=f"3 standard errors and the printed rounding; {error}",
            note="which suggests that the 50 values were .50 to .99; from .51 to 1 it would be 1.5%",
        ),
        Claim(
            id="004-A-distance",
            place="appendix A",
            printed="drawn chances are off by 1e-7 on average",
            verdict="conditional",
            compute=fact(_average_distance),
            tolerance="order of magnitude",
            note="if the mean keeps the sign of each distance, whose one standard error this is; "
            "the mean size of a "
            "distance is about .03",
        ),
        Claim(
            id="004-A-mse",
            place="appendix A",
            printed="the mean squared error of 100 draws is of the order .01",
            verdict="erratum",
            compute=fact(_mean_squared_error),
            tolerance="exact bound p (1 - p)/100; " + error,
            note="it is p (1 - p)/100, at most .0025, and on the grid about .001",
        ),
        Claim(
            id="004-A-thirds",
            place="appendix A",
            printed="with q_w > q_b one label is still better at two thirds of the points",
            compute=fact(_two_thirds),
            tolerance=f".025: two thirds is rounded, the standard error is .003; {error}",
        ),
        Claim(
            id="004-A-falling",
            place="appendix A",
            printed="with q_w > q_b, one label is better at fewer points the larger q_w is",
            compute=fact(_falling_with_q_w),
            tolerance=f"standard errors .003 to .02, steps larger; {error}",
        ),
        Claim(
            id="004-A-both",
            place="appendix A",
            printed="at no point do both the draws and the exact chances favour m labels",
            verdict="not reproducible",
            note="the draws and their seeds are not published; the exact chances never do (004-CJ1)",
        ),
    )
