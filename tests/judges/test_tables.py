"""Tables of coverage, size and power that the chapters quote; ``pytest -m slow -s`` prints them.

Others stand beside what they are about: in `test_peers`, `test_drawn`, `test_alt_test`, `test_slices` and
`test_stream`.
"""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy.special import betaincinv
from scipy.stats import binom, hypergeom, norm

import algeval as ae
from algeval.judges.bias import midranks, position_test, shuffled_p, slope
from algeval.judges.drifting import anytime_count, exact_count
from algeval.judges.intervals import (
    ac1,
    balanced,
    clustered_share,
    kappa,
    may_be_best,
    mcnemar,
    quadratic_weights,
    share,
    tango,
)
from algeval.judges.people import People, alt_test
from algeval.judges.unlabelled import rate_at_equal_length
from algeval.rates.intervals import wilson
from tests.judges.test_alt_test import answers
from tests.judges.test_coverage import JUDGES, SHARES, chances

pytestmark = pytest.mark.slow
share_of = cache(share)


def show(title, head, *rows):
    print(f"\n{title}\n  {head}")
    for name, *cells in rows:
        print(
            f"  {name:34}"
            + "  ".join(f"{x:.3f}" if isinstance(x, float) else str(x) for x in cells)
        )


# --- 1. Intervals of the card.


def ends_of(kind, x, n):
    if kind == "mid-p":
        return share_of(x, n)[1:]
    if kind == "Wilson":
        return wilson(x, n)
    add = 0.0 if kind == "Clopper" else 0.5
    low = 0.0 if x == 0 else betaincinv(x + add, n - x + 1 - add, 0.025)
    high = 1.0 if x == n else betaincinv(x + 1 - add, n - x + add, 0.975)
    return low, high


@pytest.mark.parametrize(
    ("n", "rate", "lowest", "mean", "width"),
    [
        (20, 0.5, 0.958, 0.979, 0.376),
        (20, 0.1, 0.978, 0.989, 0.791),
        (50, 0.5, 0.954, 0.974, 0.218),
        (50, 0.03, 0.978, 0.991, 0.832),
        (100, 0.1, 0.959, 0.979, 0.383),
        (200, 0.03, 0.970, 0.982, 0.519),
        (500, 0.1, 0.951, 0.969, 0.148),
    ],
)
def test_recall_of_a_class_of_random_size(n, rate, lowest, mean, width):
    """Exact, over the size of the class and the outcomes."""
    rights = np.array([0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1])
    sizes = binom.pmf(np.arange(n + 1), n, rate)
    sizes[0] = 0
    found = {}
    for kind in ("mid-p", "Wilson", "Jeffreys", "Clopper"):
        cover, wide = np.zeros(9), np.zeros(9)
        for m in np.flatnonzero(sizes > 1e-9).tolist():
            ends = np.array([ends_of(kind, x, m) for x in range(m + 1)])
            chance = binom.pmf(np.arange(m + 1), m, rights[:, None]) * sizes[m] / sizes.sum()
            held = (ends[:, 0] <= rights[:, None]) & (rights[:, None] <= ends[:, 1] + 1e-9)
            cover += (chance * held).sum(axis=1)
            wide += chance @ (ends[:, 1] - ends[:, 0])
        found[kind] = (cover.min(), cover.mean(), wide.mean())
    show(
        f"Recall, {n} labels, share {rate}",
        "lowest mean width",
        *((k, *v) for k, v in found.items()),
    )
    assert found["mid-p"] == pytest.approx((lowest, mean, width), abs=0.0012)
    assert found["Wilson"][0] < found["mid-p"][0]


def agreement_of(found, spared, p):
    cell = np.array(chances(p, found, spared)).reshape(2, 2)
    said = cell[0].sum()
    luck = said * p + (1 - said) * (1 - p)
    pi = (said + p) / 2
    other = 2 * pi * (1 - pi)
    seen = np.trace(cell)
    return cell, ((seen - luck) / (1 - luck), (seen - other) / (1 - other), (found + spared) / 2)


