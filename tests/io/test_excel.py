"""Excel workbooks are read like any other table."""

import openpyxl
import pytest

from algeval.data.names import Caution
from algeval.errors import DataError
from algeval.io import count, load, read_results, read_votes, read_votes_with_notes

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


HEAD = ["#", "Question", "Anna", "Ben", "GPT-4o", "Claude"]


def judged(n, *, numbers=False):
    words = (4, 2) if numbers else ("good", "bad")
    return [
        [k + 1, f"how is thing {k} done", *(words[(k + j) % (3 + j) == 0] for j in range(4))]
        for k in range(n)
    ]


TOTALS = {
    "a total after an empty row": [[], [None, "Total good", 14, None, 15]],
    "totals without a gap": [[None, "Mean", 0.4, 0.5, 0.5, 0.6]],
    "shares without a word": [[None, None, "62%", "58%", "60%", "61%"]],
    "formulas without a value": [
        ["Average", None, "=AVERAGE(C2:C31)", None, "=AVERAGE(E2:E31)", None]
    ],
    "shares and figures after a gap": [
        [],
        ["Agreement with Anna", None, None, None, "84%", "79%"],
        ["kappa", None, None, None, 0.61, 0.52],
    ],
    "a remark": [["Note: Ben did only the first half"]],
    "totals, a gap and a remark": [
        ["合计", None, 14, 15],
        [],
        ["Source: the help desk, in October"],
    ],
}


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("case", TOTALS)
def test_totals_and_remarks_below_a_sheet_are_left_out_and_named(workbook, case, numbers):
    if numbers and case.startswith("shares"):
        return  # may be grades
    results = read_results(workbook([HEAD, *judged(30, numbers=numbers), *TOTALS[case]]))
    plain = read_results(workbook([HEAD, *judged(30, numbers=numbers)], "plain.xlsx"))
    assert results.n_items == 30
    assert results.judged.keys() == plain.judged.keys()
    assert results.votes.codes.tolist() == plain.votes.codes.tolist()
    first = next(str(cell) for row in TOTALS[case] for cell in row if cell is not None)
    note = next(n for n in results.table_notes if n.startswith("left out below the table"))
    assert isinstance(note, Caution)
    assert first in note or first.startswith("=")
    assert "left out below" not in "".join(plain.table_notes)


KEPT = {
    "outputs that wait for verdicts": [[31, "how is a new thing done"], [32, "and another one?"]],
    "an output with one verdict": [[31, "how is a new thing done", None, None, "good"]],
    "an id alone": [[31]],
    "an answer that is a number": [[31, "42"]],
}


@pytest.mark.parametrize("case", KEPT)
def test_last_rows_that_are_outputs_stay(workbook, case):
    results = read_results(workbook([HEAD, *judged(30), *KEPT[case]]))
    assert results.n_items == 30 + len(KEPT[case])
    assert "left out below" not in "".join(results.table_notes)


def test_an_item_that_is_called_like_a_total_stays(workbook):
    words = ["table", "sum", "fast", "total", "cold", "mean", "green", "Average"]
    rows = [[w, *(1 + (len(w) * (j + 2)) % 5 for j in range(3))] for w in words]
    results = read_results(workbook([["word", "gpt", "claude", "human"], *rows]))
    assert results.items == tuple(words)


HEADINGS = {
    "groups above single names": (
        [["#", "Question", "Reviewers", None, "Graders", None], [None, None, *HEAD[2:]]],
        ["#", "Question", "Reviewers/Anna", "Reviewers/Ben", "Graders/GPT-4o", "Graders/Claude"],
    ),
    "a title, and groups": (
        [
            ["Evaluation, Q4"],
            [],
            [None, None, "Reviewers", None, "Graders", None],
            HEAD,
        ],
        ["#", "Question", "Reviewers/Anna", "Reviewers/Ben", "Graders/GPT-4o", "Graders/Claude"],
    ),
    "one group": (
        [["#", "Question", "Anna", "Ben", "Graders", None], [None] * 4 + HEAD[4:]],
        ["#", "Question", "Anna", "Ben", "Graders/GPT-4o", "Graders/Claude"],
    ),
    "what the sheet is about": ([["Project", "Bot"], ["Raters", "two of us"], [], HEAD], HEAD),
}


@pytest.mark.parametrize("case", HEADINGS)
def test_titles_and_merged_headings_are_read_past(workbook, case):
    above, names = HEADINGS[case]
    results = read_results(workbook([*above, *judged(30)]))
    assert list(results.roles) == names
    assert [results.roles[name] for name in names[2:]] == ["human"] * 2 + ["judge"] * 2
    assert any(f"column names are in row {len(above)}" in note for note in results.table_notes)


def as_csv(path, rows, mark):
    lines = [mark.join("" if cell is None else str(cell) for cell in row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_text_of_a_spreadsheet_is_read_alike(tmp_path, mark):
    rows = judged(30)
    below = [[None] * 6, [None, "Total good", 14, 15, 13, 12], ["Note: Ben did only half"]]
    path = as_csv(tmp_path / "sheet.csv", [["Evaluation of Q4"], [], HEAD, *rows, *below], mark)
    results = read_results(path)
    assert results.n_items == 30
    assert any("2 rows ('Total good', 'Note: Ben did only half')" in n for n in results.table_notes)
    plain = read_results(as_csv(tmp_path / "plain.csv", [HEAD, *rows], mark))
    assert results.votes.codes.tolist() == plain.votes.codes.tolist()


def test_empty_rows_at_the_end_of_text_are_no_outputs(tmp_path):
    path = as_csv(tmp_path / "a.csv", [HEAD, *judged(30), [None] * 6, [None] * 6], ",")
    results = read_results(path)
    assert results.n_items == 30
    assert "left out below the table: empty rows" in results.table_notes


def test_a_total_far_below_many_rows_of_text(tmp_path):
    rows = judged(4000)
    rows[3990][1] = '"several lines\nin a cell"'
    path = as_csv(tmp_path / "a.csv", [HEAD, *rows, ["Total", None, 9, 9, 9, 9]], ",")
    assert read_results(path).n_items == 4000
