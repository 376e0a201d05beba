"""Numbers in the pages on rates that no run of theirs prints, each computed and set beside the text."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest, norm

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = ROOT / "docs" / "chapters" / "rates"
HOWTO = ROOT / "docs" / "howto"
PAGES = sorted(CHAPTERS.glob("*.md"))


def text_of(name, folder=CHAPTERS):
    return " ".join((folder / f"{name}.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_measurements_a_chapter_names_exist(path):
    tests = "".join(found.read_text(encoding="utf-8") for found in (ROOT / "tests").rglob("*.py"))
    text = path.read_text(encoding="utf-8")
    for name in re.findall(r"`(test_\w+)`", text):
        assert f"def {name}(" in tests, name
    for place in re.findall(r"\btests/\S+?\.py", text):
        assert (ROOT / place).is_file(), place


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_chapter_says_when_shows_a_run_and_names_its_sources(path):
    text = path.read_text(encoding="utf-8")
    assert "\n**When.**" in text.partition("\n## ")[0]
    assert re.search(r"```python\n[^`]*```\n\n```text\n[^`]+```", text)
    assert text.count("\n**Reference.** {cite:t}") == 1


def test_the_first_chapter_leads_to_all_others():
    first = (CHAPTERS / "labels.md").read_text(encoding="utf-8")
    of_ladder = (CHAPTERS / "ladder.md").read_text(encoding="utf-8")
    linked = {*re.findall(r"\]\(([\w-]+\.md)\)", first + of_ladder)}
    assert {path.name for path in PAGES} - {"labels.md"} <= linked


def test_how_often_a_rate_of_995_shows_no_failure():
    assert "nine times in ten with two strata ($.995^{20}$)" in text_of("labels")
    assert pytest.approx(0.9, abs=0.01) == 0.995**20
    assert "mostly with five ($.995^{50}$)" in text_of("labels")
    assert 0.75 < 0.995**50 < 0.8


def test_rogan_gladen_is_worse_than_no_judge_below_one_half():
    assert "ignoring the judges unless $\\rho^2 > \\frac12$" in text_of("labels")
    crossed = [r2 for r2 in np.arange(1, 100) / 100 if (1 - r2) / r2 < 1]
    assert crossed[0] == 0.51


def test_how_often_a_random_draw_looks_picked():
    assert "a random draw gives about once in 370 times" in text_of("designs")
    assert 1 / (2 * norm.sf(3)) == pytest.approx(370, abs=1)


def test_the_sign_test_needs_six():
    assert "$\\frac1{16}$ at 5, $\\frac1{32}$ at 6" in text_of("systems")
    assert [binomtest(m, m).pvalue for m in (5, 6)] == pytest.approx([1 / 16, 1 / 32])


def test_labels_where_outputs_differ_count_more():
    assert "outputs equal on 60% of the items make 100 labels worth 250" in text_of("systems")
    for p in (0.1, 0.4, 1.0):
        for mean in np.linspace(-p, p, 9):
            ratio = 0.4 * (p - mean**2) / (p - 0.4 * mean**2)
            assert ratio <= 0.4 + 1e-12


def test_what_is_told_of_the_favouring_judge_comes_out():
    """Of Theorem 2 of the chapter on systems: the share of passes of both worlds is the same."""
    assert "$\\phi = (\\theta_B - \\theta')(se + sp - 1)/((1 - \\theta')\\, sp)$" in text_of(
        "systems"
    )
    for better, worse, se, sp in ((0.7, 0.6, 0.9, 0.8), (0.5, 0.45, 0.7, 0.9)):
        phi = (better - worse) * (se + sp - 1) / ((1 - worse) * sp)
        fair = better * se + (1 - better) * (1 - sp)
        assert worse * se + (1 - worse) * (1 - sp + phi * sp) == pytest.approx(fair)


def test_two_votes_of_davidson_are_told_by_credits():
    """The derivative of the expected credit, against a difference."""
    assert "$\\frac12 (2 + \\nu \\cosh \\frac x2)/Z^2 > 0$" in text_of("leaderboards")
    nu, x, h = 0.7, np.linspace(-4, 4, 17), 1e-5

    def whole(x):
        return np.exp(x / 2) + np.exp(-x / 2) + nu

    def credit(x):
        return (np.exp(x / 2) + nu / 2) / whole(x)

    slope = (credit(x + h) - credit(x - h)) / (2 * h)
    np.testing.assert_allclose(slope, (2 + nu * np.cosh(x / 2)) / 2 / whole(x) ** 2, atol=1e-9)


def test_errors_shrink_a_gap_by_their_share_at_least():
    assert "with the derivative $u (1 - t^2)/(1 - u^2 t^2) \\le u$" in text_of("leaderboards")
    x = np.linspace(0.01, 6, 50)
    for u in (0.1, 0.5, 0.9):
        fitted = 2 * np.arctanh(u * np.tanh(x / 2))
        assert (fitted <= u * x + 1e-12).all()
        assert (fitted > 0).all()


def test_doubt_makes_the_error_half_as_large_again():
    text = (CHAPTERS / "labels-next.md").read_text(encoding="utf-8")
    rows = re.findall(r"^ +([\d.]+)% +([\d.]+) +([\d.]+) +([\d.]+)$", text, re.MULTILINE)
    even, doubt = ({row[0]: float(row[k]) for row in rows} for k in (1, 2))
    assert doubt["0.04"] / even["0.04"] == pytest.approx(0.5, abs=0.02)
    assert doubt["2.00"] / even["2.00"] == pytest.approx(1, abs=0.01)
    assert doubt["10.00"] / even["10.00"] == pytest.approx(1.5, abs=0.03)
    assert (doubt["10.00"] / even["10.00"]) ** 2 == pytest.approx(2.2, abs=0.1)
    assert "it would take twice the labels" in text_of("labels-next")


def test_what_the_how_to_on_rates_says_is_what_it_shows():
    text = text_of("report-a-pass-rate", HOWTO)
    shown = re.search(r"0\.(\d\d) to 0\.(\d\d) every judge right on at least 80%", text)
    assert f"at least 80% of the items, {shown[1]} to {shown[2]}% of them pass" in text
    truth = re.search(r"true rate 0(\.\d+)", text)[1]
    assert f"misses the truth, {truth}, by far" in text
    low, high = re.search(r"(0\.\d\d) to (0\.\d\d) independent errors", text).groups()
    assert not float(low) - 0.1 < float(truth) < float(high) + 0.05
    low, high = re.search(r"labels \+ judges: (0\.\d+) to (0\.\d+)", text).groups()
    assert 0.6 < float(low) < float(truth) < float(high)
