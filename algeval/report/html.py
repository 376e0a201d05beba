"""A report as one self-contained HTML page."""

from __future__ import annotations

from algeval.report.document import Report

__all__ = ["fragment", "page"]

_FRAGMENT = """\
<article class="algeval">
<h1>{{ report.source }}</h1>
<p class="lead">{{ report.message }}</p>
{% for section in report.sections %}
<section>
<h2>{{ section.title }}</h2>
{% for line in section.lines %}<p>{{ line }}</p>
{% endfor %}
{% for table in section.tables %}
<div class="scroll"><table>
<thead><tr>{% for name in table.columns %}<th scope="col">{{ name }}</th>{% endfor %}</tr></thead>
<tbody>
{% for row in table.rows %}<tr>
{%- for cell in row %}{% if loop.first %}<th scope="row">{{ cell }}</th>{% else %}<td>{{ cell }}</td>{% endif %}
{%- endfor %}</tr>
{% endfor %}
</tbody>
</table></div>
{% if table.note %}<p class="note">{{ table.note }}</p>{% endif %}
{% endfor %}
{% if section.caveat %}<p class="caveat"><strong>What this does not mean.</strong> {{ section.caveat }}</p>{% endif %}
</section>
{% endfor %}
</article>
"""

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>algeval report: {{ report.source }}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1f24; background: #fff; margin: 0 auto; max-width: 62rem; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid #d0d7de; }
p { margin: .4rem 0; overflow-wrap: anywhere; } .lead { font-size: 1.05rem; } .note { color: #57606a; font-size: .9rem; }
.caveat { background: #f6f8fa; border-left: 4px solid #8c959f; padding: .5rem .75rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .75rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem; text-align: right; border-bottom: 1px solid #eaeef2; white-space: nowrap; }
th:first-child { text-align: left; font-weight: 500; } thead th { font-weight: 600; }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3; } .caveat { background: #161b22; } th, td { border-color: #30363d; } .note { color: #8d96a0; } }
</style>
</head>
<body>
{{ body }}
</body>
</html>
"""


def fragment(report: Report) -> str:
    """Return the report as an HTML fragment; every text is escaped."""
    from jinja2 import Environment

    template = Environment(autoescape=True, trim_blocks=True).from_string(_FRAGMENT)
    return template.render(report=report)


def page(report: Report) -> str:
    """Return the report as a page that needs no other file."""
    from jinja2 import Environment
    from markupsafe import Markup

    template = Environment(autoescape=True).from_string(_PAGE)
    return template.render(report=report, body=Markup(fragment(report)))  # noqa: S704
