"""Write reference/api.md anew after names were added: ``python docs/api_reference.py``.

The page is kept in git, so that a name nobody looked at is missed by the test that compares the page
with the names in every ``__all__``. A new layer, or a new constant, is added here by hand.
"""

import inspect
import sys
import textwrap
from importlib import import_module
from pathlib import Path
from types import ModuleType

import algeval as ae
from algeval.aggregate.registry import METHODS, SCORE_METHODS, Method

PAGE = Path(__file__).parent / "reference" / "api.md"

HEAD = """# Python reference

Import with `import algeval as ae`; names load on first use. A name that is not in the list below is
imported from where it lives, `from algeval.algebra import atlas`.

{names}

**What goes in.** A function that asks for `data` takes Votes, a Sketch, a KeyedSketch or a Summary, and
any table as well: a path, a data frame (pandas, polars, pyarrow and whatever else narwhals knows),
`{{judge: answers}}`, a list of records, or a 2-d array or list of lists whose columns are the judges
"judge 1", "judge 2", ...; None and NaN mean "not answered". A table is read as `read_votes` reads it
without options; call that yourself to name columns, to cut scores, or to read the same file once for
many questions.

**What comes out.** Every result is frozen, holds a `status`, a `message` and the settings that produced
it, and has `summary()` (what `print` shows), `to_dict()` (JSON), `to_frame()` (a pandas, polars or
pyarrow frame), `as_tables()` (what a notebook shows) and `plot()`. Votes, Scores, sketches, summaries
and evaluations have `to_frame()` too. Results and data are equal when all they hold is, arrays and NaN
included; they are hashable, and copies and pickles are equal to what they were made of.

**Where the rest is.** `ae.logic`, `ae.algebra`, `ae.budgets`, `ae.data`, `ae.io`, `ae.models` and
`ae.figures` (which is `algeval.report.figures`) are modules that load on first use and complete in a
notebook. `axioms`, `half_votes`, `if_others`, `members`, `multiplicities` and `windows` are found in
`ae.logic`; the old places at the top work for one release and warn.

`ae.aggregate`, `ae.compare`, `ae.report` and `ae.verify` are modules that can be called like the function
they are named after.
"""

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
        "What do the votes say about the systems they judge?",
        "Rates, comparisons, rankings, what to label next, and how many labels; see "
        "[](../chapters/rates/labels.md).",
        ["rates"],
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
    "judges": "The fixture: ``judges(source, **reading)`` are `Judges`, read as by `read_votes`.",
}


def kind(value: object) -> str:
    """Return what autodoc calls a value; a module that can be called is a function."""
    if inspect.isclass(value):
        return "exception" if issubclass(value, BaseException) else "class"
    return "function" if inspect.isroutine(value) or isinstance(value, ModuleType) else "data"


def directive(module: str, name: str) -> str:
    """Return the lines that document one name."""
    value = getattr(import_module(module), name)
    path = f"{module}.{name}"
    if isinstance(value, ModuleType):
        path += f".{name}"
    if kind(value) == "data":
        return f".. py:data:: {path}\n\n   {CONSTANTS[name]}\n"
    members = "   :members:\n" if kind(value) == "class" else ""
    return f".. auto{kind(value)}:: {path}\n{members}"


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


def page() -> str:
    """Return the page as Markdown."""
    names = ", ".join(f"`{name}`" for name in sorted(ae.__all__, key=str.lower))
    told = f"Names at the top of the package: {names}."
    parts = [HEAD.format(names=textwrap.fill(told, 110, break_on_hyphens=False))]
    for title, text, layers in GROUPS:
        parts.append(f"## {title}\n\n{text}\n")
        for layer in layers:
            module = layer if layer.startswith("algeval_papers") else f"algeval.{layer}"
            first = (vars(import_module(module))["__doc__"] or "").strip().splitlines()[0]
            parts += [f"### {module}\n\n{first}\n", block(public(module))]
            if layer == "aggregate":
                parts += ["### Methods\n", methods_table(), block(fits(METHODS, module))]
                scores = block(fits(SCORE_METHODS, module))
                parts += ["### Methods of scores\n", score_methods_table(), scores]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE} written\n")
