"""A report as one self-contained HTML page."""

from __future__ import annotations

from importlib.resources import files

from algeval.report.parts import Page, Shown

__all__ = ["fragment", "page"]


def fragment(report: Page) -> str:
    """Return the report as an HTML fragment; every text is escaped."""
    return _render("fragment", report=Shown.of(report))


def page(report: Page) -> str:
    """Return the report as a page that needs no other file."""
    from markupsafe import Markup

    return _render("page", report=Shown.of(report), body=Markup(fragment(report)))


def _render(name: str, **values: object) -> str:
    from jinja2 import Environment

    source = files("algeval.report").joinpath("templates", f"{name}.html")
    template = Environment(autoescape=True, trim_blocks=True).from_string(
        source.read_text(encoding="utf-8")
    )
    return template.render(**values)