@pytest.mark.parametrize(("n", "draws"), [(50, 1000), (100, 1000), (200, 500), (500, 500)])
def test_kappa_ac1_and_balanced_accuracy(n, draws):
    rng = np.random.default_rng(n)
    held = []
    for p in SHARES:
        for found, spared in JUDGES:
            cell, truths = agreement_of(found, spared, p)
            hits, times = np.zeros(3), np.zeros(3)
            for table in rng.multinomial(n, cell.ravel(), draws).reshape(-1, 2, 2):
                sizes = table.sum(axis=0).tolist()
                recalls = [share_of(int(table[t, t]), sizes[t]) for t in (0, 1)]
                made = [kappa(table), ac1(table), balanced(recalls) if min(sizes) else None]
                for k, (interval, truth) in enumerate(zip(made, truths, strict=True)):
                    if interval is not None:
                        times[k] += 1
                        hits[k] += interval.low - 1e-9 <= truth <= interval.high + 1e-9
            held.append(hits / np.maximum(times, 1))
    held = np.array(held)
    rows = zip(
        ("kappa", "AC1", "balanced accuracy"), held.min(axis=0), held.mean(axis=0), strict=True
    )
    show(f"{n} labels, 18 settings, {draws} draws", "lowest mean", *rows)
    assert (held.min(axis=0) > 0.92).all()
    assert (held.mean(axis=0) > 0.955).all()


@pytest.mark.parametrize("n", [20, 50, 100, 300])
def test_five_levels(n):
    """Flat and skewed truths, three strengths of a judge that errs by neighbours."""
    rng, held, a = np.random.default_rng(n), [], np.arange(5)
    for truth in (np.full(5, 0.2), np.array([0.05, 0.05, 0.1, 0.3, 0.5])):
        for strength in (1.0, 2.0, 4.0):
            near = np.exp(-strength * abs(a[:, None] - a))
            p = near / near.sum(axis=0) * truth
            wanted = []
            for w in (np.eye(5), quadratic_weights(5)):
                luck = p.sum(axis=1) @ w @ p.sum(axis=0)
                wanted.append(((w * p).sum() - luck) / (1 - luck))
            pi = (p.sum(axis=1) + p.sum(axis=0)) / 2
            luck = (pi * (1 - pi)).sum() / 4
            wanted.append((np.trace(p) - luck) / (1 - luck))
            hits = np.zeros(3)
            for table in rng.multinomial(n, p.ravel(), 400).reshape(-1, 5, 5):
                made = (kappa(table), kappa(table, quadratic_weights(5)), ac1(table))
                hits += [i.low <= x <= i.high for i, x in zip(made, wanted, strict=True)]
            held.append(hits / 400)
    held = np.array(held)
    names = ("kappa", "quadratic kappa", "AC1")
    rows = zip(names, held.min(axis=0), held.mean(axis=0), strict=True)
    show(f"Five levels, {n} labels, 6 settings", "lowest mean", *rows)
    assert (held.min(axis=0) > 0.9).all()


def test_shares_in_clusters():
    """Clusters of 1 to 10 rows, 45 cells of 500 draws."""
    rng, rows = np.random.default_rng(1), []
    for alike in (0.05, 0.3, 0.7):
        for p in (0.7, 0.9, 0.97):
            for n_clusters in (8, 15, 30, 80, 200):
                hits = plain = 0
                for _ in range(500):
                    of = np.repeat(np.arange(n_clusters), rng.integers(1, 11, n_clusters))
                    own, shared = rng.random(len(of)), rng.random(n_clusters)[of]
                    right = np.where(rng.random(len(of)) < np.sqrt(alike), shared, own) < p
                    _, low, high = clustered_share(right, of)
                    hits += low <= p <= high
                    _, low, high = share_of(int(right.sum()), len(right))
                    plain += low <= p <= high
                rows.append((hits / 500, plain / 500))
    held = np.array(rows)
    show(
        "Accuracy in clusters, 45 cells",
        "lowest mean",
        ("by clusters", held[:, 0].min(), held[:, 0].mean()),
        ("by rows", held[:, 1].min(), held[:, 1].mean()),
    )
    assert held[:, 0].min() > 0.905
    assert held[:, 1].min() < 0.7


