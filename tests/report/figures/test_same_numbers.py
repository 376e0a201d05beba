"""A page has one text for one number: its figures round as its sentences, tables and JSON do."""

import html
import re
from fractions import Fraction

import numpy as np
import pytest

import algeval as ae
from algeval.data import Votes
from algeval.report.figures import draw, to_svg
from algeval.report.render import page
from algeval.result import percent
from algeval.result.numbers import rounded

SHARE = re.compile(r"(\d+(?:\.\d+)?)% \((\d+)/(\d+)\)")


def drawn(n_items, n_judges, labels, *, keyed, seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(labels), n_items)
    right = rng.random((n_items, n_judges)) < np.linspace(0.6, 0.9, n_judges)
    other = rng.integers(0, len(labels), (n_items, n_judges))
    codes = np.where(right, truth[:, None], other).astype(np.int16)
    key = np.where(np.arange(n_items) < keyed, truth, -1).astype(np.int16)
    judges = [f"j{k}" for k in range(n_judges)]
    return Votes(range(n_items), judges, labels, labels, codes, key)


REPORTS = {
    "mt-bench": lambda: ae.example("mt-bench"),
    "key": lambda: drawn(173, 3, ["fail", "pass"], keyed=40, seed=1),
    "three labels": lambda: drawn(90, 4, ["a", "b", "tie"], keyed=0, seed=2),
    "12 judges": lambda: drawn(80, 12, ["no", "yes"], keyed=0, seed=3),
}


def words_of(svg):
    """Return the texts of a figure, with its description."""
    found = re.findall(r"<(?:text|tspan|desc|title)[^>]*>([^<]*)<", svg)
    return [html.unescape(text) for text in found if text.strip()]


@pytest.mark.parametrize("name", REPORTS)
def test_every_number_of_a_figure_is_that_of_the_text(name, monkeypatch):
    monkeypatch.setattr("algeval.report.render._SECONDS", 0.2)
    votes = REPORTS[name]()
    report = ae.report(votes, intervals=0, time_limit=1)
    text = page(report, votes, report.results, {})
    figures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(figures) >= 5
    outside = html.unescape(re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL))
    # a fraction has one percentage, wherever it stands
    for shown, top, bottom in SHARE.findall(html.unescape(text)):
        assert f"{shown}%" == percent(Fraction(int(top), int(bottom)), len(shown.partition(".")[2]))
    # the limit: JSON, badge, sentence and figures
    limit = report.results["threshold"].upper
    if limit < 1:
        json_limit = next(
            s["results"]["threshold"]["upper"]
            for s in report.to_dict()["sections"]
            if "threshold" in s["results"]
        )
        assert Fraction(json_limit) == limit
        known = votes.key is not None and (votes.key >= 0).any()  # labels say more than logic
        start = "Accuracy by human labels: " if known else f"Joint accuracy limit {percent(limit)}"
        assert report.overview.badge.text.startswith(start)
        legends = [
            w for svg in figures for w in words_of(svg) if "not all judges can be above" in w
        ]
        assert legends or name == "key", "of labelled votes the figure is of the labels"
        assert all(f"above {percent(limit)} on" in w for w in legends)
        assert f"{percent(limit)} ({limit})" in outside
    # the accuracies that a figure describes are those of the table of judges
    (described,) = [w for svg in figures for w in words_of(svg) if " the best is " in w]
    best = re.search(r"the best is (\S+) with (\S+?)(?: \(|,)", described)
    row = next(row for row in report.overview.table.rows if row[0] == best[1])
    assert row[1].split()[0] == best[2].rstrip(",")
    # squares of agreement are the cells of the section's table
    found = report.results["agreement"]
    pairs = [
        percent(share, 0)
        for k, i in enumerate(votes.judges)
        for j in votes.judges[:k]
        if (share := found.percent(i, j)) is not None
    ]
    (squares,) = [
        [w for w in words_of(svg) if re.fullmatch(r"\d+%", w)]
        for svg in figures
        if any("agree most" in w for w in words_of(svg))
    ]
    assert not set(pairs) - set(squares), "each pair is written as the table has it"
    counted = report.results["comparison"].truth
    model = report.results["recommended"].evaluation if counted is None else counted.to_floats()
    for svg in figures:
        if any("confusion" in w.lower() for w in words_of(svg)):
            cells = {percent(share, 0) for share in model.confusion.ravel()}
            assert {w for w in words_of(svg) if re.fullmatch(r"\d+%", w)} >= cells - {"100%", "0%"}


def test_halves_go_to_the_even_digit_whatever_the_number_is_kept_as():
    for denominator in (8, 16, 20, 40, 80, 125, 200, 400, 2000):
        for top in range(denominator + 1):
            exactly = Fraction(top, denominator)
            for digits in (0, 1, 2):
                told = percent(exactly, digits)
                assert told == percent(top / denominator, digits)
                assert told == percent(np.float64(top) / denominator, digits)
                assert told == f"{rounded(exactly, digits, 100)}%"
                near = Fraction(told[:-1])
                assert abs(near - 100 * exactly) <= Fraction(1, 2 * 10**digits)
                if abs(near - 100 * exactly) == Fraction(1, 2 * 10**digits):
                    assert (near * 10**digits) % 2 == 0


def test_a_limit_is_rounded_as_in_the_sentence():
    """134/173 is 77.46%: once 77.5% in the text and 77.4% in the figure."""
    votes = drawn(173, 3, ["fail", "pass"], keyed=0, seed=1)
    found = ae.threshold(votes)
    label = f"{percent(found.upper)} ({found.upper})"
    assert any(label in word for word in words_of(to_svg(draw("threshold-curve", found))))
    assert label in ae.report(votes, intervals=0).summary()
    assert percent(Fraction(134, 173)) == "77.5%"
