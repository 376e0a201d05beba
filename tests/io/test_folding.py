"""Labels that differ in case, space and trailing punctuation only are one, and it is said."""

import csv
import os
from collections import Counter
from pathlib import Path

import pytest

import algeval as ae
from algeval.data import Votes
from algeval.errors import DataError
from algeval.io import count, load_with_notes, read_counts, read_votes, read_votes_with_notes

SHARED = Path(os.environ.get("ALGEVAL_SHARED", Path(__file__).parents[2] / "../shared"))
MESSY = [
    *[("yes", "yes", "YES"), ("YES", " yes.", "no"), ("no", "No", "NO!"), ("Yes", "yes", "")],
    *[("no", "no", "yes"), ("N/A", "yes", "no")],
]


def table(rows):
    return {judge: [row[place] for row in rows] for place, judge in enumerate("xyz")}


def by_hand(text):
    """Clean one cell in the plainest way there is."""
    text = text.strip().lower()
    while text.endswith((".", "!")):
        text = text[:-1]
    return None if text in ("", "n/a") else text


def test_messy_spellings_read_like_their_cleaned_copy():
    clean = [[by_hand(cell) for cell in row] for row in MESSY]
    assert read_votes(table(MESSY)).sketch() == read_votes(table(clean)).sketch()
    assert read_votes(table(MESSY)).labels == ("no", "yes")


def test_the_newcomers_messy_file_reads_like_its_cleaned_copy(tmp_path):
    path = SHARED / "newcomer" / "messy.csv"
    if not path.exists():
        pytest.skip("the shared file is not here")
    with path.open(newline="") as stream:
        head, *rows = csv.reader(stream)
    clean = tmp_path / "clean.csv"
    with clean.open("w", newline="") as stream:
        csv.writer(stream).writerows([head, *([r[0], *map(by_hand, r[1:])] for r in rows)])
    messy, cleaned = read_votes(path), read_votes(clean, exact_labels=True)
    assert messy.to_dict() == cleaned.to_dict()
    assert messy.labels == ("no", "yes")
    found, expected = (ae.threshold(votes) for votes in (messy, cleaned))
    assert found.to_dict() == expected.to_dict()


def test_the_note_names_every_spelling_merged_and_its_votes():
    _, notes = read_votes_with_notes(table(MESSY))
    seen = Counter(cell.strip() for row in MESSY for cell in row)
    assert (
        f"read as 'yes': 'YES' ({seen['YES']} votes), 'yes.' (1 vote), 'Yes' (1 vote); "
        "exact_labels= keeps spellings apart"
    ) in notes
    assert (
        "read as 'no': 'No' (1 vote), 'NO!' (1 vote); exact_labels= keeps spellings apart" in notes
    )


def test_clean_votes_get_no_note_on_spelling():
    _, notes = read_votes_with_notes({"x": ["a", "b"], "y": ["b", "b"]})
    assert not [note for note in notes if "read as" in note]


@pytest.mark.parametrize(
    ("x", "y", "shown"),
    [
        (["YES", "yes", "no"], ["no", "no", "no"], "YES"),
        (["no", "YES"], ["yes", "no"], "yes"),
        (["yes", "YES", "YES"], ["no", "no", "YES"], "YES"),
    ],
)
def test_the_commonest_spelling_is_shown_and_of_ties_the_first_along_the_rows(x, y, shown):
    assert set(read_votes({"x": x, "y": y}).answers) == {"no", shown}


