"""The front of `rate`: what is chosen when, and every edge case a user meets."""

from fractions import Fraction

import numpy as np
import pytest

import algeval as ae
from algeval.data import Votes
from algeval.errors import DataError
from algeval.rates.intervals import Strata, exact_ends, exact_only, strata_interval
from algeval.rates.rating import rate, rate_by_labels
from algeval.rates.rungs import Ladder
from algeval.result import Status

N = 200


@pytest.fixture
def ladder():
    """Asked for by the tests that look at rungs; the others do without, for time."""


@pytest.fixture(autouse=True)
def _no_climb(request, monkeypatch):
    if "ladder" in request.fixturenames:
        return

    def nothing(data, label, *, against, target, **others):
        return Ladder(
            status=Status.UNDETERMINED,
            message="Undetermined.",
            label=label,
            target=target,
            against=against,
            n_items=data.n_items,
            judges=data.judges,
            rungs=(),
            low=Fraction(0),
            high=Fraction(1),
            winner=None,
            conclusion_threshold=None,
            possible_up_to=None,
            robustness=None,
        )

    monkeypatch.setattr("algeval.rates.rating.climb", nothing)


def truth(n=N):
    """Seven of ten items pass, in a mixed order."""
    return np.array([(7 * k) % 10 < 7 for k in range(n)])


def judge(wrong_every, n=N):
    """A judge who errs on every so many-th item."""
    flip = np.arange(n) % wrong_every == wrong_every - 1
    return ["pass" if p else "fail" for p in truth(n) ^ flip]


def votes(n=N, **more):
    return ae.Votes.from_columns(
        {"x": judge(5, n), "y": judge(7, n), "z": judge(9, n)},
        items=[f"i{k}" for k in range(n)],
        labels=["fail", "pass"],
        **more,
    )


def labels(rows, n=N):
    return {f"i{k}": "pass" if truth(n)[k] else "fail" for k in rows}


ROWS = range(0, N, 3)


def test_the_default_is_two_strata_of_the_verdict():
    v = votes()
    found = ae.rate(v, "pass", labels(ROWS))
    verdict = (np.array([[c == "pass" for c in judge(w)] for w in (5, 7, 9)]).sum(0) >= 2) * 1
    y, seen = truth()[list(ROWS)], verdict[list(ROWS)]
    counts = Strata.of(
        [(y & (seen == s)).sum() for s in (0, 1)],
        [(seen == s).sum() for s in (0, 1)],
        [(verdict == s).sum() for s in (0, 1)],
    )
    expected = strata_interval(counts)
    assert (found.low, found.rate, found.high) == expected[:3]
    assert (found.method, found.status, found.n_gold) == ("strata", Status.OK, len(ROWS))
    assert found.assumption == "labels drawn at random"
    assert found.lambda_ is None
    assert found.verdict == found.row("labels + judges").against == "above"
    assert found.rho2 == pytest.approx(np.corrcoef(y, seen)[0, 1] ** 2)
    assert found.label_saving[0] < found.rho2 < found.label_saving[1]


@pytest.mark.parametrize("n", [1, 2, 3, 9])
def test_fewer_than_ten_labels_are_taken_alone(n):
    found = ae.rate(votes(), "pass", labels(range(n)))
    k = int(truth()[:n].sum())
    assert found.method == "exact"
    assert (found.rate, found.low, found.high) == (k / n, *exact_ends(k, n, n_items=N))
    assert found.rho2 is found.label_saving is None
    assert "too few labels" in found.message
    assert [row.name for row in found.table if row.answer] == ["labels only"]


def aimless():
    """Judges whose votes have nothing to do with the truth: labels of any kind look drawn at random."""
    columns = {
        j: ["pass" if k % m else "fail" for k in range(N)]
        for j, m in zip("xyz", (2, 3, 3), strict=True)
    }
    return ae.Votes.from_columns(columns, items=votes().items, labels=["fail", "pass"])


def test_no_failures_say_how_many_there_are_at_most():
    passing = [k for k in range(N) if truth()[k]][:40]
    found = ae.rate(aimless(), "pass", labels(passing))
    assert found.method == "exact"
    assert "40 labels, no failures: at most 7.5% failures, at 95%." in found.summary()
    failing = [k for k in range(N) if not truth()[k]][:40]
    assert (
        "40 labels, no passes: at most 7.5% passes"
        in ae.rate(aimless(), "pass", labels(failing)).summary()
    )


