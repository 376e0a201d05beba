"""What every method returns: a status, a message, the settings used, and exact numbers."""

from algeval.result.base import Result, from_json_number, to_json
from algeval.result.numbers import Exact, Quadratic, exact, format_exact, percent
from algeval.result.status import Status

__all__ = [
    "Exact",
    "Quadratic",
    "Result",
    "Status",
    "exact",
    "format_exact",
    "from_json_number",
    "percent",
    "to_json",
]
