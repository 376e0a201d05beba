"""The work behind `groebner_basis`, in plain numbers, so that a second process can do it.

A polynomial travels as [[powers, coefficient as text], ...]; a job is {"engine", "unknowns": how many
of the symbols are unknowns, "symbols": how many there are, "rows": polynomials}, and with "known", more
polynomials, those elements of the basis without unknowns are named that these do not generate.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

Terms = list[list[Any]]

_LIMITS = (2_000, 50_000, 20_000)
"""Where python-flint gives up: elements, terms of one element, bits of one coefficient."""


def solve(job: Mapping[str, Any]) -> dict[str, Any]:
    """Return {"status", "basis"} for a job."""
    result = _by_sympy(job) if job["engine"] == "sympy" else _by_flint(job)
    if result is None:
        return {"status": "too_large", "basis": []}
    outcome = {"status": "ok", "basis": [_normal(terms) for terms in result]}
    return outcome if "known" not in job else _not_generated(job, outcome)


def solve_in_time(job: Mapping[str, Any], time_limit: float | None) -> dict[str, Any]:
    """Run `solve` in a second process: neither library can be interrupted in this one."""
    code = f"from {__name__} import _serve; _serve()"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            input=json.dumps(job),
            capture_output=True,
            text=True,
            timeout=time_limit,
            env=environment,
            check=True,
        )
    except subprocess.TimeoutExpired:
        return {"status": "time_limit", "basis": []}
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _serve() -> None:
    json.dump(solve(json.load(sys.stdin)), sys.stdout)


def _normal(terms: Terms) -> Terms:
    """Polynomial with coprime whole coefficients, the leading one positive."""
    values = {tuple(powers): Fraction(c) for powers, c in terms}
    bottom = math.lcm(*(c.denominator for c in values.values()))
    top = math.gcd(*(int(c * bottom) for c in values.values()))
    sign = 1 if values[max(values)] > 0 else -1
    scale = Fraction(sign * bottom, top)
    return [[list(powers), str(values[powers] * scale)] for powers in sorted(values, reverse=True)]


def _by_flint(job: Mapping[str, Any]) -> list[Terms] | None:
    from flint import fmpz_mpoly_ctx, fmpz_mpoly_vec

    context = fmpz_mpoly_ctx.get(tuple(f"v{i}" for i in range(job["symbols"])), "lex")
    rows = []
    for terms in job["rows"]:
        whole = {tuple(powers): int(c) for powers, c in _normal(terms)}
        rows.append(context.from_dict(whole))
    result, finished = fmpz_mpoly_vec(rows, context).buchberger_naive(limits=_LIMITS)
    if not finished:
        return None
    reduced = result.autoreduction(groebner=True)
    return [
        [[[int(k) for k in powers], str(c)] for powers, c in g.to_dict().items()] for g in reduced
    ]


def _not_generated(job: Mapping[str, Any], outcome: dict[str, Any]) -> dict[str, Any]:
    """Add "missing": elements without unknowns that the known polynomials do not generate."""
    from flint import fmpz_mpoly_ctx, fmpz_mpoly_vec

    n = job["unknowns"]
    context = fmpz_mpoly_ctx.get(tuple(f"v{i}" for i in range(job["symbols"])), "degrevlex")

    def made(terms: Terms) -> Any:
        return context.from_dict({tuple(powers): int(c) for powers, c in _normal(terms)})

    present = fmpz_mpoly_vec([made(terms) for terms in job["known"]], context)
    generators, finished = present.buchberger_naive(limits=_LIMITS)
    if not finished:
        return {"status": "too_large", "basis": []}
    free = [terms for terms in outcome["basis"] if not any(any(p[:n]) for p, _ in terms)]
    left = (
        terms for terms in free if not made(terms).reduction_primitive_part(generators).is_zero()
    )
    return outcome | {"missing": list(left)}


def _by_sympy(job: Mapping[str, Any]) -> list[Terms]:
    import sympy

    symbols = sympy.symbols(f"v0:{job['symbols']}")
    unknowns, observables = symbols[: job["unknowns"]], symbols[job["unknowns"] :]
    rows = [
        sympy.Poly.from_dict(
            {tuple(powers): sympy.Rational(c) for powers, c in terms}, *symbols
        ).as_expr()
        for terms in job["rows"]
    ]
    domain = sympy.QQ.frac_field(*observables) if observables else sympy.QQ
    result = sympy.groebner(rows, *unknowns, order="lex", domain=domain, method="buchberger")
    cleared = [sympy.Poly(g, *unknowns, domain=domain).clear_denoms()[1] for g in result.exprs]
    return [
        [
            [[int(k) for k in powers], str(c)]
            for powers, c in sympy.Poly(g.as_expr(), *symbols).terms()
        ]
        for g in cleared
    ]
