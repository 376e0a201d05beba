"""What every method returns: a status, a message, the settings used, and exact numbers."""

from algeval.result.base import Result, from_json_number, schema, schema_names, to_json
from algeval.result.numbers import (
    Exact,
    Quadratic,
    Status,
    exact,
    format_exact,
    json_visible,
    percent,
    visible,
)
from algeval.result.tables import Table, Tabled

__all__ = [
    "Exact",
    "Quadratic",
    "Result",
    "Status",
    "Table",
    "Tabled",
    "exact",
    "format_exact",
    "from_json_number",
    "json_visible",
    "percent",
    "schema",
    "schema_names",
    "to_json",
    "visible",
]
