"""The report on data that are small, odd or large: complete, plain, and never an error."""

from html.parser import HTMLParser
from math import comb

import pytest

import algeval as ae
from algeval.data import Sketch, Votes
from algeval.report.parts import Table, _blocks
from algeval.report.sections import key_words


def votes_of(table):
    return ae.read_votes(table)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"i": ["a"], "j": ["a"], "k": ["a"]}, "1 item, 3 judges, 1 label: a."),
        ({"i": ["a", "b"]}, "2 items, 1 judge, 2 labels: a, b."),
        ({"i": ["a", "b"]}, "One judge alone agrees with nobody."),
        ({"i": ["a", "a"], "j": ["a", "a"], "k": ["a", "a"]}, "The algebra needs two labels"),
    ],
)
def test_the_smallest_votes_have_a_report(table, words):
    found = ae.report(votes_of(table))
    assert words in found.full()
    assert found.alarm is None


def test_the_headline_is_a_sentence():
    votes = votes_of({"i": ["a", "b"], "j": ["b", "b"]})
    level = "every judge at least 100.0% accurate on every label"
    loud = ae.report(votes, at_least=1)
    told = f"ALARM: no answer key whatever allows this: {level}."
    assert loud.message == f"{told} At least 1 of 2 judges falls short."
    quiet = ae.report(votes_of({"i": ["a", "b"], "j": ["a", "b"]}), at_least=1)
    assert quiet.message == f"No alarm: some answer key allows this: {level}."


def test_numbers_as_labels_can_be_told_from_counts():
    text = " ".join(ae.report(votes_of({"i": [1, 0, 0], "j": [0, 0, 1]})).full().split())
    assert "key of 3 x '0', 0 x '1' only" in text


def test_the_folder_is_checked_before_any_work(tmp_path, monkeypatch):
    monkeypatch.setattr("algeval.report.build.ask", lambda *a, **k: pytest.fail("work was done"))
    with pytest.raises(ae.DataError, match=r"path must lie in a folder that exists; got .*nowhere"):
        ae.report(votes_of({"i": ["a"]}), tmp_path / "nowhere" / "r.html")


@pytest.mark.parametrize(("n_judges", "n_labels"), [(120, 2), (12, 22)])
def test_a_report_leaves_long_algebra_to_decode(n_judges, n_labels):
    labels = [f"l{k}" for k in range(n_labels)]
    codes = [[k] * n_judges for k in range(n_labels)]
    judges = [f"j{k}" for k in range(n_judges)]
    data = Sketch(judges, labels, labels, codes, [3] * n_labels)
    found = ae.report(data, time_limit=0.2, intervals=0)
    line = next(s for s in found.sections if "algebra" in s.title).lines[0]
    assert f"{n_judges} judges have {comb(n_judges, 3)} trios" in line
    assert "algeval decode with --judges" in line


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


HOSTILE = ["[bold]x[/bold]", "<script>alert(1)</script>", "{{7*7}}", "a, 'b' \"c\" & 😀"]


def test_hostile_names_stay_text():
    labels = ["</table><img src=x>", "[/]"]
    votes = Votes(["1", "2", "3"], HOSTILE, labels, labels, [[0] * 4, [1] * 4, [0, 1, 0, 1]])
    found = ae.report(votes, source="<b>votes</b>")
    page = Tags()
    page.feed(found._repr_html_())
    assert not {"script", "img", "b"} & set(page.tags)
    text = found.full()
    for name in [*HOSTILE, *labels]:
        assert name in page.text
        assert name in text


def test_a_table_too_wide_is_split_and_no_number_is_broken():
    names = tuple(f"label{k}" for k in range(30))
    cells = tuple(f"{k} ({k}.0%)" for k in range(30))
    table = Table(columns=("judge", *names), rows=(("x" * 60, *cells),))
    blocks = _blocks(table, 100)
    assert len(blocks) > 1
    assert tuple(c for block in blocks for c in block.rows[0][1:]) == cells
    assert all(block.rows[0][0] == "x" * 60 for block in blocks)
    assert _blocks(Table(columns=("judge",), rows=(("x",),)), 100)[0].rows == (("x",),)
    votes = Votes(["1"], ["x" * 60, "y"], names, names, [[0, 29]])
    lines = ae.report(votes).full().splitlines()
    assert max(map(len, lines)) <= 100
    assert any("1 (100%)" in line for line in lines)


def test_the_key_changes_nothing_but_the_scores():
    table = {"i": list("aabba"), "j": list("abbba"), "k": list("babba"), "gold": list("ababa")}
    keyed = ae.report(ae.read_votes(table, key="gold")).to_dict()
    blind = ae.report(ae.read_votes(table)).to_dict()

    def without_scores(document):
        found = {s["title"]: s["results"] for s in document["sections"]}
        side = found.pop("Side by side")["comparison"]
        return found, side["bounds"], [e | {"score": None} for e in side["estimates"]]

    assert without_scores(keyed) == without_scores(blind)


def test_a_looser_order_was_shown_beside_full_order():
    rows = ["aab"] * 5 + ["bba"] * 4 + ["abb"] * 3 + ["bab"] * 2
    votes = votes_of({name: [row[k] for row in rows] for k, name in enumerate("ijk")})
    found = ae.report(votes)
    titles = [s.title for s in found.sections if "logically possible" in s.title]
    assert len(titles) == 1
    assert "full order" in titles[0]
    assert "order 1" not in found.summary()
    shown = next(s for s in found.sections if "logically" in s.title).results["threshold"]
    assert shown.upper == ae.threshold(votes).upper <= ae.threshold(votes, order=1).upper
    only = ae.report(votes.sketch().summary())
    assert "order 1" in only.sections[1].title


def test_the_full_report_says_what_each_order_allows_and_what_more_items_and_judges_would_bring():
    found = ae.report(ae.example("mt-bench"))
    (logic,) = (s for s in found.sections if "logically possible" in s.title)
    ladder = ae.threshold(ae.example("mt-bench"), ladder=True).ladder
    (line,) = (line for line in logic.lines if line.startswith("By how much"))
    assert [float(word.rstrip("%")) for word in line.split() if word.endswith("%")] == [
        pytest.approx(100 * float(rung.upper), abs=0.05) for rung in ladder
    ]
    brief = ae.report(ae.example("mt-bench"), first_screen=True)
    assert brief.summary() == found.summary()
    assert "By how much" not in brief.full()
    fit = found.results["comparison"]["dawid-skene"].evaluation
    mean = sum(map(fit.grade, fit.judges)) / 3
    limit = ae.reach(3, mean, n_labels=3)
    assert any(
        f"level above {100 * limit.limit:.1f}%" in x and limit.more_judges in x for x in logic.lines
    )
    alone = ae.report(votes_of({"i": ["a", "b"], "j": ["b", "a"]}))
    assert not any("Were errors independent" in x for s in alone.sections for x in s.lines)


def test_human_labels_are_named_with_what_they_were_used_for():
    key = "human labels for 30 items, used"
    assert key_words(30) == f"{key} to score judges"
    assert key_words(30, 30, of_key=True) == f"{key} for the rate and to score judges"
    assert key_words(30, 20) == f"{key} to score judges; 20 human labels, used for the rate"
    assert key_words(0, 20) == "20 human labels, used for the rate"
    assert key_words(0) == "no human labels"