@pytest.mark.parametrize("n", [20, 30, 50, 100])
def test_two_judges_over_every_outcome(n):
    """Coverage of Tango's interval and size of McNemar's mid-p test, exact."""
    cells = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    b, c = np.array(cells).T
    ends = np.array([tuple(tango(x, y, n))[1:] for x, y in cells])
    rejects = np.array([mcnemar(x, y) <= 0.05 for x, y in cells])
    cover, size = [], []
    for differ in (0.02, 0.05, 0.1, 0.2, 0.4):
        for ratio in (0, 0.5, 0.8, 1):
            first, second = differ / (1 + ratio), differ * ratio / (1 + ratio)
            chance = binom.pmf(b, n, first) * binom.pmf(c, n - b, second / (1 - first))
            d = first - second
            cover.append(chance[(ends[:, 0] <= d + 1e-9) & (d - 1e-9 <= ends[:, 1])].sum())
    for differ in np.arange(0.01, 1.005, 0.01):
        size.append(
            (binom.pmf(b + c, n, differ) * binom.pmf(b, np.maximum(b + c, 0), 0.5))[rejects].sum()
        )
    show(
        f"Two judges, {n} labels",
        "lowest mean; largest size, to 40% discordance and to 100%",
        ("Tango", min(cover), float(np.mean(cover))),
        ("McNemar mid-p", max(size[:40]), max(size)),
    )
    assert min(cover) > 0.93
    wanted = {20: (0.039, 0.050), 30: (0.043, 0.049), 50: (0.047, 0.065), 100: (0.049, 0.057)}[n]
    assert (max(size[:40]), max(size)) == pytest.approx(wanted, abs=0.0011)


@pytest.mark.parametrize("equal", [True, False])
@pytest.mark.parametrize(("n_judges", "n"), [(5, 50), (5, 300), (20, 50), (20, 300)])
def test_the_best_judge_stays(n_judges, n, equal):
    """Judges of .80, or spread over 20 points, whose errors go together."""
    rng = np.random.default_rng(n + n_judges)
    rates = np.full(n_judges, 0.8) if equal else np.linspace(0.8, 0.6, n_judges)
    held, sizes = np.zeros(2), np.zeros(2)
    for _ in range(250):
        z = np.sqrt(0.5) * rng.normal(size=(n, 1)) + np.sqrt(0.5) * rng.normal(size=(n, n_judges))
        right = z < norm.ppf(rates)
        for k, guarantee in enumerate((False, True)):
            kept, _ = may_be_best(right, guarantee=guarantee)
            held[k] += kept[0]
            sizes[k] += kept.sum()
    show(
        f"Best of {n_judges}, {n} labels, {'equal' if equal else 'spread'}",
        "holds the first; judges kept",
        ("mid-p", held[0] / 250, sizes[0] / 250),
        ("exact", held[1] / 250, sizes[1] / 250),
    )
    assert held[1] / 250 > 0.93  # .95, and 1.5 standard errors
    assert held[0] / 250 > 0.92


@pytest.mark.parametrize(
    ("m", "n", "eps", "power"),
    [
        *((3, n, 0.1, p) for n, p in ((30, 0.24), (50, 0.34), (100, 0.58), (200, 0.91))),
        *((10, n, 0.1, p) for n, p in ((30, 0.06), (50, 0.13), (100, 0.37), (200, 0.72))),
        *((3, n, 0.2, p) for n, p in ((30, 0.67), (50, 0.86), (100, 1.0))),
    ],
)
def test_power_of_the_alternative_annotator_test(m, n, eps, power):
    """A judge as good as the people, right on 85%."""
    rng, names = np.random.default_rng(m * n), tuple(map(str, range(m)))
    passed = 0
    for _ in range(250):
        table = answers(rng, n, 0.5, [0.85] * (m + 1))
        people = People(names, table[:, :m], table[:, m:], 2)
        passed += alt_test(people, ["j"], "AB", Fraction(str(eps))).row("j").passes
    show(
        "Alternative annotator test, power", "", (f"{m} people, {n} items, eps {eps}", passed / 250)
    )
    assert passed / 250 == pytest.approx(power, abs=0.1)


