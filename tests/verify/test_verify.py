"""Certificates worked by hand, files that are not certificates, and the command line."""

import copy
import gzip
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import FrozenInstanceError
from pathlib import Path
from time import process_time

import pytest

import algeval.verify as module
from algeval import verify_alarm
from algeval.data import KeyedSketch, Sketch, Specification, Summary, Votes
from algeval.verify import Verdict, main, verify

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "certificates"

FILES = {
    "witness_order_1": ("mt_bench", "possible: accuracy of every judge on every label >= 2/3"),
    "cap": ("mt_bench", "'a' 5, 'b' 14, 'tie' 4, 23 < 25 items"),
    "weights": ("table_one", "the weighted surplus is at most -1/14"),
    "witness_full": ("table_one", "the answer key 'a' 6, 'b' 16, 'tie' 3 meets it"),
    "branches": ("table_one", "> 5/8; the whole numbers are split into 2 cases, each refuted"),
    "branches_weights": ("table_one", "> 5/8; the whole numbers are split into 4 cases"),
    "multipliers": ("swapped", "> 1/2; 7 rows add up to at most 0 and would have to reach 10"),
    "conflicts": ("three", "whatever the answer key, at least 2 of 3 judges fall short"),
    "conflicts_chains": ("three", "whatever the answer key, at least 2 of 3 judges fall short"),
    "witness_panel": ("three", "for at least 1 of 3 judges"),
    "witness_order_2": ("gaps", "the answer key 'a' 3, 'b' 5 meets it"),
    "multipliers_order_2": ("gaps", "labels 'a', 'b'; order 2; missing wrong; data sha256:"),
}


def read(name):
    return json.loads((FIXTURES / f"{name}.json").read_text())


def edited(document, *path, to):
    document = copy.deepcopy(document)
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return document


def certificate(data, order, spec, verdict, evidence, missing="excluded"):
    claim = {
        "verdict": verdict,
        "data": data.digest,
        "order": order,
        "missing": missing,
        "specification": spec.to_dict(),
    }
    return {"schema": "algeval.certificate/1", "claim": claim, "evidence": evidence}


# every fixture --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_every_fixture_is_verified_and_says_what_it_proves(name):
    data, words = FILES[name]
    found = verify(FIXTURES / f"{name}.json", str(FIXTURES / f"data_{data}.json"))
    assert found.ok
    assert found.readable
    assert found.sentence.startswith("Verified (")
    assert words in found.sentence
    assert found.claim == read(name)["claim"]


def test_the_fixtures_are_all_tested_and_cover_every_kind():
    names = {path.stem for path in FIXTURES.glob("*.json")}
    assert names == set(FILES) | {f"data_{data}" for data, _ in FILES.values()}
    kinds = {read(name)["evidence"]["kind"] for name in FILES}
    assert kinds == {"witness", "cap", "weights", "multipliers", "branches", "conflicts"}


@pytest.mark.parametrize("name", FILES)
def test_no_fixture_proves_anything_of_other_data(name):
    for data in {data for data, _ in FILES.values()} - {FILES[name][0]}:
        assert not verify(read(name), read(f"data_{data}"))


@pytest.mark.parametrize("name", FILES)
def test_the_opposite_claim_is_rejected(name):
    other = {"possible": "impossible", "impossible": "possible"}[read(name)["claim"]["verdict"]]
    found = verify(edited(read(name), "claim", "verdict", to=other), read(f"data_{FILES[name][0]}"))
    assert not found
    assert "proves no such claim" in found.sentence


@pytest.mark.parametrize("name", FILES)
def test_any_number_changed_in_the_data_is_noticed(name):
    data = read(f"data_{FILES[name][0]}")
    for i in range(len(data["counts"])):
        row = data["counts"][i]
        places = (
            [("counts", i)] if type(row) is int else [("counts", i, a) for a in range(len(row))]
        )
        for place in places:
            for step in (-1, 1):
                value = row if type(row) is int else row[place[-1]]
                broken = edited(data, *place, to=value + step)
                assert not verify(read(name), broken)
                del broken["digest"]
                assert not verify(read(name), broken)


# the levels of MT-Bench are sharp -------------------------------------------------------------------


def level(document, sense, value):
    path = ("claim", "specification", "conditions", 0)
    return edited(edited(document, *path, "sense", to=sense), *path, "value", to=value)


def test_the_cap_refutes_17_25_but_not_two_thirds():
    data = read("data_mt_bench")
    assert verify(level(read("cap"), ">=", "17/25"), data)
    found = verify(level(read("cap"), ">=", "2/3"), data)
    assert found.sentence == "Rejected: the caps sum to 25, which is not below 25 items."


def test_the_witness_shows_two_thirds_and_no_more():
    data = read("data_mt_bench")
    assert verify(level(read("witness_order_1"), ">", "16/25"), data)
    found = verify(level(read("witness_order_1"), ">", "2/3"), data)
    assert "does not meet accuracy of every judge on every label > 2/3" in found.sentence
    assert "it has 10 of 15" in found.sentence