def test_long_tables_and_files_fold_alike(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text("item,judge,answer\n1,x,Yes\n1,y,yes\n2,x,yes\n2,y,NO\n")
    assert read_votes(path).answers == ("NO", "yes")
    wide = tmp_path / "w.csv"
    wide.write_text("item,x,y\n1,Yes,yes\n2,yes,NO\n")
    assert count(wide, judges=["x", "y"]) == read_votes(wide).sketch()
    assert count(wide, judges=["x", "y"], exact_labels=True).n_answers == 3


def test_columns_without_a_common_spelling_share_answers_all_the_same():
    assert read_votes({"x": ["YES", "NO"], "y": ["no", "no"]}).answers == ("YES", "no")


def test_exact_labels_keep_spellings_apart():
    votes, notes = read_votes_with_notes(
        {"x": ["Yes", "yes"], "y": ["yes", "YES"]}, exact_labels=True
    )
    assert votes.answers == ("YES", "Yes", "yes")
    assert not [note for note in notes if "read as" in note]


def test_labels_asked_for_decide_the_spelling():
    votes = read_votes({"x": ["yes", "no"], "y": ["yes", "No"]}, labels=["YES", "NO"])
    assert (votes.labels, votes.answers) == (("YES", "NO"), ("YES", "NO"))


def test_labels_listed_apart_are_never_merged_and_it_is_said():
    columns = {"x": ["a", "A", "b"], "y": ["A", "a", "b"]}
    votes, notes = read_votes_with_notes(columns, labels=["a", "A", "b"])
    assert votes.answers == ("a", "A", "b")
    assert votes.codes.tolist() == [[0, 1], [1, 0], [2, 2]]
    assert "not folded, because labels= names them apart: 'a', 'A'" in notes


def test_the_key_is_folded_like_the_answers():
    columns = {"x": ["yes", "no"], "y": ["yes", "yes"], "gold": ["YES.", "No"]}
    votes, notes = read_votes_with_notes(columns, key="gold")
    assert [votes.labels[code] for code in votes.key] == ["yes", "no"]
    assert "column 'gold': read 'No' as 'no', 'YES.' as 'yes'" in notes
    with pytest.raises(DataError, match="got 'No'"):
        read_votes(columns, key="gold", exact_labels=True)


def test_signs_that_may_mean_something_stay():
    assert read_votes({"x": ["B+", "B"], "y": ["yes?", "yes"]}, judges=["x", "y"]).n_answers == 4


def test_a_map_names_answers_whatever_their_spelling():
    columns = {"x": ["Yes", "no"], "y": ["yes.", "maybe"], "gold": ["YES", "No"]}
    votes, notes = read_votes_with_notes(columns, map={"yes": 1, "no": 0, "never": 2}, key="gold")
    assert votes.answers == ("0", "1", "maybe")
    assert votes.key.tolist() == [1, 0]
    assert "named '1': 'Yes' (1 vote), 'yes.' (1 vote)" in notes
    assert "no judge gave 'never', which is to be renamed" in notes


def test_a_map_with_exact_labels_names_one_spelling():
    votes = read_votes({"x": ["Yes", "yes"], "y": ["yes", "1"]}, map={"yes": 1}, exact_labels=True)
    assert votes.answers == ("1", "Yes")


@pytest.mark.parametrize(
    ("map", "expected"),
    [
        ({}, "map must give new names"),
        ("yes=1", "map must give new names"),
        ({"yes": ""}, "use missing= to leave votes out"),
        ({"yes": 1, "YES": 0}, "one name; got '1' and '0' for 'YES'"),
    ],
)
def test_bad_maps_get_one_sentence(map, expected):
    with pytest.raises(DataError) as caught:
        read_votes({"x": ["yes"], "y": ["no"]}, map=map)
    assert expected in str(caught.value)


def test_texts_named_missing_are_folded_too():
    votes = read_votes({"x": ["Unsure.", "a"], "y": ["a", "b"]}, missing=["unsure"])
    assert votes.missing.tolist() == [1, 0]


def test_counts_weigh_the_spellings():
    sketch = read_counts({"x": ["Yes", "yes", "yes"], "y": ["no", "no", "no"], "count": [9, 1, 1]})
    assert sketch.to_counts() == {("Yes", "no"): 11}
    _, notes = load_with_notes({"x": ["Yes", "yes"], "y": ["no", "no"], "n": [9, 2]}, count="n")
    assert "read as 'Yes': 'yes' (2 votes); exact_labels= keeps spellings apart" in notes


def test_columns_given_in_python_are_taken_exactly():
    assert Votes.from_columns({"x": ["Yes", "yes"]}).labels == ("Yes", "yes")


@pytest.mark.parametrize("word", ["error", "Error", "timeout", "[invalid]", "#DIV/0!"])
def test_a_failed_vote_is_no_label(word):
    votes, notes = read_votes_with_notes({"x": ["a", "b", word], "y": ["b", "a", "a"]})
    assert votes.answers == ("a", "b")
    assert votes.missing.tolist() == [1, 0]
    assert (
        f"votes that failed, counted as missing: '{word}' (1); name one in labels= if it is a label"
        in notes
    )


def test_error_is_a_label_where_it_is_named_or_there_is_hardly_another():
    columns = {"x": ["ok", "error"], "y": ["error", "ok"]}
    assert read_votes(columns).answers == ("error", "ok")
    more = {"x": ["a", "b", "error"], "y": ["a", "a", "b"]}
    assert read_votes(more, labels=["a", "b", "error"]).answers == ("a", "b", "error")


def test_minus_one_beside_numbered_classes_is_not_guessed():
    columns = {"x": [-1, 0, 1], "y": [0, 1, 1]}
    with pytest.raises(DataError, match="'no label' or a label"):
        read_votes(columns)
    assert read_votes(columns, missing=["-1"]).missing.tolist() == [1, 0]
    assert read_votes(columns, labels=[-1, 0, 1]).answers == ("-1", "0", "1")
    assert read_votes({"x": [-1, 1], "y": [1, -1]}).answers == ("-1", "1")
