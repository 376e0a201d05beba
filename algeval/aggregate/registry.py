"""The one table of aggregators: what is known of each, and where its functions live.

A method is one function in `methods`, or in `scores` where it reads scores, and one record here.
`fit(data, *, ...)` takes its settings by keyword; `predict(result, codes or values) -> (rows, R)` and
`law(result)`, which has `log_probability(codes)`, read the fitted parameters back from the result alone.
Functions are named "module:function" inside this package and loaded on use, so that reading the table
loads nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any, Literal, NamedTuple

from algeval._lazy import load
from algeval.errors import DataError, either_way
from algeval.result.numbers import did_you_mean

__all__ = [
    "METHODS",
    "SCORE_METHODS",
    "Method",
    "Reads",
    "entry",
    "law_of",
    "method",
    "predictor",
    "settings_of",
]


Reads = Literal["votes", "scores"]


class Model(NamedTuple):
    """A row of the identifiability guard, under `key`: a model of two labels and its terms.

    `name`: what people call the model.
    `couplings`: coupling matrices: 0 none, 1 shared by the classes, 2 one per class.
    `minimum`: fewest judges from which it is identifiable; at that number it may be saturated.
    `order`: 3 where sets of three judges have a term too, shared by the classes.
    """

    key: str
    name: str
    couplings: int
    minimum: int
    order: int = 2

    def n_parameters(self, n_judges: int) -> int:
        """Number of parameters: 2K + 1, and those of pairs and threes."""
        threes = comb(n_judges, 3) if self.order == 3 else 0
        return 2 * n_judges + 1 + self.couplings * comb(n_judges, 2) + threes


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """What is known of one aggregator.

    Attributes
    ----------
    name : str
    fit : str
        Where the function is that fits it, as module:function.
    predict : str
        Where the function is that gives posteriors; by default naive Bayes under the evaluation.
    law : str or None
        Where the law of votes of a fit lives; None where there is none.
    without_law : str
        Why there is none.
    assumes : str
        What it assumes, in the words of `compare`.
    labels : "any" or "two"
    fewest : int
        Least number of judges that identifies it; by default what its guard says.
    guard : Model or None
        Its row of the identifiability guard.
    independent : bool
        Whether its posteriors multiply votes as if judges erred independently.
    drawn : str
        What its tables lean on besides the votes, so that they miss the judges' counts of answers.
    reads : "votes" or "scores"
        Two methods, one of each, may have the same name: the data decide which of them runs.
    """

    name: str
    fit: str
    predict: str = "em:predict"
    law: str | None = None
    without_law: str = ""
    assumes: str
    labels: Literal["any", "two"] = "any"
    fewest: int = 0
    guard: Model | None = None
    independent: bool = False
    drawn: str = ""
    reads: Reads = "votes"

    def __post_init__(self) -> None:
        if self.guard is not None:
            object.__setattr__(self, "fewest", self.guard.minimum)


_INDEPENDENT, _ISING = "em:fitted_law", "methods.ising:fitted_law"

_WEIGHED: dict[str, Any] = {
    "predict": "methods.voting:predict_wawa",
    "without_law": "shares of weighted votes are no probabilities of votes",
}

_ALL = (
    Method(
        name="majority",
        fit="methods.voting:majority",
        predict="methods.voting:predict",
        without_law="vote shares are no probabilities of votes",
        assumes="the majority is right",
        fewest=1,
    ),
    Method(
        name="weighted-majority",
        fit="methods.voting:weighted_majority",
        without_law="its evaluation is given or the majority's, not fitted to the votes",
        assumes="errors independent, judges as good as the majority says",
        fewest=1,
        independent=True,
    ),
    Method(
        name="wawa",
        fit="methods.voting:wawa",
        **_WEIGHED,
        assumes="the majority is mostly right, and shows which judges are",
        fewest=1,
    ),
    Method(
        name="zero-based-skill",
        fit="methods.voting:zero_based_skill",
        **_WEIGHED,
        assumes="the majority is mostly right, and its weighted vote still more",
        fewest=1,
    ),
    Method(
        name="mmsr",
        fit="methods.voting:mmsr",
        **_WEIGHED,
        assumes="errors independent, one skill per judge, labels equally frequent, most judges good",
        fewest=3,
    ),
    Method(
        name="kos",
        fit="methods.voting:kos",
        **_WEIGHED,
        assumes="errors independent, one skill per judge, labels equally frequent, votes sparse",
        labels="two",
        fewest=3,
    ),
    Method(
        name="recommended",
        fit="methods.recommended:recommended",
        predict="methods.recommended:predict",
        law=_INDEPENDENT,
        assumes="as pooled-dawid-skene; with few gaps as sure as vote-factor, called as often as by majority",
        drawn="the panel's",
        fewest=1,
    ),
    Method(
        name="pooled-dawid-skene",
        fit="methods.tables:pooled_dawid_skene",
        predict="methods.tables:predict_pooled_dawid_skene",
        law=_INDEPENDENT,
        assumes="judges vary around one panel; posteriors held back for shared errors",
        drawn="the panel's",
        fewest=3,
    ),
    Method(
        name="vote-factor",
        fit="methods.factor:vote_factor",
        predict="methods.factor:predict",
        without_law="a normal model of correlations gives votes no probabilities",
        assumes="one trait behind all votes, and a key that is one more judge",
        labels="two",
        drawn="a prevalence that was told",
        fewest=3,
    ),
    Method(
        name="dawid-skene",
        fit="methods.tables:dawid_skene",
        law=_INDEPENDENT,
        assumes="errors independent given the true label",
        guard=Model("independent", "conditional independence", 0, minimum=3),
        independent=True,
    ),
    Method(
        name="ising",
        fit="methods.ising:ising",
        predict="methods.ising:predict_ising",
        law=_ISING,
        assumes="pairwise couplings between judges, the same for every label",
        labels="two",
        guard=Model("ising", "class-independent Ising", 1, minimum=4),
    ),
    Method(
        name="ising-class-dependent",
        fit="methods.ising:ising_class_dependent",
        predict="methods.ising:predict_ising",
        law=_ISING,
        assumes="pairwise couplings between judges, one set per label",
        labels="two",
        guard=Model("ising-class-dependent", "class-dependent Ising", 2, minimum=5),
    ),
    Method(
        name="log-linear",
        fit="methods.ising:log_linear",
        predict="fitting:predict",
        law="methods.ising:fitted_law_log_linear",
        assumes="couplings of two and three judges, the same for every label",
        labels="two",
        guard=Model("log-linear", "third-order log-linear", 1, minimum=5, order=3),
    ),
    Method(
        name="factor",
        fit="methods.factor:factor",
        predict="fitting:predict",
        law="methods.factor:fitted_law",
        assumes="one hidden trait of the item moves all judges",
        labels="two",
        fewest=4,
    ),
    Method(
        name="one-coin",
        fit="methods.tables:one_coin",
        law=_INDEPENDENT,
        assumes="errors independent, one accuracy per judge",
        fewest=3,
        independent=True,
    ),
    Method(
        name="triplets",
        fit="methods.tables:triplets",
        law=_INDEPENDENT,
        assumes="errors independent given the true label (moments)",
        labels="two",
        fewest=3,
        independent=True,
    ),
    Method(
        name="glad",
        fit="methods.tables:glad",
        predict="methods.tables:predict",
        without_law="the ease of an unseen item must be found from its votes first",
        assumes="errors independent given the label and the item's difficulty",
        fewest=3,
        independent=True,
    ),
    Method(
        name="mace",
        fit="methods.tables:mace",
        law=_INDEPENDENT,
        assumes="a judge either knows the label or guesses from a habit",
        fewest=3,
        independent=True,
    ),
    Method(
        name="curie-weiss",
        fit="methods.ising:curie_weiss",
        predict="methods.ising:predict",
        law="methods.ising:fitted_law_curie_weiss",
        assumes="all judges alike, coupled by one strength per label",
        labels="two",
        fewest=5,
    ),
    Method(
        name="ising-pseudolikelihood-study",
        fit="methods.ising:ising_pseudolikelihood_study",
        predict="methods.ising:predict_ising_study",
        law=_ISING,
        assumes="a surrogate that is no likelihood; for study only",
        labels="two",
        fewest=5,
    ),
)


def _of_scores(
    *,
    name: str,
    fit: str,
    predict: str,
    assumes: str,
    fewest: int,
    without_law: str = "it reads scores",
) -> Method:
    """Record of a method of scores: two classes, and no law of votes."""
    return Method(
        name=name,
        fit=fit,
        predict=predict,
        assumes=assumes,
        fewest=fewest,
        without_law=without_law,
        labels="two",
        reads="scores",
    )


_OF_SCORES = (
    _of_scores(
        name="average",
        fit="scores.simple:average",
        predict="scores.simple:predict",
        assumes="every judge as good as any other, errors independent, one scale",
        fewest=1,
    ),
    _of_scores(
        name="median",
        fit="scores.simple:median",
        predict="scores.simple:predict",
        assumes="as average, and some judges may be far off",
        fewest=1,
    ),
    _of_scores(
        name="uws",
        fit="scores.simple:uws",
        predict="scores.simple:predict",
        assumes="one scale, errors unrelated to each other; judges differ in how large theirs are",
        fewest=3,
    ),
    _of_scores(
        name="linear",
        fit="scores.simple:linear",
        predict="scores.simple:predict_rank_factor",
        assumes="one trait behind all scores, read as they are",
        fewest=3,
    ),
    _of_scores(
        name="factor",
        fit="scores.factor:factor",
        predict="scores.factor:predict",
        assumes="as rank-factor; a second factor is taken out only if you ask",
        fewest=3,
    ),
    _of_scores(
        name="graded-response",
        fit="scores.graded:graded_response",
        predict="scores.graded:predict",
        assumes="one trait behind ordered levels, and a key that is one more judge",
        fewest=3,
    ),
    _of_scores(
        name="rank-factor",
        fit="scores.simple:rank_factor",
        predict="scores.simple:predict_rank_factor",
        without_law="it reads scores, and only the order of them",
        assumes="one trait behind all scores, and a key that is one more judge",
        fewest=3,
    ),
    _of_scores(
        name="care-tensor",
        fit="scores.care_tensor:care_tensor",
        predict="scores.care_tensor:predict",
        assumes="hidden states of the items; judges of three groups independent given the state",
        fewest=3,
    ),
    _of_scores(
        name="care-svd",
        fit="scores.care_svd:care_svd",
        predict="scores.care_svd:predict",
        assumes="quality is one direction of what judges share, and that is few directions",
        fewest=3,
    ),
)

METHODS: dict[str, Method] = {record.name: record for record in _ALL}
"""{name: what is known of the method}, of those that read votes."""

SCORE_METHODS: dict[str, Method] = {record.name: record for record in _OF_SCORES}
"""{name: what is known of the method}, of those that read scores; "recommended" is one of them."""
SCORE_METHODS = {"recommended": SCORE_METHODS["rank-factor"]} | SCORE_METHODS

_TABLES: dict[str, dict[str, Method]] = {"votes": METHODS, "scores": SCORE_METHODS}


def method(name: str, reads: Reads = "votes") -> Callable[..., Any]:
    """Function that fits the method of this name."""
    return load("algeval.aggregate", entry(name, reads).fit)


def predictor(name: str, reads: Reads = "votes") -> Callable[..., Any]:
    """Function that gives posteriors of new data under a result of this method."""
    return load("algeval.aggregate", entry(name, reads).predict)


def law_of(result: Any) -> Any:
    """Law of votes of a fit: an object with `log_probability`."""
    record = entry(result.method)
    if record.law is None or result.evaluation is None:
        why = record.without_law if record.law is None else f"status {result.status.value}"
        raise DataError(
            f"the result must hold a law of votes; method {result.method!r} holds none ({why})"
        )
    return load("algeval.aggregate", record.law)(result)


def bootstrapper() -> Callable[..., Any]:
    """Function that makes the intervals of a result."""
    return load("algeval.aggregate", "bootstrap:bootstrap")


def learned_predictor(reads: Reads = "votes") -> Callable[..., Any]:
    """Function that gives posteriors of new data under a result that learned from human labels."""
    name = "predict" if reads == "votes" else "predict_scores"
    return load("algeval.aggregate", f"labelled:{name}")


def sensitivity_of() -> Callable[..., Any]:
    """Function that says what would be called if a label were more or less frequent."""
    return load("algeval.aggregate", "methods.recommended:sensitivity")


def ranges_of() -> Callable[..., Any]:
    """Function that gives the range of each judge's accuracy without labels."""
    return load("algeval.aggregate", "methods.recommended:accuracy_ranges")


