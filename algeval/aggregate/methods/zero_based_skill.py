"""Zero-based skill: the weighted vote repeated, until judges weigh what they agree with it."""

from __future__ import annotations

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.em import Step, iterate
from algeval.aggregate.fitting import Data, refused, run_settings
from algeval.aggregate.inputs import read_patterns
from algeval.aggregate.methods.wawa import agreement, weighted_vote
from algeval.aggregate.results import Aggregation, Floats, decide
from algeval.aggregate.votes import vote_counts, vote_shares, weighted_counts
from algeval.data import NOT_ANSWERED
from algeval.data.settings import check_number

__all__ = ["zero_based_skill"]

NAME = "zero-based-skill"


def zero_based_skill(
    data: Data, *, smoothing: float = 1.0, tol: float = 1e-5, max_iter: int = 1000
) -> Aggregation:
    """Weigh each judge by its agreement with the weighted vote, again and again.

    Use it as a reference: Wawa carried on until its labels and weights agree. It assumes what Wawa
    does, that the majority is mostly right, and a mistake most judges share is confirmed at each
    step. A tied item teaches nothing in that step; a judge with tied items only keeps its weight.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    smoothing : float
        Votes of weight 1 shared evenly among the labels before shares are taken; see `majority`.
    tol, max_iter
        Converged when every weight is within `tol` of the agreement it is to equal. Labels may turn
        in circles, so each step goes a share of the way that is halved every 20 steps.

    Returns
    -------
    Aggregation
        As `wawa`; `parameters` holds the weights at the end. Status also not_converged.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    As in crowd-kit's ZeroBasedSkill: weights start alike; labels are those with most weight; each
    weight moves towards the judge's share of votes that are the label, the whole way at first.
    There 100 steps are made whatever happens, and ties fall to the first label.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaab": 5, "bbba": 5, "aabb": 1}, judges=["i", "j", "k", "l"])
    >>> zero_based_skill(s).parameters["weight"].round(3).tolist()
    [1.0, 1.0, 0.909, 0.0]
    """
    settings = {
        "smoothing": check_number("smoothing", smoothing, least=0.0),
        **run_settings(tol=tol, max_iter=max_iter),
    }
    read = read_patterns(data)
    sketch = read.sketch
    if (decide(vote_shares(vote_counts(sketch))) == NOT_ANSWERED).all():
        why = "Zero-based skill must see some item with a majority; got none; add judges"
        return refused(read, NAME, settings, why)

    def step(state: tuple[Floats, int]) -> Step:
        weight, made = state
        labels = decide(vote_shares(weighted_counts(sketch.codes, weight, sketch.n_labels)))
        aim = agreement(sketch.codes, sketch.counts, labels, sketch.n_labels, weight)
        rate = 0.5 ** ((made + 1) // policy.STEPS_AT_ONE_RATE)
        following = weight + rate * (aim - weight)
        return Step(following, (following, made + 1), float(np.abs(aim - weight).max()))

    start = np.full(sketch.n_judges, 1 / sketch.n_labels)
    run = {name: settings[name] for name in ("tol", "max_iter")}
    weight, end = iterate(step, (start, 0), n_items=sketch.n_items, **run)
    end = end._replace(what="The weighing")
    return weighted_vote(read, NAME, settings, weight, name="Zero-based skill", end=end)
