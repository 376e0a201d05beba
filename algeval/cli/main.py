"""The `algeval` command: commands load on first use, and no error shows a traceback."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

import algeval
from algeval.cli.group import Commands
from algeval.cli.output import open_closed_streams, say, say_error
from algeval.cli.wording import as_options, os_sentence, usage_sentence
from algeval.errors import AlgevalError

__all__ = ["cli", "main"]

_INTERNAL_ERROR = 70
_CLOSED_PIPE = 141
_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=Commands, context_settings=_SETTINGS)
@click.version_option(algeval.__version__, prog_name="algeval")
def cli() -> None:
    """Grade judges when nobody has the answer key.

    Commands read a votes file (CSV, TSV, JSONL, Parquet, Excel, or JSON written by algeval; "-" is a
    pipe) or a shipped example (--example NAME), print text a person reads, and JSON with --json.

    Start with: algeval report --example mt-bench
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    open_closed_streams()
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        typed = sys.argv[1:] if arguments is None else arguments
        code: Any = cli.main(args=typed, prog_name="algeval", standalone_mode=False, obj=typed)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        say(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        return _say(usage_sentence(error), error.exit_code)
    except SystemExit as stop:
        return _ended(stop)
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


def _ended(stop: SystemExit) -> int:
    """Return the code of click's own end: of a completion, or as the reader of a pipe has gone."""
    if not stop.code:
        return 0
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    return _CLOSED_PIPE  # what a shell says of it; 1 would be an alarm


def _say(message: str, code: int) -> int:
    say_error(message)
    return code
