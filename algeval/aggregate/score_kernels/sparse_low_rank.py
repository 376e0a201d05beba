"""A precision matrix as a sparse part less a low-rank part (Chandrasekaran et al. 2012), by ADMM.

    minimise  f(S - L) + sum_ij P_ij |S_ij| + low_rank tr L   over  L >= 0

f(R) is -log det R + tr(Sigma R), of normal scores minus twice the log-likelihood per item; or, over
R >= 0, tr(R Sigma R) / 2 - tr R, the D-trace loss (Zhang and Zou 2014). Both are least where R
inverts Sigma. Arrays in, arrays out; the steps are tuned for correlation matrices. The end of the
search is not read off its own moves: every few sweeps a point that meets all constraints is
compared with a lower bound of the minimum that holds whatever the iterates are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.results import End, Floats

__all__ = ["LOSSES", "Split", "bottomless", "split", "without_variance"]


class Split(NamedTuple):
    """What the search found, and what proves it.

    Attributes
    ----------
    sparse, low_rank : (p, p) arrays
        S and L; S - L and L meet their constraints exactly. L has exact zeros where it was shrunk.
    objective : float
    gap : float
        Objective less a lower bound of the minimum; infinite where no bound was found.
    primal, dual : float
        How far the copies differ, and how far the last sweep moved them (Frobenius).
    pull : float
        Largest eigenvalue of the slope of f (less the multiplier of R >= 0), from the multipliers.
        L = 0 is optimal if and only if, at the minimum, it is at most the penalty of L. What is found
        here proves more: no minimiser has tr L above gap / (penalty - pull), where that is positive.
    end : End
    """

    sparse: Floats
    low_rank: Floats
    objective: float
    gap: float
    primal: float
    dual: float
    pull: float
    end: End

    @property
    def rank(self) -> int:
        """Number of eigenvalues of L above `policy.SPLIT_ZERO`."""
        return int((np.linalg.eigvalsh(self.low_rank) > policy.SPLIT_ZERO).sum())

    @property
    def edges(self) -> list[tuple[int, int]]:
        """Pairs with an entry of S above `policy.SPLIT_ZERO` in size."""
        rows, columns = np.nonzero(np.triu(np.abs(self.sparse) > policy.SPLIT_ZERO, 1))
        return list(zip(rows.tolist(), columns.tolist(), strict=True))


class _LogDet:
    """-log det R + tr(Sigma R)."""

    name: ClassVar[str] = "log-det"
    copies: ClassVar[int] = 1

    def __init__(self, sigma: Floats) -> None:
        self.sigma = sigma

    def near(self, V: Floats, rho: float) -> Floats:
        d, Q = np.linalg.eigh(V[0] - self.sigma / rho)
        R: Floats = (Q * ((d + np.sqrt(d**2 + 4 / rho)) / 2)) @ Q.T
        return R[None]

    def value(self, R: Floats) -> float:
        least = np.linalg.eigvalsh(R)
        if least[0] <= 0:
            return np.inf
        return float((self.sigma * R).sum() - np.log(least).sum())

    def bound(self, Y: Floats, _: Floats) -> float:
        """Return the least of f(R) + tr(Y R) over R > 0."""
        values = np.linalg.eigvalsh(self.sigma + Y)
        return len(values) + float(np.log(values).sum()) if values[0] > 0 else -np.inf


class _DTrace:
    """tr(R Sigma R) / 2 - tr R over R >= 0: one copy of R for the loss and one for the constraint."""

    name: ClassVar[str] = "d-trace"
    copies: ClassVar[int] = 2

    def __init__(self, sigma: Floats) -> None:
        self.sigma = sigma
        values, self.Q = np.linalg.eigh(sigma)
        self.half = (values[:, None] + values) / 2

    def near(self, V: Floats, rho: float) -> Floats:
        turned = self.Q.T @ V[0] @ self.Q
        smooth = (np.eye(len(turned)) + rho * turned) / (self.half + rho)
        return np.stack([self.Q @ smooth @ self.Q.T, _shrunk(V[1], 0.0)])

    def value(self, R: Floats) -> float:
        return float((R * (self.sigma @ R)).sum() / 2 - np.trace(R))

    def bound(self, Y: Floats, multipliers: Floats) -> float:
        """Return the least of f(R) + tr(Y R) - tr(Z R) over all R, Z >= 0 the last multiplier."""
        A = self.Q.T @ (np.eye(len(Y)) - Y + multipliers[1]) @ self.Q
        if self.half.min() <= 0:
            return -np.inf
        return -float((A**2 / self.half).sum()) / 2


LOSSES = {loss.name: loss for loss in (_LogDet, _DTrace)}


@dataclass(frozen=True, slots=True)
class _Problem:
    loss: _LogDet | _DTrace
    penalty: Floats
    low_rank: float

    def near(self, V: Floats, rho: float) -> Floats:
        """Return each copy's best point near V: of R, S and L."""
        S = np.sign(V[-2]) * np.maximum(np.abs(V[-2]) - self.penalty / rho, 0.0)
        L = _shrunk(V[-1], self.low_rank / rho)
        return np.concatenate([self.loss.near(V, rho), S[None], L[None]])

    def agreed(self, W: Floats) -> Floats:
        """Return the nearest copies with R = S - L."""
        k = self.loss.copies
        *R, S, L = W
        D = (2 * sum(R) + S - L) / (2 * k + 1)
        return np.stack([D] * k + [(S + L + D) / 2, (S + L - D) / 2])


class _Sweep(NamedTuple):
    """Copies, what they are pulled to, the scaled multipliers, and the residuals."""

    X: Floats
    V: Floats
    Z: Floats
    U: Floats
    rho: float
    primal: float
    dual: float


