"""The group of all commands: a help by question, near misses, and nothing loaded before it is used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from algeval.cli.commands import COMMANDS, GROUPS, epilog
from algeval.progress import show_progress
from algeval.result.wording import did_you_mean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["Commands"]


class Commands(click.Group):
    """A group whose commands are imported only when they are asked for."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; how far it is goes from the terminal before anybody says that it stopped."""
        with show_progress():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command and give it its examples."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"algeval.cli.{COMMANDS[cmd_name].module}")
        command: click.Command = getattr(module, cmd_name)
        command.epilog = epilog(cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or ask which one was meant."""
        name = args[0]
        if name in COMMANDS or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        near = did_you_mean(name, COMMANDS, "see algeval --help")
        raise click.UsageError(f"no command is called {name!r}; {near}")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one table, a heading a question."""
        width = max(map(len, COMMANDS))
        with formatter.section("Commands"):
            for question, group in GROUPS.items():
                formatter.write_text(question)
                with formatter.indentation():
                    formatter.write_dl([(name.ljust(width), e.line) for name, e in group.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command, or an option, without loading any."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=entry.line)
            for name, entry in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return found + super(click.Group, self).shell_complete(ctx, incomplete)
