"""Leaderboards from tables: what is read, what is refused, and what is on one scale."""

import json
from fractions import Fraction
from math import inf, isnan

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.rates.leaderboards import equal_chance, leaderboard, swept_end
from algeval.result import Status

NAMES = ("a", "b", "c", "d")


def rows(*battles, **more):
    """One row each of "first second winner"."""
    named = [
        dict(zip(("model_a", "model_b", "winner"), battle.split(), strict=True))
        for battle in battles
    ]
    return [row | {name: cells[k] for name, cells in more.items()} for k, row in enumerate(named)]


def many(seed=0, n_prompts=60, order=0.0):
    rng = np.random.default_rng(seed)
    found = []
    for prompt in range(n_prompts):
        for i in range(4):
            for j in range(4):
                if i != j:
                    p = 1 / (1 + np.exp(-0.4 * (j - i) - order))
                    winner = "tie" if rng.random() < 0.2 else NAMES[i if rng.random() < p else j]
                    found.append(
                        {
                            "prompt": f"p{prompt}",
                            "model_a": NAMES[i],
                            "model_b": NAMES[j],
                            "winner": winner,
                        }
                    )
    return found


def test_a_leaderboard_says_who_may_be_first_and_what_it_rests_on():
    found = leaderboard(many())
    assert found.status is Status.OK
    assert found.systems == NAMES
    assert found.message == "a is first of 4 systems, at 95% for all ranks together."
    assert found.rank_sets["a"] == (1, 1)
    assert found.ranks == {"a": 1, "b": 2, "c": 3, "d": 4}
    assert (found.n_battles, found.n_clusters, found.cluster) == (720, 60, "prompt")
    assert found.warnings == ()
    assert sum(found.ratings.values()) == pytest.approx(0, abs=1e-12)
    for row in found.table:
        assert row.low < row.rating < row.high
        assert row.elo - 1000 == pytest.approx(row.rating * 400 / np.log(10))
        assert row.battles == row.wins + row.losses + row.ties == 360
    told = found.summary()
    assert "720 battles, 60 clusters by prompt" in told
    assert "only human labels can show that" in told
    assert (
        json.loads(json.dumps(found.to_dict(), allow_nan=False))["schema"]
        == "algeval.leaderboard/1"
    )


def test_new_names_and_another_order_of_rows_change_nothing_else():
    plain = leaderboard(many())
    new = dict(zip(NAMES, ("z", "y", "x", "w"), strict=True)) | {"tie": "tie"}
    renamed = [
        {k: new[v] if k != "prompt" else f"other {v}" for k, v in row.items()}
        for row in many()[::-1]
    ]
    found = leaderboard(renamed)
    assert found.systems == tuple(new[name] for name in plain.systems)
    for one, other in zip(plain.table, found.table, strict=True):
        assert other.rating == pytest.approx(one.rating, abs=1e-9)
        assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=1e-9)
        assert (other.best_rank, other.worst_rank) == (one.best_rank, one.worst_rank)


@pytest.mark.parametrize("seed", range(30))
def test_ranks_of_few_battles_do_not_hang_on_the_order_of_the_rows(seed):
    rng = np.random.default_rng(seed)
    battles = []
    for k in range(25):
        i, j = rng.choice(4, 2, replace=False)
        winner = NAMES[i if rng.random() < 1 / (1 + np.exp(j - i)) else j]
        battles.append((f"p{k}", NAMES[i], NAMES[j], winner))
    columns = ("prompt", "model_a", "model_b", "winner")
    table = [dict(zip(columns, battle, strict=True)) for battle in battles]
    found, turned = leaderboard(table), leaderboard(table[::-1])
    assert found.rank_sets == turned.rank_sets


def test_exchanged_columns_are_the_same_battles():
    turned = [row | {"model_a": row["model_b"], "model_b": row["model_a"]} for row in many()]
    one, other = leaderboard(many()), leaderboard(turned)
    assert list(other.ratings.values()) == pytest.approx(list(one.ratings.values()), abs=1e-9)


