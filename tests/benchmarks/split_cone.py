"""The sparse and low-rank split as a cone program for Clarabel and SCS, and a table of times beside ours.

    python tests/benchmarks/split_cone.py [--repeat 3]

Variables are the upper triangles of S, L and T >= |S|; log-det adds a triangular Z with
[[R, Z], [Z', diag Z]] >= 0, whose diagonal has a product of at most det R, and u <= log diag Z.
Ours stops at a gap of 1e-9 (1 + |objective|), certified; Clarabel at its default 1e-8; SCS at
1e-7 (its default 1e-4 is too coarse to compare). The time of SCS and Clarabel is that of `solve` alone,
the program is built before; ours is the whole call. Data are read from ../shared/data where it is there.
"""

from __future__ import annotations

import argparse
import csv
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy import sparse as sp

from algeval.aggregate.scores.care_svd import split_sparse_low_rank as split

DATA = Path(__file__).resolve().parents[2] / "../shared/data"
NOT_JUDGES = {"item", "pair", "rater", "aspect", "gold"}


def judge_correlations(path):
    """Correlations of the judges of a file of scores, on rows that all of them scored."""
    with path.open() as file:
        header, *rows = csv.reader(file)
    places = [k for k, name in enumerate(header) if name not in NOT_JUDGES]
    complete = [[float(row[k]) for k in places] for row in rows if all(row[k] for k in places)]
    return np.corrcoef(np.array(complete).T)


