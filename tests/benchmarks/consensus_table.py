"""Accuracy, calibration and time of every method on real votes, as Markdown tables and a verdict.

    python tests/benchmarks/consensus_table.py [--peers] [--data DIR] [--sets rte,web]
        [--limit SECONDS] [--kept DIR] [--write PAGE]

Votes are read from DIR (by default ../shared/data beside the repository); the key is taken off
before any method runs and read again for scoring alone. With --peers, crowd-kit's and snorkel's
label-free methods run beside ours where they are installed, with their default settings. Each run
has a process of its own and --limit seconds of processor time (120), then a dash. --kept DIR keeps
what the runs found and does not run again what is there. --write PAGE puts the tables between the
two comments of that page that name them.

Accuracy: a tie of t labels that has the true one counts 1/t. Log loss: probabilities are clipped to
[1e-6, 1 - 1e-6] and rows rescaled; nats. Brier: summed over labels, 0 to 2. ECE: 10 bins of the top
probability. Methods that give labels only are scored as if sure of them.
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import os
import pickle
import platform
import resource
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import process_time

import numpy as np

from algeval.aggregate import METHODS, aggregate
from algeval.data import Scores, Votes
from algeval.errors import AlgevalError
from algeval.io import read_scores, read_votes

DATA = Path(__file__).resolve().parents[2] / "../shared/data"
PEERS = (
    "crowd-kit MajorityVote",
    "crowd-kit Wawa",
    "crowd-kit ZeroBasedSkill",
    "crowd-kit DawidSkene",
    "crowd-kit OneCoinDawidSkene",
    "crowd-kit MMSR",
    "crowd-kit KOS",
    "crowd-kit GLAD",
    "crowd-kit MACE",
    "snorkel LabelModel",
)
FIRST = ("recommended", "pooled-dawid-skene", "vote-factor", "majority", "dawid-skene", "one-coin")
EQUAL = "recommended (labels told equal)"
PLAIN = "majority (plain shares)"
NO_JUDGES = {
    "item",
    "question",
    "exam_taker",
    "n_chars_response",
    "n_references",
    "gold",
    "question_key",
}
BEGIN, END = "<!-- consensus table: begin -->", "<!-- consensus table: end -->"
MANY = 12
CLIP, TIE = 1e-6, 1e-9
WHY = {
    "civilcomments": (
        "snorkel takes both labels for equally frequent, which they are here by design and which "
        "no votes show; told so, `recommended` gains a quarter of that, the rest is not explained; "
        "as scores, told so, `rank-factor` is ahead of every peer"
    ),
    "triviaqa v2": (
        "judges share errors there, and `ising`, `log-linear` and `factor`, which model that, are "
        "ahead of all others; on v1 the same three are below the vote share"
    ),
    "judgebench": (
        "176 pairs on which the vote share itself is hardly better than a coin (0.693); the "
        "difference lies within its standard error"
    ),
}

Found = tuple[np.ndarray | None, float, str]  # posterior (items, R), seconds, status


@dataclass(frozen=True)
class Set:
    """Votes or scores with a key, and the settings they are aggregated with where scores."""

    name: str
    data: Votes | Scores
    truth: np.ndarray
    votes: Votes
    settings: dict | None = None


def crowd(name: str, folder: Path) -> Votes:
    """Return votes kept as a long table and a table of the truth."""
    with (folder / f"{name}_truth.csv").open(newline="") as stream:
        key = {row["item"]: row["truth"] for row in csv.DictReader(stream)}
    with (folder / f"{name}_votes.csv").open(newline="") as stream:
        rows = [(r["item"], r["worker"], r["label"]) for r in csv.DictReader(stream)]
    return Votes.from_records(rows, key=key)


def triviaqa(number: str, folder: Path) -> Votes:
    """Return the panel that judged answers to quiz questions."""
    path = folder / f"triviaqa_judges_{number}.csv"
    with path.open(newline="") as stream:
        judges = [name for name in next(csv.reader(stream)) if name not in NO_JUDGES]
    return read_votes(path, item="item", judges=judges, key="gold")


def judgebench(folder: Path) -> Scores:
    """Return the signed differences of six judges."""
    path = folder / "judgebench_pairs.csv"
    with path.open(newline="") as stream:
        judges = [name for name in next(csv.reader(stream)) if "-" in name]
    return read_scores(path, item="item", judges=judges, key="gold")


def signs(scores: Scores) -> Votes:
    """Return votes by the sign of a score, none where it is 0."""
    values = np.nan_to_num(scores.values)
    codes = np.where(values == 0, -1, values > 0).astype(np.int16)
    key = (np.array(scores.key, float) > 0.5).astype(np.int16)
    return Votes(scores.items, scores.judges, ("0", "1"), ("0", "1"), codes, key)


def comments(folder: Path) -> Scores:
    """Return the toxicity scores of 21 language models."""
    path = folder / "civilcomments_judge_scores.csv"
    return read_scores(path, item="item", key="gold")


def load(name: str, folder: Path) -> Set:
    """Return one set."""
    if name.startswith("scores: "):
        of, told = name.removeprefix("scores: ").rsplit(", ", 1)
        scores = comments(folder) if of == "civilcomments" else judgebench(folder)
        votes = scores.cut(4.5) if of == "civilcomments" else signs(scores)
        settings = {"half": {"prevalence": 0.5}, "cut 4.5": {"cut": 4.5}, "nothing": {}}[told]
        return Set(name, scores.without_key(), truth_of(votes), votes.without_key(), settings)
    makers: dict[str, Callable[[Path], Votes]] = {
        "civilcomments": lambda f: comments(f).cut(4.5),
        "triviaqa v1": partial(triviaqa, "v1"),
        "triviaqa v2": partial(triviaqa, "v2"),
        "judgebench": lambda f: signs(judgebench(f)),
    }
    votes = makers.get(name, partial(crowd, name))(folder)
    blind = votes.without_key()
    return Set(name, blind, truth_of(votes), blind)


VOTES = (
    "civilcomments",
    "bluebird",
    "rte",
    "web",
    "triviaqa v1",
    "triviaqa v2",
    "judgebench",
)
SCORES = (
    "scores: civilcomments, half",
    "scores: civilcomments, cut 4.5",
    "scores: judgebench, nothing",
)


def truth_of(votes: Votes) -> np.ndarray:
    """Return the position of each item's true label, -1 where unknown."""
    return np.asarray(votes.key, int)


