"""Tables of known tools whose columns mean something else than their names suggest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from algeval.errors import DataError
from algeval.io.answers import tidy
from algeval.io.columns import plain
from algeval.io.layout import ITEM_NAMES, JUDGE_NAMES, match, shown
from algeval.io.readers.questions import unlike
from algeval.io.tables import Table

__all__ = ["refuse_export"]


@dataclass(frozen=True, slots=True)
class _Export:
    """A table told by its columns, why it is no plain table of votes, and what to do."""

    columns: frozenset[str]
    name: str
    advice: str
    applies: Callable[[Table], bool] = lambda table: True


def _several_names(table: Table) -> bool:
    name = "name" if "name" in table.names else "annotation_name"
    return len({plain(value) for value in table.column(name).values} - {None}) > 1


def _unlike_feedback(table: Table) -> bool:
    """Whether evaluators give answers that have nothing in common."""
    columns = [table.column(name) for name in table.names if name.startswith("feedback.")]
    answers = [{tidy(value) for value in column.values} - {None} for column in columns]
    return unlike({str(a) for a in found} for found in answers)


def _any_rejected(table: Table) -> bool:
    return any(plain(value) == "Rejected" for value in table.column("AssignmentStatus").values)


def _many_votes_an_item(table: Table) -> bool:
    """Whether rows are votes of several judges, not items with one winner each."""
    if match(table.names, [name for name in JUDGE_NAMES if name != "model"]) is not None:
        return True
    item = match(table.names, ITEM_NAMES)
    return item is not None and len(table.column(item).values) < table.n_rows


_PAIRS = (
    "pair comparisons in which the two models may change places from row to row; make one item of "
    "question and models in one fixed order, name the winner by its place in it, and pass item=, judge= "
    "and answer="
)

_EXPORTS = (
    _Export(frozenset({"model_a", "model_b", "winner"}), "arena", _PAIRS, _many_votes_an_item),
    _Export(frozenset({"model_1", "model_2", "g1_winner", "g2_winner"}), "FastChat", _PAIRS),
    _Export(
        frozenset({"traceId", "name", "dataType", "value"}),
        "Langfuse",
        "scores, a row each; pass item='traceId', judge='name' and answer='stringValue' (or answer='value' "
        "for numbers)",
    ),
    _Export(
        frozenset({"span_id", "name", "identifier", "annotator_kind"}),
        "Phoenix",
        "annotations of several questions (column 'name'); keep the rows of one question, and pass "
        "item='span_id', judge='identifier', answer='label'",
        _several_names,
    ),
    _Export(
        frozenset({"span_id", "annotation_name", "identifier", "annotator_kind"}),
        "Phoenix",
        "annotations of several questions (column 'annotation_name'); keep the rows of one question, and "
        "pass item='span_id', judge='identifier', answer='result.label'",
        _several_names,
    ),
    _Export(
        frozenset({"example_id", "execution_time"}),
        "LangSmith",
        "feedback of evaluators whose answers have nothing in common; name in judges= the columns feedback.* "
        "that answer one question",
        _unlike_feedback,
    ),
    _Export(
        frozenset({"trace_id", "assessments"}),
        "MLflow",
        "traces with a list of assessments each; write them as JSON lines and name the file, or one row "
        "per assessment: trace_id as item, source.source_id as judge, feedback.value as answer",
    ),
    _Export(
        frozenset({"_input_hash", "options", "accept"}),
        "Prodigy",
        "choices in the list 'accept'; name the file of JSON lines, or write its one entry as the answer and "
        "pass item='_input_hash', judge='_annotator_id'",
    ),
    _Export(
        frozenset({"HITId", "WorkerId", "AssignmentStatus"}),
        "Mechanical Turk",
        "assignments, some of them rejected; name the CSV file, or leave those out and pass item='HITId', "
        "judge='WorkerId' and the answer column with answer=",
        _any_rejected,
    ),
    _Export(
        frozenset({"HITId", "WorkerId", "AssignmentStatus"}),
        "Mechanical Turk",
        "assignments; pass item='HITId', judge='WorkerId' and the answer column with answer=",
    ),
)


def refuse_export(table: Table) -> None:
    """Refuse a known tool's table, where nobody said what its columns are.

    Raises
    ------
    DataError
        If the table is one of those known; the sentence says how to read it.
    """
    names = set(table.names)
    for export in _EXPORTS:
        if export.columns <= names and export.applies(table):
            raise DataError(
                f"a table of votes must be wide or long; got one of {export.name} by its columns "
                f"{shown(sorted(export.columns))}, which holds {export.advice}"
            )
