"""Tables of results: what HTML shows of them, and what a data frame holds."""

import math
from fractions import Fraction as F

import numpy as np
import pandas  # noqa: F401
import polars  # noqa: F401
import pyarrow  # noqa: F401
import pytest

import algeval as ae
from algeval.aggregate import agreement
from algeval.errors import DataError
from algeval.result import Quadratic, tables
from algeval.result.tables import Table, free_name

COLUMNS = {"x": "aabb", "y": "abbb", "z": "aab."}
VOTES = ae.Votes.from_columns(
    {judge: [None if c == "." else c for c in text] for judge, text in COLUMNS.items()},
    items=["q1", "q2", "q3", "q4"],
    key=["a", "a", "b", None],
)


def rows(result, library="polars"):
    return result.to_frame(library).rows(named=True)


def test_texts_are_escaped_and_control_characters_written_out():
    page = Table("<b>", {"<i>": ["<u>", "\x1b[31m"]}).html()
    assert "<caption>&lt;b&gt;</caption>" in page
    assert "<th>&lt;i&gt;</th>" in page
    assert "<td>&lt;u&gt;</td>" in page
    assert "\x1b" not in page


def test_long_and_wide_tables_say_what_they_leave_out():
    table = Table("t", {f"c{k}": range(100) for k in range(25)})
    page = table.html()
    assert page.count("<th>") == 20
    assert page.count("<tr>") == 1 + 30
    assert page.endswith("<p>... and 70 more rows and 5 more columns</p>")
    assert "more" not in Table("t", {"c": range(30)}).html()


def test_a_message_is_escaped_and_one_table_of_a_million_items_is_quick_to_show():
    votes = ae.Votes(range(200_000), ["<x>"], ["a"], ["a"], np.zeros((200_000, 1), int))
    page = votes._repr_html_()
    assert "&lt;x&gt;" in page
    assert "199970 more rows" in page
    assert len(page) < 5000


@pytest.mark.parametrize(
    ("cell", "shown"),
    [(None, "-"), (math.nan, "-"), (True, "yes"), (np.bool_(False), "no"), (F(2, 3), "2/3 (0.6667)"),
     (F(1), "1"), (0.123456, "0.1235"), (np.int64(7), "7"), (12, "12")],
)  # fmt: skip
def test_cells_are_shown_in_few_characters(cell, shown):
    assert f"<td>{shown}</td>" in Table("t", {"c": [cell]}).html()


def test_a_table_of_records_has_the_fields_asked_for_and_more():
    records = [F(1, 2), F(3)]
    table = Table.of_records("Fractions", ("numerator", "denominator"), records, size=[0.5, 3.0])
    assert table.columns == {"numerator": [1, 3], "denominator": [2, 1], "size": [0.5, 3.0]}


def test_a_frame_has_plain_cells_of_one_kind():
    root = Quadratic.make(F(1, 2), F(1, 4), 2)
    columns = {
        "share": [F(1, 2), root, None],
        "mixed": [1, 2.5, math.nan],
        "order": [1, "full", None],
        "huge": [10**30, 1, None],
        "flag": [True, None, False],
        "status": [ae.Status.OK, None, ae.Status.COMPLEX],
    }
    found = Table("t", columns).frame("polars")
    assert found["share"].to_list() == [0.5, pytest.approx(0.5 + 2**0.5 / 4), None]
    assert found["mixed"].to_list() == [1.0, 2.5, None]
    assert found["order"].to_list() == ["1", "full", None]
    assert found["huge"].to_list() == [str(10**30), "1", None]
    assert found["flag"].to_list() == [True, None, False]
    assert found["status"].to_list() == ["ok", None, "complex"]


def test_a_library_must_be_known_and_installed(monkeypatch):
    with pytest.raises(DataError, match=r"library must be one of .* got 'dask'; choose one"):
        VOTES.to_frame("dask")
    monkeypatch.setattr(tables, "find_spec", lambda name: None)
    with pytest.raises(
        DataError, match=r"got none of \['pandas', 'polars', 'pyarrow'\]; install one"
    ):
        VOTES.to_frame()
    with pytest.raises(DataError, match=r"got none of \['polars'\]"):
        VOTES.to_frame("polars")
    monkeypatch.setattr(tables, "find_spec", lambda name: name == "pyarrow" or None)
    assert type(VOTES.to_frame()).__module__.startswith("pyarrow")


def test_frames_come_from_the_library_that_the_program_uses(monkeypatch):
    assert type(VOTES.to_frame()).__module__.startswith("pandas")
    monkeypatch.delitem(tables.sys.modules, "pandas")
    assert type(VOTES.to_frame()).__module__.startswith("polars")
    monkeypatch.delitem(tables.sys.modules, "polars")
    assert type(VOTES.to_frame()).__module__.startswith("pyarrow")


def test_names_of_judges_and_labels_are_never_columns_of_ours():
    assert free_name("item", ["item", "item_"]) == "item__"
    odd = ae.Votes.from_columns({"item": ["a", "b"], "key": ["b", "a"]}, key=["a", "b"])
    assert rows(odd)[0] == {"item_": "1", "item": "a", "key": "b", "truth": "a"}
    named = ae.Votes.from_columns({j: ["item", "decision"] for j in "xyz"})
    frame = ae.aggregate(named, "majority").to_frame("polars")
    assert frame.columns == ["item_", "decision", "item", "decision_"]


