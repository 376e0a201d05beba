"""Numbers of the how-to on scores, each computed from real scores and set beside the text.

They are skipped where these scores are not at hand.
"""

import csv
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm, rankdata

import algeval as ae
from algeval.aggregate import score
from algeval.aggregate.scores.factor import breadth

PAGE = Path(__file__).resolve().parents[1] / "docs" / "howto" / "my-judges-give-scores.md"
TEXT = PAGE.read_text(encoding="utf-8")
FLAT = " ".join(TEXT.split())
CHAPTERS = PAGE.parents[1] / "chapters" / "scores"
NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?%?")
NAMES = {
    "CivilComments": ("civilcomments_judge_scores", "gold"),
    "ASSET": ("asset_judge_scores", "gold pair rater aspect"),
    "TriviaQA 1": (
        "triviaqa_judges_v1",
        "gold question exam_taker question_key n_chars_response n_references",
    ),
    "TriviaQA 2": (
        "triviaqa_judges_v2",
        "gold question exam_taker question_key n_chars_response n_references",
    ),
}
OWN_SCALE = ("average", "median", "uws")


def rows_of(folder, file):
    with (folder / f"{file}.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


class Set:
    """Scores without key, the key as numbers, and the units of standard errors."""

    def __init__(self, folder, name):
        file, others = NAMES[name]
        rows = rows_of(folder, file)
        judges = [column for column in rows[0] if column not in ("item", *others.split())]
        values = [[float(row[judge] or "nan") for judge in judges] for row in rows]
        self.scores = ae.Scores([row["item"] for row in rows], judges, values)
        self.key = np.array([float(row["gold"]) for row in rows])
        self.unit = np.arange(len(rows))
        for column in ("pair", "question_key"):
            if column in rows[0]:
                self.unit = np.unique([row[column] for row in rows], return_inverse=True)[1]
        self.length = None
        if name in ("CivilComments", "ASSET"):
            more = {row["item"]: row for row in rows_of(folder, file.split("_")[0] + "_attributes")}
            more = [more[item] for item in self.scores.items]
            column = "n_chars" if name == "CivilComments" else "n_chars_simplified"
            self.length = np.array([float(row[column]) for row in more])
        if name == "CivilComments":
            self.toxic = self.key
            self.key = np.array([float(row["human_toxicity"]) for row in more])


@pytest.fixture(scope="module")
def sets(real_votes):
    return {name: Set(real_votes, name) for name in NAMES}


@pytest.fixture(scope="module")
def fitted(sets):
    @cache
    def fit(name, words):
        return run(sets[name].scores, words)

    return fit


def run(scores, words):
    """Fit "method" or "method, settings", as the tables name them."""
    method, _, how = words.partition(", ")
    settings = {
        "": {},
        "varimax": {"rotate": "varimax"},
        "balanced": {"direction": "balanced"},
        "normal scores": {"scores": "normal"},
    }[how]
    return ae.aggregate(scores, method, prevalence=0.5, **settings)


def order(fit):
    return fit.item_scores if fit.method in OWN_SCALE else fit.item_traits


def table(name):
    """Return the rows after a mark: {first cell: the numbers of the others, as printed}."""
    lines = TEXT.partition(f"<!-- table: {name} -->")[2].strip().splitlines()
    lines = lines[: next(place for place, line in enumerate(lines) if not line.startswith("|"))]
    rows = [
        [cell.replace("`", "").strip() for cell in line.strip("|").split("|")] for line in lines
    ]
    return {first: NUMBER.findall(" ".join(cells)) for first, *cells in rows[2:]}


def agree(printed, values):
    """Whether numbers as printed are the values, to their last digits."""
    assert len(printed) == len(values), (printed, values)
    for told, value in zip(printed, values, strict=True):
        digits = told.rstrip("%")
        unit = 10.0 ** -len(digits.partition(".")[2])
        scale = 100 if told.endswith("%") else 1
        assert abs(float(digits) - scale * value) <= 0.55 * unit, (printed, values)


def says(sentence, *values, chapter=None):
    text = FLAT if chapter is None else (CHAPTERS / f"{chapter}.md").read_text(encoding="utf-8")
    pattern = re.escape(" ".join(sentence.split())).replace(r"\{\}", f"({NUMBER.pattern})")
    found = re.search(pattern, " ".join(text.split()))
    assert found, sentence
    agree(found.groups(), values)


def resampled(unit, n_draws=200):
    """Yield rows of resamples of units."""
    rng = np.random.default_rng(0)
    order = np.argsort(unit, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(unit))[:-1])
    for _ in range(n_draws):
        drawn = rng.integers(0, len(members), len(members))
        yield np.concatenate([members[place] for place in drawn])


