"""The watch over verdicts: its figures by hand, batches, restarts, false alarms and delays."""

import json
from itertools import product
from math import log

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from scipy.integrate import quad
from scipy.stats import beta

import algeval as ae
from algeval.judges.stream import WINDOW, detector_evidence, log_evidence

FIXTURE = [int(x) for x in "1101001000" * 3]
BASELINES = (0.01, 0.2, 0.5, 0.8, 0.95, 0.999)


def drawn(rng, n, *rates):
    """Draw n verdicts of each rate, one stretch after another."""
    return np.concatenate([rng.random(n) < p for p in rates])


def test_evidence_has_the_figures_of_independent_code():
    passes = np.cumsum(FIXTURE).astype(float)
    at = np.array([10, 20, 30])
    values = log_evidence(passes[at - 1], at.astype(float), 0.8)
    assert values == pytest.approx([1.819472, 4.406546, 7.455584], abs=5e-7)
    means = detector_evidence(FIXTURE, 0.8)
    assert [means[k - 1] for k in at] == pytest.approx(
        [119.094560, 3448.816426, 113973.804622], abs=5e-7
    )


@pytest.mark.parametrize("p0", [0.2, 0.5, 0.8, 0.95])
def test_evidence_is_the_mixture_over_lower_rates(p0):
    prior = beta(20 * p0, 20 * (1 - p0))
    for n, s in ((1, 0), (7, 3), (30, 30), (40, 12)):
        integral = quad(
            lambda p, n=n, s=s: prior.pdf(p) * (p / p0) ** s * ((1 - p) / (1 - p0)) ** (n - s),
            0,
            p0,
        )[0]
        value = log_evidence(np.array([float(s)]), np.array([float(n)]), p0)[0]
        assert value == pytest.approx(log(integral / prior.cdf(p0)), abs=1e-6)


@pytest.mark.parametrize(
    ("p0", "n", "passes"),
    [(0.02, 20_000, 400), (0.003, 3_000, 0), (0.5, 2_000, 600), (0.995, 20_000, 17_910)],
)
def test_evidence_is_that_of_long_arithmetic(p0, n, passes):
    """Sixty digits, where the incomplete beta function of floats has none left."""
    from mpmath import betainc, log, loggamma, mp, mpf, workdps

    with workdps(60):
        assert mp.dps == 60
        p, s, fails = mpf(p0), passes, n - passes
        a, b = 20 * p, 20 * (1 - p)

        def together(a, b):
            beta_of = loggamma(a) + loggamma(b) - loggamma(a + b)
            return beta_of + log(betainc(a, b, 0, p, regularized=True))

        value = together(a + s, b + fails) - together(a, b) - s * log(p) - fails * log(1 - p)
    found = log_evidence(np.array([float(s)]), np.array([float(n)]), p0)[0]
    assert found == pytest.approx(float(value), abs=1e-8)


@pytest.mark.parametrize("p0", BASELINES)
def test_the_evidence_has_the_mean_one_at_the_baseline_and_less_above(p0):
    n = 8
    for p in (p0, (1 + p0) / 2):
        mean = 0.0
        for verdicts in product((0, 1), repeat=n):
            s = sum(verdicts)
            e = np.exp(log_evidence(np.array([float(s)]), np.array([float(n)]), p0)[0])
            mean += p**s * (1 - p) ** (n - s) * e
        assert mean <= 1 + 1e-9
        if p == p0:
            assert mean == pytest.approx(1)


@pytest.mark.parametrize("passes", [0, 20_000, 500_000])
def test_evidence_is_finite_where_the_beta_function_underflows(passes):
    value = log_evidence(np.array([float(passes)]), np.array([1e6]), 0.4)[0]
    assert np.isfinite(value)
    assert (value > 0) == (passes < 400_000)


