"""Pairs of responses: FastChat, JudgeBench and arenas name the same winner whichever stands first."""

import json

import numpy as np
import pandas as pd
import pytest

from algeval.data.names import other_side, side_of
from algeval.errors import DataError
from algeval.io import read_results, read_scores, read_votes, read_votes_with_notes
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
            "question_id": ["q1", "q1", "q2"],
            "model_a": ["x", "y", "x"],
            "model_b": ["y", "x", "y"],
            "winner": ["model_a", "model_a", "tie (bothbad)"],
            "judge": ["ann", "bob", "ann"],
        }
    )

    @pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
    def test_one_item_whichever_stands_first(self, tmp_path, form):
        path = tmp_path / f"battles.{form}"
        if form == "csv":
            self.ROWS.to_csv(path, index=False)
        elif form == "jsonl":
            self.ROWS.to_json(path, orient="records", lines=True)
        else:
            self.ROWS.to_parquet(path)
        votes, notes = read_votes_with_notes(path)
        assert given(votes) == {
            "q1:x:y": {"ann": "first", "bob": "second"},
            "q2:x:y": {"ann": "tie", "bob": None},
        }
        assert any("bothbad" in note for note in notes)

    def test_one_hot_winners_are_one_vote_and_no_judges(self, tmp_path):
        path = tmp_path / "votes.csv"
        head = "id,model_a,model_b,winner_model_a,winner_model_b,winner_tie\n"
        path.write_text(head + "1,x,y,1,0,0\n2,y,x,1,0,0\n3,x,y,0,0,1\n", encoding="utf-8")
        assert given(read_votes(path)) == {
            "1:x:y": {"votes": "first"},
            "2:x:y": {"votes": "second"},
            "3:x:y": {"votes": "tie"},
        }
        path.write_text(head + "1,x,y,1,1,0\n", encoding="utf-8")
        with pytest.raises(DataError, match=r"exactly one of .* got 2 in row 1"):
            read_votes(path)

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"winner": ["nobody", "model_a", "tie"]}, "got 'nobody' in row 1"),
            ({"model_b": ["x", "x", "y"]}, "two systems; got 'x' twice"),
        ],
    )
    def test_bad_rows_are_one_sentence(self, tmp_path, change, told):
        path = tmp_path / "b.csv"
        self.ROWS.assign(**change).to_csv(path, index=False)
        with pytest.raises(DataError, match=told):
            read_votes(path)

    def test_without_a_question_there_are_no_items(self, tmp_path):
        path = tmp_path / "b.csv"
        self.ROWS.drop(columns="question_id").to_csv(path, index=False)
        with pytest.raises(DataError, match="which question they are about"):
            read_votes(path)


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
    lines = ["question_id,model_a,model_b,winner", "1,x,y,x", "2,x,y,y", "3,y,x,x", "4,x,y,empate"]
    (tmp_path / "named.csv").write_text("\n".join(lines) + "\n")
    words = ["1,x,y,model_a", "2,x,y,model_b", "3,y,x,model_b", "4,x,y,tie"]
    (tmp_path / "words.csv").write_text("\n".join([lines[0], *words]) + "\n")
    named, said = (read_votes(tmp_path / f"{name}.csv") for name in ("named", "words"))
    assert named.codes.tolist() == said.codes.tolist()
    assert named.labels == said.labels
