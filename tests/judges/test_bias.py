"""Whether verdicts depend on a column: fixtures, all arrangements, size where length goes with the truth."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import norm, t

import algeval as ae
from algeval.cli.main import run
from algeval.errors import DataError
from algeval.judges import bias, judge_bias
from algeval.judges.bias import midranks, position_test, shuffled_p, slope
from algeval.judges.intervals import holm
from algeval.result import Status

X = np.array([120, 300, 80, 500, 220, 90, 400, 150, 310, 60, 270, 180.0])
TRUTH = np.repeat([1, 0], 6)
SAID = np.array([0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0.0])


def test_the_fixture(monkeypatch):
    ranks = midranks(X)
    p, method = shuffled_p(ranks[:, None], SAID, TRUTH)
    assert (p, method) == (pytest.approx(5 / 225), "exact")
    assert p == pytest.approx(0.022222, abs=5e-7)
    parts = [(ranks[k] - ranks[k].mean(), SAID[k] - SAID[k].mean()) for k in (TRUTH > 0, TRUTH < 1)]
    top = sum(a @ b for a, b in parts)
    bottom = sum((a @ a) * (b @ b) / 5 for a, b in parts)
    assert (top, bottom) == pytest.approx((1.138889, 0.262346), abs=5e-7)
    assert top / np.sqrt(bottom) == pytest.approx(2.223537, abs=5e-7)
    monkeypatch.setattr(bias, "_ARRANGEMENTS", 0)
    monkeypatch.setattr(bias, "_LARGE", 12)
    p, method = shuffled_p(ranks[:, None], SAID, TRUTH)
    assert (p, method) == (pytest.approx(0.026180, abs=5e-7), "normal")
    value, low, high, _ = slope(ranks, SAID, TRUTH, None, 0.95)
    assert (high - value) / t.ppf(0.975, 9) == pytest.approx(0.436224, abs=5e-7)
    step = np.subtract(*np.quantile(ranks, [0.75, 0.25]))
    assert value == pytest.approx(1.157647, abs=5e-7)
    assert step == pytest.approx(0.458333, abs=5e-7)
    assert [100 * step * v for v in (value, low, high)] == pytest.approx(
        [53.06, 7.83, 98.29], abs=5e-3
    )


def test_the_peers_regression_of_judge_less_truth_gives_its_printed_p():
    """Least squares on ranks with HC3 errors and the normal law: what calls truth's own slope a bias."""
    design = np.stack([np.ones(12), midranks(X)], axis=1)
    inverse = np.linalg.inv(design.T @ design)
    fit = inverse @ design.T @ (SAID - TRUTH)
    left = SAID - TRUTH - design @ fit
    leverage = np.einsum("ij,jk,ik->i", design, inverse, design)
    meat = (design * (left / (1 - leverage))[:, None] ** 2).T @ design
    error = np.sqrt((inverse @ meat @ inverse)[1, 1])
    assert 2 * norm.sf(abs(fit[1]) / error) == pytest.approx(0.081119, abs=5e-7)
    own, low, high, _ = slope(midranks(X), SAID - TRUTH, np.zeros(12, int), None, 0.95)
    assert (own, (high - low) / 2) == pytest.approx((fit[1], t.ppf(0.975, 10) * error))


def test_position_of_pairs_judged_in_both_orders():
    assert position_test(14, 4, 40)[3] == pytest.approx(0.019211, abs=5e-7)
    assert position_test(6, 0, 6)[3] == pytest.approx(0.015625)
    assert position_test(0, 0, 9)[3] == 1
    share, low, high, _ = position_test(14, 4, 40)
    assert share == pytest.approx(0.5 + 10 / 80)
    assert low < share < high


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


