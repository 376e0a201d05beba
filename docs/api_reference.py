"""The pages of the Python reference: one for each name of `algeval`, one for each module of the rest.

They are written whenever the pages are built (``python docs/api_reference.py`` writes them too) and are not
kept in git. A new name at the top of the package is given a question here by hand, and so is a new layer
or a new constant: the tests compare both with every ``__all__``.
"""

import inspect
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import algeval as ae
from algeval.aggregate.registry import METHODS, SCORE_METHODS, Method

DOCS = Path(__file__).parent
FOLDER = DOCS / "reference" / "api"

HEAD = """# Python reference

Import with `import algeval as ae`; names load on first use. Each name below has a page. What is not at the
top of the package is imported from where it lives, `from algeval.algebra import atlas`, and stands on the
[page of its module](#modules).
"""

CONVENTIONS = """## What goes in, what comes out

**In.** A function that asks for `data` takes Votes, a Sketch, a KeyedSketch or a Summary, and any table as
well: a path, a data frame (pandas, polars, pyarrow and whatever else narwhals knows), `{judge: answers}`, a
list of records, or a 2-d array or list of lists whose columns are the judges "judge 1", "judge 2", ...;
None and NaN mean "not answered". A table is read as `read_votes` reads it without options; call that
yourself to name columns, to cut scores, or to read the same file once for many questions.

**Out.** Every result is frozen, holds a `status`, a `message` and the settings that produced it, and has
`summary()` (what `print` shows), `to_dict()` (JSON), `to_frame()` (a pandas, polars or pyarrow frame),
`as_tables()` (what a notebook shows) and `plot()`. Votes, Scores, sketches, summaries and evaluations have
`to_frame()` too. Results and data are equal when all they hold is, arrays and NaN included; they are
hashable, and copies and pickles are equal to what they were made of.

**Names.** `ae.versus` and `ae.next` were called `compare_systems` and `next_items`; `human=` and `good=` were
called `gold=` or `key=`, and `label=`, which work for one release and warn. `ae.next` is no part of
``from algeval import *``, which would take Python's own `next` away.

**Modules that can be called.** `ae.aggregate`, `ae.compare`, `ae.label`, `ae.report` and `ae.verify` are
modules that can be called like the function they are named after. `axioms`, `half_votes`, `if_others`,
`members`, `multiplicities` and `windows` are in `ae.logic`; the old places at the top work for one release
and warn.
"""

FORMER = {"compare_systems": "versus", "next_items": "next"}
"""{old name: the function that it is}"""

QUESTIONS = {
    "What is in my file?": (
        ["read_results", "read_votes", "read_scores", "example", "load", "count", "read_sketch"]
    ),
    "How often does a system pass, and which one is better?": (
        ["rate", "versus", "next", "label", "leaderboard", "plan", "LabelStream", *FORMER]
    ),
    "How good are my judges, and what is the label of each item?": (
        [
            "judge_card",
            "self_consistency",
            "judge_bias",
            "drift",
            "slices",
            "VerdictStream",
            "report",
            "aggregate",
            "agreement",
            "judge_groups",
            "suspects",
            "confounders",
            "score",
        ]
    ),
    "Do judges share errors, and which method do I take?": [
        *("diagnose", "compare", "disagreement", "score_test", "robustness", "false_positives")
    ],
    "Can every judge be as good as I need?": [
        *("alarm", "threshold", "panel", "bounds", "check", "suspect_key", "Monitor", "program"),
        *("reach", "Specification", "Condition"),
    ],
    "Is this proof valid?": ["verify"],
    "What do the counts allow?": (
        ["evaluations", "count_consistent", "is_consistent", "sample_consistent"]
    ),
    "What is exactly true if errors are independent?": [
        *("decode", "prove", "relations", "encode", "groebner_basis", "ladder")
    ],
    "What holds votes, scores and counts?": (
        ["Votes", "Scores", "Sketch", "KeyedSketch", "Summary", "Evaluation"]
    ),
    "What do all results share?": ["Status", "Quadratic", "schema", "show_progress"],
    "What can go wrong?": [
        *("AlgevalError", "DataError", "ImpossibleError", "NotIdentifiableError"),
        *("NotSolvedError", "TooLargeError"),
    ],
}
"""The names of `algeval` by what is asked, those met first in front; its modules come last."""

