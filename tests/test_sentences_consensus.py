"""Numbers in the chapters on labels and probabilities, each computed and set beside the text.

What rests on real votes is skipped where these are not at hand.
"""

import csv
import re
from fractions import Fraction as F
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm, spearmanr

import algeval as ae
from algeval.aggregate import generic_rank, log_odds_weights, score
from algeval.aggregate.checks.identified import worst_standard_error
from algeval.aggregate.ising_kernels import Parameters
from algeval.models.binary import TwoClass
from algeval.models.independent import exact_exam
from algeval.models.ising import Ising

CHAPTERS = Path(__file__).resolve().parents[1] / "docs" / "chapters"
TEXTS = {path.stem: path.read_text() for path in CHAPTERS.rglob("*.md")}
FLAT = {name: " ".join(text.split()) for name, text in TEXTS.items()}
NUMBER = re.compile(r"\d+(?:\.\d+)?%?")


def table(page, after):
    """Return the lines of the first table after some words, as lists of cells; no head."""
    lines = TEXTS[page].partition(after)[2].splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.replace("`", "").strip() for cell in line.strip("|").split("|")])
    assert rows
    return rows


FIT = {"prevalence": "fit", "copies": "keep"}
"""What the pages measured 'recommended' with: the fit alone, which is now an option."""


def fitted(data, method, **settings):
    settings = (FIT if method == "recommended" else {}) | settings
    return score(ae.aggregate(data.without_key(), method, **settings), data)


def close(printed, value):
    """Whether a number as printed ("71.1%", "0.57") is the value, to its last digit."""
    digits = printed.rstrip("%")
    unit = 10.0 ** -len(digits.partition(".")[2])
    scale = 100 if printed.endswith("%") else 1
    return abs(float(digits) - scale * value) <= 0.52 * unit


def told_by(cells):
    """Return the numbers of some cells, as printed."""
    return [number for cell in cells for number in NUMBER.findall(cell)]


def agree(cells, *values):
    printed = told_by(cells)
    assert len(printed) == len(values), (printed, values)
    for number, value in zip(printed, values, strict=True):
        assert close(number, value), (printed, values)


def three(told):
    return told.accuracy, told.log_loss, told.calibration_error


def two(*scores):
    return [value for told in scores for value in (told.accuracy, told.log_loss)]


def says(page, sentence, *values):
    """The page has the sentence, with these values where it has {}."""
    pattern = re.escape(" ".join(sentence.split())).replace(r"\{\}", f"({NUMBER.pattern})")
    found = re.search(pattern, FLAT[page])
    assert found, sentence
    agree(found.groups(), *values)


def binary(codes, key):
    two = ["0", "1"]
    shape = map(range, codes.shape)
    return ae.Votes(*shape, two, two, codes.astype(np.int16), key.astype(np.int16))


def drawn(n_items, n_judges, accuracy, prevalence, seed=0):
    rng = np.random.default_rng(seed)
    key = rng.random(n_items) < prevalence
    right = rng.random((n_items, n_judges)) < accuracy
    return binary(np.where(right, key[:, None], ~key[:, None]), key)


# Simulated votes


def test_the_price_of_modesty():
    votes = drawn(1000, 8, 0.75, 0.4)
    for name, *cells in table("probabilities", "### The price of the fit"):
        method = name.split(",")[0]
        told = fitted(votes, method)
        agree(cells, *three(told))
        if method == "majority":
            assert f"({told.n_undecided} items tied)" in name


def test_two_copies_take_the_classes_over():
    alone = drawn(4000, 3, 0.75, 0.5)
    five = binary(alone.codes[:, [0, 1, 2, 0, 0]], alone.key)
    fit = ae.aggregate(five.without_key(), "dawid-skene")
    fooled, calm = score(fit, five), fitted(alone, "dawid-skene")
    copies, others = np.split(fit.evaluation.accuracies()[[0, 3, 4, 1, 2]], [3])
    assert copies == pytest.approx(1, abs=1e-6)
    share, held = fitted(five, "majority"), fitted(five, "recommended")
    says(
        "dawid-skene",
        "Dawid-Skene labels {} right, with log loss {} and calibration error {}.",
        *three(calm),
    )
    says(
        "dawid-skene",
        """the other two about {}. Labels are right on {}, log loss is {} and calibration error {}.
        The majority of the five is also right on {}, but its smoothed vote shares have log loss {}.
        The fit of the default labels no more right than either, with log loss {}""",
        *(others.mean(), *three(fooled), *two(share), held.log_loss),
    )
    assert held.accuracy <= min(share.accuracy, fooled.accuracy)
    merged = score(ae.aggregate(five.without_key()), five)  # the default, where copies count once
    assert three(merged) == three(score(ae.aggregate(alone.without_key()), alone))


