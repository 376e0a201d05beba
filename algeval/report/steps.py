"""What to do after a report: commands with the user's own file, or calls where there is none."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from algeval.data import Scores, Specification, Summary, Votes
from algeval.data.reading import Data
from algeval.report.parts import Step

__all__ = ["next_steps"]


def next_steps(
    data: Data | Scores, arguments: str, asked: Specification | None = None, *, copies: bool = False
) -> tuple[Step, ...]:
    """Return a few steps.

    `arguments` name the data on the command line, and are empty in Python; `asked` is the standard;
    `copies` says whether some judges are near copies.
    """
    if isinstance(data, Scores):
        steps = _of_scores(arguments)
    elif isinstance(data, Summary):
        steps = _of_counts(arguments)
    else:
        steps = _of_votes(arguments, items=isinstance(data, Votes), copies=copies)
    return (*_proof(arguments, data, asked), *steps, *_all_of_it(arguments))


def _proof(arguments: str, data: Data | Scores, asked: Specification | None) -> Iterator[Step]:
    if isinstance(data, Scores):
        return
    level = "0.8" if asked is None else str(asked.level[0]) if asked.level else "..."
    call = f'ae.alarm(votes, "{level}").certificate'
    if arguments:
        call = f"algeval alarm {arguments} --at-least {level} --save proof"
    yield Step(call=call, purpose="can all be so good? with proof")


def _of_votes(arguments: str, *, items: bool, copies: bool) -> Iterator[Step]:
    once = copies * (" --groups one-each" if arguments else ', groups="one-each"')
    calls = ["ae.diagnose(votes)", f"ae.aggregate(votes{once})"]
    if arguments:
        calls = [f"algeval diagnose {arguments}"]
        calls += [f"algeval aggregate {arguments}{once} -o labels.csv"] * items
    purposes = "independent? which method?", "a label for each item"
    for call, purpose in zip(calls, purposes, strict=False):
        yield Step(call=call, purpose=purpose)


def _of_counts(arguments: str) -> Iterator[Step]:
    call = f"algeval bounds {arguments}" if arguments else "ae.bounds(summary)"
    yield Step(call=call, purpose="the range of every accuracy and share")


def _of_scores(arguments: str) -> Iterator[Step]:
    if not arguments:
        yield Step(call="ae.aggregate(scores, prevalence=0.5)", purpose="with a share you know")
        yield Step(call="ae.report(scores.cut(x))", purpose="what logic says of them, cut at x")
        return
    call = f"algeval aggregate {arguments} --prevalence P -o labels.csv"
    yield Step(call=call, purpose="of a share you know")
    cut = f"algeval report {_without_scores(arguments)} --cut X"
    yield Step(call=cut, purpose="what logic says of them, cut")


def _without_scores(arguments: str) -> str:
    """Return arguments that name the same table without what only scores have."""
    words, kept = iter(shlex.split(arguments)), []
    for word in words:
        if word == "--attributes":
            next(words, None)
        elif word != "--scores":
            kept.append(word)
    return shlex.join(kept)


def _all_of_it(arguments: str) -> Iterator[Step]:
    if arguments:
        yield Step(call=f"algeval report {arguments} -o report.html", purpose="a page to send")
        yield Step(call=f"algeval report {arguments} --full", purpose="everything, theory included")
    else:
        yield Step(call='ae.report(votes, "report.html")', purpose="a page to send")
        yield Step(call="print(report.full())", purpose="everything, theory included")