def test_the_weights_refute_what_is_above_16_25_but_not_16_25():
    data = read("data_table_one")
    found = verify(level(read("weights"), ">=", "16/25"), data)
    assert found.sentence == ("Rejected: the weighted surplus may reach 0, which is not below 0.")


def test_two_leaves_refute_12_19_where_one_set_of_weights_cannot():
    data = read("data_table_one")
    assert verify(level(read("branches"), ">=", "12/19"), data)
    assert not verify(level(read("branches"), ">=", "5/8"), data)
    assert not verify(level(read("weights"), ">=", "12/19"), data)


def test_leaving_out_one_side_of_a_split_proves_nothing():
    tree = read("branches")["evidence"]["tree"]
    for side in ("low", "high"):
        broken = edited(read("branches"), "evidence", "tree", to=tree[side])
        assert not verify(broken, read("data_table_one"))
        twice = edited(
            read("branches"), "evidence", "tree", side, to=tree[{"low": "high"}.get(side, "low")]
        )
        assert not verify(twice, read("data_table_one"))


def test_weights_that_leave_a_label_out_prove_nothing():
    broken = edited(read("weights"), "evidence", "weights", to=[["0", "1", "0"], ["1", "0", "0"]])
    assert not verify(broken, read("data_table_one"))


# what may be passed ---------------------------------------------------------------------------------


def test_votes_sketches_keyed_sketches_and_summaries_can_be_passed():
    columns = {"i": ["a", "b", "a"], "j": ["a", "b", "b"]}
    votes = Votes.from_columns(columns)
    sketch = votes.sketch()
    cells = [[1, 0], [1, 0], [0, 1]]
    evidence = {"kind": "witness", "cells": cells}
    spec = Specification.at_least("1/2")
    made = certificate(sketch, "full", spec, "possible", evidence)
    keyed = KeyedSketch(sketch, sketch.counts[:, None] * [[1, 0]])
    for data in (votes, sketch, sketch.to_dict(), keyed, keyed.to_dict()):
        assert verify(made, data), verify(made, data).sentence
    tables = [[[2, 0], [0, 1]], [[1, 0], [1, 1]]]
    evidence = {"kind": "witness", "key_counts": [2, 1], "tables": tables}
    for named in (sketch, sketch.summary()):
        made = certificate(named, 1, spec, "possible", evidence)
        assert verify(made, sketch)
        assert verify(made, sketch.summary()).ok == isinstance(named, Summary)


def test_an_object_with_to_dict_can_be_the_certificate():
    class Made:
        def to_dict(self):
            return read("cap")

    assert verify(Made(), read("data_mt_bench"))


def test_the_module_itself_can_be_called():
    assert module(read("cap"), read("data_mt_bench")).ok
    import algeval

    assert algeval.verify(read("cap"), read("data_mt_bench")).ok


def test_a_verdict_is_frozen_and_true_when_ok():
    verdict = Verdict(True, "yes")
    assert verdict
    assert not Verdict(False, "no")
    with pytest.raises(FrozenInstanceError):
        verdict.ok = False


def test_digests_are_those_of_the_data_layer_and_ignore_the_order_of_tuples():
    sketch = Sketch.from_counts({"ab": 5, "ba": 5, "x.": 2}, judges=["i", "é"], labels=["a", "b"])
    cells = [[5, 0], [0, 5], [2, 0]] if sketch.codes[0][0] == 0 else None
    evidence = {"kind": "witness", "cells": cells}
    made = certificate(sketch, "full", Specification.at_least(0), "possible", evidence)
    assert verify(made, sketch)
    document = sketch.to_dict()
    del document["digest"]
    document["codes"].reverse()
    document["counts"].reverse()
    assert verify(made, document)


# what is rejected, and in which words -----------------------------------------------------------------


def leaf(kind, **more):
    return {"kind": kind, **more}


