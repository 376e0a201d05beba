"""The commands on a judge that changes: two files of verdicts compared, and verdicts watched as they come."""

from __future__ import annotations

import json
import os
import re
import shlex
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
import numpy as np

from algeval.cli.options import (
    LabelFiles,
    Source,
    both_judges_option,
    human_typed,
    json_option,
    opt,
    output_options,
    print_result,
    source_options,
)
from algeval.cli.output import Output, print_json, say, standard_input
from algeval.cli.systems import level_option
from algeval.data.names import check_whole, folded
from algeval.errors import DataError, without_options
from algeval.io.answers import MISSING, has_failed
from algeval.io.evidence import BAD_LABELS, GOOD_LABELS, NEUTRAL_BAD
from algeval.result.files import write_json
from algeval.result.numbers import as_float, how_many

if TYPE_CHECKING:
    from algeval.judges import Drift, VerdictStream

# --- `algeval drift`: the same outputs judged twice.


@click.command()
@both_judges_option
@opt("--to-label", "Write the changed items to a file to fill in, from the top.", "FILE", "file")
@opt("--planned", "How many to label was fixed beforehand: a narrower interval.", kind=bool)
@level_option
@opt("--random --seed random", "Seed of the order to label in.", kind=int, default=0, rare=True)
@output_options()
@partial(source_options, apart=True, shown=("item", "judges", "human", "good"))
def drift(
    source: Source,
    *,
    sources: list[Source],
    names: list[str] | None,
    gold: LabelFiles | None,
    label: str | None,
    planned: bool,
    to_label: str | None,
    out: Output,
    **settings: Any,
) -> int:
    """What changed since a judge was updated, and is it right more often? The same outputs judged twice.

    Name the file before and the file after, or one file and two of its judges with --before and --after.
    Without labels it says how many verdicts changed and how much that can matter; only changed outputs need
    labels, in the order that --to-label writes. Exit code 1 while labels do not decide.
    """
    from algeval.judges import drift as ask

    if len(sources) > 2:
        raise click.UsageError(
            f"drift compares two files, before and after; got {len(sources)}; name two"
        )
    human = None if gold == "key" else gold
    votes = [entry.joint("drift") for entry in sources]
    settings |= {"judges": names, "human": human, "good": label, "anytime": not planned}
    result = ask(*votes, **settings)
    if to_label is not None:
        result.write(to_label)
    name = " and ".join(dict.fromkeys(entry.name for entry in sources))
    notes = tuple(dict.fromkeys(note for entry in sources for note in entry.notes))
    print_result(replace(source, name=name, notes=notes), result, out)
    if not out.as_json:
        for line in _next_command(result, _typed_again(source, names), human, to_label):
            source.say(line)
    return 0 if result.status.ok else 1


def _typed_again(source: Source, names: list[str] | None) -> str:
    """Arguments of the same comparison without its labels."""
    kept = without_options(source.arguments, ("--human", *(["--judges"] if names else [])))
    if names is None:
        return kept
    return f"{kept} {shlex.join(['--before', names[0], '--after', names[1]])}".lstrip()


def _next_command(
    result: Drift, arguments: str, human: LabelFiles | None, to_label: str | None
) -> Iterator[str]:
    """What to do next, as commands to copy."""
    file = shlex.quote(to_label or (human if isinstance(human, str) else "label.csv"))
    again = f"algeval drift {arguments}{human_typed(to_label or human or 'label.csv')}"
    if not result.status.ok and to_label is None and human is not None:
        yield f"Next: label more of them, in that order, in {file}, then: {again}"
    elif not result.status.ok:
        if to_label is None:
            yield f"Next: algeval drift {arguments} --to-label {file}"
        yield f"Fill in {file} from the top, as far as you like, then: {again}"
    elif len(result.rows) == 1 and (passes := result.rows[0].passes) is not None:
        baseline = f"{passes[1]}/{result.rows[0].n} --good {shlex.quote(str(result.good))}"
        yield f"Watch the verdicts to come: algeval watch --baseline {baseline}"


# --- `algeval watch`: verdicts as they come.


