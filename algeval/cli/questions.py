"""The commands on judges and their votes."""

from __future__ import annotations

import csv
import json
import os
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from textwrap import fill, indent
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from algeval.certificates import check, of_ranges, save, save_ranges
from algeval.cli.options import (
    COUNTED,
    KEY_SCORED,
    KEY_UNUSED,
    Counts,
    LabelFiles,
    Logic,
    Source,
    at_least_option,
    counts_are_enough,
    counts_for_labels,
    example_names,
    extension,
    former,
    human_typed,
    intervals_option,
    json_option,
    logic_options,
    method_names,
    missing_option,
    opt,
    output_options,
    parse_order,
    plot_option,
    print_notes,
    print_result,
    read_source,
    require_labels_option,
    save_plot,
    source_options,
    spelled_arguments,
    split,
    table_options,
    time_limit_option,
    under_new_names,
    whole_numbers,
)
from algeval.cli.output import Output, print_json, say, standard_output, write_data
from algeval.cli.output import export as exported
from algeval.cli.systems import SHOWN, former_labels
from algeval.data import (
    NOT_ANSWERED,
    Evaluation,
    KeyedSketch,
    Scores,
    Sketch,
    Specification,
    Summary,
    Votes,
)
from algeval.data.reading import as_counts, as_sketch
from algeval.data.votes import GroupedSketch
from algeval.errors import AlgevalError, DataError, spelled_as_typed
from algeval.export import FILES
from algeval.progress import paused, steps
from algeval.result import exact
from algeval.result.files import LONG_PART, OF_TABLES, Long, whole_file, write_table
from algeval.result.numbers import as_float
from algeval.result.tables import ENDINGS

if TYPE_CHECKING:
    from algeval.aggregate import Score
    from algeval.io.joining import RowsOfFiles
    from algeval.io.roles import Roles


# --- `algeval decode`: the exact evaluation if the judges' errors are independent.


@click.command()
@click.option("--trio", callback=split, hidden=True, help="The three judges; or --judges.")
@opt("--engine", "How to solve.", kind=("closed", "groebner", "pencil"))
@opt(
    "--show-algebra",
    "Show every step: polynomials, Groebner basis, roots, check (three judges, two labels).",
    kind=bool,
)
@output_options()
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def decode(
    source: Source, trio: list[str] | None, engine: str | None, show_algebra: bool, out: Output
) -> int:
    """Grade three judges exactly, if their errors are independent; name them with --judges.

    Exit code 0 when there is an estimate with every number in [0, 1]: exact, or, as on nearly all
    real votes, one that independent errors come close to but do not give exactly (irrational, not
    integral). Exit code 1 when there is none: the counts contradict independent errors, or leave
    the evaluation open. Of more than three judges all trios are decoded: 1 when none has one.
    """
    from algeval.algebra import Decoding
    from algeval.algebra import decode as ask

    result = ask(source.joint("decode"), judges=trio, engine=engine)
    if show_algebra and not isinstance(result, Decoding):
        raise DataError(
            f"--show-algebra must have three judges; got {len(result.judges)}; name three with --judges"
        )
    ladder = result.ladder() if show_algebra and isinstance(result, Decoding) else None
    more = {} if ladder is None else {"ladder": ladder.to_dict()}
    print_result(source, result, out, **more)
    if ladder is not None and not out.as_json:
        source.say(f"\n{ladder.summary()}")
    inside = getattr(result, "in_range", True) is not False
    return 0 if inside and result.status.value in ("ok", "irrational", "not_integral") else 1


# --- `algeval columns`: what each column of a results table is read as.


@click.command()
@click.argument("table", type=click.Path(), required=False)
@opt("--example", "Use a shipped example that is a table.", "NAME")
@opt("--save", "Write the roles to a file that --columns reads.", "FILE.toml", "file")
@json_option
@table_options(shown=("judges", "human"))
def columns(
    table: str | None, example: str | None, save: str | None, as_json: bool, reading: dict[str, Any]
) -> int:
    """Show what each column of TABLE is read as, what the table can answer, and what is missing.

    A role is changed with --judges, --human, --item, --prompt, --system, --trial, --slice, --covariate,
    --text or --ignore, as in all commands, or in the file that --save writes.
    """
    from algeval.data.names import Caution
    from algeval.io import read_results
    from algeval.io.answers import ReadOptions, SlipNote, declared, typed_name, with_saved
    from algeval.io.formats import is_document
    from algeval.io.results import columns_grid, columns_text
    from algeval.io.summaries import Counted, CountsError
    from algeval.report.answerable import what_it_answers

    path = single_table(table, example)
    if path.is_file() and is_document(path):
        return _say_document(path, reading, as_json=as_json)
    arguments = spelled_arguments(() if table is None else (table,), example, reading)
    questions: tuple[Any, ...] = ()
    answers: tuple[Any, ...] = ()
    missing: tuple[Any, ...] = ()
    said: list[str] = []
    typed = {name: f"--{typed_name(name)}" for name in declared(ReadOptions)}
    try:
        with spelled_as_typed(typed):
            results = read_results(path, **{k: v for k, v in reading.items() if v is not None})
        roles, head = results.reading, results.headline()
        said = [f"Note: {note}" for note in results.table_notes if isinstance(note, Caution)]
        said += [f"Note: {note}" for note in results.label_notes if isinstance(note, Caution)]
        said += [f"Note: {note}" for note in results.repeats if isinstance(note, SlipNote)]
        answers, missing = what_it_answers(results, arguments)
    except DataError as error:
        if isinstance(error, CountsError) or isinstance(error.reading, Counted):
            return _say_counts(path, error, as_json=as_json)
        if error.reading is None:
            raise
        roles, questions = error.reading, error.questions
        said = [f"Note: {note}" for note in roles.said]
        head = f"{path.name}: {roles.n_rows} rows; to be asked before anything is computed"
    parts = {"questions": questions, "answers": answers, "missing": missing}
    if as_json:
        grid = columns_grid(roles).columns
        rows = [dict(zip(grid, row, strict=True)) for row in zip(*grid.values(), strict=True)]
        more = {k: [q._asdict() for q in v] for k, v in parts.items()}
        print_json({"schema": "algeval.columns/1", "columns": rows} | more)
    else:
        lines = [head, columns_text(roles), *said]
        lines += [f"{q.question}\n  " + "\n  ".join(q.answers) for q in questions]
        if answers:
            width = max(len(a.command) for a in answers)
            lines += ["", "It can answer:"]
            lines += [f"  {a.command.ljust(width)}  # {a.question}" for a in answers]
        if missing:
            lines += ["", "Missing:", *(f"  {m.question}: {m.needs}" for m in missing)]
        say("\n".join(lines), names=(str(path), *roles.decided))
    if save is not None:
        stated = {n: v for n, v in with_saved(reading).items() if n != "columns"}
        _write_roles(save, roles, stated)
        people = stated.get("human")
        if isinstance(people, str) and people not in roles.decided and Path(people).is_file():
            again = f"name them again, --columns {shlex.quote(save)} --human {shlex.quote(people)}"
            say(f"Note: labels of {Path(people).name} are no roles, and not saved: {again}")
    return 0


