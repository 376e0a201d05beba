"""How the processor time of every question grows in items, judges and labels: `nox -s growth`.

Every question is asked of drawn panels (judges right on 80% of items, independently, 1 item in 20
labelled); one axis grows while the others stay. The exponent is the slope of log seconds on log size between
the last two sizes. `--write` puts the tables into docs/reference/limits.md; `--large` takes an hour.
"""

import argparse
import re
import time
from contextlib import ExitStack
from math import log
from pathlib import Path
from unittest.mock import patch

import numpy as np

import algeval as ae
from algeval.data import names
from algeval.data.votes import GroupedSketch, Split
from algeval.errors import AlgevalError

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "limits.md"
SMALL = {"items": (500, 2_000, 8_000), "judges": (4, 6, 9), "labels": (2, 3, 4)}
LARGE = {
    "items": (10_000, 100_000, 1_000_000),
    "judges": (5, 10, 20, 40),
    "labels": (2, 4, 8, 16),
}
BASE = {"items": 500, "judges": 5, "labels": 2}


def panel(items, judges, labels, seed=0):
    """Votes of judges who err independently, with people's labels of every twentieth item."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, items)
    wrong = (truth[:, None] + rng.integers(1, labels, (items, judges))) % labels
    codes = np.where(rng.random((items, judges)) < 0.8, truth[:, None], wrong)
    named = tuple(f"l{k}" for k in range(labels))
    key = np.where(np.arange(items) % 20, -1, truth)
    ids = [str(k) for k in range(items)]
    return ae.Votes(ids, [f"j{k}" for k in range(judges)], named, named, codes, key)


def counted(votes):
    """The same with a system and a slice, as counts alone."""
    n = np.arange(votes.n_items)
    splits = (
        Split("human", "human", votes.labels, votes.key.astype(np.int64)),
        Split("system", "app", ("new", "old"), n % 2),
        Split("slice", "topic", ("a", "b", "c"), n % 3),
    )
    return GroupedSketch(*votes.axes, votes.codes, np.ones(len(n), np.int64), splits)


QUESTIONS = {
    "sketch": lambda v, c: v.sketch(),
    "threshold": lambda v, c: ae.threshold(c.sketch()),
    "alarm": lambda v, c: ae.alarm(c.sketch(), at_least=0.7),
    "panel": lambda v, c: ae.panel(c.sketch(), at_least=0.7),
    "bounds": lambda v, c: ae.bounds(c.sketch(), at_least=0.6),
    "aggregate": lambda v, c: ae.aggregate(c.sketch()),
    "dawid-skene": lambda v, c: ae.aggregate(c.sketch(), "dawid-skene"),
    "diagnose": lambda v, c: ae.diagnose(c.sketch()),
    "compare": lambda v, c: ae.compare(c.sketch()),
    "rate": lambda v, c: ae.rate(c, "l0"),
    "rate, from rows": lambda v, c: ae.rate(v, "l0", "key"),
    "judge_card": lambda v, c: ae.judge_card(c),
    "slices": lambda v, c: ae.slices(c, good="l0"),
    "versus": lambda v, c: ae.versus(c, good="l0"),
    "self_consistency": lambda v, c: ae.self_consistency(c),
    "next": lambda v, c: ae.next_items(c, 50),
    "next, from rows": lambda v, c: ae.next_items(v, 50, "key"),
    "report": lambda v, c: ae.report(c, good="l0"),
}


def seconds(question, votes, counts):
    """Processor seconds of a question, the least of two; None where it is refused."""
    took = []
    for _ in range(2):
        begun = time.process_time()
        try:
            question(votes, counts)
        except AlgevalError:
            return None
        took.append(time.process_time() - begun)
        if took[0] > 2:
            break
    return min(took)


def measured(sizes, chosen=None):
    """{question: {axis: [(size, seconds)]}}."""
    table = {}
    panels = {}
    for axis, listed in sizes.items():
        for size in listed:
            votes = panel(**(BASE | {axis: size}))
            panels[axis, size] = votes, counted(votes)
    for name, question in QUESTIONS.items():
        if chosen and name not in chosen:
            continue
        question(*panels["items", sizes["items"][0]])  # loads what it needs
        table[name] = {
            axis: [(size, seconds(question, *panels[axis, size])) for size in listed]
            for axis, listed in sizes.items()
        }
        print(
            f"{name:18}",
            "  ".join(f"{axis} {cell(r)}" for axis, r in table[name].items()),
            flush=True,
        )
    return table


def exponent(runs):
    """Slope between the last two sizes that were answered; None where time is too short to tell."""
    held = [(size, took) for size, took in runs if took is not None]
    if len(held) < 2 or held[-1][1] < 0.005:
        return None
    (a, s), (b, t) = held[-2:]
    return log(max(t, 1e-4) / max(s, 1e-4)) / log(b / a)


def cell(runs):
    """Exponent, seconds at the largest size, and what was refused."""
    held = [(size, took) for size, took in runs if took is not None]
    if not held:
        return "refused"
    slope = exponent(runs)
    refused = [size for size, took in runs if took is None]
    text = "-" if slope is None else f"{slope:.1f}"
    text += f" ({held[-1][1]:.2g} s)"
    return text + (f"; refused at {min(refused):,}" if refused else "")


# --- Estimates that decide whether work is begun, beside what it takes.

ESTIMATED = {
    "aggregate": lambda c: ae.aggregate(c, "dawid-skene"),
    "recommended": lambda c: ae.aggregate(c),
    "diagnose": ae.diagnose,
    "compare": lambda c: ae.compare(c, intervals=20),
}
_MODULES = ("algeval.aggregate", "algeval.compare.diagnosis", "algeval.compare.comparison")
GRID = [
    (1_000, 5, 2),
    (1_000, 10, 2),
    (1_000, 10, 6),
    (2_000, 12, 10),
    (30_000, 20, 2),
    (20_000, 20, 6),
]


def estimates(grid=GRID, chosen=None):
    """(question, items, judges, labels, estimated seconds, processor seconds)."""
    rows = []
    for items, judges, labels in grid:
        counts = panel(items, judges, labels).sketch()
        for name, question in ESTIMATED.items():
            if chosen and name not in chosen:
                continue
            noted = []
            own = names.check_work
            question(panel(60, 4, labels).sketch())  # loads what it needs

            def note(what, size, estimate, noted=noted, own=own):
                noted.append(estimate)
                own(what, size, estimate)

            with ExitStack() as patches:
                for module in _MODULES:
                    patches.enter_context(patch(f"{module}.check_work", note))
                begun = time.process_time()
                try:
                    question(counts)
                except AlgevalError:
                    continue
                took = time.process_time() - begun
            rows.append((name, items, judges, labels, noted[0], took))
            print(
                f"{name:12} {items:>7} x {judges} x {labels}: estimated {noted[0]:.2g} s, took {took:.2g} s",
                flush=True,
            )
    return rows


# --- The page.


def tables(table, rows):
    """The two tables in Markdown."""
    lines = ["| question | in items | in judges | in labels |", "|---|---|---|---|"]
    lines += [
        f"| `{name}` | {' | '.join(cell(runs) for runs in axes.values())} |"
        if "," not in name
        else f"| {name} | {' | '.join(cell(runs) for runs in axes.values())} |"
        for name, axes in table.items()
    ]
    lines += ["", "| question | items x judges x labels | estimated | took |", "|---|---|---|---|"]
    lines += [
        f"| `{name}` | {items:,} x {judges} x {labels} | {estimate:.2g} s | {took:.2g} s |"
        for name, items, judges, labels, estimate, took in rows
    ]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="sizes that need an hour")
    parser.add_argument("--write", action="store_true", help="write docs/reference/limits.md")
    parser.add_argument("questions", nargs="*", help="which ones; by default all")
    asked = parser.parse_args()
    table = measured(LARGE if asked.large else SMALL, asked.questions)
    rows = estimates(chosen=asked.questions)
    if asked.write:
        text = PAGE.read_text(encoding="utf-8")
        begin, end = "<!-- growth: begin -->", "<!-- growth: end -->"
        made = f"{begin}\n{tables(table, rows)}\n{end}"
        PAGE.write_text(
            re.sub(f"{begin}.*{end}", lambda _: made, text, flags=re.DOTALL), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
