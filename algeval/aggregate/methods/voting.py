"""Weighted votes: majority and its kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.checks.pairs import pair_tables
from algeval.aggregate.em import (
    Step,
    iterate,
    naive_bayes,
    triples_of,
    vote_counts,
    vote_shares,
    vote_sums,
    weighted_counts,
)
from algeval.aggregate.fitting import (
    Case,
    Data,
    fewest,
    finish,
    missing_note,
    opened,
    opened_binary,
)
from algeval.aggregate.results import (
    Aggregation,
    End,
    Floats,
    Patterns,
    align,
    assemble,
    decide,
    read_patterns,
)
from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch, Sketch, Votes
from algeval.data.names import Codes, Counts, check_choice, check_number
from algeval.data.reading import Source
from algeval.errors import DataError
from algeval.result.numbers import how_many

# --- A symmetric matrix of rank one from some of its entries, a few of which may be far off.


def rank_one(X: Floats, seen: Any, *, edge: float, tol: float, max_iter: int) -> tuple[Floats, End]:
    """S (N,) with |X[i, j]| near s_i s_j where `seen`, and how the search ended.

    X ~ u v' is fitted by turns (Ma and Olshevsky 2020, algorithm 1); nothing falls below `edge`.
    """
    size = np.abs(X)

    def step(state: tuple[Floats, Floats]) -> Step:
        u, v = state
        right = np.maximum(trimmed_means(size, seen, u, v), edge)
        left = np.maximum(trimmed_means(size, seen, right, u), edge)
        moved = np.abs(np.outer(left, right) - np.outer(u, v)).max()
        return Step((left, right), (left, right), float(moved))

    start = np.full(len(X), max(edge, np.sqrt(size[seen].mean())))
    (u, v), end = iterate(step, (start, start), tol=tol, n_items=1, max_iter=max_iter)
    vector: Floats = u * np.sqrt(np.linalg.norm(v) / np.linalg.norm(u))
    return vector, end


def trimmed_means(size: Floats, seen: Any, other: Floats, present: Floats) -> Floats:
    """Return (N,) means of size[:, j] / other, at most F left out at either end.

    Left out are the F largest and the F smallest, as far as they lie beyond the present value of j;
    F is half the least number of entries seen in a column, less one.
    """
    ratios = np.where(seen, size / other[:, None], np.nan)
    degree = seen.sum(axis=0)
    F = max(0, int(degree.min()) // 2 - 1)
    low = np.minimum((ratios < present).sum(axis=0), F)
    high = degree - np.minimum((ratios > present).sum(axis=0), F)
    rank = np.arange(len(size))[:, None]
    kept = (rank >= low) & (rank < high)
    result: Floats = np.where(kept, np.sort(ratios, axis=0), 0.0).sum(axis=0) / kept.sum(axis=0)
    return result


def signs(X: Floats) -> Floats:
    """Return (N,) signs of the leading eigenvector of sign(X), most of them positive."""
    leading = np.linalg.eigh(np.sign(X))[1][:, -1]
    lean = np.sign(leading.sum()) or 1.0
    return np.where(leading * lean < 0, -1.0, 1.0)


# --- Majority vote: what most judges say, with every tie in sight.


RULES = ("plurality", "majority")
TIES = ("undecided", "first", "random")


def majority(
    data: Votes | Sketch | KeyedSketch,
    *,
    rule: str = "plurality",
    ties: str = "undecided",
    seed: int | None = None,
    smoothing: float = 1.0,
) -> Aggregation:
    """Give each item the label most judges gave it.

    Use it as the reference every model must beat. As an estimate of the judges it assumes that the
    majority is right; judges that err together make each other look good. An item a judge did not
    answer, and an answer that is no label, count as no vote for any label.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    rule : "plurality" or "majority"
        "plurality": the label with most votes; "majority": only if more than half of the answers
        given to the item, refusals and the like included, are that label.
    ties : "undecided", "first" or "random"
        What to do when labels share the first place: leave the item without a label, take the
        first in label order, or draw one (items with the same decision tuple get the same draw).
        An item nobody gave a label stays undecided.
    seed : int, optional
        Needed by, and only for, ties="random".
    smoothing : float
        Votes shared evenly among the labels before shares are taken, so that a label nobody voted
        for is unlikely, not impossible. 0 gives plain shares, whose log loss is endless where all
        judges are wrong together.

    Returns
    -------
    Aggregation
        `posterior` holds smoothed vote shares (uniform where nobody voted for a label), whatever
        `ties` says: (votes + smoothing / R) / (all votes + smoothing). `evaluation` holds each judge
        against the majority labels, undecided items left out (`evaluate_by_majority` gives it in
        fractions). Status ok always.

    Raises
    ------
    DataError
        If a setting is not one of its choices, or no item could be decided.

    Notes
    -----
    The evaluation is (S1)-(S8) of Algebraic Evaluation, for any number of judges and labels.

    Examples
    --------
    >>> s = Sketch.from_counts({"aab": 5, "bbb": 7, "aba": 2}, judges=["i", "j", "k"])
    >>> float(majority(s).evaluation.accuracy("k", "b"))
    1.0
    """
    _check(rule, ties, seed)
    smoothing = check_number("smoothing", smoothing, least=0.0)
    read = read_patterns(data)
    sketch = read.sketch
    votes = vote_counts(sketch)
    decisions = _choose(votes, _answered(sketch), rule, ties, seed)
    undecided = int(sketch.counts[decisions == NOT_ANSWERED].sum())
    evaluation = None
    if undecided < sketch.n_items:
        evaluation = graded_against(sketch, decisions).to_floats()
    decided = sketch.n_items - undecided
    message = (
        f"Majority vote ({rule}) of {how_many(sketch.n_judges, 'judge')} labels {decided} of "
        f"{how_many(sketch.n_items, 'item')}; {undecided} are undecided."
    )
    return assemble(
        read,
        method="majority",
        settings={"rule": rule, "ties": ties, "seed": seed, "smoothing": smoothing},
        message=message,
        posterior=smoothed_shares(votes, smoothing),
        evaluation=evaluation,
        decisions=decisions,
        warnings=_warnings(read, votes, ties),
    )


def evaluate_by_majority(
    data: Source, *, rule: str = "plurality", ties: str = "undecided", seed: int | None = None
) -> Evaluation:
    """Judges graded against the majority labels, in exact fractions.

    Parameters, rules and the items left out are those of `majority`.

    Raises
    ------
    DataError
        If every item is undecided.

    Examples
    --------
    >>> s = Sketch.from_counts({"aab": 5, "bbb": 7, "aba": 2}, judges=["i", "j", "k"])
    >>> evaluate_by_majority(s).accuracy("j", "a")
    Fraction(5, 7)
    """
    _check(rule, ties, seed)
    sketch = read_patterns(data).sketch
    decisions = _choose(vote_counts(sketch), _answered(sketch), rule, ties, seed)
    if (decisions == NOT_ANSWERED).all():
        raise DataError(
            "some item must have a majority label to grade judges against; got none; "
            "use more judges or ties='first'"
        )
    return graded_against(sketch, decisions)


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Smoothed vote shares of other decision tuples, (rows, R)."""
    counts = [(codes == index).sum(1) for index in range(len(result.labels))]
    return smoothed_shares(np.stack(counts, axis=1), float(result.settings.get("smoothing", 0.0)))