def _say_document(path: Path, reading: dict[str, Any], *, as_json: bool) -> int:
    """Print what a document of algeval holds."""
    source = read_source((str(path),), None, reading, "labels")
    if as_json:
        print_json({"read": source.read})
    else:
        source.say(f"{path.name}: {source.read}")
    return 0


def _say_counts(path: Path, error: DataError, *, as_json: bool) -> int:
    """Print what a table of counts was read as, and what it can answer, or what must be asked."""
    counted = error.reading
    read = str(error) if counted is None else counted.sentence
    if as_json:
        print_json({"read": read, "questions": [q._asdict() for q in error.questions]})
        return 0
    lines = [f"{path.name}: {read}"]
    if counted is not None:
        joint = not isinstance(counted.data, Summary)
        commands = ["alarm", "threshold", "panel", "bounds", "evaluations", "program", "report"]
        commands += ["decode", "aggregate"] if joint else ["judges"] if counted.tables else []
        lines += [
            *counted.notes,
            f"It can answer: {', '.join(commands)}; no items here, so nothing to label.",
        ]
    say("\n".join(lines), names=(str(path),))
    return 0


def single_table(table: str | None, example: str | None) -> Path:
    """File that is meant."""
    from algeval.io.catalog import example_table

    if (table is None) == (example is None):
        raise click.UsageError("name one table, or one example with --example NAME")
    if example is None:
        return Path(str(table))
    path = example_table(example)
    if path is None:
        raise click.UsageError(f"the example {example} is votes or counts, and no table of results")
    return path


def _write_roles(save: str, roles: Roles, stated: dict[str, Any]) -> None:
    """Write roles, the layout they make, and the options that were stated, as a file that --columns reads."""
    columns = {n: d.role for n, d in roles.decided.items() if d.role != "ask"}
    tables: dict[str, dict[str, Any]] = {"columns": columns}
    if not roles.questions:
        tables["layout"] = roles.layout_to_save()
    tables["options"] = {n: v for n, v in stated.items() if not _are_columns(n, v, roles)}
    lines = [line for name, table in tables.items() if table for line in _toml(name, table)]
    with whole_file(save) as beside:
        beside.write_text("\n".join(lines).lstrip() + "\n", encoding="utf-8")


def _are_columns(name: str, value: Any, roles: Roles) -> bool:
    """Whether an option names columns, whose roles are saved, or labels, which are no part of reading."""
    listed = [value] if isinstance(value, str) else value
    if name in ("human", "key") and isinstance(value, str) and Path(value).is_file():
        return True
    of_columns = name not in ("good", "same", "map", "cut", "labels", "missing", "swap")
    return of_columns and isinstance(listed, list) and set(map(str, listed)) <= roles.decided.keys()


def _toml(name: str, table: dict[str, Any]) -> Iterator[str]:
    """Lines of a table of TOML, and of the tables in it."""
    yield from ("", f"[{name}]")
    for key, value in table.items():
        if not isinstance(value, dict):
            yield f"{_quoted(key)} = {_quoted(value)}"
    for key, value in table.items():
        if isinstance(value, dict) and value:
            yield from _toml(f"{name}.{key}", value)


def _quoted(value: Any) -> str:
    """Value as TOML has it, which writes texts, lists, numbers and truths as JSON does."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


# --- `algeval sketch | simulate | examples`: make and look at data.


_WIDEST = 100


def _output_option(form: str, others: str) -> Callable[[Any], Any]:
    """Add -o: to a file in place of the screen."""
    words = f"Write {form} to a file instead; or {others}, by its ending."
    return opt("-o --output", words, "FILE", "file")


@click.command()
@opt("--summary summarise", "Counts per judge instead.", kind=bool)
@_output_option("JSON", ".csv, .tsv, .parquet or .md")
@opt("--json as_json", "Print JSON, as it does without.", kind=bool)
@partial(
    source_options,
    numbers="labels",
    key_note=KEY_UNUSED,
    counts=lambda settings: "each" if settings["summarise"] else "grouped",
)
def sketch(source: Source, summarise: bool, output: str | None, as_json: bool) -> int:
    """Print the counts of decision tuples as JSON: all that the other commands need.

    With --judges, and --human, --system or --slice for columns to count by, `rate`, `versus`, `slices` and
    `report` have labels, systems and slices, too. With --system and --prompt, `versus` pairs outputs.
    """
    held = source.held
    counts = held if isinstance(held, GroupedSketch) else as_counts(source.data)
    data = counts.summary() if summarise else counts
    if output is None:
        print_json(data.to_dict())
    else:
        write_data(output, data)
    print_notes(source, err=True)
    return 0


@click.command()
@click.argument("name", required=False, shell_complete=example_names)
@opt("-o --output", "Write the example's table to a file, to try commands on.", "FILE.csv", "file")
@json_option
def examples(name: str | None, output: str | None, as_json: bool) -> int:
    """List the shipped examples and where they come from, or those of NAME; -o writes its table."""
    from algeval.io import example_names as all_names
    from algeval.io import example_notes
    from algeval.io.catalog import example_table

    notes_of = {n: example_notes(n) for n in (all_names() if name is None else [name])}
    if output is not None:
        path = None if name is None else example_table(name)
        if path is None:
            raise click.UsageError(
                "-o writes the table of one example: algeval examples support-bot"
            )
        with whole_file(output) as beside:
            beside.write_bytes(path.read_bytes())
        return 0
    if as_json:
        print_json({"schema": "algeval.examples/1", "examples": notes_of})
        return 0
    width = min(shutil.get_terminal_size().columns, _WIDEST) - 2
    for title, notes in notes_of.items():
        say(title)
        for note in notes:
            say(indent(fill(note, width, break_on_hyphens=False), "  "))
    return 0


@contextmanager
def _stream(output: str | None) -> Iterator[Any]:
    """Open the file to write text to, or yield standard output."""
    if output is None:
        with paused():
            yield standard_output()
        return
    with whole_file(output) as beside, beside.open("w", newline="", encoding="utf-8") as stream:
        yield stream


@click.command()
@opt("--items", "How many items.", kind=click.IntRange(1, 10**7), default=1000)
@opt("--judges", "How many judges.", kind=click.IntRange(1, 1000), default=3)
@opt("--labels", "The labels, equally frequent.", "A,B,...", "names", "a,b")
@opt("--accuracy", "Accuracy of every judge on every label.", "X", default="0.7")
@opt("--unanswered", "Share of votes left out.", kind=float, default=0.0)
@click.option("--missing", type=float, hidden=True, help="The same as --unanswered.")
@opt("--seed", "Random seed.", kind=click.IntRange(min=0), default=0)
@_output_option("CSV", ".tsv, .parquet, .md or .json")
def simulate(
    *,
    items: int,
    judges: int,
    labels: list[str],
    accuracy: str,
    unanswered: float,
    missing: float | None,
    seed: int,
    output: str | None,
) -> int:
    """Print votes (CSV, with their truth) of judges whose errors are independent."""
    from algeval.models.independent import sample

    law = _law(judges, tuple(labels), accuracy)
    votes = sample(law, items, seed=seed, missing=unanswered if missing is None else missing)
    if output is not None and Path(output).suffix.lower() in ENDINGS[1:]:
        votes.to_file(output)
        return 0
    with _stream(output) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["item", *law.judges, "truth"])
        for item, row, truth in zip(votes.items, votes.codes, votes.key, strict=True):  # type: ignore[arg-type]
            answers = ["" if code < 0 else labels[code] for code in row]
            writer.writerow([item, *answers, labels[truth]])
    return 0


def _law(judges: int, labels: tuple[str, ...], accuracy: str) -> Evaluation:
    """Judges who are all right with the same chance, whatever the label."""
    r, right = len(labels), exact(accuracy, "--accuracy")
    if not 0 <= right <= 1:
        raise DataError(f"--accuracy must lie in [0, 1]; got {accuracy}; write it like 0.7 or 70%")
    if not labels:
        raise DataError("--labels must name a label; got none; write --labels a,b")
    wrong = (1 - right) / (r - 1) if r > 1 else Fraction(0)
    table = np.full((judges, r, r), float(wrong))
    table[:, range(r), range(r)] = float(right) if r > 1 else 1.0
    names = tuple(f"judge{i + 1}" for i in range(judges))
    return Evaluation(names, labels, labels, np.full(r, 1 / r), table)


# --- `algeval figure`: draw votes, and what methods and logic say of them.


class _Kind(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """One of the kinds of votes and scores; they load when one is asked for, for the start must be fast."""

    name = "kind"

    @property
    def choices(self) -> tuple[str, ...]:
        """The kinds that are drawn from votes or scores."""
        from algeval.report.figures.drawing import TABLE

        return tuple(name for name, kind in TABLE.items() if kind.command == "figure")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Kind, or refuse it."""
        from algeval.report.figures.drawing import TABLE

        entry = TABLE.get(value)
        if entry is not None and entry.command != "figure":
            use = f"algeval {entry.command}" if entry.command else "plot() of the result, in Python"
            self.fail(f"{value!r} is not drawn from votes; use {use}")
        return click.Choice(self.choices).convert(value, param, ctx)


