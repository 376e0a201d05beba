"""`algeval completion`: what makes a shell complete commands, options, examples and methods."""

from __future__ import annotations

import click

from algeval.cli.output import say

__all__ = ["completion", "example_names", "method_names"]

VARIABLE = "_ALGEVAL_COMPLETE"
"""What a shell sets when it asks for completions; the name is click's."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> int:
    """Print the lines that make SHELL complete commands, options, files, examples and methods.

    \b
    bash  in ~/.bashrc:                   eval "$(algeval completion bash)"
    zsh   in ~/.zshrc:                    eval "$(algeval completion zsh)"
    fish  in ~/.config/fish/config.fish:  algeval completion fish | source
    """  # noqa: D301
    from click.shell_completion import get_completion_class

    writer = get_completion_class(shell)
    if writer is None:  # click knows all three
        raise click.UsageError(f"shell must be bash, zsh or fish; got {shell!r}; choose one")
    script = writer(ctx.find_root().command, {}, "algeval", VARIABLE)
    say(script.source())
    return 0


def example_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of an example."""
    from algeval.io import example_names as names

    return [name for name in names() if name.startswith(incomplete)]


def method_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a method."""
    from algeval.aggregate.registry import METHODS, SCORE_METHODS

    return [name for name in {**METHODS, **SCORE_METHODS} if name.startswith(incomplete)]