def test_the_same_votes_twice_on_a_prompt_say_nothing_more():
    """Five copies of each vote leave every interval as it was, and as battles they would narrow it."""
    once, often = leaderboard(many()), leaderboard(many() * 5)
    assert list(often.high.values()) == pytest.approx(list(once.high.values()), abs=1e-9)
    alone = [{k: v for k, v in row.items() if k != "prompt"} for row in many()]
    wide, narrow = leaderboard(alone), leaderboard(alone * 5)
    assert narrow.warnings[0].startswith("battles are taken as independent")
    ratio = (wide.high["a"] - wide.ratings["a"]) / (narrow.high["a"] - narrow.ratings["a"])
    assert ratio == pytest.approx(5**0.5, rel=0.01)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("model_a", "model_b", "winner"), ("model_a", "model_b", "tie")),
        (("left", "right", "winner"), ("left", "right", "draw")),
        (("System_A", "System_B", "verdict"), ("A", "B", "tie (bothbad)")),
        (("first", "second", "outcome"), ("first", "second", "Tie")),
    ],
)
def test_usual_names_and_words_are_read(names, words):
    plain = many()
    other = []
    for row in plain:
        place = [row["model_a"], row["model_b"], "tie"].index(row["winner"])
        cells = (row["model_a"], row["model_b"], words[place])
        other.append(dict(zip(names, cells, strict=True)) | {"question_id": row["prompt"]})
    assert leaderboard(other).ratings == leaderboard(plain).ratings


def test_columns_can_be_named_and_files_and_frames_are_read(tmp_path):
    frame = pd.DataFrame(many())
    odd = frame.set_axis(["p", "x", "y", "w"], axis=1)
    frame.to_csv(tmp_path / "pairs.csv", index=False)
    plain = leaderboard(frame)
    assert leaderboard(odd, "p", first="x", second="y", winner="w").low == plain.low
    assert leaderboard(tmp_path / "pairs.csv").low == plain.low
    assert leaderboard(frame.drop(columns="prompt"), frame["prompt"].tolist()).low == plain.low


def test_votes_of_several_judges_on_a_prompt_are_one_cluster():
    several = [row | {"judge": judge} for row in many() for judge in "xy"]
    assert leaderboard(several).n_clusters == 60
    split = leaderboard(several, cluster="judge")
    assert "60 prompts have battles in several clusters of judge" in split.warnings[0]
    assert "2 clusters for 4 systems" in split.warnings[1]


def test_a_chain_without_upsets_has_no_finite_ratings():
    found = leaderboard(rows("a b a", "b c b", "c a a", prompt="123"))
    assert found.status is Status.OK
    assert not found.connected
    assert {len(part) for part in found.components} == {1}
    assert (found.ratings["a"], found.ratings["c"]) == (inf, -inf)
    assert isnan(found.ratings["b"])
    assert found.systems == ("a", "b", "c")
    assert set(found.rank_sets.values()) == {(1, 3)}
    assert "Never beaten: 'a'; the rating has no upper end." in found.message
    assert json.dumps(found.to_dict(), allow_nan=False)


def test_two_groups_that_never_met_have_no_common_scale():
    battles = [f"{x} {y} {w}" for x, y in ("ab", "cd") for w in (x, y, "tie")] * 4
    found = leaderboard(rows(*battles, prompt=range(24)))
    assert found.components == (("a", "b"), ("c", "d"))
    assert found.status is Status.NOT_IDENTIFIABLE
    assert "'a', 'b'; 'c', 'd'" in found.message
    assert found.ratings["a"] == pytest.approx(0)
    assert isnan(found.ratings["c"])
    assert found.high["a"] < inf
    assert found.high["c"] == inf


def test_a_system_never_beaten_is_above_an_unknown_distance():
    with_best = [*many(), *rows(*["best a best"] * 5, prompt=[f"p{k}" for k in range(5)])]
    found = leaderboard(with_best)
    assert found.components == (NAMES, ("best",))
    assert found.systems[0] == "best"
    assert (found.ratings["best"], found.high["best"]) == (inf, inf)
    assert found.rank_sets["best"] == (1, 5)
    plain = leaderboard(many())
    assert found.ratings["a"] == pytest.approx(plain.ratings["a"], abs=1e-9)
    for name in NAMES:
        best, worst = plain.rank_sets[name]
        assert found.rank_sets[name] == (best, worst + 1)
    assert found.ranks["best"] is None
    assert found.status is Status.OK
    assert -inf < found.low["best"] < 1.5  # five wins say no more


