"""Screens, full reports and pages say what a practitioner would say aloud: no phrase of the list is left."""

import html
import re

import numpy as np
import pytest

import algeval as ae
from algeval.data import Votes
from algeval.io.catalog import example_names

PHRASES = (
    # what is wanted of judges, and what they miss
    r"falls? short",
    r"asked (?:of|for)\b",
    r"right on every label",
    r"that may not\b",
    r"(?:were|was) not settled",
    # what an estimate assumes
    r"right if errors",
    r"(?:you must|whoever|anyone who) (?:believes?|holds)",
    r"(?:these|they) err\b",
    r"if the posteriors are",
    r"as good as (?:what it|its) assum",
    r"leaves open",
    r"holds if errors",
    r"did the work of",
    r"bad luck",
    r"no correlation was found",
    r"arranged in the worst way",
    # what labels of people are, and were used for
    r"\bpicked\b",
    r"by the key",
    r"scored with the key",
    r"a key for\b",
    r"\bthe key\b",
    r"scoring only",
    r"only scores them",
    r"reads them",
    r"answer key was given",
    r"no answer key\b[;.]",
    r"taken for one more judge",
    r"counted against the key",
    # what methods did
    r"divided by .*, for judges",
    r"inflation",
    r"\bnats\b",
    r"panel is dense|dense (?:two-label )?panel",
    r"no surer than",
    r"factors are left out",
    r"\blean on\b",
    r"no test came out",
    r"miss(?:es)? (?:what was counted|no observed count)",
    r"square root",
    r"\[irrational\]",
    r"do not commute",
    r"tables of two judges",
    r"the estimate means",
    # how it is said
    r"\bStar:",
    r"middle score|, in the middle",
    r"answer key was found",
    r"the name says no judge",
    r"found by looking",
    r"taken as not given",
    r"read as text with commas",
    r"\b1 more notes",
    r"goes with the others",
    r"pass for copies",
    r"what logic says of them",
    r"can all be so good",
    r"of a share you know",
    r"rests on the labels; the judges sharpen",
    r"says? nothing",
    r"is told by",
    r"Whose rate",
)


def labelled_votes():
    rng = np.random.default_rng(8)
    truth = (rng.random(120) < 0.7).astype(np.int16)
    right = rng.random((120, 4)) < np.array([0.7, 0.8, 0.85, 0.9])
    codes = np.where(right, truth[:, None], 1 - truth[:, None]).astype(np.int16)
    codes[:6, 1] = -1
    key = np.where(np.arange(120) % 3, -1, truth).astype(np.int16)
    labels = ["fail", "pass"]
    return Votes([f"q{k}" for k in range(120)], list("wxyz"), labels, labels, codes, key)


def scores():
    rng = np.random.default_rng(9)
    trait = rng.normal(size=80)
    values = 0.8 * trait[:, None] + rng.normal(size=(80, 4))
    lengths = [f"{x:.2f}" for x in trait + rng.normal(size=80)]
    items = [f"q{k}" for k in range(80)]
    return ae.Scores(items, list("wxyz"), values, None, {"length": lengths})


MORE = {
    "labelled": labelled_votes,
    "unlabelled": lambda: labelled_votes().without_key(),
    "scores": scores,
}


def visible(page):
    """Words of a page that are read: its text, and titles and descriptions of figures."""
    body = re.sub(r"(?s)<(script|style)\b.*?</\1>|<pre class=\"certificate\".*?</pre>", " ", page)
    return html.unescape(re.sub(r"<[^>]*>", " ", body))


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """The first screen, the full report and the page of each example, and of data of other kinds."""
    folder = tmp_path_factory.mktemp("words")
    quick = pytest.MonkeyPatch()
    quick.setattr("algeval.report.render._SECONDS", 0.2)
    shown = {}
    for name in (*example_names(), *MORE):
        data = MORE[name]() if name in MORE else ae.example(name)
        options = {} if name == "scores" else {"intervals": 5, "time_limit": 2}
        if name == "labelled":
            options |= {"good": "pass", "human": "key"}
        path = folder / "page.html"
        report = ae.report(data, path, source=name, arguments=f"{name}.csv", **options)
        page = path.read_text(encoding="utf-8")
        assert str(folder) not in page
        assert not re.search(r"/(?:home|tmp|work|usr)/", page), "no local path stands in a page"
        shown[name] = {"screen": report.summary(), "full": report.full(), "page": visible(page)}
    quick.undo()
    return shown


@pytest.mark.parametrize("kind", ["screen", "full", "page"])
@pytest.mark.parametrize("name", [*example_names(), *MORE])
def test_no_phrase_of_the_list_is_shown(texts, name, kind):
    text = " ".join(texts[name][kind].split())
    shown = [
        f"{phrase}: ...{text[max(0, hit.start() - 40) : hit.end() + 40]}..."
        for phrase in PHRASES
        for hit in re.finditer(phrase, text, re.IGNORECASE)
    ]
    assert shown == []


def test_the_list_sees_what_it_names():
    old = "At least 2 of 3 judges fall short of this; a key for 1 item, used for scoring only."
    seen = [phrase for phrase in PHRASES if re.search(phrase, old, re.IGNORECASE)]
    assert seen == [r"falls? short", r"a key for\b", r"scoring only"]
    text = visible("<p>Rate &amp; <b>Star:</b></p><script>says nothing</script>")
    assert "Rate &" in text
    assert "Star:" in text
    assert "nothing" not in text
