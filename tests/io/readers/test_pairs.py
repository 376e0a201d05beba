"""Pairs of responses: FastChat, JudgeBench and arenas name the same winner whichever stands first."""

import json

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.data.names import other_side, side_of
from algeval.errors import DataError
from algeval.io import read_results, read_scores, read_votes
from algeval.io.answers import ReadOptions
from algeval.io.sources import read
from algeval.rates import leaderboard


def given(votes):
    """Return {item: {judge: answer}}."""
    names = [*votes.answers, None]
    return {
        item: {j: names[code] for j, code in zip(votes.judges, codes, strict=True)}
        for item, codes in zip(votes.items, votes.codes.tolist(), strict=True)
    }


def lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return path


def battle(first, second, g1, g2, judge="gpt", q=81):
    return {"question_id": q, "model_1": first, "model_2": second, "g1_winner": g1, "g2_winner": g2,
            "judge": [judge, "pair-v2"], "turn": 1}  # fmt: skip


class TestFastChat:
    def test_the_pair_has_a_fixed_order_and_each_order_a_judge(self, tmp_path):
        rows = [battle("b", "a", "model_1", "tie"), battle("a", "b", "model_1", "error", q=82)]
        found = given(read_votes(lines(tmp_path / "gpt_pair.jsonl", rows)))
        assert found == {
            "81:1:a:b": {"gpt g1": "second", "gpt g2": "tie"},
            "82:1:a:b": {"gpt g1": "first", "gpt g2": None},
        }

    def test_swap_agree_makes_one_judge_who_may_be_inconsistent(self, tmp_path):
        rows = [
            battle("a", "b", "model_1", "model_1"),
            battle("a", "b", "model_1", "model_2", q=82),
        ]
        path = lines(tmp_path / "gpt_pair.jsonl", rows)
        found = given(read_votes(path, swap="agree"))
        assert [votes["gpt"] for votes in found.values()] == ["first", "inconsistent"]
        tied = read_votes(path, swap="agree", map={"inconsistent": "tie", "first": "first"})
        assert "tie" in tied.labels

    def test_a_folder_of_both_kinds_asks_which(self, tmp_path):
        lines(tmp_path / "m/gpt_pair.jsonl", [battle("a", "b", "model_1", "tie")])
        single = {"question_id": 81, "model": "a", "judge": ["gpt", "x"], "score": 7.5, "turn": 1}
        lines(tmp_path / "m/gpt_single.jsonl", [single, single | {"model": "b", "score": -1}])
        with pytest.raises(
            DataError, match=r"'pair' \(1 file\), 'single' \(1 file\); choose with question='pair'"
        ):
            read_votes(tmp_path / "m")
        scores = read_scores(tmp_path / "m", question="single")
        assert scores.items == ("81:1:a", "81:1:b")
        assert str(scores.values.tolist()) == "[[7.5], [nan]]"

    def test_a_second_run_appended_is_refused_with_its_lines(self, tmp_path):
        row = battle("a", "b", "model_1", "tie")
        with pytest.raises(DataError, match=r"line 1 of g\.jsonl, line 2 of g\.jsonl"):
            read_votes(lines(tmp_path / "g.jsonl", [row, row]))

    def test_an_unknown_winner_is_named(self, tmp_path):
        with pytest.raises(DataError, match="got 'model_3' in line 1"):
            read_votes(lines(tmp_path / "g.jsonl", [battle("a", "b", "model_3", "tie")]))


class TestJudgeBench:
    def row(self, pair, *decisions, label="A>B"):
        held = [{"judgment": {}, "decision": d} if d else None for d in decisions]
        return {"pair_id": pair, "judgments": held, "label": label}

    def test_the_second_order_is_turned_back(self, tmp_path):
        rows = [self.row("p1", "A>B", "B>A"), self.row("p2", "A>B", None, label="A=B")]
        lines(tmp_path / "dataset=d,judge_name=vanilla,judge_model=gpt.jsonl", rows)
        lines(
            tmp_path / "dataset=d,judge_name=reward,judge_model=rm.jsonl", [self.row("p1", "A=B")]
        )
        votes = read_votes(tmp_path, key="label")
        assert given(votes) == {
            "p1": {"vanilla gpt g1": "A>B", "vanilla gpt g2": "A>B", "reward rm": "A=B"},
            "p2": {"vanilla gpt g1": "A>B", "vanilla gpt g2": None, "reward rm": None},
        }
        assert [votes.labels[code] for code in votes.key] == ["A>B", "A=B"]

    def test_files_of_two_data_sets_are_refused(self, tmp_path):
        lines(tmp_path / "judge_name=a,judge_model=x.jsonl", [self.row("p1", "A>B")])
        lines(tmp_path / "judge_name=b,judge_model=x.jsonl", [self.row("q1", "A>B")])
        with pytest.raises(DataError, match="share none"):
            read_votes(tmp_path)