def _of_scores(settings: dict[str, Any]) -> bool:
    """Whether the kind takes scores alone."""
    from algeval.report.figures.drawing import OF_SCORES

    return settings["kind"] in OF_SCORES


class _FigureCommand(click.Command):
    """A command whose help ends with the kinds, under their headings."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line a kind, then the examples."""
        from algeval.report.figures.drawing import TABLE

        shown = {name: TABLE[name] for name in _Kind().choices}
        for heading in dict.fromkeys(kind.heading for kind in shown.values()):
            with formatter.section(heading):
                rows = [
                    (name, kind.line) for name, kind in shown.items() if kind.heading == heading
                ]
                formatter.write_dl(rows)
        super().format_epilog(ctx, formatter)


@click.command(cls=_FigureCommand)
@click.argument("kind", type=_Kind(), metavar="KIND")
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="Where to write: .svg, .png or .pdf."
)
@opt("--methods", "Methods to put side by side.", "A,B,...", "names")
@opt("--method", "The method whose fit is drawn, or that moves items.", "NAME")
@opt("--label", "Only items of this label; of a rate, the old name of --good.", "NAME")
@former("--gold", "--human")
@opt("--ceiling", "A level to mark that not all judges can exceed.", "X", rare=True)
@opt("--intervals", "Refits for intervals; 0 for none.", "N", int)
@opt("--measure", "agreement|kappa, or accuracy|log_loss.", "NAME", rare=True)
@opt("--page", "Which page of judges.", "N", int, rare=True)
@opt("--most", "How many items to name, or rows to show.", "N", int)
@opt("--of", "Which ranges.", "grade|accuracy", rare=True)
@opt("--at-least", "The accuracy asked of every judge.", "X")
@opt("--levels", "Levels to ask or to mark.", "X,Y,...", "names")
@opt("--q", "Items of each label in the key.", "N,M,...", "names")
@opt("--stage", "What is known.", "all|conceivable|inequalities|axioms", rare=True)
@opt("--space", "Counts or shares.", kind=("R", "P"), rare=True)
@opt("--missing", "Unanswered items.", kind=("excluded", "wrong"), rare=True)
@opt("--time-limit", "For all questions together.", "SECONDS", float, rare=True)
@partial(source_options, numbers="scores", wants_scores=_of_scores, shown=SHOWN)
def figure(source: Source, kind: str, output: str, **settings: Any) -> int:
    """Draw a figure of the votes, of the judges or of what logic allows.

    Each KIND below takes some of the options; one that it does not take is refused.
    """
    from algeval.report.figures import draw, save
    from algeval.report.figures.drawing import OF_SCORES, options_of, takers_of

    if kind == "rate":
        settings |= {"good": settings.pop("label"), "human": settings.pop("gold")}
    options = {name: value for name, value in settings.items() if value is not None}
    for name in options:
        if name not in options_of(kind):
            takers = ", ".join(takers_of(name))
            option = f"--{name.replace('_', '-')}"
            raise DataError(f"{option} must come with {takers}; got {kind}; leave it out")
    if "q" in options:
        options["q"] = whole_numbers(options["q"], "--q")
    scores = isinstance(source.held, Scores) and kind in (*OF_SCORES, "posterior")
    save(draw(kind, source.held if scores else source.data, **options), output)
    source.say(f"{source.name}: {kind} written to {output}")
    return 0


# --- Score a consensus with the key that came with the votes, after the fact.


def scored(source: Source, result: Any) -> tuple[Score | None, Source]:
    """Score of a result, and the source with a note where its key cannot be used."""
    from algeval.aggregate import score

    if not source.keyed:
        return None, source
    try:
        return score(result, source.held), source  # type: ignore[arg-type]
    except DataError as error:
        note = f"the key was not used: {error}"
        return None, replace(source, notes=(*source.notes, note))


# --- `algeval verify`: check a certificate against the counts it speaks of.


@click.command()
@click.argument("certificate", type=click.Path())
@click.argument("counts", type=click.Path(), required=False)
@json_option
def verify(certificate: str, counts: str | None, as_json: bool) -> int:
    """Check CERTIFICATE against COUNTS (a sketch or summary); exit code 1 when it fails.

    A certificate about all exams (an inequality) has no COUNTS.

    The same as: python -m algeval.verify CERTIFICATE COUNTS, which needs no package but Python.
    """
    from algeval.verify import verify as check

    verdict = check(certificate, counts)
    if as_json:
        document = {"ok": verdict.ok, "sentence": verdict.sentence, "claim": verdict.claim}
        print_json({"schema": "algeval.verdict/1"} | document)
    else:
        say(verdict.sentence, err=not verdict.ok)
    return 0 if verdict.ok else 1 if verdict.readable else 2