# --- 3. Bias.


def with_length(rng, n, points):
    """A judge right on 90% and 70%; truth goes with length, verdicts by so many points per quartiles."""
    x = rng.normal(size=n)
    truth = (rng.random(n) < 1 / (1 + np.exp(-0.8 * x))).astype(int)
    chance = np.where(truth == 1, 0.9, 0.3) + points / 100 / 1.349 * x
    return x, truth, (rng.random(n) < np.clip(chance, 0, 1)).astype(float)


def error_regression(x, truth, j):
    """What peers do: whether judge less truth depends on x, by least squares with HC3 errors."""
    return slope(x, j - truth, np.zeros(len(x), int), None, 0.95)


@pytest.mark.parametrize("n", [30, 60, 120, 300, 500])
def test_length_bias_is_shown_and_no_bias_is_not(n):
    rng, draws = np.random.default_rng(n), 200
    rows, found = [], {}
    for points in (0.0, 8.4, 15.7):
        x, truth, j = with_length(np.random.default_rng(0), 200_000, points)
        fitted = slope(midranks(x), j, truth, None, 0.95)
        own = peer = cover = times = 0
        for _ in range(draws):
            x, truth, j = with_length(rng, n, points)
            ranks = midranks(x)
            tested = shuffled_p(ranks[:, None], j, truth, 1)
            own += tested is not None and tested[0] <= 0.05
            regressed = error_regression(x, truth, j)
            peer += regressed is not None and regressed[3] <= 0.05
            line = slope(ranks, j, truth, None, 0.95)
            if line is not None:
                times += 1
                cover += line[1] <= fitted[0] <= line[2]
        found[points] = own / draws, peer / draws, cover / times
        rows.append((f"{points} points", *found[points]))
    show(f"Length, {n} labels", "shown; by regression of judge less truth; interval holds", *rows)
    assert found[0.0][0] <= 0.095  # .05, and three standard errors
    power = {30: 0.14, 60: 0.26, 120: 0.42, 300: 0.75, 500: 0.93}[n]
    assert found[8.4][0] == pytest.approx(power, abs=0.13)
    assert found[15.7][0] > found[8.4][0]
    assert min(f[2] for f in found.values()) > 0.87
    if n >= 300:
        assert found[0.0][1] > 0.5  # bias found where there is none


@pytest.mark.parametrize("n_clusters", [10, 20, 40, 100])
def test_length_in_clusters(n_clusters):
    """x and the judge's mood alike within a prompt of 5; no bias."""
    rng, draws = np.random.default_rng(n_clusters), 400
    own = rows = 0
    for _ in range(draws):
        of = np.repeat(np.arange(n_clusters), 5)
        x, tilt = rng.normal(size=(2, n_clusters))[:, of]
        truth = (rng.random(len(of)) < 0.6).astype(int)
        j = (rng.random(len(of)) < norm.cdf(np.where(truth == 1, 1.28, -0.52) + 0.8 * tilt)).astype(
            float
        )
        line = slope(midranks(x), j, truth, of, 0.95)
        own += line is not None and line[3] <= 0.05
        tested = slope(midranks(x), j, truth, None, 0.95)
        rows += tested is not None and tested[3] <= 0.05
    show(
        "No bias, prompts of 5 outputs",
        "by clusters; by rows",
        (f"{n_clusters} prompts", own / draws, rows / draws),
    )
    assert own / draws <= 0.08
    assert rows / draws > 0.07


