"""The ledger: how a claim is confirmed or not, what is said of it, and that each can fail."""

import json
import re
from collections import Counter
from fractions import Fraction as F
from pathlib import Path
from types import SimpleNamespace

import pytest

from algeval.errors import DataError
from algeval.result import Status
from algeval_papers import PAPERS, Claim, Found, Replicated, Replication, claims, replicate
from algeval_papers.claims import VERDICTS, fact, identities, number, numbers, unlike
from algeval_papers.equations import entry
from algeval_papers.ledger import errata_page, replication_page

ALL = claims()
DOCS = Path(__file__).parents[2] / "docs"
FILED = {
    one["id"]: one
    for one in json.loads((DOCS / "replication.json").read_text(encoding="utf-8"))["claims"]
}


def run(compute, **options):
    told = {"id": "001-x", "place": "p. 1", "paraphrase": "a | b", "compute": compute} | options
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


def test_a_claim_is_confirmed_only_where_something_was_computed():
    read = Claim(id="001-x", place="p. 1", paraphrase="a", verdict="wording", note="slip").run()
    assert (read.confirmed, read.verdict, read.ours) == (None, "wording", "")
    for one in ALL:
        assert (FILED[one.id]["confirmed"] is None) == (one.compute is None), one.id
    found = Replication(status=Status.OK, message="", claims=(read, run(number(1, lambda: 1))))
    assert (found.unconfirmed, found.only_read) == ((), (read,))
    assert "computes 1 of them again; 1 were only read" in replication_page(found)
    assert "*not computed*" in replication_page(found)


def test_what_was_staged_with_parameters_of_our_own_is_not_called_reproduced():
    staged = {one.id for one in ALL if one.verdict == "re-staged"}
    assert {"002-E.7-first", "002-E.9.1-svd", "002-E.9.2-tensor", "002-E.10"} <= staged
    for one in ALL:
        if re.search(r"of our own|in place of the 14 judges", one.note):
            assert one.verdict in ("re-staged", "conditional", "not reproducible"), one.id


def test_formulas_that_a_machine_may_have_misread_say_so():
    assert {one.id.removeprefix("004-") for one in ALL if one.machine_read} == {
        "2-risk", "C1-root", "C1-quarter", "C2-power", "C2-sign", "C3-f", "C3-signs", "C.4",
    }  # fmt: skip
    page = (DOCS / "errata.md").read_text(encoding="utf-8")
    assert page.count("may be a slip of the text we read") == 8


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        ("the limit is pi", "The limit is pi"),
        ("a mean of two", "A mean of two"),
        ("z is symmetric", "z is symmetric"),
        ("sigma is the sum", "sigma is the sum"),
        ("u_j must be", "u_j must be"),
        ("q^2 c_2; with q c_2", "q^2 c_2; with q c_2"),
        ("(1) has J'WJ / 2", "(1) has J'WJ / 2"),
    ],
)
def test_a_symbol_keeps_its_letter_at_the_start_of_a_sentence(note, shown):
    one = run(number(1, lambda: 1), verdict="conditional", note=note)
    page = errata_page(Replication(status=Status.OK, message="", claims=(one,)))
    assert f"\n{shown.replace('_', chr(92) + '_')}.\n" in page


def test_every_claim_has_an_id_of_its_own_paper_and_a_place():
    assert len({one.id for one in ALL}) == len(ALL)
    for one in ALL:
        assert one.paper in PAPERS
        assert one.verdict in VERDICTS
        assert one.place
        assert one.paraphrase


def test_ids_and_papers_are_checked():
    with pytest.raises(DataError, match="paper must be one of 000, "):
        replicate("5")
    with pytest.raises(DataError, match="claims by id; got '001-S999'; ids are like 001-S"):
        replicate(only=["001-S999"])


def test_json_holds_what_was_asked_for():
    found = replicate("001", only=["001-n4", "001-S22"])
    told = json.loads(json.dumps(found.to_dict()))
    assert [one["id"] for one in told["claims"]] == ["001-n4", "001-S22"]
    assert {"id", "paper", "place", "paraphrase", "quote", "ours", "verdict"} <= set(
        told["claims"][0]
    )
    assert told["claims"][0]["ours"] == "200200"


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def same(ours, filed):
    """Whether two texts are equal but for the last digits of decimals, which hang on the machine."""
    if NUMBER.sub("#", ours) != NUMBER.sub("#", filed):
        return False
    return all(
        a == b or ({*".e"} & {*a, *b} and float(a) == pytest.approx(float(b), rel=1e-3, abs=1e-9))
        for a, b in zip(NUMBER.findall(ours), NUMBER.findall(filed), strict=True)
    )


def test_sameness_minds_digits_that_matter():
    assert same("286, 0.123456", "286, 0.123457")
    assert same("off by at most 9e-16", "off by at most 7e-16")
    assert not same("286", "285")
    assert not same("0.50", "0.51")
    assert not same("0.5 of a", "0.5 of b")


@pytest.mark.parametrize("claim", ALL, ids=lambda claim: claim.id)
def test_every_claim_is_confirmed_and_as_on_file(claim):
    found = claim.run()
    assert found.confirmed is (None if claim.compute is None else True), found.ours
    filed = FILED[claim.id]
    assert found.to_dict() | {"ours": ""} == filed | {"ours": ""}
    assert same(found.ours, filed["ours"]), (found.ours, filed["ours"])


def test_the_pages_are_made_from_the_file_and_hold_every_claim():
    told = [
        Replicated(
            seconds=0.0,
            **one | {"proofs": tuple(SimpleNamespace(message=m) for m in one["proofs"])},
        )
        for one in FILED.values()
    ]
    assert [one.id for one in told] == [one.id for one in ALL]
    found = Replication(status=Status.OK, message="", claims=tuple(told))
    for name, page in (("replication", replication_page), ("errata", errata_page)):
        assert (DOCS / f"{name}.md").read_text(encoding="utf-8") == page(found), (
            "run algeval replicate -o docs"
        )


def test_counts_in_readme_and_changelog_are_those_of_the_ledger():
    counts = Counter(one["verdict"] for one in FILED.values())
    computed = sum(one["confirmed"] is not None for one in FILED.values())
    verdicts = ("reproduced", "re-staged", "erratum", "conditional", "wording", "not reproducible")
    words = (
        "{} reproduced, {} re-staged with parameters of our own, {} errata, {} under a condition, {} slips, "
        "{} not reproducible"
    )
    said = (
        f"{len(FILED)} claims of the five papers, {computed} of them computed again: "
        f"{words.format(*(counts[v] for v in verdicts))}"
    )
    for name in ("README.md", "CHANGELOG.md"):
        text = " ".join((DOCS.parent / name).read_text(encoding="utf-8").split())
        assert said in text, name


def test_found_shows_its_value():
    assert run(fact(lambda: (F(2, 3), True))).ours == "2/3"
    assert run(lambda: Found("x", confirmed=True)).ours == "x"