def smoothed_shares(votes: NDArray[np.integer] | Floats, smoothing: float = 1.0) -> Floats:
    """Return (rows, R): each label's share of the votes and of `smoothing` more, spread evenly."""
    if not smoothing:
        return vote_shares(votes)
    total = votes.sum(axis=1, keepdims=True) + smoothing
    result: Floats = (votes + smoothing / votes.shape[1]) / total
    return result


def _answered(sketch: Sketch) -> NDArray[np.integer]:
    answered: NDArray[np.integer] = (sketch.codes != NOT_ANSWERED).sum(1)
    return answered


def _choose(
    votes: Counts, answered: NDArray[np.integer], rule: str, ties: str, seed: int | None
) -> Codes:
    top = votes.max(1)
    first = votes == top[:, None]
    choice = first.argmax(1)
    tied = first.sum(1) > 1
    if ties == "random":
        luck = np.random.default_rng(seed).random(votes.shape)
        choice = np.where(first, luck, -1.0).argmax(1)
    open_ = (top == 0) | (tied & (ties == "undecided"))
    if rule == "majority":
        open_ |= 2 * top <= answered
    return np.where(open_, NOT_ANSWERED, choice).astype(np.int16)


def graded_against(sketch: Sketch, decisions: Codes) -> Evaluation:
    """Exact evaluation that takes the decisions for the truth."""
    keyed = np.zeros((len(sketch), sketch.n_labels), np.int64)
    decided = decisions != NOT_ANSWERED
    keyed[decided, decisions[decided]] = sketch.counts[decided]
    kept = Sketch(*sketch.axes, sketch.codes[decided], sketch.counts[decided])
    return KeyedSketch(kept, keyed[decided]).evaluation()