def test_a_clean_sweep_of_two_systems_is_settled():
    found = leaderboard(rows(*["new old new"] * 100, prompt=range(100)))
    assert found.status is Status.OK
    assert found.rank_sets == {"new": (1, 1), "old": (2, 2)}
    assert (found.low["new"], found.high["new"]) == (pytest.approx(1.64, abs=0.01), inf)
    assert (found.low["old"], found.high["old"]) == (-inf, -found.low["new"])
    table = json.loads(json.dumps(found.to_dict(), allow_nan=False))["table"]
    assert (table[0]["high"], table[1]["low"]) == ("inf", "-inf")


@pytest.mark.parametrize(
    ("wins", "level", "sure"), [(5, 0.95, 0), (6, 0.95, 1), (7, 0.99, 0), (8, 0.99, 1)]
)
def test_a_sweep_of_two_is_settled_where_the_sign_test_rejects(wins, level, sure):
    found = leaderboard(rows(*["a b a"] * wins, prompt=range(wins)), level=level)
    assert found.rank_sets["a"] == ((1, 1) if sure else (1, 2))
    votes = leaderboard(rows(*["a b a"] * 100, prompt=[k % wins for k in range(100)]), level=level)
    assert votes.rank_sets == found.rank_sets  # votes on one prompt are one unit


@pytest.mark.parametrize("ties", ["davidson", "half"])
def test_a_champion_is_first_and_leaves_the_others_as_they_were(ties):
    table = [row | {"prompt": f"{row['prompt']}{k}"} for k in range(4) for row in many()]
    sweep = rows(*[f"champ {x} champ" for x in NAMES] * 30, prompt=[f"c{k}" for k in range(120)])
    found, plain = leaderboard(table + sweep, ties=ties), leaderboard(table, ties=ties)
    assert found.status is Status.OK
    assert found.rank_sets["champ"] == (1, 1)
    assert max(found.high[n] for n in NAMES) < found.low["champ"] < inf == found.high["champ"]
    for name in NAMES:
        best, worst = plain.rank_sets[name]
        assert found.rank_sets[name] == (best + 1, worst + 1)
    lost = leaderboard(table + sweep + rows("champ a a", prompt=["c"]), ties=ties)
    assert lost.rank_sets == found.rank_sets


def test_who_is_ahead_of_one_that_is_ahead_is_ahead():
    chain = rows(*["a b a"] * 20, *["b c b"] * 20, prompt=range(40))
    found = leaderboard(chain)
    assert found.rank_sets == {"a": (1, 1), "b": (2, 2), "c": (3, 3)}
    both = leaderboard(rows(*["c a c"] * 100, *["c b c"] * 30, prompt=range(130)))
    assert both.rank_sets == {"c": (1, 1), "a": (2, 3), "b": (2, 3)}  # nothing links a and b


def test_only_systems_that_never_met_have_no_common_scale():
    apart = rows(*["a b a"] * 20, *["c d c"] * 20, prompt=range(40))
    assert leaderboard(apart).status is Status.NOT_IDENTIFIABLE
    assert leaderboard(apart + rows("b c b", prompt=["x"])).status is Status.OK


def test_the_test_of_equal_systems_bounds_the_chance_over_all_signs():
    """Brute force: of all signs of a few parts, so many sums are as far from 0."""
    rng = np.random.default_rng(0)
    for n in range(1, 13):
        parts = rng.normal(0.6, 1, n) if n % 3 else np.abs(rng.normal(size=n))
        signs = np.array(np.meshgrid(*[[-1, 1]] * n)).reshape(n, -1)
        sums = np.abs(signs.T @ np.abs(parts))
        exact = np.mean(sums >= abs(parts.sum()) - 1e-12)
        assert exact <= abs(equal_chance(parts)) + 1e-12
        assert np.sign(equal_chance(parts)) == np.sign(parts.sum())
    assert equal_chance(np.ones(9)) == 2.0**-8


def test_the_end_of_a_sweep_is_where_it_has_half_the_error_left():
    hardest = np.array([0.0, 0.5, -1.0, 0.2])
    end = swept_end(hardest, 0.025)
    assert np.prod(1 / (1 + np.exp(hardest - end))) == pytest.approx(0.025)


