"""The command that labels, and the guide for coding agents."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from algeval.cli.options import opt, output_options, table_options
from algeval.cli.output import Output, say
from algeval.cli.questions import single_table
from algeval.errors import DataError
from algeval.result.files import OF_TABLES, write_text

_GOALS = ("rate", "difference", "judges", "slices", "labels")


@click.command()
@click.argument("table", type=click.Path(), required=False)
@opt("--example", "Use a shipped example that is a table.", "NAME")
@opt("--who", "Who labels; several with commas. [default: the user]", "NAMES", "names")
@opt("--goal", "What the labels are for.", kind=_GOALS, default="rate")
@opt("--by", "Of --goal slices: the column of groups.", "COLUMN")
@opt("--against", "Stop when the rate is known to be above or below X.", "X", float)
@opt("--width", "Stop when the interval is no wider. [default: 0.2 without --against]", "W", float)
@opt("--overlap", "Share of the items that everybody labels.", "X", float, 0.0)
@opt("--show", "Show these columns too; system: whose output it is.", "COLUMNS", "names")
@opt("--ask", "The question to ask of every item.", "TEXT", rare=True)
@opt("--merge", "Add the labels of another journal, which may be given again.", "FILE")
@opt("--terminal", "Label in this terminal.", kind=bool)
@opt("--offline", "Write a page that labels anywhere, and ends here.", "PAGE.html", "file")
@opt("--status", "Say what the labels so far have come to, and end.", kind=bool)
@opt("--no-browser", "Only print the address.", kind=bool)
@opt("--part", "Label the K-th of M parts, each on a machine of its own.", "K/M", rare=True)
@opt("--journal", "Where labels are kept. [default: TABLE.labels.jsonl]", "FILE", rare=True)
@opt("--port", "Port of the page. [default: any that is free]", kind=int, default=0, rare=True)
@opt("--level", "Chance that no interval ever shown misses.", "P", float, 0.95, rare=True)
@opt("--seed", "Random seed of the order.", "N", int, 0, rare=True)
@output_options(
    words="Write the table with the labels (a table), or what they have come to (.json)"
)
@table_options(shown=("human", "judges", "columns"))
def label(
    table: str | None,
    example: str | None,
    *,
    reading: dict[str, Any],
    who: list[str] | None,
    merge: str | None,
    terminal: bool,
    offline: str | None,
    status: bool,
    no_browser: bool,
    ask: str | None,
    out: Output,
    **settings: Any,
) -> int:
    """Label items of TABLE one at a time, blind, and see at once when it is enough.

    A page on this machine (or --terminal) shows an item, takes a label by a key, and has it on the disk
    before it shows the next. The interval holds whenever you stop. rate, versus, judges and report take the
    journal with --human. Exit code 1 of --status: not decided yet.
    """
    path = single_table(table, example)
    sitting = _sitting(path, example, reading, who, settings)
    if merge is not None:
        from algeval.label.sitting import merged

        say(merged(sitting, [merge]))
    if offline is not None:
        from algeval.label.offline import offline_page

        if Path(offline).suffix.lower() not in (".html", ".htm"):
            raise DataError(f"--offline must end in .html; got {offline!r}; rename it")
        person = sitting.people[0]
        more = {"question": ask, "share": sitting.share, "show": sitting.show}
        say(offline_page(sitting.plan, sitting.labels, person, offline, **more))
        return 0
    if terminal and not status:
        from algeval.label.terminal import run

        run(sitting, ask)
    elif not (status or merge is not None):
        from algeval.label.server import serve

        announce = _announce
        serve(sitting, ask, browser=not no_browser, port=settings["port"], announce=announce)
    result = sitting.result()
    if out.ending in OF_TABLES:
        from algeval.label.sitting import write_joined

        name = reading["human"] if isinstance(reading["human"], str) else "human"
        write_joined(sitting, path, str(out.path), name)
        out = Output(out.as_json)
    if not out.give(result):
        say(result.summary(), names=(result.good, *result.people))
    return 1 if status and not result.status.ok else 0


def _announce(text: str) -> None:
    say(text, err=True)


def _sitting(
    path: Path,
    example: str | None,
    reading: dict[str, Any],
    who: list[str] | None,
    settings: dict[str, Any],
) -> Any:
    """Sitting on the table, with a journal beside it; of an example in the folder we are in."""
    from algeval.io import read_results
    from algeval.io.items import is_waves
    from algeval.label.front import share_of, sitting_of

    stated = {name: value for name, value in reading.items() if value is not None}
    human = stated.get("human")
    own = {name: settings[name] for name in ("goal", "by", "against", "width", "level", "seed")}
    own |= {"labels": stated.get("labels"), "good": stated.get("good")}
    own["systems"] = stated.pop("systems", None)
    journal = settings["journal"]
    if journal is None and example is not None:
        journal = f"{example}.labels.jsonl"
    if isinstance(human, list) and (len(human) == 1 or not is_waves(human)):
        human = human[0] if len(human) == 1 else None
    source: Any = path
    new = isinstance(human, str) and human not in _columns(path) and not Path(human).is_file()
    others = {name: value for name, value in stated.items() if not (new and name == "human")}
    if set(others) - {"human"}:
        source = read_results(path, **others)
    return sitting_of(
        source,
        human,
        who,
        settings=own,
        share=share_of(settings["overlap"], _part(settings["part"])),
        show=settings["show"],
        journal=journal or _beside(path),
    )


def _columns(path: Path) -> tuple[str, ...]:
    from algeval.io.tables import open_table

    return tuple(open_table(path).names)


def _beside(path: Path) -> Path:
    from algeval.label.sitting import journal_path

    return journal_path(path)


def _part(text: str | None) -> tuple[int, int]:
    """The part K/M that is meant; all of it where nothing is said."""
    if text is None:
        return 1, 1
    first, _, rest = text.partition("/")
    if not (first.strip().isdecimal() and rest.strip().isdecimal()):
        raise click.UsageError(f"--part must be K/M; got {text!r}; write 1/2 on one machine")
    return int(first), int(rest)


# --- `algeval skill`: how a coding agent is to use all this.


@click.command()
@opt("-o --output", "Write it to a file, as SKILL.md.", "FILE", "file")
def skill(output: str | None) -> int:
    """Print a short guide for coding agents: how to read a table, which question to ask, what not to do."""
    text = files("algeval").joinpath("SKILL.md").read_text(encoding="utf-8")
    if output is None:
        say(text)
    else:
        write_text(output, text)
    return 0
