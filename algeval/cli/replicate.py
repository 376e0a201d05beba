"""`algeval replicate`: compute every checkable claim of the papers again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from algeval.cli.options import json_option, split
from algeval.cli.output import print_json, say

if TYPE_CHECKING:
    from algeval.replicate import Replicated, Replication

__all__ = ["replicate"]


@click.command()
@click.argument("paper", required=False, metavar="[000|001|002|003|004]")
@click.option("--only", metavar="ID,...", callback=split, help="Some of the claims.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write replication.md, errata.md and replication.json into.",
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
    if output is not None:
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
