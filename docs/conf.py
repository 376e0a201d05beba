"""Sphinx configuration: notebooks are shown as they are shipped; warnings are errors in CI."""

import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import api_reference
import cli_reference
import pictures

import algeval

HERE = Path(__file__).parent

project = "algeval"
author = "The algeval developers"
copyright = "2026, the algeval developers"
version = release = algeval.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinxcontrib.bibtex",
    "sphinx-mathjax-offline",
]
exclude_patterns = [
    "_build",
    "**.ipynb_checkpoints",
    "notebooks/*.md",  # links name the text, pages are made of the .ipynb beside it
]
html_theme = "furo"
html_title = "algeval"
html_static_path = ["_static"]
html_css_files = ["output.css"]
html_extra_path = ["_build/extra"]  # what the front page links to; made by pictures.py
html_sourcelink_suffix = ""  # so that a page's source can be used as it is: NAME.ipynb, not .txt

myst_enable_extensions = ["dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 3
myst_dmath_double_inline = True
nb_execution_mode = "off"  # tests/test_notebooks.py runs them and compares

bibtex_bibfiles = ["references.bib"]
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
maximum_signature_line_length = 88  # longer ones have a line for each parameter
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
suppress_warnings = [
    "myst.header",
    "mystnb.unknown_mime_type",
    "ref.python",  # attributes of the same name in several results are meant
]
_BARS = re.compile(r"\|([^|\s`][^|]*)\|")


def escape_bars(app, what, name, obj, options, lines):
    """Leave |x| in docstrings as it reads: an absolute value, no substitution."""
    for place, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            lines[place] = _BARS.sub(r"\|\1\|", line)


def offer_notebook(app, pagename, templatename, context, doctree):
    """Put a link under a notebook's title, to take it along."""
    if pagename.startswith("notebooks/"):
        file = context["pathto"](f"_sources/{context['sourcename']}", resource=True)
        link = f'<p><a href="{file}" download>Download this notebook</a> and run it yourself.</p>'
        context["body"] = context["body"].replace("</h1>", f"</h1>{link}", 1)


def fold_sidebar(app, pagename, templatename, context, doctree):
    """Leave out of a sidebar what lies under other sections: smaller pages, built sooner."""
    whole = context.get("toctree")
    if whole is not None:
        context["toctree"] = lambda **options: whole(**{**options, "collapse": True})


def setup(app):
    """Bring the notebooks in, write the reference, draw the pictures."""
    app.connect("autodoc-process-docstring", escape_bars)
    app.connect("html-page-context", offer_notebook)
    app.connect("html-page-context", fold_sidebar, priority=400)  # before the theme's own
    target = HERE / "notebooks"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(HERE.parent / "notebooks", target)
    (HERE / "reference" / "cli.md").write_text(cli_reference.page(), encoding="utf-8")
    api_reference.write()
    pictures.write()
