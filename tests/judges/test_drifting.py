"""The same items judged twice: figures by hand, bounds by brute force, sets that hold."""

from itertools import product

import numpy as np
import pytest

import algeval as ae
from algeval.data.votes import Texts
from algeval.errors import DataError
from algeval.judges.drifting import anytime_count, exact_count, forecast, labels_to_decide
from algeval.result import Status


def votes(*, items=None, labels="01", **columns):
    return ae.Votes.from_columns(columns, items=items, labels=list(labels))


@pytest.mark.parametrize(
    ("x", "n", "f", "exact", "anytime"),
    [
        (0, 0, 60, (0, 60), (0, 60)),
        (15, 20, 60, (33, 53), (29, 55)),
        (20, 20, 60, (52, 60), (48, 60)),
        (3, 3, 10, (4, 10), (4, 10)),
        (0, 5, 40, (0, 19), (0, 23)),
    ],
)
def test_the_sets_have_the_figures_of_independent_code(x, n, f, exact, anytime):
    assert exact_count(x, n, f, 0.95) == exact
    assert anytime_count(x, n, f, 0.95) == anytime


def test_the_forecast_has_the_figures_of_independent_code():
    more = (10, 20, 40, 60)
    anytime = [forecast(8, 12, 100, m, 0.95, anytime=True) for m in more]
    assert anytime == pytest.approx([0.038248, 0.221561, 0.473088, 0.675189], abs=5e-7)
    exact = [forecast(8, 12, 100, m, 0.95, anytime=False) for m in more]
    assert exact == pytest.approx([0.313232, 0.447220, 0.675118, 0.810447], abs=5e-7)


def test_labels_to_decide_are_the_first_that_reach_four_in_five():
    needed = labels_to_decide(8, 12, 100, 0.95, anytime=True)
    assert forecast(8, 12, 100, needed, 0.95, anytime=True) >= 0.8
    assert forecast(8, 12, 100, needed - 1, 0.95, anytime=True) < 0.8
    assert labels_to_decide(40, 40, 60, 0.95, anytime=True) == 0
    assert labels_to_decide(1, 2, 3, 0.95, anytime=True) == 1


def test_changes_are_those_of_a_table_by_hand():
    items = [f"i{k}" for k in range(1000)]
    old = votes(j=["1"] * 1000, items=items)
    new = votes(j=["0"] * 60 + ["1"] * 940, items=items)
    truth = {f"i{k}": "0" for k in range(15)} | {f"i{k}": "1" for k in range(15, 20)}
    row = ae.drift(old, new, human=truth, good="1").rows[0]
    assert (row.n, row.changed, row.labelled, row.new_right, row.old_right) == (1000, 60, 20, 15, 5)
    assert tuple(row.change) == pytest.approx((0.03, 0.006, 0.046))
    assert (row.anytime.low, row.anytime.high) == pytest.approx(((58 - 60) / 1000, 50 / 1000))
    assert row.pass_rate.value == pytest.approx(-0.06)
    assert row.certain == pytest.approx(((10 - 40) / 1000, (10 + 40) / 1000))
    assert row.verdict == "not decided"
    planned = ae.drift(old, new, human=truth, anytime=False)
    assert planned.rows[0].verdict == "better"
    assert planned.status is Status.OK
    assert ae.drift(new, old, human=truth, anytime=False).rows[0].verdict == "worse"