def random_correlations(p, seed, n_items=None):
    """Correlations of judges with a shared trait and some edges, from few items."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n_items or 20 * p, p)) + rng.normal(size=(n_items or 20 * p, 1))
    scores[:, 1] += scores[:, 0]
    return np.corrcoef(scores.T)


class Cone:
    """min x'Px/2 + q'x with b - Ax in nonnegatives, PSD triangles (upper, by columns), exponentials."""

    def __init__(self, sigma, *, loss, sparse, low_rank, diagonal):
        p = len(sigma)
        self.p, self.loss = p, loss
        self.rows, self.columns = np.array([(i, j) for j in range(p) for i in range(j + 1)]).T
        m = len(self.rows)
        off = self.rows != self.columns
        self.n = 3 * m + (m + p if loss == "log-det" else 0)
        self.q, self.P = np.zeros(self.n), sp.csc_matrix((self.n, self.n))
        self.q[m : 2 * m] = low_rank * ~off
        self.q[2 * m : 3 * m] = sparse * np.where(off, 2.0, float(diagonal))
        whole = self.whole(m)
        R = sp.hstack([sp.identity(m), -sp.identity(m), sp.csc_matrix((m, self.n - 2 * m))]).tocsc()
        if loss == "d-trace":
            H = whole.T @ sp.kron(sp.identity(p), sigma) @ whole
            self.P = sp.csc_matrix(R.T @ H @ R)
            self.q -= R.T @ (1.0 * ~off)
        else:
            self.q += R.T @ (np.where(off, 2.0, 1.0) * sigma[self.rows, self.columns])
            self.q[3 * m + m :] = -1.0
        weight = sp.diags(np.where(off, np.sqrt(2.0), 1.0))
        pick = sp.identity(self.n, format="csc")
        S, L, T = (pick[k * m : (k + 1) * m] for k in range(3))
        self.blocks = [sp.vstack([T - S, T + S])]
        self.triangles = [weight @ L]
        self.sizes = [p]
        self.triangles.append(weight @ R if loss == "d-trace" else self.bordered(R, pick, m))
        self.sizes.append(p if loss == "d-trace" else 2 * p)
        self.exponentials = [] if loss == "d-trace" else self.logs(pick, m)

    def whole(self, m):
        """From a triangle to all p^2 entries."""
        place = np.zeros((self.p, self.p), int)
        place[self.rows, self.columns] = place[self.columns, self.rows] = np.arange(m)
        flat = place.ravel()
        return sp.csc_matrix((np.ones(len(flat)), (np.arange(len(flat)), flat)))

    def bordered(self, R, pick, m):
        """The upper triangle of [[R, Z], [Z', diag Z]], Z lower triangular, scaled."""
        p, place = (
            self.p,
            {(i, j): k for k, (i, j) in enumerate(zip(self.rows, self.columns, strict=True))},
        )
        Z, empty, found = pick[3 * m : 4 * m], sp.csc_matrix((1, self.n)), []
        for j in range(2 * p):
            for i in range(j + 1):
                scale = 1.0 if i == j else np.sqrt(2.0)
                if j < p:
                    found.append(scale * R[place[i, j]])
                elif i < p:
                    found.append(scale * Z[place[j - p, i]] if i >= j - p else empty)
                else:
                    found.append(Z[place[i - p, i - p]] if i == j else empty)
        return sp.vstack(found)

    def logs(self, pick, m):
        """(u_i, 1, Z_ii) in the exponential cone, so u_i <= log Z_ii."""
        diagonal = [
            k for k, (i, j) in enumerate(zip(self.rows, self.columns, strict=True)) if i == j
        ]
        return [(pick[4 * m + i], pick[3 * m + k]) for i, k in enumerate(diagonal)]

    def stacked(self, order=None):
        """A and b, triangles reordered where a solver wants the lower ones."""
        above = [*self.blocks]
        for rows, size in zip(self.triangles, self.sizes, strict=True):
            above.append(rows.tocsr()[_lower(size)] if order == "lower" else rows)
        b = [np.zeros(sum(block.shape[0] for block in above))]
        for log, argument in self.exponentials:
            above += [log, sp.csc_matrix((1, self.n)), argument]
            b.append(np.array([0.0, 1.0, 0.0]))
        return -sp.vstack(above).tocsc(), np.concatenate(b)


def _lower(size):
    """Places in the upper triangle by columns of the lower triangle's entries by columns."""
    return [j * (j + 1) // 2 + i for i in range(size) for j in range(i, size)]


def clarabel_objective(cone):
    """Solve with Clarabel; return the objective and the seconds of `solve`."""
    import clarabel

    A, b = cone.stacked()
    cones = [clarabel.NonnegativeConeT(cone.blocks[0].shape[0])]
    cones += [clarabel.PSDTriangleConeT(size) for size in cone.sizes]
    cones += [clarabel.ExponentialConeT() for _ in cone.exponentials]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    P = sp.triu(cone.P).tocsc()
    solver = clarabel.DefaultSolver(P, cone.q, A, b, cones, settings)
    start = perf_counter()
    found = solver.solve()
    return found.obj_val, perf_counter() - start, str(found.status)


def scs_objective(cone, eps=1e-7):
    """Solve with SCS; return the objective and the seconds of `solve`."""
    import scs

    A, b = cone.stacked("lower")
    cones = {"l": cone.blocks[0].shape[0], "s": cone.sizes, "ep": len(cone.exponentials)}
    data = {"P": sp.triu(cone.P).tocsc(), "A": A, "b": b, "c": cone.q}
    settings = {"eps_abs": eps, "eps_rel": eps, "max_iters": 100_000, "verbose": False}
    solver = scs.SCS(data, cones, time_limit_secs=120.0, **settings)
    start = perf_counter()
    found = solver.solve()
    return found["info"]["pobj"], perf_counter() - start, found["info"]["status"]


def timed(call, repeat):
    """Best seconds of some calls, and what the last returned."""
    best = np.inf
    for _ in range(repeat):
        start = perf_counter()
        found = call()
        best = min(best, perf_counter() - start)
    return best, found


def cases():
    """Name, correlations, settings."""
    files = {"ASSET": "asset_judge_scores.csv", "CivilComments": "civilcomments_judge_scores.csv"}
    sets = {f"random {p}": random_correlations(p, p) for p in (10, 20, 40)}
    if DATA.is_dir():
        sets = {name: judge_correlations(DATA / file) for name, file in files.items()} | sets
    for name, sigma in sets.items():
        default = 0.004 / np.sqrt(len(sigma))
        for loss, sparse, low_rank, diagonal in (
            ("d-trace", default, default, True),
            ("d-trace", 0.05, 0.05, True),
            ("log-det", 0.05, 0.1, False),
        ):
            setting = {"loss": loss, "sparse": sparse, "low_rank": low_rank, "diagonal": diagonal}
            yield f"{name}, p = {len(sigma)}", sigma, setting


def main():
    """Print the table, a row as soon as it is known."""
    reader = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    reader.add_argument("--repeat", type=int, default=3)
    repeat = reader.parse_args().repeat
    heads = "set", "loss", "sparse, low rank", "ours (s)", "gap", "Clarabel (s)", "difference"
    print("| " + " | ".join([*heads, "SCS (s)", "difference"]) + " |\n" + "|---" * 9 + "|")
    for name, sigma, setting in cases():
        ours, found = timed(partial(split, sigma, **setting), repeat)
        cells = [name, setting["loss"], f"{setting['sparse']:.2g}, {setting['low_rank']:.2g}"]
        cells += [f"{ours:.2f}", f"{found.gap:.0e}{'' if found.end.converged else ' (stopped)'}"]
        cone = Cone(sigma, **setting)
        for solve in (clarabel_objective, scs_objective):
            if len(sigma) > 21 and setting["loss"] == "log-det":
                cells += ["not run", ""]
                continue
            value, seconds, status = solve(cone)
            status = "" if status.lower() == "solved" else f" ({status})"
            cells += [f"{seconds:.2f}{status}", f"{value - found.objective:.0e}"]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
