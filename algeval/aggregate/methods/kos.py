"""KOS, message passing between items and judges: two labels, and judges that may be adversaries."""

from __future__ import annotations

import numpy as np

from algeval.aggregate.fitting import Data, fewest, read_binary, refused
from algeval.aggregate.methods.wawa import weighted_vote
from algeval.aggregate.results import Aggregation, Floats
from algeval.aggregate.votes import triples_of
from algeval.data.names import Codes, Counts
from algeval.data.settings import check_number, check_whole

__all__ = ["kos"]


def kos(data: Data, *, smoothing: float = 1.0, n_steps: int = 10) -> Aggregation:
    """Vote with judges weighed by how they agree with others on all their other items.

    Use it as a reference on sparse votes spread at random, which it was made for; a judge worse
    than chance counts against its answers. It assumes two labels about equally frequent and judges
    that err independently, alike on both. Where judges meet in separate groups, or all answer
    everything and share errors, one strong agreement drowns all others.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
        Exactly two answers.
    smoothing : float
        Votes of the heaviest judge's weight shared evenly between the labels before shares are
        taken; see `majority`.
    n_steps : int
        Rounds of messages, a number chosen beforehand: too many can be worse.

    Returns
    -------
    Aggregation
        KOS gives labels only: `posterior` holds smoothed shares of the weights, no probabilities;
        a judge of negative weight counts for the other label. `evaluation` grades the judges
        against the labels found; `parameters` holds their weights, at most 1 in size. Status ok, or
        not_identifiable with fewer than 3 judges or where no item is decided.

    Raises
    ------
    DataError
        If there are not exactly two answers, or a setting is out of range.

    Notes
    -----
    Karger, Oh and Shah, Budget-optimal task allocation (2014), algorithm 1, with votes A = +-1:
    x(i to j) = sum over the item's other judges of A y, y(j to i) = sum over the judge's other
    items of A x. Two departures: y starts at 1, the mean of the random start there, so that no seed
    matters; the last vote uses the judge's whole message, over all items, so that the same votes
    are always given the same label.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaab": 5, "bbba": 5, "aabb": 1}, judges=["i", "j", "k", "l"])
    >>> kos(s).decisions.tolist(), kos(s).parameters["weight"].round(1).tolist()
    ([0, 0, 1], [1.0, 1.0, 0.9, -1.0])
    """
    rounds = check_whole("n_steps", n_steps)
    settings = {"smoothing": check_number("smoothing", smoothing, least=0.0), "n_steps": rounds}
    read = read_binary(data, "free")
    if read.n_heard < fewest("kos"):
        why = f"KOS must have at least {fewest('kos')} judges who answered; got {read.n_heard}; add judges"
        return refused(read.read, "kos", settings, why)
    weight = _messages(read.votes.astype(np.int16), read.counts, rounds)
    return weighted_vote(read.read, "kos", settings, weight, name="KOS")


def _messages(codes: Codes, counts: Counts, n_steps: int) -> Floats:
    """Return (N,) the judges' whole messages, the largest 1 in size; `codes` are 0, 1 or -1."""
    row, judge, answer = triples_of(codes)
    A, times = 2.0 * answer - 1, counts[row].astype(float)
    n_rows, n_judges = codes.shape
    y: Floats = np.ones(len(row))
    whole: Floats = np.zeros(n_judges)
    for _ in range(n_steps):
        x = np.bincount(row, A * y, n_rows)[row] - A * y
        whole = np.bincount(judge, times * A * x, n_judges).astype(float)
        scale = np.abs(whole).max()
        if scale == 0:
            return whole
        whole = whole / scale
        y = whole[judge] - A * x / scale
    return whole
