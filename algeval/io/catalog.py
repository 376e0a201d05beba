"""Small data sets that come with the package: as printed in the papers, and a results table made up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from algeval.data import KeyedSketch, Summary, Votes
from algeval.data.names import check_choice
from algeval.io.reading import read_keyed_counts
from algeval.io.results import Results
from algeval.io.sources import read_results, read_votes

Example = Votes | Summary | KeyedSketch | Results


@dataclass(frozen=True, slots=True)
class _Entry:
    build: Callable[[], Example]
    notes: tuple[str, ...]
    table: str | None = None  # the file, where it is read as a person's own would be


def _with_file(name: str, read: Callable[[Path], Example]) -> Example:
    with as_file(files("algeval.io") / "examples" / name) as path:
        return read(path)


def _mt_bench() -> Example:
    return _with_file(
        "mt-bench.csv",
        lambda path: read_votes(
            path,
            item=["question", "model_a", "model_b"],
            judges=["experts", "authors", "gpt4"],
            labels=["a", "b", "tie"],
        ),
    )


def _mt_bench_summary() -> Example:
    counts = {"authors": (5, 10, 10), "gpt4": (4, 18, 3)}
    labels = ("a", "b", "tie")
    return Summary.from_counts(
        {judge: dict(zip(labels, row, strict=True)) for judge, row in counts.items()}, labels=labels
    )


def _acs() -> Example:
    return _with_file(
        "acs.csv",
        lambda path: read_keyed_counts(
            path, key="truth", judges=["1", "2", "3"], labels=["A", "B"]
        ),
    )


def _support_bot() -> Example:
    return _with_file("support-bot.csv", read_results)


_ALARMS = "'No-Knowledge Alarms for Misaligned LLMs-as-Judges' (A. Corrada-Emmanuel)"

_EXAMPLES = {
    "support-bot": _Entry(
        _support_bot,
        (
            "A results table, made up: 400 answers of two versions of a support bot to 200 questions, "
            "verdicts of three models, and what people said of both answers to 40 questions drawn at random.",
            "Source: a seeded program. Nobody wrote or judged these answers; v1 is good on about 7 of 10, "
            "v2 on about 8, and gemini passes the more of the bad answers the longer they are.",
        ),
        "support-bot.csv",
    ),
    "mt-bench": _Entry(
        _mt_bench,
        (
            "25 pair comparisons of the MT-Bench benchmark: which of two model answers is better (a, b or "
            "tie), by human experts (weighted vote), the benchmark's authors and gpt4.",
            f"Source: {_ALARMS}, Table I, as printed; model names garbled in the scan are corrected.",
            "Item ids are question:model_a:model_b, because questions repeat.",
            "The table tallies experts (4, 14, 7), authors (5, 10, 10), gpt4 (5, 18, 2) for (a, b, tie); the "
            "paper's text states gpt4 (4, 18, 3): one vote differs, see mt-bench-summary.",
        ),
    ),
    "mt-bench-summary": _Entry(
        _mt_bench_summary,
        (
            "Summaries of authors (5, 10, 10) and gpt4 (4, 18, 3) for (a, b, tie) on the same 25 items.",
            f"Source: the text of {_ALARMS}, whose worked examples use these counts; its Table I "
            "tallies gpt4 as (5, 18, 2).",
        ),
    ),
    "acs": _Entry(
        _acs,
        (
            "Three binary classifiers on 20,000 rows of the 2018 American Community Survey, counts of "
            "decision tuples by true label.",
            "Source: 'Algebraic Evaluation Theorems' (A. Corrada-Emmanuel), Table 1, columns 'actual'.",
        ),
    ),
}


def example_names() -> tuple[str, ...]:
    """Names `example` knows.

    Examples
    --------
    >>> example_names()
    ('support-bot', 'mt-bench', 'mt-bench-summary', 'acs')
    """
    return tuple(_EXAMPLES)


def example(name: str) -> Example:
    """Shipped example data: Results, Votes, a Summary or a KeyedSketch.

    Use it to try a method, or to check it against numbers in print; `example_notes` says where the
    numbers come from. 'support-bot' is a results table and made up, the others are published.

    Raises
    ------
    DataError
        If no example has this name.

    Examples
    --------
    >>> example("mt-bench").summary().counts.tolist()
    [[4, 14, 7], [5, 10, 10], [5, 18, 2]]
    """
    return _entry(name).build()


def example_table(name: str) -> Path | None:
    """The file of an example that is read as a person's own table would be, else None."""
    table = _entry(name).table
    return None if table is None else Path(str(files("algeval.io") / "examples" / table))


def example_notes(name: str) -> tuple[str, ...]:
    """Return where an example comes from and what to know about it, a sentence each.

    Examples
    --------
    >>> len(example_notes("acs"))
    2
    """
    return _entry(name).notes


def _entry(name: str) -> _Entry:
    check_choice("example", name, tuple(_EXAMPLES))
    return _EXAMPLES[name]
