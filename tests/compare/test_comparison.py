"""Methods side by side: who read what, what each assumed, and whether a key changes anything."""

import json
import re

import numpy as np
import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.models.independent import sample

METHODS = ("algebra", "majority", "dawid-skene", "one-coin")


def law():
    accuracies = [(0.8, 0.7), (0.75, 0.9), (0.6, 0.85)]
    tables = np.array([[[x, 1 - x], [1 - y, y]] for x, y in accuracies])
    return ae.Evaluation(("i", "j", "k"), ["a", "b"], ["a", "b"], np.array([0.4, 0.6]), tables)


@pytest.fixture(scope="module")
def votes():
    return sample(law(), 4000, seed=11)


@pytest.fixture(scope="module")
def compared(votes):
    return ae.compare(votes, METHODS)


def test_columns_rows_and_truth(compared, votes):
    assert compared.columns() == ["quantity", "logic", *METHODS, "key"]
    rows = compared.rows()
    assert [row[0] for row in rows][:3] == ["prevalence of a", "prevalence of b", "i on a"]
    assert all(len(row) == len(compared.columns()) for row in rows)
    assert compared.n_keyed == votes.n_items
    truth = compared.truth.to_floats()
    fitted = compared["dawid-skene"].evaluation
    assert fitted.accuracies() == pytest.approx(truth.accuracies(), abs=0.06)


def test_dropping_the_key_changes_no_estimate(compared, votes):
    blind = ae.compare(votes.without_key(), METHODS)
    assert blind.truth is None
    for a, b in zip(compared.estimates, blind.estimates, strict=True):
        first, second = a.to_dict(), b.to_dict()
        assert first.pop("score") is not None or a.method == "algebra"
        assert second.pop("score") is None
        assert first == second


def test_a_scrambled_key_changes_no_estimate(compared, votes):
    scrambled = ae.Votes(
        votes.items, votes.judges, votes.labels, votes.answers, votes.codes, votes.key[::-1]
    )
    for a, b in zip(compared.estimates, ae.compare(scrambled, METHODS).estimates, strict=True):
        assert a.to_dict() | {"score": None} == b.to_dict() | {"score": None}


def test_estimates_that_solve_the_counts_are_possible(compared):
    assert compared["dawid-skene"].consistency.possible
    assert compared["algebra"].consistency.possible
    assert compared["majority"].consistency.possible


def test_relabelled_judges_give_relabelled_rows(votes):
    order = ["k", "i", "j"]
    first = ae.compare(votes, ("dawid-skene",))["dawid-skene"].evaluation
    second = ae.compare(votes.select(judges=order), ("dawid-skene",))["dawid-skene"].evaluation
    for judge in order:
        for label in votes.labels:
            assert first.accuracy(judge, label) == pytest.approx(
                second.accuracy(judge, label), abs=1e-6
            )


def test_summary_and_json_say_the_same(compared):
    text = compared.summary()
    assert "against the key: accuracy" in text
    assert "dawid-skene (assumes errors independent given the true label) [ok]" in text
    document = json.loads(json.dumps(compared.to_dict()))
    assert [e["method"] for e in document["estimates"]] == list(METHODS)
    assert document["n_keyed"] == 4000


def test_two_judges_are_not_enough_for_a_model(votes):
    found = ae.compare(votes.select(judges=["i", "j"]), ("algebra", "dawid-skene"))
    assert [e.status.value for e in found.estimates] == ["undetermined", "not_identifiable"]
    assert all(e.evaluation is None for e in found.estimates)


def test_bad_requests_get_one_sentence(compared, votes):
    with pytest.raises(DataError, match="must name at least one"):
        ae.compare(votes, ())
    with pytest.raises(DataError, match=r"method must be one of .*'majority'.*; got 'psychic'"):
        ae.compare(votes, ("psychic",))
    with pytest.raises(DataError, match="'mace' was not compared"):
        compared["mace"]


def test_the_algebra_of_four_judges_stands_beside_the_models():
    table = [[[0.8, 0.2], [0.3, 0.7]], [[0.7, 0.3], [0.2, 0.8]]] * 2
    truth = ae.Evaluation([*"wxyz"], [*"ab"], [*"ab"], np.array([0.4, 0.6]), np.array(table))
    found = ae.compare(
        sample(truth, 3000, seed=1), ("algebra", "dawid-skene", "ising"), intervals=0
    )
    assert found.columns() == ["quantity", "logic", "algebra", "dawid-skene", "ising", "key"]
    pooled = found["algebra"].ranges
    assert pooled.n_trios == 4
    low, high = pooled.accuracy_of("w", "a")
    assert low <= found["algebra"].evaluation.accuracy("w", "a") <= high
    rows = {row[0]: row for row in found.rows()}
    assert re.fullmatch(r"[0-9.]+% \([0-9.]+-[0-9.]+\)", rows["w on a"][2])
    assert "In brackets after algebra: lowest and highest over its trios." in found.note
    numbers = [r for r in found.as_tables()[2].columns["method"] if r == "algebra"]
    assert len(numbers) == 10
    assert json.loads(json.dumps(found.to_dict()))["estimates"][0]["ranges"]["n_trios"] == 4