def exactly_independent(prevalence, right):
    """Return the law of three judges right so often on `a` and `b`, and its smallest exact exam."""
    tables = [[[a, 1 - a], [1 - b, b]] for a, b in right]
    shares = [prevalence, 1 - prevalence]
    law = ae.Evaluation([*"ijk"], [*"ab"], [*"ab"], shares, tables)
    return law, exact_exam(law)


def test_the_smallest_exam_of_three_independent_judges():
    right = [(F(9, 10), F(4, 5)), (F(4, 5), F(7, 10)), (F(3, 5), F(7, 10))]
    law, exam = exactly_independent(F(2, 5), right)
    fit = ae.aggregate(exam.sketch, "dawid-skene")
    assert exam.sketch.n_items == 2500
    np.testing.assert_allclose(fit.evaluation.accuracies(), np.array(right, float), atol=5e-4)
    assert fit.evaluation.prevalence_of("a") == pytest.approx(0.4, abs=5e-4)
    known = score(ae.aggregate(exam.sketch, "weighted-majority", evaluation=law), exam)
    plain = ae.aggregate(exam.sketch, "majority")
    assert known.accuracy == score(fit, exam).accuracy
    says(
        "dawid-skene",
        """in {} steps. Its labels are right on {} of the items, as are those of the weighted vote that
        knows the truth; the majority is right on {}.""",
        *(fit.n_iter, known.accuracy, score(plain, exam).accuracy),
    )
    third = plain.evaluation.accuracies()[2]
    says("majority", "the third judge {} and {} instead of 60% and 70%", *third)


def test_a_judge_who_is_never_outvoted():
    law, exam = exactly_independent(F(1, 2), [(F(19, 20),) * 2, (F(3, 5),) * 2, (F(3, 5),) * 2])
    assert exam.sketch.n_items == 1000
    says("majority", "weights {}, {} and {}, so", *log_odds_weights(law)[2])
    runs = ("weighted-majority", law), ("dawid-skene", None), ("majority", None)
    weighted, fitted_, plain = (
        score(
            ae.aggregate(exam.sketch, name, **({"evaluation": told} if told else {})), exam
        ).accuracy
        for name, told in runs
    )
    assert fitted_ == weighted
    says("majority", "the weighted vote is right on {}, and so is", weighted)
    flattered = score(ae.aggregate(exam.sketch, "weighted-majority"), exam).accuracy
    says("majority", "The majority is right on {}. With weights", plain)
    says("majority", "the majority it is {} again", flattered)


def crowd(seed, n_items=300, n_judges=40, per_item=6, n_labels=10):
    rng = np.random.default_rng(seed)
    key = rng.integers(0, n_labels, n_items)
    right = rng.uniform(0.4, 0.9, n_judges)
    codes = np.full((n_items, n_judges), -1, np.int16)
    for i in range(n_items):
        who = rng.choice(n_judges, per_item, replace=False)
        wrong = (key[i] + rng.integers(1, n_labels, per_item)) % n_labels
        codes[i, who] = np.where(rng.random(per_item) < right[who], key[i], wrong)
    names = [str(label) for label in range(n_labels)]
    return ae.Votes(range(n_items), range(n_judges), names, names, codes, key.astype(np.int16))


def test_pooling_keeps_ten_labels_apart():
    runs = {
        "majority": {},
        "dawid-skene": {},
        "dawid-skene, prior": {"prior": 2},
        "recommended": {},
    }
    exams = [crowd(seed) for seed in range(5)]
    found = []
    for name, settings in runs.items():
        told = [fitted(votes, name.split(",")[0], **settings) for votes in exams]
        found += np.mean([two(t) for t in told], axis=0).tolist()
    says(
        "pooled-dawid-skene",
        "majority {}, {}; Dawid-Skene {}, {}; with `prior=2` {}, {}; the default {}, {}.",
        *found,
    )