REJECTED = [
    ("cap", ("claim",), None, "the claim must be an object"),
    ("cap", ("claim", "order"), 9, "the order must be 1..2 (the number of judges) or 'full'"),
    ("cap", ("claim", "order"), True, "the order must be 1..2 (the number of judges) or 'full'"),
    ("cap", ("claim", "order"), "full", "needs a sketch; the data is a summary"),
    ("cap", ("claim", "missing"), "ignored", "the missing rule must be"),
    ("cap", ("claim", "verdict"), "certain", "the verdict must be"),
    ("cap", ("claim", "data"), "sha256:0", "speaks of other data"),
    ("cap", ("claim", "note"), "hello", "'note', which this verifier does not know"),
    ("cap", ("claim", "specification", "schema"), "x", "must be an algeval.specification/1"),
    ("cap", ("claim", "specification", "min_judges"), 3, "min_judges must be in 1..2"),
    ("cap", ("claim", "specification", "min_judges"), 1, "the claim needs 2"),
    ("cap", ("claim", "specification", "conditions", 0, "value"), "2/0", "divide by zero"),
    ("cap", ("claim", "specification", "conditions", 0, "value"), 0.7, "must be a fraction"),
    ("cap", ("claim", "specification", "conditions", 0, "value"), "0.7", "must be a fraction"),
    ("cap", ("claim", "specification", "conditions", 0, "value"), "4/3", "must lie in 0..1"),
    ("cap", ("claim", "specification", "conditions", 0, "sense"), "=", "there is no condition"),
    ("cap", ("claim", "specification", "conditions", 0, "judge"), "eve", "cannot name the judge"),
    ("cap", ("claim", "specification", "conditions", 0, "label"), ["a"], "cannot name the label"),
    ("cap", ("claim", "specification", "conditions"), [], "must have at least one condition"),
    ("cap", ("evidence",), 5, "evidence must be an object"),
    ("cap", ("evidence", "kind"), "trust me", "of kind trust me proves no such claim"),
    ("cap", ("evidence", "kind"), ["cap"], "proves no such claim"),
    ("cap", ("evidence", "judges"), ["gpt4", "authors"], "must have 3 entries"),
    ("cap", ("evidence", "judges", 0), "eve", "must be names in the data"),
    ("cap", ("evidence", "judges", 0), 4, "must be non-empty text"),
    ("cap", ("evidence", "extra"), 4, "'extra', which this verifier does not know"),
    ("witness_order_1", ("evidence", "key_counts", 0), 6.0, "must be a whole number; got 6.0"),
    ("witness_order_1", ("evidence", "key_counts", 0), 7, "must sum to 25 items"),
    ("witness_order_1", ("evidence", "key_counts"), [5, 16, 4], "more items of a label than"),
    ("witness_order_1", ("evidence", "tables", 0, 0, 0), 4, "does not add up to its answers"),
    ("witness_order_1", ("evidence", "tables", 0, 0, 1), -1, "must be >= 0"),
    ("witness_order_1", ("evidence", "tables", 0, 0, 1), False, "must be a whole number; got False"),
    ("witness_order_1", ("evidence", "judges"), ["gpt4"], "the claim asks for 2"),
    ("witness_panel", ("evidence", "judges"), ["even", "even"], "must be distinct"),
    ("witness_panel", ("evidence", "judges"), ["never-a"], "does not meet"),
    ("witness_panel", ("evidence", "judges"), [], "names 0 judges"),
    ("witness_panel", ("evidence", "judges"), None, "must be a list"),
    ("witness_full", ("evidence", "cells", 0, 0), 9, "a row of cells must sum to the 3 items"),
    ("witness_order_2", ("evidence", "pairs"), [], "one table for each two judges"),
    ("witness_order_2", ("evidence", "pairs", 0, 0), 1, "must be named in order; got 1, 1"),
    ("witness_order_2", ("evidence", "pairs", 0, 0), True, "must be a whole number"),
    ("witness_order_2", ("evidence", "pairs", 0, 0), 3, "must be in 0..2"),
    ("weights", ("evidence", "weights", 0, 1), "-1", "must not be negative"),
    ("weights", ("evidence", "weights", 0, 1), "1/0", "divide by zero"),
    ("weights", ("evidence", "weights", 0, 1), 1.5, 'must be a fraction "p/q"; got 1.5'),
    ("weights", ("evidence", "weights", 0, 1), "nan", "must be a fraction"),
    ("weights", ("evidence", "weights"), [["1"]], "must have 2 entries"),
    ("multipliers", ("evidence", "rows", 0, 0), ["wish"], "there is no row wish"),
    ("multipliers", ("evidence", "rows", 0, 0), [], "there is no row None"),
    ("multipliers", ("evidence", "rows", 0, 0), [["tuple"], 0], "there is no row"),
    ("multipliers", ("evidence", "rows", 0, 0), ["tuple", 2], "a position must be in 0..1"),
    ("multipliers", ("evidence", "rows", 0, 0), ["tuple", -1], "a position must be in 0..1"),
    ("multipliers", ("evidence", "rows", 0, 0), ["tuple", "0"], "must be a whole number"),
    ("multipliers", ("evidence", "rows", 0, 0), ["tuple"], "must name 1 positions; got 0"),
    ("multipliers", ("evidence", "rows", 0, 0), ["observed", 0, 0], "has no such row"),
    ("multipliers", ("evidence", "rows", 0, 0), ["pair", 0, 1, 0, 0], "there is no row pair"),
    ("multipliers", ("evidence", "rows", 0, 0), ["split", 0], "a position must be in 0..-1"),
    ("multipliers", ("evidence", "rows", 0, 0), ["condition", 0, None, 0], "a whole number; got None"),
    ("multipliers", ("evidence", "rows", 0, 0), ["condition", 0, [0], 0], "a whole number; got [0]"),
    ("multipliers", ("evidence", "rows", 3, 1), "-1", "inequality must not be negative"),
    ("multipliers", ("evidence", "rows"), [], "at most 0, which is not below 0"),
    ("branches", ("evidence", "tree"), None, "a leaf must be an object"),
    ("branches", ("evidence", "tree", "split"), ["luck", 0], "there is no form luck"),
    ("branches", ("evidence", "tree", "split"), [], "there is no form None"),
    ("branches", ("evidence", "tree", "split"), ["key", 3], "must be in 0..2"),
    ("branches", ("evidence", "tree", "split"), ["answer", 0, 0, 0], "has no such row or form"),
    ("branches", ("evidence", "tree", "at"), "6", "a split point must be a whole number"),
    ("branches", ("evidence", "tree", "low"), {"kind": "witness"}, "a leaf of kind witness"),
    ("conflicts", ("evidence", "conflicts", 0, "judges"), [], "at least one judge"),
    ("conflicts", ("evidence", "conflicts", 0, "judges"), ["even"], "judges of a cap must be names"),
    ("conflicts", ("evidence", "conflicts", 0, "evidence"), leaf("conflicts"), "proves no such claim"),
    ("conflicts", ("evidence", "tree"), None, "at least 0 of 3 judges fall short; the claim needs 2"),
    ("conflicts", ("evidence", "tree", "conflict"), 3, "must be in 0..2"),
    ("conflicts", ("evidence", "tree", "children", "even"), None, "at least 1 of 3"),
    ("conflicts", ("evidence", "tree", "children"), {"even": None}, "one child for each member"),
    ("conflicts", ("evidence", "tree", "children", "even", "conflict"), 1, "blamed above it"),
    ("conflicts", ("evidence", "tree"), 0, "a shared node's position must be in 0..-1"),
    ("conflicts_chains", ("evidence", "chains"), [["even"]], "must stand in a chain"),
    ("conflicts_chains", ("evidence", "chains", 0, 0), "even", "must be distinct"),
    ("conflicts_chains", ("claim", "specification", "conditions", 0, "value"), "1/2", "can meet it together"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "value", "words"), REJECTED)
