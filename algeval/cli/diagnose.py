"""`algeval diagnose`: do the judges err independently, and what to use if not."""

from __future__ import annotations

from functools import partial

import click

from algeval.cli.options import (
    KEY_SCORED,
    Output,
    Source,
    output_options,
    print_result,
    source_options,
)

__all__ = ["diagnose"]


@click.command()
@click.option(
    "--level",
    type=float,
    default=0.05,
    show_default=True,
    help="Independence is rejected at or below it.",
)
@click.option("--starts", type=int, default=10, show_default=True, help="Starts of Dawid-Skene.")
@click.option("--folds", type=int, default=5, show_default=True, help="Folds of held-out votes.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of starts, folds and sets.")
@output_options()
@partial(source_options, key_note=KEY_SCORED)
def diagnose(source: Source, level: float, starts: int, folds: int, seed: int, out: Output) -> int:
    """Test independence, stability and identifiability, and recommend a method with reasons.

    Exit code 1 when the test of all pairs rejects independence.
    """
    from algeval.compare import diagnose as ask

    result = ask(source.joint("diagnose"), level=level, n_starts=starts, folds=folds, seed=seed)
    print_result(source, result, out)
    return 1 if result.dependent else 0