def test_two_failures_are_taken_alone_three_are_not():
    passing = [k for k in range(N) if truth()[k]][:40]
    failing = [k for k in range(N) if not truth()[k]]
    methods = [ae.rate(aimless(), "pass", labels(passing + failing[:m])).method for m in (2, 3)]
    assert methods == ["exact", "strata"]


def test_a_constant_panel_is_as_none():
    v = ae.Votes.from_columns({"x": ["pass"] * N}, items=votes().items, labels=["fail", "pass"])
    found = ae.rate(v, "pass", labels(ROWS))
    alone = exact_only(truth()[list(ROWS)] * 1.0, N)
    assert (found.low, found.rate, found.high) == alone[:3]
    assert "says the same of every item" in found.message


def test_a_verdict_without_a_label_is_said():
    v = votes()
    panel = np.array([[c == "pass" for c in judge(w)] for w in (5, 7, 9)]).sum(0) >= 2
    rows = [k for k in range(N) if panel[k]]
    found = ae.rate(v, "pass", labels(rows[:90]))
    told = f"none of the {(~panel).sum()} items whose verdict is not 'pass' has a label"
    assert any(told in warning for warning in found.warnings), found.warnings
    assert found.balance > 3
    assert found.status is Status.UNDETERMINED


def test_items_nobody_judged_are_a_stratum_of_their_own():
    columns = {name: [None] * 50 + judge(w)[50:] for name, w in (("x", 5), ("y", 7), ("z", 9))}
    v = ae.Votes.from_columns(columns, items=votes().items, labels=["fail", "pass"])
    rows = range(0, N, 4)
    found = ae.rate(v, "pass", labels(rows))
    verdict = np.array([[c == "pass" for c in judge(w)] for w in (5, 7, 9)]).sum(0) >= 2
    stratum = np.where(np.arange(N) < 50, -1, verdict)
    y, at = truth()[list(rows)], stratum[list(rows)]
    parts = [(y & (at == s)).sum() for s in (-1, 0, 1)], [(at == s).sum() for s in (-1, 0, 1)]
    expected = strata_interval(Strata.of(*parts, [(stratum == s).sum() for s in (-1, 0, 1)]))
    assert (found.low, found.high) == (expected.low, expected.high)
    assert any("nobody judged 50 items" in warning for warning in found.warnings)


def test_every_item_labelled_has_width_zero():
    found = ae.rate(votes(), "pass", labels(range(N)), target="items")
    assert found.low == found.high == 0.7
    wide = ae.rate(votes(), "pass", labels(range(N)))
    assert (wide.target, wide.labelled_share) == ("population", 0.7)
    assert wide.low < 0.66 < 0.73 < wide.high


@pytest.mark.parametrize(
    ("gold", "words"),
    [
        ({"elsewhere": "pass", "nowhere": "fail"}, "nowhere"),
        ([{"item": "i1", "label": "pass"}, {"item": "i1", "label": "fail"}], "'i1'"),
        ({"i1": "maybe"}, "maybe"),
    ],
)
def test_labels_that_do_not_fit_are_refused_with_their_names(gold, words):
    with pytest.raises(DataError, match=words):
        ae.rate(votes(), "pass", gold)


def test_labels_of_items_without_votes_are_left_out_and_told():
    given = labels(range(20))
    found = ae.rate(votes(), "pass", given | {"nowhere": "fail"})
    assert (found.low, found.high) == (ae.rate(votes(), "pass", given).low, found.high)
    assert found.n_gold == 20
    assert "human: 1 other item: 'nowhere'; left out, as no judge voted on them" in found.warnings


def test_three_labels_take_the_plurality_for_a_verdict():
    cells = [["a", "a", "b"], ["a", "b", "c"], ["b", "b", "a"], ["c", "c", "c"]] * 20
    v = ae.Votes.from_columns({f"j{k}": [row[k] for row in cells] for k in range(3)})
    gold = {item: row[0] for item, row in zip(v.items[:32], cells, strict=False)}
    found = ae.rate(v, "a", gold)
    # only "aab" has a as its plurality, and "abc" has none
    counts = Strata.of([8, 0, 8], [8, 16, 8], [20, 40, 20])
    assert (
        found[:0]
        if False
        else (found.low, found.high)
        == (
            strata_interval(counts).low,
            strata_interval(counts).high,
        )
    )


