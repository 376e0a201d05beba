"""Certified answer keys: those of a threshold are all there are, and no forged list is accepted."""

import copy
import json

import brute
from mutants import as_text, mutant
from tries import Tries, amounts, as_sketch, random_exam, random_rule

import algeval as ae
from algeval.verify import verify

MUTANTS = {False: 4, True: 12}
"""How many changes are made to each list of keys; more where there is time (True)."""


def forged(rng, document):
    """Return the document with a key less, a key moved by an item, or any other change."""
    changed = copy.deepcopy(document)
    keys, witnesses = changed["claim"]["keys"], changed["evidence"]["witnesses"]
    index = rng.randrange(len(keys))
    action = rng.choice(["drop", "move", "more", "any", "any", "any"])
    if action == "drop":
        del keys[index], witnesses[index]
    elif action == "move":
        keys[index][rng.randrange(len(keys[index]))] += rng.choice([-1, 1])
    elif action == "more":
        more = list(keys[index])
        rng.shuffle(more)
        keys.append(more)
        witnesses.append(copy.deepcopy(witnesses[index]))
    else:
        changed = mutant(rng, changed)
    return changed


def allowed(exam, claim):
    """Keys that meet a claim, by listing every evaluation."""
    conditions = claim["specification"]["conditions"]
    worlds = brute.admitted(exam, claim["order"], claim["missing"], conditions)
    return {key for key, outcomes in worlds if all(brute.meeting(exam, outcomes, conditions))}


def check_forgery(exam, document):
    """See that what is accepted of a changed document is true."""
    claim = document["claim"]
    if "keys" not in claim:
        assert brute.is_true(exam, claim), document
        return
    listed, right = set(map(tuple, claim["keys"])), allowed(exam, claim)
    assert listed <= right, document
    assert not claim["every"] or listed == right, document


@amounts(100, 2_000)
def test_the_answer_keys_of_a_threshold_are_proved(most, least, seconds):
    tries = Tries("answer keys", most, least, seconds)
    for rng in tries:
        order = rng.choice([1, "full", "full"])
        exam, rule = random_exam(rng, order), random_rule(rng)
        order = 1 if exam.n_judges == 1 else order
        data = as_sketch(exam)
        found = ae.threshold(data, order=order, missing=rule, exact=True)
        level, keys = brute.highest(exam, order, rule)
        tries.count()
        assert found.lower == level
        assert set(found.answer_keys) <= keys
        assert found.key_count in (None, len(keys))
        if found.keys is None:
            continue
        tries.count("proved")
        document = json.loads(as_text(found.keys.to_dict()))
        assert set(map(tuple, document["claim"]["keys"])) == keys
        verdict = verify(document, data)
        assert verdict.ok, verdict.sentence
        assert "and no other" in verdict.sentence
        for _ in range(MUTANTS[most > 1_000]):
            changed = forged(rng, document)
            if changed != document:
                tries.count("forged")
                if verify(changed, data).ok:
                    tries.count("accepted")
                    check_forgery(exam, changed)
    tries.done()
    assert tries.counted["proved"] > 0.7 * tries.counted["tried"]


def test_the_key_that_was_invented_once_is_refuted():
    votes = {
        "w": ["a", "a", "b", "b"],
        "x": [None, None, "a", "b"],
        "y": [None, "a", "b", "a"],
        "z": ["a", "a", None, None],
    }
    data = ae.read_votes(votes)
    found = ae.threshold(votes)
    assert found.answer_keys == ((2, 2), (4, 0))
    assert "2 answer keys meet" in verify(found.keys, data).sentence
    document = json.loads(json.dumps(found.keys.to_dict()))
    document["claim"]["keys"].insert(1, [3, 1])
    witnesses = document["evidence"]["witnesses"]
    witnesses.insert(1, witnesses[0])
    assert "has the key [2, 2], not [3, 1]" in verify(document, data).sentence
    some = json.loads(json.dumps(found.keys.to_dict()))
    del some["claim"]["keys"][0], some["evidence"]["witnesses"][0]
    assert "is no listed key" in verify(some, data).sentence
    some["claim"]["every"] = False
    del some["evidence"]["tree"]
    assert "at least these 1 answer keys" in verify(some, data).sentence