@pytest.mark.parametrize("seed", range(40))
def test_bounds_are_those_over_all_truths(seed):
    """Answers that are never right, missing ones and labels, against every key."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 6)), int(rng.integers(2, 4))
    labels = [str(t) for t in range(k)]
    pool = [*labels, "none"] if seed % 2 else labels
    columns = [list(rng.choice(pool, n)) for _ in range(2)]
    if seed % 3 == 0:
        columns[0][0] = None
    truth = {f"i{r}": str(rng.choice(labels)) for r in range(n) if rng.random() < 0.3}
    items = [f"i{r}" for r in range(n)]
    old, new = (
        ae.Votes.from_columns({"j": c}, items=items, labels=labels, answers=pool) for c in columns
    )
    row = ae.drift(old, new, human=truth or None).rows[0]
    both = [r for r in range(n) if None not in (columns[0][r], columns[1][r])]
    changes, wrong = [], []
    for key in product(labels, repeat=n):
        right = [sum(c[r] == key[r] for r in both) for c in columns]
        wrong.append(2 * len(both) - sum(right))
        if all(truth.get(items[r], key[r]) == key[r] for r in range(n)):
            changes.append((right[1] - right[0]) / len(both))
    assert row.certain == pytest.approx((min(changes), max(changes)))
    assert row.least_wrong == min(wrong)
    for interval in (row.change, row.anytime):
        assert interval.low >= row.certain[0] - 1e-12
        assert interval.high <= row.certain[1] + 1e-12


@pytest.mark.parametrize("f", [1, 5, 12])
def test_the_exact_set_misses_no_more_than_its_level(f):
    from math import comb

    for n, r in product(range(f + 1), range(f + 1)):
        hit = 0.0
        for x in range(max(0, n - f + r), min(n, r) + 1):
            low, high = exact_count(x, n, f, 0.9)
            hit += (low <= r <= high) * comb(r, x) * comb(f - r, n - x) / comb(f, n)
        assert hit >= 0.9 - 1e-12


@pytest.mark.parametrize("f", [6, 10])
def test_the_anytime_set_misses_at_no_look_with_more_than_its_level(f):
    """Over all orders in which the labels can come, exactly."""
    for r in range(f + 1):
        alive = {0: 1.0}  # chance of x right so far, never missed
        for n in range(f):
            grown = {}
            for x, chance in alive.items():
                for step, left in ((1, r - x), (0, f - r - n + x)):
                    if left > 0:
                        low, high = anytime_count(x + step, n + 1, f, 0.8)
                        if low <= r <= high:
                            grown[x + step] = grown.get(x + step, 0) + chance * left / (f - n)
            alive = grown
        assert sum(alive.values()) >= 0.8 - 1e-12


def test_two_sets_share_the_error_where_both_versions_can_be_wrong():
    rng = np.random.default_rng(3)
    n, missed = 120, {True: 0, False: 0}
    items = [f"i{k}" for k in range(n)]
    for _ in range(60):
        key = rng.integers(0, 3, n)
        old, new = (np.where(rng.random(n) < 0.6, key, rng.integers(0, 3, n)) for _ in range(2))
        drawn = rng.choice(n, 40, replace=False)
        made = [votes(j=list(map(str, v)), items=items, labels="012") for v in (old, new)]
        row = ae.drift(*made, human={items[q]: str(key[q]) for q in drawn}, level=0.8).rows[0]
        true = ((new == key).sum() - (old == key).sum()) / n
        for anytime, interval in ((True, row.anytime), (False, row.change)):
            missed[anytime] += not interval.low - 1e-12 <= true <= interval.high + 1e-12
        assert row.labels_needed is None
    assert max(missed.values()) <= 20  # 60 at 20%: more has a chance below 1%


def test_recall_is_of_labels_drawn_from_all_items_only():
    rng = np.random.default_rng(4)
    key = rng.integers(0, 2, 400)
    old = np.where(rng.random(400) < 0.7, key, 1 - key)
    new = np.where(rng.random(400) < 0.05, 1 - old, old)
    items = [f"i{k}" for k in range(400)]
    tables = [votes(j=list(map(str, v)), items=items) for v in (old, new)]
    everything = {items[q]: str(key[q]) for q in range(400)}
    row = ae.drift(*tables, human=everything).rows[0]
    for t in (0, 1):
        of = key == t
        value = ((new == t) & of).sum() / of.sum() - ((old == t) & of).sum() / of.sum()
        assert row.recall[str(t)].value == pytest.approx(value)
    assert row.verdict in ("better", "worse", "the same")
    flips = {i: label for q, (i, label) in enumerate(everything.items()) if old[q] != new[q]}
    picked = ae.drift(*tables, human=flips)
    assert picked.rows[0].recall == {}
    assert "drawn from all" in " ".join(picked.warnings)
    assert picked.rows[0].change == row.change


def test_items_are_joined_by_id_and_the_rest_counted():
    old = votes(j="0101", items=list("abcd"))
    new = votes(j="1110", items=list("dbxa"))
    result = ae.drift(old, new)
    assert (result.n_items, result.only_before, result.only_after) == (3, 1, 1)
    assert result.rows[0].changed == 0
    assert "one table alone" in result.warnings[0]


def test_rows_without_ids_are_joined_in_order_and_it_is_said():
    old, new = votes(j="0101"), votes(j="0111")
    result = ae.drift(old, new)
    assert result.rows[0].changed == 1
    assert "neither table has item ids" in result.warnings[0]


def test_one_table_can_hold_both_judges():
    both = votes(v1="0101", v2="0111", v3="0000")
    row = ae.drift(both, judges=["v1", "v3"]).rows[0]
    assert (row.before, row.after, row.changed) == ("v1", "v3", 2)
    assert ae.drift(both.select(["v2", "v1"])).rows[0].before == "v2"


def test_nothing_changed_needs_no_label():
    result = ae.drift(votes(j="0101"), votes(j="0101"))
    assert result.status is Status.OK
    assert result.rows[0].verdict == "the same"
    assert result.rows[0].labels_needed == 0
    assert "No verdict changed" in result.summary()


def test_relabelling_and_swapping_mirror_the_change():
    rng = np.random.default_rng(5)
    old, new, key = ("".join(map(str, rng.integers(0, 2, 50))) for _ in range(3))
    truth = {str(k + 1): key[k] for k in range(30)}
    swap = str.maketrans("01", "10")
    forth = ae.drift(votes(j=old), votes(j=new), human=truth).rows[0]
    back = ae.drift(votes(j=new), votes(j=old), human=truth).rows[0]
    other = {i: label.translate(swap) for i, label in truth.items()}
    named = ae.drift(votes(j=old.translate(swap)), votes(j=new.translate(swap)), human=other).rows[
        0
    ]
    assert named.change == forth.change
    assert back.change.low == pytest.approx(-forth.change.high)
    assert back.certain == pytest.approx((-forth.certain[1], -forth.certain[0]))


def test_changed_items_come_in_an_order_that_labels_leave_alone(tmp_path):
    rng = np.random.default_rng(7)
    old = rng.integers(0, 2, 300)
    new = np.where(rng.random(300) < 0.2, 1 - old, old)
    items = [f"i{k}" for k in range(300)]
    tables = [votes(j=list(map(str, v)), items=items) for v in (old, new)]
    order = ae.drift(*tables).to_label
    assert sorted(order) == sorted(f"i{k}" for k in np.flatnonzero(old != new))
    assert list(order) != sorted(order)
    assert order == ae.drift(*tables).to_label
    assert order != ae.drift(*tables, random=1).to_label
    path = tmp_path / "label.csv"
    people = {order[0]: "1", order[1]: "0", order[7]: "1"}
    part = ae.drift(*tables, human=people)
    assert part.to_label == tuple(item for item in order if item not in people)
    part.write(path)
    again = ae.drift(*tables, human=path)
    assert again.people == people
    assert (again.n_labelled, again.rows[0].labelled) == (3, 3)
    assert again.to_label == part.to_label
    assert path.read_text().splitlines()[0] == "item,truth"
    assert len(path.read_text().splitlines()) == 1 + len(order)
    before = path.read_bytes()
    with pytest.raises(DataError, match=r"output must be a new file, or one .* that loses nothing"):
        ae.drift(*tables).write(path)
    again.write(path)
    assert path.read_bytes() == before


def test_the_order_is_random_and_of_items_that_any_judge_changed():
    items = list("abcdef")
    old = votes(x="000000", y="000000", items=items)
    new = votes(x="110000", y="001100", items=items)
    first = [ae.drift(old, new, random=k).to_label[0] for k in range(400)]
    counts = [first.count(item) for item in "abcd"]
    assert sum(counts) == 400
    assert min(counts) > 65  # 100 each: fewer has a chance below 1 in 10,000


def test_a_judge_that_says_one_label_only_is_compared_by_the_labels_of_both():
    items = list("abcd")
    old = votes(j="0101", items=items)
    new = votes(j="1111", items=items, labels="1")
    for first, second, verdict in ((old, new, "better"), (new, old, "worse")):
        row = ae.drift(first, second, human=dict.fromkeys(items, "1")).rows[0]
        assert (row.changed, row.verdict) == (2, verdict)
    key = dict(zip(items, "0111", strict=True))
    assert ae.drift(old, new, human=key).rows[0].verdict == "the same"


def test_the_same_needs_no_more_labels():
    """A set that holds one number only decides, even where one changed item has no label."""
    old, new = votes(j="00", items="ab"), votes(j="11", items="ab")
    row = ae.drift(old, new, human={"a": "1", "b": "0"}).rows[0]
    assert (row.verdict, row.labels_needed) == ("the same", 0)


def test_picked_labels_are_warned_of():
    n = 400
    items = [f"i{k}" for k in range(n)]
    old = ["0"] * (n // 2) + ["1"] * (n // 2)
    new = ["1"] * (n // 2) + ["0"] * (n // 2)
    tables = [votes(j=v, items=items) for v in (old, new)]
    picked = ae.drift(*tables, human={f"i{k}": "1" for k in range(40)})
    assert "no random draw of those that changed" in " ".join(picked.warnings)
    spread = ae.drift(*tables, human={f"i{k}": "1" for k in range(0, n, 10)})
    assert not any("random draw" in line for line in spread.warnings)


def test_unequal_chances_of_labels_are_warned_of(tmp_path):
    items = [f"i{k}" for k in range(40)]
    tables = [votes(j=v, items=items) for v in ("01" * 20, "10" * 20)]
    lines = [f"{item},{0.2 + 0.6 * (k % 2)},1" for k, item in enumerate(items[:10])]
    path = tmp_path / "drawn.csv"
    path.write_text("\n".join(["item,inclusion,truth", *lines]))
    assert "unequal chances" in " ".join(ae.drift(*tables, human=path).warnings)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
def test_ends_of_the_anytime_set_are_those_of_all_numbers_tried(level):
    from math import comb

    for f in range(1, 13):
        for n in range(f + 1):
            for x in range(n + 1):
                # prior over posterior of r: chance of x of n, averaged over 0..f, by that at r
                total = comb(f, n)
                chance = [comb(r, x) * comb(f - r, n - x) / total for r in range(f + 1)]
                mean = sum(chance) / (f + 1)
                kept = [r for r, c in enumerate(chance) if c and mean / c < 1 / (1 - level) + 1e-9]
                assert anytime_count(x, n, f, level) == (kept[0], kept[-1])


def test_ends_of_the_anytime_set_are_quick_for_a_million_changes():
    low, high = anytime_count(700, 1000, 10**6, 0.95)
    assert 600_000 < low < 700_000 < high < 800_000
    assert labels_to_decide(8, 12, 10**6, 0.95, anytime=True) < 2000


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ae.drift(votes(j="01")), "must hold two judges"),
        (lambda: ae.drift(votes(j="01"), votes(j="011")), "must have item ids"),
        (
            lambda: ae.drift(votes(j="01", items="ab"), votes(j="01", items="cd")),
            "an item in common",
        ),
        (
            lambda: ae.drift(votes(a="01", b="01"), votes(c="01", d="01")),
            "a judge in common",
        ),
        (lambda: ae.drift(votes(a="01"), votes(a="01"), judges=["a"]), "name two judges"),
        (
            lambda: ae.drift(votes(a="01"), votes(a="01"), judges=["a", "z"]),
            "must name a judge after",
        ),
        (lambda: ae.drift(votes(a="01"), votes(a="01"), level=2), "level must"),
        (lambda: ae.drift(votes(a=["0", None]), votes(a=[None, "1"])), "both 'a' and 'a' judged"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_sentence(call, message):
    with pytest.raises(ae.DataError, match=message):
        call()


def test_other_outputs_and_other_truths_are_refused():
    cells = {"j": "011"}
    first, second = (ae.Votes.from_columns(cells, items="abc") for _ in range(2))
    object.__setattr__(first, "texts", (Texts("answer", ("one", "two", None)),))
    object.__setattr__(second, "texts", (Texts("answer", ("one", "other", "three")),))
    with pytest.raises(ae.DataError, match="other words on 1 item;"):
        ae.drift(first, second)
    old = ae.Votes.from_columns({"j": "011"}, items="abc", labels=list("01"), key="011")
    new = ae.Votes.from_columns({"j": "011"}, items="abc", labels=list("01"), key="010")
    with pytest.raises(ae.DataError, match="labels must be the same before and after"):
        ae.drift(old, new)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.5, 0.6, 0.8])
@pytest.mark.parametrize("f", [20, 60, 200])
def test_sets_hold_at_every_look(f, share):
    rng = np.random.default_rng(6)
    missed = 0
    for _ in range(1000):
        x = np.cumsum(rng.random(f) < share)
        sets = (anytime_count(int(x[n - 1]), n, f, 0.95) for n in range(1, f + 1))
        missed += any(not low <= x[-1] <= high for low, high in sets)
    assert missed <= 71  # 1,000 at 5%: more has a chance below 0.2%


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3])
def test_whole_runs_hold_at_every_look_and_decide_rightly(k):
    """Labelled in the order shown, with a look after every third label."""
    rng = np.random.default_rng(2)
    n, labels = 400, [str(t) for t in range(k)]
    items = [f"i{q}" for q in range(n)]
    missed = wrong = 0
    for seed in range(300):
        key = rng.integers(0, k, n)
        old = np.where(rng.random(n) < 0.8, key, rng.integers(0, k, n))
        better = np.where(rng.random(n) < 0.5, key, rng.integers(0, k, n))
        new = np.where(rng.random(n) < 0.85, old, better)
        tables = [votes(j=list(map(str, v)), items=items, labels=labels) for v in (old, new)]
        true = ((new == key).sum() - (old == key).sum()) / n
        order = ae.drift(*tables, random=seed).to_label
        people = {item: str(key[int(item[1:])]) for item in order}
        rows = [
            ae.drift(*tables, human=dict(list(people.items())[:m])).rows[0]
            for m in range(2, len(order) + 1, 3)
        ]
        missed += any(not r.anytime.low - 1e-9 <= true <= r.anytime.high + 1e-9 for r in rows)
        said = next((r.verdict for r in rows if r.verdict in ("better", "worse")), None)
        wrong += said is not None and (said == "better") != (true > 0)
    assert missed <= 27  # 300 at 5%: more has a chance below 0.2%
    assert wrong <= 27
