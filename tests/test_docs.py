"""The pages do not drift from the code: names, commands, options, links, citations, examples."""

import importlib
import os
import pkgutil
import re
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import click
import numpy as np
import pytest

import algeval as ae
from algeval.aggregate.registry import METHODS, SCORE_METHODS, method
from algeval.cli.main import cli, run
from algeval.models.independent import sample
from algeval.report.figures import KINDS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))
shown = importlib.import_module("shown")
api_reference = importlib.import_module("api_reference")
sys.path.remove(str(DOCS))
SKIP = {"_build", "notebooks", "jupyter_execute"}
API = dict(api_reference.pages())
GENERATED = {DOCS / "reference" / "cli.md", DOCS / "gallery.md", *API}
PAGES = sorted(
    path
    for path in DOCS.rglob("*.md")
    if not SKIP & set(path.relative_to(DOCS).parts) and path not in GENERATED
)
README = ROOT / "README.md"
CHAPTERS = [
    page
    for folder in ("methods", "scores", "checks")
    for page in sorted(DOCS.glob(f"chapters/{folder}/*.md"))
]
ALGEBRA = sorted(DOCS.glob("chapters/algebra/*.md"))
SEPARATION = sorted(DOCS.glob("chapters/separation/*.md"))
BUDGETS = sorted(DOCS.glob("chapters/budgets/*.md"))
RATES = sorted(DOCS.glob("chapters/rates/*.md"))
OF_ONE = [path for path in CHAPTERS if path.name != "side-by-side.md"]
PARTS = [
    "The model",
    "The algorithm",
    "What identifies it",
    "How it is computed here",
    "What it does not mean",
    "To run",
]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.md"))

DIRECTIVE = re.compile(
    r"^\.\. (?:auto(?:function|class|exception|data)|py:data):: (\S+)$", re.MULTILINE
)
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
TOLD = re.compile(r"# (True|False|None|Fraction\(\d+, \d+\)|\d+)(?![\w.])")


def blocks(path, language):
    """Return the code blocks of one language, without their indentation."""
    found = BLOCK.finditer(path.read_text(encoding="utf-8"))
    return [
        "\n".join(line[len(block[1]) :] for line in block[3].splitlines())
        for block in found
        if block[2] == language
    ]


def called(value):
    """Return the function a callable module stands for, or the value itself."""
    if isinstance(value, ModuleType) and callable(value):
        return getattr(value, value.__name__.rsplit(".", 1)[1])
    return value


def resolve(path):
    """Return the object a directive names."""
    head, *rest = path.split(".")
    value = importlib.import_module(head)
    for place, name in enumerate(rest, 1):
        if isinstance(value, ModuleType) and not hasattr(value, name):
            importlib.import_module(".".join([head, *rest[:place]]))
        value = getattr(value, name)
    return value


def reference():
    """Return every path the reference documents."""
    return [path for text in API.values() for path in DIRECTIVE.findall(text)]


def layers():
    """Return every module whose `__all__` is public; the models are public one by one."""
    for found in pkgutil.iter_modules(ae.__path__):
        if found.name == "cli" or found.name.startswith("_"):
            continue
        module = importlib.import_module(f"algeval.{found.name}")
        names = getattr(module, "__all__", None)
        if names is not None:
            yield module
            continue
        for part in pkgutil.iter_modules(getattr(module, "__path__", ())):
            yield importlib.import_module(f"{module.__name__}.{part.name}")


CONTEXT = click.Context(cli, info_name="algeval")
COMMANDS = {name: cli.get_command(CONTEXT, name) for name in cli.list_commands(CONTEXT)}
LAYERS = {module.__name__: module for module in [ae, *layers()]}


def test_the_layers_are_seen():
    expected = {"algeval.logic", "algeval.data", "algeval.errors", "algeval.models.ising"}
    assert expected <= set(LAYERS)


@pytest.mark.parametrize("name", LAYERS)
def test_every_public_name_is_in_the_reference(name):
    module, paths = LAYERS[name], reference()
    documented = {id(called(resolve(path))) for path in paths}
    missing = [
        public
        for public in module.__all__
        if type(getattr(module, public))
        is not ModuleType  # to look around in; those called have a type of their own
        and f"{name}.{public}" not in paths
        and id(called(getattr(module, public))) not in documented
    ]
    assert not missing, (
        f"names of {name} not in the reference: add its layer to docs/api_reference.py"
    )


