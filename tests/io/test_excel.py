"""Excel workbooks are read like any other table."""

import openpyxl
import pytest

from algeval.errors import DataError
from algeval.io import count, load, read_votes, read_votes_with_notes

ROWS = [["item", "x", "y"], [1, "Yes", "no"], [2, "yes", None], [3, "yes", "#N/A"], [4, "no", "no"]]


@pytest.fixture
def workbook(tmp_path):
    def make(rows, name="v.xlsx", more=()):
        book = openpyxl.Workbook()
        sheet = book.active
        for row in rows:
            sheet.append(row)
        for title in more:
            book.create_sheet(title).append(["other", "things"])
        path = tmp_path / name
        book.save(path)
        return path

    return make


def refusal(path):
    with pytest.raises(DataError) as caught:
        read_votes(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_workbook_reads_like_its_rows(workbook):
    path = workbook(ROWS, more=["notes"])
    votes, notes = read_votes_with_notes(path)
    plain = read_votes([dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]])
    assert votes.to_dict() == plain.to_dict()
    assert votes.missing.tolist() == [0, 2]
    assert notes[:2] == (
        "v.xlsx read as an Excel workbook, sheet 'Sheet'",
        "sheets left out: 'notes'",
    )
    assert count(path, judges=["x", "y"]) == votes.sketch()
    assert load(path).n_items == 4


def test_blank_rows_and_whole_floats_are_as_in_text(workbook):
    path = workbook([[None], ["item", "x", "y"], [1, 1.0, 2], [], [2, 2.5, 1], [None, None, None]])
    votes = read_votes(path)
    assert votes.items == ("1", "2")
    assert votes.answers == ("1", "2", "2.5")


def test_a_workbook_without_its_extension_is_known_by_its_content(workbook):
    assert len(read_votes(workbook(ROWS, "votes.data"))) == 4


BAD = {
    "formula": ([["item", "x"], [1, "=1+1"]], "cell B2 of sheet 'Sheet' has none"),
    "long row": ([["item", "x"], [1, "a", "b"]], "row 2 of sheet 'Sheet' has more"),
    "nothing": ([], "a workbook without cells"),
    "header only": ([["item", "x"]], "a table without rows"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_workbooks_get_one_sentence(workbook, case):
    rows, expected = BAD[case]
    assert expected in refusal(workbook(rows))


def test_the_format_may_be_named_and_must_be_true(workbook, tmp_path):
    assert len(read_votes(workbook(ROWS), format="xlsx")) == 4
    text = tmp_path / "v.xlsx.csv"
    text.write_text("item,x\n1,a\n")
    with pytest.raises(DataError, match="must be an Excel workbook; got something else"):
        read_votes(text, format="xlsx")


def test_a_broken_workbook_gets_one_sentence(workbook, tmp_path):
    import zipfile

    path = tmp_path / "broken.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<nothing")
    assert "whole Excel workbook; got a broken one" in refusal(path)
