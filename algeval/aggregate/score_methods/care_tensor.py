"""Hidden states behind the scores, from the third moments of three groups of judges (CARE-Tensor)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.fitting import too_little_in_common
from algeval.aggregate.kernels.one_factor import scale_of, standardised
from algeval.aggregate.results import End, Floats
from algeval.aggregate.score_attributes import cluster_of
from algeval.aggregate.score_fitting import ClassShare, Found, finish, read_share, refused
from algeval.aggregate.score_kernels.mixture import Mixture, mixture_of, polished, posterior
from algeval.aggregate.score_kernels.moment_tensor import States, best_states, most_states
from algeval.aggregate.score_kernels.sparse_low_rank import split
from algeval.aggregate.score_kernels.states import (
    StateCount,
    count_states,
    filled_from_the_top,
    values_along,
    values_by_anchors,
)
from algeval.aggregate.score_kernels.views import Views, best_partitions
from algeval.aggregate.score_results import ScoreAggregation
from algeval.aggregate.score_scales import anchor_values
from algeval.data import Scores
from algeval.data.settings import check_whole
from algeval.errors import DataError
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["care_tensor", "predict"]

NAME = "care-tensor"


def care_tensor(
    data: Scores,
    *,
    n_states: int | None = None,
    views: Sequence[Sequence[str]] | None = None,
    named_by: Any = None,
    anchors: Mapping[Any, Any] | None = None,
    cluster: str | Sequence[Any] | None = None,
    polish: int = 0,
    prevalence: Any = None,
    cut: object = None,
    seed: int = 0,
) -> ScoreAggregation:
    """Find the hidden states of the items (good or not, confounded or not), and score items by them.

    Use it where a confounder moves the scores more than quality does, and you can name the states:
    states are found from how three groups of judges vary together, whatever drives them most, but
    which of them are good is not in the scores. It takes the means of a state to differ from those
    of the others by more than a sum of two effects (an interaction), and judges of different groups
    to err independently given the state.

    Parameters
    ----------
    data : Scores
        At least 3 judges whose scores vary; 7 or more for four states. A key is never read.
    n_states : int, optional
        2 or more. None compares numbers on held-out items and takes the fewest within one standard
        error of the best.
    views : three sequences of judges, optional
        Groups to take for independent of each other. None searches those with the least dependence
        across, refits the best few and keeps the one that leaves least of the moment.
    named_by : {"judge": name}, "anchors", "leading" or None
        What a state is worth: the mean of a judge trusted to know, the mean of the anchors in it, or
        where it lies on the direction in which scores vary most, which is the confounder if that is
        stronger. None names by anchors, and without them leaves the states without names.
    anchors : {item: score}, optional
        Known scores, or classes 0 and 1, of some items. They calibrate `item_scores` too.
    cluster : str or sequence of n_items, optional
        Attribute, or ids, of items that belong together when numbers of states are compared.
    polish : int
        Steps of EM after the moments, at most. If the mixture is true they bring the means nearer
        (by 30 to 40% in simulations); if it is not, they may lead away.
    prevalence, cut
        As of 'rank-factor'. The best states are the higher class until their weights reach the
        prevalence, or where their worth reaches the cut. Anchors of 0 and 1 tell the classes
        themselves where neither is given.
    seed : int

    Returns
    -------
    ScoreAggregation
        Status ok; not_converged; undetermined where states have no names, or are one; inconsistent
        where no mixture of so many states has these moments; not_identifiable with too few judges;
        too_large where so many judges would take minutes.
        `parameters` holds weights, means (N, r) and `state_posterior` (n_items, r), also of states
        without names.

    Raises
    ------
    DataError
        If a setting is out of range, or a judge or an item is not known.

    Notes
    -----
    Views are standardised, a constant is appended to each, and the third cross-moment is decomposed
    by alternating least squares; last rows hold the weights. Posteriors are those of normal scores with
    one covariance within views (CARE, equation 1). Kruskal's condition is checked on the factors.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 2, 400)
    >>> s = Scores(range(400), list("abc"), 2.0 * truth[:, None] + rng.normal(size=(400, 3)))
    >>> found = care_tensor(s, n_states=2, named_by={"judge": "a"})
    >>> found.status.value, bool(np.mean(found.decisions == truth) > 0.9)
    ('ok', True)
    """
    share = read_share(data, prevalence, cut)
    known = anchor_values(data.items, anchors)
    asked = _Asked(
        data=data,
        n_states=None if n_states is None else check_whole("n_states", n_states, 2),
        views=_read_views(data, views),
        named_by=_read_name(data, named_by, known),
        clusters=cluster_of(data, cluster),
        polish=check_whole("polish", polish, 0),
        seed=check_whole("seed", seed, 0),
        known=known,
        share=share,
        told=prevalence is not None or cut is not None,
        cluster=cluster if isinstance(cluster, str | None) else "given",
    )
    reason = _unsettled(data)
    if reason:
        return refused(data, NAME, asked.settings, share, reason)
    seconds = _seconds(asked)
    if seconds > policy.MOST_TENSOR_SECONDS:
        why = (
            f"{data.n_judges} judges would take about {seconds / 60:.0f} minutes: the moment of three views "
            "has a cell for every three judges; choose judges with select(judges=...), or give n_states "
            "and views."
        )
        return asked.refuse(Status.TOO_LARGE, why)
    return _states(asked)


def _seconds(asked: _Asked) -> float:
    """Return about how long the decompositions take, from what 20 and 40 judges took."""
    partitions = 1 if asked.views is not None else policy.VIEW_CANDIDATES
    counted = policy.STATE_FOLDS * (policy.MOST_STATES - 1) if asked.n_states is None else 0
    sweeps = (partitions + counted) * (policy.CP_STARTS + 1) * policy.CP_SWEEPS
    a_sweep, a_cell = policy.TENSOR_SECONDS
    return sweeps * (a_sweep + a_cell * (asked.data.n_judges / 3 + 1) ** 3)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Asked:
    """The scores and the settings, checked; `views` are codes of judges, `known` anchors or NaN."""

    data: Scores
    n_states: int | None
    views: Views | None
    named_by: Any
    clusters: NDArray[np.intp]
    polish: int
    seed: int
    known: Floats | None
    share: ClassShare
    told: bool
    cluster: str | None

    @property
    def settings(self) -> dict[str, Any]:
        """All settings as JSON types."""
        names = ("n_states", "named_by", "cluster", "polish", "seed")
        views = None if self.views is None else _named(self.data, self.views)
        return (
            self.share.settings | {name: getattr(self, name) for name in names} | {"views": views}
        )

    def refuse(self, status: Status, why: str, **rest: Any) -> ScoreAggregation:
        """Return a result that decides nothing."""
        return refused(self.data, NAME, self.settings, self.share, why, status=status, **rest)


def _states(asked: _Asked) -> ScoreAggregation:
    """Choose views and number of states, fit them, and hand on what is found."""
    values, rng = asked.data.values, np.random.default_rng(asked.seed)
    if asked.views is None:
        partitions = [part.views for part in best_partitions(_strengths(values), rng)]
    else:
        partitions = [asked.views]
    most, count, r = most_states(partitions[0]), None, asked.n_states
    if r is None:
        if asked.clusters.max() + 1 < policy.STATE_FOLDS:
            why = f"Numbers of states are compared on {policy.STATE_FOLDS} folds of items; give n_states."
            return asked.refuse(Status.NOT_IDENTIFIABLE, why)
        tried = min(most, policy.MOST_STATES)
        partitions = [best_states(values, partitions, tried, rng).views]
        count = count_states(values, partitions[0], tried, rng, asked.clusters)
        r = count.fewest
    if r == 1:
        why = "Held-out scores are as probable if all items are alike: there are no states to name."
        return asked.refuse(Status.UNDETERMINED, why, parameters=_counted(count))
    if r > most:
        why = (
            f"{r} states must have larger groups of judges than {_sizes(partitions[0])}: these tell at "
            f"most {most} apart (Kruskal's condition); add judges or ask for fewer."
        )
        return asked.refuse(Status.NOT_IDENTIFIABLE, why)
    found = best_states(values, partitions, r, rng)
    if not found.proper:
        why = (
            f"No mixture of {r} states has these moments: one would have the weight "
            f"{found.weights.min():.2g}; ask for fewer states, or give other views."
        )
        return asked.refuse(Status.INCONSISTENT, why, parameters=_counted(count))
    mixture = mixture_of(values, found.weights, found.means, found.views)
    if asked.polish:
        steps = asked.polish + 1
        mixture, _ = polished(values, mixture, tol=policy.POLISH_TOL, max_iter=steps)
    return _result(asked, found, mixture, count)


def _result(
    asked: _Asked, found: States, mixture: Mixture, count: StateCount | None
) -> ScoreAggregation:
    data = asked.data
    held, heights = posterior(data.values, mixture)
    end = End(found.converged, found.n_iter, (float(heights.sum()),), "alternating least squares")
    parameters = _parameters(found, mixture, held) | _counted(count)
    notes = _notes(found, mixture)
    groups = "; ".join(", ".join(group) for group in _named(data, found.views))
    r = len(mixture.weights)
    message = (
        f"{r} states behind {data.n_judges} judges on {how_many(data.n_items, 'item')}, in the views "
        f"{groups}; relative residual {found.residual:.2g}"
    )
    worth, why = _worth(asked, mixture, held)
    if why:
        message = f"{message}; {why}"
        return asked.refuse(Status.UNDETERMINED, message, parameters=parameters, notes=notes)
    higher = _higher(asked, mixture.weights, worth)
    level = float(mixture.weights @ higher)
    share = ClassShare(level, "its states", counted=False, cut=None, settings=asked.share.settings)
    center = mixture.weights @ worth
    unit = (worth - center) / np.sqrt(mixture.weights @ (worth - center) ** 2)
    traits = held @ unit
    total = mixture.noise.diagonal() + (mixture.means**2) @ mixture.weights
    total = total - (mixture.means @ mixture.weights) ** 2
    told = asked.named_by if isinstance(asked.named_by, str) else f"judge {asked.named_by['judge']}"
    return finish(
        data,
        NAME,
        asked.settings,
        Found(
            traits=traits,
            spread=np.sqrt(np.maximum(held @ unit**2 - traits**2, 0)),
            higher=held @ higher,
            loadings=((mixture.means * mixture.weights) @ unit / np.sqrt(total))[:, None],
            noise=mixture.noise.diagonal() / total,
            end=end,
            parameters=parameters | {"state_worth": worth, "state_higher": higher},
        ),
        share,
        message=f"{message}; what a state is worth is told by {told}; {level:.1%} are of the higher class.",
        notes=notes,
    )


def _worth(asked: _Asked, mixture: Mixture, held: Floats) -> tuple[Floats, str]:
    """Return what each state is worth (r,), or why that is open."""
    if asked.named_by is None:
        why = (
            "which of them are good is not in the scores; name them with anchors={item: score}, or "
            "with a judge you trust, named_by={'judge': name}."
        )
        return np.zeros(0), why
    if asked.named_by == "anchors" and asked.known is not None:
        at = ~np.isnan(asked.known)
        worth = values_by_anchors(held[at], asked.known[at])
    elif asked.named_by == "leading":
        read = standardised(asked.data.values)
        direction = np.linalg.eigh(read.matrix)[1][:, -1]
        worth = values_along(read.scale.standard(mixture.means.T).T, direction)
    else:
        worth = np.asarray(mixture.means[asked.data.judges.index(asked.named_by["judge"])], float)
    if np.isnan(worth).any():
        state = int(np.argmax(np.isnan(worth)))
        item = asked.data.items[int(held[:, state].argmax())]
        return worth, f"no anchor is in one of the states; anchor an item such as {item!r}."
    if np.ptp(worth) <= policy.NO_SPREAD * max(1.0, np.abs(worth).max()):
        return (
            worth,
            "what was to name them has the same value in all; name them by something else.",
        )
    return worth, ""


def _higher(asked: _Asked, weights: Floats, worth: Floats) -> Floats:
    """Return the chance (r,) that an item of a state is of the higher class."""
    if asked.share.cut is not None:
        return np.where(worth >= asked.share.cut, 1.0, 0.0)
    if asked.named_by == "anchors" and not asked.told and _only_labels(asked.known):
        return worth
    return filled_from_the_top(weights, worth, asked.share.share)


def _only_labels(known: Floats | None) -> bool:
    return known is not None and bool(np.isin(known[~np.isnan(known)], (0, 1)).all())


def _unsettled(data: Scores) -> str:
    """Return why these scores have no third moments of judges that vary, or nothing."""
    varied = scale_of(data.values, np.ones(data.n_items)).spread > 0
    if varied.sum() < 3:
        return (
            f"Three views must have at least 3 judges whose scores vary; got {int(varied.sum())}: states "
            "are found from how three judges vary together."
        )
    return too_little_in_common(data.values[:, varied], np.ones(data.n_items), "moments", _ADVICE)


_ADVICE = "leave judges of few scores out with select(judges=...)"


def _read_views(data: Scores, views: Any) -> Views | None:
    """Return the view of each judge (N,), or say what is wrong with the groups."""
    if views is None:
        return None
    groups = [] if isinstance(views, str) else [list(map(str, group)) for group in views]
    named = [judge for group in groups for judge in group]
    if len(groups) != 3 or not all(groups) or sorted(named) != sorted(data.judges):
        raise DataError(
            f"views must be three groups that hold every judge of {list(data.judges)} once; got "
            f"{views!r}; write [['a', 'b'], ['c'], ['d', 'e']]"
        )
    return np.array([next(v for v in range(3) if judge in groups[v]) for judge in data.judges])


def _read_name(data: Scores, named_by: Any, known: Floats | None) -> Any:
    """Return what names the states, or say what is wrong with it."""
    if named_by is None:
        return None if known is None else "anchors"
    if isinstance(named_by, Mapping) and set(named_by) == {"judge"}:
        if named_by["judge"] in data.judges:
            return dict(named_by)
        raise DataError(
            f"named_by must name one of the judges {list(data.judges)}; got {named_by['judge']!r}; "
            "write {'judge': name}"
        )
    if named_by == "leading" or (named_by == "anchors" and known is not None):
        return named_by
    raise DataError(
        f"named_by must be {{'judge': name}}, 'leading', or 'anchors' with anchors given; got "
        f"{named_by!r}; leave it out to see the states without names"
    )


def _strengths(values: Floats) -> Floats:
    """Return (N, N) how far judges depend on each other, what all share taken out of the precision."""
    sparse, low_rank = policy.VIEW_PENALTIES
    found = split(
        standardised(values).matrix,
        loss="log-det",
        sparse=sparse,
        low_rank=low_rank,
        diagonal=False,
        tol=policy.VIEW_TOL,
        max_iter=policy.VIEW_SWEEPS,
    )
    return found.sparse


def _named(data: Scores, views: Views) -> list[list[str]]:
    return [
        [judge for judge, v in zip(data.judges, views, strict=True) if v == view]
        for view in range(3)
    ]


def _sizes(views: Views) -> str:
    return ", ".join(map(str, np.bincount(views)))


def _parameters(found: States, mixture: Mixture, held: Floats) -> dict[str, Any]:
    return {
        "weights": mixture.weights,
        "means": mixture.means,
        "state_noise": mixture.noise,
        "views": mixture.views.tolist(),
        "state_posterior": held,
        "relative_residual": found.residual,
        "residual_by_chance": found.chance,
        "k_ranks": list(found.k_ranks),
        "unique": found.unique,
    }


def _counted(count: StateCount | None) -> dict[str, Any]:
    """Return what held-out scores said of each number of states, None where it has no mixture."""
    if count is None:
        return {}
    columns = {
        name: [None if np.isnan(x) else float(x) for x in getattr(count, name)]
        for name in ("log_likelihood", "behind", "error")
    }
    return {"held_out_states": columns | {"best": count.best, "fewest": count.fewest}}


def _notes(found: States, mixture: Mixture) -> list[str]:
    """Return sentences on how large the states are, and on whether others would do as well."""
    r = len(mixture.weights)
    sizes = ", ".join(f"{weight:.1%}" for weight in mixture.weights)
    notes = [f"The states hold {sizes} of the items; `parameters` has their means for each judge."]
    if found.residual > found.chance:
        notes.append(
            f"These states leave {found.residual:.2g} of the moments where chance would leave at most "
            f"{found.chance:.2g}: judges of different views depend on each other beyond the states, or "
            "there are more of them."
        )
    if not found.unique:
        ranks = " + ".join(map(str, found.k_ranks))
        notes.append(
            f"Other states may fit these scores as well: Kruskal's condition fails (k-ranks {ranks}; "
            f"{r} states need {2 * r + 2}). So it does where states are sums of two effects."
        )
    return notes


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; the prevalence where states have no names."""
    told = result.parameters
    if "state_higher" not in told:
        return np.tile([1 - result.prevalence, result.prevalence], (len(values), 1))
    weights, means, noise = (
        np.array(told[name], float) for name in ("weights", "means", "state_noise")
    )
    mixture = Mixture(weights, means, noise, np.array(told["views"]))
    higher = posterior(values, mixture)[0] @ np.array(told["state_higher"], float)
    return np.stack([1 - higher, higher], axis=1)
