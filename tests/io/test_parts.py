"""Small parts of reading, by hand."""

from collections import Counter

import numpy as np
import pytest

from algeval.data import Scores, Votes
from algeval.door import reads
from algeval.io.answers import factorise, look_like_scores, plain, spelling_of, tidy, typed_name
from algeval.io.formats import choose_table
from algeval.io.items import read_item_rows, values_of
from algeval.io.layout import (
    ColumnRoles,
    is_shared,
    is_text,
    item_column,
    needed_columns,
    words_of,
)
from algeval.io.readers.base import (
    Ballot,
    columns_of,
    parsed,
    single_question,
    weight,
    without_repeats,
)
from algeval.io.sources import (
    read_data,
    read_data_or_scores,
    read_labelled,
    read_score_table,
)
from algeval.io.tables import open_table
from algeval.io.tuples import Packing, Tuples, check_room, most_tuples


@pytest.mark.parametrize(
    ("cell", "text", "label"),
    [
        (8.0, "8", "8"),
        (" a ", "a", "a"),
        (float("nan"), None, None),
        ("8.0", "8.0", "8"),
        (8, "8", "8"),
        ("", None, None),
    ],
)
def test_a_cell_as_text_and_as_a_label(cell, text, label):
    assert (plain(cell), tidy(cell)) == (text, label)


def test_many_numbers_look_like_scores():
    assert not look_like_scores(["0", "0.5", "1"])
    assert look_like_scores(map(str, range(30)))


def test_the_commonest_spelling_is_shown():
    chosen = spelling_of({"Yes": (3, 0), "yes": (5, 2), "no": (4, 1)}, None)
    assert chosen.of("YES.") == "yes"
    assert chosen.notes == ("read as 'yes': 'Yes' (3 votes); exact_labels= keeps spellings apart",)


def test_the_only_table_needs_no_name():
    assert choose_table("x.db", ["votes"], None, lambda some: [7]) == "votes"


def test_values_have_no_ids_and_mappings_have():
    assert values_of(["pass", None]).cells == ["pass", None]
    assert values_of({"q1": "pass"}) is None
    assert read_item_rows({"q1": "pass", 2: None}, "gold", ("label",)).values == ("pass", None)


def test_names_of_columns_say_what_they_hold():
    assert words_of("outputId") == ["output", "id"]
    assert words_of("scores.gpt-4o_pass") == ["scores", "gpt", "4o", "pass"]
    assert item_column(["claude", "output_id"]) == "output_id"
    assert item_column(["claude", "truth"]) is None
    assert [is_shared(n) for n in ("prompt_id", "conversationId", "prompt_tokens")] == [1, 1, 0]
    names = ["item", "prompt", "gpt4", "claude"]
    assert needed_columns(names, ColumnRoles()) == ("item", "gpt4", "claude")


def test_text_is_told_from_verdicts():
    texts = ["Paris is the capital of France.", "I do not know that."]
    assert is_text(factorise("response", texts))
    assert not is_text(factorise("gpt4", ["pass", "fail", "pass"]))


def test_options_have_names_at_a_command_line():
    assert [typed_name(n) for n in ("missing", "exact_labels")] == ["not-answered", "exact-labels"]


def test_parts_of_readers(tmp_path):
    assert weight("[1, {}]") == weight(b"[1, {}]") == 9
    assert parsed('{"a": 1}', "x.json") == {"a": 1}
    assert single_question(None, {"verdict": 9}, "x.json") == "verdict"
    path = tmp_path / "x.csv"
    path.write_text("item,a,b")
    assert columns_of(path) == ("item", "a", "b")
    old, new = (Ballot("q1", "ann", f"line {k}", k, "yes") for k in (1, 2))
    left_out = Counter()
    assert without_repeats([old, new], True, left_out, "older") == [new]
    assert left_out == {"older": 1}


def test_few_tuples_of_many_judges_are_kept():
    assert (most_tuples(8), most_tuples(5000)) == (10_000_000, 50_000)
    with pytest.raises(ValueError, match=r"at most 50,000; got about 2\.5 million \(25\.0 GB\)"):
        check_room(1_250_000, 5000, 0.5)


def test_codes_are_packed_into_words():
    packing = Packing.of(3, 2)
    assert (packing.width, packing.in_a_word, packing.names) == (2, 31, "w0")


def test_tuples_are_added_part_by_part():
    tuples = Tuples(n_judges=3, n_answers=2)
    cells = np.array([0, 5, 0, 5, 2], np.int32)
    tuples.add(cells, np.array([2, 2, 1, 0]), share=1.0)
    codes, counts = tuples.table()
    assert codes.tolist() == [[-1, -1, -1], [-1, 0, -1], [0, -1, 1]]
    assert counts.tolist() == [1, 1, 2]


def test_columns_of_an_array_are_numbered():
    assert open_table(np.array([["a", "b"], ["b", "b"]])).names == ("judge 1", "judge 2")


def test_the_door():
    answers = {"gpt4": ["a", "b"], "claude": ["a", "a"]}

    @reads
    def n_judges(data):
        return data.n_judges

    assert n_judges(answers) == 2
    assert read_data([["a", "a"], ["b", None]]).missing.tolist() == [0, 1]
    assert read_labelled(answers, ["b", "b"])[1] == "key"
    scores = {"gpt4": [k / 10 for k in range(20)], "claude": range(20)}
    assert isinstance(read_data_or_scores(scores), Scores)
    assert isinstance(read_data_or_scores(answers), Votes)
    assert read_score_table({"gpt4": [0, 1], "claude": [1, 1]}).values.tolist() == [[0, 1], [1, 1]]