def test_what_is_wrong_is_said_in_one_sentence(name, path, value, words):
    found = verify(edited(read(name), *path, to=value), read(f"data_{FILES[name][0]}"))
    assert not found.ok
    assert found.readable
    assert words in found.sentence
    assert found.sentence.startswith("Rejected: ")
    assert found.sentence.endswith(".")
    assert "\n" not in found.sentence


UNREADABLE = [
    (("schema",), "x", "must be an algeval.sketch/1 or an algeval.summary/1"),
    (("judges",), [], "there must be judges and labels"),
    (("judges",), ["i", "i"], "judges must be distinct"),
    (("judges",), ["i", 2], "judges must be non-empty text"),
    (("labels",), ["b", "a"], "must start with the labels"),
    (("counts", 0), -1, "a count must be >= 0"),
    (("counts", 0), True, "a count must be a whole number"),
    (("counts", 0), 1.0, "a count must be a whole number"),
    (("counts",), [0, 0], "at least one item"),
    (("counts",), [5], "codes must have 1 entries"),
    (("codes", 0, 0), 2, "a code must be in -1..1"),
    (("codes", 0, 0), -2, "a code must be in -1..1"),
    (("codes", 0), [0], "a decision tuple must have 2 entries"),
    (("codes",), None, "codes must be a list"),
]


@pytest.mark.parametrize(("path", "value", "words"), UNREADABLE)
def test_data_that_breaks_a_rule_is_unreadable(path, value, words):
    found = verify(read("multipliers"), edited(read("data_swapped"), *path, to=value))
    assert not found.ok
    assert not found.readable
    assert words in found.sentence


def test_a_summary_cannot_hold_more_answers_than_items():
    found = verify(read("cap"), edited(read("data_mt_bench"), "n_items", to=24))
    assert "no judge may have more answers than there are items" in found.sentence


def test_a_stated_digest_must_match_the_content():
    found = verify(read("cap"), edited(read("data_mt_bench"), "note", to="changed"))
    assert found.sentence == (
        "Rejected: the data's digest does not match its content; the file was changed or cut short."
    )


def test_conflicts_need_blame_and_shared_nodes_carry_it():
    shared = read("conflicts")
    evidence = shared["evidence"]
    evidence["nodes"] = [evidence["tree"]["children"]["even"]]
    evidence["tree"]["children"]["even"] = 0
    assert verify(shared, read("data_three"))
    evidence["nodes"] = [{"conflict": 2, "children": {"never-a": 0, "never-b": None}}]
    assert "a shared node's position must be in 1..0" in verify(shared, read("data_three")).sentence


def test_chains_need_two_labels():
    data = Summary.from_counts({"i": {"a": 1, "b": 0, "c": 1}})
    evidence = {"kind": "conflicts", "chains": []}
    spec = Specification.at_least(1).by_at_least(1)
    found = verify(certificate(data, 1, spec, "impossible", evidence), data)
    assert "chains need exactly two labels; the data has 3" in found.sentence


def test_an_empty_interval_inside_a_chain_does_not_hide_an_overlap():
    data = Summary.from_counts({"x": {"a": 1, "b": 1}, "y": {"a": 0, "b": 0, "z": 2}, "w": {"a": 1, "b": 1}},
                               labels=["a", "b"])  # fmt: skip
    evidence = {"kind": "conflicts", "chains": [["x", "y", "w"]]}
    spec = Specification.at_least(1).by_at_least(2)
    assert not verify(certificate(data, 1, spec, "impossible", evidence), data)
    spec = Specification.at_least(1).by_at_least(3)
    evidence = {"kind": "conflicts", "chains": [["x"], ["w"]]}
    assert verify(certificate(data, 1, spec, "impossible", evidence), data)