def test_the_order_effect_is_found_where_both_orders_are_there():
    found = leaderboard(many(n_prompts=300, order=0.8), ties="half", order="first")
    plain = leaderboard(many(n_prompts=300, order=0.8), ties="half")
    effect = found.order_effect
    assert plain.order_effect is None
    # a fifth of the battles tie, which shrinks every difference of the half wins
    assert 0.4 < effect.low < effect.effect < effect.high < 0.8
    assert "Being shown first adds" in found.summary()


def test_a_column_may_say_who_was_shown_first():
    shown = [row | {"shown_first": row["model_a"]} for row in many(order=0.8)]
    turned = [
        row | {"model_a": row["model_b"], "model_b": row["model_a"]} if k % 3 else row
        for k, row in enumerate(shown)
    ]
    one, other = (leaderboard(t, order="shown_first") for t in (shown, turned))
    assert one.order_effect.effect == pytest.approx(other.order_effect.effect, abs=1e-9)
    assert one.order_effect == leaderboard(many(order=0.8), order="first").order_effect
    with pytest.raises(
        DataError, match=r"column 'shown_first' must name the system shown first.*row 1"
    ):
        leaderboard([row | {"shown_first": "tie"} for row in shown])


def test_the_order_effect_needs_both_orders():
    one_way = [row for row in many() if row["model_a"] < row["model_b"]]
    found = leaderboard(one_way, order="first")
    assert found.status is Status.NOT_IDENTIFIABLE
    assert "no two systems met in both orders" in found.message
    assert isnan(found.ratings["a"])
    assert leaderboard(one_way).status is Status.OK


def test_whoever_is_shown_first_always_wins():
    found = leaderboard(rows(*["a b a", "b a b"] * 5, prompt=range(10)), order="first")
    assert found.status is Status.NOT_IDENTIFIABLE
    assert "cannot be told from strength" in found.message


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_wins_and_ties_of_one_system_alone_leave_a_model_of_ties_open(ties):
    found = leaderboard(rows(*["a b a", "a b tie"] * 5, prompt=range(10)), ties=ties)
    assert found.status is Status.NOT_IDENTIFIABLE
    assert "Use ties='half'" in found.message
    half = leaderboard(rows(*["a b a", "a b tie"] * 5, prompt=range(10)), ties="half")
    assert half.ratings["a"] == pytest.approx(np.log(3) / 2)


def test_flips_and_the_ceiling_on_accuracy():
    """Four pairs asked in both orders, one of them answered otherwise: right at most 7 times in 8."""
    battles = ["a b a", "b a a", "a b a", "b a b", "a b b", "b a b", "a b tie", "b a tie", "a b a"]
    found = leaderboard(rows(*battles, prompt="112233445", judge=["j"] * 9))
    assert (found.n_pairs_swapped, found.flip_rate) == (4, Fraction(1, 4))
    assert found.accuracy_ceiling == Fraction(7, 8) == 1 - found.flip_rate / 2
    other = leaderboard(rows(*battles, prompt="112233445", judge="jkjkjkjkj"))
    assert (other.n_pairs_swapped, other.flip_rate) == (0, None)


def test_no_key_beats_the_ceiling():
    """Every key of three pairs, against judges drawn at random: the ceiling is never passed."""
    rng = np.random.default_rng(3)
    for _ in range(30):
        said = rng.integers(0, 3, (3, 2))
        battles = []
        for one, two in said.tolist():
            battles += [f"a b {('a', 'b', 'tie')[one]}", f"b a {('a', 'b', 'tie')[two]}"]
        found = leaderboard(rows(*battles, "a b a", "a b b", prompt="11223345"), ties="half")
        best = max(
            (said == np.array(key)[:, None]).sum()
            for key in np.stack(np.meshgrid(*[range(3)] * 3), -1).reshape(-1, 3)
        )
        assert found.accuracy_ceiling == Fraction(int(best), 6)


