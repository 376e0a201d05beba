"""The command `algeval replicate`, which the entry point `algeval.commands` adds to the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from algeval.cli.options import json_option, split
from algeval.cli.output import print_json, say
from algeval.result.files import either
from algeval.result.tables import ENDINGS

if TYPE_CHECKING:
    from algeval_papers.claims import Replicated
    from algeval_papers.ledger import Replication


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
    from algeval_papers.ledger import replicate as run

    result = run(paper, only=only, progress=None if as_json else _print_claim)
    if output is not None and output.suffix.lower() in ENDINGS:
        result.to_file(output)
    elif output is not None:
        _write_pages(result, output)
    if as_json:
        print_json(result.to_dict())
    else:
        say(result.message)
        for claim in result.unconfirmed:
            say(f"not confirmed: {claim.id} ({claim.place}): computed {claim.ours}")
    return 0 if result.status.ok else 1


def _print_claim(claim: Replicated) -> None:
    ours = f": {claim.ours}" if claim.ours else ""
    note = f" ({claim.note})" if claim.note else ""
    say(f"{claim.id} [{claim.verdict}] {claim.paraphrase}{ours}{note}")


def _write_pages(result: Replication, folder: Path) -> None:
    from algeval_papers.ledger import errata_page, replication_page

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "replication.md").write_text(replication_page(result), encoding="utf-8")
    (folder / "errata.md").write_text(errata_page(result), encoding="utf-8")
    text = json.dumps(result.to_dict(), indent=1, ensure_ascii=False)
    (folder / "replication.json").write_text(text + "\n", encoding="utf-8")
