"""Judges whose rows are other items: reversed or misread files are named, honest ones are not."""

import numpy as np
import pytest

import algeval as ae
from algeval.data import misaligned, misread_by_position
from algeval.errors import DataError


def panel(n=400, n_judges=6, seed=0, turned=()):
    """Judges of one trait, loading .7; those turned are read in the reversed order of a sorted file."""
    rng = np.random.default_rng(seed)
    trait = np.sort(rng.normal(size=n))
    values = 0.7 * trait[:, None] + rng.normal(size=(n, n_judges)) * np.sqrt(0.51)
    for place in turned:
        values[:, place] = values[::-1, place]
    return ae.Scores(range(n), [f"j{k}" for k in range(n_judges)], values)


def test_a_correlation_is_that_with_the_mean_of_the_others():
    scores = panel(turned=[2])
    (found,) = misaligned(scores)
    z = (scores.values - scores.values.mean(0)) / scores.values.std(0)
    rest = np.delete(z, 2, axis=1).mean(axis=1)
    assert found.judge == "j2"
    assert found.correlation == pytest.approx(np.corrcoef(z[:, 2], rest)[0, 1], abs=1e-12)
    assert "join files on item ids" in found.sentence()


@pytest.mark.parametrize("turned", [(), (0,), (0, 5), (3, 4)])
def test_those_who_were_turned_are_named_and_nobody_else(turned):
    assert [found.judge for found in misaligned(panel(turned=turned))] == [f"j{k}" for k in turned]


@pytest.mark.parametrize("n_judges", [2, 4])
def test_nobody_is_named_where_as_many_say_the_one_as_the_other(n_judges):
    assert misaligned(panel(n_judges=n_judges, turned=range(n_judges // 2))) == ()


def test_judges_of_nothing_are_rarely_named():
    """Chance names at most one table in a thousand; 300 tables of coins name none or nearly none."""
    rng = np.random.default_rng(1)
    tables = (ae.Scores(range(30), list("abcd"), rng.normal(size=(30, 4))) for _ in range(300))
    assert sum(bool(misaligned(table)) for table in tables) <= 1


def test_constant_silent_and_half_missing_judges_do_no_harm():
    scores = panel(turned=[1])
    values = np.column_stack([scores.values, np.full(400, 3.0), np.full(400, np.nan)])
    values[::2, 1] = np.nan
    found = misaligned(ae.Scores(range(400), [f"j{k}" for k in range(8)], values))
    assert [(f.judge, f.n_items) for f in found] == [("j1", 200)]


def test_a_file_in_another_order_is_told_by_id_and_by_position():
    scores = panel()
    first = scores.select(judges=["j0", "j1", "j2"])
    other = scores.select(judges=["j3", "j4"], items=scores.items[::-1])
    assert misread_by_position(first, scores.select(judges=["j3", "j4"])) == ()
    found = misread_by_position(first, other)
    assert [f.judge for f in found] == ["j3", "j4"]
    assert all(f.correlation > 0.5 and f.by_position < -0.5 for f in found)
    assert "must not be matched by position" in found[0].sentence()
    assert misaligned(first.join(other)) == ()


def test_ids_that_number_the_rows_of_another_order_are_told_too():
    scores = panel()
    wrong = ae.Scores(scores.items[::-1], ["j3"], scores.values[:, [3]])
    (found,) = misread_by_position(scores.select(judges=["j0", "j1"]), wrong)
    assert found.correlation < 0 < found.by_position
    assert "row numbers of another order" in found.sentence()


def test_tables_of_other_lengths_have_no_common_position():
    with pytest.raises(DataError, match=r"as many items .* 400 and 3"):
        misread_by_position(panel(), panel(n=3))


def test_reading_a_table_says_who_goes_against_all_others():
    scores = panel(turned=[2])
    columns = {j: scores.values[:, k].tolist() for k, j in enumerate(scores.judges)}
    notes = ae.io.read_scores_with_notes(columns)[1]
    assert sum("j2 correlates -" in note for note in notes) == 1
    assert not any(
        "correlates" in note for note in ae.io.read_scores_with_notes({"i": range(30)})[1]
    )


def test_the_trap_of_files_sorted_by_class(real_votes):
    """CivilComments judges, one file turned: by position it looks adversarial, by id it is as it was."""
    scores = ae.read_scores(real_votes / "civilcomments_judge_scores.csv", item="item", key="gold")
    order = np.argsort([int(k) for k in scores.key], kind="stable")
    scores = scores.select(items=[scores.items[k] for k in order]).without_key()
    assert misaligned(scores) == ()
    names = [scores.judges[0], "gemma-2-9b-it"]
    rest = scores.select(judges=[j for j in scores.judges if j not in names])
    turned = scores.select(judges=names, items=scores.items[::-1])
    by_position = ae.Scores(rest.items, names, turned.values)
    assert {f.judge for f in misread_by_position(rest, turned)} == set(names)
    assert {f.judge for f in misaligned(rest.join(by_position))} == set(names)
    assert misaligned(rest.join(turned)) == ()