def test_without_labels_there_is_no_point(ladder):
    found = ae.rate(votes(), "pass")
    assert (found.rate, found.low, found.high) == (None, 0.0, 1.0)
    assert (found.status, found.verdict, found.method) == (
        Status.UNDETERMINED,
        "undetermined",
        "votes",
    )
    assert found.n_gold == 0
    assert found.rho2 is found.label_saving is found.lambda_ is found.balance is None
    assert not any(row.answer for row in found.table)
    assert "not determined by these votes" in found.summary()


def test_a_belief_that_decides_is_an_answer_and_one_that_cannot_be_is_said(ladder):
    found = ae.rate(votes(), "pass", at_least=0.85)
    most = max(np.mean([c == "pass" for c in judge(w)]) for w in (5, 7, 9))
    assert (found.status, found.rate) == (Status.OK, None)
    assert most - 0.15 <= found.low == float(found.row("every judge right on at least 85%").low)
    assert found.verdict == "above"
    assert found.conclusion_threshold < Fraction(85, 100) <= found.possible_up_to
    impossible = ae.rate(votes(), "pass", at_least=1)
    assert impossible.status is Status.INCONSISTENT
    assert impossible.warnings


def test_a_belief_the_labels_refute_is_marked(ladder):
    easy = judge(10**9)
    high = ["pass"] * N
    v = ae.Votes.from_columns({"x": high, "y": high, "z": easy}, labels=["fail", "pass"])
    gold = {str(k + 1): "pass" if truth()[k] else "fail" for k in range(N) if k % 3}
    found = ae.rate(v, "pass", gold, at_least=0.8)
    assert found.row("every judge right on at least 80%").refuted
    assert "REFUTED by your labels" in found.summary()


def test_against_moves_the_words():
    sides = [
        ae.rate(votes(), "pass", labels(ROWS), against=x).verdict
        for x in (0.5, "70%", Fraction(9, 10))
    ]
    assert sides == ["above", "open", "below"]


@pytest.mark.parametrize("method", ["strata", "ppi", "profile", "wilson"])
@pytest.mark.parametrize("target", ["items", "population"])
def test_a_method_that_is_named_is_used(method, target):
    found = ae.rate(votes(), "pass", labels(ROWS), method=method, target=target, predictor="share")
    assert (found.method, found.target) == (method, target)
    assert found.low < 0.7 < found.high
    assert (found.lambda_ is not None) == (method in ("ppi", "wilson"))


def test_a_graded_number_is_regressed_on_from_fifty_labels():
    many, few = (ae.rate(votes(), "pass", labels(range(n)), predictor="share") for n in (60, 49))
    assert (many.method, few.method) == ("ppi", "strata")
    assert "share needs 50 labels" in few.message


def test_labels_against_the_judges_are_warned_of():
    swapped = {i: "fail" if t == "pass" else "pass" for i, t in labels(ROWS).items()}
    found = ae.rate(votes(), "pass", swapped, method="ppi")
    assert found.lambda_ == 0
    assert any("against the judges" in warning for warning in found.warnings)


def test_unequal_chances_are_asked_for_and_used():
    with pytest.raises(DataError, match="needs the chance"):
        ae.rate(votes(), "pass", labels(ROWS), drawn="unequal")
    with pytest.raises(DataError, match="must come with drawn='unequal'"):
        ae.rate(votes(), "pass", labels(ROWS), inclusion={"i0": 0.5})
    chance = dict.fromkeys(labels(ROWS), 0.3) | {"i0": 0.9}
    found = ae.rate(votes(), "pass", labels(ROWS), drawn="unequal", inclusion=chance)
    assert (found.method, found.balance) == ("weighted", None)
    assert found.low < 0.7 < found.high
    with pytest.raises(DataError, match="above 0 and at most 1"):
        ae.rate(votes(), "pass", labels(ROWS), drawn="unequal", inclusion=chance | {"i3": 0.0})


def test_chances_beside_the_labels_are_read():
    rows = [
        {"item": item, "label": label, "inclusion": 0.3 if item != "i0" else 0.9}
        for item, label in labels(ROWS).items()
    ]
    chance = {row["item"]: row["inclusion"] for row in rows}
    told = ae.rate(votes(), "pass", labels(ROWS), drawn="unequal", inclusion=chance)
    read = ae.rate(votes(), "pass", rows)
    assert (read.method, read.low, read.high) == ("weighted", told.low, told.high)
    assert read.assumption == "labels drawn with the chances given"


