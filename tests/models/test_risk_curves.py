"""Curves of risks of any laws: what they hold, show and write."""

import json

import pytest

from algeval.errors import DataError
from algeval.models.curie_weiss import CurieWeiss
from algeval.models.risk_curves import RiskLimit, risk_curve
from algeval_papers.separation import curie_weiss_risks

TOP = {"beta0": 0.5, "field0": -0.5, "beta1": 2.0, "c": 1.5}


def test_any_laws_of_counts():
    """Independent judges, so that nothing is lost; a rule that knows nothing has the smaller share."""
    found = risk_curve(
        0.4, lambda k: (CurieWeiss(k, 0.0, -0.3), CurieWeiss(k, 0.0, 0.3)), [9, 3, 3]
    )
    assert [row.n_judges for row in found.rows] == [3, 9]
    assert [row.lost for row in found.rows] == pytest.approx([0, 0], abs=1e-15)
    assert "no theorem was named" in found.summary()
    with_limit = risk_curve(
        0.4,
        lambda k: (CurieWeiss(k, 0.0), CurieWeiss(k, 0.0)),
        [2],
        limit=RiskLimit(bayes=0.4, independent=0.4),
        rests_on="a coin",
    )
    assert with_limit.rows[0].bayes == pytest.approx(0.4)


def test_what_a_curve_shows_and_writes():
    found = curie_weiss_risks(0.7, **TOP, n_judges=[100, 10])
    text = found.summary()
    assert text.startswith("With 100 judges Bayes' rule is wrong on 0.25% of the items")
    assert "  limit  0.000000     0.037470  0.037470   0.000000" in text
    document = json.loads(json.dumps(found.to_dict()))
    assert document["schema"] == "algeval.risk_curve/1"
    assert document["rows"][1]["bayes"] == found.rows[1].bayes
    frame = found.to_frame()
    assert list(frame.columns) == ["n_judges", "bayes", "independent", "threshold", "lost"]


def test_wrong_input_is_named():
    with pytest.raises(DataError, match="threshold must be from 0 to 1; got -0"):
        risk_curve(0.5, lambda k: (CurieWeiss(k, 0.0), CurieWeiss(k, 0.1)), [3], threshold=-0.1)
    with pytest.raises(DataError, match="n_judges must be a whole number of at least 1; got 1"):
        risk_curve(0.5, lambda k: (CurieWeiss(k, 0.0), CurieWeiss(k, 0.1)), [1.5])
    with pytest.raises(
        DataError, match="laws must be of as many judges as asked, 4; got laws of 4 and 5"
    ):
        risk_curve(0.5, lambda k: (CurieWeiss(k, 0.0), CurieWeiss(5, 0.1)), [4])