@click.command()
@opt(
    "--baseline",
    "The pass rate to defend, as 0.9 or 90%, or the verdicts it was estimated from, as 450/500.",
    "X|PASSES/VERDICTS",
)
@opt("--good", "The word for a pass. [default: pass, true, yes, 1 and the like]", "WORD")
@opt("--file", "Verdicts from a file. [default: standard input]", "FILE", "file")
@opt("--side", "Which change to look for.", kind=("both", "below", "above"), default="both")
@opt(
    "--mode",
    "anytime: no false alarm ever, with probability --level; fast: sooner, one in --every on average.",
    kind=("anytime", "fast"),
    default="anytime",
)
@opt("--every", "Verdicts to a false alarm of --mode fast.", "N", int, 10_000)
@level_option
@opt(
    "--state", "Go on from this file where it exists, and keep there how far it is.", "FILE", "file"
)
@json_option
@click.pass_context
def watch(
    ctx: click.Context,
    /,
    *,
    good: str | None,
    file: str | None,
    state: str | None,
    as_json: bool,
    **settings: Any,
) -> int:
    """Watch verdicts as they come, one a line, and stop with a line when the pass rate has moved.

    Needs no labels. An alarm says that the verdicts have changed: the system, its traffic or the judge;
    `algeval drift` tells the judge from the rest. Empty lines and calls that failed are left out. Exit code 1
    at an alarm, 0 when the lines end without one.
    """
    name = "standard input" if file is None else repr(file)
    watching = _Watch(_stream(ctx, settings, state), _Words(good), state, name)
    if not watching.stream.alarm:
        with _opened(file) as lines:
            watching.run(lines)
    watching.say(as_json)
    return 1 if watching.stream.alarm else 0


def _stream(ctx: click.Context, settings: dict[str, Any], state: str | None) -> VerdictStream:
    """A new stream, or the one that was kept, whose settings those typed must be."""
    from algeval.judges import VerdictStream

    typed = settings["baseline"]
    if state is None or not os.path.exists(state):
        if typed is None:
            raise click.UsageError("--baseline must be named: a rate as 0.9, or 450/500")
        return VerdictStream(_baseline(typed), **_without(settings, "baseline"))
    try:
        document = json.loads(Path(state).read_text(encoding="utf-8"))
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise DataError(
            f"--state must name a file that algeval watch wrote; got {state!r}; name another"
        )
    stream = VerdictStream.from_dict(document)
    kept = {name: getattr(stream, name) for name in _without(settings, "baseline")}
    named = {n: v for n, v in settings.items() if ctx.get_parameter_source(n) != _DEFAULT}
    if typed is not None:
        new = _baseline(typed)
        kept["baseline"] = stream.counted or stream.baseline
        named["baseline"] = new
    for name, value in named.items():
        if value != kept.get(name, value):
            raise DataError(
                f"--{name} must be that of {state!r}, which is {kept[name]}; got {value}; leave it out, or "
                "name another file with --state"
            )
    return stream


_DEFAULT = click.core.ParameterSource.DEFAULT


def _without(settings: dict[str, Any], name: str) -> dict[str, Any]:
    return {n: value for n, value in settings.items() if n != name}


def _baseline(typed: str) -> float | tuple[int, int]:
    """Rate, or passes and verdicts."""
    parts = re.fullmatch(r"\s*(\d+)\s*/\s*(\d+)\s*", typed)
    if parts is None:
        return as_float(typed, "--baseline")
    return check_whole("passes", int(parts[1]), 0), int(parts[2])


# --- Lines as they come.


_BLOCK = _LONGEST = 1 << 20
_SECONDS = 1.0  # between two times that the state is written


@contextmanager
def _opened(file: str | None) -> Iterator[IO[bytes]]:
    """The file, or standard input."""
    if file is None or file == "-":
        yield standard_input()
        return
    with open(file, "rb") as stream:
        yield stream


def _blocks(stream: Any, name: str) -> Iterator[list[bytes]]:
    """Lines, as soon as they are there; the last one need not end."""
    rest = b""
    while block := stream.read1(_BLOCK):
        *lines, rest = (rest + block).split(b"\n")
        if lines:
            yield lines
        if len(rest) > _LONGEST:
            raise DataError(
                f"{name} must hold verdicts, one a line; got a line of more than 1 MB; is it a file of text?"
            )
    if rest:
        yield [rest]