def split(
    sigma: Floats,
    *,
    loss: str,
    sparse: float,
    low_rank: float,
    diagonal: bool = True,
    tol: float = 1e-9,
    max_iter: int = 20000,
) -> Split:
    """Split the precision of a (p, p) correlation matrix into S - L.

    Two-block ADMM on copies of R, S and L, over-relaxed; the step starts in proportion to the
    penalties and is balanced by the residuals. It has converged when the gap is at most
    `tol` (1 + |objective|). Both penalties are above 0.
    `diagonal` says whether |S_jj| is penalised too. Where the objective falls for ever (see
    `bottomless`) nothing is searched and the gap is infinite.
    """
    penalty = np.full_like(sigma, sparse)
    if not diagonal:
        np.fill_diagonal(penalty, 0.0)
    problem = _Problem(LOSSES[loss](sigma), penalty, low_rank)
    at = _start(problem, policy.SPLIT_STEP * float(np.sqrt(sparse * low_rank)))
    if bottomless(sigma, loss=loss, sparse=sparse, diagonal=diagonal):
        return _certified(problem, at, 0)._replace(gap=np.inf)
    n_iter = 0
    while True:
        for _ in range(policy.SPLIT_SWEEPS):
            at = _swept(problem, at)
        n_iter += policy.SPLIT_SWEEPS
        found = _certified(problem, at, n_iter)
        if np.isfinite(found.gap) and found.gap <= tol * (1 + abs(found.objective)):
            return found._replace(end=found.end._replace(converged=True))
        if n_iter >= max_iter:
            return found
        if n_iter <= policy.SPLIT_BALANCED_FOR:
            at = _balanced(at)


def bottomless(sigma: Floats, *, loss: str, sparse: float, diagonal: bool = True) -> bool:
    """Return whether the D-trace objective is seen to fall for ever where scores do not vary.

    Along S = t u u' with Sigma u = 0 it is t (sparse (sum |u_j|)^2 - 1), less t sparse where the
    diagonal is free. Log-det has a minimum wherever S is penalised.
    """
    if loss != "d-trace":
        return False
    width = np.abs(without_variance(sigma)).sum(axis=0) ** 2
    return bool((sparse * (width - (not diagonal)) < 1).any())


def without_variance(sigma: Floats) -> Floats:
    """Return (p, m) the unit combinations of scores that do not vary, as columns."""
    values, vectors = np.linalg.eigh(sigma)
    found: Floats = vectors[:, values < policy.SPLIT_SINGULAR]
    return found


def _start(problem: _Problem, rho: float) -> _Sweep:
    eye = np.eye(len(problem.penalty))
    Z = np.stack([eye] * (problem.loss.copies + 1) + [np.zeros_like(eye)])
    return _Sweep(Z, Z, Z, np.zeros_like(Z), rho, np.inf, np.inf)


def _swept(problem: _Problem, at: _Sweep) -> _Sweep:
    V = at.Z - at.U
    X = problem.near(V, at.rho)
    W = policy.SPLIT_RELAXED * X + (1 - policy.SPLIT_RELAXED) * at.Z + at.U
    Z = problem.agreed(W)
    primal = float(np.linalg.norm(X - Z))
    dual = at.rho * float(np.linalg.norm(Z - at.Z))
    return _Sweep(X, V, Z, W - Z, at.rho, primal, dual)


def _balanced(at: _Sweep) -> _Sweep:
    """Return the same point with another step where one residual is relatively far above the other.

    The primal one is measured by the copies, the dual one by the multipliers (Wohlberg 2017).
    """
    copies = max(float(np.linalg.norm(at.X)), float(np.linalg.norm(at.Z)))
    primal = at.primal * at.rho * float(np.linalg.norm(at.U))
    dual = at.dual * copies
    if primal > policy.SPLIT_UNBALANCED * dual:
        return at._replace(rho=at.rho * 2, U=at.U / 2)
    if dual > policy.SPLIT_UNBALANCED * primal:
        return at._replace(rho=at.rho / 2, U=at.U * 2)
    return at


def _certified(problem: _Problem, at: _Sweep, n_iter: int) -> Split:
    """Return the iterate, made feasible, with a lower bound from its multipliers, made feasible.

    The multiplier Y of S = R + L lies in the box |Y_ij| <= P_ij because S was soft-thresholded;
    scaling it down keeps it there and makes low_rank I + Y >= 0 true.
    """
    S, L = at.X[-2], at.X[-1]
    S = S + max(0.0, -float(np.linalg.eigvalsh(S - L)[0])) * np.eye(len(S))
    penalties = float((problem.penalty * np.abs(S)).sum()) + problem.low_rank * float(np.trace(L))
    objective = problem.loss.value(S - L) + penalties
    multipliers = at.rho * (at.X - at.V)
    Y = -multipliers[-2]
    pull = -float(np.linalg.eigvalsh(Y)[0])
    kept = min(1.0, problem.low_rank / pull) if pull > 0 else 1.0
    bound = problem.loss.bound(kept * Y, multipliers)
    gap = objective - bound if np.isfinite([objective, bound]).all() else np.inf
    end = End(False, n_iter, (), "ADMM")
    return Split(S, L, objective, gap, at.primal, at.dual, pull, end)


def _shrunk(V: Floats, by: float) -> Floats:
    """Return V with eigenvalues lowered by `by`, none below 0."""
    values, Q = np.linalg.eigh((V + V.T) / 2)
    values = values - by
    kept = values > 0
    result: Floats = (Q[:, kept] * values[kept]) @ Q[:, kept].T
    return result
