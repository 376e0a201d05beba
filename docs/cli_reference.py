"""Write the page of the command line from the commands' own help, so that it cannot drift."""

import click

from algeval.cli.main import cli

_HEAD = """# Command line

Exit codes: 0 quiet, 1 an alarm or a failed check, 2 bad input (one line on stderr), 70 an internal
error. A command that reads votes takes a file or `--example NAME`. What takes more than two seconds says
on a terminal how far it is; [nothing of that goes into a pipe](../faq.md#what-comes-out).
"""


def page() -> str:
    """Return the page as Markdown."""
    context = click.Context(cli, info_name="algeval")
    parts = [_HEAD]
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        child = click.Context(command, info_name=f"algeval {name}", max_content_width=96)
        parts.append(f"## algeval {name}\n\n```text\n{command.get_help(child)}\n```\n")
    return "\n".join(parts)
