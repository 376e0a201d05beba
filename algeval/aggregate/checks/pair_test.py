"""Are errors independent given the label? Any number of labels, calibrated on drawn exams.

Fit independence, take for every pair of judges what their errors still have in common, and compare
it with the same sums on exams drawn from the fitted judges and fitted again. No law of large
numbers is leaned on, so the p-value holds for sparse tables too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.checks.worst_pairs import WorstPairs
from algeval.aggregate.fitting import Data
from algeval.aggregate.results import Floats
from algeval.data import NOT_ANSWERED, Sketch
from algeval.data.names import Codes
from algeval.data.reading import as_sketch
from algeval.data.settings import check_number, check_whole
from algeval.errors import NotIdentifiableError
from algeval.io.sources import Source, read_data
from algeval.models.independent_fit import Floats as Single
from algeval.models.independent_fit import (
    Laws,
    draw,
    fit,
    generator,
    marked,
    posterior,
    vote_share_start,
)
from algeval.progress import steps
from algeval.result import Result, Status
from algeval.result.wording import how_many

__all__ = ["PairTest", "pair_test"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTest(WorstPairs, Result):
    """Whether pairs of judges err together more, or less, than independent judges would.

    Attributes
    ----------
    status : Status
    p_value : float
        Share of exams of independent judges at least as far from independence as this one. It
        cannot fall below 1 / (replicates + 1).
    n_replicates : int
        Exams it was compared with; fewer than asked for where it was clear earlier that nothing
        is rejected.
    n_scaling : int
        Further exams that gave every pair its centre and spread.
    rejected : bool
        Whether `p_value` is at most `level`.
    pair_z : (N, N) array
        What a pair's errors share, in standard deviations of the drawn exams; of the two kinds
        counted (both wrong; the same answer) the one further from 0.
    pair_correlation : (N, N) array
        Correlation of being wrong left over after the label (given the fitted one).
    """

    schema: ClassVar[str] = "algeval.pair_test/1"

    judges: tuple[str, ...]
    n_items: int
    p_value: float
    n_replicates: int
    n_scaling: int
    level: float
    rejected: bool
    pair_z: Floats
    pair_correlation: Floats
    settings: dict[str, Any] = field(default_factory=dict)


def pair_test(
    data: Source, *, level: float = 0.05, replicates: int = 199, seed: int = 0
) -> PairTest:
    """Test whether judges err independently given the label, on any number of labels.

    Use it before believing any method that assumes independence, above all on few items or many
    labels. Votes left out are allowed and assumed to be left out at random.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is not read. Three judges or more, four where there are two answers.
    level : float
        From which p-value on `rejected` is said.
    replicates : int
        Exams drawn from the fitted independent judges; drawing stops when as many as the level
        allows are as far from independence as this one. A level needs 1 / level of them.
    seed : int

    Returns
    -------
    PairTest

    Raises
    ------
    NotIdentifiableError
        Where so few judges and answers leave nothing to test.
    DataError
        If a setting is out of range.

    Notes
    -----
    For each pair two sums over items are taken, weighed by the posterior of the label: of products
    of "wrong" around its fitted chance, and of products of answers around theirs. They are centred
    and scaled by 100 drawn exams; the statistic is the largest of them, or the sum of their squares,
    whichever stands out more among these. On more than 2,000 items the drawn exams have 2,000 and
    their spread is scaled up. What is drawn depends on the seed and on the votes.

    Independent judges were called dependent at 5% in at most 5.5% of 200 exams each of 300 items
    (2 and 3 labels, 5 judges; 2 labels, 12 judges), 1,000 and 3,000 items (3 labels), and in 1% with
    3 judges of 3 labels. Errors of two judges that correlate by .3, on 300 items with 5 judges of
    accuracy .9, .8, .7, .9, .8, were found in 10%, 57%, 90% and 92% of 40 exams of 2 labels (pairs .9-.9,
    .9-.8, .8-.7, .8-.8) and in 50%, 82%, 98% and 98% of 3 labels. Little more can be had: a likelihood
    ratio that knows the pair, at a tenth of the level for the ten there are, finds 13%, 63%, 97% and
    94%, and 55%, 86%, 97% and 95%. A correlation of .3 among all judges was found on 300 items in 98%
    (3 labels) and 84% (2 labels). In the other direction: one judge who copies another can pass for
    a panel of two good ones.
    """
    data = read_data(data)
    level = check_number("level", level, least=0, most=1, strict=True)
    settings = {
        "replicates": check_whole("replicates", replicates),
        "seed": check_whole("seed", seed, 0),
    }
    sketch = as_sketch(data)
    _check_surplus(sketch)
    rng = generator(settings["seed"], sketch.codes, sketch.counts)
    exam = FittedExam.of(sketch)
    measured = exam.measured()
    scale = _Scale.of(exam.repeated(policy.SCALING_EXAMS, rng), exam)
    size = scale.size(measured, exam.stretch)
    p_value, n_drawn = _sequential(exam, scale, float(size), level, settings["replicates"], rng)
    rejected = p_value <= level
    z = _furthest(scale.z(measured, exam.stretch), sketch.n_judges)
    return PairTest(
        status=Status.OK,
        message=_message(p_value, n_drawn, rejected=rejected),
        judges=sketch.judges,
        n_items=sketch.n_items,
        p_value=p_value,
        n_replicates=n_drawn,
        n_scaling=policy.SCALING_EXAMS,
        level=level,
        rejected=rejected,
        pair_z=z,
        pair_correlation=exam.correlation(measured),
        settings=settings,
    )


def drawn_exams(data: Data, n_exams: int, seed: int = 0) -> Codes:
    """Return (n_exams, Q, N) codes drawn from the independent judges fitted to votes.

    Q is the number of items, at most 2,000; a vote is missing as often, and with the same others.
    """
    sketch = as_sketch(data)
    return FittedExam.of(sketch).drawn(n_exams, generator(seed, sketch.codes, sketch.counts))


def _check_surplus(sketch: Sketch) -> None:
    n, r, a = sketch.n_judges, sketch.n_labels, sketch.n_answers
    parameters = (r - 1) + n * r * (a - 1)
    if r < 2 or float(a) ** n - 1 <= parameters:
        raise NotIdentifiableError(
            f"the test of pairs must have more decision tuples than independent judges have rates; "
            f"got {how_many(n, 'judge')}, {how_many(r, 'label')} and {how_many(a, 'answer')}, which "
            "leave nothing to test; add judges"
        )


class FittedExam(NamedTuple):
    """The votes as rows (1, U, N, A) with their counts (1, U), and the fitted law.

    Exams drawn from it have `most_drawn` items at most.
    """

    votes: Single
    counts: Floats
    answered: NDArray[np.bool_]
    laws: Laws
    most_drawn: int = policy.DRAWN_ITEMS

    @classmethod
    def of(cls, sketch: Sketch) -> FittedExam:
        votes = marked(sketch.codes[None], sketch.n_answers)
        counts = sketch.counts[None].astype(float)
        laws = _fitted(votes, counts, sketch.n_labels, policy.PAIR_FIT)
        return cls(votes, counts, sketch.codes != NOT_ANSWERED, laws)

    @property
    def n_drawn(self) -> int:
        return int(min(self.counts.sum(), self.most_drawn))

    @property
    def stretch(self) -> float:
        """How many times larger the exam is than those drawn."""
        return float(self.counts.sum()) / self.n_drawn

    def measured(self) -> Floats:
        found: Floats = _shared(self.votes, self.counts, self.laws)[0]
        return found

    def repeated(self, n_exams: int, rng: np.random.Generator) -> Floats:
        """Draw so many exams, fit each again, and return (n_exams, 2P) sums."""
        _, _, n, a = self.votes.shape
        n_labels, q = self.laws.prevalence.shape[1], self.n_drawn
        most = max(1, policy.DRAWN_CELLS // (q * n * a))
        found = []
        for first in range(0, n_exams, most):
            size = min(most, n_exams - first)
            votes, counts = _counted(self.drawn(size, rng), a)
            found.append(_shared(votes, counts, _fitted(votes, counts, n_labels, policy.DRAWN_FIT)))
        return np.concatenate(found)

    def drawn(self, n_exams: int, rng: np.random.Generator) -> Codes:
        law = (self.laws.prevalence[0], self.laws.tables[0])
        return draw(*law, self._who_answered(n_exams, rng), n_exams, rng)

    def _who_answered(self, size: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        if self.answered.all():
            return np.ones((1, self.n_drawn, self.answered.shape[1]), bool)
        rows = np.repeat(np.arange(self.counts.size), self.counts[0].astype(int))
        if len(rows) == self.n_drawn:
            return self.answered[rows][None]
        drawn: NDArray[np.bool_] = self.answered[rng.choice(rows, size=(size, self.n_drawn))]
        return drawn

    def correlation(self, measured: Floats) -> Floats:
        """Return (N, N): the sums of "both wrong" as correlations."""
        share = posterior(self.votes, self.laws)[0] * self.counts[0, :, None]
        n, labels = self.answered.shape[1], range(share.shape[1])
        spread = np.zeros((n, n))
        for t in labels:
            right = self.laws.tables[0, t, :, t]
            deviation = np.sqrt(right * (1 - right))
            both = (self.answered * share[:, t, None]).T @ self.answered
            spread += both * np.outer(deviation, deviation)
        products = _square(measured[: len(measured) // 2], n)
        result: Floats = np.divide(products, spread, where=spread > 0, out=np.zeros((n, n)))
        np.fill_diagonal(result, 1.0)
        return result


def _counted(codes: Codes, n_answers: int) -> tuple[Single, Floats]:
    """Return votes and counts of exams (B, Q, N): by distinct tuple where that is shorter."""
    b, q, n = codes.shape
    base = n_answers + 1
    plain = np.ones((1, q))
    if n * np.log2(base) >= policy.PACKED_BITS:
        return marked(codes, n_answers), plain
    packed = (codes + 1).astype(np.int64) @ base ** np.arange(n, dtype=np.int64)
    tuples, place = np.unique(packed, return_inverse=True)
    if len(tuples) >= q:
        return marked(codes, n_answers), plain
    cells = place.reshape(b, q) + len(tuples) * np.arange(b)[:, None]
    counts = np.bincount(cells.ravel(), minlength=b * len(tuples)).reshape(b, -1)
    rows = tuples[:, None] // base ** np.arange(n, dtype=np.int64) % base - 1
    return marked(rows[None], n_answers), counts.astype(float)


def _fitted(votes: Single, counts: Floats, n_labels: int, until: tuple[float, int]) -> Laws:
    return fit(
        votes,
        vote_share_start(votes, n_labels),
        counts,
        pseudo=policy.PAIR_PSEUDO_VOTES,
        tol=until[0],
        max_iter=until[1],
    )


def _shared(votes: Single, counts: Floats, laws: Laws) -> Floats:
    """Return (B, 2P): per pair, sums of products of "right" and of answers, around their chances."""
    share = posterior(votes, laws) * counts[..., None].astype(np.float32)
    given = votes.sum(axis=-1)
    b, (_, _, n, a) = len(share), votes.shape
    right, same = np.zeros((2, b, n, n))
    for t in range(share.shape[2]):
        weight = np.sqrt(share[:, :, t, None])
        for answer in range(a):
            error = votes[..., answer] - laws.tables[:, None, t, :, answer] * given
            error *= weight
            product = error.transpose(0, 2, 1) @ error
            same += product
            if answer == t:
                right += product
    pairs = np.triu_indices(n, 1)
    return np.concatenate([right[:, *pairs], same[:, *pairs]], axis=1).astype(float)


class _Scale(NamedTuple):
    """Centre and spread of every sum, then of the two summaries of all sums."""

    centre: Floats
    spread: Floats
    middle: Floats
    width: Floats

    @classmethod
    def of(cls, sums: Floats, exam: FittedExam) -> _Scale:
        centre, spread = sums.mean(axis=0), sums.std(axis=0, ddof=1)
        still = spread <= policy.ROUNDING * exam.n_drawn
        spread = np.where(still, np.inf, spread)
        first = cls(centre, spread, np.zeros(2), np.ones(2))
        found = first._two(first.z(sums))
        width = np.maximum(found.std(axis=0, ddof=1), policy.ROUNDING)
        return cls(centre, spread, found.mean(axis=0), width)

    def z(self, sums: Floats, stretch: float = 1.0) -> Floats:
        """Return the sums in standard deviations; a sum's spread grows as the root of the items."""
        result: Floats = (sums - self.centre) / (self.spread * np.sqrt(stretch))
        return result

    def size(self, sums: Floats, stretch: float = 1.0) -> Floats:
        """Return the statistic: how far from independence all pairs are."""
        scaled = (self._two(self.z(sums, stretch)) - self.middle) / self.width
        result: Floats = scaled.max(axis=-1)
        return result

    @staticmethod
    def _two(z: Floats) -> Floats:
        return np.stack([np.abs(z).max(axis=-1), np.sqrt((z**2).sum(axis=-1))], axis=-1)


