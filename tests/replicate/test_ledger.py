"""The ledger: how a claim is confirmed or not, what is said of it, and that each can fail."""

import json
from fractions import Fraction as F

import pytest

from algeval.errors import DataError
from algeval.replicate import PAPERS, Claim, Found, Replication, claims, replicate
from algeval.replicate.claim import VERDICTS
from algeval.replicate.computed import entry, fact, identities, number, numbers, unlike
from algeval.replicate.pages import errata_page, replication_page
from algeval.result import Status

ALL = claims()


def run(compute, **options):
    told = {"id": "001-x", "place": "p. 1", "printed": "a | b", "compute": compute} | options
    return Claim(**told).run()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (number(F(1, 3), lambda: F(1, 3)), number(F(1, 3), lambda: 0.3333)),
        (
            number(0.33, lambda: F(1, 3), tolerance=0.005),
            number(0.34, lambda: F(1, 3), tolerance=0.005),
        ),
        (numbers([1, 2], lambda: [1, 2]), numbers([1, 2], lambda: [1, 2, 3])),
        (numbers([1, 2], lambda: [1, 2]), numbers([1, 2], lambda: [2, 1])),
        (unlike(285, 286, lambda: 286), unlike(285, 286, lambda: 285)),
        (unlike(285, 286, lambda: 286), unlike(285, 286, lambda: 287)),
        (fact(lambda: ("7", True)), fact(lambda: ("7", False))),
        (identities("P_A + P_B = 1"), identities("P_A = P_B")),
        (identities(false=["P_A = P_B"]), identities(false=["P_A + P_B = 1"])),
    ],
)
def test_a_computation_bears_a_claim_out_or_does_not(right, wrong):
    assert run(right).verdict == "reproduced"
    found = run(wrong)
    assert (found.verdict, found.confirmed) == ("not confirmed", False)


def test_a_claim_that_is_contradicted_shows_in_status_and_on_the_page():
    found = Replication(status=Status.INCONSISTENT, message="", claims=(run(number(1, lambda: 2)),))
    assert [one.id for one in found.unconfirmed] == ["001-x"]
    assert "not confirmed" in replication_page(found)
    assert "a \\| b" in replication_page(found)


def test_an_erratum_comes_with_its_proof_and_its_counterexample():
    found = run(entry("S22"), id="001-S22", verdict="erratum")
    assert [one.holds for one in found.proofs] == [True, False]
    page = errata_page(Replication(status=Status.OK, message="", claims=(found,)))
    assert "Proved: " in page
    assert "fails on the smallest" in page


def test_what_cannot_be_computed_says_what_is_missing():
    for one in ALL:
        assert one.compute or one.verdict in ("not reproducible", "wording"), one.id
        if one.compute is None or one.verdict != "reproduced":
            assert one.note, one.id


def test_every_claim_has_an_id_of_its_own_paper_and_a_place():
    assert len({one.id for one in ALL}) == len(ALL)
    for one in ALL:
        assert one.paper in PAPERS
        assert one.verdict in VERDICTS
        assert one.place
        assert one.printed


def test_ids_and_papers_are_checked():
    with pytest.raises(DataError, match="paper must be one of 000, "):
        replicate("5")
    with pytest.raises(DataError, match="claims by id; got '001-S999'; ids are like 001-S"):
        replicate(only=["001-S999"])


def test_json_holds_what_was_asked_for():
    found = replicate("001", only=["001-n4", "001-S22"])
    told = json.loads(json.dumps(found.to_dict()))
    assert [one["id"] for one in told["claims"]] == ["001-n4", "001-S22"]
    assert {"id", "paper", "place", "printed", "ours", "verdict"} <= set(told["claims"][0])
    assert told["claims"][0]["ours"] == "200200"


@pytest.mark.parametrize("claim", ALL, ids=lambda claim: claim.id)
def test_every_claim_is_confirmed(claim):
    found = claim.run()
    assert found.confirmed, found.ours
    assert found.seconds < 30


def test_found_shows_its_value():
    assert run(fact(lambda: (F(2, 3), True))).ours == "2/3"
    assert run(lambda: Found("x", confirmed=True)).ours == "x"