MODELS = (
    "independent",
    "ising",
    "curie_weiss",
    "factor",
    "log_linear",
    "risk_curves",
    "count_rules",
    "binary",
)
GROUPS = [
    (
        "How do I get my votes in?",
        "Judges are joined on item ids, never on position. A vote that was not given is counted as missing.",
        ["io"],
    ),
    (
        "What are the counts, and what is asked of the judges?",
        "Input is checked here and nowhere else. Every method reads a `Sketch`, or a `Summary` at order 1.",
        ["data"],
    ),
    (
        "What is logically possible?",
        "Nothing is assumed about the judges. Each verdict holds a certificate; see [](certificates.md).",
        ["logic"],
    ),
    (
        "Is this certificate valid?",
        "The verifier stands alone: two files, the standard library, nothing of the package. Commands and "
        "gates check every certificate before it is shown, and keep it where asked.",
        ["verify", "certificates"],
    ),
    (
        "How does another kernel check it?",
        "Certificates as text of Coq, Lean, LaTeX, computer algebra and SMT-LIB; see "
        "[](../howto/hand-a-proof-on.md).",
        ["export"],
    ),
    (
        "What is exactly true if the errors are independent?",
        "Exact numbers throughout; a failure to decode is a status that says what it means.",
        ["algebra"],
    ),
    (
        "What is the consensus label, and how good is each judge?",
        'Each method is called by its name, `ae.aggregate(votes, "dawid-skene")`, and takes the settings '
        "of its function. See [](../chapters/aggregation.md).",
        ["aggregate", "sklearn"],
    ),
    (
        "Do the methods agree, and is an estimate possible at all?",
        "These put logic, algebra and aggregation side by side.",
        ["compare", "report", "report.figures"],
    ),
    (
        "How good is each judge by people's labels?",
        "Intervals of accuracy, recall, precision and agreement beyond chance; which judges may be best.",
        ["judges"],
    ),
    (
        "What do the votes say about the systems they judge?",
        "Rates, comparisons, rankings, what to label next, and how many labels; see "
        "[](../chapters/rates/labels.md).",
        ["rates", "label"],
    ),
    (
        "Should this pipeline stop?",
        "A fixture of pytest, which pytest loads by itself; see [](../howto/guard-a-pipeline.md).",
        ["gate"],
    ),
    (
        "How many labels should I pay for?",
        "Chances that the better of two classifiers wins, exact to rounding.",
        ["budgets"],
    ),
    (
        "Do the papers' numbers hold?",
        "Every checkable claim of the papers, computed again (see [](../replication.md)), their numbered "
        "equations, and the theory that only they use: steps of the proof that one label per item is best "
        "and a sweep over a grid, risks under dependence and their limits, mean-field equations.",
        [
            "algeval_papers",
            "algeval_papers.conjecture",
            "algeval_papers.separation",
            "algeval_papers.mean_field",
            "algeval_papers.gaussian_states",
        ],
    ),
    (
        "Which laws of votes are there?",
        "For simulation, exact posteriors and proofs by enumeration.",
        [f"models.{name}" for name in MODELS],
    ),
    (
        "How long will it take?",
        "Nothing is shown unless asked for; commands ask where stderr is a terminal.",
        ["progress"],
    ),
    ("What does a result look like?", "The base of all results, and exact numbers.", ["result"]),
    (
        "What can go wrong?",
        "A failure to solve is a status, never an exception. An exception says that the input was wrong, "
        "or that what was asked for cannot be done.",
        ["errors"],
    ),
]
CONSTANTS = {
    "METHODS": "{name: record}: what is known of each method of votes, as in the table below.",
    "SCORE_METHODS": "{name: record}: the same of the methods of scores.",
    "NOT_ANSWERED": "-1, the code of a vote that was not given.",
    "EXPECTED_FAILED_CHECKS": "Checks of scikit-learn that the estimator fails by design, and why.",
    "Exact": "The numbers of exact results: int, Fraction or Quadratic.",
    "Floats": "Arrays of float64.",
    "PAPERS": "{number: paper}: the papers whose claims are computed again.",
    "KINDS": "The kinds of figures there are.",
    "SYSTEMS": "What certificates are exported to.",
    "FILES": "{system: ending of its files}.",
    "judges": "The fixture: ``judges(source, **reading)`` are `Judges`, read as by `read_votes`.",
}


