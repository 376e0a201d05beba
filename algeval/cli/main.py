"""The `algeval` command: commands load on first use, and no error shows a traceback."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

import algeval
from algeval.cli.output import open_closed_streams, say, say_error
from algeval.cli.progress import still_working
from algeval.cli.wording import as_options, os_sentence
from algeval.errors import AlgevalError

__all__ = ["cli", "main"]

_COMMANDS = {
    "report": "algeval.cli.report",
    "alarm": "algeval.cli.logic",
    "threshold": "algeval.cli.logic",
    "panel": "algeval.cli.logic",
    "bounds": "algeval.cli.logic",
    "evaluations": "algeval.cli.logic",
    "decode": "algeval.cli.algebra",
    "aggregate": "algeval.cli.aggregate",
    "diagnose": "algeval.cli.diagnose",
    "compare": "algeval.cli.compare",
    "prove": "algeval.cli.prove",
    "sketch": "algeval.cli.data",
    "simulate": "algeval.cli.data",
    "examples": "algeval.cli.data",
    "figure": "algeval.cli.figure",
    "verify": "algeval.cli.verify",
}

_INTERNAL_ERROR = 70
_CLOSED_PIPE = 141


class _LazyGroup(click.Group):
    """A group whose commands are imported only when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(_COMMANDS[cmd_name]), cmd_name)
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(algeval.__version__, prog_name="algeval")
def cli() -> None:
    """Grade judges when nobody has the answer key.

    Every command reads a votes file (CSV, TSV, JSONL, Parquet, Excel, or JSON written by algeval) or a
    shipped example (--example NAME), prints text a person reads, and JSON with --json.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    open_closed_streams()
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        with still_working():
            typed = sys.argv[1:] if arguments is None else arguments
            code: Any = cli.main(args=typed, prog_name="algeval", standalone_mode=False, obj=typed)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        say(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        return _say(error.format_message(), error.exit_code)
    except SystemExit:  # click ends so when the reader of a pipe has gone
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        return _CLOSED_PIPE  # what a shell says of it; 1 would be an alarm
    except AlgevalError as error:
        return _say(as_options(str(error)), 2)
    except OSError as error:
        return _say(os_sentence(error), 2)
    except (click.Abort, KeyboardInterrupt):
        return _say("stopped", 130)
    except Exception as error:
        if os.environ.get("ALGEVAL_TRACEBACK"):
            raise
        kind = type(error).__name__
        return _say(
            f"internal error ({kind}: {error}); this is a bug: please report the command, the version "
            "(algeval --version) and the traceback (run it again with ALGEVAL_TRACEBACK=1)",
            _INTERNAL_ERROR,
        )


def _say(message: str, code: int) -> int:
    say_error(message)
    return code
