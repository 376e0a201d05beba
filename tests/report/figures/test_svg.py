"""SVG text: told to those who cannot see it, safe to put into a page, the same every time."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import algeval as ae
from algeval.report.figures import KINDS, draw, plot, save, to_svg
from algeval.report.figures.drawing import OF_SCORES
from algeval_papers.separation import curie_weiss_risks

SVG = "{http://www.w3.org/2000/svg}"
QUICK = {
    "accuracies": {"methods": ["majority"], "intervals": 0},
    "confusion": {"method": "majority"},
    "posterior": {"method": "majority"},
    "reliability": {"methods": ["majority"]},
    "learning-curve": {"methods": ["majority"], "sizes": [5, 10]},
    "panel-curve": {"levels": ["0.6", "0.9"], "time_limit": 5},
    "threshold-curve": {"time_limit": 5},
    "bounds": {"order": 1},
}


def scores_of(votes):
    """Return answers as scores, with an attribute whose name is as wild as a judge's."""
    values = np.where(votes.codes < 0, np.nan, votes.codes.astype(float))
    values += np.arange(votes.n_items)[:, None] % 7 / 10
    known = {votes.judges[0]: list(range(votes.n_items))}
    return ae.Scores(votes.items, votes.judges, values, None, known)


def of_systems(kind, votes):
    """Return what a figure of systems is of, with names as wild as those of the votes, and its options."""
    first, second = names = [str(name) for name in (*votes.judges, *votes.labels)[:2]]
    if kind == "rate":
        return votes, {"label": votes.labels[0]}
    if kind == "difference":
        other = votes.select(judges=votes.judges[::-1])
        return ae.compare_systems(votes, other, label=votes.labels[0], names=names), {}
    if kind == "leaderboard":
        battles = [
            {
                "prompt": k,
                "model_a": first,
                "model_b": second,
                "winner": "model_a" if k % 3 else "model_b",
            }
            for k in range(30)
        ]
        return ae.leaderboard(battles), {}
    if kind == "slices":
        groups = {item: names[k % 2] for k, item in enumerate(votes.items)}
        return ae.slices(votes, {first: groups}, good=votes.labels[0]), {}
    if kind == "label-plan":
        return ae.plan(rate=0.7, half_width=0.05, rho2=0.24, items=2000), {}
    labels = [k % 3 > 0 for k in range(30)]
    return ae.LabelStream(), {"labels": labels}


OF_SYSTEMS = ("rate", "slices", "difference", "leaderboard", "label-plan", "label-stream")


def drawn(kind, votes):
    if kind == "rule-risks":
        return draw(kind, curie_weiss_risks(0.7, beta0=0.5, beta1=2.0, n_judges=range(1, 60)))
    if kind == "reach":
        return draw(kind, [ae.reach(5, 0.8), ae.reach(3, 0.6)], points=[(3, 0.83), (5, 0.8)])
    if kind in OF_SYSTEMS:
        subject, options = of_systems(kind, votes)
        return draw(kind, subject, **options)
    data = scores_of(votes) if kind in OF_SCORES else votes
    if kind == "correctness":
        data = votes.select(judges=votes.judges[:3])
    if kind == "plan":
        data = ae.plan(budget=1500, accuracy=0.8, margin=0.01, label_accuracy=0.8, gold_cost=3)
    return draw(kind, data, **QUICK.get(kind, {}))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("page", [False, True])
def test_names_are_text_and_nothing_else(kind, page, wild):
    text = to_svg(drawn(kind, wild), page=page)
    assert text == to_svg(drawn(kind, wild), page=page)
    root = ET.fromstring(text)
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {
        "svg",
        "title",
        "desc",
        "defs",
        "g",
        "path",
        "use",
        "text",
        "clipPath",
        "rect",
        "image",
        "pattern",
    }
    assert not [k for e in root.iter() for k in e.attrib if k.lower().startswith("on")]
    assert [child.tag for child in root[:2]] == [f"{SVG}title", f"{SVG}desc"]
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [root[0].get("id"), root[1].get("id")]
    assert len(root[1].text) > 30
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    targets = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    assert targets <= set(ids)


@pytest.mark.parametrize("kind", ["accuracies", "agreement", "confusion", "bounds", "couplings"])
def test_wild_names_are_drawn_as_they_are(kind, wild):
    shown = {t.text for t in ET.fromstring(to_svg(drawn(kind, wild))).iter(f"{SVG}text")}
    joined = "\n".join(filter(None, shown))
    for name in wild.judges:
        assert name[:12] in joined, name


@pytest.mark.parametrize("kind", KINDS)
def test_figures_of_25_judges_are_small(kind, make_votes):
    votes = make_votes(25, ["no", "yes"], n_items=40)
    text = to_svg(drawn(kind, votes), page=True)
    assert len(text.encode()) < 60_000


def test_control_characters_and_cut_names_do_no_harm():
    data = ae.Summary.from_counts({"x" + chr(7): {"a": 4, "b": 6}, "y" * 99: {"a": 7, "b": 3}})
    for kind in ("bounds", "conflicts", "thresholds", "q-complex"):
        root = ET.fromstring(to_svg(draw(kind, data)))
        longest = max(len(t.text or "") for t in root.iter(f"{SVG}text"))
        assert longest < 90