class _Words:
    """What the lines say: which words are passes, and what was left out."""

    def __init__(self, good: str | None) -> None:
        self.good = good
        self.passes = set(GOOD_LABELS) if good is None else {folded(good)}
        self.fails = {*BAD_LABELS, *NEUTRAL_BAD} if good is None else None
        self.meaning: dict[bytes, bool | None] = {}
        self.lines = self.taken = 0
        self.left_out: Counter[str] = Counter()
        self.said: Counter[str] = Counter()

    def learn(self, lines: list[bytes]) -> int | None:
        """Place of the first line whose meaning cannot be told."""
        strange = []
        for line in {*lines} - self.meaning.keys():
            text = _text(line)
            form = folded(text)
            if form in self.passes:
                self.meaning[line] = True
            elif not text or text in MISSING or has_failed(text):
                self.meaning[line] = None
            elif self.fails is None or form in self.fails:
                self.meaning[line] = False
            else:
                strange.append(lines.index(line))
        return min(strange, default=None)

    def count(self, lines: list[bytes]) -> None:
        """Count what lines say."""
        self.lines += len(lines)
        for line, n in Counter(lines).items():
            left = self.meaning[line] is None
            (self.left_out if left else self.said)[_text(line)] += n
            self.taken += 0 if left else n

    def notes(self) -> Iterator[str]:
        """What was left out, and a good word that nothing said."""
        if self.left_out:
            words = ", ".join(
                f"{w!r} ({n})" if w else f"empty ({n})" for w, n in _most(self.left_out)
            )
            yield f"{how_many(sum(self.left_out.values()), 'line')} without a verdict left out: {words}"
        if self.good is not None and self.said and folded(self.good) not in map(folded, self.said):
            words = ", ".join(f"{w!r} ({n})" for w, n in _most(self.said))
            yield f"no line says {self.good!r}; they say {words}"


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").lstrip("\ufeff").strip().strip('"').strip()


def _most(words: Counter[str]) -> list[tuple[str, int]]:
    return words.most_common(3)


class _Watch:
    """A stream that takes lines, and keeps its state."""

    def __init__(self, stream: VerdictStream, words: _Words, state: str | None, name: str) -> None:
        self.stream, self.words, self.state, self.name = stream, words, state, name

    def run(self, lines: IO[bytes]) -> None:
        """Take lines until an alarm; however it ends, the state is that of a whole number of lines."""
        document, last = self.stream.to_dict(), time.monotonic()
        try:
            for block in _blocks(lines, self.name):
                strange = self.take(block)
                document = self.stream.to_dict()
                if self.stream.alarm:
                    return
                if strange is not None:
                    raise self._strange(strange)
                if self.state is not None and time.monotonic() - last >= _SECONDS:
                    write_json(self.state, document)
                    last = time.monotonic()
        finally:
            if self.state is not None:
                write_json(self.state, document)
        if not self.words.taken:
            lines_read = how_many(self.words.lines, "line")
            got = f"{lines_read} without a verdict" if self.words.lines else "nothing"
            raise DataError(
                f"{self.name} must hold verdicts, one a line; got {got}; write pass or fail, 1 or 0"
            )

    def take(self, lines: list[bytes]) -> str | None:
        """Add the verdicts of lines up to an alarm, or up to a line that is none, which is returned."""
        words, strange = self.words, None
        bad = words.learn(lines)
        if bad is not None:
            strange, lines = _text(lines[bad]), lines[:bad]
        taken = [k for k, line in enumerate(lines) if words.meaning[line] is not None]
        verdicts = np.array([words.meaning[lines[k]] for k in taken], bool)
        start, n = self.stream.to_dict(), self.stream.n
        at = self.stream.update(verdicts).at
        if at is not None:  # go no further, wherever the block ends
            self.stream = type(self.stream).from_dict(start)
            self.stream.update(verdicts[: at - n])
            lines = lines[: taken[at - n - 1] + 1]
        words.count(lines)
        return strange

    def _strange(self, text: str) -> DataError:
        taken = self.words.taken
        before = f"; the {how_many(taken, 'verdict')} before it are counted" if taken else ""
        return DataError(
            f"line {self.words.lines + 1:,} of {self.name} must be a verdict; got {text[:40]!r}{before}; "
            "name the word for a pass with --good, any other is then none"
        )

    def say(self, as_json: bool) -> None:
        """Print where the stream stands, what was left out, and what to do at an alarm."""
        stream, words = self.stream, self.words
        if as_json:
            more = {"alarm": stream.alarm, "rate": stream.rate, "message": stream.message}
            print_json(stream.to_dict() | more | {"left_out": dict(words.left_out)})
            return
        say(stream.message)
        if stream.alarm:
            say(
                "Is it the judge? Have it judge a fixed set of outputs again, and compare: "
                "algeval drift old.csv new.csv"
            )
        for line in words.notes():
            say(f"Note: {line}", names=words.said)