def test_votes():
    assert rows(VOTES)[0] == {"item": "q1", "x": "a", "y": "a", "z": "a", "truth": "a"}
    assert rows(VOTES)[3] == {"item": "q4", "x": "b", "y": "b", "z": None, "truth": None}


def test_counts():
    assert {"x": "b", "y": "b", "z": None, "count": 1} in rows(VOTES.sketch())
    assert {"true label": "a", "x": "a", "y": "b", "z": "a", "count": 1} in rows(
        VOTES.keyed_sketch()
    )
    assert len(rows(VOTES.keyed_sketch())) == 3
    counts = [(row["judge"], row["answer"], row["count"]) for row in rows(VOTES.summary())]
    assert counts[:3] == [("x", "a", 2), ("x", "b", 2), ("x", None, 0)]
    assert counts[-1] == ("z", None, 1)


def test_scores():
    scores = ae.Scores.from_columns({"x": [1, None]}, key=[0, 1], attributes={"x": ["u", None]})
    assert rows(scores)[1] == {"item": "2", "x": None, "key": "1", "x_": None}


def test_an_evaluation_is_long():
    found = rows(VOTES.keyed_sketch().evaluation())
    value = {(row["judge"], row["label"], row["answer"]): row["value"] for row in found}
    assert len(value) == 3 * 2 * 2
    assert value["y", "a", "a"] == 0.5  # y says a to q1 and b to q2, both truly a
    assert value["x", "a", "a"] == 1.0
    assert value["x", "b", "a"] == 0.0


def test_an_aggregation_has_a_row_per_item():
    found = rows(ae.aggregate(VOTES, "majority"))
    assert [row["item"] for row in found] == ["q1", "q2", "q3", "q4"]
    assert [row["decision"] for row in found] == ["a", "a", "b", "b"]
    assert all(row["a"] + row["b"] == pytest.approx(1) for row in found)
    assert found[0]["a"] > found[1]["a"] > 0.5 > found[2]["a"]


def test_an_aggregation_of_counts_has_a_row_per_decision_tuple():
    found = rows(ae.aggregate(VOTES.sketch(), "majority"))
    assert {"a", "b", "count", "decision", "x", "y", "z"} == set(found[0])
    assert sum(row["count"] for row in found) == 4


def test_a_threshold_has_one_row():
    summary = ae.example("mt-bench-summary")
    (row,) = rows(ae.threshold(summary))
    assert (row["status"], row["exact"], row["lower"]) == ("ok", True, pytest.approx(2 / 3))


def test_bounds_have_a_row_per_range():
    one = ae.Summary.from_counts({"x": {"a": 3, "b": 1}})
    found = {(r["quantity"], r["judge"], r["label"]): r for r in rows(ae.bounds(one))}
    assert set(found) == {
        ("prevalence", None, "a"), ("prevalence", None, "b"), ("grade", "x", None),
        ("accuracy", "x", "a"), ("accuracy", "x", "b"),
    }  # fmt: skip
    grade = found["grade", "x", None]
    assert (grade["lower"], grade["upper"], grade["attained"]) == (0, 1, True)


def test_a_comparison_has_a_row_per_number_and_method():
    found = rows(ae.compare(VOTES, ["majority"], intervals=0))
    methods = {row["method"] for row in found}
    assert methods == {"logic", "majority", "key"}
    assert len(found) == len(methods) * (2 + 3 * 2)
    key = {
        (r["quantity"], r["judge"], r["label"]): r["value"] for r in found if r["method"] == "key"
    }
    assert key["prevalence", None, "a"] == pytest.approx(2 / 3)
    assert key["accuracy", "y", "a"] == 0.5
    assert all(r["value"] is None for r in found if r["method"] == "logic")


def test_agreement_has_a_row_per_pair():
    first = rows(agreement(VOTES))[0]
    assert (first["judge"], first["other"], first["n_shared"]) == ("x", "y", 4)
    assert (first["agreement"], first["kappa"]) == (0.75, 0.5)


def test_a_panel_has_a_row_per_judge():
    found = rows(
        ae.panel(ae.Summary.from_counts({"x": {"a": 9, "b": 1}, "y": {"a": 1, "b": 9}}), "0.9")
    )
    assert [row["judge"] for row in found] == ["x", "y"]
    assert sum(row["in the largest panel"] for row in found) == 1


def test_a_report_gives_its_table_of_judges():
    report = ae.report(VOTES, intervals=0)
    assert [row["judge"] for row in rows(report)] == [row[0] for row in report.overview.table.rows]
    assert {row["judge"] for row in rows(report)} == {"x", "y", "z"}


@pytest.mark.parametrize("n", [3, 5000])
def test_reprs_stay_short_whatever_the_names(n):
    labels = [f"label number {k}" for k in range(n)]
    votes = ae.Votes(range(n), ["x", "y"], labels, labels, np.tile(np.arange(n), (2, 1)).T)
    attributes = {"long name " * 40: ["u"] * n}
    scores = ae.Scores(range(n), ["x"], np.ones((n, 1)), None, attributes)
    shown = [votes, votes.sketch(), votes.summary(), scores]
    assert all(len(repr(one)) < 300 for one in shown)