# --- `algeval merge`: add the counts of parts that were counted apart.


_TWICE = (
    "an item in two of the files counts twice: counts hold no item ids, so nothing here can find it"
)


@click.command()
@click.argument("sketches", nargs=-1, required=True, type=click.Path())
@_output_option("JSON", ".csv, .tsv, .parquet or .md")
def merge(sketches: tuple[str, ...], output: str | None) -> int:
    """Add sketches of parts: the sketch of all their items. Judges and labels must be the same."""
    from algeval.io import read_sketch

    read = []
    for path in sketches:
        if Path(path).is_file() and Path(path).suffix.lower() in (
            ".csv",
            ".tsv",
            ".xlsx",
            ".parquet",
        ):
            raise DataError(
                f"sketches must be merged; {path} is a table; count it with algeval sketch "
                f"{shlex.quote(path)}; of a table and a file of people's labels name the table, with "
                "--human and that file"
            )
        document = read_sketch(path)
        if not isinstance(document, Sketch):
            raise DataError(
                f"sketches must be merged; {path} is a {type(document).__name__}; write counts with "
                "algeval sketch"
            )
        read.append((path, document))
    (first, total), *others = read
    for path, part in others:
        total += _alike(total, first, part, path)
    if output is None:
        print_json(total.to_dict())
    else:
        write_data(output, total)
    say(f"Note: {total.n_items} items of {len(read)} files; {_TWICE}", err=True)
    return 0


def _alike(total: Sketch, first: str, part: Sketch, path: str) -> Sketch:
    """Sketch with its judges and answers in the order of the others."""
    for what, wanted, got in (
        ("judges", total.judges, part.judges),
        ("labels", total.labels, part.labels),
        ("answers", total.answers, part.answers),
    ):
        if set(wanted) != set(got):
            option = "judges" if what == "judges" else "labels"
            raise DataError(
                f"sketches to merge must have the same {what}; {first} has {list(wanted)}, {path} "
                f"{list(got)}; count each part with --{option} {','.join(wanted)}"
            )
    part = part.marginal(total.judges)
    position = np.array([*map(total.answers.index, part.answers), NOT_ANSWERED], np.int16)
    if isinstance(part, GroupedSketch) and isinstance(total, GroupedSketch):
        return part.spelled(total.labels, total.answers)
    if isinstance(part, GroupedSketch) or isinstance(total, GroupedSketch):
        raise DataError(
            f"sketches to merge must be counted by the same columns; {path} and {first} are not; count each "
            "part with the same human=, system= and slice="
        )
    return Sketch(*total.axes, position[part.codes], part.counts)


# --- `algeval program`: an alarm as an integer program, for a solver of your own.


@click.command()
@at_least_option()
@opt("--order", "Whose joint answers to use.", "1|2|full", default="1")
@opt("--q", "Only true labels in these numbers: items per label.", "N,M,...", "names")
@missing_option
@require_labels_option
@opt("--solve", "Solve it here too, by HiGHS.", kind=bool)
@opt("--solver", "Solve it here too, by this solver of PuLP's.", "NAME")
@output_options(".lp", ".mps", words="Write an LP or MPS file, or the result")
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def program(
    source: Source,
    *,
    at_least: str,
    order: str,
    q: list[str] | None,
    solve: bool,
    solver: str | None,
    out: Output,
    **settings: Any,
) -> int:
    """Write the integer program that is feasible where some answer key meets the standard.

    Without -o its rows are printed. Solved, the exit code is 0 where it is feasible, else 1.
    """
    from algeval.logic import program as ask

    key = None if q is None else whole_numbers(q, "--q")
    conditions = source.standard(at_least)
    written = ask(
        source.data, conditions, order=parse_order(order) or 1, key_counts=key, **settings
    )
    solution = written.solve(solver) if solve or solver else None
    more = {} if solution is None else {"solution": solution.to_dict()}
    printed = out
    if out.ending in (".lp", ".mps"):
        (written.write_lp if out.ending == ".lp" else written.write_mps)(str(out.path))
        printed = replace(out, path=None)
    if not printed.give(written, source, **more):
        rows = [f"written to {out.path}"] if out.path else map(str, written.constraints)
        solved = () if solution is None else (solution.message, solution.meaning)
        for line in (f"{source.name}: {written.message}", *rows, *solved):
            source.say(line)
        print_notes(source)
    return 0 if solution is None or solution.feasible else 1


# --- `algeval aggregate`: consensus labels and judge quality.


PREVALENCE = (
    "How frequent a label is: 0.05, or a range 0.01:0.05, of the second of two labels (of scores the higher "
    "class); LABEL=P or LABEL=LOW:HIGH; a share for each label with commas between, 0.1,0.9; or fit."
)


class _Command(click.Command):
    """A command whose help ends with the methods."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line a method, then the examples."""
        from algeval.aggregate.registry import METHODS, SCORE_METHODS

        kinds = {
            f"Methods for {labels} labels, and what they assume": {
                name: m for name, m in METHODS.items() if m.labels == labels
            }
            for labels in ("any", "two")
        }
        for title, methods in {
            **kinds,
            "Methods for scores, and what they assume": SCORE_METHODS,
        }.items():
            with formatter.section(title):
                formatter.write_dl([(name, m.assumes) for name, m in methods.items()])
        super().format_epilog(ctx, formatter)


def _aggregate_of_scores(settings: dict[str, Any]) -> bool:
    """Whether the method reads scores alone."""
    from algeval.aggregate.registry import METHODS, SCORE_METHODS

    return settings["method"] in SCORE_METHODS and settings["method"] not in METHODS


def _counts_of_aggregate(settings: dict[str, Any]) -> Counts:
    """Of a table whose items nothing printed speaks of, or are written row by row."""
    out = settings["out"]
    if out.as_json or settings["learn"]:
        return "no"
    if out.path is None:
        return "tuples"
    return "rows" if out.ending in (*OF_TABLES, ".json") and out.table is None else "no"