class TestArena:
    ROWS = pd.DataFrame(
        {
            "question_id": [f"q{k}" for k in range(40) for _ in "ij"],
            "model_a": [("x", "y", "z")[k % 3] for k in range(40) for _ in "ij"],
            "model_b": [("y", "z", "x")[k % 3] for k in range(40) for _ in "ij"],
            "winner": [("model_a", "model_b", "tie")[k % 7 % 3] for k in range(80)],
            "judge": ["ann", "bob"] * 40,
        }
    )

    @pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
    def test_a_file_of_battles_is_read_as_the_same_rows_in_memory(self, tmp_path, form):
        path = tmp_path / f"battles.{form}"
        if form == "csv":
            self.ROWS.to_csv(path, index=False)
        elif form == "jsonl":
            self.ROWS.to_json(path, orient="records", lines=True)
        else:
            self.ROWS.to_parquet(path)
        results, held = ae.read_results(path), ae.read_results(self.ROWS)
        assert results.layout == "pairwise"
        assert (results.roles["winner"], results.roles["judge"]) == ("answer", "rater")
        assert given(results.votes) == given(held.votes)
        assert given(results.votes)["q0"] == {"ann": "model_a", "bob": "model_b"}

    def test_one_hot_winners_are_one_vote_and_no_judges(self, tmp_path):
        path = tmp_path / "votes.csv"
        won = [k % 7 % 3 for k in range(60)]
        rows = {"id": range(60), "model_a": ["x", "y"] * 30, "model_b": ["y", "x"] * 30}
        for k, side in enumerate(("model_a", "model_b", "tie")):
            rows[f"winner_{side}"] = [int(at == k) for at in won]
        pd.DataFrame(rows).to_csv(path, index=False)
        votes = ae.read_results(path).votes
        assert votes.judges == ("winner",)
        said = [given(votes)[str(k)]["winner"] for k in range(60)]
        assert said == [("model_a", "model_b", "tie")[k] for k in won]


class TestVerdictsInTheOtherOrder:
    def table(self, second, *, n=60, people=True):
        rng = np.random.default_rng(4)
        sides = np.array(["response_a", "response_b"])
        won = rng.integers(0, 2, n)
        said = np.where(rng.random(n) < 0.9, won, 1 - won)
        other = np.where(rng.random(n) < 0.85, said, 1 - said)
        rows = {
            "pair_id": [f"p{k}" for k in range(n)],
            "system_a": rng.choice(["s", "t"], n),
            "system_b": rng.choice(["u", "v"], n),
            "claude_pref": sides[said],
            "claude_pref_reversed": sides[1 - other if second == "place" else other],
        }
        return rows | ({"human_pref": sides[won]} if people else {})

    def test_two_that_name_the_answer_are_two_judges(self):
        results = read_results(self.table("answer"))
        assert list(results.judged) == ["claude_pref", "claude_pref_reversed"]
        assert results.roles["system_a"] == results.roles["system_b"] == "system"
        assert "in the other order" in dict(
            zip(results.columns["column"], results.columns["why"], strict=True)
        )["claude_pref_reversed"]  # fmt: skip

    @pytest.mark.parametrize("second", ["place", "answer"])
    def test_whether_they_name_the_place_is_asked_unless_it_is_clear(self, second):
        n = 60 if second == "place" else 12
        with pytest.raises(DataError, match="one judge's verdicts in both orders"):
            read_results(self.table(second, n=n))

    def test_verdicts_of_one_order_alone_are_asked_about(self):
        table = self.table("answer")
        del table["claude_pref"]
        with pytest.raises(DataError, match="better answer, or the order in which two were shown"):
            read_results(table)
        results = read_results(table, swap="claude_pref_reversed")
        assert results.roles["claude_pref_reversed"] == "swap"

    def test_the_side_shown_first_is_the_order(self):
        table = self.table("answer")
        rng = np.random.default_rng(5)
        table["shown_first"] = rng.choice(["response_a", "response_b"], 60)
        del table["claude_pref_reversed"]
        assert read_results(table).roles["shown_first"] == "swap"

    def test_judges_and_people_that_are_named_keep_the_systems(self):
        table = self.table("place")
        results = read(table, ReadOptions(human="human_pref", judges=["claude_pref"])).results
        assert results is not None
        assert set(results.systems) == {"s", "t", "u", "v"}
        assert list(results.judged) == ["claude_pref"]

    def test_a_flag_beside_pairs_is_no_verdict(self):
        table = self.table("answer") | {"toxic_chat": [k % 3 == 0 for k in range(60)]}
        assert read_results(table).roles["toxic_chat"] == "slice"


@pytest.mark.parametrize(
    ("first", "second"),
    [("model_1", "model_2"), ("A", "B"), ("assistant_a", "assistant_b"), ("Response 1", "Response 2"),
     ("first", "second"), ("left", "right"), ("output_b", "output_a")],
)  # fmt: skip
def test_sides_in_all_words(first, second):
    sides = side_of(first), side_of(second)
    assert sorted(sides) == [0, 1]
    assert side_of(other_side(first)) == sides[1]
    assert side_of(other_side(second)) == sides[0]
    rows = [{"id": k, "model_a": "x", "model_b": "y", "winner": first if k % 3 else second,
             "judge": "i"} for k in range(30)]  # fmt: skip
    table = leaderboard(rows)
    assert (table.ratings["x"] > table.ratings["y"]) == (sides[0] == 0)


@pytest.mark.parametrize("label", ["tie", "c", "model", "abc", "12", ""])
def test_what_names_no_side(label):
    assert side_of(label) is None
    assert other_side(label) is None


def test_the_winner_of_an_arenas_row_may_be_named(tmp_path):
    rows = [(k, *("xy", "yx")[k % 2]) for k in range(40)]
    named = [f"{k},{a},{b},{(a, b, 'tie')[k % 7 % 3]}" for k, a, b in rows]
    words = [f"{k},{a},{b},{('model_a', 'model_b', 'tie')[k % 7 % 3]}" for k, a, b in rows]
    head = "question_id,model_a,model_b,winner"
    for name, lines in (("named", named), ("words", words)):
        (tmp_path / f"{name}.csv").write_text("\n".join([head, *lines]) + "\n")
    ranked = [ae.leaderboard(tmp_path / f"{name}.csv") for name in ("named", "words")]
    assert ranked[0].systems == ranked[1].systems
    assert ranked[0].ratings == ranked[1].ratings
