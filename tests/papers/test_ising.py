"""The claims of the Ising paper: exact series by hand, and that each computation can fail."""

from fractions import Fraction as F

import numpy as np
import pytest

from algeval.models.factor import Factor
from algeval_papers import claims, ising, ising_models
from algeval_papers.ising_models import (
    agree,
    interaction_series,
    log_ratio_series,
    normal_moments,
    two_point_moments,
)
from algeval_papers.separation import interaction

P = (F(1, 3), F(3, 5), F(1, 4), F(4, 5))
SHAPE = (F(1), F(4, 5), F(6, 5), F(-1, 2))
LISTED = """M1 M2 1 2a 2b 3 4 5 5a 5b T1.0 T1.1 T1.2 T1.3 dTV T2.0 T2.8 T2.q T2.1 T2.2 T2.3 R1a R1b Tab1 F3
4.1a 4.1b 5c B1 B2 B3 B4 B5 B6 11 12 12a C2 P1.13 P1.15 16 18 19 R2 R2a R3a R3b R3c 21 T3.a T3.b T3.c 22 22a
23..26 A1 D1a D1b D2a D2b 27 28 L1 L2 L3 30 32 E2 Tab2 Tab3u Tab3w F1t F4 F4t F4g F5 G1 fn1"""


def claim(name):
    (one,) = claims("000", only=[f"000-{name}"])
    return one


def test_every_listed_claim_is_there():
    assert {f"000-{name}" for name in LISTED.split()} <= {one.id for one in claims("000")}


def test_one_judge_by_hand():
    """E sigma(eps z) = 1/2; at p = 1/3 the second derivative p(1 - p)(1 - 2p) = 2/27 is halved and over p."""
    half = log_ratio_series([1], [F(1, 2)], [F(1)], normal_moments(4))
    assert half == [0, 0, 0, 0, 0]
    third = log_ratio_series([1], [F(1, 3)], [F(1)], normal_moments(2))
    assert third == [0, 0, F(2, 27) / 2 / F(1, 3)]


def test_moments():
    assert normal_moments(6) == [1, 0, 1, 0, 3, 0, 15]
    assert two_point_moments(3, [F(2), F(-1, 2)], [F(1, 5), F(4, 5)]) == [1, 0, 1, F(3, 2)]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_series_sum_to_the_exact_law(n):
    eps = 0.05
    eta = [float(np.log(float(p / (1 - p)))) for p in P]
    law = Factor(eta, [eps * float(load) for load in SHAPE])
    series = interaction_series(range(n), P, SHAPE, normal_moments(12))
    summed = sum(float(c) * eps**k for k, c in enumerate(series))
    assert interaction(law, range(n)) == pytest.approx(summed, rel=1e-3, abs=1e-14)


def test_agreement_says_how_far_apart():
    assert agree([1.0, 2.0], [1.0, 2.0], "x") == ("x: equal, 2 values", True)
    assert agree([1.0, 2.0], [1.0, 2.5], "x") == ("x: differ by up to 0.5", False)
    assert not agree([float("nan")], [1.0], "x")[1]


@pytest.mark.parametrize(
    ("name", "module", "attribute", "wrong"),
    [
        ("B1", ising, "TABLE", ising.TABLE | {"111": ("0.00466", "0.000143")}),
        ("T1.2", ising, "BETAS", {"beta0": 0.5, "beta1": 0.9}),
        ("R3b", ising_models, "normal_moments", lambda n: ising_models.SKEWED + [F(1)] * (n - 4)),
        ("R3a", ising_models, "SKEWED", normal_moments(4)),
        ("P1.13", ising_models, "normal_moments", lambda n: ising_models.SKEWED),
        ("Tab3u", ising, "UNIFORM", ising.UNIFORM | {3: 0.5700}),
        ("Tab3d", ising, "WEIGHTED", ising.WEIGHTED | {3: 0.61125}),
        ("F5", ising, "AB", {"a": 0.01, "b": 1.0}),
        ("F4t", ising, "ROWS", dict.fromkeys(("upper", "lower"), ising.ROWS["lower"])),
    ],
)
def test_a_changed_number_is_noticed(monkeypatch, name, module, attribute, wrong):
    assert claim(name).run().confirmed
    monkeypatch.setattr(module, attribute, wrong)
    assert claim(name).run().verdict == "not confirmed"
