"""`algeval figure`: draw votes, and what methods and logic say of them."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from algeval.cli.options import Source, source_options, split, whole_numbers
from algeval.cli.systems.options import gold_option
from algeval.data import Scores
from algeval.errors import DataError

__all__ = ["figure"]


class _Kind(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """One of the kinds of votes and scores; they load when one is asked for, for the start must be fast."""

    name = "kind"

    @property
    def choices(self) -> tuple[str, ...]:
        """The kinds that are drawn from votes or scores."""
        from algeval.report.figures.kinds import TABLE

        return tuple(name for name, kind in TABLE.items() if kind.command == "figure")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the kind, or refuse it."""
        from algeval.report.figures.kinds import TABLE

        told = TABLE.get(value)
        if told is not None and told.command != "figure":
            use = f"algeval {told.command}" if told.command else "plot() of the result, in Python"
            self.fail(f"{value!r} is not drawn from votes; use {use}")
        return click.Choice(self.choices).convert(value, param, ctx)


def _of_scores(given: dict[str, Any]) -> bool:
    """Whether the kind takes scores alone."""
    from algeval.report.figures.kinds import OF_SCORES

    return given["kind"] in OF_SCORES


class _Command(click.Command):
    """A command whose help ends with the kinds, under their headings."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line a kind, and an example."""
        from algeval.report.figures.kinds import TABLE

        shown = {name: TABLE[name] for name in _Kind().choices}
        for heading in dict.fromkeys(kind.heading for kind in shown.values()):
            with formatter.section(heading):
                rows = [
                    (name, kind.line) for name, kind in shown.items() if kind.heading == heading
                ]
                formatter.write_dl(rows)
        with formatter.section("Example"):
            formatter.write_text("algeval figure accuracies --example acs -o accuracies.svg")


@click.command(cls=_Command)
@click.argument("kind", type=_Kind(), metavar="KIND")
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="Where to write: .svg, .png or .pdf."
)
@click.option("--methods", metavar="A,B,...", callback=split, help="Methods to put side by side.")
@click.option(
    "--method", metavar="NAME", help="The method whose fit is drawn, or that moves items."
)
@click.option("--label", metavar="NAME", help="Only items of this label; or whose rate.")
@gold_option("True labels, for a rate.")
@click.option("--ceiling", metavar="X", help="A level to mark that not all judges can exceed.")
@click.option("--intervals", type=int, metavar="N", help="Refits for intervals; 0 for none.")
@click.option("--measure", metavar="NAME", help="agreement|kappa, or accuracy|log_loss.")
@click.option("--page", type=int, metavar="N", help="Which page of judges.")
@click.option("--most", type=int, metavar="N", help="How many items to name, or rows to show.")
@click.option("--of", metavar="grade|accuracy", help="Which ranges.")
@click.option("--at-least", metavar="X", help="The accuracy asked of every judge.")
@click.option("--levels", metavar="X,Y,...", callback=split, help="Levels to ask or to mark.")
@click.option("--q", metavar="N,M,...", callback=split, help="Items of each label in the key.")
@click.option("--stage", metavar="all|conceivable|inequalities|axioms", help="What is known.")
@click.option("--space", type=click.Choice(["R", "P"]), help="Counts or shares.")
@click.option("--missing", type=click.Choice(["excluded", "wrong"]), help="Unanswered items.")
@click.option("--time-limit", type=float, metavar="SECONDS", help="For all questions together.")
@partial(source_options, numbers="scores", wants_scores=_of_scores)
def figure(source: Source, kind: str, output: str, **given: Any) -> int:
    """Draw a figure of the votes, of the judges or of what logic allows.

    Each KIND below takes some of the options; one that it does not take is refused.
    """
    from algeval.report.figures import draw, save
    from algeval.report.figures.kinds import OF_SCORES

    options = {name: value for name, value in given.items() if value is not None}
    _check(kind, options)
    if "q" in options:
        options["q"] = whole_numbers(options["q"], "--q")
    scores = isinstance(source.held, Scores) and kind in (*OF_SCORES, "posterior")
    save(draw(kind, source.held if scores else source.data, **options), output)
    source.say(f"{source.name}: {kind} written to {output}")
    return 0


def _check(kind: str, options: dict[str, Any]) -> None:
    """Refuse an option that the kind does not take, and name the kinds that do."""
    from algeval.report.figures.kinds import options_of, takers_of

    for name in options:
        if name not in options_of(kind):
            option = f"--{name.replace('_', '-')}"
            takers = ", ".join(takers_of(name))
            raise DataError(f"{option} must come with {takers}; got {kind}; leave it out")