def _warnings(read: Patterns, votes: Counts, ties: str) -> tuple[str, ...]:
    sketch = read.sketch
    top = votes == votes.max(1, keepdims=True)
    silent = int(sketch.counts[votes.sum(1) == 0].sum())
    tied = int(sketch.counts[(top.sum(1) > 1) & (votes.sum(1) > 0)].sum())
    missing = int(sketch.missing.sum())
    odd = int(((sketch.codes >= sketch.n_labels).sum(1) * sketch.counts).sum())
    handled = {"undecided": "left undecided", "first": "given the first label in label order"}
    end = handled.get(ties, "settled by a seeded draw")
    counts = {
        f"{how_many(tied, 'item is', 'items are')} tied and {end}.": tied,
        f"{how_many(silent, 'item')} got no vote for any label.": silent,
        f"{how_many(missing, 'vote is', 'votes are')} missing and left out.": missing,
        f"{how_many(odd, 'answer is', 'answers are')} no label and left out.": odd,
    }
    return tuple(sentence for sentence, count in counts.items() if count)


def _check(rule: str, ties: str, seed: int | None) -> None:
    check_choice("rule", rule, RULES)
    check_choice("ties", ties, TIES)
    if (ties == "random") != (seed is not None):
        raise DataError(
            f"seed must be given with ties='random' and only then; got seed={seed!r} with "
            f"ties={ties!r}; pass a whole number or leave it out"
        )


# --- Wawa, worker agreement with aggregate: votes weighed by how often a judge sides with the
# majority.


def wawa(data: Data, *, smoothing: float = 1.0) -> Aggregation:
    """Weigh each judge by its agreement with the majority, and vote again.

    Use it as a reference between the majority and a model: it settles most ties and needs no
    iteration. It assumes that the majority is mostly right; judges that err together give each
    other weight, and a judge worse than chance still counts for its answers, never against them.
    An item whose majority is tied teaches nothing about the judges; an answer that is no label,
    and a missing one, count as no vote.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    smoothing : float
        Votes of weight 1 shared evenly among the labels before shares are taken; see `majority`.

    Returns
    -------
    Aggregation
        `posterior` holds smoothed shares of the weighted votes: (weight for it + smoothing / R) /
        (all weight + smoothing); `evaluation` each judge against the labels found; `parameters` the
        weight of each judge, its share of votes that agree with the majority. Status ok, or
        not_identifiable where no item has a majority, or none is left with a label.

    Raises
    ------
    DataError
        If smoothing is negative.

    Notes
    -----
    Three steps: the majority label of each item; the weight of each judge; the label with most
    weight. Labels are those of crowd-kit's Wawa where nothing is tied.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaab": 5, "bbba": 5, "aabb": 1}, judges=["i", "j", "k", "l"])
    >>> wawa(s).decisions.tolist(), wawa(s).parameters["weight"].tolist()
    ([0, 0, 1], [1.0, 1.0, 1.0, 0.0])
    """
    case = opened("wawa", data, smoothing=smoothing)
    sketch = case.sketch
    first = decide(vote_shares(vote_counts(sketch)))
    if (first == NOT_ANSWERED).all():
        why = "Wawa must see some item with a majority; got none; add judges or use another method"
        return case.refused(why)
    unheard = np.zeros(sketch.n_judges)
    weight = agreement(sketch.codes, sketch.counts, first, sketch.n_labels, unheard)
    return weighted_vote(case, weight, name="Wawa")


def agreement(
    codes: Codes, counts: Sequence[float] | Any, labels: Codes, n_labels: int, unheard: Floats
) -> Floats:
    """Return (N,): share of each judge's votes on decided items that are the item's label.

    A judge without such a vote has its entry of `unheard`.
    """
    rows = np.asarray(counts, float)
    voted = (rows * (labels != NOT_ANSWERED)) @ ((codes >= 0) & (codes < n_labels))
    agreed = sum((rows * (labels == label)) @ (codes == label) for label in range(n_labels))
    result: Floats = np.where(voted > 0, agreed / np.maximum(voted, 1), unheard)
    return result