@pytest.mark.parametrize("seed", range(12))
def test_exact_p_counts_every_arrangement(seed):
    rng = np.random.default_rng(seed)
    strata = np.array([0] * 4 + [1] * 4)
    groups = rng.integers(0, 3, 8)
    x = midranks(rng.integers(0, 5, 8).astype(float))[:, None]
    if seed % 2:
        x = (groups[:, None] == np.unique(groups)).astype(float)
    j = rng.integers(0, 2, 8).astype(float)
    found = shuffled_p(x, j, strata)

    def statistic(j):
        top, bottom = 0.0, 0.0
        for s in (0, 1):
            a = x[strata == s] - x[strata == s].mean(axis=0)
            b = j[strata == s] - j[strata == s].mean()
            top, bottom = top + a.T @ b, bottom + (a**2).sum(axis=0) * (b**2).sum() / 3
        varied = bottom > 1e-12
        return (np.asarray(top)[varied] ** 2 / bottom[varied]).sum()

    if found is None:
        assert all(
            not np.ptp(j[strata == s]) or not np.ptp(x[strata == s], axis=0).any() for s in (0, 1)
        )
        return
    seen = statistic(j)
    every = [
        statistic(np.array([*a, *b]))
        for a in permutations(j[:4].tolist())
        for b in permutations(j[4:].tolist())
    ]
    assert found == (pytest.approx(np.mean(np.array(every) >= seen - 1e-9)), "exact")


def test_errors_are_those_of_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(0)
    strata, x = rng.integers(0, 2, 60), rng.normal(size=60)
    j = (rng.random(60) < 0.3 + 0.4 * strata).astype(float)
    design = np.column_stack([strata == 0, strata == 1, x]).astype(float)
    fitted = api.OLS(j, design).fit(cov_type="HC3", use_t=True)
    value, low, high, p = slope(x, j, strata, None, 0.95)
    assert value == pytest.approx(fitted.params[2])
    assert (low, high) == pytest.approx(tuple(fitted.conf_int()[2]))
    assert p == pytest.approx(fitted.pvalues[2])


def drawn(rng, n, effect=0.0):
    """A judge right on 90% of passes and 70% of fails; the truth goes with x, the judge by `effect`."""
    x = rng.normal(size=n)
    truth = (rng.random(n) < 1 / (1 + np.exp(-0.8 * x))).astype(int)
    chance = np.where(truth == 1, 0.9, 0.3) + effect * np.sign(x) * 0.1
    return x, truth, (rng.random(n) < chance).astype(float)


def rejected(n, times, effect=0.0, seed=0):
    rng = np.random.default_rng(seed)
    found = [drawn(rng, n, effect) for _ in range(times)]
    p = [shuffled_p(midranks(x)[:, None], j, truth, 1) for x, truth, j in found]
    return sum(one is not None and one[0] <= 0.05 for one in p) / times


def test_a_column_that_goes_with_the_truth_is_no_finding():
    assert rejected(300, 300) <= 0.09  # .05, and three standard errors
    assert rejected(300, 100, effect=1.0) >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 60, 120, 300, 500])
def test_its_size_at_every_number_of_labels(n):
    size = rejected(n, 1000, seed=n)
    print(f"length tied to the truth, no bias, {n} labels: {size:.3f}")
    assert 0.02 <= size <= 0.072


def effect_in_ranks(rng, n, points):
    """A judge right on 90% and 70%, whose verdicts move by so many points over the middle half of x."""
    x = rng.normal(size=n)
    truth = (rng.random(n) < 1 / (1 + np.exp(-0.8 * x))).astype(int)
    chance = np.where(truth == 1, 0.85, 0.35) + 2 * points / 100 * (midranks(x) - 0.5)
    said = rng.random(n) < np.clip(chance, 0, 1)
    words = np.array(["fail", "pass"])
    names = [f"o{k}" for k in range(n)]
    return {"id": names, "x": x.tolist(), "gpt4o": words[said.astype(int)].tolist()} | {
        "human": words[truth].tolist()
    }