def test_gold_as_a_column_and_as_a_table():
    table = many()
    rng = np.random.default_rng(5)
    chosen = set(rng.permutation(60)[:30].tolist())
    truth = [row["winner"] if row["winner"] != "d" else row["model_a"] for row in table]
    known = [int(row["prompt"][1:]) in chosen for row in table]
    column = [
        row | {"human": t if k else ""} for row, t, k in zip(table, truth, known, strict=True)
    ]
    found = leaderboard(column, gold="human")
    assert found.n_gold == 30 * 12
    assert 0 < found.lambda_ <= 1
    assert "People decided 360 pairs" in found.summary()
    lower = [row for row in table if row["model_a"] < row["model_b"]]
    some = [row | {"winner": t} for row, t, k in zip(table, truth, known, strict=True) if k]
    one_way = [row for row in some if row["model_a"] < row["model_b"]]
    turned = [row | {"model_a": row["model_b"], "model_b": row["model_a"]} for row in one_way]
    joined = leaderboard(lower, gold=pd.DataFrame(turned))
    assert joined.n_gold == 30 * 6
    assert joined.ratings == pytest.approx(leaderboard(lower, gold=one_way).ratings)


def test_gold_everywhere_is_a_leaderboard_of_the_gold():
    table = many()
    truth = many(seed=9)
    column = [row | {"human": t["winner"]} for row, t in zip(table, truth, strict=True)]
    found, plain = leaderboard(column, gold="human"), leaderboard(truth)
    assert found.ratings == pytest.approx(plain.ratings, abs=1e-7)
    assert list(found.high.values()) == pytest.approx(list(plain.high.values()), abs=1e-6)