def test_every_method_of_aggregate_is_in_the_reference():
    documented = {id(called(resolve(path))) for path in reference()}
    assert [name for name in METHODS if id(method(name)) not in documented] == []
    scores = [name for name in SCORE_METHODS if id(method(name, "scores")) not in documented]
    assert scores == []


def test_the_reference_names_each_thing_once():
    paths = reference()
    assert len(paths) == len(set(paths))


def test_every_name_at_the_top_of_the_package_stands_under_one_question_and_has_a_page():
    asked = [name for names in api_reference.QUESTIONS.values() for name in names]
    assert len(asked) == len(set(asked))
    names = [*ae.__all__, "next"]  # which a star import leaves out
    places = {name for name in names if type(getattr(ae, name)) is not ModuleType}
    assert set(asked) == places, "give it a question in docs/api_reference.py"
    folder = DOCS / "reference" / "api"
    listed = re.findall(r"\[`ae\.(\w+)`\]\(api/(\w+)\.md\)", API[folder.with_suffix(".md")])
    assert sorted(listed) == sorted((name, name) for name in places)
    for name in places:
        (place,) = DIRECTIVE.findall(API[folder / f"{name}.md"])
        assert called(resolve(place)) is called(getattr(ae, name))


def test_an_address_of_a_name_on_the_page_of_the_reference_still_leads_there():
    page = API[DOCS / "reference" / "api.md"]
    assert set(re.findall(r'<span id="([\w.]+)">', page)) == set(reference())


def test_pages_of_the_reference_lead_somewhere():
    for path, text in API.items():
        for target in re.findall(r"\]\(([^)\s#]+\.md)[^)]*\)", text):
            place = (path.parent / target).resolve()
            assert place.exists() or place in GENERATED, (path.name, target)


def test_the_readme_shows_what_its_command_prints_and_draws(tmp_path, capsys):
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 80
    assert run(["report", "--example", "support-bot"]) == 0
    printed = capsys.readouterr().out
    shown_lines = blocks(README, "text")[0].splitlines()
    assert len(shown_lines) == 3
    assert [line for line in shown_lines if line not in printed.splitlines()] == []
    drawn = tmp_path / "drawn.svg"
    assert run(["versus", "--example", "support-bot", "--plot", str(drawn)]) == 0
    words = [
        re.findall(r"<text[^>]*>([^<]*)", path.read_text(encoding="utf-8"))
        for path in (drawn, DOCS / "figures" / "support-bot.svg")
    ]
    assert words[0] == words[1] != [], (
        "run the command again with --plot docs/figures/support-bot.svg"
    )


def test_every_command_is_in_the_readme():
    section = README.read_text(encoding="utf-8").split("## On the command line")[1]
    table = [line for line in section.split("\n## ")[0].splitlines() if line.startswith("|")]
    named = {
        word for line in table for code in re.findall(r"`([^`]+)`", line) for word in code.split()
    }
    assert set(COMMANDS) <= named
    assert named - set(COMMANDS) <= {"algeval", "--at-least", "0.7"}


@pytest.mark.parametrize("path", [README, *PAGES], ids=lambda path: path.stem)
def test_every_command_line_shown_has_such_a_command_and_such_options(path):
    for block in blocks(path, "bash"):
        for call in re.findall(r"(?:^|[ /])algeval ((?:[a-z]|--).*)$", block, re.MULTILINE):
            if call.startswith("--"):
                continue
            name, *words = call.split("#")[0].split()
            if name == "help":
                assert words in (["names"], ["reading"], ["more"]) or words[0] in COMMANDS, call
                continue
            assert name in COMMANDS, call
            known = {o for p in COMMANDS[name].params for o in [*p.opts, *p.secondary_opts]}
            options = {word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)}
            assert options <= known | {"--help", "-h"}, call


@pytest.mark.parametrize("path", [README, *PAGES], ids=lambda path: path.stem)
def test_every_script_shown_exists_and_has_such_options(path):
    text = path.read_text(encoding="utf-8")
    for script, words in re.findall(r"python ((?:tests|docs)/\S+?\.py)([^\n`]*)", text):
        source = (ROOT / script).read_text(encoding="utf-8")
        for option in re.findall(r"(?<=\s)--[a-z-]+", words):
            assert f'"{option}"' in source, (script, option)


def test_the_measured_table_has_every_method_of_votes_and_was_made_by_the_command_shown():
    page = (DOCS / "howto" / "choose-a-method.md").read_text(encoding="utf-8")
    assert "python tests/benchmarks/consensus_table.py --peers" in page
    table = page.split("consensus table: begin")[1].split("consensus table: end")[0]
    rows = set(re.findall(r"^\| ([\w-]+) \|", table, re.MULTILINE))
    assert set(METHODS) <= rows
    assert re.search(r"Made on \d{4}-\d\d-\d\d: Python", table)


