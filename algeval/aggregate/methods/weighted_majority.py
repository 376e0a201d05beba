"""Weighted majority vote: each judge counts by the log-odds of its known or guessed quality."""

from __future__ import annotations

import numpy as np

from algeval.aggregate.inputs import align, read_patterns
from algeval.aggregate.methods.majority import evaluate_by_majority
from algeval.aggregate.naive_bayes import naive_bayes
from algeval.aggregate.results import Aggregation, Floats, assemble
from algeval.aggregate.votes import vote_sums
from algeval.data import Evaluation, KeyedSketch, Sketch, Votes
from algeval.data.settings import check_number
from algeval.errors import DataError
from algeval.result.wording import how_many

__all__ = ["log_odds_weights", "weighted_majority"]


def weighted_majority(
    data: Votes | Sketch | KeyedSketch,
    *,
    evaluation: Evaluation | None = None,
    floor: float = 1e-6,
) -> Aggregation:
    """Weigh each vote by the log-odds it carries under an evaluation of the judges.

    Use it when the judges' quality is known (a pilot with a key, an algebraic or logical
    evaluation); it is the best rule there is if they err independently given the true label and
    the evaluation is right. For more than two labels it is the posterior of naive Bayes, whose
    two-label form is a weighted vote. A missing vote has weight zero.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    evaluation : Evaluation, optional
        Prevalences and confusion tables of (at least) these judges, exact or in floats. Without it
        the judges are graded against the majority vote, which flatters judges that err together.
    floor : float
        Probabilities below it count as it, so that no single vote decides everything.

    Returns
    -------
    Aggregation
        `evaluation` is the one used; status ok always.

    Raises
    ------
    DataError
        If the evaluation does not cover the judges, labels and answers, or floor is not in
        (0, 1/2).

    Notes
    -----
    Equations (11) and (12) of Balasubramanian et al.

    Examples
    --------
    >>> s = Sketch.from_counts({"aab": 5, "bbb": 7, "abb": 2}, judges=["i", "j", "k"])
    >>> weighted_majority(s).decisions.tolist()
    [0, 1, 1]
    """
    read = read_patterns(data)
    sketch = read.sketch
    floor = check_number("floor", floor, least=0, most=0.5, strict=True)
    used = evaluate_by_majority(sketch) if evaluation is None else _matched(evaluation, sketch)
    told = used.to_floats()
    votes = vote_sums(sketch.codes, sketch.n_answers)
    posterior, evidence = naive_bayes(votes, told, floor=floor)
    source = "the majority vote" if evaluation is None else "the evaluation given"
    return assemble(
        read,
        method="weighted-majority",
        settings={
            "evaluation": None if evaluation is None else evaluation.to_dict(),
            "floor": floor,
        },
        message=(
            f"Weighted majority of {how_many(sketch.n_judges, 'judge')} on "
            f"{how_many(sketch.n_items, 'item')}, weights from {source}; it "
            "holds if errors are independent given the true label."
        ),
        posterior=posterior,
        evaluation=told,
        log_likelihood=float(evidence @ sketch.counts),
        warnings=tuple(_notes(sketch)),
    )


def log_odds_weights(
    evaluation: Evaluation, *, label: object | None = None
) -> tuple[float, Floats, Floats]:
    """Return the weighted vote for one of two labels: prior log-odds, offsets and weights.

    The log-odds of `label` is prior + sum over the judges that answered of
    (offset_j + weight_j [judge j says `label`]); with every judge answering this is b + sum w_j J_j
    of equation (12) of Balasubramanian et al. A weight is positive when sensitivity + specificity > 1.

    Parameters
    ----------
    evaluation : Evaluation
        Two labels and no further answers; probabilities strictly between 0 and 1.
    label : str, optional
        The label voted for; by default the second.

    Returns
    -------
    (float, (N,) array, (N,) array)

    Raises
    ------
    DataError
        If there are not exactly two answers, or a probability is 0, 1 or unknown.

    Examples
    --------
    >>> e = Evaluation(["i"], ["0", "1"], ["0", "1"], [0.5, 0.5], [[[0.8, 0.2], [0.2, 0.8]]])
    >>> [round(float(x), 6) for x in log_odds_weights(e)[2]] == [round(2 * float(np.log(4)), 6)]
    True
    """
    if len(evaluation.answers) != 2 or len(evaluation.labels) != 2:
        raise DataError(
            f"labels and answers must be the same two; got {list(evaluation.answers)}; "
            "use weighted_majority for more"
        )
    names = evaluation.labels
    if label is not None and str(label) not in names:
        raise DataError(f"label {label!r} is not known; choose from {list(names)}")
    one = 1 if label is None else names.index(str(label))
    told = evaluation.to_floats()
    logs = told.confusion[:, [1 - one, one]][:, :, [1 - one, one]]
    shares = told.prevalence[[1 - one, one]]
    if not ((logs > 0) & (logs < 1)).all() or not (shares > 0).all():
        raise DataError(
            "probabilities must lie strictly between 0 and 1 to have log-odds; one is 0, 1 or "
            "unknown; use weighted_majority, which has a floor"
        )
    logs = np.log(logs)
    offset = logs[:, 1, 0] - logs[:, 0, 0]
    weight = logs[:, 1, 1] - logs[:, 0, 1] - offset
    return float(np.log(shares[1] / shares[0])), offset, weight


def _notes(sketch: Sketch) -> list[str]:
    missing = int(sketch.missing.sum())
    return (
        [f"{how_many(missing, 'missing vote has', 'missing votes have')} weight zero."]
        if missing
        else []
    )


def _matched(evaluation: Evaluation, sketch: Sketch) -> Evaluation:
    """Return the evaluation of the sketch's judges, in its order."""
    if not isinstance(evaluation, Evaluation):
        raise DataError(
            f"evaluation must be an Evaluation; got {type(evaluation).__name__}; "
            "pass the .evaluation of a result"
        )
    if evaluation.labels != sketch.labels:
        raise DataError(
            f"evaluation must have the labels {list(sketch.labels)}; got {list(evaluation.labels)}"
        )
    extra = [answer for answer in evaluation.answers if answer not in sketch.answers]
    if extra:
        raise DataError(
            f"evaluation must have no answer the votes lack; got {extra[0]!r}; declare it with "
            "answers= when reading the votes"
        )
    align(sketch, evaluation.judges, evaluation.answers)  # refuses unknown judges and answers
    judges = [evaluation.judges.index(judge) for judge in sketch.judges]
    shape = (len(judges), sketch.n_labels, sketch.n_answers)
    confusion = np.zeros(shape, evaluation.confusion.dtype)
    for place, answer in enumerate(sketch.answers):
        if answer in evaluation.answers:
            source = evaluation.answers.index(answer)
            confusion[:, :, place] = evaluation.confusion[judges][:, :, source]
    return Evaluation(*sketch.axes, evaluation.prevalence, confusion)
