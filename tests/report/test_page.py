"""The page: one file that shows, explains and proves, and asks nothing of the network."""

import csv
import json
import re
import subprocess
import sys
from base64 import b64decode
from html.parser import HTMLParser

import numpy as np
import pytest

import algeval as ae
from algeval.data import Votes
from algeval.report.render import fragment
from algeval.report.sections import items_section

HOSTILE = ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{7*7}}", "$x$"]


class Page(HTMLParser):
    """Tags with their attributes, links, texts of `pre`, and the ids there are."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.pres = [], [], [], []
        self._open = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        told = dict(attrs)
        self.tags.append((tag, told))
        if "id" in told:
            self.ids.append(told["id"])
        for name in ("src", "href", "xlink:href"):
            if name in told:
                self.links.append(told[name])
        if tag == "pre":
            self._open = told.get("class")
            self.pres.append([self._open, ""])

    def handle_endtag(self, tag):
        if tag == "pre":
            self._open = None

    def handle_data(self, data):
        if self._open is not None:
            self.pres[-1][1] += data

    def files(self):
        """Return {name: content} of everything that can be downloaded."""
        found = {}
        for tag, told in self.tags:
            if tag == "a" and "download" in told:
                found[told["download"]] = b64decode(told["href"].split("base64,")[1])
        return found


def drawn(n_items, n_judges, names=None, seed=0):
    rng = np.random.default_rng(seed)
    key = (rng.random(n_items) < 0.4).astype(int)
    right = rng.random((n_items, n_judges)) < np.linspace(0.6, 0.9, n_judges)
    codes = np.where(right, key[:, None], 1 - key[:, None]).astype(np.int16)
    judges = names or [f"judge-{j}" for j in range(n_judges)]
    return Votes(range(n_items), judges, ["no", "yes"], ["no", "yes"], codes, key)


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "r.html"
    made = "algeval report --example mt-bench -o r.html"
    report = ae.report(ae.example("mt-bench"), path, source="mt-bench", at_least=0.6, made=made)
    return report, path.read_text(encoding="utf-8")


def test_nothing_is_loaded_from_anywhere(example):
    page = Page(example[1])
    assert page.links
    assert all(link.startswith(("#", "data:")) for link in page.links)
    assert not {"link", "iframe", "object", "embed", "base", "form"} & {tag for tag, _ in page.tags}
    assert "default-src 'none'" in example[1]
    assert "@import" not in example[1]


def test_every_anchor_leads_to_a_section_and_no_id_stands_twice(example):
    page = Page(example[1])
    inside = {link[1:] for link in page.links if link.startswith("#")}
    assert {"judges", "next", "proofs", "consensus-labels", "side-by-side"} <= inside
    assert inside <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))


def test_every_figure_has_a_title_and_a_description(example):
    drawn_ = re.findall(r"<svg.*?</svg>", example[1], re.S)
    assert len(drawn_) >= 6
    for svg in drawn_:
        assert re.search(r"<title[^>]*>[^<]{5,}</title>", svg)
        assert re.search(r"<desc[^>]*>[^<]{20,}</desc>", svg)


def test_the_foot_says_what_made_it_and_when(example, monkeypatch, tmp_path):
    assert "Made by <code>algeval report --example mt-bench -o r.html</code>" in example[1]
    assert f"algeval {ae.__version__}, 20" in example[1]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    pages = []
    for name in ("a.html", "b.html"):
        ae.report(ae.example("mt-bench-summary"), tmp_path / name, made="x")
        pages.append((tmp_path / name).read_text(encoding="utf-8"))
    assert pages[0] == pages[1]
    assert "1970-01-01" in pages[0]


def test_the_proofs_in_the_page_check_out_with_what_is_in_the_page(example, tmp_path):
    report, text = example
    page = Page(text)
    certificates = [json.loads(told) for kind, told in page.pres if kind == "certificate"]
    assert len(certificates) == report.verified >= 5
    sketch = ae.example("mt-bench").sketch()
    assert all(ae.verify(c, sketch).ok for c in certificates)
    files = page.files()
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (command,) = [told for kind, told in page.pres if kind == "command"]
    words = command.split()
    assert words[0] == "python3"
    ran = subprocess.run(
        [sys.executable, "-S", *words[1:]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for name in files:
        if name.endswith(".json") and name != "sketch.json":
            verdict = ae.verify(json.loads(files[name]), sketch)
            assert verdict.ok, verdict.sentence


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "r.html"
    quick = pytest.MonkeyPatch()
    quick.setattr("algeval.report.render._SECONDS", 0.2)
    ae.report(drawn(2000, 25), path, time_limit=1, intervals=0)
    quick.undo()
    return path.read_text(encoding="utf-8")


def test_large_counts_are_packed_and_still_checked(large, tmp_path):
    assert len(large.encode()) < 700_000
    page = Page(large)
    for name, content in page.files().items():
        (tmp_path / name).write_bytes(content)
    assert (tmp_path / "sketch.json.gz").exists()
    (command,) = [told for kind, told in page.pres if kind == "command"]
    words = [sys.executable, "-S", *command.split()[1:]]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    (tmp_path / "sketch.json.gz").write_bytes(b"\x1f\x8b no gzip at all")
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr


def test_names_inject_nothing_into_the_page(tmp_path):
    votes = drawn(30, 4, HOSTILE)
    hostile = Votes(
        [f"<b>{k}</b>" for k in range(30)],
        HOSTILE,
        ["<i>no</i>", "yes"],
        ["<i>no</i>", "yes"],
        votes.codes,
    )
    ae.report(hostile, tmp_path / "r.html", source="<u>x</u>", intervals=0, made="<s>made</s>")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    page = Page(text)
    tags = [tag for tag, _ in page.tags]
    assert not {"img", "b", "i", "u", "s"} & set(tags)
    kinds = [told.get("type") for tag, told in page.tags if tag == "script"]
    assert kinds == ["application/json", None]  # data, which no browser runs, and the own script
    assert not [name for _, told in page.tags for name in told if name.startswith("on")]
    assert "{{7*7}}" in text


def test_the_file_of_items_has_every_item_and_its_votes(example):
    files = Page(example[1]).files()
    rows = list(csv.DictReader(files["items.csv"].decode().splitlines()))
    votes = ae.example("mt-bench")
    assert sorted(row["item"] for row in rows) == sorted(votes.items)
    bits = [float(row["disagreement"]) for row in rows]
    assert bits == sorted(bits, reverse=True)
    for row in rows:
        said = [votes.answers[code] for code in votes.codes[votes.items.index(row["item"])]]
        told = {
            part.rsplit(" ", 1)[0]: int(part.rsplit(" ", 1)[1]) for part in row["votes"].split(", ")
        }
        assert told == {answer: said.count(answer) for answer in set(said)}
        shares = np.array(list(told.values())) / 3
        assert float(row["disagreement"]) == pytest.approx(
            -(shares * np.log2(shares)).sum(), abs=0.005
        )


def test_items_of_counts_are_decision_tuples():
    table = items_section(ae.compare(ae.example("acs"), intervals=0)).page_tables[0]
    assert table.columns[0] == "decision tuple"
    assert any(row[0] == "B, B, B (x 8208)" for row in table.rows)
    two = items_section(ae.compare(ae.read_votes({"i": ["a"], "j": ["a"]}), intervals=0))
    assert two.page_tables[0].rows == (("1", "a 2", "0.00", "a", "a", "100.0%"),)
    silent = ae.Votes(["1"], ["i", "j"], ["a", "b"], ["a", "b"], [[-1, -1]])
    assert items_section(ae.compare(silent, intervals=0)) is None


def test_a_summary_and_scores_have_pages(tmp_path):
    ae.report(ae.example("mt-bench-summary"), tmp_path / "s.html")
    text = (tmp_path / "s.html").read_text(encoding="utf-8")
    assert text.count("<svg") == 2
    assert "summary.json" in Page(text).files()
    columns = {"i": [1.5, 2, 8, 9, 3], "j": [1, 3.5, 2, 4, 4], "k": [0, 1, 1.5, 2, 1]}
    scores = ae.Scores.from_columns(columns)
    ae.report(scores, tmp_path / "x.html")
    text = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "python3 verify.py" not in text
    assert 'id="judges"' in text


def test_a_notebook_shows_the_page_without_its_figures_and_proofs(example):
    text = fragment(example[0])
    assert "<svg" not in text
    assert "base64" not in text
    assert 'class="badge alarm"' in text


def test_a_notebook_shows_short_tables_where_the_page_shows_long_ones(tmp_path):
    report = ae.report(drawn(300, 4), tmp_path / "r.html", intervals=0, time_limit=2)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert fragment(report).count("<tr") < 80 < page.count("<tr")


def test_markdown_has_the_same_numbers_and_no_markup_from_names(tmp_path):
    votes = drawn(30, 4, [*HOSTILE[:2], "a|b", "*c*"])
    report = ae.report(votes, tmp_path / "r.md", source="[x](y)", intervals=0)
    text = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert text.startswith("# \\[x\\](y)\n")
    assert "<script" not in text.replace("\\<script", "")
    rows = [line for line in text.splitlines() if line.startswith("| a\\|b |")]
    table = report.overview.table
    (row,) = [row for row in table.rows if row[0] == "a|b"]
    assert rows[0].split(" | ")[1:] == [*row[1:-1], f"{row[-1]} |"]
    assert len(re.findall(r"(?<!\\)\|", rows[0])) == len(table.columns) + 1


def test_other_endings_are_refused_before_any_work(tmp_path):
    with pytest.raises(ae.DataError, match=r"\.html, .* or \.parquet; got"):
        ae.report(ae.example("mt-bench"), tmp_path / "r.pdf")


def test_a_path_names_the_report_and_its_next_commands(tmp_path):
    path = tmp_path / "my votes.csv"
    path.write_text("item,i,j,k\n1,a,a,b\n2,b,b,b\n3,a,b,a\n", encoding="utf-8")
    text = ae.report(path, intervals=0).summary()
    assert text.startswith("algeval report: my votes.csv\n")
    assert f"algeval aggregate '{path}'" in text


def test_no_script_but_the_own_one_may_run(example):
    """The policy names the script by its hash, so that one slipped in would not run."""
    from base64 import b64encode
    from hashlib import sha256

    policy = re.search('Content-Security-Policy" content="([^"]*)"', example[1])[1]
    (script,) = re.findall("<script>(.*?)</script>", example[1], re.S)
    own = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{own}';" in policy
    assert "default-src 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "form-action 'none'" in policy


def test_a_date_out_of_range_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "99999999999999")
    with pytest.raises(ae.DataError, match="SOURCE_DATE_EPOCH must be"):
        ae.report(ae.example("mt-bench-summary"), tmp_path / "a.html")


def sections_with_figures(text):
    """Return the sections that hold figures, by their ids."""
    parts = re.split(r'<section id="([^"]*)"', text)[1:]
    return {name for name, body in zip(parts[::2], parts[1::2], strict=True) if "<svg" in body}


def test_a_figure_that_would_say_nothing_is_left_out(example, tmp_path):
    """Where all judges agree no curve rises, no item is split, and all items are alike."""
    full = sections_with_figures(example[1])
    assert {"what-is-logically-possible", "consensus-labels", "items-that-judges-differ-on"} <= full
    alike = {"i": list("abab"), "j": list("abab"), "k": list("abab")}
    ae.report(ae.Votes.from_columns(alike), tmp_path / "r.html", intervals=0, time_limit=2)
    empty = sections_with_figures((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert (
        not {"what-is-logically-possible", "consensus-labels", "items-that-judges-differ-on"}
        & empty
    )
    two = {"i": list("abab"), "j": list("abba")}
    ae.report(ae.Votes.from_columns(two), tmp_path / "r.html", intervals=0, time_limit=2)
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "how-much-the-judges-agree" not in sections_with_figures(text)


def test_the_script_is_small_and_theory_is_folded(example):
    (script,) = re.findall("<script>(.*?)</script>", example[1], re.S)
    assert len(script.encode()) < 40_000
    assert "innerHTML" not in script
    folded = re.findall(
        r'<section id="([^"]*)" class="folded">\s*<details class="fold">', example[1]
    )
    theory = {"what-is-logically-possible", "if-the-judges-errors-are-independent-exact-algebra"}
    assert theory | {"side-by-side", "proofs"} <= set(folded)


def test_the_card_has_the_numbers_of_the_rate_and_stands_where_there_is_one(tmp_path):
    votes = drawn(60, 4)
    key = np.where(np.arange(60) % 2, votes.key, -1)
    votes = Votes(votes.items, *votes.axes, votes.codes, key)
    labelled = {"label": "yes", "gold": "key", "intervals": 0, "time_limit": 0}
    report = ae.report(votes, tmp_path / "r.html", source="<votes>", **labelled)
    rate = report.results["rate"]
    svg = Page((tmp_path / "r.html").read_text(encoding="utf-8")).files()["slide.svg"].decode()
    texts = re.findall("<text[^>]*>([^<]*)</text>", svg)
    assert texts[0] == "&lt;votes&gt;"
    assert texts[1:4] == [
        "&#39;yes&#39; rate",
        f"{100 * rate.rate:.0f}%",
        f"95% confidence interval {100 * rate.low:.0f}% to {100 * rate.high:.0f}%",
    ]
    assert "30 human labels, 60 items, 4 judges" in texts
    assert any(text.startswith("Assumes: ") for text in texts)
    ae.report(votes, tmp_path / "r.html", intervals=0, time_limit=0)
    assert 'class="slide"' not in (tmp_path / "r.html").read_text(encoding="utf-8")