@click.command(cls=_Command)
@click.option(
    "--method",
    metavar="NAME",
    default="recommended",
    show_default=True,
    shell_complete=method_names,
    help="How to aggregate: one of the methods below.",
)
@opt("--prevalence", PREVALENCE, "P|LOW:HIGH|...")
@opt(
    "--learn",
    "Let the human labels (--human) move the probabilities; without it they only score them.",
    kind=bool,
)
@click.option(
    "--set",
    "stated",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the method, e.g. --set ridge=10 (may be repeated).",
)
@opt(
    "--groups",
    "Count near copies as one judge: read one of each, or share the weight.",
    kind=("one-each", "weights"),
)
@intervals_option
@time_limit_option("Stop the fit after this, and take it where it stands.")
@output_options(words="Write item, label and posteriors, or all of the result")
@partial(
    source_options,
    numbers="scores",
    wants_scores=_aggregate_of_scores,
    counts=_counts_of_aggregate,
)
def aggregate(
    source: Source,
    *,
    method: str,
    prevalence: str | None,
    learn: bool,
    stated: tuple[str, ...],
    groups: str | None,
    intervals: int | str,
    time_limit: float | None,
    out: Output,
) -> int:
    """Find consensus labels and judge quality. Exit code 1 when the fit did not end ok.

    Human labels are read after the labels are found, and only to score them, unless --learn is there.
    """
    from algeval.aggregate import ScoreAggregation
    from algeval.aggregate import aggregate as ask
    from algeval.aggregate.bootstrap import check_intervals, shown_intervals

    check_intervals(intervals)
    settings = dict(_setting(text) for text in stated)
    if prevalence is not None:
        settings["prevalence"] = _shares_of(prevalence)
    if learn:
        settings["human"] = "key"
    if source.cut is not None:
        settings["cut"] = source.cut
    if time_limit is not None:
        settings["time_limit"] = time_limit
    source, rows = _rows_of(source) if out.path is not None else (source, None)
    try:
        result = ask(source.items("aggregate"), method, groups=groups, **settings)
    except AlgevalError:
        raise
    except (TypeError, ValueError) as error:
        if not stated:
            raise
        raise DataError(
            f"--set must give values that {method!r} can use; got {', '.join(map(repr, stated))} "
            f"({error}); correct or leave out the wrong one"
        ) from None
    if out.ending in OF_TABLES and out.table is None:
        _write(str(out.path), source.held, result, rows)
        out = replace(out, path=None)
    made = None if isinstance(result, ScoreAggregation) else shown_intervals(result, intervals)
    in_parts = rows if out.ending == ".json" else None
    with _items_of(in_parts, result) as items:
        _print(source, result, made, out, items)
    return 0 if result.status.ok else 1


@contextmanager
def _items_of(rows: RowsOfFiles | None, result: Any) -> Iterator[dict[str, Long]]:
    """What the JSON of a result says of items, a part at a time: their ids, and the pattern of each."""
    if rows is None:
        yield {}
        return
    patterns = np.arange(len(result.counts), dtype=float)
    table = replace(result.tuple_table("label", {}), columns={"pattern": patterns})
    with rows.in_parts(table, LONG_PART) as parts:
        yield {
            "items": Long(partial(parts, "item"), numbers=False),
            "item_pattern": Long(
                lambda: (list(map(int, p)) for p in parts("pattern")), numbers=True
            ),
        }


def _print(source: Source, result: Any, made: Any, out: Output, items: Mapping[str, Long]) -> None:
    """Print a result with its intervals, if there are any, and its score, if there is a key.

    items : what its JSON says of items, where it holds none.
    """
    score, source = scored(source, result)
    parts = {"intervals": made, "score": score}
    more = {name: part.to_dict() for name, part in parts.items() if part is not None}
    if out.give(result, source, **more, **items):
        return
    text = result.summary() if made is None else result.summary(made)
    lines = [f"{source.name}: {text.rstrip()}"]
    if score is not None:
        first, *rest = score.summary().splitlines()
        lines.append(f"Against the key, which was used for scoring only: {first}")
        lines += [f"  {line}" for line in rest]
    source.say("\n".join(lines))
    print_notes(source)


def _rows_of(source: Source) -> tuple[Source, RowsOfFiles | None]:
    """A large table that was counted, and its rows; long ones, or of many tuples, are read as votes."""
    from algeval.io import joining
    from algeval.io.sources import read

    if source.files is None or not isinstance(source.held, Sketch | KeyedSketch):
        return source, None
    few = len(as_sketch(source.held)) <= joining.MOST_TUPLES
    rows = joining.RowsOfFiles.of(*source.files) if few else None
    if rows is None:
        reading = read(*source.files)
        return replace(source, held=reading.data, notes=reading.notes), None
    note = "labels were written row by row, by the votes of each"
    return replace(source, notes=(*source.notes, note)), rows


def _probabilities(result: Any, posterior: Any) -> dict[str, Any]:
    """Columns of the probability of each label."""
    names = [f"p({label})" for label in result.labels]
    return dict(zip(names, posterior.T, strict=True))


def _write(path: str, data: object, result: Any, rows: RowsOfFiles | None) -> None:
    if rows is not None:
        rows.write(
            Path(path), result.tuple_table("label", _probabilities(result, result.posterior))
        )
        return
    if not isinstance(data, Votes | Scores):
        raise DataError("--output must have items to write; got counts only; give the votes file")
    numbers = _probabilities(result, result.posterior_items)
    if isinstance(data, Scores):
        numbers["score"] = result.item_scores
    columns = {"item": list(data.items), "label": result.item_labels}
    for name, column in numbers.items():
        # nine digits: what comes after differs between machines
        columns[name] = [float(f"{number:.9g}") for number in column]
    write_table(path, columns)


def _shares_of(text: str) -> Any:
    """Shares as they are typed: 0.05, a range 0.01:0.05, 0.95,0.05, toxic=0.01:0.05,spam=0.1, fit."""
    if text in ("majority", "fit", "equal", "free"):
        return text
    named: dict[str, Any] = {}
    shares: list[Any] = []
    for part in text.split(","):
        label, sign, value = part.rpartition("=")
        ends = [as_float(end, "--prevalence") for end in value.split(":")]
        if len(ends) > 2 or (len(ends) == 2 and ends[0] >= ends[1]):
            raise click.UsageError(
                f"--prevalence must be a range LOW:HIGH with LOW below HIGH; got {value}; the shares of all "
                "labels have commas between, 0.9,0.1"
            )
        share = ends[0] if len(ends) == 1 else tuple(ends)
        if sign:
            named[label] = share
        shares.append(share)
    if named and len(named) < len(shares):
        raise click.UsageError("--prevalence must name all its labels, or none; write A=P,B=P")
    return named or (shares if len(shares) > 1 else shares[0])