# -- one run ------------------------------------------------------------------------------------


def ours(name: str, given: Set) -> Found:
    """Return what one of our methods finds."""
    method, settings = name, given.settings or {}
    if name == EQUAL:
        method, settings = "recommended", {"prevalence": "equal"}
    if name == PLAIN:
        method, settings = "majority", {"smoothing": 0}
    record, votes = METHODS[method], given.votes
    if record.labels == "two" and votes.n_labels > 2:
        return None, 0.0, "two labels only"
    if "ising" in method and votes.n_judges > MANY:
        return None, 0.0, f"left out above {MANY} judges"
    start = process_time()
    try:
        found = aggregate(given.data, method, **settings)
    except AlgevalError as error:
        return None, 0.0, str(error).split(";")[0]
    seconds = process_time() - start
    if found.status.value == "not_identifiable":
        return None, seconds, found.status.value
    posterior = found.posterior if given.settings is not None else found.posterior_items
    return np.array(posterior), seconds, found.status.value


def peer(name: str, given: Set) -> Found:
    """Return what a method of crowd-kit or snorkel finds."""
    library, method = name.split(" ")
    votes = given.votes
    if method == "KOS" and votes.n_labels > 2:
        return None, 0.0, "two labels only"
    try:
        import_module("snorkel.labeling.model" if library == "snorkel" else "crowdkit.aggregation")
        start = process_time()
        posterior = snorkel(votes) if library == "snorkel" else crowd_kit(method, votes)
    except Exception as error:
        return None, 0.0, f"{type(error).__name__}: {error}".split("\n")[0][:60]
    total = posterior.sum(axis=1, keepdims=True)
    fine = np.isfinite(posterior).all(axis=1, keepdims=True) & (total > 0)
    posterior = np.where(fine, posterior / np.where(fine, total, 1), 1 / votes.n_labels)
    return posterior, process_time() - start, "ok"


def crowd_kit(method: str, votes: Votes) -> np.ndarray:
    """Return (items, R); the two that weigh judges by skill go through their weighted vote.

    (Their own predict asks scikit-learn for tags that crowd-kit's classes lack.)
    """
    import crowdkit.aggregation as ck
    import pandas as pd

    item, judge = np.nonzero(votes.codes >= 0)
    table = pd.DataFrame({"task": item, "worker": judge, "label": votes.codes[item, judge]})
    model = getattr(ck, method)()
    if method in ("MMSR", "KOS"):
        sure = pd.get_dummies(model.fit_predict(table)).astype(float)
    elif method in ("Wawa", "ZeroBasedSkill"):
        sure = ck.MajorityVote().fit_predict_proba(table, model.fit(table).skills_)
    else:
        sure = model.fit_predict_proba(table)
    wide = sure.reindex(index=range(votes.n_items), columns=range(votes.n_labels))
    return wide.fillna(0.0).to_numpy(float)


