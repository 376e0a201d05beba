"""Write the page of the command line from the commands' own help, so that it cannot drift."""

import click

from algeval.cli.main import cli, full_help
from algeval.cli.options import reading_help

_HEAD = """# Command line

Exit codes: 0 quiet, 1 an alarm or a failed check, 2 bad input (one line on stderr), 70 an internal
error. A command that reads votes takes a file or `--example NAME`; `algeval FILE` alone is a report on it.
All options of a command are below, as `algeval help COMMAND` has them; `--help` shows those most people
need. What takes more than two seconds says
on a terminal how far it is; [nothing of that goes into a pipe](../faq.md#what-comes-out).
"""


def page() -> str:
    """Return the page as Markdown."""
    context = click.Context(cli, info_name="algeval", max_content_width=96)
    parts = [_HEAD, f"## algeval\n\n```text\n{cli.get_help(context)}\n```\n"]
    parts += [
        f"## algeval {name}\n\n```text\n{full_help(name, context)}\n```\n"
        for name in cli.list_commands(context)
    ]
    parts.append(f"## How a table is read\n\n```text\n{reading_help(96)}\n```\n")
    return "\n".join(parts)