def _setting(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign:
        raise DataError(f"--set must be given NAME=VALUE; got {text!r}; write it like ridge=10")
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


# --- `algeval diagnose`: do the judges err independently, and what to use if not.


@click.command()
@opt("--level", "Significance level of the tests of independence.", kind=float, default=0.05)
@opt("--starts", "Random restarts of Dawid-Skene.", kind=int, default=10)
@opt("--folds", "Cross-validation folds.", kind=int, default=5)
@opt("--seed", "Random seed.", kind=int, default=0)
@time_limit_option("Stop after this; what was left unfinished is named.")
@output_options()
@partial(source_options, key_note=KEY_SCORED)
def diagnose(source: Source, *, starts: int, out: Output, **settings: Any) -> int:
    """Test independence, stability and identifiability, and recommend a method with reasons.

    Exit code 1 when the test of all pairs rejects independence.
    """
    from algeval.compare import diagnose as ask

    result = ask(source.joint("diagnose"), n_starts=starts, **settings)
    print_result(source, result, out)
    return 1 if result.dependent else 0


# --- `algeval confounders`: what judges who give scores share, and what goes with it.


_KEY_NOTE = "the key was not used: nothing here is scored"


@click.command()
@opt("--cluster", "Items with the same entry belong together.", "COLUMN")
@opt("--texts", "The texts judged: length, form and readability.", "COLUMN")
@opt("--prevalence", "Share of the higher class, if it is known.", "P")
@opt("--folds", "Cross-validation folds.", "N", int, 5)
@opt("--seed", "Random seed.", "N", int, 0)
@output_options()
@partial(
    source_options,
    numbers="always",
    key_note=_KEY_NOTE,
    wants_scores=lambda settings: True,
    columns=("cluster", "texts"),
)
def confounders(
    source: Source, *, texts: str | None, prevalence: str | None, out: Output, **settings: Any
) -> int:
    """Whether judges share more than one thing, and which attributes of the items go with it.

    Scores show that a second thing is shared; they cannot show which is quality. Nothing is
    corrected: the answer lists what each correction would move, and what you would say by it. Exit
    code 1 when the scores do not settle it.
    """
    from algeval.aggregate import confounders as ask

    scores = source.held
    if not isinstance(scores, Scores):
        raise DataError("confounders must see scores; got labels or counts; give a table of scores")
    if prevalence is not None:
        settings["prevalence"] = as_float(prevalence, "--prevalence")
    attributes = scores.attributes or {}
    if texts is not None and texts not in attributes:
        raise DataError(
            f"--texts must name a column that was read; got {texts!r}; there are {list(attributes)}"
        )
    column = None if texts is None else list(attributes[texts])
    result = ask(scores, texts=column, cut=source.cut, **settings)
    print_result(source, result, out)
    return 0 if result.status.ok else 1


# --- `algeval report`: everything the votes alone say.


def _counts_of_report(settings: dict[str, Any]) -> Counts:
    """Which counts the report makes do with: its first screen also with those of a results table."""
    counts, out = counts_for_labels(settings), settings["out"]
    whole = settings["full"] or out.as_json or out.path is not None
    unlabelled = counts == "labelled" and settings.get("gold") is None
    return "results" if unlabelled and not whole else counts


@click.command()
@at_least_option(None, " Without it: how many fall short of a few levels.")
@missing_option
@time_limit_option()
@intervals_option
@former_labels
@opt("--prevalence", PREVALENCE, "P|LOW:HIGH|...", rare=True)
@opt("--full", "Everything, with the theory, not the first screen only.", kind=bool)
@output_options(".html", ".txt", words="Write all of it, or a table")
@partial(source_options, numbers="scores", counts=_counts_of_report, shown=SHOWN)
def report(
    source: Source,
    *,
    at_least: str | None,
    label: str | None,
    gold: LabelFiles | None,
    prevalence: str | None,
    full: bool,
    out: Output,
    **settings: Any,
) -> int:
    """Report on a results table: pass rates, judges, consensus, and what to do next.

    People's labels, a column of the table or --human FILE, are used where there are any; votes alone say the
    rest. Exit code 1 if --at-least is proved to be impossible; 0 otherwise.
    """
    from algeval.rates.inputs import pass_label
    from algeval.report import report as build
    from algeval.report.build import names_only
    from algeval.report.parts import PAGE

    if source.cut is not None:
        raise click.UsageError("--cut makes labels of scores; leave it out, or leave out --scores")
    scores = isinstance(source.held, Scores) and at_least is None
    own = out.table is None and out.ending != ".json"
    labels = () if scores else getattr(source.held, "labels", ())
    unknown = (
        not scores and label is None and not pass_label(labels, getattr(source.held, "judges", ()))
    )
    if unknown and gold is not None:  # labels score the judges then
        source, gold = _with_people(source, gold), None
    typed = names_only(click.get_current_context().obj or ())  # letters too that the locale lacks
    from_file = human_typed(gold)
    data = source.held if scores else source.data
    table, of_counts = source.results, isinstance(data, GroupedSketch)
    table = table if isinstance(data, Votes | Scores) or of_counts else None
    result = build(
        data if table is None else table,
        out.path if own else None,
        at_least=None if at_least is None else source.standard(at_least),
        prevalence=None if prevalence is None else _shares_of(prevalence),
        good=label,
        human=gold,
        source=source.name,
        notes=source.notes,
        arguments=f"{source.arguments}{from_file}",
        made=os.fsencode(shlex.join(["algeval", *typed])).decode("utf-8", "replace"),
        first_screen=not full and not out.as_json and out.path is None,
        **settings,
    )
    rest = replace(out, path=None) if own else out
    if not rest.give(result, source):
        text = (result.full() if full else result.summary()).rstrip()
        source.say(text.replace(PAGE, "") if out.ending == ".html" else text)
        if out.path is not None:
            source.say(f"{out.path} written")
    return 1 if result.alarm and at_least is not None else 0


def _with_people(source: Source, gold: LabelFiles) -> Source:
    """Source with the labels of files as its key."""
    from algeval.report.items import with_human_labels

    if gold == "key":
        return source
    held = with_human_labels(source.held, gold)
    if held is source.held:
        raise click.UsageError("--human must come with --good, the label whose rate it tells")
    arguments = f"{source.arguments}{human_typed(gold)}"
    results = source.results
    if results is not None:
        results = results.with_people(gold) if results.layout == "pairwise" else None
    return replace(source, held=held, arguments=arguments, results=results)


# --- `algeval plan`: how many labels to buy, before any are paid.


@click.command()
@opt("--half-width", "Goal: a rate to within X.", "X")
@opt("--rate", "The rate you expect. [default: 1/2, the hardest]", "P")
@opt("--rho2", "Squared correlation of the judges with the truth.", "R")
@opt(
    "--pilot",
    "Votes of a pilot, to estimate rho2 from, with --human and --good; two files for a margin.",
    "FILE|A,B",
    "names",
)
@opt(
    "--human",
    "Human labels of some of the pilot; two files for two.",
    "FILE|A,B",
    "names",
    rare=True,
)
@opt("--good", "The label that counts as good in the pilot.", "LABEL", rare=True)
@former("--gold", "--human", "names")
@former("--label", "--good")
@opt("--items", "How many items the judges grade. [default: unlimited]", "N", int)
@opt(
    "--target",
    "The rate on these items, or on what they come from. [default: items]",
    kind=("items", "population"),
    rare=True,
)
@opt("--level", "Confidence level of the interval. [default: 0.95]", "P", float, rare=True)
@opt(
    "--margin",
    "Goal, with --discordance: a system or judge ahead by X; with a budget: a classifier, if they err "
    "independently.",
    "X",
)
@opt("--discordance", "Share of items on which one of the two is right.", "P")
@opt("--power", "Power of the comparison. [default: 0.8]", "P", rare=True)
@opt("--judges", "Goal: what K judges are worth.", "K", int, rare=True)
@opt("--rho1", "Correlation of one judge's vote with the truth.", "R", rare=True)
@opt("--vote-correlation", "Correlation of two judges' votes.", "R", rare=True)
@opt("--budget", "Goal, with --accuracy or --rate: what may be spent.", "K")
@opt(
    "--accuracy",
    "Accuracy of the worse classifier; with --half-width, of a judge; with --judges, of each.",
    "P",
)
@opt("--recall", "With --half-width: recall of a label, whose share is --rate.", "P")
@opt("--slices", "Slices that are asked about at once.", "K", int)
@opt("--better-if-wrong", "Accuracy of the better where the worse errs.", "P", rare=True)
@opt("--better-if-right", "Accuracy of the better where the worse is right.", "P", rare=True)
@opt(
    "--label-accuracy",
    "Chance that a label is right; or two, where only the better, only the worse classifier is.",
    "Q|Q,Q",
    "names",
)
@opt(
    "--agreement",
    "How often two labels of an item agree, in place of --label-accuracy.",
    "P",
    rare=True,
)
@opt("--item-cost", "Cost of an item, in labels. [default: 0]", "X", rare=True)
@opt("--label-cost", "Cost of a label. [default: 1]", "X", rare=True)
@opt("--gold-cost", "Cost of a label that is always right, in labels.", "X", rare=True)
@opt("--disagreements", "Buy labels only where the classifiers disagree.", kind=bool, rare=True)
@opt("--most-labels", "Most per item. [default: 99, or 9]", "N", int, rare=True)
@opt("--n-labels", "Classes, with two classifiers. [default: 2]", "R", int, rare=True)
@plot_option
@output_options()
def plan(
    *, label_accuracy: list[str] | None, plot: str | None, out: Output, **settings: Any
) -> int:
    """How many labels to pay for, and what else would do.

    Give one goal: a rate to within --half-width, or a judge's --accuracy or --recall; two systems or
    judges with --margin and --discordance; the worth of --judges, with --accuracy also how much their votes
    alone can ever exclude; two classifiers for a --budget, with
    --accuracy; labels per item for a --budget, with --rate. Exit code 1 when labels cannot reach the goal.
    """
    from algeval.rates.planning import plan as ask

    settings = under_new_names(settings, gold="human", label="good")
    settings["label_accuracy"] = label_accuracy
    for name in ("label_accuracy", "pilot", "human"):
        if settings[name] is not None and len(settings[name]) == 1:
            settings[name] = settings[name][0]
    settings["disagreements"] = settings["disagreements"] or None
    result = ask(**{name: value for name, value in settings.items() if value is not None})
    save_plot(result, plot)
    if not out.give(result):
        say(result.summary())
    return 0 if getattr(result, "feasible", True) else 1


# --- `algeval compare`: every method side by side.


@click.command()
@opt(
    "--methods",
    "Which methods to run.",
    "A,B,...",
    "names",
    "algebra,majority,dawid-skene,recommended",
)
@intervals_option
@time_limit_option("Stop after this; what was left unfinished is named.")
@output_options()
@source_options
def compare(source: Source, *, methods: list[str], out: Output, **settings: Any) -> int:
    """Lay logic, algebra, majority, Dawid-Skene and the key (if any) side by side."""
    from algeval.compare import compare as ask

    result = ask(source.joint("compare"), methods, **settings)
    print_result(source, result, out)
    return 0


# --- `algeval prove`: a claim proved, or an exam on which it fails.


@click.command()
@click.argument("identity", required=False)
@opt("--judges", "How many, or their names.", "N|I,J,...")
@opt("--labels", "How many, or their names.", "R|A,B,...")
@opt(
    "--model",
    "What may be assumed.",
    kind=("independent", "correlated", "axioms"),
    default="independent",
)
@click.option(
    "--given", multiple=True, metavar="RELATION", help="A hypothesis; may be given several times."
)
@click.option(
    "--define", multiple=True, metavar="NAME=EXPRESSION", help="A name of your own; several times."
)
@click.option(
    "--hint", multiple=True, metavar="POLYNOMIAL", help="Its square may help; several times."
)
@time_limit_option("Give up after so long." + COUNTED)
@opt("--save", "Write the certificate there.", "FILE", "file")
@opt(
    "--export",
    "Print it for another system, and nothing else.",
    kind=(*FILES, "sympy"),
)
@opt("--catalogue", "Run the papers' own equations instead.", kind=bool)
@opt("--only", "Some of the catalogue.", "S16,S22,...", "names")
@output_options(*FILES.values())
def prove(
    *,
    identity: str | None,
    judges: str | None,
    labels: str | None,
    define: tuple[str, ...],
    save: str | None,
    export: str | None,
    catalogue: bool,
    only: list[str] | None,
    out: Output,
    **settings: Any,
) -> int:
    """Prove IDENTITY, an equation or inequality, or refute it by a small exam.

    What names like P_iA or Delta_ij mean: algeval help names.

    Exit code 0 when it is proved, 1 when it is refuted, undecided, or under hypotheses that contradict
    each other.

    With --catalogue every equation of the papers in the catalogue is proved, or shown to be an
    erratum with its correction proved.
    """
    if catalogue or only:
        if export not in (None, "coq"):
            raise click.UsageError("--catalogue must be exported to coq, as one file; choose coq")
        if export is None and out.path is not None:
            raise click.UsageError("--output must come with one identity, or with --export coq")
        return _run_catalogue(only, export, out)
    if identity is None:
        raise click.UsageError("state an identity, or use --catalogue")
    from algeval.algebra import prove as ask

    result = ask(
        identity,
        judges=_count_or_names(judges, 3),
        labels=_count_or_names(labels, 2),
        define=dict(map(_definition, define)),
        **settings,
    )
    if export == "sympy":
        say("--export sympy is gone; this is --export sage, whose script is as Python's.", err=True)
        export = "sage"

    def lines(out: Output) -> None:
        if not out.give(result):
            say(result.summary())
        if save is not None and hasattr(result, "save"):
            result.save(save)
            say(f"Certificate written to {save}.", err=True)
        elif save is not None:
            say("Nothing was saved: only what is proved has a certificate.", err=True)

    return exported(result, export, out, lines, 0 if result.holds else 1)


def _definition(text: str) -> tuple[str, str]:
    name, equals, expression = text.partition("=")
    if not equals or not name.strip():
        raise click.UsageError(f"--define must be NAME=EXPRESSION; got {text!r}")
    return name.strip(), expression


def _count_or_names(text: str | None, default: int) -> int | list[str]:
    if text is None:
        return default
    return int(text) if text.isdecimal() else [name.strip() for name in text.split(",")]


@dataclass(frozen=True, slots=True)
class _Catalogue:
    """Outcomes of the papers' equations, which one file of Coq holds."""

    outcomes: list[Any]

    def export(self, kind: str) -> str:
        """Every theorem and refutation as one file; `kind` is "coq"."""
        from algeval.export.coq import theory

        named: dict[str, Any] = {}
        for outcome in self.outcomes:
            named |= outcome.certificates
        return theory(named.values(), [*named])


def _run_catalogue(only: list[str] | None, kind: str | None, out: Output) -> int:
    catalogue = extension("algeval.catalogues", "papers")
    outcomes, err = [], kind is not None
    for entry in steps(catalogue(only), "proving the equations of the papers", even=False):
        outcome = entry.run()
        outcomes.append(outcome)
        if not out.as_json:
            mark = "confirmed" if outcome.status.ok else outcome.status.value
            say(f"({entry.number}) {entry.verdict} [{mark}]: {entry.statement}", err=err)
            if entry.note:
                say(f"    {entry.note}", err=err)
    failed = sum(not outcome.status.ok for outcome in outcomes)
    if out.as_json and kind is None:
        rows = [outcome.to_dict() for outcome in outcomes]
        print_json({"schema": "algeval.outcomes/1", "outcomes": rows})
    elif not out.as_json:
        say(f"{len(outcomes)} entries, {len(outcomes) - failed} confirmed.", err=err)
    return exported(_Catalogue(outcomes), kind, out, lambda _: None, int(failed > 0))


# --- `algeval alarm | threshold | panel | bounds | evaluations`: what is logically possible.


def _show(
    source: Source, result: Any, certificates: dict[str, Any], logic: Logic, out: Output, code: int
) -> int:
    """Check, save and print one logical result, or export it; the exit code."""
    lines = partial(_lines, source, result, certificates, logic.save)
    return exported(result, logic.export, out, lines, code)


def _lines(
    source: Source, result: Any, certificates: dict[str, Any], folder: str | None, out: Output
) -> None:
    counts = as_counts(source.data)
    verified = check(certificates, counts)
    saved = save(folder, certificates, counts)
    if out.give(result, source, verified=verified):
        return
    source.say(f"{source.name}: {result.message}")
    for line in getattr(result, "details", ()):
        source.say(line)
    _say_if_late(source, result)
    source.say(f"What this does not mean: {result.meaning}")
    for line in (*verified, *saved):
        source.say(line)
    print_notes(source)


@click.command()
@at_least_option()
@logic_options
@output_options(".v")
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def alarm(source: Source, at_least: str, logic: Logic, out: Output) -> int:
    """Can all the judges be as good as required? Exit code 1 when they cannot, or it stays open.

    Silence comes with an example of how they could; an alarm comes with a proof that they cannot. Counts
    are enough: a row per grader, such as grader,pass,fail.
    """
    from algeval.logic import alarm as ask

    result = ask(source.data, source.standard(at_least), **logic.settings())
    code = 0 if result.triggered is False else 1
    return _show(source, result, {"certificate": result.certificate}, logic, out, code)


@click.command()
@click.option(
    "--exact/--bracket",
    default=None,
    help="Search on for the exact threshold, or leave the bracket.  [default: search on for 5 s where "
    "few different tuples of answers occur]",
)
@click.option(
    "--ladder",
    is_flag=True,
    help="Also tell what each order below says, up to the first that tells as much.",
)
@logic_options
@output_options(".v")
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def threshold(source: Source, exact: bool | None, ladder: bool, logic: Logic, out: Output) -> int:
    """Find the highest accuracy every judge could have on every label at once."""
    from algeval.logic import threshold as ask

    result = ask(source.data, exact=exact, ladder=ladder, **logic.settings())
    certificates = {"witness": result.witness, "refutation": result.refutation, "keys": result.keys}
    return _show(source, result, certificates, logic, out, 0)


@click.command()
@at_least_option()
@logic_options
@output_options(".v")
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def panel(source: Source, at_least: str, logic: Logic, out: Output) -> int:
    """Count how many judges must fall short. Exit code 1 when any must."""
    from algeval.logic import panel as ask

    result = ask(source.data, source.standard(at_least), **logic.settings())
    certificates = {"certificate": result.certificate, "witness": result.witness}
    return _show(source, result, certificates, logic, out, 1 if result.min_violators else 0)


@click.command()
@at_least_option(None, " [default: none]")
@logic_options
@output_options(".v")
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def bounds(source: Source, at_least: str | None, logic: Logic, out: Output) -> int:
    """Give the range of every accuracy, grade and prevalence, if the judges meet a standard or not."""
    from algeval.logic import bounds as ask

    conditions = None if at_least is None else source.standard(at_least)
    if logic.require_labels:
        every = Specification.prevalence(None, ">", 0)
        conditions = every if conditions is None else conditions & every
    settings = logic.settings()
    del settings["require_labels"]
    result = ask(source.data, at_least=conditions, **settings)
    code = 1 if result.status.value == "inconsistent" else 0
    lines = partial(_lines_of_ranges, source, result, logic.save)
    return exported(result, logic.export, out, lines, code)


def _lines_of_ranges(source: Source, result: Any, folder: str | None, out: Output) -> None:
    """Same of ranges, whose certificates are too many for a line each."""
    counts, certificates = as_counts(source.data), of_ranges(result.certificates)
    verified = check(certificates, counts)
    saved = save_ranges(folder, certificates, counts)
    if out.give(result, source, verified=verified):
        return
    source.say(f"{source.name}: {result.summary().rstrip()}")
    _say_if_late(source, result)
    source.say(f"Certificates of these ranges that were verified: {len(verified)}.")
    for line in saved:
        source.say(line)
    print_notes(source)


def _say_if_late(source: Source, result: Any) -> None:
    if result.status.value == "time_limit":
        source.say(result.status.advice.replace("time_limit", "--time-limit"))


@click.command()
@opt("--most", "How many to print.", kind=click.IntRange(min=0), default=20)
@opt("--q", "Only true labels in these numbers: items per label.", "N,M,...", "names")
@opt(
    "--engine",
    "List in order, or by an integer program.",
    kind=("lattice", "pulp"),
    default="lattice",
)
@output_options()
@partial(source_options, key_note=KEY_UNUSED, counts=counts_are_enough)
def evaluations(source: Source, most: int, q: list[str] | None, engine: str, out: Output) -> int:
    """List the evaluations consistent with the votes (order 1), and count them all."""
    from algeval.logic import evaluations as ask

    result = ask(source.data, q=None if q is None else whole_numbers(q, "--q"), engine=engine)
    points = list(islice(result, most))
    shown = [{"key_counts": p.key_counts, "correct": p.correct} for p in points]
    if out.give(result, source, points=shown):
        return 0
    source.say(f"{source.name}: {result.message}")
    source.say(f"answer key {result.labels}: correct answers per judge {result.judges}")
    for point in points:
        correct = "  ".join(str(row) for row in point.correct)
        source.say(f"{point.key_counts}: {correct}")
    print_notes(source)
    return 0