def clustered_error(each, unit):
    """Return the standard error of the mean of numbers whose units are independent."""
    return float(np.sqrt((np.bincount(unit, each - each.mean()) ** 2).sum())) / len(each)


def rank_correlation(x, y):
    return float(np.corrcoef(rankdata(x), rankdata(y))[0, 1])


def test_the_table_of_rank_correlations(sets, fitted):
    for method, printed in table("ranking").items():
        values = []
        for name, known in sets.items():
            base, found = order(fitted(name, "factor")), order(fitted(name, method))
            alone = rank_correlation(base, known.key)
            if method == "factor":
                draws = [rank_correlation(base[r], known.key[r]) for r in resampled(known.unit)]
                values += [alone, np.std(draws)]
                continue
            draws = [
                rank_correlation(found[r], known.key[r]) - rank_correlation(base[r], known.key[r])
                for r in resampled(known.unit)
            ]
            values += [rank_correlation(found, known.key) - alone, np.std(draws)]
        agree(printed, values)


def test_what_the_second_factor_goes_with(sets, fitted):
    fit, known = fitted("CivilComments", "factor, varimax"), sets["CivilComments"]
    second = fit.parameters["factor_means"][:, 1]
    says(
        "(rank correlation {} with the number of characters, {} with toxicity)",
        *(rank_correlation(second, other) for other in (known.length, known.key)),
    )
    assert breadth(fit.loadings)[0] == breadth(fit.loadings).max()
    small = {fit.judges[place] for place in np.argsort(-fit.loadings[:, 1])[:3]}
    assert small == {"gemma-3-1b-it", "Qwen3-0.6B", "Llama-3.2-1B-Instruct"}


def test_held_out_likelihood_says_that_there_are_two_not_which(sets):
    found = {}
    for name, known in sets.items():
        choice = ae.confounders(known.scores, cluster=known.unit.tolist()).choice
        found[name] = next((each.gain, each.error) for each in choice if each.k == 2)
    lost = found.pop("ASSET")
    says(
        """Two factors beat one by {} ± {} nats an item on CivilComments, where turning wins, and by {} ± {}
        and {} ± {} on TriviaQA, where it loses. On ASSET they lose by {} ± {}.""",
        *(value for pair in found.values() for value in pair),
        *(-lost[0], lost[1]),
    )


def test_the_table_of_classes(sets, fitted):
    known = sets["CivilComments"]
    key = dict(zip(known.scores.items, map(str, known.toxic.astype(int)), strict=True))
    for method, printed in table("classes").items():
        told = score(fitted("CivilComments", method), key)
        values = [told.accuracy, told.log_loss, told.calibration_error]
        name, _, how = method.partition(", ")
        more = {"rotate": "varimax"} if how else {}
        cut = ae.aggregate(known.scores, name, cut="4.5", **more)
        values += [score(cut, key).accuracy, (cut.decisions == 1).mean()]
        agree(printed, values)
    right = {
        method: fitted("CivilComments", method).decisions == known.toxic
        for method in ("factor", "factor, varimax")
    }
    gain = right["factor, varimax"].astype(float) - right["factor"]
    says(
        "The standard error of an accuracy is {}; of the gain of `varimax` over one factor {}.",
        *(clustered_error(part, known.unit) for part in (right["factor"].astype(float), gain)),
    )
    says(
        "the judges call {} of the scores toxic",
        (known.scores.values >= 4.5).sum() / (~np.isnan(known.scores.values)).sum(),
    )


