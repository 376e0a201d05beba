"""`algeval verify`: check a certificate against the counts it speaks of."""

from __future__ import annotations

import click

__all__ = ["verify"]


@click.command()
@click.argument("certificate", type=click.Path())
@click.argument("counts", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
def verify(certificate: str, counts: str, as_json: bool) -> int:
    """Check CERTIFICATE against COUNTS (a sketch or summary); exit code 1 when it fails.

    The same as: python -m algeval.verify CERTIFICATE COUNTS, which needs no package but Python.
    """
    from algeval.verify import main

    return main([certificate, counts, *(["--json"] if as_json else [])])
