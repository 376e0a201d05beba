"""`algeval prove`: a claim proved, or an exam on which it fails; `algeval replicate`: the papers' claims."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from algeval.cli.options import Output, json_option, output_options, split, time_limit_option
from algeval.cli.output import print_json, say
from algeval.progress import steps
from algeval.result.files import either
from algeval.result.tables import ENDINGS

if TYPE_CHECKING:
    from algeval.replicate import Replicated, Replication

__all__ = ["prove", "replicate"]


@click.command()
@click.argument("identity", required=False)
@click.option("--judges", default=None, metavar="N|I,J,...", help="How many, or their names.")
@click.option("--labels", default=None, metavar="R|A,B,...", help="How many, or their names.")
@click.option(
    "--model",
    type=click.Choice(["independent", "correlated", "axioms"]),
    default="independent",
    show_default=True,
    help="What may be assumed.",
)
@click.option(
    "--given", multiple=True, metavar="RELATION", help="A hypothesis; may be given several times."
)
@click.option(
    "--define", multiple=True, metavar="NAME=EXPRESSION", help="A name of your own; several times."
)
@click.option(
    "--hint", multiple=True, metavar="POLYNOMIAL", help="Its square may help; several times."
)
@time_limit_option(None, "Give up after so long: by default 60 for identities, 20 for the rest.")
@click.option("--save", type=click.Path(), metavar="FILE", help="Write the certificate there.")
@click.option(
    "--export",
    type=click.Choice(["lean", "sympy", "latex"]),
    help="Print the cofactors of an identity for another program.",
)
@click.option("--catalogue", is_flag=True, help="Run the papers' own equations instead.")
@click.option("--only", metavar="S16,S22,...", callback=split, help="Some of the catalogue.")
@output_options()
def prove(
    *,
    identity: str | None,
    judges: str | None,
    labels: str | None,
    model: str,
    given: tuple[str, ...],
    define: tuple[str, ...],
    hint: tuple[str, ...],
    time_limit: float | None,
    save: str | None,
    export: str | None,
    catalogue: bool,
    only: list[str] | None,
    out: Output,
) -> int:
    """Prove IDENTITY, an equation or inequality, or refute it by a small exam.

    Exit code 0 when it is proved, 1 when it is refuted, undecided, or under hypotheses that contradict
    each other.

    With --catalogue every equation of the papers in the catalogue is proved, or shown to be an
    erratum with its correction proved.
    """
    if catalogue or only:
        if out.path is not None:
            raise click.UsageError("--output must come with one identity; leave it out")
        return _run_catalogue(only, out.as_json)
    if identity is None:
        raise click.UsageError("state an identity, or use --catalogue")
    from algeval.algebra import prove as ask

    result = ask(
        identity,
        judges=_count_or_names(judges, 3),
        labels=_count_or_names(labels, 2),
        model=model,  # type: ignore[arg-type]
        given=given,
        define=dict(map(_definition, define)),
        hint=hint,
        time_limit=time_limit,
    )
    if out.give(result):
        pass
    elif export is None or not hasattr(result, f"to_{export}"):
        say(result.summary())
    else:
        say(getattr(result, f"to_{export}")())
    if export is not None and not hasattr(result, f"to_{export}"):
        say("Nothing was exported: only a proved identity has cofactors.", err=True)
    if save is not None:
        _save(result, save)
    return 0 if result.holds else 1


def _definition(text: str) -> tuple[str, str]:
    name, equals, expression = text.partition("=")
    if not equals or not name.strip():
        raise click.UsageError(f"--define must be NAME=EXPRESSION; got {text!r}")
    return name.strip(), expression


def _save(result: Any, path: str) -> None:
    if not hasattr(result, "save"):
        say("Nothing was saved: only what is proved has a certificate.", err=True)
        return
    result.save(path)
    say(f"Certificate written to {path}.", err=True)


def _count_or_names(text: str | None, default: int) -> int | list[str]:
    if text is None:
        return default
    return int(text) if text.isdecimal() else [name.strip() for name in text.split(",")]


def _run_catalogue(only: list[str] | None, as_json: bool) -> int:
    from algeval.algebra import catalogue as entries

    outcomes = []
    for entry in steps(entries(only), "proving the equations of the papers", even=False):
        outcome = entry.run()
        outcomes.append(outcome)
        if not as_json:
            mark = "confirmed" if outcome.status.ok else outcome.status.value
            say(f"({entry.number}) {entry.verdict} [{mark}]: {entry.statement}")
            if entry.note:
                say(f"    {entry.note}")
    if as_json:
        print_json([outcome.to_dict() for outcome in outcomes])
    failed = sum(not outcome.status.ok for outcome in outcomes)
    if not as_json:
        say(f"{len(outcomes)} entries, {len(outcomes) - failed} confirmed.")
    return 1 if failed else 0


@click.command()
@click.argument("paper", required=False, metavar="[000|001|002|003|004]")
@click.option("--only", metavar="ID,...", callback=split, help="Some of the claims.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Folder to write replication.md, errata.md and replication.json into; or a file of the claims: "
    f"{either(ENDINGS)}.",
)
@json_option
def replicate(
    *, paper: str | None, only: list[str] | None, output: Path | None, as_json: bool
) -> int:
    """Compute every checkable number and statement of the papers again.

    Without PAPER all papers. Exit code 1 when a computation contradicts the verdict on file.
    """
    from algeval.replicate import replicate as run

    found = run(paper, only=only, progress=None if as_json else _told)
    if output is not None and output.suffix.lower() in ENDINGS:
        found.to_file(output)
    elif output is not None:
        _write(found, output)
    if as_json:
        print_json(found.to_dict())
    else:
        say(found.message)
        for one in found.unconfirmed:
            say(f"not confirmed: {one.id} ({one.place}): computed {one.ours}")
    return 0 if found.status.ok else 1


def _told(one: Replicated) -> None:
    ours = f": {one.ours}" if one.ours else ""
    say(f"{one.id} [{one.verdict}] {one.printed}{ours}" + (f" ({one.note})" if one.note else ""))


def _write(found: Replication, folder: Path) -> None:
    import json

    from algeval.replicate.pages import errata_page, replication_page

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "replication.md").write_text(replication_page(found), encoding="utf-8")
    (folder / "errata.md").write_text(errata_page(found), encoding="utf-8")
    text = json.dumps(found.to_dict(), indent=1, ensure_ascii=False)
    (folder / "replication.json").write_text(text + "\n", encoding="utf-8")
