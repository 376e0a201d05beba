"""Programs added greedily: against a search written out, and the optimism of choosing."""

import numpy as np
import pytest

import algeval as ae
from algeval.compare import greedy_judges
from algeval.compare.comparison import on_panel_scale
from algeval.errors import DataError


def panel(n=400, seed=0, good=2, noise=4):
    """Four middling judges on 0-10, and programs in units of their own: some good, some of nothing."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    loading = np.full(4, 0.6)
    values = 5 + 2 * (truth[:, None] * loading + rng.normal(size=(n, 4)) * np.sqrt(1 - loading**2))
    base = ae.Scores(range(n), list("abcd"), values, truth.tolist())
    programs = {f"good{k}": 100 * (truth + rng.normal(size=n) * 0.5) for k in range(good)} | {
        f"noise{k}": rng.normal(size=n) / 50 for k in range(noise)
    }
    more = ae.Scores(range(n), list(programs), np.column_stack(list(programs.values())))
    return base, more, dict(enumerate((5 + 2 * truth).tolist()))


def brute(base, more, anchors, held_out, steps):
    """The same search in a few lines: the average, candidates on the panel's mean and spread."""
    z = (more.values - more.values.mean(0)) / more.values.std(0)
    scaled = base.values.mean() + base.values.std(0).mean() * z
    known = np.array([anchors[k] for k in range(base.n_items)])
    used = np.ones(base.n_items, bool)
    used[held_out] = False
    taken, path = [], []
    for _ in range(steps):
        left = [k for k in range(more.n_judges) if k not in taken]
        tried = {}
        for k in left:
            both = np.column_stack([base.values, scaled[:, [*taken, k]]])
            tried[k] = np.abs(both.mean(axis=1) - known)
        taken.append(min(left, key=lambda k: tried[k][used].mean()))
        end = tried[taken[-1]]
        path.append((more.judges[taken[-1]], end[used].mean(), end[~used].mean()))
    return path


def test_the_path_is_that_of_a_search_written_out():
    base, more, anchors = panel(60)
    found = greedy_judges(base, more, anchors, method="average", held_out=0.4, seed=3, patience=9)
    held_out = np.random.default_rng(3).permutation(60)[:24]
    told = [(s.added, s.validation_error, s.held_out_error) for s in found.steps[1:]]
    assert len(told) == 6
    for mine, theirs in zip(told, brute(base, more, anchors, held_out, 6), strict=True):
        assert mine[0] == theirs[0]
        assert mine[1:] == pytest.approx(theirs[1:])
    best = min(found.steps, key=lambda step: step.validation_error)
    assert found.chosen == tuple(s.added for s in found.steps[1 : found.steps.index(best) + 1])


@pytest.mark.parametrize("method", ["average", "factor"])
def test_good_programs_are_found_whatever_their_units(method):
    base, more, anchors = panel()
    found = greedy_judges(base, more, anchors, method=method, seed=1)
    assert set(found.chosen[:2]) == {"good0", "good1"}
    assert found.gain > 4 * found.gain_error > 0
    assert "200 labels chose and 200 measured" in found.message
    assert found.n_validation == found.n_held_out == 200


def test_it_stops_after_as_many_steps_without_gain_as_it_is_told():
    base, more, anchors = panel()
    found = greedy_judges(base, more, anchors, method="average", patience=2)
    errors = [step.validation_error for step in found.steps]
    best = int(np.argmin(errors))
    assert best == len(found.chosen)
    assert len(errors) - 1 - best == 2


def test_choosing_among_noise_looks_like_a_gain_where_it_chose_and_is_none_where_it_did_not():
    """30 programs of nothing and 20 anchors: the anchors that chose praise them, the others do not."""
    chose, held = [], []
    for seed in range(12):
        base, more, anchors = panel(200, seed, good=0, noise=30)
        few = {item: anchors[item] for item in range(40)}
        found = greedy_judges(base, more, few, method="average", seed=seed)
        best = found.steps[len(found.chosen)]
        chose.append(found.steps[0].validation_error - best.validation_error)
        held.append(found.gain)
        assert ("the error rose by" in found.message) == (found.gain < 0)
    assert np.mean(chose) > 0.03
    assert np.mean(held) < 0.0


def test_without_held_out_anchors_it_says_no_gain():
    base, more, anchors = panel(50)
    found = greedy_judges(base, more, anchors, method="median", held_out=0, patience=1)
    assert (found.gain, found.gain_error, found.n_held_out) == (None, None, 0)
    assert all(step.held_out_error is None for step in found.steps)


def test_no_fit_is_a_status_and_no_steps():
    base, more, anchors = panel(50)
    two = base.select(judges=["a", "b"])
    found = greedy_judges(two, more, anchors, method="factor")
    assert found.status.value == "not_identifiable"
    assert (found.steps, found.chosen) == ((), ())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"validation": {0: 1.0, 1: 2.0}}, "at least 2 anchors to choose by and 2 held out; got 2"),
        ({"validation": {"x": 1.0}}, "anchors must be items that were scored"),
        ({"validation": {}}, "must map at least one item"),
        ({"candidates": 3}, "candidates must be Scores, or a table"),
        ({"patience": 0}, "patience must be a whole number"),
        ({"held_out": 1.5}, "held_out must be from 0 to 1"),
    ],
)
def test_bad_input_is_refused(change, message):
    base, more, anchors = panel(50)
    with pytest.raises(DataError, match=message):
        greedy_judges(**{"base": base, "candidates": more, "validation": anchors} | change)


def test_a_candidate_of_the_base_is_refused():
    base, _, anchors = panel(50)
    with pytest.raises(DataError, match="'a' in two"):
        greedy_judges(base, base, anchors)


def test_programs_are_moved_and_stretched_to_the_scale_of_the_judges():
    scaled = on_panel_scale(np.array([[0.0], [300.0]]), np.array([[1.0, 3.0], [5.0, 7.0]]))
    assert scaled.tolist() == [[2.0], [6.0]]