@pytest.fixture
def keyed():
    """Votes with a key of the judges w, x, y and z, whose errors are independent."""
    right = np.array([0.9, 0.85, 0.8, 0.75])
    tables = [[[x, 1 - x], [1 - x, x]] for x in right]
    law = ae.Evaluation([*"wxyz"], [*"ab"], [*"ab"], np.array([0.4, 0.6]), np.array(tables))
    return sample(law, 2000, seed=1)


def write_csv(votes, path):
    rows = [",".join(["item", *votes.judges])]
    for item, codes in zip(votes.items, votes.codes, strict=True):
        rows.append(",".join([item, *(votes.answers[code] for code in codes)]))
    path.write_text("\n".join(rows) + "\n")


@pytest.mark.solver
@pytest.mark.parametrize("path", shown.pages(), ids=lambda path: path.stem)
def test_what_a_page_shows_is_what_its_blocks_print(path):
    assert shown.written_anew(path) == path.read_text(encoding="utf-8"), "run python docs/shown.py"


def test_a_page_that_shows_something_else_is_written_anew(tmp_path):
    page = tmp_path / "page.md"
    code = "```python\nx = 3\nprint(x)\nx + 1  # 4\n```\n\n"
    page.write_text(code + "```text\n2\n```\n")
    assert shown.written_anew(page) == code + "```text\n3\n```\n"
    page.write_text(code.replace("# 4", "# 5"))
    with pytest.raises(RuntimeError, match="x \\+ 1 is 4, not 5"):
        shown.written_anew(page)
    page.write_text("```bash\nalgeval alarm nothing.csv\n```\n")
    with pytest.raises(RuntimeError, match="exit code 2"):
        shown.written_anew(page)


def test_what_was_left_out_stays_left_out_and_long_lines_are_folded():
    assert shown.as_shown("1\n2\n3\n4\n", "1\n...\nx\n") == "1\n...\n4\n"
    assert shown.as_shown("1\n2\n", "1\n...\n") == "1\n...\n"
    assert shown.as_shown("a " * 60, "").splitlines() == ["a " * 49 + "a", "a " * 9 + "a"]


@pytest.fixture(scope="module")
def pictures():
    """Return the module that draws the pictures of the pages."""
    sys.path.insert(0, str(DOCS))
    module = importlib.import_module("pictures")
    sys.path.remove(str(DOCS))
    return module


def test_every_picture_that_a_page_includes_is_drawn(pictures):
    text = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    included = set(re.findall(r":file: \S*_build/pictures/(\S+)\.svg", text))
    assert included == {*pictures.PICTURES, "card"}


def test_a_picture_without_a_title_is_not_written(pictures, monkeypatch):
    monkeypatch.setattr(pictures, "to_svg", lambda figure, page: "<svg></svg>")
    with pytest.raises(ValueError, match="no title"):
        pictures.drawn(None)


def test_the_gallery_has_every_kind_of_figure_with_its_question_its_call_and_a_page(
    pictures, monkeypatch
):
    assert set(pictures.GALLERY) == set(KINDS)
    monkeypatch.setattr(pictures, "drawn", lambda figure: "<svg ></svg>")  # building the docs draws
    undrawn = {kind: shot._replace(draw=int) for kind, shot in pictures.GALLERY.items()}
    monkeypatch.setattr(pictures, "GALLERY", undrawn)
    page = pictures.gallery()
    assert page.count("<svg ") == len(KINDS)
    for kind, shot in pictures.GALLERY.items():
        assert shot.question.endswith("?")
        assert f":name: figure-{kind}\n" in page
        assert f"**{shot.question}** `{shot.call}` [{kind}]({shot.page}.md)" in page
        assert DOCS / f"{shot.page}.md" in PAGES