@pytest.mark.parametrize("mode", ["anytime", "fast"])
@pytest.mark.parametrize("baseline", [0.8, (160, 200), 0.02, 0.99])
def test_one_by_one_in_batches_and_restarted_are_the_same(baseline, mode):
    rng = np.random.default_rng(5)
    p = baseline if isinstance(baseline, float) else 0.8
    for trial in range(4):
        verdicts = drawn(rng, 450, p, p, p if trial < 2 else rng.random())
        whole, single, parts = (ae.VerdictStream(baseline, mode=mode, every=500) for _ in range(3))
        answer = whole.update(verdicts)
        for verdict in verdicts:
            single.update(verdict)
        left = verdicts
        while len(left):
            k = int(rng.integers(0, 2 * WINDOW))
            parts.update(left[:k])
            left = left[k:]
            parts = ae.VerdictStream.from_dict(json.loads(json.dumps(parts.to_dict())))
        assert whole == single == parts
        assert parts.answer == answer


def test_a_batch_finds_the_first_crossing_that_every_look_would_find():
    rng = np.random.default_rng(6)
    for _ in range(20):
        verdicts = drawn(rng, 150, 0.8, rng.choice([0.4, 0.6, 0.97]))
        stream = ae.VerdictStream(0.8, level=0.9)
        stream.update(verdicts)
        first = None
        for n in range(1, len(verdicts) + 1):
            whole, window = verdicts[:n], (n - 1) // WINDOW
            recent = verdicts[window * WINDOW : n]
            for part, limit in (
                (whole, log(2 / 0.05)),
                (recent, log(2 / 0.05 * np.pi**2 / 6 * (window + 1) ** 2)),
            ):
                for good, p0 in ((part, 0.8), (~part, 1 - 0.8)):
                    e = log_evidence(
                        np.array([float(good.sum())]), np.array([float(len(good))]), p0
                    )
                    if e[0] >= limit and first is None:
                        first = n
        assert stream.alarm_at == first


def test_the_sides_mirror_each_other():
    rng = np.random.default_rng(7)
    for rate in (0.4, 0.6, 0.9):
        verdicts = rng.random(700) < rate
        for mode in ("anytime", "fast"):
            below, above = ae.VerdictStream(0.75, mode=mode), ae.VerdictStream(0.25, mode=mode)
            below.update(verdicts)
            above.update(~verdicts)
            assert below.alarm_at == above.alarm_at
            assert {below.alarm_side, above.alarm_side} in ({None}, {"below", "above"})


@pytest.mark.parametrize("baseline", [0.8, 0.02, 0.995])
def test_false_alarms_stay_under_the_level(baseline):
    rng = np.random.default_rng(8)
    alarms = 0
    for _ in range(100):
        stream = ae.VerdictStream(baseline, level=0.9)
        alarms += stream.update(rng.random(20_000) < baseline).alarm
    assert alarms <= 16  # 100 streams at 10%: more has a chance below 2%


@pytest.mark.parametrize(("rate", "n0"), [(0.8, 50), (0.95, 200), (0.02, 60)])
def test_an_estimated_baseline_raises_no_more_false_alarms(rate, n0):
    rng = np.random.default_rng(9)
    alarms = 0
    for _ in range(100):
        stream = ae.VerdictStream((int(rng.binomial(n0, rate)), n0), level=0.9)
        alarms += stream.update(rng.random(5_000) < rate).alarm
    assert alarms <= 16


def test_a_late_change_is_seen_by_the_windows():
    rng = np.random.default_rng(10)
    delays = []
    for _ in range(40):
        stream = ae.VerdictStream(0.8, side="below")
        stream.update(drawn(rng, 20_000, 0.8, 0.55))
        delays.append(stream.alarm_at - 20_000)
    assert np.median(delays) < 3 * WINDOW  # all verdicts together need over a thousand


