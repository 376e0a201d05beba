"""`algeval decode`: the exact evaluation if the judges' errors are independent."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from algeval.cli.options import (
    KEY_UNUSED,
    Output,
    Source,
    counts_are_enough,
    output_options,
    print_result,
    source_options,
    split,
)
from algeval.errors import DataError

if TYPE_CHECKING:
    from algeval.algebra import Atlas, Decoding, Ladder

__all__ = ["decode"]


@click.command()
@click.option("--trio", callback=split, hidden=True, help="The three judges; or --judges.")
@click.option("--engine", type=click.Choice(["closed", "groebner", "pencil"]), help="How to solve.")
@click.option(
    "--show-algebra",
    is_flag=True,
    help="Show every step: polynomials, Groebner basis, roots, check (three judges, two labels).",
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
    from algeval.algebra import decode as ask

    result = ask(source.joint("decode"), judges=trio, engine=engine)
    ladder = _ladder(result) if show_algebra else None
    more = {} if ladder is None else {"ladder": ladder.to_dict()}
    print_result(source, result, out, **more)
    if ladder is not None and not out.as_json:
        source.say(f"\n{ladder.summary()}")
    return 0 if _usable(result) else 1


def _ladder(result: Decoding | Atlas) -> Ladder:
    from algeval.algebra import Decoding

    if not isinstance(result, Decoding):
        raise DataError(
            f"--show-algebra must have three judges; got {len(result.judges)}; name three with --judges"
        )
    return result.ladder()


def _usable(result: Decoding | Atlas) -> bool:
    """Whether there is an estimate, and every number of it lies in [0, 1]."""
    inside = getattr(result, "in_range", True) is not False
    return inside and result.status.value in ("ok", "irrational", "not_integral")
