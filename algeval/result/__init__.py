"""What every method returns: a status, a message, the settings used, and exact numbers."""

from algeval.result.base import Result, from_json_number, to_json
from algeval.result.numbers import Exact, Quadratic, exact, format_exact, percent
from algeval.result.schemas import schema, schema_names
from algeval.result.status import Status
from algeval.result.tables import Table, Tabled
from algeval.result.visible import json_visible, visible

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
