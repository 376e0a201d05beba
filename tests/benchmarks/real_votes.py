"""Accuracy, calibration and time of every method on real votes, as a Markdown table.

    python tests/benchmarks/real_votes.py [--data FOLDER] [--sets rte,web] [--slow]

Votes are read from FOLDER (by default ../shared/data beside the repository); the key is taken off
before any method runs and read again for scoring alone. crowd-kit's methods run beside ours where
it is installed. --slow adds the Ising fit of many judges (minutes).
"""

from __future__ import annotations

import argparse
import csv
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

from algeval.aggregate import aggregate
from algeval.aggregate.checks.scoring import Score, score
from algeval.aggregate.inputs import read_patterns
from algeval.aggregate.results import Aggregation, assemble
from algeval.data import Votes
from algeval.errors import AlgevalError
from algeval.io import read_votes

DATA = Path(__file__).resolve().parents[2] / "../shared/data"
SETS = ("civilcomments", "bluebird", "rte", "web")
OURS = (
    "recommended",
    "majority",
    "weighted-majority",
    "dawid-skene",
    "one-coin",
    "glad",
    "mace",
    "triplets",
    "factor",
    "ising",
)
MANY = 16
LABEL_FREE_PEERS = (
    "MajorityVote",
    "Wawa",
    "ZeroBasedSkill",
    "DawidSkene",
    "OneCoinDawidSkene",
    "GLAD",
    "MACE",
)


def load(name: str, folder: Path) -> Votes:
    """Return one set of votes with its key."""
    if name == "civilcomments":
        path = folder / "civilcomments_judge_scores.csv"
        return read_votes(path, item="item", key="gold", cut=4.5)
    with (folder / f"{name}_truth.csv").open(newline="") as stream:
        key = {row["item"]: row["truth"] for row in csv.DictReader(stream)}
    with (folder / f"{name}_votes.csv").open(newline="") as stream:
        rows = [(r["item"], r["worker"], r["label"]) for r in csv.DictReader(stream)]
    return Votes.from_records(rows, key=key)


def ours(votes: Votes, slow: bool) -> Iterator[tuple[str, Aggregation | str, float]]:
    """Yield each method's name, its result or why there is none, and its seconds."""
    for name in OURS:
        if name == "ising" and votes.n_judges > MANY and not slow:
            yield name, f"left out above {MANY} judges (--slow runs it)", 0.0
            continue
        start = perf_counter()
        try:
            found: Aggregation | str = aggregate(votes, name)
        except AlgevalError as error:
            found = str(error)
        yield name, found, perf_counter() - start


def peers(votes: Votes) -> Iterator[tuple[str, Aggregation | str, float]]:
    """Yield the same for crowd-kit's methods that use no label; nothing where it is absent."""
    try:
        import crowdkit.aggregation as ck
        import pandas as pd
    except ImportError:
        return
    rows, columns = np.nonzero(votes.codes >= 0)
    table = pd.DataFrame(
        {
            "task": np.array(votes.items)[rows],
            "worker": np.array(votes.judges)[columns],
            "label": np.array(votes.labels)[votes.codes[rows, columns]],
        }
    )
    for name in LABEL_FREE_PEERS:
        start = perf_counter()
        try:
            given = peer_probabilities(ck, name, table)
            found: Aggregation | str = as_result(votes, name, given)
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        yield f"crowd-kit {name}", found, perf_counter() - start


def peer_probabilities(ck, name: str, table):
    """Return items x labels; the two that weigh voters by skill go through their weighted vote.

    (Their own predict asks scikit-learn for tags that crowd-kit's classes lack.)
    """
    model = getattr(ck, name)()
    if name not in ("Wawa", "ZeroBasedSkill"):
        return model.fit_predict_proba(table)
    return ck.MajorityVote().fit_predict_proba(table, model.fit(table).skills_)


def as_result(votes: Votes, name: str, table) -> Aggregation:
    """Return a peer's probabilities (items x labels) as a result of ours, to be scored alike."""
    read = read_patterns(votes)
    wide = table.reindex(index=votes.items, columns=votes.labels).fillna(0.0).to_numpy(float)
    posterior = np.zeros((len(read.sketch), votes.n_labels))
    posterior[read.item_pattern] = wide
    return assemble(
        read, method=name, settings={}, message=name, posterior=posterior, evaluation=None
    )


def row(name: str, found: Aggregation | str, votes: Votes, seconds: float) -> list[str]:
    """Return one line of the table."""
    if isinstance(found, str) or found.status.value == "not_identifiable":
        why = found if isinstance(found, str) else found.message
        return [name, "-", "-", "-", "-", "-", why.split(";")[0]]
    told: Score = score(found, votes)
    ended = "" if found.status.ok else found.status.value
    return [
        name,
        f"{told.accuracy:.4f}",
        f"{told.n_undecided}",
        f"{told.log_loss:.3f}",
        f"{told.brier:.3f}",
        f"{told.calibration_error:.3f}",
        f"{seconds:.2f} s {ended}".strip(),
    ]


def table(name: str, votes: Votes, slow: bool) -> list[str]:
    """Return the lines of one set's table, ours first, and the verdict."""
    blind = votes.without_key()
    found = [(ours_, *rest) for ours_, *rest in ours(blind, slow)]
    theirs = list(peers(blind))
    rows = [row(method, result, votes, seconds) for method, result, seconds in [*found, *theirs]]
    head = ["method", "accuracy", "undecided", "log loss", "Brier", "ECE", "time"]
    lines = [
        f"### {name}: {votes.n_items} items, {votes.n_judges} judges, {votes.n_labels} labels",
        "",
        *("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows]),
    ]
    return [*lines, "", verdict(rows), ""]


def verdict(rows: list[list[str]]) -> str:
    """Say plainly how the default compares with the best of the peers."""
    scored = {cells[0]: cells for cells in rows if cells[1] != "-"}
    theirs = [cells for name, cells in scored.items() if name.startswith("crowd-kit")]
    if not theirs:
        return "crowd-kit is not installed: no peer was run."
    mine = scored["recommended"]
    best = max(theirs, key=lambda cells: float(cells[1]))
    gap = float(mine[1]) - float(best[1])
    word = "level with" if abs(gap) < 5e-5 else "above" if gap > 0 else "BELOW"
    calm = min(theirs, key=lambda cells: float(cells[3]))
    return (
        f"`recommended` is {word} the most accurate peer ({best[0]}, {best[1]}) by {abs(gap):.4f}; "
        f"its log loss is {mine[3]}, that of the best-calibrated peer {calm[3]} ({calm[0]}), of "
        f"the most accurate {best[3]}."
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--slow", action="store_true")
    told = parser.parse_args()
    if not told.data.is_dir():
        sys.exit(f"no folder {told.data}; pass --data")
    warnings.simplefilter("ignore")
    for name in told.sets.split(","):
        print("\n".join(table(name, load(name, told.data), told.slow)), flush=True)


if __name__ == "__main__":
    main()