def held_back_of() -> Callable[..., Any]:
    """Function that gives posteriors of 'recommended' without the weight of independence."""
    return load("algeval.aggregate", "methods.recommended:held_back_posterior")


def settings_of(name: str, reads: Reads = "votes") -> tuple[str, ...]:
    """Names of the settings a method takes."""
    parameters = inspect.signature(method(name, reads)).parameters.values()
    return tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


def entry(name: str, reads: Reads = "votes") -> Method:
    """Record of a method, or say what is wrong with its name for these data."""
    table = _TABLES[reads]
    if name in table:
        return table[name]
    other = "scores" if reads == "votes" else "votes"
    if name in _TABLES[other]:
        raise _misgiven(name, reads)
    names, near = sorted(table), did_you_mean(name, table, "")
    raise DataError(f"method {name!r} is not known; choose from {names}{near and f'; {near}'}")


def _misgiven(name: str, reads: Reads) -> DataError:
    """Complaint about scores given to a method of votes, or the other way round."""
    if reads == "votes":
        return DataError(
            f"method {name!r} must be given Scores; got votes; "
            f"{either_way('use read_scores', 'pass --scores')}, or 'vote-factor' "
            "for votes"
        )
    return DataError(
        f"method {name!r} must be given votes, whose answers are labels; got Scores; call .cut(x) on "
        f"them, or choose from {list(SCORE_METHODS)}"
    )
