"""Decode: from the answers of three judges to the evaluations that independent errors allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from algeval.algebra.decoding.atlas import Atlas, atlas
from algeval.algebra.decoding.closed import decode_closed
from algeval.algebra.decoding.groebner import decode_groebner
from algeval.algebra.decoding.pencil import decode_pencil
from algeval.algebra.decoding.ranks import blind_judges, flattening_ranks, rank_words
from algeval.algebra.decoding.results import Decoding
from algeval.algebra.decoding.trio import Trio, moments_of, trio_of
from algeval.algebra.decoding.verdict import Solution, Verdict, total_accuracy
from algeval.data import Evaluation
from algeval.data.names import check_names
from algeval.data.reading import as_sketch
from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["decode"]

_ENGINES: dict[str, Callable[[Trio], Verdict]] = {
    "closed": decode_closed,
    "groebner": decode_groebner,
    "pencil": decode_pencil,
}


def decode(
    data: Source, judges: Iterable[object] | None = None, *, engine: str | None = None
) -> Decoding | Atlas:
    """Grade three judges exactly, from their answers alone, if their errors are independent.

    Use it on three judges whose mistakes have no common cause. On a finite test exactly
    independent errors give fractions with whole numbers of items behind them; everything else
    raises a status, so the method says itself when its assumption fails.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is never used.
    judges : judge names, optional
        Three are decoded, more give the `atlas` of all their trios. Only items all three answered
        are used; the result says how many were left out.
    engine : {"closed", "groebner", "pencil"}, optional
        "closed" (two labels, microseconds), "groebner" (two labels, computer algebra),
        "pencil" (any number of labels, answers beyond the labels). By default "closed" where it
        applies, else "pencil".

    Returns
    -------
    Decoding, or Atlas for more than three judges
        `status` is ok, irrational, not_integral, out_of_range, complex, inconsistent or
        undetermined (see `Decoding`).

    Raises
    ------
    DataError
        If there are fewer than three judges, or the engine does not read this many labels or answers.

    Notes
    -----
    Algebraic Evaluation, equations S9-S19, solved through s = sqrt(D^2 + 4 X Y Z) rather than the printed
    ladder S20-S43, which divides by zero at prevalence 1/2.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> once = dict.fromkeys(["aaa", "aab", "aba", "abb", "baa", "bab", "bba"], 1)
    >>> result = decode(Sketch.from_counts(once | {"bbb": 9}))
    >>> result.status.value, str(result.best.prevalence_of("a"))
    ('ok', '1/2')
    """
    data = read_data(data)
    sketch = as_sketch(data)
    names = sketch.judges if judges is None else check_names("judge", judges)
    if len(names) > 3:
        if engine is not None:
            raise DataError(
                f"engine is chosen per trio; got engine={engine!r} with {len(names)} judges; "
                "pass judges= with three names"
            )
        return atlas(sketch, names)
    trio = trio_of(sketch, names)
    name = ("closed" if trio.binary else "pencil") if engine is None else engine
    check_choice("engine", name, tuple(sorted(_ENGINES)))
    if name != "pencil" and not trio.binary:
        raise DataError(
            f"engine {name!r} must have two answers, the labels; got {list(trio.answers)}; "
            "use engine='pencil'"
        )
    return _dress(trio, _ENGINES[name](trio), name)


def _dress(trio: Trio, verdict: Verdict, engine: str) -> Decoding:
    ranked = sorted(verdict.solutions, key=total_accuracy, reverse=True)
    tie = len(ranked) > 1 and total_accuracy(ranked[0]) == total_accuracy(ranked[1])
    open_ = verdict.status is Status.UNDETERMINED and trio.n_used > 0
    ranks = flattening_ranks(trio) if open_ else ()
    places = {*verdict.uninformative, *(blind_judges(ranks, len(trio.labels)) if open_ else ())}
    blind = tuple(trio.judges[place] for place in sorted(places))
    return Decoding(
        status=verdict.status,
        message=_message(trio, verdict, blind, tie, rank_words(trio, ranks) if open_ else ""),
        engine=engine,
        reason=verdict.reason,
        judges=trio.judges,
        labels=trio.labels,
        answers=trio.answers,
        sketch_digest=trio.sketch_digest,
        n_items=trio.n_items,
        n_used=trio.n_used,
        n_left_out=trio.n_items - trio.n_used,
        evaluations=tuple(_evaluation(trio, solution) for solution in ranked),
        tie=tie,
        moments=moments_of(trio),
        in_range=verdict.in_range,
        integral=verdict.integral,
        dimension=verdict.dimension,
        uninformative=blind,
        ranks=ranks,
    )


def _evaluation(trio: Trio, solution: Solution) -> Evaluation:
    width = len(trio.answers)
    floats = any(isinstance(share, float) for share in solution.prevalence)
    dtype = float if floats else object
    prevalence = np.array([*solution.prevalence, None], dtype)[:-1]
    confusion = np.full((len(trio.judges), len(trio.labels), width), None, dtype)
    for i, rows in enumerate(solution.confusion):
        for t, row in enumerate(rows):
            if row is not None:
                confusion[i, t, :] = row
    return Evaluation(trio.judges, trio.labels, trio.answers, prevalence, confusion)


_NEARLY = (
    "{names} can be graded as if their errors were independent, though on this finite test these are "
    "not exactly independent, as on nearly every real one: {reason}"
)
_DEPENDENT = (
    "{names} cannot be graded by algebra: their errors are not exactly independent on this test, and "
    "no evaluation that fits has every number in [0, 1]: {reason}"
)
_VERDICTS = {
    Status.OK: "{names} can be graded: independent errors reproduce their counts exactly ({reason}); a "
    "candidate, not a proof, since correlated errors can produce the same counts",
    Status.NOT_INTEGRAL: _NEARLY,
    Status.UNDETERMINED: "The counts of {names} leave open how good they are: {reason}",
}


def _verdict_words(verdict: Verdict) -> str:
    """Return what the verdict means for the judges, with places for names and reason."""
    if verdict.status is Status.IRRATIONAL:
        return _DEPENDENT if verdict.in_range is False else _NEARLY
    return _VERDICTS.get(verdict.status, _DEPENDENT)


def _message(trio: Trio, verdict: Verdict, blind: tuple[str, ...], tie: bool, ranks: str) -> str:
    names = ", ".join(trio.judges[:2]) + " and " + trio.judges[2]
    text = _verdict_words(verdict).format(names=names, reason=verdict.reason)
    if blind:
        text += f"; {' and '.join(blind)} cannot tell the labels apart"
    text += ranks
    if tie:
        orders = "both" if len(trio.labels) == 2 else "several"
        text += f"; {orders} label orders have the same total accuracy"
    text += f" ({how_many(trio.n_used, 'item')}"
    left_out = trio.n_items - trio.n_used
    if left_out:
        text += f", {left_out} left out because not all three judges answered"
    return text + ")."