def test_the_pictures_of_the_front_page_show_what_the_library_says_of_the_example(pictures):
    table = ae.example("support-bot")
    rate, difference = ae.rate(table.split("system")["v1"]), ae.versus(table)
    card = pictures.card(pictures.write_page())
    assert f">{rate.rate:.0%}<" in card
    low, high = re.search(r"95% confidence interval (\S+)% to (\S+)%<", card).groups()
    ends = (100 * rate.low, 100 * rate.high)
    assert (float(low), float(high)) == pytest.approx(ends, abs=0.51)
    assert f"{rate.n_gold} human labels" in card
    better = difference.message.splitlines()[1].split(":")[0]
    assert better in pictures.picture("difference")
    drawn = pictures.picture("judges")
    assert all(f">{judge}<" in drawn for judge in table.votes.judges)
    front = (DOCS / "index.md").read_text(encoding="utf-8")
    assert '<a href="support-bot.html">' in front
    assert (pictures.PAGE.parent.name, pictures.PAGE.name) == ("extra", "support-bot.html")


def test_the_picture_of_the_tutorial_has_the_judges_and_the_level_of_the_screen(pictures):
    drawn = pictures.picture("accuracies")
    screen = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    level = re.search(r"At least one of the 3 judges has at most (\S+%)", screen)[1]
    assert f"above {level}" in drawn
    assert all(f">{judge}<" in drawn for judge in ("authors", "experts", "gpt4"))


@pytest.mark.parametrize(
    "path", [README, *sorted({*PAGES} - {*shown.pages()})], ids=lambda path: path.stem
)
def test_python_shown_runs_and_says_what_it_shows(path, keyed, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_csv(keyed, tmp_path / "votes.csv")
    names = {"ae": ae, "np": np, "keyed": keyed, "votes": keyed.without_key()}
    for block in blocks(path, "python"):
        exec(compile(block, path.name, "exec"), names)
        for line in block.splitlines():
            told = TOLD.search(line)
            if told and not line.startswith((" ", "#")) and "=" not in line.split("#")[0]:
                wanted = eval(told[1], {"Fraction": Fraction})
                assert eval(line.split("#")[0], names) == wanted, line
    capsys.readouterr()


@pytest.mark.parametrize("path", [README, *PAGES, *NOTEBOOKS], ids=lambda path: path.stem)
def test_every_link_leads_somewhere(path):
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    home = DOCS / "notebooks" if path in NOTEBOOKS else path.parent
    for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", text):
        if "://" in target:
            continue
        place = (home / target).resolve()
        in_source = ROOT / "notebooks" / place.name
        assert place.exists() or place in GENERATED or in_source.exists(), target


MOST_IN_THE_SIDEBAR = 15


def entries(page):
    """Return what the tables of contents of a page lead to, as names of pages, and their captions."""
    path = DOCS / f"{page}.md"
    text = API[path] if path in API else path.read_text(encoding="utf-8")
    trees = re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL)
    lines = [line for tree in trees for line in tree.splitlines() if line]
    places = [line for line in lines if not line.startswith(":")]
    home = (DOCS / page).parent
    found = [Path(os.path.normpath(home / place)).relative_to(DOCS).as_posix() for place in places]
    return found, [line for line in lines if line.startswith(":caption:")]


def test_every_page_is_in_one_table_of_contents_and_every_entry_is_a_page():
    made = {path.relative_to(DOCS).with_suffix("").as_posix() for path in GENERATED}
    made |= {f"notebooks/{path.stem}" for path in NOTEBOOKS}
    waiting, reached = ["index"], ["index"]
    while waiting:
        page = waiting.pop()
        found = [] if page in made - {"reference/api"} else entries(page)[0]
        waiting += found
        reached += found
    assert len(reached) == len(set(reached))
    pages = {path.relative_to(DOCS).with_suffix("").as_posix() for path in PAGES}
    assert set(reached) == pages | made


ODD = re.compile(
    r"\bspeaks? of\b|\bis told\b|\bheld back\b|\bluck\b|\bare worth\b|\bsays? of\b|\bpicked\b|"
    r"\byou (?:must )?believe\b|\bdense panel\b|\binterval that holds\b|\bsilen(?:ce|t)\b"
)
"""What a practitioner would not say."""


@pytest.mark.parametrize("path", sorted(DOCS.glob("howto/*.md")), ids=lambda path: path.stem)
def test_pages_for_practitioners_use_their_words(path):
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert ODD.findall(text) == []


def test_the_sidebar_is_short_while_nothing_is_unfolded():
    found, captions = entries("index")
    assert len(found) + len(captions) <= MOST_IN_THE_SIDEBAR