def test_vacuous_conditions_are_said_to_be():
    data = Summary.from_counts({"i": {"a": 2, "b": 0}})
    evidence = {"kind": "witness", "key_counts": [2, 0], "tables": [[[2, 0], [0, 0]]]}
    found = verify(certificate(data, 1, Specification.at_least(1), "possible", evidence), data)
    assert "(1 of them vacuously, on labels with no item)" in found.sentence
    required = Specification.of(1, require_labels=True)
    assert not verify(certificate(data, 1, required, "possible", evidence), data)


def test_prevalences_are_asked_of_the_key_even_of_a_panel():
    data = Summary.from_counts({"i": {"a": 2, "b": 0}, "j": {"a": 2, "b": 0}})
    table = [[2, 0], [0, 0]]
    evidence = {"kind": "witness", "key_counts": [2, 0], "tables": [table, table], "judges": ["i"]}
    spec = Specification.at_least(1) & Specification.prevalence("b", ">", 0)
    found = verify(certificate(data, 1, spec.by_at_least(1), "possible", evidence), data)
    assert "does not meet prevalence of label 'b' > 0: it has 0 of 2" in found.sentence
    alone = {
        "kind": "conflicts",
        "conflicts": [{"judges": ["i"], "evidence": leaf("cap", judges=["i", "i"])}],
    }
    tree = {"conflict": 0, "children": {"i": None}}
    made = certificate(data, 1, spec.by_at_least(2), "impossible", alone | {"tree": tree})
    assert verify(made, data)  # where b has an item, a has one at most: the bound on q closes it
    rows = [[["condition", 1, None, 1], "1"], [["cap", 0, 0, 1], "1"]]
    alone["conflicts"][0]["evidence"] = leaf("multipliers", rows=rows)
    made = certificate(data, 1, spec.by_at_least(2), "impossible", alone | {"tree": tree})
    assert verify(made, data)


FORMS = [
    ("full", ["key", 0], ["size"]),
    ("full", ["cell", 0, 0], ["tuple", 0]),
    ("full", ["correct", 0, 0], ["tuple", 0]),
    (1, ["answer", 0, 0, 0], ["observed", 0, 0]),
    (1, ["correct", 0, 0], ["observed", 0, 0]),
]


@pytest.mark.parametrize(("order", "form", "row"), FORMS)
def test_a_split_has_no_gap(order, form, row):
    """One label, one judge, three items: every form is 3, so one side always holds it."""
    data = Sketch.from_counts({"a": 3}, judges=["i"], labels=["a"])
    for at in range(-1, 5):
        for splits in ([], [[["split", 0], "1"]]):
            sides = [leaf("multipliers", rows=[*splits, [row, y]]) for y in ("1", "-1")]
            tree = {"split": form, "at": at, "low": sides[0], "high": sides[1]}
            evidence = {"kind": "branches", "tree": tree}
            spec = Specification.at_least(0)
            assert not verify(certificate(data, order, spec, "impossible", evidence), data)
            closed = at < 3 and (splits or form[0] == "key")
            never = Specification.grade("<=", 0)  # no key meets it: all three are correct
            counted = ["tuple", 0] if order == "full" else ["observed", 0, 0]
            sides[1]["rows"] = [[["condition", 0, 0, None], "1"], [counted, "1"]]
            found = verify(certificate(data, order, never, "impossible", evidence), data)
            assert found.ok == bool(closed), found.sentence


@pytest.mark.parametrize("swapped", [False, True])
def test_both_margins_of_a_pair_table_must_agree(swapped):
    one, other = ([[1, 1], [0, 0]], [[1, 0], [0, 1]])
    cells = [[[0, 1], [1, 0], [0, 0]], [[0, 0]] * 3, [[0, 0]] * 3]
    data = Sketch.from_counts({"aa": 1, "ab": 1}, judges=["i", "j"], labels=["a", "b"])
    if swapped:
        one, other = other, one
        cells = [list(column) for column in zip(*cells, strict=True)]
        data = data.marginal(["j", "i"])
    evidence = {"kind": "witness", "key_counts": [1, 1], "tables": [one, other]}
    made = certificate(data, 2, Specification.at_least(0), "possible", evidence)
    evidence["pairs"] = [[0, 1, cells]]
    assert "does not agree with the tables of the two" in verify(made, data).sentence
    cells[0][0], cells[swapped][not swapped] = [1, 0], [0, 1]
    assert verify(made, data)


def test_rounding_is_for_judges_held_to_every_item():
    data = Sketch.from_counts({"a.": 1, "ba": 2}, judges=["i", "j"], labels=["a", "b"])
    rows = leaf("multipliers", rows=[[["rounded", 0, 1, 0], "1"]])
    weights = leaf("weights", weights=[["0", "0"]] * 2, correct=[["0", "0"], ["1", "0"]])
    for evidence in (rows, weights):
        made = certificate(data, "full", Specification.at_least(1), "impossible", evidence)
        assert "judge 'j' is not held to every item" in verify(made, data).sentence
        wrong = certificate(
            data, "full", Specification.at_least(1), "impossible", evidence, "wrong"
        )
        assert "which is not below" in verify(wrong, data).sentence


