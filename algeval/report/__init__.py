"""Reports a person reads, and the same as JSON."""

from algeval._callable import make_callable
from algeval.report.build import Report, report
from algeval.report.parts import Section, Table

__all__ = ["Report", "Section", "Table", "report"]

make_callable(__name__, "report")
