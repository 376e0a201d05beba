"""Every result with a picture has one; every other says which have."""

import json

import pytest

import algeval as ae
from algeval.aggregate import agreement, pair_test, score
from algeval.compare import learning_curve
from algeval.report.figures import plot
from algeval.report.figures.drawing import _KINDS, KINDS
from algeval_papers.separation import factor_risks


@pytest.fixture(scope="module")
def results(make_votes):
    votes = make_votes(4, ["a", "b", "c"], n_items=60, missing=0.0)
    blind = votes.without_key()
    fit = ae.aggregate(blind, "dawid-skene")
    scores = ae.Scores.from_columns({j: [k + s for k in range(12)] for s, j in enumerate("xyz")})
    return {
        "accuracies": fit,
        "accuracies of a bootstrap": fit.bootstrap(n=5),
        "accuracies of a comparison": ae.compare(votes, ["majority", "dawid-skene"], intervals=0),
        "agreement": agreement(blind),
        "bounds": ae.bounds(blind, order=1),
        "conflicts": ae.panel(blind, 0.9, order=1),
        "couplings": pair_test(blind, replicates=1),
        "loadings": ae.confounders(
            ae.Scores.from_columns(
                {j: [(k + s) ** 2 % 11 for k in range(40)] for s, j in enumerate("uvwxyz")}
            )
        ),
        "judge-card": ae.judge_card(votes),
        "slices": ae.slices(votes, {"half": {k: "xy"[int(k) % 2] for k in votes.items}}, good="a"),
        "learning-curve": learning_curve(votes, ["majority"], sizes=[10, 20], n_repeats=2),
        "plan": ae.plan(budget=60, accuracy=0.8, margin=0.1, label_accuracy=0.8),
        "posterior": ae.aggregate(scores, prevalence=0.5),
        "rate": ae.rate(blind, "a", time_limit=1),
        "difference": ae.compare_systems(blind, blind, label="a"),
        "leaderboard": ae.leaderboard(
            {"model_a": ["x", "y", "x"], "model_b": ["y", "x", "y"], "winner": ["x", "y", "tie"]}
        ),
        "label-plan": ae.plan(half_width=0.05, rho2=0.3),
        "reach": ae.reach(3, 0.8),
        "reach of a plan": ae.plan(judges=3, accuracy=0.8),
        "reliability": score(fit, votes),
        "rule-risks": factor_risks(0.7, a=0.5, b=1.0, spread=1.0, n_judges=[1, 5]),
        "threshold-curve": ae.threshold(blind, order=1),
    }


def test_each_result_has_the_figure_of_its_kind(results):
    for name, result in results.items():
        figure = plot(result)
        assert figure.get_suptitle(), name
        assert figure.get_label().count("."), name
        kinds = _KINDS[result.schema.split("/")[0]]
        assert kinds[0] == name.split()[0]
        assert set(kinds) <= set(KINDS)


def test_further_figures_of_a_result(results, make_votes):
    fit = results["accuracies"]
    assert "labels" in plot(fit, "posterior").get_suptitle()
    assert len(plot(fit, "confusion", judges=["judge 1"]).axes) == 2
    panel = plot(results["conflicts"], "panel-curve").axes[0]
    assert panel.lines[0].get_ydata()[0] == results["conflicts"].min_violators
    key = make_votes(4, ["a", "b", "c"], n_items=60, missing=0.0)
    assert plot(fit, "reliability", key=key).axes
    with pytest.raises(ae.DataError, match="must come with key="):
        plot(fit, "reliability")


def test_a_figure_of_another_kind_is_refused(results):
    with pytest.raises(ae.DataError, match="kind must be one of"):
        plot(results["bounds"], "posterior")
    with pytest.raises(ae.DataError, match="options of 'bounds' are"):
        plot(results["bounds"], page=2)


def test_results_without_a_picture_say_which_have_one(four, results):
    diagnosed = ae.diagnose(four, n_starts=1, replicates=9)
    for other in (ae.alarm(four), diagnosed, ae.decode(four), "votes.csv"):
        with pytest.raises(ae.DataError, match="must be one that has a figure, those of threshold"):
            plot(other)
    with pytest.raises(ae.DataError, match="of judges with accuracy="):
        plot(ae.plan(judges=3, rho1=0.3, vote_correlation=0.4))
    with pytest.raises(ae.DataError, match="JudgeGroups does not hold"):
        plot(ae.judge_groups(four))


def test_a_result_read_back_from_json_has_the_same_figure(results):
    fit = results["accuracies"]
    again = type(fit).from_dict(json.loads(json.dumps(fit.to_dict())))
    first, second = (plot(one, intervals=0).get_label() for one in (fit, again))
    assert first == second


def test_what_a_comparison_lacks_is_said(four):
    unscored = ae.compare(four.without_key(), ["majority"], intervals=0)
    with pytest.raises(ae.DataError, match="must hold scores; got none"):
        plot(unscored, "reliability")
    algebra = ae.compare(four.without_key(), ["algebra"], intervals=0)
    with pytest.raises(ae.DataError, match="must hold a fit; got none"):
        plot(algebra, "posterior")
