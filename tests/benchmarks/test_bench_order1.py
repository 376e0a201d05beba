"""Order-1 logic against the package that enumerates, and its own limits of time."""

import time
import warnings

import numpy as np
import pytest

from algeval.data import Specification, Summary
from algeval.logic import alarm, threshold

pytestmark = pytest.mark.benchmark


def seconds(function, repeat=3):
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        result = function()
        best = min(best, time.perf_counter() - start)
    return best, result


def peer_alarm(n_items, names, factors):
    """The peer's own alarm; factor f asks accuracy > 1/f."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alarms = pytest.importorskip("ntqr.alarms", exc_type=ImportError)
        short = f"ntqr.r{len(names)}"
        module = pytest.importorskip(f"{short}.evaluations", exc_type=ImportError)
        raxioms = pytest.importorskip(f"{short}.raxioms", exc_type=ImportError)
        axioms = [raxioms.SingleClassifierAxioms(list(names), judge) for judge in ("i", "j")]
        result = alarms.SingleClassifierAxiomsAlarm(
            n_items, axioms, module.SingleClassifierEvaluations
        )
        result.set_safety_specification(factors)
    return result


@pytest.mark.parametrize(
    ("names", "responses"),
    [
        (("a", "b"), [(4, 6), (7, 3)]),
        (("a", "b"), [(1, 9), (8, 2)]),
        (("a", "b"), [(20, 30), (35, 15)]),
        (("a", "b", "c"), [(1, 2, 1), (0, 1, 3)]),
    ],
)
def test_alarm_against_enumeration(names, responses):
    """The same verdict, at least a hundred times sooner with a certificate on top."""
    n_items = sum(responses[0])
    peer = peer_alarm(n_items, names, [2] * len(names))
    data = Summary(["i", "j"], list(names), list(names), np.array(responses), n_items)
    spec = Specification.at_least("1/2", strict=True)
    alarm(data, spec)
    ours, result = seconds(lambda: alarm(data, spec))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs, verdict = seconds(lambda: peer.are_misaligned(responses), repeat=1)
    print(f"\nQ={n_items} R={len(names)}: {ours * 1e3:.2f} ms against {theirs:.3f} s")
    assert result.triggered == verdict
    assert theirs > 100 * ours


def test_threshold_of_a_million_items():
    """Q = 1e6, R = 5, N = 50 costs what Q = 1e3 costs."""
    rng = np.random.default_rng(7)
    times = {}
    for n_items in (10**3, 10**6):
        counts = rng.multinomial(n_items, np.ones(5) / 5, size=50)
        data = Summary(list(map(str, range(50))), list("abcde"), list("abcde"), counts, n_items)
        times[n_items], found = seconds(lambda data=data: threshold(data), repeat=5)
        assert found.exact
    print(f"\nthreshold, 50 judges: {times[10**3] * 1e3:.1f} ms and {times[10**6] * 1e3:.1f} ms")
    assert times[10**6] < 3 * times[10**3]