def weighted_vote(
    case: Case, weight: Floats, *, name: str, end: End | None = None, notes: Sequence[str] = ()
) -> Aggregation:
    """Result of a method that ends in a vote of judges with weights (N,).

    The posterior is the smoothed share of the weight; a refusal where that decides no item.
    """
    sketch = case.sketch
    votes = weighted_counts(sketch.codes, weight, sketch.n_labels)
    posterior = smoothed_shares(votes, case.settings["smoothing"])
    decisions = decide(posterior)
    if (decisions == NOT_ANSWERED).all():
        why = f"{name} must find a label for some item; got ties only; add judges"
        return case.refused(why)
    undecided = int(sketch.counts[decisions == NOT_ANSWERED].sum())
    return finish(
        case,
        message=(
            f"{name} of {how_many(sketch.n_judges, 'judge')} labels {sketch.n_items - undecided} of "
            f"{how_many(sketch.n_items, 'item')}; {undecided} are undecided."
        ),
        posterior=posterior,
        evaluation=graded_against(sketch, decisions).to_floats(),
        end=end or End(),
        notes=[*missing_note(sketch, "they count for no label"), *notes],
        parameters={"weight": weight},
    )


def predict_wawa(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, R) smoothed shares of other votes, weighed by the weights found."""
    weight = np.array(result.parameters["weight"], float)
    votes = weighted_counts(np.asarray(codes), weight, len(result.labels))
    return smoothed_shares(votes, float(result.settings["smoothing"]))


# --- KOS, message passing between items and judges: two labels, and judges that may be adversaries.


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
    case = opened_binary("kos", data, smoothing=smoothing, n_steps=n_steps)
    if case.too_few:
        why = f"KOS must have at least {fewest('kos')} judges who answered; got {case.n_heard}; add judges"
        return case.refused(why)
    weight = _messages(case.votes.astype(np.int16), case.counts, case.settings["n_steps"])
    return weighted_vote(case, weight, name="KOS")


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


# --- MMSR: judges' skills from their pairwise agreement alone, robust to a few judges gone astray.


def mmsr(
    data: Data, *, smoothing: float = 1.0, tol: float = 1e-6, max_iter: int = 2000
) -> Aggregation:
    """Weigh judges by the log-odds of skills that explain how often each two of them agree.

    Use it as a reference where some judges answer at random or against the others. It assumes
    independent errors, one skill per judge whatever the label, and most judges above chance.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    smoothing : float
        Votes of the heaviest judge's weight shared evenly among the labels before shares are
        taken; see `majority`.
    tol, max_iter
        Converged when no product of two skills moves by more than `tol`.

    Returns
    -------
    Aggregation
        MMSR gives labels only: `posterior` holds smoothed shares of the weights, no probabilities;
        a judge of negative weight counts for the labels it did not give. `parameters` holds the
        weights, at most 1 in size. Status ok; not_converged; not_identifiable with fewer than 3
        judges, or where common items do not connect them in an odd circle, or no item is decided.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    Ma and Olshevsky, Adversarial crowdsourcing through robust rank-one matrix completion (2020).
    With C the agreement of two judges, (R C - 1) / (R - 1) has mean s_i s_j. |s| is found by turns,
    each the mean of the ratios left when the F largest and F smallest beyond the present value are
    gone, F = least number of partners / 2 - 1. Signs are those of the leading eigenvector of the
    matrix of signs. A skill s is right with chance p = s (R - 1) / R + 1 / R, its weight
    log((R - 1) p / (1 - p)), s kept 1 / sqrt(items) off its ends.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaab": 5, "bbba": 5, "aabb": 1}, judges=["i", "j", "k", "l"])
    >>> mmsr(s).decisions.tolist(), mmsr(s).parameters["weight"].round(1).tolist()
    ([0, 0, 1], [1.0, 1.0, 1.0, -1.0])
    """
    case = opened("mmsr", data, smoothing=smoothing, max_iter=max_iter, tol=tol)
    sketch = case.sketch
    R = sketch.n_labels
    pairs = pair_tables(sketch.codes, sketch.counts, R)
    together = pairs.sum(axis=(2, 3)) * ~np.eye(len(pairs), dtype=bool)
    answered = together.any(axis=1)
    reason = _refusal(case, together > 0, answered)
    if reason:
        return case.refused(reason)
    alike = np.trace(pairs, axis1=2, axis2=3) / np.maximum(together, 1)
    seen = (together > 0)[np.ix_(answered, answered)]
    X = np.where(seen, (R * alike[np.ix_(answered, answered)] - 1) / (R - 1), 0.0)
    edge = 1 / np.sqrt(sketch.n_items)
    size, end = rank_one(X, seen, edge=edge, **case.run)
    skill = signs(X) * size
    chance = np.clip(skill, edge - 1 / (R - 1), 1 - edge) * (R - 1) / R + 1 / R
    weight = np.zeros(sketch.n_judges)
    weight[answered] = np.log((R - 1) * chance / (1 - chance))
    weight /= max(np.abs(weight).max(), edge)
    end = end._replace(what="The search for skills")
    return weighted_vote(case, weight, name="MMSR", end=end)


def _refusal(case: Case, met: Any, answered: Any) -> str:
    """Return why the pairs settle no skills: only a connected graph with an odd circle does."""
    n, least = case.n_heard, fewest("mmsr")
    if case.too_few or case.sketch.n_labels < 2:
        return f"MMSR must have at least {least} judges and 2 labels; got {n} judges; add some"
    from scipy.sparse.csgraph import connected_components

    twice = np.kron([[0, 1], [1, 0]], met[np.ix_(answered, answered)])
    if len(twice) and connected_components(twice)[0] == 1:
        return ""
    return (
        "MMSR must have judges whose common items connect them in an odd circle; got separate "
        "groups, or two sides; use another method"
    )


# --- Weighted majority vote: each judge counts by the log-odds of its known or guessed quality.


def weighted_majority(
    data: Votes | Sketch | KeyedSketch, *, evaluation: Evaluation | None = None, floor: float = 1e-6
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
    floats = used.to_floats()
    votes = vote_sums(sketch.codes, sketch.n_answers)
    posterior, evidence = naive_bayes(votes, floats, floor=floor)
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
            "assumes errors independent given the true label."
        ),
        posterior=posterior,
        evaluation=floats,
        log_likelihood=float(evidence @ sketch.counts),
        warnings=tuple(_notes(sketch)),
    )


def log_odds_weights(
    evaluation: Evaluation, *, label: object | None = None
) -> tuple[float, Floats, Floats]:
    """Weighted vote for one of two labels: prior log-odds, offsets and weights.

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
    index = 1 if label is None else names.index(str(label))
    floats = evaluation.to_floats()
    logs = floats.confusion[:, [1 - index, index]][:, :, [1 - index, index]]
    shares = floats.prevalence[[1 - index, index]]
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
    """Evaluation of the sketch's judges, in its order."""
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
    for number, answer in enumerate(sketch.answers):
        if answer in evaluation.answers:
            source = evaluation.answers.index(answer)
            confusion[:, :, number] = evaluation.confusion[judges][:, :, source]
    return Evaluation(*sketch.axes, evaluation.prevalence, confusion)


# --- Zero-based skill: the weighted vote repeated, until judges weigh what they agree with it.


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
    case = opened("zero-based-skill", data, smoothing=smoothing, max_iter=max_iter, tol=tol)
    sketch = case.sketch
    if (decide(vote_shares(vote_counts(sketch))) == NOT_ANSWERED).all():
        why = "Zero-based skill must see some item with a majority; got none; add judges"
        return case.refused(why)

    def step(state: tuple[Floats, int]) -> Step:
        weight, made = state
        labels = decide(vote_shares(weighted_counts(sketch.codes, weight, sketch.n_labels)))
        aim = agreement(sketch.codes, sketch.counts, labels, sketch.n_labels, weight)
        rate = 0.5 ** ((made + 1) // policy.STEPS_AT_ONE_RATE)
        following = weight + rate * (aim - weight)
        return Step(following, (following, made + 1), float(np.abs(aim - weight).max()))

    start = np.full(sketch.n_judges, 1 / sketch.n_labels)
    weight, end = iterate(step, (start, 0), n_items=sketch.n_items, **case.run)
    end = end._replace(what="The weighing")
    return weighted_vote(case, weight, name="Zero-based skill", end=end)
