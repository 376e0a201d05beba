"""Two designs of judges with hidden states, after CARE's appendices E.10 and E.9.2."""

from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
import pytest

GOOD, CONFOUNDED = np.array([-1, -1, 1, 1]), np.array([-1, 1, -1, 1])


class Design(NamedTuple):
    """Scores (n, N), and what drew them."""

    values: np.ndarray
    weights: np.ndarray
    means: np.ndarray
    noise: np.ndarray
    views: np.ndarray
    state: np.ndarray

    def error(self, means):
        """Frobenius distance of means (N, r) from the true ones, states in the best order."""
        orders = permutations(range(self.means.shape[1]))
        return min(np.linalg.norm(means[:, list(order)] - self.means) for order in orders)


def grouped(seed, n, shares=(0.25, 0.25, 0.25, 0.25)):
    """Draw 12 judges, four in each of three views, and four states.

    Means U(1, 4), drawn anew until those of each view have a smallest singular value of .7. Within a
    view pairs of judges have an entry of .4 in the precision with chance .6; the precision's diagonal,
    1, is raised until no eigenvalue is below .15. Nothing depends across views but through states.
    """
    rng = np.random.default_rng(seed)
    views = np.repeat(range(3), 4)
    means = np.zeros((12, 4))
    while min(np.linalg.svd(means[views == v], compute_uv=False)[-1] for v in range(3)) < 0.7:
        means = rng.uniform(1, 4, (12, 4))
    precision = np.eye(12)
    for v in range(3):
        for i, j in combinations(np.flatnonzero(views == v), 2):
            if rng.random() < 0.6:
                precision[i, j] = precision[j, i] = 0.4
    precision += max(0.0, 0.15 - np.linalg.eigvalsh(precision)[0]) * np.eye(12)
    noise = np.linalg.inv(precision)
    state = rng.choice(4, n, p=shares)
    values = means.T[state] + rng.multivariate_normal(np.zeros(12), noise, n)
    return Design(values, np.array(shares), means, noise, views, state)


def confounded(seed, n, strength, together="both"):
    """Draw 24 judges in three views of eight; good and confounded are +-1, four states alike.

    In each view two judges see the good alone (mean .75 good), five the confounder alone (.85
    strength confounded), one what `together` says; noise is N(0, 1), independent.
    both : .75 good + .85 strength confounded + .5 good confounded
    sum : the same without the last term, so that states are corners of a parallelogram
    """
    rng = np.random.default_rng(seed)
    last = 0.75 * GOOD + 0.85 * strength * CONFOUNDED
    last = last + (0.5 * GOOD * CONFOUNDED if together == "both" else 0)
    view = [0.75 * GOOD] * 2 + [0.85 * strength * CONFOUNDED] * 5 + [last]
    means = np.array(view * 3)
    state = rng.integers(4, size=n)
    values = means.T[state] + rng.normal(size=(n, len(means)))
    return Design(values, np.full(4, 0.25), means, np.eye(24), np.repeat(range(3), 8), state)


@pytest.fixture(scope="session")
def grouped_judges():
    return grouped


@pytest.fixture(scope="session")
def confounded_judges():
    return confounded
