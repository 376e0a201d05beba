"""`algeval verify`: check a certificate against the counts it speaks of."""

from __future__ import annotations

import click

from algeval.cli.options import json_option
from algeval.cli.output import print_json, say

__all__ = ["verify"]


@click.command()
@click.argument("certificate", type=click.Path())
@click.argument("counts", type=click.Path(), required=False)
@json_option
def verify(certificate: str, counts: str | None, as_json: bool) -> int:
    """Check CERTIFICATE against COUNTS (a sketch or summary); exit code 1 when it fails.

    A certificate about all exams (an inequality) has no COUNTS.

    The same as: python -m algeval.verify CERTIFICATE COUNTS, which needs no package but Python.
    """
    from algeval.verify import verify as check

    verdict = check(certificate, counts)
    if as_json:
        print_json({"ok": verdict.ok, "sentence": verdict.sentence, "claim": verdict.claim})
    else:
        say(verdict.sentence, err=not verdict.ok)
    return 0 if verdict.ok else 1 if verdict.readable else 2