def test_the_trait_itself_is_too_sure(sets, fitted):
    known = sets["CivilComments"]
    key = dict(zip(known.scores.items, map(str, known.toxic.astype(int)), strict=True))
    sure = ae.aggregate(known.scores, "graded-response", prevalence=0.5, posterior="trait")
    default = fitted("CivilComments", "graded-response")
    says(
        "it has log loss {}, where a coin has {} and the default {}.",
        *(score(sure, key).log_loss, np.log(2), score(default, key).log_loss),
        chapter="graded-response",
    )


def test_the_table_of_the_scale(sets, fitted):
    known = sets["ASSET"]
    for method, printed in table("scale").items():
        off = np.abs(fitted("ASSET", method).item_scores - known.key)
        agree(printed, [off.mean(), clustered_error(off, known.unit)])
    anchors = dict(zip(known.scores.items, known.key.tolist(), strict=True))
    fit = ae.aggregate(known.scores, prevalence=0.5, anchors=anchors)
    curve = {n: errors for n, *errors in fit.anchored.curve}
    for place, how in enumerate(("shift", "isotonic")):
        agree(table("anchors")[how], [curve[n][place] for n in (5, 20, 50, 200, 500)])
    ranked = [rank_correlation(order(fitted("ASSET", m)), known.key) for m in table("scale")]
    average = fitted("ASSET", "average").item_scores
    says(
        "All rank alike ({} to {}); the differences are of spread, which is {} for people and {} for",
        *(min(ranked), max(ranked), known.key.std(), average.std()),
    )
    says(
        "people have a standard deviation of {} and the average of eleven models {}.",
        *(known.key.std(), average.std()),
        chapter="scales-and-anchors",
    )


def with_copies(known, n):
    """Return the scores beside those of n judges who score length, with reliability 0.9."""
    rng = np.random.default_rng(0)
    length = norm.ppf((rankdata(known.length) - 0.5) / len(known.length))
    noise = rng.normal(size=(len(length), n))
    copies = np.sqrt(0.9) * (length / length.std())[:, None] + np.sqrt(0.1) * noise
    copies = np.nanmean(known.scores.values) + np.nanstd(known.scores.values) * copies
    judges = [*known.scores.judges, *(f"copy {k + 1}" for k in range(n))]
    return ae.Scores(known.scores.items, judges, np.hstack([known.scores.values, copies]))


def test_the_table_of_copies(sets):
    methods = ("average", "factor", "care-svd", "care-svd, balanced", "factor, varimax")
    for panel, printed in table("copies").items():
        name, n = panel.split(", ")
        known = sets[name]
        scores = with_copies(known, int(n.split()[0]))
        agree(printed, [rank_correlation(order(run(scores, m)), known.key) for m in methods])


def test_how_far_the_turn_moves(fitted):
    moved = [
        fitted(name, "factor, varimax").shifts[0].correlation
        for name in ("TriviaQA 1", "CivilComments")
    ]
    says(
        """a correlation of {} with one factor lost a fifth of the ranking on TriviaQA 1, and one that left {}
        was a gain on CivilComments.""",
        *moved,
    )


def test_six_judges_are_few(real_votes):
    rows = rows_of(real_votes, "judgebench_pairs")
    judges = [name for name in rows[0] if not name.startswith(("item", "source", "len_", "gold"))]
    values = np.array([[float(row[judge] or "nan") for judge in judges] for row in rows])
    assert values.shape == (176, 6)
    key = [float(row["gold"]) for row in rows]
    alike = np.nanmean((values - np.nanmean(values, axis=0)) / np.nanstd(values, axis=0), axis=1)
    one = ae.aggregate(ae.Scores(range(176), judges, values), "factor").item_traits
    says(
        """the average of standardised scores has rank correlation {} with the key, and one factor {}.""",
        *(rank_correlation(found, key) for found in (alike, one)),
    )