def kind(value: object) -> str:
    """Return what autodoc calls a value; a module that can be called is a function."""
    if inspect.isclass(value):
        return "exception" if issubclass(value, BaseException) else "class"
    return "function" if inspect.isroutine(value) or isinstance(value, ModuleType) else "data"


def path(module: str, name: str) -> str:
    """Return the full name of what a name stands for, which a module that can be called is not."""
    end = f".{name}" if isinstance(getattr(import_module(module), name), ModuleType) else ""
    return f"{module}.{name}{end}"


def directive(module: str, name: str) -> str:
    """Return the lines that document one name."""
    value = getattr(import_module(module), name)
    if name in FORMER:
        return f".. py:data:: {module}.{name}\n\n   {_line_of(name)}\n"
    if kind(value) == "data":
        return f".. py:data:: {path(module, name)}\n\n   {CONSTANTS[name]}\n"
    members = "   :members:\n" if kind(value) == "class" else ""
    return f".. auto{kind(value)}:: {path(module, name)}\n{members}"


def block(places: list[tuple[str, str]]) -> str:
    """Return one block of directives."""
    return "```{eval-rst}\n" + "\n".join(directive(*place) for place in places) + "```\n"


def methods_table() -> str:
    """Return what the records say of every method of votes, as a table."""
    rows = [
        f"| `{m.name}` | {m.assumes} | {'2' if m.labels == 'two' else 'any'} | {m.fewest} | "
        f"{'yes' if m.law else f'no: {m.without_law}'} |"
        for m in METHODS.values()
    ]
    head = "| method | what it assumes | labels | fewest judges | law of votes |\n|---|---|---|---|---|"
    return "\n".join([head, *rows]) + "\n"


def score_methods_table() -> str:
    """Return what the records say of every method of scores, as a table."""
    rows = [f"| `{n}` | {m.assumes} | {m.fewest} |" for n, m in SCORE_METHODS.items()]
    head = "| method | what it assumes | fewest judges |\n|---|---|---|"
    return "\n".join([head, *rows]) + "\n"


def fits(methods: dict[str, Method], module: str) -> list[tuple[str, str]]:
    """Return module and name of the function that fits each method."""
    return [tuple(f"{module}.{place}".split(":")) for place in {m.fit: 0 for m in methods.values()}]  # type: ignore[misc]


def public(module: str) -> list[tuple[str, str]]:
    """Return the names of a module: functions first, then the rest, each in order of the alphabet."""
    home = import_module(module)

    def rank(name: str) -> tuple[bool, str]:
        return kind(getattr(home, name)) != "function", name.lower()

    return [(module, name) for name in sorted(home.__all__, key=rank)]


def named(module: str, name: str) -> object:
    """Return what a name stands for: of a module that can be called, its function."""
    value = getattr(import_module(module), name)
    if isinstance(value, ModuleType) and callable(value):
        return getattr(value, name)
    return value


def modules() -> list[str]:
    """Return every module that has a page, in the order of the groups."""
    layers = [layer for *_, names in GROUPS for layer in names]
    return [name if name.startswith("algeval_papers") else f"algeval.{name}" for name in layers]


def homes() -> dict[str, str]:
    """Return the module that documents each name at the top of the package."""
    by_value = {
        id(named(*place)): place[0] for module in modules()[::-1] for place in public(module)
    }
    asked = [name for names in QUESTIONS.values() for name in names]
    return {name: by_value[id(named("algeval", name))] for name in asked}


def first_line(value: object) -> str:
    """Return the first line of a docstring, as Markdown."""
    return (inspect.getdoc(value) or "").strip().partition("\n")[0].replace("|", "\\|")


def _line_of(name: str) -> str:
    """Return what a name at the top of the package is, in a line."""
    if name in FORMER:
        return f"The old name of `{FORMER[name]}`: the same function."
    return first_line(getattr(ae, name))


def of_module(module: str) -> str:
    """Return the first line of a module's own docstring: one that can be called has two."""
    return (vars(import_module(module))["__doc__"] or "").strip().partition("\n")[0]