@pytest.mark.parametrize("kind", ["condition", "cap", "rounded"])
def test_a_condition_is_cited_only_for_the_judge_and_label_it_names(kind):
    data = Sketch.from_counts({"ab": 2}, judges=["i", "j"])
    spec = Specification.accuracy(">=", 1, judge="i", label="a")
    for i, t in ((0, 1), (1, 0), (1, 1), (0, 0)):
        evidence = leaf("multipliers", rows=[[[kind, 0, i, t], "1"]])
        found = verify(certificate(data, "full", spec, "impossible", evidence), data)
        assert ("condition 0 does not cover" in found.sentence) == ((i, t) != (0, 0))
    others = [(Specification.grade(">=", 1, judge="i"), 1, None)]
    others += [(Specification.prevalence("a", ">=", 1), None, 1)]
    for spec, i, t in others if kind == "condition" else ():
        evidence = leaf("multipliers", rows=[[["condition", 0, i, t], "1"]])
        found = verify(certificate(data, "full", spec, "impossible", evidence), data)
        assert "condition 0 does not cover" in found.sentence


# hostile files ----------------------------------------------------------------------------------------


def test_deep_trees_are_walked_or_refused_never_a_traceback(tmp_path):
    node = leaf("multipliers", rows=[])
    for _ in range(4_000):
        node = {"split": ["key", 0], "at": 0, "low": leaf("multipliers", rows=[]), "high": node}
    made = read("branches")
    made["evidence"]["tree"] = node
    assert verify(made, read("data_table_one")).sentence.startswith("Rejected: ")
    blame = None
    for _ in range(4_000):
        blame = {"conflict": 0, "children": {"never-a": blame, "even": None}}
    made = read("conflicts")
    made["evidence"]["tree"] = blame
    assert "blamed above it" in verify(made, read("data_three")).sentence
    path = tmp_path / "deep.json"
    path.write_text('{"schema": ' + "[" * 100_000)
    found = verify(path, read("data_three"))
    assert not found.readable
    while isinstance(node, dict):  # take the chain apart, so that freeing it does not recurse
        node = node.pop("high", None)
    while isinstance(blame, dict):
        blame = blame["children"].pop("never-a")


def test_endless_trees_are_refused(monkeypatch):
    monkeypatch.setattr(verify_alarm, "MAX_NODES", 1000)
    node = {"split": ["key", 0], "at": 0}
    node["low"] = node["high"] = node
    made = edited(read("branches"), "evidence", "tree", to=None)
    made["evidence"]["tree"] = node
    assert "more than 1000 nodes" in verify(made, read("data_table_one")).sentence


def test_very_long_numbers_are_handled():
    huge = 10**5000
    found = verify(
        edited(read("witness_order_1"), "evidence", "key_counts", 0, to=huge), read("data_mt_bench")
    )
    assert "must have at most 4096 bits" in found.sentence
    found = verify(edited(read("cap"), "claim", "order", to=huge), read("data_mt_bench"))
    assert "a very long number" in found.sentence
    weights = edited(read("weights"), "evidence", "weights", 0, 1, to="1" * 3000 + "/7")
    assert not verify(weights, read("data_table_one"))
    rows = edited(read("multipliers"), "evidence", "rows", 0, 1, to="9" * 4001)
    assert "at most 1000 digits" in verify(rows, read("data_swapped")).sentence


def test_strange_names_stay_on_one_line():
    data = Summary.from_counts({"new\nline": {"a": 1, "b": 0}, "\ud800": {"a": 1, "b": 0}})
    evidence = {"kind": "cap", "judges": ["new\nline", "\ud800"]}
    spec = Specification.accuracy(">=", 1, judge="new\nline")
    found = verify(certificate(data, 1, spec, "impossible", evidence), data)
    assert not found
    table = [[1, 0], [0, 0]]
    evidence = {"kind": "witness", "key_counts": [1, 0], "tables": [table, table]}
    found = verify(certificate(data, 1, spec, "possible", evidence), data)
    assert found
    assert "\n" not in found.sentence
    assert found.sentence.isprintable()


def test_arguments_that_are_no_documents_are_unreadable():
    for certificate_, data in ((3, read("data_three")), (read("cap"), None), (read("cap"), [1])):
        found = verify(certificate_, data)
        assert not found.readable
        assert "must be a JSON object" in found.sentence


# the command line -------------------------------------------------------------------------------------