def test_how_large_an_effect_could_have_been_seen():
    """One line of numbers without clusters: (1.96 + .84) standard errors, and labels go with the square."""
    table = effect_in_ranks(np.random.default_rng(1), 120, 0.0)
    (line,) = judge_bias(table, "x").lines
    error = (line.high - line.points) / t.ppf(0.975, 117)
    assert line.visible == pytest.approx((1.959964 + 0.841621) * error, rel=1e-5)
    assert line.labels_needed(line.visible / 2) == 480
    assert f"takes about {line.labels_needed():,} labels to be seen" in line.message
    with pytest.raises(DataError, match="points must be"):
        line.labels_needed(0)
    two = judge_bias(table | {"side": ["l", "r"] * 60, "topic": [*"abc"] * 40}).lines
    wide = next(other for other in two if other.by == "x")
    assert wide.visible > line.visible  # three lines share the error
    assert next(other for other in two if other.by == "topic").visible is None


@pytest.mark.slow
@pytest.mark.parametrize("points", [8.4, 15.0])
def test_with_the_labels_that_are_asked_for_the_effect_is_seen_in_four_of_five(points):
    rng = np.random.default_rng(2)
    asked = [
        judge_bias(effect_in_ranks(rng, 150, points), "x").lines[0].labels_needed(points)
        for _ in range(40)
    ]
    n = int(np.median(asked))
    seen = [judge_bias(effect_in_ranks(rng, n, points), "x").lines[0].p <= 0.05 for _ in range(200)]
    print(f"{points:g} points in ranks: {n} labels, seen in {np.mean(seen):.2f}")
    assert 0.7 <= np.mean(seen) <= 0.9


def test_clusters_are_counted_as_clusters():
    """x alike within a prompt, verdicts too: shuffled one by one this finds an effect far too often."""
    rng = np.random.default_rng(0)
    naive = own = 0
    for _ in range(150):
        prompt = np.repeat(np.arange(20), 5)
        x = rng.normal(size=20)[prompt]
        tilt = 1.2 * rng.normal(size=20)[prompt]
        truth = (rng.random(100) < 0.5).astype(int)
        j = (rng.random(100) < 1 / (1 + np.exp(-(2 * truth - 1 + tilt)))).astype(float)
        naive += shuffled_p(midranks(x)[:, None], j, truth, 0)[0] <= 0.05
        own += slope(midranks(x), j, truth, prompt, 0.95)[3] <= 0.05
    assert naive >= 18  # 7.5 would be due
    assert own <= 17


def table(n=120, seed=0):
    rng = np.random.default_rng(seed)
    length = rng.integers(20, 400, n)
    truth = rng.random(n) < 0.6
    tilted = np.where(truth, 0.95, np.where(length > 200, 0.8, 0.05))
    fair = np.where(truth, 0.9, 0.15)
    said = [["fail", "pass"][int(rng.random() < p)] for p in tilted]
    other = [["fail", "pass"][int(rng.random() < p)] for p in fair]
    human = [["fail", "pass"][int(t)] for t in truth]
    return {
        "output_id": [f"o{k}" for k in range(n)],
        "language": [["en", "es", "de"][k % 3] for k in range(n)],
        "tokens": length.tolist(),
        "gpt4o": said,
        "claude": other,
        "human": human,
    }


def test_a_judge_that_passes_long_answers_is_named_and_the_other_is_not():
    found = judge_bias(table())
    assert found.status is Status.OK
    assert found.n_labelled == 120
    first = found.lines[0]
    assert (first.judge, first.by) == ("gpt4o", "tokens")
    assert first.p_adjusted <= 0.01
    assert first.low > 0
    assert first.message.endswith("shown.")
    others = [line for line in found.lines if line.judge == "claude"]
    assert all(line.p_adjusted > 0.05 for line in others)
    assert {line.by for line in found.lines} == {"tokens", "language"}


def test_rows_in_another_order_say_the_same():
    columns = table(90)
    order = np.random.default_rng(1).permutation(90).tolist()
    turned = {name: [cells[k] for k in order] for name, cells in columns.items()}
    one = judge_bias(columns, "tokens").lines
    two = judge_bias(turned, "tokens").lines
    assert [(a.judge, a.by) for a in one] == [(b.judge, b.by) for b in two]
    assert [a.points for a in one] == pytest.approx([b.points for b in two])
    if all(a.method != "permutations" for a in one):
        assert [a.p for a in one] == pytest.approx([b.p for b in two])