def test_the_pool_keeps_a_label_nobody_doubts():
    pairs = ae.example("mt-bench")
    flat = ae.aggregate(pairs, "dawid-skene", prior=2)
    held, majority = ae.aggregate(pairs), ae.aggregate(pairs, "majority")
    shares = [float(fit.evaluation.prevalence_of("a")) for fit in (flat, held)]
    assert majority.item_labels.count("a") == 3
    says(
        "pooled-dawid-skene",
        """gives the label `a` a prevalence of {}, though the majority labels three pairs `a`; the
        default gives it {}.""",
        *shares,
    )


@pytest.mark.parametrize("seed", [0, 1])
def test_the_wheel_stops_where_the_steps_leave_it_alone(seed):
    """Chapter on pooling: `trace` is of the second part, which has next to nothing to do."""
    fit = ae.aggregate(crowd(seed), "pooled-dawid-skene")
    assert len(fit.trace) <= 3 < fit.n_iter
    assert np.diff(fit.trace).min() >= 0
    assert fit.trace[-1] - fit.trace[0] < 1e-3


def test_answers_of_dirichlet_rows_vary_as_the_weights_of_the_pool_say():
    rng = np.random.default_rng(0)
    mean, a, votes = np.array([0.6, 0.3, 0.1]), 3, 7
    rows = rng.dirichlet(a * mean, 200_000)
    shares = rng.multinomial(votes, rows) / votes
    expected = (a + votes) / (votes * (a + 1)) * (np.diag(mean) - np.outer(mean, mean))
    np.testing.assert_allclose(np.cov(shares.T), expected, atol=2e-3)


def test_the_divisor_of_correlated_evidence_is_its_inflation():
    odds = np.log(0.999 / 0.001)
    inflation = 1 + 20 * 0.3
    says("probabilities", "With 21 judges and $\\rho = 0.3$, $w$ is 7.")
    assert inflation == pytest.approx(7)
    says("probabilities", "99.9% is then worth {}.", 1 / (1 + np.exp(-odds / inflation)))


def test_a_cut_in_the_middle_takes_a_third_of_a_correlation_of_one_half():
    rng = np.random.default_rng(0)
    drawn_pairs = rng.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], 400_000)
    cut = np.corrcoef((drawn_pairs > 0).T)[0, 1]
    assert cut == pytest.approx(2 / np.pi * np.arcsin(0.5), abs=0.005)
    assert 2 / np.pi * np.arcsin(0.5) == pytest.approx(1 / 3)
    says("rank-factor", "and {} less than $\\rho$ where $\\rho$ is small", 1 - 2 / np.pi)


def test_a_told_prevalence_is_met_by_probabilities_and_a_hint_by_labels():
    rng = np.random.default_rng(3)
    values = 0.7 * rng.normal(size=(20_000, 1)) + np.sqrt(0.51) * rng.normal(size=(20_000, 8))
    fit = ae.aggregate(ae.Scores(range(20_000), range(8), values), prevalence=0.2)
    assert fit.posterior[:, 1].mean() == pytest.approx(0.2, abs=0.005)
    np.testing.assert_allclose(fit.posterior[:, 1], exactly(fit), atol=1e-9)
    hint = as_a_hint(fit)
    assert (hint > 0.5).mean() == pytest.approx(0.2, abs=0.005)
    key = fit.parameters["key_loading"]
    left = np.sqrt(1 - np.mean(fit.item_spread**2))
    expected = norm.cdf(key * left * norm.ppf(0.2))
    assert hint.mean() == pytest.approx(expected, abs=0.005)
    says("vote-factor", "with loadings of 0.7 and $\\pi = 0.2$ it is {}.", expected)


def exactly(fit):
    """Return the probabilities with the threshold whose mean probability is the prevalence."""
    return with_threshold(fit, -norm.ppf(fit.prevalence))


def as_a_hint(fit):
    """Return the probabilities with the threshold of trait means at the quantile of the prevalence."""
    spread = np.sqrt(1 - np.mean(fit.item_spread**2))
    return with_threshold(fit, -fit.parameters["key_loading"] * spread * norm.ppf(fit.prevalence))