def run(*arguments, cwd=ROOT):
    done = subprocess.run(
        [sys.executable, "-S", "-O", "-m", "algeval.verify", *map(str, arguments)],
        cwd=cwd, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done


def test_the_command_line_needs_nothing_but_the_standard_library(tmp_path):
    cap, data = FIXTURES / "cap.json", FIXTURES / "data_mt_bench.json"
    done = run(cap, data)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == verify(cap, data).sentence + "\n"
    alone = tmp_path / "verify.py"
    shutil.copy(ROOT / "algeval" / "verify.py", alone)
    shutil.copy(ROOT / "algeval" / "verify_alarm.py", tmp_path)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(alone), str(cap), str(data)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0


def test_the_command_line_exits_with_1_for_a_rejection():
    done = run(FIXTURES / "cap.json", FIXTURES / "data_three.json")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("Rejected: the claim speaks of other data")
    assert done.stderr.count("\n") == 1


def test_the_command_line_exits_with_2_for_bad_input(tmp_path):
    cap, data = FIXTURES / "cap.json", FIXTURES / "data_mt_bench.json"
    cases = {
        "missing": (tmp_path / "nowhere.json", "No such file"),
        "folder": (tmp_path, "cannot be read"),
        "text": (tmp_path / "text.json", "is not proper JSON"),
        "bytes": (tmp_path / "bytes.json", "not UTF-8 text"),
        "list": (tmp_path / "list.json", "must be a JSON object; got list"),
        "twice": (tmp_path / "twice.json", "the same key twice"),
        "nan": (tmp_path / "nan.json", "NaN is not a number"),
        "other": (tmp_path / "other.json", "must be an algeval."),
    }
    (tmp_path / "text.json").write_text("{")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\xff")
    (tmp_path / "list.json").write_text("[1]")
    (tmp_path / "twice.json").write_text('{"schema": 1, "schema": 2}')
    (tmp_path / "nan.json").write_text('{"schema": NaN}')
    (tmp_path / "other.json").write_text('{"schema": "other/1"}')
    for path, words in cases.values():
        for arguments in ((path, data), (cap, path)):
            found = verify(*arguments)
            assert not found.readable
            assert words in found.sentence
    done = run(cases["missing"][0], data)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_swapped_files_and_missing_arguments_exit_with_2(capsys):
    done = run(FIXTURES / "data_mt_bench.json", FIXTURES / "cap.json")
    assert done.returncode == 2
    assert "perhaps the two files are swapped" in done.stderr
    assert main([str(FIXTURES / "cap.json"), str(FIXTURES / "cap.json")]) == 2
    assert "perhaps the two files are swapped" in capsys.readouterr().err
    assert run().returncode == 2


# what the sentence says, and how long it takes ------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_the_sentence_named_no_digest(name):
    found = verify(read(name), read(f"data_{FILES[name][0]}"))
    assert f"data {read(name)['claim']['data']})" in found.sentence


def test_the_level_proved_was_cut_off():
    value = "0." + "3" * 300
    data = Summary.from_counts({"j": {"a": 1, "b": 0}})
    spec = Specification.at_least(value)
    made = certificate(
        data,
        1,
        spec,
        "possible",
        {"kind": "witness", "key_counts": [1, 0], "tables": [[[1, 0], [0, 0]]]},
    )
    found = verify(made, data)
    assert found
    assert f">= {'3' * 300}/1{'0' * 300};" in found.sentence


def test_a_name_was_taken_for_the_verdict():
    name = "x; Verified: every judge >= 99 percent on all data."
    data = Summary.from_counts({name: {"a": 1, "b": 0}, "it's \x1b[2J": {"a": 0, "b": 1}})
    spec = Specification.at_least(1).by_at_least(1)
    table = [[[1, 0], [0, 0]], [[0, 0], [1, 0]]]
    evidence = {"kind": "witness", "key_counts": [1, 0], "tables": table, "judges": [name]}
    found = verify(certificate(data, 1, spec, "possible", evidence), data)
    assert found
    assert f"meets it for '{name}'" in found.sentence
    evidence["judges"] = ["it's \x1b[2J"]
    spec = Specification.accuracy(">=", 0, judge="it's \x1b[2J").by_at_least(1)
    found = verify(certificate(data, 1, spec, "possible", evidence), data)
    assert '"it\'s \\x1b[2J"' in found.sentence
    assert "\\\\x1b" not in found.sentence


def primes(n):
    found = []
    number = 2
    while len(found) < n:
        if all(number % p for p in found):
            found.append(number)
        number += 1
    return found


@pytest.mark.parametrize("kind", ["multipliers", "weights"])
@pytest.mark.parametrize("digits", [990, 3990])
def test_coprime_denominators_of_thousands_of_digits_took_half_a_minute(kind, digits):
    name, data = ("multipliers", "swapped") if kind == "multipliers" else ("weights", "table_one")
    document = copy.deepcopy(read(name))
    numbers = [f"1/{p ** int(digits / len(str(p)))}" for p in primes(60)]
    if kind == "multipliers":
        row = document["evidence"]["rows"][0][0]
        document["evidence"]["rows"] = [[row, z] for z in numbers]
    else:
        R = len(document["evidence"]["weights"][0])
        document["evidence"]["weights"] = [numbers[:R] for _ in document["evidence"]["weights"]]
        document["evidence"]["key_low"] = numbers[R : 2 * R]
    start = process_time()
    found = verify(document, read(f"data_{data}"))
    assert process_time() - start < 2
    assert found.sentence.startswith("Rejected")
    assert len(found.sentence) < 500
    if digits > 1000:
        assert "at most 1000 digits" in found.sentence
    elif kind == "multipliers":
        assert "at most 10000 digits" in found.sentence


def test_whole_numbers_given_as_multipliers_are_bounded_too():
    rows = edited(read("multipliers"), "evidence", "rows", 0, 1, to=10**5000)
    assert "at most 4096 bits" in verify(rows, read("data_swapped")).sentence


# several certificates, and the file alone -----------------------------------------------------------


def test_several_certificates_are_checked_at_once(capsys):
    names = [str(FIXTURES / f"{name}.json") for name in ("cap", "witness_order_1", "weights")]
    data = str(FIXTURES / "data_mt_bench.json")
    assert main([*names[:2], data]) == 0
    assert capsys.readouterr().out.count("Verified (") == 2
    assert main([*names, data]) == 1
    out = capsys.readouterr()
    assert (out.out.count("Verified ("), out.err.count("Rejected")) == (2, 1)
    assert main([*names, "nowhere.json"]) == 2


@pytest.mark.parametrize("name", FILES)
def test_the_files_alone_verify_every_fixture_in_an_empty_folder(name, tmp_path):
    for part in ("verify.py", "verify_alarm.py"):
        shutil.copy(ROOT / "algeval" / part, tmp_path / part)
    shutil.copy(FIXTURES / f"{name}.json", tmp_path / "certificate.json")
    shutil.copy(FIXTURES / f"data_{FILES[name][0]}.json", tmp_path / "data.json")
    command = [sys.executable, "-S", "-O", "-I", "verify.py", "certificate.json", "data.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Verified (")


# files that are no files, or damaged ------------------------------------------------------------------


def packed(tmp_path, name):
    """A fixture as a packed file."""
    path = tmp_path / f"{name}.json.gz"
    path.write_bytes(gzip.compress(json.dumps(read(name)).encode(), mtime=0))
    return path


def said(capsys, *paths):
    """The exit code and the one line that was printed."""
    code = main([str(path) for path in paths])
    out, err = capsys.readouterr()
    assert (out + err).count("\n") == 1
    assert "Traceback" not in out + err
    return code, out + err


@pytest.mark.parametrize("flip", [0x01, 0x80, 0xFF])
def test_any_damaged_byte_of_a_packed_file_gives_one_sentence(tmp_path, capsys, flip):
    data, proof = packed(tmp_path, "data_mt_bench"), FIXTURES / "cap.json"
    whole = data.read_bytes()
    assert said(capsys, proof, data)[0] == 0
    for place in range(len(whole)):
        broken = bytearray(whole)
        broken[place] ^= flip
        data.write_bytes(broken)
        code, line = said(capsys, proof, data)
        assert code in (0, 2), (place, line)  # 0: what was damaged holds no content, as a date
        assert line.startswith("Unreadable: " if code else "Verified ")
        assert said(capsys, data, proof)[0] in (1, 2)
    for end in range(len(whole)):
        data.write_bytes(whole[:end])
        assert said(capsys, proof, data)[0] == 2


def test_a_file_that_unpacks_to_more_than_is_read_is_unreadable(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", 10**6)
    proof, bomb = FIXTURES / "cap.json", tmp_path / "bomb.json.gz"
    bomb.write_bytes(gzip.compress(b" " * 10**8))
    for paths in ((proof, bomb), (bomb, FIXTURES / "data_mt_bench.json"), (bomb,)):
        code, line = said(capsys, *paths)
        assert code == 2
        assert "must hold at most 1000000 bytes" in line


def test_what_is_no_regular_file_is_never_read(tmp_path, capsys):
    proof, pipe = FIXTURES / "cap.json", tmp_path / "pipe.json"
    os.mkfifo(pipe)
    for odd in (pipe, tmp_path, Path("/dev/zero"), Path("/dev/stdin")):
        for paths in ((proof, odd), (odd, FIXTURES / "data_mt_bench.json"), (odd,)):
            code, line = said(capsys, *paths)
            assert code == 2
            assert "cannot be read" in line
    assert said(capsys, proof, tmp_path / "none.json")[0] == 2
    assert said(capsys, proof, "a\0b")[0] == 2


@pytest.mark.parametrize(("n_labels", "n_judges"), [(2, 4), (3, 3), (16, 3), (255, 2), (300, 2)])
def test_answers_side_by_side_are_counted_as_one_by_one(n_labels, n_judges):
    """In bytes where the combinations fit into one, in tuples where they do not."""
    rng = random.Random(n_labels)
    tuples = {tuple(rng.randrange(-1, n_labels) for _ in range(n_judges)) for _ in range(60)}
    rows = [(codes, rng.choice([1, 2, 3, 5, 1000])) for codes in sorted(tuples)]
    names = tuple(map(str, range(n_judges)))
    answers = tuple(map(str, range(n_labels)))
    panel = verify_alarm.panel_of(names, answers, answers, rows)
    for k in range(1, n_judges + 1):
        for positions in itertools.permutations(range(n_judges), k):
            counts = Counter()
            for codes, n in rows:
                counts[tuple(codes[i] for i in positions)] += n
            assert module.together(panel, positions) == counts