@pytest.mark.parametrize(
    ("table", "more", "message"),
    [
        ([{"x": 1, "y": 2}], {}, "two columns of systems, as model_a and model_b; got 'x', 'y'"),
        ([{"model_a": 1, "model_b": 2}], {}, "must have a column that says who won"),
        (
            rows("a b 1"),
            {},
            "must name the winner: 'a', 'b', first, second or tie; got '1' in row 1",
        ),
        (rows("a b a", "a b c", "c a c"), {}, "got 'c' in row 2"),
        (rows("a a a"), {}, "between two systems; row 1 names one of them twice"),
        ([{"model_a": "a", "model_b": None, "winner": "a"}], {}, "row 1 names fewer"),
        ([{"model_a": "a", "model_b": "b", "winner": ""}], {}, "at least one winner; got none"),
        (rows("a b a"), {"cluster": "promt"}, "cluster must name a column; got 'promt'"),
        (rows("a b a"), {"cluster": [1, 2]}, "one entry for each row \\(1\\); got 2"),
        (rows("a b a"), {"first": "model_a"}, "first= and second= must both name a column"),
        (
            rows("a b a"),
            {"winner": "winer"},
            "winner= must name a column; got 'winer'; did you mean",
        ),
        (rows("a b a"), {"ties": "elo"}, "ties must be one of"),
        (rows("a b a"), {"level": 95}, "level must be between 0 and 1; got 95"),
        (rows("a b a"), {"gold": "human"}, "human= must name a column; got 'human'"),
        (rows("a b a", human=[""]), {"gold": "human"}, "at least one of the battles; got none"),
        (
            rows("a b a", human="a"),
            {"gold": "human", "order": "first"},
            "human must stand without order=",
        ),
        (rows("a b a", prompt="1"), {"gold": rows("a b a")}, "human must be joined by prompt"),
        (rows("a b a", prompt="1"), {"gold": {"1": "a"}}, "human must say which two systems met"),
        (
            rows("a b a", prompt="1"),
            {"gold": rows("a b a", "b a b", prompt="11")},
            "one winner for a prompt and two systems",
        ),
        (rows("a b a", prompt=[None]), {}, "column 'prompt' must be filled in every battle; row 1"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(table, more, message):
    with pytest.raises(DataError, match=message):
        leaderboard(table, **more)


def test_battles_without_a_winner_are_left_out_with_a_note():
    blank = {"prompt": "p1", "model_a": "a", "model_b": "b", "winner": None}
    found = leaderboard([*many(), blank])
    assert found.n_battles == 720
    assert found.notes == ("1 battle without a winner left out",)


def test_how_far_one_system_is_ahead_of_another():
    found = leaderboard(many())
    ahead, low, high = found.difference("a", "d")
    assert ahead == pytest.approx(found.ratings["a"] - found.ratings["d"])
    assert 0 < low < ahead < high
    assert found.difference("d", "a") == pytest.approx((-ahead, -high, -low))
    with pytest.raises(DataError, match="system must be one of"):
        found.difference("a", "e")


@pytest.mark.slow
def test_a_million_battles_take_seconds():
    import time

    rng = np.random.default_rng(0)
    n, names = 10**6, np.array([f"m{k}" for k in range(100)])
    one = rng.integers(0, 100, n)
    frame = pd.DataFrame(
        {
            "model_a": names[one],
            "model_b": names[(one + rng.integers(1, 100, n)) % 100],
            "winner": rng.choice(["model_a", "model_b", "tie"], n),
            "prompt": rng.integers(0, 2 * 10**5, n),
        }
    )
    start = time.process_time()
    assert leaderboard(frame).status is Status.OK
    assert time.process_time() - start < 15


def test_two_pairs_of_one_prompt_may_have_different_picks():
    rows = [
        {
            "pair_id": f"p{k}",
            "prompt": f"q{k // 2}",
            "model_a": "old",
            "model_b": "new",
            "gpt4_winner": "A" if k % 3 else "B",
            "human_winner": "A" if k % 2 else "B",
        }
        for k in range(24)
    ]
    board = leaderboard(rows)
    assert board.systems
    assert board.n_gold


def in_both_orders(flag):
    """35 prompts, five of them with two pairs of answers, each pair in both orders; people's pick by name."""
    rows = []
    for p in range(35):
        for j in range(2 if p < 5 else 1):
            for swapped in (False, True):
                names = ("beta", "alpha") if swapped else ("alpha", "beta")
                first = (
                    "A" if swapped or not p % 7 else "B"
                )  # beta, but for six pairs the one shown first
                row = {
                    "prompt": f"Please say thing {p} now",
                    "model_a": names[0],
                    "model_b": names[1],
                }
                row |= {
                    f"response_{s}": f"Answer {p} {j} of {n}"
                    for s, n in zip("ab", names, strict=True)
                }
                row |= {"gpt4_winner": first, "human_winner": "AB"[names.index("beta")]}
                rows.append(row | ({"swapped": swapped} if flag else {}))
    return pd.DataFrame(rows)


@pytest.mark.parametrize("flag", [False, True], ids=["by the columns", "with a flag"])
def test_pairs_of_one_prompt_are_counted_each(flag):
    rows = in_both_orders(flag)
    found = leaderboard(rows)
    assert (found.n_battles, found.n_gold, found.n_clusters) == (80, 40, 35)
    assert (found.n_pairs_swapped, found.flip_rate) == (40, Fraction(6, 40))
    lines = ae.judge_bias(rows).positions
    assert [(line.n_pairs, line.n_first) for line in lines] == [(40, 6)]


def test_without_texts_the_rows_that_one_judge_saw_in_one_order_are_counted():
    rows = in_both_orders(flag=False).drop(columns=["response_a", "response_b"])
    long = rows.rename(columns={"gpt4_winner": "winner"}).assign(judge="gpt4")
    two = pd.concat([long, long.assign(judge="claude")])
    assert leaderboard(two, human="human_winner").n_gold == 40


def test_ties_are_read_in_other_languages():
    rows = [
        ("x", "y", "x"),
        ("x", "y", "empate"),
        ("y", "x", "平局"),
        ("x", "y", "unentschieden"),
    ] * 5
    table = {
        name: [row[k] for row in rows] for k, name in enumerate(("model_a", "model_b", "winner"))
    }
    same = table | {"winner": ["x" if w == "x" else "tie" for w in table["winner"]]}
    assert ae.leaderboard(table) == ae.leaderboard(same)


def test_people_among_the_judges_of_battles_decide_and_do_not_vote():
    sides = ("model_a", "model_b")
    rows = [
        {"prompt_id": k, "model_a": "v3", "model_b": "v4", "judge": who, "winner": sides[won]}
        for k in range(40)
        for who, won in (("gpt-4o", k % 4 == 0), ("claude", k % 5 == 0), ("human", k % 4 != 0))
    ]
    board = ae.leaderboard(rows)
    assert (board.systems[0], board.n_battles) == ("v4", 80)
    apart = ae.leaderboard(
        [row for row in rows if row["judge"] != "human"],
        human=[row for row in rows if row["judge"] == "human"],
    )
    assert board.to_dict() == apart.to_dict()
    others = [
        dict(row, prompt_id=row["prompt_id"] + 99 * (row["judge"] == "human")) for row in rows
    ]
    assert ae.leaderboard(others).n_battles == 120


@pytest.mark.parametrize("column", ["judge", "annotator", "rater"])
def test_first_names_beside_models_are_people_in_every_question(column, tmp_path):
    rng = np.random.default_rng(4)
    rows = [
        (f"q{k}", "x", "y", who, ("model_a", "model_b")[int(rng.random() < 0.4)])
        for k in range(40)
        for who in ("gpt-4o", "claude-3", "maria", "jonas", "anna")
    ]
    frame = pd.DataFrame(rows, columns=["id", "model_a", "model_b", column, "winner"])
    path = tmp_path / "battles.csv"
    frame.to_csv(path, index=False)
    card = ae.judge_card(str(path))
    assert {row.judge for row in card.judges} >= {"gpt-4o", "claude-3"}
    assert "maria" not in {row.judge for row in card.judges}
    said = frame[~frame[column].isin(["gpt-4o", "claude-3"])]
    most = said.groupby("id")["winner"].agg(lambda w: w.value_counts().index[0])
    assert card.n_gold == len(most) == 40
    board = ae.leaderboard(str(path))
    assert board.n_battles == 80
    assert board.to_dict() == ae.leaderboard(frame).to_dict()
    machines = frame[frame[column].isin(["gpt-4o", "claude-3"])].assign(
        human=lambda t: t["id"].map(most)
    )
    assert board.ratings == pytest.approx(ae.leaderboard(machines, human="human").ratings)
    alone = frame[frame[column].isin(["maria", "jonas", "anna"])]
    assert ae.leaderboard(alone).n_battles == 120  # who are nobody but people are the raters


def test_versus_of_battles_points_to_the_leaderboard():
    rows = [
        {
            "question_id": k,
            "model_a": a,
            "model_b": b,
            "gpt4o_winner": ["model_a", "model_b"][k % 2],
        }
        | {"claude_winner": ["model_a", "model_b"][k % 3 == 0]}
        for k in range(40)
        for a, b in (("x", "y"), ("y", "x"))
    ]
    with pytest.raises(DataError, match=r"ae\.leaderboard"):
        ae.versus(rows)


def long_and_wide(seed):
    """Random battles with a row per verdict, and the same with a column per rater."""
    rng = np.random.default_rng(seed)
    several, both, ties, flag = rng.random(4) < 0.5
    sides = ["model_a", "model_b", *(["tie"] if ties else [])]
    raters = ["gpt-4o", "claude-3", "llama-70b", *(["human"] if rng.random() < 0.7 else [])]
    name = str(rng.choice(["prompt", "question_id", "pair_id"]))
    long, wide = [], []
    for k in range(24):
        pair = [*map(str, rng.permutation(["x", "y", "z"] if several else ["x", "y"])[:2])]
        truth = int(rng.integers(len(sides)))
        for turned in (False, True)[: 1 + both]:
            shown = sorted(pair) if both and flag else pair[::-1] if turned else pair
            row = {name: f"p{k}", "model_a": shown[0], "model_b": shown[1]}
            row |= {"swapped": str((pair[0] > pair[1]) ^ turned)} if both and flag else {}
            won = truth if truth == 2 else truth ^ turned
            said = {
                r: sides[won if rng.random() < 0.75 else int(rng.integers(len(sides)))]
                for r in raters
            }
            if "human" in said and k % 2:
                said["human"] = None
            wide.append(row | said)
            long += [row | {"judge": r, "winner": w} for r, w in said.items() if w is not None]
    return long, wide


@pytest.mark.parametrize("seed", range(12))
def test_long_and_wide_tables_of_the_same_battles_answer_alike(seed):
    long, wide = map(pd.DataFrame, long_and_wide(seed))
    boards = [ae.leaderboard(table).to_dict() for table in (long, wide)]
    assert boards[0] == boards[1]
    results = [ae.read_results(table) for table in (long, wide)]
    assert [r.layout for r in results] == ["pairwise", "pairwise"]
    ask = ae.judge_card if "human" in wide else ae.self_consistency
    said = [ask(r).summary().split("Note:")[0] for r in results]
    assert said[0] == said[1]


def test_a_pair_in_both_orders_of_a_long_table_counts_once_in_intervals():
    rng = np.random.default_rng(5)
    rows = [
        {"prompt": f"p{k}", "model_a": a, "model_b": b, "judge": who, "winner": won}
        for k in range(40)
        for a, b in (("x", "y"), ("y", "x"))
        for who in ("gpt-4o", "claude-3", "human")
        for won in [("model_a", "model_b")[int(rng.random() < 0.5)]]
    ]
    card = ae.judge_card(ae.read_results(rows))
    assert any("80 labels are of 40 pairs" in line for line in card.warnings)


def test_clusters_of_long_battles_are_named_by_any_column():
    long, _ = long_and_wide(0)
    name = next(iter(long[0]))
    for row in long:
        row["topic"] = f"t{int(row[name][1:]) % 6}"
    board = ae.leaderboard(long, "topic")
    assert (board.cluster, board.n_clusters) == ("topic", 6)
    assert ae.leaderboard(long).cluster == name


@pytest.mark.parametrize("form", [0, 1])
def test_a_difference_of_battles_has_no_outputs_to_draw(form):
    rows = long_and_wide(0)[form]
    with pytest.raises(DataError, match="holds pairs"):
        ae.next(rows, goal="difference")


def battles_written_twice(seed):
    """Return the same battles twice: systems exchanged in the columns, or a column that says so."""
    rng = np.random.default_rng(seed)
    strength = {"ant": 0.8, "bee": 0.0, "cat": -0.8}
    exchanged, told = [], []
    for prompt in range(50):
        pair = rng.permutation([*strength])[:2]
        for judge, liking in (("gpt", 0.6), ("claude", 0.0)):
            for turned in (False, True):
                first, second = pair[::-1] if turned else pair
                lead = strength[first] - strength[second] + liking
                winner = "model_a" if rng.random() < 1 / (1 + np.exp(-lead)) else "model_b"
                row = {"pair_id": f"q{prompt}", "judge": judge, "winner": winner}
                exchanged.append(row | {"model_a": first, "model_b": second})
                told.append(row | {"model_a": pair[0], "model_b": pair[1], "swapped": turned})
    return pd.DataFrame(exchanged), pd.DataFrame(told)


@pytest.mark.parametrize("seed", range(3))
def test_each_order_of_a_pair_is_a_battle_however_the_order_is_written(seed):
    exchanged, told = map(ae.leaderboard, battles_written_twice(seed))
    assert exchanged.n_battles == told.n_battles == 200
    for one, other in zip(exchanged.table, told.table, strict=True):
        assert (one.system, one.best_rank, one.worst_rank) == (
            other.system,
            other.best_rank,
            other.worst_rank,
        )
        assert (one.rating, one.low, one.high) == pytest.approx(
            (other.rating, other.low, other.high), abs=1e-6
        )


@pytest.mark.parametrize("orders", [1, 2])
@pytest.mark.parametrize("judges", ["", "ij", "ijk"])
def test_verdicts_are_told_from_the_pairs_they_are_on(judges, orders):
    rng = np.random.default_rng(4)
    table = [
        {"prompt": f"p{k}", "model_a": pair[0], "model_b": pair[1], "winner": pair[rng.integers(2)]}
        | ({"judge": judge} if judge else {})
        for k in range(20)
        for first in (("a", "b"), ("b", "c"))
        for judge in judges or [""]
        for pair in (first, first[::-1])[:orders]
    ]
    found = leaderboard(table)
    assert found.n_battles == len(table)
    if judges:
        assert found.n_pairs == 40
    of = f" (each a verdict, on {found.n_pairs} pairs of answers)"
    said = f"{len(table)} battles{of if found.n_pairs < len(table) else ''}, 20 clusters by prompt"
    assert said in found.summary()
    assert found.to_dict()["n_pairs"] == found.n_pairs