def test_the_fast_mode_waits_long_for_a_false_alarm_and_is_fast():
    rng = np.random.default_rng(11)
    at = []
    for _ in range(40):
        stream = ae.VerdictStream(0.8, mode="fast", every=300)
        while not stream.update(rng.random(100) < 0.8).alarm and stream.n < 20_000:
            pass
        at.append(stream.alarm_at or stream.n)
    assert np.mean(at) >= 300
    quick = ae.VerdictStream(0.8, mode="fast")
    quick.update(drawn(rng, 2_000, 0.8, 0.4))
    assert quick.alarm


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.02, 0.5, 0.8, 0.95, 0.995])
@pytest.mark.parametrize("n0", [None, 50, 200, 1000])
def test_false_alarms_of_long_streams(rate, n0):
    rng = np.random.default_rng(12)
    alarms = 0
    for _ in range(500):
        baseline = rate if n0 is None else (int(rng.binomial(n0, rate)), n0)
        alarms += ae.VerdictStream(baseline).update(rng.random(30_000) < rate).alarm
    print(f"30,000 verdicts at {rate}, baseline of {n0}: {alarms / 500:.3f}")
    assert alarms <= 40  # 500 at 5%: more has a chance below 0.2%


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ae.VerdictStream(1), "baseline must lie between 0 and 1"),
        (lambda: ae.VerdictStream(0), "baseline must lie between 0 and 1"),
        (lambda: ae.VerdictStream(1.2), "baseline must be"),
        (lambda: ae.VerdictStream("0.8"), "baseline must be"),
        (lambda: ae.VerdictStream(float("nan")), "baseline must be"),
        (lambda: ae.VerdictStream((5, 4)), "passes first"),
        (lambda: ae.VerdictStream((5,)), "a rate or"),
        (lambda: ae.VerdictStream((0, 9), side="below"), "watch the other side"),
        (lambda: ae.VerdictStream(0.8, side="down"), "side must be one of"),
        (lambda: ae.VerdictStream(0.8, mode="quick"), "mode must be one of"),
        (lambda: ae.VerdictStream(0.8, level=1), "level must"),
        (lambda: ae.VerdictStream(0.8).update("pass"), "verdict must be True or False"),
        (lambda: ae.VerdictStream(0.8).update(None), "verdict must be True or False"),
        (lambda: ae.VerdictStream(0.8).update(0.5), "verdict must be True or False"),
        (lambda: ae.VerdictStream(0.8).update([1, float("nan")]), "verdict must be True or False"),
        (lambda: ae.VerdictStream(0.8).update([[1, 0]]), "2 dimensions"),
        (lambda: ae.VerdictStream.from_dict({}), "schema must be"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_sentence(call, message):
    with pytest.raises(ae.DataError, match=message):
        call()


def test_a_document_that_was_cut_short_or_changed_is_refused():
    document = ae.VerdictStream(0.8, mode="fast").to_dict()
    for change in ({"passes": 3}, {"sums": []}, {"sums": [[float("inf")] * 5] * 2}):
        with pytest.raises(ae.DataError, match="was the file changed"):
            ae.VerdictStream.from_dict(document | change)
    del document["n"]
    with pytest.raises(ae.DataError, match="cut short"):
        ae.VerdictStream.from_dict(document)


def test_a_refused_batch_adds_nothing_and_an_alarm_stays():
    stream = ae.VerdictStream(0.9)
    with pytest.raises(ae.DataError):
        stream.update([1, 0, 2])
    assert stream.n == 0
    assert stream.update([0] * 30).alarm
    at = stream.alarm_at
    assert stream.update(np.ones(5000, bool)).at == at
    assert "Alarm at verdict" in stream.message
    assert stream.update([]).n == 5030


def test_a_saved_stream_is_of_its_schema():
    valid = Draft202012Validator(ae.schema("verdict-stream")).is_valid
    for stream in (ae.VerdictStream(0.8), ae.VerdictStream((8, 10), mode="fast")):
        stream.update([1, 0, 1])
        assert valid(stream.to_dict())
        assert not valid(stream.to_dict() | {"n": "no"})
