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
        "sheets left out: 'notes'; table='notes' reads another",
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


# ---- merged cells, and several tables in a workbook


def merged(path, *ranges):
    book = openpyxl.load_workbook(path)
    for where in ranges:
        book.active.merge_cells(where)
    book.save(path)
    return path


def test_cells_merged_downwards_hold_for_every_row_and_blank_ones_do_not(workbook):
    rows = [["topic", *row] for row in judged(12)]
    for k, row in enumerate(rows):
        row[0] = ("billing", "refunds", "login")[k // 4] if k % 4 == 0 else None
    path = workbook([["topic", *HEAD], *rows])
    assert list(read_results(path).slices["topic"].values()) == ["billing", "refunds", "login"]
    path = merged(path, "A2:A5", "A6:A9", "A10:A13", "D4:D5")
    results = read_results(path)
    assert list(results.slices["topic"].values()) == [
        t for t in ("billing", "refunds", "login") for _ in range(4)
    ]
    assert results.said["Anna"][1][2] == results.said["Anna"][1][3]
    note = "merged cells hold for every row they cover: 'topic' (3), 'Anna' (1)"
    assert any(n == note and isinstance(n, Caution) for n in results.table_notes)


def test_merged_headings_and_empty_rows_inside_a_merged_block_are_no_outputs(workbook):
    above = [["topic", "Reviewers", None, "Graders", None], [None, *HEAD[2:]]]
    rows = [[None, *row[2:]] for row in judged(12)]
    rows[0][0], rows[8][0] = "billing", "login"
    path = merged(
        workbook([*above, *rows[:6], [], *rows[6:]]), "A1:A2", "B1:C1", "A3:A11", "A12:A15"
    )
    results = read_results(path)
    assert results.n_items == 12
    assert list(results.slices["topic"].values()) == ["billing"] * 8 + ["login"] * 4
    assert list(results.roles) == ["topic", *HEADINGS["groups above single names"][1][2:]]


ID = ["id", "gpt4o", "claude", "human"]


def verdicts(n, seed=0):
    words = ("pass", "fail")
    return [
        [f"q{k}", *(words[(k * (seed + 2) + j) % 3 == 0] for j in (0, 1)), words[k % 4 == 0]]
        for k in range(n)
    ]


def beside(*tables, gap=1):
    longest = max(map(len, tables))
    padded = [[*t, *[[None] * len(t[0])] * (longest - len(t))] for t in tables]
    return [
        [cell for k, part in enumerate(row) for cell in ([None] * gap * (k > 0) + list(part))]
        for row in zip(*padded, strict=True)
    ]


SEVERAL = {
    "beside each other": (beside([ID, *verdicts(20)], [ID, *verdicts(16, 1)]), "table"),
    "with titles": (
        [
            ["v1", None, None, None, None, "v2"],
            *beside([ID, *verdicts(20)], [ID, *verdicts(16, 1)]),
        ],
        "v",
    ),
    "an id for both": (
        beside(
            [[row[0]] for row in [ID, *verdicts(20)]],
            [row[1:] for row in [ID, *verdicts(20)]],
            [row[1:] for row in [ID, *verdicts(16, 1)]],
        ),
        "table",
    ),
    "below each other": ([ID, *verdicts(20), [], ID, *verdicts(16, 1)], "table"),
    "below titles": ([["v1"], ID, *verdicts(20), [], ["v2"], ID, *verdicts(16, 1)], "v"),
}


@pytest.mark.parametrize("case", SEVERAL)
def test_tables_with_the_same_columns_are_one_and_it_is_asked_what_they_are(workbook, case):
    rows, named = SEVERAL[case]
    path = workbook(rows)
    with pytest.raises(DataError, match="2 tables with the same columns") as caught:
        read_results(path)
    (question,) = caught.value.questions
    assert question.columns == ("table",)
    assert "system='table'" in question.answers
    results = read_results(path, system="table")
    titles = ("v1", "v2") if named == "v" else ("table 1", "table 2")
    assert results.systems == titles
    parts = results.split("system")
    for title, n, seed in zip(titles, (20, 16), (0, 1), strict=True):
        plain = read_results([dict(zip(ID, row, strict=True)) for row in verdicts(n, seed)])
        assert parts[title].votes.codes.tolist() == plain.votes.codes.tolist()
        assert list(parts[title].human.values()) == list(plain.human.values())


def test_sheets_with_the_same_columns_are_one_and_one_may_be_named(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Read me"
    for line in ("Evaluation of the bot", "by Maria"):
        book.active.append([line])
    for title, n in (("v1", 20), ("v2", 16)):
        sheet = book.create_sheet(title)
        for row in [ID, *verdicts(n)]:
            sheet.append(row)
    book.create_sheet("empty")
    path = tmp_path / "v.xlsx"
    book.save(path)
    with pytest.raises(DataError, match="column 'sheet' says which") as caught:
        read_results(path)
    assert caught.value.questions[0].columns == ("sheet",)
    assert read_results(path, system="sheet").systems == ("v1", "v2")
    assert read_results(path, table="v2").n_items == 16
    assert len(read_votes(path, table="V1")) == 20
    with pytest.raises(DataError, match="got 'v3'; it holds 'Read me', 'v1', 'v2'"):
        read_results(path, table="v3")


def test_a_cover_sheet_is_passed_over_and_named(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Cover"
    for row in (["Author", "Maria"], ["Date", "November"], ["pass", "the answer is right"]):
        book.active.append(row)
    sheet = book.create_sheet("Results")
    for row in [ID, *verdicts(20)]:
        sheet.append(row)
    path = tmp_path / "v.xlsx"
    book.save(path)
    results = read_results(path)
    assert results.n_items == 20
    assert "sheets left out: 'Cover'; table='Cover' reads another" in results.table_notes


LEGENDS = {
    "a legend": [["Code", "Meaning"], ["pass", "right and complete"], ["fail", "wrong"]],
    "a summary": [["judge", "accuracy", "n"], ["gpt4o", 0.8, 30], ["claude", 0.75, 30]],
}


@pytest.mark.parametrize("case", LEGENDS)
def test_small_lists_below_a_table_are_no_outputs(workbook, tmp_path, case):
    judged_rows = [[*row, k, "ab"[k % 2]] for k, row in enumerate(verdicts(24))]
    rows = [[*ID, "tokens", "topic"], *judged_rows, [], *LEGENDS[case]]
    for path in (
        workbook(rows),
        as_csv(tmp_path / "v.csv", [(*r, *[None] * (6 - len(r))) for r in rows], ";"),
    ):
        results = read_results(path)
        assert results.n_items == 24
        assert results.good == "pass"
        assert any("left out below the table" in n and "3 rows" in n for n in results.table_notes)


def test_a_legend_beside_a_table_is_left_out_and_columns_set_apart_stay(workbook):
    legend = [["Code", "Meaning"], ["pass", "right and complete"], ["fail", "wrong"]]
    results = read_results(workbook(beside([ID, *verdicts(20)], legend)))
    assert list(results.roles) == ID
    note = "left out beside the table, as a legend: 'Code', 'Meaning' (2 rows)"
    assert any(n == note and isinstance(n, Caution) for n in results.table_notes)
    first_rows = [["Ben", "why"], *([w, "said in a hurry"] for w in ("pass", "pass", "fail"))]
    apart = read_results(workbook(beside([ID, *verdicts(20)], first_rows)), human=["human", "Ben"])
    assert list(apart.roles) == [*ID, "Ben", "why"]


def test_outputs_below_an_empty_row_that_wait_for_verdicts_stay(workbook):
    rows = [[f"q{k}", f"how is thing {k} done", *row[1:]] for k, row in enumerate(verdicts(20))]
    waits = [["q20", "how is a new thing done"], ["q21", "and another one?"]]
    path = workbook([["id", "prompt", *ID[1:]], *rows, [], *waits])
    assert read_results(path).n_items == 22


@pytest.mark.parametrize("answers", [True, False])
def test_columns_with_the_same_names_under_headings_are_outputs_of_each(workbook, answers):
    names = ["Answer", "GPT-4o", "human"] if answers else ["GPT-4o", "human"]
    rows = [
        [f"how is thing {k} done", *(cell for s in (0, 1) for cell in row(k, s)[-len(names) :])]
        for k in range(20)
    ]
    above = [[None] * (len(names) - 1)] * 2
    path = workbook([["Prompt", "v1", *above[0], "v2", *above[1]], [None, *names, *names], *rows])
    if not answers:
        with pytest.raises(DataError, match="'table' says which") as caught:
            read_results(path)
        assert caught.value.questions[0].columns == ("table",)
    results = read_results(path, **({} if answers else {"system": "table"}))
    assert results.systems == ("v1", "v2")
    for s, part in enumerate(results.split("system").values()):
        assert list(part.human.values()) == [row(k, s)[2] for k in range(20)]
    assert read_results(path, systems=["v2"]).n_items == 20
    both = read_results(path, judges=["v1/GPT-4o", "v2/GPT-4o"])  # as one may mean it
    assert both.n_items == 20


def row(k, s):
    words = ("pass", "fail")
    return [f"to do {k} by way {s}", words[(k + s) % 3 == 0], words[(k * (s + 2)) % 4 == 0]]


def test_criteria_under_who_judged_stay_columns(workbook):
    names = ["Thesis", "Style"]
    path = workbook(
        [
            ["Essay", "GPT-4o", None, "Claude", None, "Teacher", None],
            [None, *names * 3],
            *[[f"E{k}", *("ABC"[(k * j) % 3] for j in range(1, 7))] for k in range(24)],
        ]
    )
    with pytest.raises(DataError) as caught:
        read_results(path)
    assert any("GPT-4o/Thesis" in q.columns for q in caught.value.questions)