@pytest.mark.parametrize("clusters", [False, True])
def test_a_judge_that_does_not_favour_its_family(clusters):
    """Five systems of which two are of its family and worse; each prompt holds all, and is hard or easy."""
    rng, draws, shown = np.random.default_rng(3), 200, 0
    systems = ["gpt-4o", "gpt-3.5", "llama-3", "qwen-2", "mistral-7b"]
    for _ in range(draws):
        hard = np.repeat(rng.normal(size=40), 5)
        system = systems * 40
        rate = np.where(np.char.startswith(system, "gpt"), 0.0, 0.6)
        truth = rng.random(200) < norm.cdf(rate + 0.5 * hard)
        said = rng.random(200) < norm.cdf(np.where(truth, 1.28, -0.52) + 0.7 * hard)
        table = {
            "id": [f"o{k}" for k in range(200)],
            "prompt_id": [f"p{k // 5}" for k in range(200)],
            "system": system,
            "gpt4_judge": np.where(said, "pass", "fail").tolist(),
            "human": np.where(truth, "pass", "fail").tolist(),
        }
        result = ae.judge_bias(table, "family", **({"cluster": "prompt_id"} if clusters else {}))
        shown += result.lines[0].p <= 0.05
    show(
        "Own family, no preference",
        "shown",
        ("by prompts" if clusters else "by outputs", shown / draws),
    )
    assert shown / draws <= 0.095


def test_position_over_every_outcome():
    """n pairs, a share judged inconsistently; size, and power where 75% of those go to the first."""

    def rejected(n, inconsistent, first):
        k = np.arange(n + 1)
        total = 0.0
        for m in k[binom.pmf(k, n, inconsistent) > 1e-12].tolist():
            p = np.array([position_test(x, m - x, n)[3] for x in range(m + 1)])
            total += (
                binom.pmf(m, n, inconsistent) * binom.pmf(k[: m + 1], m, first)[p <= 0.05].sum()
            )
        return float(total)

    sizes = [rejected(200, s, 0.5) for s in (0.1, 0.3, 0.6)]
    powers = [rejected(200, 0.1, 0.75), rejected(50, 0.3, 0.75)]
    show(
        "Position",
        "inconsistent .1 .3 .6; power .1 of 200, .3 of 50",
        ("size, power", *sizes, *powers),
    )
    assert sizes == pytest.approx([0.046, 0.049, 0.049], abs=0.0006)
    assert powers == pytest.approx([0.617, 0.494], abs=0.0006)


def test_a_win_rate_at_equal_length_is_no_rate_of_better_answers():
    """Better answers are longer, the judge does not look at length: the controlled rate is lower."""
    rng, raw, controlled = np.random.default_rng(5), [], []
    for _ in range(100):
        length = rng.normal(size=800)
        better = 0.5 * length + np.sqrt(0.75) * rng.normal(size=800) + 0.5 > 0
        won = np.where(rng.random(800) < 0.16, ~better, better).astype(float)
        raw.append(won.mean())
        controlled.append(
            rate_at_equal_length(won, length - length.mean() + 0.6, np.arange(800))[0]
        )
    show(
        "Wins, no length bias",
        "raw; at equal length",
        ("better on .69", np.mean(raw), np.mean(controlled)),
    )
    assert np.mean(raw) - np.mean(controlled) > 0.03


# --- 6. Drift.


@pytest.mark.parametrize("f", [5, 20, 60])
def test_the_exact_set_of_changed_items(f):
    lowest = 1.0
    for n in range(1, min(f, 40) + 1):
        x = np.arange(n + 1)
        ends = np.array([exact_count(k, n, f, 0.95) for k in x.tolist()])
        for r in range(f + 1):
            held = (ends[:, 0] <= r) & (r <= ends[:, 1])
            lowest = min(lowest, float(hypergeom.pmf(x, f, r, n) @ held))
    show("Exact set of changed items", "lowest", (f"{f} changed, to 40 labels", lowest))
    assert lowest >= 0.95 - 1e-9


