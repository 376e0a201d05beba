import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.aggregate import aggregate
from algeval.aggregate.checks.quality import score
from algeval.aggregate.em import (
    BlockVotes,
    TripleVotes,
    block_size,
    choose_engine,
    one_hot,
    triples_of,
    vote_sums,
)
from algeval.data import Votes
from algeval.errors import DataError

DATA = Path(__file__).parents[2] / "../shared/data"


def one_by_one(codes, table, weights):
    scores = np.zeros((len(codes), table.shape[1]))
    tables = np.zeros(table.shape)
    for row, judge in np.argwhere(codes >= 0):
        scores[row] += table[judge, :, codes[row, judge]]
        tables[judge, :, codes[row, judge]] += weights[row]
    return scores, tables


@settings(derandomize=True, deadline=None, max_examples=40)
@given(
    st.integers(1, 30),
    st.integers(1, 15),
    st.integers(2, 5),
    st.integers(2, 4),
    st.sampled_from([0.0, 0.3, 0.95]),
    st.integers(0, 10**6),
)
def test_both_engines_add_up_votes_one_by_one(n_rows, n_judges, n_answers, n_labels, gap, seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_answers, (n_rows, n_judges)).astype(np.int16)
    codes[rng.random(codes.shape) < gap] = -1
    # whole numbers: sums are exact in any order
    table = rng.integers(-9, 9, (n_judges, n_labels, n_answers)).astype(float)
    weights = rng.integers(0, 9, (n_rows, n_labels)).astype(float)
    scores, tables = one_by_one(codes, table, weights)
    shape = {"n_rows": n_rows, "n_judges": n_judges, "n_answers": n_answers}
    for engine in (BlockVotes(codes, n_answers), TripleVotes(triples_of(codes), **shape)):
        assert np.array_equal(engine.scores(table), scores)
        assert np.array_equal(engine.tables(weights), tables)


def test_blocks_hold_few_sub_tuples():
    for n_answers in (1, 2, 3, 10, 5000):
        size = block_size(n_answers)
        assert size == 1 or (n_answers + 1) ** size <= 4096
    assert one_hot(np.array([[1, -1]], np.int16), 2).tolist() == [[0, 1, 0, 0]]


def test_the_engine_is_chosen_by_how_many_votes_a_row_has():
    full = np.zeros((10, 40), np.int16)
    assert choose_engine(full, 2) == "patterns"
    sparse = np.full((10, 40), -1, np.int16)
    sparse[:, :3] = 0
    assert choose_engine(sparse, 2) == "triples"
    assert isinstance(vote_sums(sparse, 2), TripleVotes)
    assert isinstance(vote_sums(sparse, 2, "patterns"), BlockVotes)
    with pytest.raises(DataError, match="engine must be one of"):
        vote_sums(full, 2, "dense")


@pytest.mark.skipif(not DATA.exists(), reason="the real votes are not here")
def test_real_judges_independence_labels_well_and_is_far_too_sure():
    with (DATA / "civilcomments_judge_scores.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    names = [name for name in rows[0] if name not in ("item", "gold")]
    votes = Votes.from_columns(
        {j: [None if r[j] == "" else str(int(float(r[j]) >= 4.5)) for r in rows] for j in names},
        items=[r["item"] for r in rows],
        key=[r["gold"] for r in rows],
    )
    found = {
        "majority": aggregate(votes, "majority", ties="first", smoothing=0),
        "dawid-skene": aggregate(votes, "dawid-skene"),
        "half": aggregate(votes, "dawid-skene", prevalence=[0.5, 0.5]),
    }
    scores = {name: score(result, votes) for name, result in found.items()}
    assert all(result.status.ok for result in found.values())
    assert 0.68 < scores["majority"].accuracy < 0.73
    assert scores["majority"].accuracy < scores["dawid-skene"].accuracy
    assert scores["dawid-skene"].accuracy < scores["half"].accuracy < 0.75
    assert scores["dawid-skene"].log_loss > 3 * scores["majority"].log_loss
    assert scores["dawid-skene"].calibration_error > 0.2