def test_the_map_of_the_papers_leads_to_every_notebook_and_chapter_that_cites_one():
    text = (DOCS / "papers.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\((\S+)\.md\)", text))
    papers = set(re.findall(r"^\{cite:t\}`(\w+)`$", text, re.MULTILINE))
    assert len(papers) == 5
    chapters = [page for page in PAGES if "chapters" in page.relative_to(DOCS).parts]
    for page in [*chapters, *NOTEBOOKS]:
        if re.search(rf"cite:[tp]\}}`[^`]*({'|'.join(papers)})", page.read_text(encoding="utf-8")):
            folder = "notebooks" if page in NOTEBOOKS else page.parent.relative_to(DOCS)
            assert f"{folder}/{page.stem}" in linked


def test_the_map_leads_from_every_method_to_its_chapter_and_to_every_chapter():
    page = DOCS / "chapters" / "aggregation.md"
    text = page.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \|.*\]\((\S+\.md)\) \|$", text, re.MULTILINE)
    of_scores = {name for name, target in rows if target.startswith("scores/")}
    assert set(SCORE_METHODS) - {"recommended"} == of_scores
    assert set(METHODS) <= {name for name, target in rows if target.startswith("methods/")}
    for name, target in rows:
        if name in {**METHODS, **SCORE_METHODS}:
            assert f"`{name}`" in (page.parent / target).read_text(encoding="utf-8"), name
    linked = {page.parent / target for target in re.findall(r"\]\((\S+\.md)\)", text)}
    assert set(CHAPTERS) <= linked


def test_the_map_of_the_algebra_leads_to_every_chapter_of_it():
    page = DOCS / "chapters" / "encode-decode.md"
    linked = re.findall(r"\]\((algebra/\S+\.md)\)", page.read_text(encoding="utf-8"))
    assert {page.parent / target for target in linked} == set(ALGEBRA)


@pytest.mark.parametrize("path", BUDGETS, ids=lambda path: path.stem)
def test_every_chapter_on_budgets_has_a_run_that_shows_something_and_a_reference(path):
    text = path.read_text(encoding="utf-8")
    assert re.search(r"```python\n[^`]*```\n\n```text\n[^`]+```", text)
    assert text.count("\n**Reference.** {cite:t}`onelabel2024`") == 1


def test_the_chapters_on_budgets_lead_to_one_another():
    text = (DOCS / "chapters" / "budgets" / "model.md").read_text(encoding="utf-8")
    assert {path.name for path in BUDGETS} - {"model.md"} == set(
        re.findall(r"\]\((\w+\.md)\)", text)
    )


@pytest.mark.parametrize(
    "path",
    [*ALGEBRA, *BUDGETS, *RATES, *SEPARATION, DOCS / "chapters" / "axioms.md"],
    ids=lambda path: path.stem,
)
def test_equations_of_chapters_of_mathematics_are_numbered(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    fences = [line for line in lines if line.lstrip().startswith("$$")]
    assert set(fences[::2]) <= {"$$"}
    assert all(re.fullmatch(r"\$\$ \([\w-]+\)", line) for line in fences[1::2])


def test_every_chapter_on_separation_has_a_run_and_what_it_prints():
    for path in SEPARATION:
        run = path.read_text(encoding="utf-8").partition("## To run")[2]
        assert path.stem == "errata" or re.search(
            r"```python\n.*?```\n\n```text\n.+?```", run, re.DOTALL
        )


@pytest.mark.parametrize("path", OF_ONE, ids=lambda path: path.stem)
def test_every_chapter_has_its_parts_numbered_equations_a_run_and_a_reference(path):
    text = path.read_text(encoding="utf-8")
    assert "**When.**" in text.partition("\n## ")[0]
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == PARTS
    fences = [line.strip() for line in text.splitlines() if line.lstrip().startswith("$$")]
    assert fences
    assert set(fences[::2]) == {"$$"}
    assert all(re.fullmatch(r"\$\$ \([\w-]+\)", line) for line in fences[1::2])
    run = text.partition("## To run")[2]
    assert re.search(r"```python\n.*?```\n\n```text\n.+?```", run, re.DOTALL)
    assert "**Reference.**" in run


@pytest.mark.parametrize("path", [*PAGES, *NOTEBOOKS], ids=lambda path: path.stem)
def test_every_citation_has_an_entry(path):
    known = set(re.findall(r"^@\w+\{(\w+),", (DOCS / "references.bib").read_text(), re.MULTILINE))
    cited = re.findall(r"\{cite(?::\w+)?\}`([^`]+)`", path.read_text(encoding="utf-8"))
    assert {key.strip() for keys in cited for key in keys.split(",")} <= known


def test_the_page_of_the_command_line_shows_every_command(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    page = importlib.import_module("cli_reference").page()
    assert all(f"## algeval {name}\n" in page for name in COMMANDS)