def snorkel(votes: Votes) -> np.ndarray:
    """Return (items, R) under snorkel's label model."""
    import torch
    from snorkel.labeling.model import LabelModel

    torch.set_num_threads(1)
    model = LabelModel(cardinality=votes.n_labels, verbose=False)
    codes = votes.codes.astype(int)
    model.fit(codes, seed=0, progress_bar=False)
    return model.predict_proba(codes)


def _child(pipe, run: Callable[[], Found], limit: float) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 2, int(limit) + 5))
    warnings.simplefilter("ignore")
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        pipe.send(run())


def limited(run: Callable[[], Found], limit: float) -> Found:
    """Run in a process of its own, with so many seconds of processor time."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(there, run, limit))
    process.start()
    there.close()
    found: Found = (None, limit, f"over {limit:g} s")
    try:
        if here.poll(10 * limit):
            found = here.recv()
    except EOFError:
        pass
    process.kill()
    process.join()
    return found if found[1] <= limit else (None, limit, f"over {limit:g} s")


def kept(run: Callable[[], Found], path: Path | None) -> Found:
    """Return what was kept in the file, or run and keep it."""
    if path is not None and path.exists():
        return pickle.loads(path.read_bytes())
    found = run()
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(found))
    return found


# -- scoring ------------------------------------------------------------------------------------


def right(posterior: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return 1 where the top label is true, 1/t where t labels share the top; true labels known."""
    posterior, truth = posterior[truth >= 0], truth[truth >= 0]
    top = posterior >= posterior.max(axis=1, keepdims=True) - TIE
    return top[np.arange(len(truth)), truth] / top.sum(axis=1)