def uses() -> dict[str, list[Path]]:
    """Return the pages that use each name at the top: how-tos, then the tutorial and chapters."""
    groups = ("howto/*.md", "tutorial.md", "chapters/**/*.md")
    pages = [page for pattern in groups for page in sorted(DOCS.glob(pattern))]
    found: dict[str, list[Path]] = {}
    for page in pages:
        for name in set(re.findall(r"\bae\.(\w+)", page.read_text(encoding="utf-8"))):
            found.setdefault(name, []).append(page)
    return found


def title(page: Path) -> str:
    """Return the title of a page."""
    found = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return page.stem if found is None else found[1]


MOST_USES = 8


def page_of_name(name: str, module: str, pages: list[Path]) -> str:
    """Return the page of a name at the top of the package."""
    question = next(question for question, names in QUESTIONS.items() if name in names)
    shown = pages[:MOST_USES]
    links = [f"* [{title(page)}](../../{page.relative_to(DOCS).as_posix()})" for page in shown]
    used = ["## Used in\n", "\n".join(links) + "\n"] if links else []
    about = f"*{question}* Part of [`{module}`]({module}.md); [all names](../api.md).\n"
    return "\n".join([f"# ae.{name}\n", about, block([(module, name)]), *used])


def page_of_module(module: str, tops: list[str]) -> str:
    """Return the page of a module: names at the top of the package are linked, the rest stands here."""
    rest = [place for place in public(module) if place[1] not in tops]
    parts = [f"# {module}\n", of_module(module) + "\n"]
    if tops:
        rows = "\n".join(f"| {_link(name, '')} | {_line_of(name)} |" for name in tops)
        parts += [f"| at the top of the package | |\n|---|---|\n{rows}\n"]
    parts += [block(rest)] if rest else []
    if module == "algeval.aggregate":
        parts += ["## Methods\n", block(fits(METHODS, module))]
        parts += ["## Methods of scores\n", block(fits(SCORE_METHODS, module))]
    return "\n".join(parts)


def _link(name: str, folder: str) -> str:
    return f"[`ae.{name}`]({folder}{name}.md)"


def index(places: dict[str, str]) -> str:
    """Return the page that leads to all others; every name keeps the anchor it had there."""
    parts = [HEAD]
    for question, names in QUESTIONS.items():
        rows = [
            f"| {_anchors([(places[name], name)])}{_link(name, 'api/')} | {_line_of(name)} |"
            for name in names
        ]
        parts.append(
            f"## {question}\n\n| name | what it is |\n|---|---|\n" + "\n".join(rows) + "\n"
        )
    parts += [CONVENTIONS, "## Methods\n", methods_table()]
    parts += ["## Methods of scores\n", score_methods_table(), "## Modules\n"]
    for heading, text, layers in GROUPS:
        own = [name if name.startswith("algeval_papers") else f"algeval.{name}" for name in layers]
        rows = [_row_of_module(module, places) for module in own]
        table = "| module | what it holds | names |\n|---|---|---|\n" + "\n".join(rows) + "\n"
        parts.append(f"### {heading}\n\n{text}\n\n{table}")
    tree = "\n".join(f"api/{name}" for name in [*places, *modules()])
    parts.append(f"```{{toctree}}\n:maxdepth: 1\n:hidden:\n\n{tree}\n```\n")
    return "\n".join(parts)


def _row_of_module(module: str, places: dict[str, str]) -> str:
    others = [place for place in public(module) if places.get(place[1]) != module]
    if module == "algeval.aggregate":
        others += fits(METHODS, module) + fits(SCORE_METHODS, module)
    names = ", ".join(f"`{name}`" for _, name in others)
    return f"| {_anchors(others)}[`{module}`](api/{module}.md) | {of_module(module)} | {names} |"


def _anchors(places: list[tuple[str, str]]) -> str:
    return "".join(f'<span id="{path(*place)}"></span>' for place in places)


def pages() -> Iterator[tuple[Path, str]]:
    """Yield every page: where it stands, and its text."""
    places, used = homes(), uses()
    yield FOLDER.with_suffix(".md"), index(places)
    for name, module in places.items():
        yield FOLDER / f"{name}.md", page_of_name(name, module, used.get(name, []))
    for module in modules():
        tops = [name for name, home in places.items() if home == module]
        yield FOLDER / f"{module}.md", page_of_module(module, tops)


def write() -> None:
    """Write every page, and leave none of an older name."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    for place, text in pages():
        place.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
    sys.stdout.write(f"{FOLDER} written\n")
