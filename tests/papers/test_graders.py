"""The two graders of paper 003: counts, levels by key, and that other counts contradict the claims."""

from fractions import Fraction as F

import pytest

from algeval.report.figures.logic import key_levels as levels_of_the_figure
from algeval_papers import claims, logic
from algeval_papers.logic import (
    graders,
    key_levels,
    keyed_by_experts,
    most_right,
    table_1,
    tally,
)

CLAIMS = {claim.id: claim for claim in claims("003")}
EXCHANGED = (18, 4, 3)
OTHERWISE = {
    "45": {"key_levels": lambda *_: key_levels(EXCHANGED)},
    "46": {"graders": lambda: graders(EXCHANGED)},
    "50": {"key_levels": lambda: ((F(1, 2), logic.KEY),)},
    "F6": {"most_right": lambda *_: F(1, 4)},
    "F7": {"key_levels": lambda: key_levels()[1:]},
    "F8": {"graders": lambda: graders((0, 22, 3))},
    "M1": {"graders": lambda: graders(EXCHANGED)},
}
"""Claim: what to put in the place of what it rests on."""


def test_levels_are_those_that_the_figure_draws():
    ours = [(level, key) for level, key in key_levels()]
    drawn = [(one.level, one.key) for one in levels_of_the_figure(graders())]
    assert ours == sorted(drawn)


def test_level_of_a_key_by_hand():
    # At (6, 15, 4): authors 5/6, 10/15, 4/4; gpt4 4/6, 15/15, 3/4.
    assert key_levels()[-1] == (F(2, 3), (6, 15, 4))
    assert [
        most_right(*at, (6, 15, 4)) for at in (("authors", "b"), ("gpt4", "a"), ("gpt4", "tie"))
    ] == [
        F(2, 3),
        F(2, 3),
        F(3, 4),
    ]


def test_table_1_keyed_by_the_experts():
    votes = keyed_by_experts(table_1())
    assert votes.judges == ("authors", "gpt4")
    assert votes.keyed_sketch().keyed.sum(0).tolist() == tally("experts") == [4, 14, 7]


@pytest.mark.parametrize("name", OTHERWISE)
def test_claims_on_the_graders_fail_on_other_counts(name, monkeypatch):
    for what, other in OTHERWISE[name].items():
        monkeypatch.setattr(logic, what, other)
    assert not CLAIMS[f"003-{name}"].run().confirmed


def test_the_located_misprint_is_not_found_in_a_table_without_it(monkeypatch):
    restored = dict(logic._one_vote_changed(table_1()))
    (votes,) = [one for item, one in restored.items() if item.startswith("98:")]
    assert tally("gpt4", votes) == [4, 18, 3]
    monkeypatch.setattr(logic, "table_1", lambda: votes)
    assert not CLAIMS["003-14"].run().confirmed