def test_control_characters_in_what_is_asked_do_no_harm():
    data = ae.Summary.from_counts({"x": {"a" + chr(7): 4, "b": 6}, "y": {"a" + chr(7): 7, "b": 3}})
    asked = ae.Specification.accuracy(">=", "0.9", label="a" + chr(7))
    found = ae.panel(data, asked)
    assert chr(7) in found.message or "\\x07" in found.message
    for result in (found, ae.bounds(data, at_least=asked)):
        assert chr(7) not in to_svg(plot(result))


def test_a_page_gives_its_own_colours(four):
    figure = plot(ae.threshold(four, order=1))
    plain, page = to_svg(figure), to_svg(figure, page=True)
    assert "currentColor" not in plain
    assert "fill: #ffffff" in plain
    assert "fill: #ffffff" not in page
    assert "#000000" not in page
    for text in ET.fromstring(page).iter(f"{SVG}text"):
        assert "fill:" in text.get("style")
    assert to_svg(figure) == plain


def test_nothing_speaks_to_the_rest_of_the_page(four):
    text = to_svg(plot(ae.bounds(four, order=1)), page=True)
    assert text.startswith("<svg ")
    for word in ("<style", "<metadata", "<?xml", "<!DOCTYPE", "rdf"):
        assert word not in text


def test_two_figures_in_one_page_share_no_id(four):
    texts = [to_svg(plot(r)) for r in (ae.threshold(four, order=1), ae.bounds(four, order=1))]
    first, second = (set(re.findall(r' id="([^"]+)"', text)) for text in texts)
    assert first
    assert not first & second


def test_points_of_one_cloud_stand_in_one_group():
    root = ET.fromstring(to_svg(draw("q-complex", ae.example("mt-bench-summary"))))
    groups = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}use") is not None]
    points = [use for group in groups for use in group.iter(f"{SVG}use")]
    assert len(points) > 5 * len(groups)
    for one in root.iter():
        pairs = zip(list(one), list(one)[1:], strict=False)
        assert all(a.tag != f"{SVG}g" or (a.tag, a.attrib) != (b.tag, b.attrib) for a, b in pairs)


def test_title_and_description_can_be_given_and_are_escaped(four, tmp_path):
    figure = plot(ae.bounds(four, order=1))
    root = ET.fromstring(to_svg(figure, "<b>&", "what\nit shows"))
    assert (root[0].text, root[1].text) == ("<b>&", "what it shows")
    root = ET.fromstring(to_svg(figure))
    assert root[0].text == " ".join(figure.get_suptitle().split())
    assert root[1].text == figure.get_label()
    save(figure, tmp_path / "x.svg")
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert text.startswith(to_svg(figure).rstrip())
    assert text.splitlines()[-1].startswith("<!-- written by algeval ")


def test_a_figure_of_somebody_else_is_described_by_its_title():
    from matplotlib.figure import Figure

    other = Figure()
    root = ET.fromstring(to_svg(other))
    assert (root[0].text, root[1].text) == ("Figure", "Figure")


def values_in(svg):
    """Return the titles of marks, without that of the figure."""
    return [title.text for title in ET.fromstring(svg).iter(f"{SVG}title")][1:]


def test_a_page_shows_the_value_of_a_mark_to_who_points_at_it(four):
    """As many as there are marks, in their own words; a file of its own has none."""
    drawn = draw("accuracies", four, methods=["majority"], intervals=0)
    assert values_in(to_svg(drawn)) == []
    marks = values_in(to_svg(drawn, page=True))
    assert sorted(marks) == sorted(
        [
            *("x: 100.0%, majority", "y: 100.0%, majority", "z: 50.0%, majority"),
            *("x: 50.0%, by human labels (4 items)",),
            *("y: 50.0%, by human labels (4 items)",),
            *("z: 100.0%, by human labels (4 items)",),
        ]
    )
    bars = values_in(to_svg(draw("posterior", four, method="majority"), page=True))
    assert sum(int(text.split(": ")[1].split()[0]) for text in bars) == four.n_items
    split = values_in(to_svg(draw("disagreement", four), page=True))
    curve = values_in(to_svg(draw("panel-curve", four, levels=["0.6", "1"]), page=True))
    short = ae.panel(four, "1").min_violators
    assert f"100%: at least {short} of 3 judges, full order" in curve
    assert len(curve) == 6
    assert sorted(split) == ["2: a 66.7%", "2: b 33.3%", "3: a 33.3%", "3: b 66.7%"]


def test_values_of_wild_names_are_text():
    names = ["</title><script>", "a\u2028b\u0007", "&amp;"]
    votes = ae.Votes.from_columns({name: list("aabb") for name in names})
    svg = to_svg(draw("accuracies", votes, methods=["majority"], intervals=0), page=True)
    assert "<script" not in svg
    heads = {text.split(": ")[0] for text in values_in(svg)}
    assert heads == {"</title><script>", "a\ufffdb\ufffd", "&amp;"}