def losses(posterior: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return -log of the probability of the true label, after the clip, where it is known."""
    posterior, truth = posterior[truth >= 0], truth[truth >= 0]
    clipped = np.clip(posterior, CLIP, 1 - CLIP)
    clipped /= clipped.sum(axis=1, keepdims=True)
    return -np.log(clipped[np.arange(len(truth)), truth])


def measures(posterior: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """Return every figure of the tables, over the items whose true label is known."""
    posterior, truth = posterior[truth >= 0], truth[truth >= 0]
    hit = right(posterior, truth)
    each = [hit[truth == label].mean() for label in np.unique(truth)]
    target = np.eye(posterior.shape[1])[truth]
    top = posterior.max(axis=1)
    place = np.minimum((top * 10).astype(int), 9)
    gap = sum(abs((top - hit)[place == number].sum()) for number in range(10))
    return {
        "accuracy": hit.mean(),
        "balanced": float(np.mean(each)),
        "log loss": losses(posterior, truth).mean(),
        "Brier": ((posterior - target) ** 2).sum(axis=1).mean(),
        "ECE": gap / len(truth),
    }


def paired(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    """Return the mean difference and its standard error over items."""
    difference = one - other
    return float(difference.mean()), float(difference.std(ddof=1) / np.sqrt(len(difference)))


# -- tables -------------------------------------------------------------------------------------

Runs = dict[str, Found]


def run_set(given: Set, names: list[str], limit: float, folder: Path | None) -> Runs:
    """Return what every method finds on one set."""
    found: Runs = {}
    for name in names:
        call = partial(peer if name in PEERS else ours, name, given)
        safe = f"{given.name}--{name}".replace(" ", "_").replace(":", "")
        path = None if folder is None else folder / f"{safe}.pickle"
        found[name] = kept(partial(limited, call, limit), path)
        print(given.name, name, *found[name][1:], file=sys.stderr, flush=True)
    return found


def markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    """Return the lines of a table."""
    return ["| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows]]


def tables(sets: dict[str, Set], runs: dict[str, Runs]) -> list[str]:
    """Return the three tables: methods down, sets across."""
    names = list(dict.fromkeys(name for found in runs.values() for name in found))
    shown = {name: [_cells(sets[s], runs[s].get(name)) for s in runs] for name in names}
    titles = (
        "Accuracy / log loss",
        "Balanced accuracy / Brier / ECE",
        "Seconds (one thread), and the status where it is not ok",
    )
    lines = []
    for number, title in enumerate(titles):
        rows = [[name, *(cell[number] for cell in shown[name])] for name in names]
        lines += [f"**{title}**", "", *markdown(["method", *runs], rows), ""]
    return lines


def _cells(given: Set, found: Found | None) -> tuple[str, str, str]:
    if found is None:
        return "", "", ""
    posterior, seconds, status = found
    if posterior is None:
        return "-", "-", status
    told = measures(posterior, given.truth)
    ended = "" if status == "ok" else f" {status}"
    return (
        f"{told['accuracy']:.3f} / {told['log loss']:.3f}",
        f"{told['balanced']:.3f} / {told['Brier']:.3f} / {told['ECE']:.3f}",
        f"{seconds:.2f}{ended}" if seconds < 10 else f"{seconds:.0f}{ended}",
    )


def verdict(given: Set, runs: Runs) -> str:
    """Say how `recommended` compares with the best peer and with the smoothed vote share."""
    mine = runs["recommended"][0]
    told = measures(mine, given.truth)
    share = losses(runs["majority"][0], given.truth)
    gap, spread = paired(losses(mine, given.truth), share)
    calm = gap < 0
    line = (
        f"* {given.name}: log loss {told['log loss']:.3f}, the smoothed vote share "
        f"{share.mean():.3f} ({gap:+.3f} ± {spread:.3f}{'' if calm else ', NOT below'})"
    )
    theirs = {n: f[0] for n, f in runs.items() if n in PEERS and f[0] is not None}
    near = True
    if theirs:
        best = max(theirs, key=lambda name: right(theirs[name], given.truth).mean())
        other = right(theirs[best], given.truth)
        gap, spread = paired(right(mine, given.truth), other)
        near = gap >= -0.01
        line += (
            f"; accuracy {told['accuracy']:.3f}, the best peer's {other.mean():.3f} ({best}): "
            f"{gap:+.3f} ± {spread:.3f}{'' if near else ', NOT within .01'}"
        )
    why = "" if near and calm else f": {WHY.get(given.name, 'no reason is known')}"
    return line + why + "."


def origin() -> str:
    """Return when and with what the tables were made."""
    told = []
    for package in ("algeval", "numpy", "scipy", "crowd-kit", "snorkel", "torch", "pandas"):
        try:
            told.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            told.append(f"{package} not installed")
    day = datetime.now(UTC).date().isoformat()
    made = f"Python {platform.python_version()}, {', '.join(told)}"
    return f"Made on {day}: {made}; {platform.machine()}, {os.cpu_count()} cores, shared and busy."


def report(found: dict[str, tuple[Set, Runs]]) -> list[str]:
    """Return all lines."""
    lines = [origin(), ""]
    for wanted in (VOTES, SCORES):
        part = {name: found[name] for name in wanted if name in found}
        if part:
            sets = {name: given for name, (given, _) in part.items()}
            lines += tables(sets, {name: runs for name, (_, runs) in part.items()})
    lines += ["**`recommended` against the best peer and the smoothed vote share**", ""]
    return lines + [verdict(*pair) for name, pair in found.items() if name in VOTES]


def methods_for(name: str, peers: bool) -> list[str]:
    """Return the rows of a set."""
    if name in SCORES:
        return ["rank-factor"]
    reads = [n for n, record in METHODS.items() if record.reads == "votes"]
    mine = [*FIRST, EQUAL, PLAIN, *(n for n in reads if n not in FIRST)]
    return mine + list(PEERS) * peers


def main() -> None:
    """Print the tables and the verdict."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument(
        "--sets", default=",".join((*VOTES, *(s.replace(",", ";") for s in SCORES)))
    )
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--write", type=Path)
    told = parser.parse_args()
    if not told.data.is_dir():
        sys.exit(f"no folder {told.data}; pass --data")
    found = {}
    for name in _names(told.sets):
        given = load(name, told.data)
        found[name] = (
            given,
            run_set(given, methods_for(name, told.peers), told.limit, told.kept),
        )
    lines = report(found)
    print("\n".join(lines))
    if told.write:
        write(told.write, lines)


def write(page: Path, lines: list[str]) -> None:
    """Put the lines between the two comments of a page."""
    text = page.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    page.write_text("\n".join([head + BEGIN, *lines, END + rest.split(END)[1]]), encoding="utf-8")


def _names(text: str) -> list[str]:
    """Return the names of sets; a semicolon inside a name stands for its comma."""
    return [name.replace(";", ",") for name in text.split(",")]


if __name__ == "__main__":
    main()