def with_threshold(fit, threshold):
    key = fit.parameters["key_loading"]
    left = 1 - key**2 * (1 - fit.item_spread**2)
    return norm.cdf((key * fit.item_traits - threshold) / np.sqrt(left))


def coupled_law(coupling):
    """The panels of notebook 11."""
    couplings = np.zeros((8, 8))
    couplings[:3, :3] = coupling
    np.fill_diagonal(couplings, 0)
    pull = np.where(np.arange(8) < 3, 0.42, 1.2)
    centre = couplings.sum(axis=1) / 2
    return TwoClass(0.5, Ising(-pull - centre, couplings), Ising(pull - centre, couplings))


def coupled(coupling):
    key, answers = coupled_law(coupling).sample(3000, 0)
    return binary(answers, key)


def test_ranks_are_those_of_the_table():
    models = ("independent", "ising", "ising-class-dependent", "log-linear")
    for judges, _, *cells in table("identifiability", "a good fit says nothing."):
        ranks = [int(cell.split(" of ")[0]) for cell in cells]
        assert ranks == [generic_rank(model, int(judges)) for model in models]


def test_how_well_3000_items_tell_couplings():
    law = coupled_law(2.0)
    fields = np.stack([law.negative.fields, law.positive.fields])
    truth = Parameters(fields, np.stack([law.negative.couplings] * 2), 0.0)
    votes = coupled(2.0).without_key()
    names = ("ising", "ising-class-dependent")
    says(
        "identifiability",
        """with a standard error of {} and of `ising-class-dependent` with {}, at the true parameters and
        without the penalty. At those fitted to one such exam it is {} and {}.""",
        *(worst_standard_error(truth, blocks, 3000) for blocks in (1, 2)),
        *(ae.aggregate(votes, name).parameters["worst_standard_error"] for name in names),
    )


@pytest.mark.parametrize(("coupling", "column"), [(2.0, 1), (3.0, 2)])
def test_three_coupled_judges(coupling, column):
    votes = coupled(coupling)
    cells = {row[0]: row[column] for row in table("side-by-side", "## What the models do")}
    for method in ("majority", "dawid-skene", "recommended", "factor", "curie-weiss"):
        agree([cells[method]], *two(fitted(votes, method)))


# Real votes


@pytest.fixture(scope="session")
def comments(real_votes):
    return ae.read_scores(real_votes / "civilcomments_judge_scores.csv", item="item", key="gold")


@pytest.fixture(scope="session")
def comment_votes(real_votes):
    path = real_votes / "civilcomments_judge_scores.csv"
    return ae.read_votes(path, item="item", key="gold", cut=4.5)


def test_the_table_of_21_language_models(comment_votes):
    runs = {
        "majority (24 items undecided)": ("majority", {}),
        "weighted majority, weights from the majority": ("weighted-majority", {}),
        "Dawid-Skene": ("dawid-skene", {}),
        "Dawid-Skene, prevalence known to be 1/2": ("dawid-skene", {"prevalence": "equal"}),
        "one-coin": ("one-coin", {}),
        "MACE": ("mace", {}),
        "GLAD, prevalence taken to be 1/2 (its default)": ("glad", {}),
        "latent factor": ("factor", {}),
        "recommended": ("recommended", {}),
    }
    rows = table("side-by-side", "gold labels afterwards")
    assert [row[0] for row in rows] == list(runs)
    for name, *cells in rows:
        method, settings = runs[name]
        agree(cells, *three(fitted(comment_votes, method, **settings)))


def test_the_table_of_ten_language_models(comment_votes):
    ten = comment_votes.select(judges=comment_votes.judges[:10])
    for name, *cells in table("side-by-side", "On the first ten of the 21"):
        method = name.split(" ")[0]
        if method in ("majority", "dawid-skene", "recommended", "factor", "curie-weiss"):
            told = fitted(ten, method)
            agree(cells, *three(told))
            assert method != "majority" or f"({told.n_undecided} items undecided)" in name


def test_votes_and_scores_side_by_side(comments, comment_votes):
    told_cut = {"rank-factor, cut told": {"cut": "4.5"}}
    for reads, name, *cells in table("rank-factor", "On these comments:"):
        data = comments if reads == "scores" else comment_votes
        told = fitted(data, name.split(",")[0], **told_cut.get(name, {}))
        agree(cells, *three(told))