@pytest.mark.parametrize("f", [20, 60, 200])
def test_the_set_that_holds_at_every_look(f):
    rng, missed, fixed, draws = np.random.default_rng(f), 0, 0, 300
    any_set, exact_set = cache(anytime_count), cache(exact_count)
    for _ in range(draws):
        r = int(rng.integers(f // 4, 3 * f // 4))
        x = np.cumsum(rng.permutation(np.arange(f) < r)).tolist()
        for k, sets in enumerate((any_set, exact_set)):
            out = any(
                not low <= r <= high
                for n in range(1, f + 1)
                for low, high in [sets(x[n - 1], n, f, 0.95)]
            )
            missed, fixed = missed + (out and k == 0), fixed + (out and k == 1)
    show(
        "Changed items, a look at each label",
        "ever missed; a fixed-number set",
        (f"{f} changed", missed / draws, fixed / draws),
    )
    assert missed / draws <= 0.05
    assert fixed >= missed


@pytest.mark.parametrize(
    ("f", "d", "median"), [(100, 0.7, 33), (100, 0.6, 70), (60, 0.8, 17), (200, 0.6, 104)]
)
def test_labels_until_it_is_decided(f, d, median):
    rng, at = np.random.default_rng(f), []
    sets = cache(anytime_count)
    for _ in range(300):
        x = np.cumsum(rng.random(f) < d).tolist()
        at.append(next((n for n in range(1, f + 1) if 2 * sets(x[n - 1], n, f, 0.95)[0] > f), f))
    show("Labels to a decision", "median", (f"{f} changed, new right on {d}", float(np.median(at))))
    assert np.median(at) == pytest.approx(median, rel=0.15)


@pytest.mark.parametrize(
    ("p0", "drops"), [(0.5, (0.05, 0.1)), (0.8, (0.05, 0.1)), (0.95, (0.05, 0.1))]
)
def test_alarms_of_a_stream(p0, drops):
    """False alarms within 3,000 verdicts, both ways and below; median verdicts to an alarm after a drop."""
    rng, draws = np.random.default_rng(int(100 * p0)), 300
    false = np.zeros(2)
    for k, side in enumerate(("both", "below")):
        for _ in range(draws):
            false[k] += ae.VerdictStream(p0, side=side).update(rng.random(3_000) < p0).alarm
    delays = []
    for drop in drops:
        at = []
        for _ in range(draws):
            stream = ae.VerdictStream(p0, side="below")
            stream.update(rng.random(20_000) < p0 - drop)
            at.append(stream.alarm_at or 20_000)
        delays.append(float(np.median(at)))
    show(
        f"Stream at {p0}",
        "false alarms both, below; median after a drop of .05, .1",
        ("", *(false / draws), *delays),
    )
    assert (false / draws <= 0.07).all()
    assert delays[1] < delays[0] < 1500


@pytest.mark.parametrize("n0", [50, 200, 1000])
def test_a_baseline_that_was_estimated(n0):
    """As counts, and as if the share were the rate."""
    rng, draws = np.random.default_rng(n0), 300
    false = np.zeros(2)
    for _ in range(draws):
        k, verdicts = int(rng.binomial(n0, 0.8)), rng.random(3_000) < 0.8
        for i, baseline in enumerate(((k, n0), min(k / n0, 1 - 1e-6))):
            false[i] += ae.VerdictStream(baseline).update(verdicts).alarm
    show(
        "False alarms of an estimated baseline",
        "as counts; as a rate",
        (f"{n0} verdicts", *(false / draws)),
    )
    assert false[0] / draws <= 0.05
    if n0 == 50:
        assert false[1] / draws > 0.2


def test_the_fast_mode():
    rng, at, found = np.random.default_rng(9), [], []
    for _ in range(60):
        stream = ae.VerdictStream(0.8, mode="fast", side="below", every=1000)
        while not stream.update(rng.random(500) < 0.8).alarm and stream.n < 15_000:
            pass
        at.append(stream.alarm_at or stream.n)
    for _ in range(100):
        stream = ae.VerdictStream(0.8, mode="fast", side="below")
        stream.update(rng.random(6_000) < 0.7)
        found.append(stream.alarm_at or 6_000)
    show(
        "Fast mode at .8",
        "",
        ("mean to a false alarm, every 1,000", float(np.mean(at))),
        ("median after a drop of .1", float(np.median(found))),
    )
    assert np.mean(at) >= 1000
    assert np.median(found) < 300
