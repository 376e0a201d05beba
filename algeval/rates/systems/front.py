"""Is one system better than another? Two of them, or all pairs of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

from algeval.errors import DataError
from algeval.io.sources import Source
from algeval.rates.policy import BELIEFS, LEVEL
from algeval.rates.systems.compare import compare_two
from algeval.rates.systems.question import read_question
from algeval.rates.systems.result import SystemComparison
from algeval.rates.systems.several import Systems, compare_several
from algeval.rates.systems.several_result import SystemsComparison

__all__ = ["compare_systems"]


# which result it is hangs on votes_b alone: the settings are not written three times
@overload
def compare_systems(votes_a: Source, votes_b: Source, **settings: Any) -> SystemComparison: ...


@overload
def compare_systems(
    votes_a: Mapping[str, Source] | Sequence[Source], votes_b: None = None, **settings: Any
) -> SystemsComparison: ...


def compare_systems(  # type: ignore[misc]
    votes_a: Source | Mapping[str, Source] | Sequence[Source],
    votes_b: Source | None = None,
    *,
    label: object = None,
    gold_a: Any = None,
    gold_b: Any = None,
    gold: Any = None,
    cluster: Any = None,
    target: str = "items",
    drawn: str | None = None,
    inclusion: Any = None,
    outputs_a: Any = None,
    outputs_b: Any = None,
    at_least: object = None,
    method: str = "auto",
    level: float = LEVEL,
    names: Sequence[str] | None = None,
    random: int = 0,
    time_limit: float | None = 20.0,
) -> SystemComparison | SystemsComparison:
    """Compare how often two systems' answers to the same items have a label, such as "pass".

    Labels decide and judges sharpen. Without labels there is no verdict however many judges agree: one
    that favours a system cannot be seen in votes, and more judges make the error look smaller. Of more than
    two systems every pair is compared, all intervals right at once, with the ranks that each may have.

    Parameters
    ----------
    votes_a, votes_b : Votes, or tables
        Judges' votes on the answers of each system. Items are joined by id; those of one file alone are
        left out and named. Of several systems {name: votes} or a list, without `votes_b`; settings for two
        (those ending in _a or _b) are left out then.
    label : str
        Whose share is compared.
    gold_a, gold_b : mapping, path, table, Votes or "key", optional
        People's labels of some of the answers of each, as `rate` takes them. Items labelled for both
        count.
    gold : table or "key", optional
        Both at once: a table with columns item, truth_a and truth_b, or the keys of both votes. Of several
        systems a list in their order, {name: labels}, a table with truth_a, truth_b, truth_c ..., or "key".
    cluster : mapping, table or sequence, optional
        Items that belong together, as {item: cluster}, or in the order of A's items. Clusters are the unit
        then; ten at least must have labels.
    target : "items" or "population"
        The difference on these items, or in what they are a sample of.
    drawn : "random", "differing" or "unequal", optional
        How the labelled items were drawn: among all, among those whose outputs differ, or with the
        chances of `inclusion`. Random is assumed, and said, unless there are such chances.
    inclusion : mapping or table, optional
        {item: chance} with which labelled items were drawn, or a table with such a column; by default the
        column "inclusion" of the labels.
    outputs_a, outputs_b : mapping, table or sequence, optional
        What the systems put out. Where both are the same text the difference is 0 for certain.
    at_least : number, mapping, text or Specification, optional
        What is believed of the judges, as `rate` takes it: show what follows if every judge is right on at
        least this share of what it answered, for both systems.
    method : "auto", "strata" or "ppi"
        Strata of the difference of verdicts, or regression on the difference of shares. Auto takes strata
        where they hold: no clusters, no graded labels, one chance per stratum. Choose before looking.
    level : float
        Of the interval.
    names : sequence of str, optional
        What to call the systems; A, B, ... by default.
    random : int
        Seed of the posterior draws.
    time_limit : float or None
        Seconds for proofs of what follows from beliefs; closed forms are always worked out.

    Returns
    -------
    SystemComparison, or of several systems SystemsComparison
        Status ok with an interval; `undetermined` without labels or with too few clusters of them;
        `inconsistent` where the votes contradict `at_least`.

    Raises
    ------
    DataError
        If the files share no item or label, a label is of an unknown item, or a setting is wrong.

    Notes
    -----
    Differences D of labels are 1, 0 or -1. Three strata of the same difference of verdicts, a Dirichlet
    prior of a third each, and unlabelled items drawn from the posterior. A verdict needs six labelled
    differences: with five, no sign test reaches 5%.

    Examples
    --------
    >>> from algeval.data import Votes
    >>> items = [f"q{k}" for k in range(40)]
    >>> a = Votes.from_columns({"j": ["pass"] * 35 + ["fail"] * 5}, items=items)
    >>> b = Votes.from_columns({"j": ["pass"] * 15 + ["fail"] * 25}, items=items)
    >>> compare_systems(a, b, label="pass").verdict
    'NOT DETERMINED'
    >>> gold_a = {q: "pass" for q in items[10:30]}
    >>> gold_b = {q: "pass" if q < "q15" else "fail" for q in items[10:30]}
    >>> compare_systems(a, b, label="pass", gold_a=gold_a, gold_b=gold_b).verdict
    'A BETTER'
    """
    if label is None:
        raise DataError(
            "label must name the label whose share is compared; got none; pass label=, for example 'pass'"
        )
    settings: dict[str, Any] = {
        "cluster": cluster,
        "target": target,
        "at_least": at_least,
        "method": method,
        "random": random,
        "time_limit": time_limit,
    }
    if votes_b is None:
        of_two = (gold_a, gold_b, outputs_a, outputs_b)
        if any(given is not None for given in of_two):
            raise DataError(
                "gold_a, gold_b, outputs_a and outputs_b must come with two systems; got votes_b=None; pass "
                "gold= for several, or both files"
            )
        systems = Systems.of(votes_a, names, label, gold)
        return compare_several(systems, level=level, drawing=(drawn, inclusion), **settings)
    question = read_question(
        votes_a,
        votes_b,
        label,
        golds=(gold_a, gold_b, gold),
        outputs=(outputs_a, outputs_b),
        drawing=(drawn, inclusion),
        level=level,
        names=names or ("A", "B"),
        usual=BELIEFS,
        **settings,
    )
    return compare_two(question)