def test_labels_from_elsewhere_carry_error_rates_over():
    other = votes(100, key=["pass" if p else "fail" for p in truth(100)])
    found = ae.rate(votes(), "pass", other, drawn="elsewhere")
    inside = ae.rate(votes(), "pass", labels(range(100)), drawn="elsewhere")
    assert found.method == inside.method == "transfer"
    assert (found.low, found.rate, found.high) == (inside.low, inside.rate, inside.high)
    assert found.low < 0.7 < found.high
    assert "labels only" not in [row.name for row in found.table]
    with pytest.raises(DataError, match="same judges"):
        ae.rate(votes(), "pass", other.select(judges=["x"]), drawn="elsewhere")
    with pytest.raises(DataError, match="one kind"):
        ae.rate(votes(), "pass", {"i0": "pass", "i1": "pass"}, drawn="elsewhere")


def test_error_rates_that_say_nothing_leave_everything_open():
    coin = ["pass", "fail"] * (N // 2)
    v = ae.Votes.from_columns({"x": coin}, labels=["fail", "pass"])
    gold = {str(k): "pass" if k % 4 < 2 else "fail" for k in range(1, 41)}
    found = ae.rate(v, "pass", gold, drawn="elsewhere")
    assert (found.status, found.low, found.high) == (Status.NOT_IDENTIFIABLE, 0.0, 1.0)


def test_clusters_are_the_unit_of_a_population():
    clusters = [k // 4 for k in range(N)]
    gold = labels(range(0, N, 4))
    found = ae.rate(votes(), "pass", gold, cluster=clusters, target="population")
    assert found.method == "clustered"
    assert "50 of them with labels" in found.message
    assert ae.rate(votes(), "pass", gold, cluster=clusters).method == "strata"
    whole = ae.rate(votes(), "pass", labels(range(60)), cluster=clusters)
    assert whole.method == "clustered"
    few = ae.rate(votes(), "pass", labels(range(32)), cluster=clusters, target="population")
    assert (few.status, few.rate, few.low, few.high) == (Status.UNDETERMINED, None, 0.0, 1.0)
    assert "8 clusters, and 10 are needed" in few.message


def test_scores_are_regressed_on_their_mean():
    rng = np.random.default_rng(0)
    y = truth() * 1.0
    s = ae.Scores.from_columns(
        {"x": 5 + 2 * y + rng.normal(size=N), "y": 50 + 9 * y + rng.normal(size=N)},
        items=votes().items,
    )
    gold = {f"i{k}": int(y[k]) for k in range(60)}
    found = ae.rate(s, gold=gold, predictor="score")
    assert (found.label, found.method) == ("1", "ppi")
    assert found.low < 0.7 < found.high
    assert ae.rate(s, gold=gold).method == "strata"
    with pytest.raises(DataError, match="without labels"):
        ae.rate(s)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"label": "Pass!"}, "did you mean 'pass'"),
        ({"drawn": "anyhow"}, "drawn must be"),
        ({"target": "all"}, "target must be"),
        ({"method": "magic"}, "method must be"),
        ({"level": 1}, "level must"),
        ({"against": 2}, "against must lie from 0 to 1"),
        ({"predictor": "best"}, "predictor must be one of"),
        ({"predictor": [1, 2]}, "one number per item"),
        ({"predictor": {"i0": 1.0}}, "199 items without"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(settings, words):
    with pytest.raises(DataError, match=words):
        ae.rate(**{"votes": votes(), "label": "pass", "gold": labels(ROWS)} | settings)


def test_no_label_means_the_one_that_is_named_like_a_pass():
    given = {"votes": votes(), "gold": labels(ROWS)}
    assert ae.rate(**given).to_dict() == ae.rate(**given, label="pass").to_dict()
    table = {"x": ["a", "b"] * 5, "y": ["b", "b"] * 5}
    for names in ({"a": "1", "b": "2"}, {"a": "good", "b": "yes"}, {"a": "no", "b": "tie"}):
        renamed = {judge: [names[said] for said in column] for judge, column in table.items()}
        with pytest.raises(DataError, match="good must name the label"):
            ae.rate(ae.read_votes(renamed, exact_labels=True))


@pytest.mark.parametrize(
    "settings",
    [
        {"drawn": "elsewhere"},
        {"drawn": "unequal", "inclusion": [1 / 3] * N},
        {"cluster": [k // 2 for k in range(N)], "target": "population"},
    ],
)
def test_a_method_that_another_setting_settles_is_refused(settings):
    with pytest.raises(DataError, match="method must be 'auto' where"):
        ae.rate(votes(), "pass", labels(ROWS), method="strata", **settings)


def test_votes_that_are_missing_are_counted():
    columns = {"x": [None] * 20 + judge(5)[20:], "y": judge(7)}
    v = ae.Votes.from_columns(columns, items=votes().items, labels=["fail", "pass"])
    assert "5.0% of the votes are missing" in ae.rate(v, "pass", labels(ROWS)).summary()


def test_drawing_is_about_labels():
    with pytest.raises(DataError, match="about labels"):
        ae.rate(votes(), "pass", drawn="unequal")


@pytest.mark.parametrize("predictor", ["majority", "verdict", list(range(N))])
def test_predictors_by_name_or_by_number(predictor):
    found = ae.rate(votes(), "pass", labels(ROWS), predictor=predictor, method="ppi")
    assert found.method == "ppi"
    assert found.settings["predictor"] == (predictor if isinstance(predictor, str) else "given")


def test_a_predictor_of_two_values_makes_the_strata():
    marks = {item: 7.5 if k % 2 else 1.5 for k, item in enumerate(votes().items)}
    found = ae.rate(votes(), "pass", labels(ROWS), predictor=marks)
    y, odd = truth()[list(ROWS)], np.array(ROWS) % 2
    counts = Strata.of(
        [(y & (odd == s)).sum() for s in (0, 1)], [(odd == s).sum() for s in (0, 1)], [100, 100]
    )
    assert (found.low, found.high) == strata_interval(counts)[::2][:2]


def test_the_key_of_the_votes_counts_only_when_asked_for():
    keyed = votes(key=["pass" if p else "fail" for p in truth()])
    assert ae.rate(keyed, "pass").status is Status.UNDETERMINED
    assert ae.rate(keyed, "pass", "key").labelled_share == 0.7


def test_a_seed_settles_draws():
    one, same, other = (
        ae.rate(votes(), "pass", labels(ROWS), target="population", random=seed)
        for seed in (0, 0, 1)
    )
    assert (one.low, one.label_saving) == (same.low, same.label_saving)
    assert one.low != other.low


def test_a_result_is_json_with_its_settings():
    found = ae.rate(votes(), "pass", labels(ROWS))
    told = found.to_dict()
    assert told["schema"] == "algeval.rate/1"
    assert told["settings"]["drawn"] == "random"
    assert told["table"][-1]["name"] == "labels + judges"
    assert "these items alone" in found.meaning


def test_counts_say_without_labels_what_votes_say(ladder):
    full = ae.rate(votes(), "pass", at_least="80%")
    for counts in (votes().sketch(), votes().summary()):
        found = ae.rate(counts, "pass", at_least="80%")
        assert (found.low, found.high, found.status) == (full.low, full.high, full.status)
        assert (found.n_items, found.judged) == (full.n_items, full.judged)
    by_sketch, by_votes = (ae.rate(data, "pass").table for data in (votes().sketch(), votes()))
    assert [(row.name, row.low, row.high) for row in by_sketch] == [
        (row.name, row.low, row.high) for row in by_votes
    ]


def test_a_sketch_tells_what_nobody_judged():
    votes = ae.Votes.from_columns({"x": ["pass", None, "fail"], "y": ["pass", None, "pass"]})
    assert "nobody judged 1 item" in ae.rate(votes.sketch(), "pass").warnings[0]


def test_labels_need_votes_and_a_sentence_says_so():
    votes = ae.Votes.from_columns({"x": ["pass", "fail"], "y": ["pass", "pass"]})
    for counts in (votes.sketch(), votes.summary()):
        with pytest.raises(DataError, match="votes must be votes item by item, as labels are"):
            ae.rate(counts, "pass", {"1": "pass"})


@pytest.mark.parametrize("chance", [1.0, 0.01])
def test_chances_by_which_labels_cannot_stand_for_the_items_are_refused(chance):
    votes = ae.Votes.from_columns({"x": ["pass", "fail"] * 50})
    labels = dict.fromkeys(votes.items[:24], "pass") | {"30": "fail"}
    with pytest.raises(ae.DataError, match="must stand for all 100"):
        ae.rate(votes, "pass", labels, drawn="unequal", inclusion=dict.fromkeys(labels, chance))


def test_a_draw_that_happened_on_likely_items_alone_is_answered():
    """Disputed items are ten times as likely as others, of which none came: once in 300 draws of 30."""
    rng = np.random.default_rng(8)
    good, disputed = rng.random(1500) < 0.8, rng.random(1500) < 0.3
    x = np.where(good, "pass", "fail")
    y = np.where(disputed, np.where(good, "fail", "pass"), x)
    votes = ae.Votes.from_columns({"x": x.tolist(), "y": y.tolist()})
    rows = rng.choice(np.flatnonzero(disputed), 26, replace=False)
    labels = {votes.items[k]: str(x[k]) for k in rows}
    asked = {"drawn": "unequal", "inclusion": dict.fromkeys(labels, 0.054), "time_limit": 0}
    found = ae.rate(votes, "pass", labels, **asked)
    assert found.status is Status.OK
    assert found.low <= good.mean() <= found.high


def test_items_picked_because_judges_dispute_them_are_noticed():
    rng = np.random.default_rng(3)
    merit = rng.normal(size=1000)
    judges = {
        f"j{k}": np.where(merit + rng.normal(size=1000) > 0, "pass", "fail") for k in range(5)
    }
    votes = ae.Votes.from_columns({name: said.tolist() for name, said in judges.items()})
    share = np.mean([said == "pass" for said in judges.values()], axis=0)
    truth = np.where(merit > 0, "pass", "fail")
    statuses = []
    for rows in (np.argsort(np.abs(share - 0.5), kind="stable")[:80], rng.permutation(1000)[:80]):
        gold = {votes.items[row]: str(truth[row]) for row in rows}
        found = ae.rate(votes, "pass", gold, time_limit=0)
        statuses.append(found.status)
    assert statuses == [Status.UNDETERMINED, Status.OK]


def picks():
    """The three picks of judges' votes: what all pass, what all fail, what they dispute."""
    rng = np.random.default_rng(8)
    truth = rng.random(600) < 0.7
    right = rng.random((600, 3)) < 0.85
    passed = np.where(right, truth[:, None], ~truth[:, None])
    votes = ae.Votes.from_columns(
        {j: np.where(passed[:, k], "pass", "fail").tolist() for k, j in enumerate("abc")}
    )
    n = passed.sum(axis=1)
    rows = {
        "all pass": np.flatnonzero(n == 3)[:60],
        "all fail": np.flatnonzero(n == 0)[:15],
        "disputed": np.flatnonzero((n == 1) | (n == 2))[:60],
    }
    return votes, truth, rows


@pytest.mark.parametrize("method", ["auto", "wilson", "ppi"])
@pytest.mark.parametrize("pick", ["all pass", "all fail", "disputed"])
def test_picked_labels_decide_nothing(pick, method):
    votes, truth, rows = picks()
    gold = {votes.items[row]: "pass" if truth[row] else "fail" for row in rows[pick].tolist()}
    found = ae.rate(votes, "pass", gold, method=method, against=0.9)
    assert (found.status, found.verdict, found.rate) == (
        Status.UNDETERMINED,
        "undetermined",
        None,
    )
    assert found.low <= truth.mean() <= found.high
    assert found.method == "certain"
    passes = sum(label == "pass" for label in gold.values())
    certain = passes / 600, 1 - (len(gold) - passes) / 600
    assert (found.low, found.high) == pytest.approx(certain)
    head, message, *rest = found.summary().splitlines()
    assert "NOT DETERMINED: these labels were not drawn at random" in head
    assert "standard errors" in message
    assert not any("labels drawn at random" in line for line in rest)
    assert found.effective_size is None


def test_picked_labels_speak_against_no_belief(ladder):
    votes, truth, rows = picks()
    gold = {votes.items[row]: "pass" if truth[row] else "fail" for row in rows["all fail"]}
    found = ae.rate(votes, "pass", gold, time_limit=0)
    assert not any(row.refuted or "graded by" in row.name for row in found.table)


def test_picked_labels_in_clusters_or_with_ties_leave_what_is_certain():
    votes, truth, rows = picks()
    gold = {votes.items[row]: "pass" if truth[row] else "fail" for row in rows["all pass"]}
    tied = gold | {next(iter(gold)): "tie"}
    found = ae.rate(votes, "pass", tied, tie="tie")
    assert found.status is Status.UNDETERMINED
    assert (found.low, found.high) == pytest.approx((59.5 / 600, 1 - 0.5 / 600), abs=0.01)
    chosen = [int(item) - 1 for item in gold]
    clusters = np.arange(600) // 2 + 1000
    for k, row in enumerate(chosen):
        clusters[row] = k // 5
    found = ae.rate(votes, "pass", gold, cluster=clusters)
    passes = sum(label == "pass" for label in gold.values())
    assert found.status is Status.UNDETERMINED
    assert (found.low, found.high) == pytest.approx((passes / 600, 1 - (60 - passes) / 600))
    assert found.balance > 3


def test_grades_that_the_votes_do_not_allow_are_no_random_draw(ladder):
    """Two judges who differ on half of all items, picked where both are right."""
    x = ["pass", "fail"] * 100
    y = ["pass", "fail", "fail", "pass"] * 50
    votes = ae.Votes.from_columns({"x": x, "y": y})
    same = [k for k in range(200) if x[k] == y[k]]
    gold = {votes.items[k]: x[k] for k in same[:40]}
    found = ae.rate(votes, "pass", gold)
    assert found.status is Status.UNDETERMINED
    passes = sum(label == "pass" for label in gold.values())
    assert (found.low, found.high) == pytest.approx((passes / 200, 1 - (40 - passes) / 200))


def test_a_belief_is_contradicted_by_the_judges_grades(ladder):
    """Three judges who err on the same items: the rates of a belief never leave the labels' interval."""
    n = 2000
    truth = np.arange(n) % 10 < 7
    wrong = np.random.default_rng(1).permutation(n)[:560]  # each is right on 72%
    said = truth.copy()
    said[wrong] = ~said[wrong]
    column = np.where(said, "pass", "fail").tolist()
    votes = ae.Votes.from_columns({"a": column, "b": column, "c": column})
    rows = [*wrong[:84].tolist(), *np.flatnonzero(said == truth)[::6][:216].tolist()]
    gold = {votes.items[row]: "pass" if truth[row] else "fail" for row in rows}
    for target in ("items", "population"):
        found = ae.rate(votes, "pass", gold, target=target)
        told = found.row("every judge right on at least 80%")
        assert told.refuted
        assert told.refuted_by.startswith("a right on at most 7")
        assert not found.row("every judge right on at least 70%").refuted
        assert "REFUTED by your labels (a right on at most 7" in found.summary()


def copied(name):
    """Fifty items five times over, whose ids come from name(item, copy)."""
    said = {w: np.repeat(judge(w)[:50], 5).tolist() for w in (5, 7, 9)}
    v = ae.Votes.from_columns(
        {str(w): column for w, column in said.items()},
        items=[name(k, copy) for k in range(50) for copy in range(5)],
    )
    true = np.repeat(truth()[:50], 5)
    return v, {v.items[k]: "pass" if true[k] else "fail" for k in range(0, 250, 3)}


def test_copies_and_unnamed_clusters_are_noticed_by_their_ids():
    v, gold = copied("p{}/{}".format)
    found = ae.rate(v, "pass", gold, target="population")
    told = "250 items come in 50 groups by their ids, as p0/0 and p0/4, which have the same votes"
    assert any(told in line and "--cluster" in line for line in found.remarks), found.remarks
    clusters = [item.split("/")[0] for item in v.items]
    named = ae.rate(v, "pass", gold, target="population", cluster=clusters)
    assert not any("groups by their ids" in line for line in named.remarks)
    assert named.high - named.low > 1.3 * (found.high - found.low)


def test_equal_votes_or_equal_ids_alone_are_no_clusters():
    v, gold = copied("q{1}{0}".format)  # many equal rows, as three judges have eight patterns
    assert not any("groups by their ids" in line for line in ae.rate(v, "pass", gold).remarks)
    mixed = np.random.default_rng(0).permutation(N).tolist()
    ids = [f"p{k % 40}/{k // 40}" for k in mixed]  # groups by id whose votes have nothing in common
    plain = votes()
    named = ae.Votes(tuple(ids), plain.judges, plain.answers, plain.labels, plain.codes)
    gold = {ids[k]: "pass" if truth()[k] else "fail" for k in range(0, N, 3)}
    assert not any("groups by their ids" in line for line in ae.rate(named, "pass", gold).remarks)


def beside_labels(n_labels, name="verdict", *, elsewhere=False, right=0.9, seed=4):
    """Warnings where a column beside two judges gives the labelled items their labels."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 300)
    frame = {"item": [f"q{k}" for k in range(300)]}
    for judge in ("x", "y"):
        said = np.where(rng.random(300) < right, truth, 1 - truth)
        frame[judge] = [["fail", "pass"][v] for v in said]
    rows = set(rng.choice(300, n_labels, replace=False).tolist())
    frame[name] = [
        ["fail", "pass"][truth[k]] if elsewhere or k in rows else None for k in range(300)
    ]
    gold = {"item": [f"q{k}" for k in rows], "label": [["fail", "pass"][truth[k]] for k in rows]}
    found = ae.rate(frame, "pass", gold)
    return [told for told in found.warnings if "is it a judge?" in told]


@pytest.mark.parametrize("name", ["verdict", "Verdict", "decided_2"])
def test_a_column_that_holds_the_labels_beside_them_is_noticed(name):
    (told,) = beside_labels(40, name)
    assert f"column {name!r} agrees with the labels on all 40 labelled items" in told


def test_a_judge_who_is_right_is_taken_for_no_copy():
    assert not beside_labels(40, "z", elsewhere=True)  # a judge who answers all, right on 40
    assert beside_labels(60, "z", elsewhere=True)
    assert not beside_labels(8)


@pytest.mark.parametrize("chosen", ["random", "agreed"])
@pytest.mark.parametrize("seed", range(4))
def test_a_rate_by_labels_is_the_rate_without_the_rows_of_beliefs(seed, chosen, ladder):
    """Numbers and warnings alike; labels of items on which all judges agree are refuted as no random draw."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 400)
    right = rng.random((400, 3)) < [0.6, 0.65, 0.7]
    codes = np.where(right, truth[:, None], 1 - truth[:, None]).astype(np.int16)
    same = np.flatnonzero(right.all(1))
    rows = rng.choice(400, 40, replace=False) if chosen == "random" else same
    key = np.full(400, -1, np.int16)
    key[rows] = truth[rows]
    labels = ("fail", "pass")
    votes = Votes(tuple(map(str, range(400))), ("x", "y", "z"), labels, labels, codes, key)
    whole, short = rate(votes, "pass", "key"), rate_by_labels(votes, "pass")
    names = "status message rate low high verdict n_gold warnings judged remarks method balance"
    for name in names.split():
        assert getattr(short, name) == getattr(whole, name), name
    assert len(short.table) < len(whole.table)
    assert (short.rate is None) is (chosen == "agreed")


def test_prompts_beside_labels_count_once_where_votes_know_none():
    rng = np.random.default_rng(0)
    good = np.repeat(rng.random(100) < 0.7, 4)
    says = {f"j{k}": np.where((rng.random(400) < 0.85) == good, "pass", "fail") for k in range(3)}
    items = [f"o{k}" for k in range(400)]
    votes = ae.Votes.from_columns({j: v.tolist() for j, v in says.items()}, items=items)
    rows = (np.sort(rng.choice(100, 25, replace=False))[:, None] * 4 + np.arange(4)).ravel()
    labels = {
        "item": [items[k] for k in rows],
        "prompt_id": [f"p{k // 4}" for k in rows],
        "label": [("fail", "pass")[int(good[k])] for k in rows],
    }
    rate = ae.rate(votes, "pass", labels)
    cluster = {item: f"p{k // 4}" for k, item in enumerate(items)}
    by_prompt = ae.rate(votes, "pass", labels, cluster=cluster)
    assert (rate.low, rate.high) == pytest.approx((by_prompt.low, by_prompt.high))
    assert "100 labels are of outputs to 25 prompts: each counts once" in " ".join(rate.warnings)
    alone = {"item": labels["item"], "label": labels["label"]}
    assert ae.rate(votes, "pass", alone).method == "strata"
    two = ae.versus(votes, votes, good="pass", human_a=labels, human_b=labels)
    assert two.difference == pytest.approx(0)


def test_a_limit_of_100_percent_is_not_said():
    even = {"x": ["A", "B"] * 20, "y": ["B", "A", "A", "B"] * 10}
    text = ae.rate(ae.Votes.from_columns(even), good="A").summary()
    assert "is impossible)" not in text
