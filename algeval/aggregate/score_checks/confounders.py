"""Whether judges share more than one thing, and what goes with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.registry import method
from algeval.aggregate.score_attributes import attribute_names, cluster_of, numeric_attributes
from algeval.aggregate.score_checks.alternatives import alternatives
from algeval.aggregate.score_checks.attribute_links import associations
from algeval.aggregate.score_checks.results import ONE, Association, Confounders, factor_name
from algeval.aggregate.score_checks.shared_factors import SharedFactors
from algeval.aggregate.score_checks.words import (
    left_out_note,
    repeated_note,
    unread_note,
    verdict,
    voices_notes,
)
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import Scores
from algeval.data.names import read_only
from algeval.data.settings import check_whole
from algeval.data.text_features import text_features
from algeval.errors import DataError
from algeval.io.sources import Source, read_score_table
from algeval.result import Status
from algeval.result.tables import free_name

__all__ = ["confounders"]

Columns = Mapping[str, Sequence[Any]]


def confounders(
    data: Source | Scores,
    *,
    attributes: Columns | None = None,
    texts: Mapping[Any, Any] | Sequence[Any] | None = None,
    cluster: str | Sequence[Any] | None = None,
    prevalence: Any = None,
    cut: object = None,
    folds: int = 5,
    seed: int = 0,
) -> Confounders:
    """Say whether judges share more than one thing, who follows what, and which attributes go with it.

    Use it before you trust a consensus of scores: judges may share a taste, such as one for long
    texts, beside what you mean. Scores show that there is more than one shared thing; they cannot
    show which is quality. So nothing is corrected here. The result lists what each correction would
    move, and what you would assert by it.

    Parameters
    ----------
    data : Scores, or a table of scores
        A key is never read.
    attributes : {name: sequence of n_items}, optional
        What else is known of the items, beside the attributes that the scores carry; None where it is
        not known. Those that hold numbers are used.
    texts : {item: text}, or sequence of n_items, optional
        The texts that were judged; their `text_features` become attributes.
    cluster : str or sequence of n_items, optional
        Attribute, or ids, of items that belong together, such as answers to one question. Whole
        clusters are held out, and standard errors are over clusters.
    prevalence, cut
        Where the higher class begins, as of the method 'factor'; matters for the items that flip.
    folds : int
        At least 2.
    seed : int
        Of the folds and the starts.

    Returns
    -------
    Confounders
        Status ok; not_converged; undetermined where the judges are too few to tell two shared things
        from one (5 are needed); not_identifiable where they settle not even one.

    Raises
    ------
    DataError
        If there are no scores, an attribute is not known or too short, or a setting is out of range.

    Notes
    -----
    Factors as of `factor`, on normal scores; held-out log-likelihood by clusters; varimax for two.
    Correlations are Spearman's, with errors by the delta method over clusters; that the factors are
    estimated is left out of them. Very large tables are held out in part, which a warning says.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> quality, length = rng.normal(size=(2, 300))
    >>> likes = {f"j{k}": quality + (k > 3) * length + rng.normal(size=300) for k in range(7)}
    >>> found = confounders(likes, attributes={"length": length})
    >>> found.more_than_one, found.named("factor 2").attribute
    (True, 'length')
    """
    scores = read_score_table(data)
    check_whole("folds", folds, 2)
    blind = scores.without_key()
    given = _with_texts(blind, attributes, texts)
    clusters = cluster_of(blind, cluster, given)
    settings = {"prevalence": prevalence, "cut": cut, "seed": seed}
    plain = method("factor", "scores")(blind, **settings)
    told = plain.settings | {"folds": folds, "cluster": _spelled(cluster)}
    told = {name: told[name] for name in ("prevalence", "cut", "cluster", "folds", "seed")}
    if plain.status is Status.NOT_IDENTIFIABLE:
        return _refused(blind, told, clusters, plain)
    factors = SharedFactors.of(blind, clusters, folds=folds, seed=seed)
    numbers = numeric_attributes(blind, given)
    links = associations(blind, factors.scores(), numbers, clusters)
    others = alternatives(
        blind,
        plain,
        rotate=factors.two is not None,
        discounted={name: numbers[name] for name in _to_discount(links)},
        cluster=None if cluster is None else clusters.tolist(),
        settings=settings,
    )
    breadth, voices = factors.heard()
    found = Confounders(
        status=_status(factors),
        message="",
        judges=blind.judges,
        items=blind.items,
        settings=told,
        n_clusters=len(np.unique(clusters)),
        choice=factors.choice(),
        loading=read_only(factors.one.standard_loading[:, 0]),
        noise=read_only(factors.noise(factors.one)),
        turned=read_only(factors.turned_loading()),
        turned_noise=read_only(factors.noise(factors.two)),
        breadth=read_only(breadth),
        voices=read_only(voices),
        residuals=factors.residuals(blind.judges),
        associations=links,
        alternatives=others.shifts,
        acts=(ONE, *(shift.act for shift in others.shifts)),
        traits=read_only(others.traits),
        decisions=read_only(others.decisions),
    )
    notes = (
        *plain.warnings,
        *voices_notes(found),
        *left_out_note(factors.n_held, blind.n_items),
        *(repeated_note(blind) if cluster is None else ()),
        *unread_note(
            [n for n in attribute_names(blind, given) if n not in numbers and n != cluster]
        ),
    )
    return replace(found, message=verdict(found), warnings=notes)


def _with_texts(
    data: Scores, attributes: Columns | None, texts: Mapping[Any, Any] | Sequence[Any] | None
) -> Columns:
    """Return the attributes given, and those of the texts under names that are free."""
    if attributes is not None and not isinstance(attributes, Mapping):
        raise DataError(
            f"attributes must be columns by name; got {attributes!r}; write {{column: cells}}"
        )
    found = dict(attributes or {})
    if texts is None:
        return found
    if isinstance(texts, Mapping):
        by_item = {str(item): text for item, text in texts.items()}
        texts = [by_item.get(item) for item in data.items]
    if isinstance(texts, str) or len(texts) != data.n_items:
        raise DataError(
            f"texts must be one per item ({data.n_items}); got {len(texts)}; give {{item: text}}, or None "
            "where there is none"
        )
    taken = [*(data.attributes or {}), *found]
    return found | {free_name(n, taken): column for n, column in text_features(texts).items()}


def _spelled(cluster: str | Sequence[Any] | None) -> str | None:
    return cluster if isinstance(cluster, str | None) else "given"


def _to_discount(links: Sequence[Association]) -> list[str]:
    """Return the attributes that go most with the second factor, beyond the luck of all the looks."""
    sure = [one for one in links if one.name == factor_name(1) and one.beyond(len(links))]
    return [one.attribute for one in sure if one.kind == "factor"][: policy.MOST_DISCOUNTED]


def _status(factors: SharedFactors) -> Status:
    if factors.two is None or factors.held is None:
        return Status.UNDETERMINED
    return Status.OK if factors.converged else Status.NOT_CONVERGED


def _refused(
    data: Scores, settings: dict[str, Any], clusters: NDArray[np.intp], plain: ScoreAggregation
) -> Confounders:
    """Return the result where the scores settle not even one factor: nothing."""
    n_judges, n_items = data.n_judges, data.n_items
    return Confounders(
        status=plain.status,
        message=plain.message,
        judges=data.judges,
        items=data.items,
        settings=settings,
        n_clusters=len(np.unique(clusters)),
        choice=(),
        loading=read_only(np.zeros(n_judges)),
        noise=read_only(np.ones(n_judges)),
        turned=read_only(np.zeros((n_judges, 0))),
        turned_noise=read_only(np.zeros(0)),
        breadth=read_only(np.zeros(0)),
        voices=read_only(np.zeros(0)),
        residuals=(),
        associations=(),
        alternatives=(),
        acts=(),
        traits=read_only(np.zeros((n_items, 0))),
        decisions=read_only(np.zeros((n_items, 0), np.int16)),
        warnings=plain.warnings,
    )