def _sequential(
    exam: FittedExam, scale: _Scale, size: float, level: float, most: int, rng: np.random.Generator
) -> tuple[float, int]:
    """Return the p-value and the exams drawn: until enough are as far off, or all are drawn."""
    enough = max(policy.ENOUGH_AS_FAR, ceil(level * (most + 1)))
    as_far = 0
    firsts = range(0, most, policy.DRAWN_AT_ONCE)
    for n in steps(firsts, "comparing pairs with those of independent judges"):
        batch = min(policy.DRAWN_AT_ONCE, most - n)
        hits = np.cumsum(scale.size(exam.repeated(batch, rng)) >= size)
        reached = np.flatnonzero(as_far + hits >= enough)
        if len(reached):
            drawn = n + int(reached[0]) + 1
            return enough / drawn, drawn
        as_far += int(hits[-1])
    return (as_far + 1) / (most + 1), most


def _furthest(z: Floats, n: int) -> Floats:
    first, second = z.reshape(2, -1)
    return _square(np.where(np.abs(first) >= np.abs(second), first, second), n)


def _square(pairs: Floats, n: int) -> Floats:
    result = np.zeros((n, n))
    result[np.triu_indices(n, 1)] = pairs
    return result + result.T


def _message(p_value: float, n_drawn: int, *, rejected: bool) -> str:
    verdict = (
        "The judges' errors are dependent given the label"
        if rejected
        else "The votes show no dependence beyond the label"
    )
    return (
        f"{verdict} (test of all pairs, p = {p_value:.3g} by {n_drawn} exams drawn from the fitted "
        "independent judges)."
    )