def test_without_labels_groups_are_described_and_bias_is_no_word_of_it():
    columns = {name: cells for name, cells in table().items() if name != "human"}
    found = judge_bias(columns, ["language", "tokens"])
    assert found.status is Status.UNDETERMINED
    assert found.lines == ()
    text = found.summary()
    assert "bias" not in text.lower()
    assert "whatever the truth" in text
    spanish = next(g for g in found.groups if g.value == "es")
    rows = [k for k in range(120) if columns["language"][k] == "es"]
    assert spanish.least_wrong == sum(columns["gpt4o"][k] != columns["claude"][k] for k in rows)
    passed = sum(columns["gpt4o"][k] == "pass" for k in rows)
    assert spanish.shares["gpt4o"] == pytest.approx(passed / len(rows))


def test_what_cannot_be_told_is_said():
    columns = table(60)
    with pytest.raises(DataError, match="must name a column of numbers, groups or systems"):
        judge_bias(columns, "colour")
    with pytest.raises(DataError, match="good= must be one of"):
        judge_bias(columns, "tokens", good="great")
    with pytest.raises(DataError, match="at least 10 clusters"):
        judge_bias(columns, "tokens", cluster={f"o{k}": k % 5 for k in range(60)})
    same = judge_bias(columns, {"side": dict.fromkeys(columns["output_id"], "left")})
    assert same.status is Status.UNDETERMINED
    assert "the same on all labelled items" in same.lines[0].message
    perfect = columns | {"gpt4o": columns["human"]}
    line = next(x for x in judge_bias(perfect, "tokens").lines if x.judge == "gpt4o")
    assert "do not vary within a truth class" in line.message
    assert line.p is None
    with pytest.raises(DataError, match="at most 12 groups"):
        judge_bias(columns, {"id": {f"o{k}": f"g{k}" for k in range(60)}})


def test_on_the_command_line(tmp_path, capsys):
    columns = table()
    path = tmp_path / "mine.csv"
    rows = [
        ",".join(columns),
        *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True)),
    ]
    path.write_text("\n".join(rows) + "\n")
    assert run(["judges", str(path), "--by", "tokens"]) == 0
    assert "gpt4o gives 'pass' more or less often" in capsys.readouterr().out
    assert run(["judges", str(path), "--by", "colour"]) == 2
    assert "--by must name a column" in capsys.readouterr().err
    assert run(["judges", str(path), "--by", "all", "--ignore", "human"]) == 1


def test_values_of_a_mapping_are_joined_by_item():
    columns = table(80)
    names = columns["output_id"]
    votes = ae.read_votes(
        {k: columns[k] for k in ("output_id", "gpt4o", "claude")}, item="output_id"
    )
    human = dict(zip(names, columns["human"], strict=True))
    lengths = dict(zip(reversed(names), reversed(columns["tokens"]), strict=True))
    one = judge_bias(votes, {"tokens": lengths}, human=human).lines
    two = judge_bias(columns, "tokens").lines
    assert [(a.judge, a.points) for a in one] == [(b.judge, b.points) for b in two]


def test_position_is_counted_from_pairs_shown_in_both_orders():
    rng = np.random.default_rng(0)
    columns = {name: [] for name in ("question_id", "model_a", "model_b", "gpt4", "swapped")}
    first = second = 0
    for k in range(80):
        better = rng.random() < 0.5  # whether x is
        likes_first = rng.random() < 0.3
        said = []
        for swapped in (False, True):
            x_first = not swapped
            take_first = True if likes_first else x_first == better
            said.append(take_first)
            row = (f"q{k}", "x", "y", "A" if take_first else "B", str(swapped))
            for name, cell in zip(columns, row, strict=True):
                columns[name].append(cell)
        first += all(said)
        second += not any(said)
    columns["flip"] = columns.pop("swapped")
    results = ae.read_results(columns, swap="flip")
    (line,) = judge_bias(results).positions
    assert (line.n_pairs, line.n_first, line.n_second) == (80, first, second)
    assert line.p <= 0.001
    assert line.low > 0.5
    assert "took the answer shown first in both orders" in judge_bias(results).summary()
    one_order = {name: cells[::2] for name, cells in columns.items() if name != "flip"}
    with pytest.raises(DataError, match="needs a column"):
        judge_bias(one_order)
    exchanged = {name: list(cells) for name, cells in columns.items() if name != "flip"}
    for k in range(1, 160, 2):  # the columns of systems in the order shown
        exchanged["model_a"][k], exchanged["model_b"][k] = "y", "x"
    (again,) = judge_bias(exchanged).positions
    assert (again.n_first, again.n_second) == (first, second)