def test_one_cut_is_not_one_cut(comments):
    votes = comments.cut("4.5")
    shares = [(column[column >= 0] == 1).mean() for column in votes.codes.T]
    whole, halves = [], []
    for j, k in combinations(range(comments.n_judges), 2):
        both = ~np.isnan(comments.values[:, [j, k]]).any(axis=1)
        whole.append(spearmanr(comments.values[both][:, [j, k]])[0])
        halves.append(np.corrcoef(votes.codes[both][:, [j, k]].T)[0, 1])
    says(
        "rank-factor",
        """{} for one model and {} for another; the mean correlation of two models falls from {} (of
        ranks) to {}.""",
        *(min(shares), max(shares), np.mean(whole), np.mean(halves)),
    )


def loss(share, toxic):
    return float(-np.log(np.where(toxic, share, 1 - share)).mean())


def test_the_two_thresholds(comments):
    toxic = np.array(comments.key) == "1"
    assert toxic.mean() == pytest.approx(0.5, abs=0.01)
    cut = ae.aggregate(comments.without_key(), cut="4.5")
    np.testing.assert_allclose(cut.posterior[:, 1], as_a_hint(cut), atol=1e-9)
    first, second = loss(as_a_hint(cut), toxic), loss(exactly(cut), toxic)
    rng = np.random.default_rng(0)
    found = []
    mild = np.flatnonzero(~toxic)
    for _ in range(20):
        few = rng.choice(np.flatnonzero(toxic), int(len(mild) * 0.15 / 0.85), replace=False)
        rows = np.sort(np.r_[mild, few])
        part = ae.Scores(rows, comments.judges, comments.values[rows])
        fits = [ae.aggregate(part, cut="4.5"), ae.aggregate(part, prevalence=0.15)]
        both = [p for f in fits for p in (as_a_hint(f), exactly(f))]
        found.append([loss(p, toxic[rows]) for p in both])
    says(
        "vote-factor",
        """scores above 4.5 ({}) as a hint, this one has log loss {} and the exact one {}; thinned to
        15% toxic, 20 times, {} against {}. Scores do not say which of the two cases one is in. With
        the 15% told it is {} against {},""",
        *(cut.prevalence, first, second, *np.mean(found, axis=0)),
    )


def test_few_language_models(comment_votes):
    rows = table("probabilities", "20 random draws each, mean log loss")
    methods = [name.split(",")[0] for name, *_ in rows]
    told = {"vote-factor": {"prevalence": "equal"}}
    for column, n_judges in enumerate((3, 5, 7), 1):
        rng = np.random.default_rng(n_judges)
        found = []
        for _ in range(20):
            some = sorted(rng.choice(comment_votes.judges, n_judges, replace=False))
            part = comment_votes.select(judges=some)
            found.append([fitted(part, m, **told.get(m, {})).log_loss for m in methods])
        agree([row[column] for row in rows], *np.mean(found, axis=0))


def crowd_votes(folder, name):
    with (folder / f"{name}_truth.csv").open(newline="") as stream:
        key = {row["item"]: row["truth"] for row in csv.DictReader(stream)}
    with (folder / f"{name}_votes.csv").open(newline="") as stream:
        rows = [(row["item"], row["worker"], row["label"]) for row in csv.DictReader(stream)]
    return ae.Votes.from_records(rows, key=key)


@pytest.mark.parametrize(
    ("row", "name"), [(0, ""), (1, "bluebird"), (2, "rte"), (3, "web")], ids=str
)
def test_the_table_of_the_default(real_votes, comment_votes, row, name):
    votes = crowd_votes(real_votes, name) if name else comment_votes
    _, shape, c, *cells = table("recommended", "## What it does not mean")[row]
    assert shape == f"{votes.n_items:,}, {votes.n_judges}, {votes.n_labels}"
    fit = ae.aggregate(votes.without_key(), **FIT)
    dense = " (dense)" * ("confidence" in fit.parameters["chosen"])
    assert c.endswith(dense)
    agree([c], fit.parameters["overcounting"])
    others = fitted(votes, "dawid-skene", prior=2), fitted(votes, "majority")
    agree(cells, *two(score(fit, votes), *others))
    if name == "bluebird":
        pooled = fitted(votes, "pooled-dawid-skene").log_loss
        says("recommended", "`pooled-dawid-skene` alone has log loss {}:", pooled)
