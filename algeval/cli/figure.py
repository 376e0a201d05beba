"""`algeval figure`: draw what the votes allow."""

from __future__ import annotations

import click

from algeval.cli.options import Source, source_options, split, whole_numbers

__all__ = ["figure"]

_KINDS = [
    "evaluations",
    "correctness",
    "thresholds",
    "label-thresholds",
    "q-complex",
    "conflicts",
]


@click.command()
@click.argument("kind", type=click.Choice(_KINDS), metavar="KIND")
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="Where to write: .svg, .png or .pdf."
)
@click.option("--at-least", metavar="X", help="correctness, q-complex, conflicts: the standard.")
@click.option("--levels", metavar="X,Y,...", callback=split, help="thresholds: levels to mark.")
@click.option("--q", metavar="N,M,...", callback=split, help="correctness: items of each label.")
@click.option("--stage", metavar="all|conceivable|inequalities|axioms", help="evaluations.")
@click.option("--space", type=click.Choice(["R", "P"]), help="evaluations: counts or shares.")
@click.option("--missing", type=click.Choice(["excluded", "wrong"]), help="Unanswered items.")
@source_options
def figure(source: Source, kind: str, output: str, **given: object) -> int:
    """Draw a figure of what the votes allow (order 1).

    KIND is one of: evaluations (all evaluations of the first judge, two labels), correctness (what
    two or three judges can have right at one answer key), thresholds, label-thresholds, q-complex
    (how accurate all judges could be, answer key by answer key), conflicts (judges that exclude one
    another).
    """
    from algeval.report.figures import draw, save

    options = {name: value for name, value in given.items() if value is not None}
    if "q" in options:
        options["q"] = whole_numbers(options["q"], "--q")  # type: ignore[arg-type]
    save(draw(kind, source.data, **options), output)
    source.say(f"{source.name}: {kind} written to {output}")
    return 0