def pairs_in_both_orders(form, n=80, by_place_share=0.2):
    """Rows of pairs judged in both orders, in one of several forms, and what they show by hand."""
    rng = np.random.default_rng(2)
    rows, first, second, wins = [], 0, 0, 0
    systems = ("new", "old") if form == "words of systems" else ("claude", "gpt")
    for k in range(n):
        texts = {s: "word " * int(rng.integers(3, 30)) + f"{s} {k}" for s in systems}
        better = systems[int(rng.random() < 0.5)]
        other = systems[better == systems[0]]
        by_place = rng.random() < by_place_share
        own = [better if rng.random() < 0.8 else other for _ in range(2)]
        said = [shown if by_place else o for shown, o in zip(systems, own, strict=True)]
        first += said == [*systems]
        second += said == [*systems[::-1]]
        wins += said.count(systems[1])
        for turned, winner in enumerate(said):
            shown = systems[::-1] if turned else systems
            exchanged = form in ("exchanged", "names", "words of systems")
            a, b = shown if exchanged else systems
            row = {"prompt_id": f"p{k}", "model_a": a, "model_b": b}
            row |= {"response_a": texts[a], "response_b": texts[b]}
            row |= {} if exchanged else {"swapped": bool(turned)}
            by_name, place, answer = winner, "AB"[winner != shown[0]], "AB"[winner != systems[0]]
            of = {"exchanged": place, "swapped": place, "answers": answer}
            row["gpt4_verdict"] = of.get(form, by_name)
            truth = {"exchanged": "AB"[better != shown[0]], "swapped": "AB"[better != shown[0]]}
            truth["answers"] = "AB"[better != systems[0]]
            row["human_label"] = truth.get(form, better)
            rows.append(row)
    return {name: [row[name] for row in rows] for name in rows[0]}, (first, second), wins / 2 / n


@pytest.mark.parametrize(
    "form", ["exchanged", "swapped", "answers", "names", "names and swapped", "words of systems"]
)
def test_position_and_length_are_counted_by_the_answer_in_whatever_words(form):
    columns, (first, second), wins = pairs_in_both_orders(form)
    results = ae.read_results(columns)
    found = judge_bias(results)
    (line,) = found.positions
    assert (line.n_pairs, line.n_first, line.n_second) == (80, first, second)
    (length,) = found.lengths
    won = wins if length.system == results.systems[1] else 1 - wins
    assert length.win_rate == pytest.approx(won)
    assert length.system in ("gpt", "old", "claude", "new")
    other = judge_bias(ae.read_results(pairs_in_both_orders("exchanged")[0])).lengths[0]
    if "words" not in form:
        assert length.controlled == pytest.approx(other.controlled, abs=1e-9)


def test_where_people_name_the_answer_and_a_judge_may_not_no_line_of_position_is_made():
    columns, _, _ = pairs_in_both_orders("answers", by_place_share=0.6)
    results = ae.read_results(columns)
    assert "human_label" in results.by_answer
    assert "gpt4_verdict" not in results.by_answer
    assert not judge_bias(results).positions


def test_words_that_name_neither_place_nor_system_make_no_line_of_position():
    columns, _, _ = pairs_in_both_orders("exchanged")
    said = {"A": "good", "B": "bad"}
    columns["gpt4_verdict"] = [said[v] for v in columns["gpt4_verdict"]]
    columns["human_label"] = [said[v] for v in columns["human_label"]]
    results = ae.read_results(columns, judges=["gpt4_verdict"], human="human_label")
    assert not judge_bias(results).positions