def test_trios_of_very_many_judges_are_left_out():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (30, 30)).astype(np.int16)
    votes = ae.Votes(range(30), [f"j{i}" for i in range(30)], [*"abc"], [*"abc"], codes)
    found = ae.compare(votes, ("algebra",), intervals=0)["algebra"]
    assert found.status.value == "too_large"
    assert found.message == "not done here: 30 judges have 4060 trios"


def coins():
    """Three coins on 60 items: their exact solution leaves [0, 1] on this draw."""
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 2, (60, 3))
    return ae.Sketch.from_counts(
        {tuple("ab"[v] for v in row): int((rows == row).all(1).sum()) for row in rows}
    )


def percentages(text):
    """Numbers before a percent sign; the dash of "16-89%" is none of a negative number."""
    return [float(found) for found in re.findall(r"((?:(?<![0-9])-)?[0-9]+(?:\.[0-9]+)?)%", text)]


def test_percentages_outside_0_to_100_were_printed():
    sketch = coins()
    found = ae.compare(sketch, ["algebra", "dawid-skene"])
    best = found["algebra"].evaluation
    assert best is not None
    assert not all(0 <= float(v) <= 1 for v in best.confusion.ravel())
    for text in (found.summary(), ae.decode(sketch).summary(), ae.report(sketch).summary()):
        assert all(0 <= share <= 100 for share in percentages(text))
    assert "A dash: no share leaves 0% to 100%" in found.summary()
    assert "leaves [0, 1])" in ae.decode(sketch).summary()


def test_a_perfect_accuracy_on_less_than_one_item_was_printed():
    sketch = ae.Sketch.from_counts(
        {"aaa": 30, "aab": 4, "aba": 3, "bbb": 20}, labels=["a", "b", "c"]
    )
    found = ae.compare(sketch, ["dawid-skene"])
    rows = {row[0]: row for row in found.rows()}
    assert found["dawid-skene"].evaluation.prevalence_of("c") * 57 < 1
    assert [rows[f"{judge} on c"][2] for judge in found.judges] == ["-"] * 3
    assert "% (" in rows[f"{found.judges[0]} on a"][2]
    assert "rests on less than one item says nothing" in found.summary()


@pytest.mark.parametrize(
    ("n_judges", "n_labels", "gaps", "methods", "says"),
    [
        (3, 2, 0.0, ("algebra", "dawid-skene"), True),
        (3, 2, 0.0, ("algebra", "majority", "dawid-skene", "recommended"), True),
        (3, 2, 0.0, ("algebra", "majority"), False),
        (3, 2, 0.0, ("dawid-skene", "recommended"), False),
        (3, 2, 0.2, ("algebra", "dawid-skene"), False),
        (3, 3, 0.0, ("algebra", "dawid-skene"), False),
        (4, 2, 0.0, ("algebra", "dawid-skene"), False),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_agreement_of_one_trios_equations_is_called_none(
    n_judges, n_labels, gaps, methods, says, seed
):
    rng = np.random.default_rng(seed)
    key = rng.integers(0, n_labels, 900)
    hard = rng.random(900) < 0.3  # errors are shared, and still both say the same
    right = rng.random((900, n_judges)) < np.where(hard, 0.6, 0.85)[:, None]
    codes = np.where(right, key[:, None], rng.integers(0, n_labels, right.shape))
    codes[rng.random(codes.shape) < gaps] = -1
    labels = tuple("abc"[:n_labels])
    judges = [f"j{k}" for k in range(n_judges)]
    votes = ae.Votes(range(900), judges, labels, labels, codes.astype(np.int16), None)
    result = ae.compare(votes, methods, intervals=0)
    assert ("the same seven equations" in result.summary()) == says
    if says:
        algebra, fitted = (result[m].evaluation.to_floats() for m in ("algebra", "dawid-skene"))
        assert fitted.prevalence == pytest.approx(algebra.prevalence, abs=2e-3)
        assert fitted.confusion == pytest.approx(algebra.confusion, abs=2e-3)
