"""Figures: the exact numbers they show, deterministic files, no global state."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algeval as ae
from algeval.cli.main import run
from algeval.logic.consistent.count import correct_counts
from algeval.report.figures import KINDS, draw, save, to_svg
from algeval.report.figures.drawing import TABLE
from algeval.report.figures.logic import (
    STAGES,
    correct_multiplicities,
    evaluation_points,
    key_levels,
    keys_above,
    label_levels,
    prevalence_points,
)

F = Fraction


def summary(labels, **rows):
    table = {judge: dict(zip(labels, row, strict=True)) for judge, row in rows.items()}
    return ae.Summary.from_counts(table, labels=list(labels))


@pytest.fixture
def fig5():
    return summary("ab", i=(4, 6), j=(7, 3))


# Exact data


def test_figures_1_to_4_counts(fig5):
    sizes = [len(evaluation_points(fig5, stage)) for stage in STAGES]
    assert sizes == [286, 210, 35]
    points = [set(evaluation_points(fig5, stage)) for stage in STAGES]
    assert points[2] < points[1] < points[0]
    # The paper's example: possible after the inequalities, impossible given the answers.
    assert ((7, 3), (3, 1)) in points[1] - points[2]
    assert ((7, 3), (2, 1)) in points[2]
    assert len(evaluation_points(fig5, judge="j")) != 35


def test_figure_2_leaves_out_labels_that_do_not_occur(fig5):
    shares = [prevalence_points(evaluation_points(fig5, stage)) for stage in STAGES]
    assert [len(s) for s in shares] == [286 - 22, 210 - 12, 35 - 2]
    assert (F(7, 10), F(2, 7), F(1, 3)) in shares[2]
    assert len(set(shares[0])) == 264


def test_figure_7_over_the_answer_keys(mt_summary):
    levels = key_levels(mt_summary)
    assert len(levels) == 351
    above = [keys_above(levels, x) for x in (F(46, 100), F(1, 2), F(3, 5), F(2, 3))]
    assert above == [53, 27, 3, 0]
    assert levels[-1] == ((6, 15, 4), F(2, 3))
    assert dict(levels)[8, 9, 8] == F(3, 8)
    assert ae.threshold(mt_summary).lower == levels[-1].level


def test_the_45_percent_of_the_paper_needs_permuted_labels():
    # 5/11 = 45.45...% appears when gpt4's counts are set against other labels, and only then.
    found = {}
    for a, b, tie in [(4, 18, 3), (4, 3, 18), (18, 4, 3), (18, 3, 4), (3, 4, 18), (3, 18, 4)]:
        data = summary(["a", "b", "tie"], authors=(5, 10, 10), gpt4=(a, b, tie))
        found[a, b, tie] = key_levels(data)[-1].level
        assert found[a, b, tie] == ae.threshold(data).lower
    assert found[4, 18, 3] == F(2, 3)
    assert {k for k, x in found.items() if x == F(5, 11)} == {(18, 4, 3), (18, 3, 4)}


def test_figure_8_label_by_label(mt_summary):
    levels = label_levels(mt_summary)
    assert {k: (v[0].level, v[-1].level, n) for k, (v, n) in levels.items()} == {
        "a": (F(4, 25), 1, 26),
        "b": (F(10, 25), 1, 26),
        "tie": (F(3, 25), 1, 26),
    }
    at = {k: dict(v)[8, 9, 8] for k, (v, _) in levels.items()}
    assert at == {"a": F(1, 2), "b": 1, "tie": F(3, 8)}


def test_figure_6_no_one_better_than_three_eighths_on_ties(mt_summary):
    panels = correct_multiplicities(mt_summary, (8, 9, 8))
    assert [(p.label, p.q) for p in panels] == [("a", 8), ("b", 9), ("tie", 8)]
    assert [max(ways) for ways in panels[2].ways] == [8, 3]
    for panel in panels:
        assert [sum(ways.values()) for ways in panel.ways] == [854, 150]
    assert panels[2].ways[1] == {0: 60, 1: 45, 2: 30, 3: 15}


def test_figure_5_two_labels_have_one_table_each(fig5):
    a, b = correct_multiplicities(fig5, (6, 4))
    assert a.ways == (dict.fromkeys(range(5), 1), dict.fromkeys(range(3, 7), 1))
    assert b.ways == (dict.fromkeys(range(5), 1), dict.fromkeys(range(4), 1))


# Brute force


def tables(rows, columns):
    """Every table of whole numbers with these margins."""
    if not rows:
        if not any(columns):
            yield ()
        return
    for row in product(*(range(min(rows[0], c) + 1) for c in columns)):
        if sum(row) == rows[0]:
            left = tuple(c - n for c, n in zip(columns, row, strict=True))
            for rest in tables(rows[1:], left):
                yield (row, *rest)


def worst(table, key, missing, labels):
    """The smallest accuracy over labels of which the judge answered an item."""
    left = table[-1] if missing else (0,) * len(key)
    held = [q - m for q, m in zip(key, left, strict=True)]
    found = [F(table[t][t], held[t]) for t in labels if held[t]]
    return min(found, default=F(1))


@settings(derandomize=True, deadline=None, max_examples=25)
@given(
    st.integers(2, 3).flatmap(
        lambda r: st.lists(
            st.lists(st.integers(0, 2), min_size=r, max_size=r), min_size=2, max_size=2
        )
    )
)
def test_levels_against_every_table(counts):
    labels = "abc"[: len(counts[0])]
    n_items = max(1, *map(sum, counts))
    named = {j: dict(zip(labels, row, strict=True)) for j, row in zip("xy", counts, strict=True)}
    data = ae.Summary.from_counts(named, labels=list(labels), n_items=n_items)
    every = range(len(labels))
    by_label = label_levels(data)
    for key, level in key_levels(data):
        options = [list(tables([*row, n_items - sum(row)], key)) for row in counts]
        best = [max(worst(t, key, True, every) for t in possible) for possible in options]
        assert min(best) == level
        for t, label in enumerate(labels):
            if key[t]:
                alone = [max(worst(x, key, True, [t]) for x in possible) for possible in options]
                assert dict(by_label[label][0])[key] == min(alone)
        for t, panel in enumerate(correct_multiplicities(data, key)):
            for possible, ways in zip(options, panel.ways, strict=True):
                seen = [x[t][t] for x in possible]
                assert ways == {c: seen.count(c) for c in sorted(set(seen))}


# The drawings


def text_of(path):
    root = ET.parse(path).getroot()
    return " ".join(t.strip() for t in root.itertext() if t.strip())


def every_figure(mt_summary, fig5):
    three = summary("ab", i=(4, 6), j=(7, 3), k=(10, 0))
    return [
        ("evaluations", fig5, {}, "286 evaluations"),
        ("evaluations", fig5, {"space": "P", "stage": "axioms"}, "2 with an absent label"),
        ("correctness", fig5, {"q": (6, 4)}, "can both be at least 50.0% (1/2) right"),
        ("correctness", mt_summary, {"q": (8, 9, 8)}, "cannot both be at least 50.0% (1/2) right"),
        ("correctness", mt_summary, {"at_least": "2/3"}, "the answer key has 6 a, 15 b, 4 tie"),
        ("correctness", three, {"q": (10, 0)}, "b: does not occur"),
        (
            "thresholds",
            mt_summary,
            {"levels": ["1/2", "46%"]},
            "53 of 351 keys allow more than 46.0% (23/50)",
        ),
        ("thresholds", mt_summary, {"also": {"other": mt_summary}}, "other: at most 66.7% (2/3)"),
        ("label-thresholds", mt_summary, {}, "tie: from 12.0% (3/25) to 100.0%"),
        ("q-complex", mt_summary, {"at_least": "3/5"}, "at least 60.0% (3/5) right"),
        ("q-complex", mt_summary, {"at_least": "0.9"}, "At 0 of 351 answer keys"),
        ("q-complex", fig5, {}, "items of a in the answer key"),
        ("conflicts", three, {"at_least": "0.9"}, "judges that cannot both meet it"),
    ]


@pytest.mark.parametrize("place", range(13))
def test_files_say_what_they_show_and_never_change(place, mt_summary, fig5, tmp_path):
    kind, data, options, words = every_figure(mt_summary, fig5)[place]
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for path in files:
        save(draw(kind, data, **options), path)
    assert files[0].read_bytes() == files[1].read_bytes()
    figure, mark = files[0].read_text(encoding="utf-8").rsplit("\n", 2)[:2]
    assert to_svg(draw(kind, data, **options)) == f"{figure}\n"
    assert mark.startswith("<!-- written by algeval ")
    shown = text_of(files[0])
    assert words in shown
    assert "date" not in files[0].read_text().lower()


def test_every_kind_of_the_papers_is_drawn_above(mt_summary, fig5):
    told = {name for name, kind in TABLE.items() if "order 1" in kind.heading}
    assert {kind for kind, *_ in every_figure(mt_summary, fig5)} == told | {"conflicts"}


def test_conflicts_mark_those_who_fail_alone_and_the_largest_panel(tmp_path):
    # x and y say the opposite of one another; z never says b, so b must not occur for z.
    found = ae.panel(summary("ab", x=(6, 0), y=(0, 6), z=(5, 1)), 1)
    axes = draw("conflicts", found).axes[0]
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["a largest panel that may meet it (1)", "others (2)"]
    assert len([line for line in axes.lines if line.get_linestyle() == "-"]) == 3
    many = {f"judge {k} with a name too long to write": (k, 20 - k) for k in range(15)}
    figure = draw("conflicts", summary("ab", **many), at_least="0.9")
    names = [text.get_text() for text in figure.axes[0].texts]
    assert len(names) == 15
    assert all(len(name) <= 28 for name in names)


def test_the_curve_is_the_share_of_keys_that_allow_more(mt_summary):
    curve = draw("thresholds", mt_summary).axes[0].lines[0]
    levels = [float(k.level) for k in key_levels(mt_summary)]
    for x, share in zip(*curve.get_data(), strict=True):
        assert share == sum(level > x for level in levels) / 351
    assert set(levels) <= set(curve.get_xdata())
    assert curve.get_drawstyle() == "steps-post"


def test_each_label_has_a_curve_over_the_keys_that_have_it(mt_summary):
    axes = draw("label-thresholds", mt_summary).axes[0]
    for line, (levels, without) in zip(axes.lines, label_levels(mt_summary).values(), strict=True):
        assert len(levels) == 351 - without == 325
        for x, share in zip(*line.get_data(), strict=True):
            assert share == sum(k.level > F(x).limit_denominator(999) for k in levels) / 325


def test_a_curve_of_many_steps_is_thinned_but_never_wrong():
    many = summary("ab", x=(1300, 1700), y=(1700, 1300))
    levels = [k.level for k in key_levels(many)]
    drawn = list(zip(*draw("thresholds", many).axes[0].lines[0].get_data(), strict=True))
    assert len(drawn) < 600 < len(set(levels))
    for x, share in drawn[::20]:
        assert share == sum(float(level) > x for level in levels) / len(levels)


def test_squares_shade_the_standard(mt_summary):
    panels = draw("correctness", mt_summary, q=(8, 9, 8), at_least="1/2").axes[:3]
    assert [tuple(p.patches[0].get_xy()) for p in panels] == [(4, 4), (4.5, 4.5), (4, 4)]
    assert [p.patches[0].get_hatch() for p in panels] == [None, None, "//"]


def test_squares_hold_the_logarithm_of_the_tables(mt_summary):
    axes = draw("correctness", mt_summary, q=(8, 9, 8)).axes[2]
    table = axes.images[0].get_array()
    ways = correct_multiplicities(mt_summary, (8, 9, 8))[2].ways
    assert table.count() == len(ways[0]) * len(ways[1])
    assert table[3, 2] == pytest.approx(np.log10(ways[0][2] * 15))
    assert table.mask[4].all()


def test_two_hundred_items_are_drawn():
    three = summary("ab", x=(90, 110), y=(110, 90), z=(150, 50))
    cube, _ = draw("correctness", three, q=(100, 100)).axes[:2]
    corners = np.array([line.get_data_3d() for line in cube.lines[:12]])
    ends = [(corners[:, k].min(), corners[:, k].max()) for k in range(3)]
    # of 100 items that are a, who said a 90 times is right on 0 to 90, and z on at least 50
    assert ends == [(0, 90), (10, 100), (50, 100)]
    assert len(cube.collections[0].get_offsets()) == 125
    figure = draw("evaluations", three, judge="x")
    assert "outlines at 21 of 201 answer keys" in figure.get_suptitle().replace("\n", " ")
    titles = [axes.get_title().split()[-2] for axes in figure.axes]
    # (q + 1)(201 - q) over q; the same with caps; one number of each below the smaller count
    by_hand = [
        sum((q + 1) * (201 - q) for q in range(201)),
        sum((min(90, q) + 1) * (min(110, 200 - q) + 1) for q in range(201)),
        sum(min(90, 200 - 110, q, 200 - q) + 1 for q in range(201)),
    ]
    assert titles == [str(n) for n in by_hand]


def test_outlines_bound_exactly_the_evaluations_there_are():
    one = summary("ab", x=(30, 40))
    known = evaluation_points(one, "axioms")
    figure = draw("evaluations", one, stage="axioms", space="R")
    assert not figure.axes[0].lines
    big = draw(
        "evaluations",
        ae.Summary.from_counts({"x": {"a": 30, "b": 40, "?": 130}}, labels=["a", "b"]),
        stage="axioms",
    )
    for line in big.axes[0].lines:
        q, right, second = np.array(line.get_data_3d()).astype(int)
        key = (int(q[0]), 200 - int(q[0]))
        inside = set(correct_counts((30, 40), key))
        assert set(zip(right.tolist(), second.tolist(), strict=True)) <= inside
        assert (right.min(), right.max()) == (min(d[0] for d in inside), max(d[0] for d in inside))
        assert (second.min(), second.max()) == (
            min(d[1] for d in inside),
            max(d[1] for d in inside),
        )
    assert len(known) == len(set(known))


def test_tables_too_many_to_count_leave_the_possible_numbers():
    data = summary("abc", x=(90, 60, 50), y=(110, 70, 20))
    figure = draw("correctness", data, q=(100, 60, 40))
    assert "too long to count" in figure.get_suptitle()
    table = figure.axes[0].images[0].get_array()
    # said 90 and 110 times of 200, on 100 items: 0 to 90 and 10 to 100 can be right
    rows, columns = np.nonzero(~table.mask)
    assert (columns.min(), columns.max(), rows.min(), rows.max()) == (0, 90, 10, 100)


def test_a_map_of_many_keys_has_a_cell_for_each():
    data = summary("abc", x=(20, 10, 10), y=(10, 20, 10))
    axes = draw("q-complex", data).axes[0]
    table = axes.images[0].get_array()
    assert table.count() == 41 * 42 // 2
    for key, level in key_levels(data):
        assert table[key[2], key[1]] == float(level)


def test_without_a_conflict_the_figure_says_so():
    figure = draw("conflicts", ae.panel(summary("ab", x=(3, 3), y=(3, 3)), 1))
    assert "no conflict" in figure.axes[0].texts[0].get_text()
    assert "No two judges exclude one another." in figure.get_suptitle()


def test_png_and_pdf(fig5, tmp_path):
    figure = draw("q-complex", fig5)
    save(figure, tmp_path / "x.png")
    save(figure, tmp_path / "x.pdf")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(ae.DataError, match=r"path must end in .svg, .png or .pdf"):
        save(figure, tmp_path / "x.gif")


def test_no_global_state(tmp_path):
    code = (
        "import sys, matplotlib\n"
        "def state():\n"  # asking for the backend would itself import pyplot
        "    return {k: matplotlib.rcParams[k] for k in matplotlib.rcParams if k != 'backend'}\n"
        "before = state()\n"
        "import algeval as ae\n"
        "from algeval.report.figures import draw, save\n"
        "save(draw('q-complex', ae.example('mt-bench-summary')), sys.argv[1])\n"
        "print('matplotlib.pyplot' in sys.modules, before == state())\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "x.svg")]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False True"


@pytest.mark.parametrize(
    ("kind", "options", "error", "message"),
    [
        ("pie", {}, ae.DataError, "kind must be one of"),
        ("q-complex", {"stage": "all"}, ae.DataError, "options of 'q-complex' are"),
        ("evaluations", {}, ae.DataError, "evaluations can be drawn for two labels; got 3"),
        ("correctness", {"q": (1, 2, 3)}, ae.DataError, "sum to 25"),
    ],
)
def test_refusals(kind, options, error, message, mt_summary):
    with pytest.raises(error, match=message):
        draw(kind, mt_summary, **options)


def test_more_refusals(fig5):
    with pytest.raises(ae.DataError, match="space must be one of"):
        draw("evaluations", fig5, space="Q")
    with pytest.raises(ae.DataError, match="stage must be one of"):
        draw("evaluations", fig5, stage="late")
    with pytest.raises(ae.DataError, match="two or three judges; got 1"):
        draw("correctness", fig5.select(["i"]))
    gaps = ae.Summary.from_counts({"x": {"a": 1, "b": 1}, "y": {"a": 1, "b": 0}}, n_items=2)
    with pytest.raises(ae.DataError, match="use missing='wrong'"):
        draw("correctness", gaps, missing="excluded")
    assert draw("correctness", gaps).axes
    many = summary("abcd", x=(1, 1, 1, 1))
    with pytest.raises(ae.DataError, match="two or three labels; got 4"):
        draw("q-complex", many)
    huge = summary("abc", x=(1000, 1000, 1000))
    with pytest.raises(ae.TooLargeError, match="4504501 of them"):
        draw("thresholds", huge)
    with pytest.raises(ae.TooLargeError, match="more than 50000 evaluations"):
        evaluation_points(summary("ab", x=(100, 100)), "conceivable")
    wide = summary("abcdefgh", x=(5,) * 8, y=(5,) * 8)
    with pytest.raises(ae.TooLargeError, match="counting response tables would take"):
        correct_multiplicities(wide, (5,) * 8)


# The command


def test_the_command_draws(tmp_path, capsys):
    path = tmp_path / "six.svg"
    arguments = ["figure", "correctness", "--example", "mt-bench-summary", "--q", "8,9,8"]
    assert run([*arguments, "-o", str(path)]) == 0
    assert "correctness written to" in capsys.readouterr().out
    assert "cannot both be" in text_of(path)
    assert run([*arguments[:-1], "8,9,x", "-o", str(path)]) == 2
    assert "--q must be whole numbers" in capsys.readouterr().err
    assert (
        run(
            [
                "figure",
                "thresholds",
                "--example",
                "mt-bench-summary",
                "-o",
                str(path),
                "--levels",
                "1/2",
            ]
        )
        == 0
    )
    assert run(["figure", "pie", "--example", "mt-bench-summary", "-o", str(path)]) == 2
    assert (
        run(["figure", "q-complex", "--example", "mt-bench-summary", "-o", str(tmp_path / "x.doc")])
        == 2
    )


def test_the_command_knows_every_kind():
    from algeval.cli.questions import figure

    (kind,) = [p for p in figure.params if p.name == "kind"]
    assert tuple(kind.type.choices) == tuple(k for k in KINDS if TABLE[k].command == "figure")
