"""Verdicts that are wrong whatever the truth: against every answer key, by fixtures, and by the verifier."""

import csv
import random
from fractions import Fraction as F
from itertools import combinations, permutations, product
from math import ceil, comb
from operator import eq
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import hypergeom

import algeval as ae
from algeval.errors import DataError
from algeval.judges import self_consistency
from algeval.judges.wrong import fewest_marked

LABELS = "abc"
ROWS = ["1111", "1101", "1001", "0000", "0100", "1110", "0110", "1-00"]


def votes_of(rows, labels="01", key=None, answers=None):
    columns = {f"j{i}": [None if r[i] == "-" else r[i] for r in rows] for i in range(len(rows[0]))}
    return ae.Votes.from_columns(columns, labels=list(labels), key=key)


def drawn(rng, extra=True):
    """A small table: missing votes and answers that are never right among them."""
    n_items, n_judges, k = rng.randint(1, 6), rng.randint(1, 4), rng.randint(2, 3)
    wide = extra and rng.random() < 0.5
    symbols = [*LABELS[:k], *(["x", "-"] if wide else [])]
    rows = [[rng.choice(symbols) for _ in range(n_judges)] for _ in range(n_items)]
    if all(cell == "-" for row in rows for cell in row):
        rows[0][0] = "a"
    return rows, LABELS[:k]


def right(rows, key):
    return sum(cell == y for row, y in zip(rows, key, strict=True) for cell in row)


def hit(rows, key, label):
    """Verdicts that are right on items of a label."""
    return sum(row.count(label) for row, y in zip(rows, key, strict=True) if y == label)


def check_one(rng):
    """Each number of one random table against every answer key."""
    rows, labels = drawn(rng)
    n, n_judges = len(rows), len(rows[0])
    truth = [rng.choice([None, *labels]) for _ in rows]
    counts = {t: tuple(sorted(rng.choices(range(n + 1), k=2))) for t in labels[:1]}
    asked = [F(rng.randint(1, 10), 10) for _ in range(2)]
    votes = votes_of(["".join(row) for row in rows], labels, key=truth)
    keys = list(product(labels, repeat=n))
    verdicts = sum(cell != "-" for row in rows for cell in row)
    found = self_consistency(votes, levels=asked, label_counts=counts)
    assert found.n_verdicts == verdicts
    most = max(right(rows, key) for key in keys)
    assert found.most_right == most
    # with the labels people gave
    fitting = [k for k in keys if all(y in (None, x) for x, y in zip(k, truth, strict=True))]
    if any(truth):
        expected = verdicts - max(right(rows, key) for key in fitting)
        assert found.least_wrong_with_labels == expected
    # with so many items of the first label
    low, high = counts[labels[0]]
    some = [right(rows, k) for k in keys if low <= k.count(labels[0]) <= high]
    assert found.least_wrong_with_counts == verdicts - max(some)
    # means of own accuracies
    answered = [sum(row[i] != "-" for row in rows) for i in range(n_judges)]
    voting = [i for i in range(n_judges) if answered[i]]

    def mean(key):
        return sum(
            F(sum(row[i] == y for row, y in zip(rows, key, strict=True)), answered[i])
            for i in voting
        ) / len(voting)

    assert found.mean_accuracy_ceiling == max(map(mean, keys))
    # how many judges fall short of a share of all items
    for level in asked:
        least = min(
            sum(
                sum(row[i] == y for row, y in zip(rows, key, strict=True)) < level * n
                for i in range(n_judges)
            )
            for key in keys
        )
        assert found.below[level] <= least
    # pairs, and counts alone, prove no more
    assert found.by_counts <= found.least_wrong
    assert found.by_pairs <= found.least_wrong
    for pair in found.pairs:
        i, j = (int(name[1:]) for name in pair.judges)
        assert pair.n_differing == sum(
            "-" not in (row[i], row[j]) and row[i] != row[j] for row in rows
        )
    for name, proof in found.certificates.items():
        verdict = ae.verify(proof, votes)
        assert verdict, (name, verdict.sentence)
    return found


def test_no_threshold_lies_above_the_ceiling_of_the_average():
    """Grades and accuracies of all judges at once, with missing votes, against one formula."""
    rng = random.Random(11)
    for _ in range(40):
        rows, labels = drawn(rng)
        votes = votes_of(["".join(row) for row in rows], labels)
        ceiling = ae.self_consistency(votes).ceiling
        assert ae.threshold(votes).lower <= ceiling
        asked = ae.alarm(votes, ceiling + F(1, 1000)) if ceiling < F(999, 1000) else None
        assert asked is None or asked.triggered


def test_the_mean_ceiling_of_simulated_exams_is_the_reach_of_their_judges():
    rng = np.random.default_rng(3)
    for n, p in ((3, 0.8), (5, 0.6)):
        truth = rng.integers(0, 2, 40_000)[:, None]
        votes = np.where(rng.random((40_000, n)) < p, truth, 1 - truth)
        rows, counts = np.unique(votes.astype(np.int16), axis=0, return_counts=True)
        sketch = ae.Sketch([f"j{k}" for k in range(n)], ["a", "b"], ["a", "b"], rows, counts)
        found = ae.self_consistency(sketch)
        assert float(found.ceiling) == pytest.approx(ae.reach(n, p).limit, abs=0.004)
        assert ae.verify(found.certificates["wrong"], sketch)


@pytest.mark.parametrize("seed", range(4))
def test_each_number_is_the_best_over_all_keys(seed):
    rng = random.Random(seed)
    for _ in range(40):
        check_one(rng)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_each_number_is_the_best_over_all_keys_of_2000_tables(seed):
    rng = random.Random(seed)
    for _ in range(50):
        check_one(rng)


def check_two(rng):
    """Two judges, or one asked twice, against every key; answers that are never right among them."""
    k, n = rng.randint(2, 3), rng.randint(1, 6)
    symbols = [*LABELS[:k], *("x" if rng.random() < 0.4 else "")]
    rows = [[rng.choice(symbols) for _ in range(2)] for _ in range(n)]
    found = self_consistency(votes_of(["".join(row) for row in rows], LABELS[:k]))
    (pair,) = found.pairs
    f = sum(a != b for a, b in rows)
    assert pair.n_differing == f
    wrongs, worse = [], []
    for key in product(LABELS[:k], repeat=n):
        each = [sum(row[j] != y for row, y in zip(rows, key, strict=True)) for j in (0, 1)]
        both = sum(row[0] == row[1] == y for row, y in zip(rows, key, strict=True))
        wrongs.append(sum(each))
        worse.append(max(each))
        assert both <= n - f  # pairs right both times
        if k == 2 and "x" not in symbols:
            steady = sum(a == b != y for (a, b), y in zip(rows, key, strict=True))
            assert sum(each) == f + 2 * steady  # of each flip one is wrong
    assert found.least_wrong == min(wrongs) >= found.by_pairs == f
    assert pair.least_wrong <= min(worse)
    if not any("x" in row for row in rows):
        assert found.least_wrong == f
        assert pair.least_wrong == min(worse)


@pytest.mark.parametrize(
    ("seed", "times"),
    [(0, 40), *(pytest.param(s, 500, marks=pytest.mark.slow) for s in range(1, 5))],
)
def test_two_judges_or_two_times_against_every_key(seed, times):
    rng = random.Random(seed)
    for _ in range(times):
        check_two(rng)


def check_pairs(rng):
    """How often pairs differ proves no more than the votes; with missing votes and answers never right."""
    rows, labels = drawn(rng)
    found = self_consistency(votes_of(["".join(row) for row in rows], labels))
    n_judges = len(rows[0])
    differ = sum(
        "-" not in (row[i], row[j]) and row[i] != row[j]
        for row in rows
        for i, j in combinations(range(n_judges), 2)
    )
    assert found.by_pairs == (ceil(F(differ, n_judges - 1)) if n_judges > 1 else 0)
    verdicts = sum(cell != "-" for row in rows for cell in row)
    for key in product(labels, repeat=len(rows)):
        assert verdicts - right(rows, key) >= found.by_pairs


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_pairs_prove_no_more_than_holds_for_every_key(seed):
    rng = random.Random(seed)
    for _ in range(500):
        check_pairs(rng)


def check_below(rng):
    """How many judges fall short, of complete votes: never more than for any key; whether it is attained."""
    n, n_judges, k = rng.randint(1, 6), rng.randint(1, 4), rng.randint(2, 3)
    rows = [[rng.choice(LABELS[:k]) for _ in range(n_judges)] for _ in range(n)]
    level = F(rng.randint(1, 12), 12)
    found = self_consistency(votes_of(["".join(row) for row in rows], LABELS[:k]), levels=[level])
    least = min(
        sum(
            sum(row[i] == y for row, y in zip(rows, key, strict=True)) < level * n
            for i in range(n_judges)
        )
        for key in product(LABELS[:k], repeat=n)
    )
    assert found.below[level] <= least
    return found.below[level] == least


@pytest.mark.parametrize(
    ("seed", "times"), [(0, 40), pytest.param(1, 2000, marks=pytest.mark.slow)]
)
def test_judges_that_fall_short_are_never_more_than_any_key_has(seed, times):
    rng = random.Random(seed)
    tight = sum(check_below(rng) for _ in range(times))
    print(f"judges below a level: attained in {tight} of {times} tables")
    assert tight > 0.8 * times


def check_counts(rng, symbols):
    """Order 1: every judge's answers in any order; the most right over orders and keys."""
    rows = [[rng.choice(symbols) for _ in range(3)] for _ in range(3)]
    rows[0] = ["a", "b", "a"]
    votes = votes_of(["".join(row) for row in rows], "ab")
    columns = list(zip(*rows, strict=True))
    answered = [3 - column.count("-") for column in columns]
    most, mean = 0, F(0)
    for second in set(permutations(columns[1])):
        for third in set(permutations(columns[2])):
            for key in product("ab", repeat=3):
                table = columns[0], second, third
                each = [sum(map(eq, column, key)) for column in table]
                most = max(most, sum(each))
                mean = max(mean, sum(map(F, each, answered)) / 3)
    found = self_consistency(votes.summary())
    assert (
        found.most_right
        == most
        == self_consistency(votes).n_verdicts - self_consistency(votes).by_counts
    )
    assert found.mean_accuracy_ceiling == mean
    for proof in found.certificates.values():
        assert ae.verify(proof, votes.summary())
    assert ("mean accuracy" in found.certificates) == (not found.complete and mean < 1)


@pytest.mark.parametrize("seed", range(40))
def test_counts_alone_prove_what_holds_for_every_table_with_these_counts(seed):
    check_counts(random.Random(seed), "ab" if seed < 20 else "ab-")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1040))
def test_counts_alone_prove_what_holds_of_2000_tables(seed):
    rng = random.Random(seed)
    for _ in range(50):
        check_counts(rng, "ab" if seed % 2 else "ab-")


def test_the_fixtures():
    key = [None] * 8
    key[2] = key[5] = "0"
    votes = votes_of(ROWS, key=key)
    found = self_consistency(votes, label_counts={"1": (6, 8)})
    assert (found.n_verdicts, found.most_right, found.least_wrong) == (31, 23, 8)
    assert found.n_verdicts - found.least_wrong_with_labels == 21
    assert found.n_verdicts - found.least_wrong_with_counts == 22
    few = self_consistency(votes, label_counts={"1": (0, 2)})
    assert few.n_verdicts - few.least_wrong_with_counts == 21
    assert found.mean_accuracy_ceiling == F(167, 224)
    whole = self_consistency(votes_of(ROWS[:7]), levels=("3/4", "4/5", "6/7", "9/10"))
    assert (whole.most_right, whole.n_verdicts, whole.n_verdicts - whole.by_counts) == (21, 28, 25)
    assert (sum(p.n_differing for p in whole.pairs), whole.by_pairs) == (17, 6)
    assert [4 - n for n in whole.below.values()] == [3, 3, 3, 2]
    balanced = [whole.balanced_ceiling("1", n) for n in range(1, 7)]
    assert balanced == [F(37, 48), F(59, 80), F(73, 96), F(3, 4), F(63, 80), F(13, 16)]
    assert (whole.recall_ceiling("1", 3), whole.recall_ceiling("1", 5)) == (F(10, 12), F(14, 20))
    flips = ["ab"] * 82 + ["aa"] * 318
    assert self_consistency(votes_of(flips, "ab")).ceiling == F(359, 400)


def check_ceilings(rng, symbols="ab"):
    """Recall and balanced accuracy of complete votes, over every key with so many items of a label."""
    n, n_judges = rng.randint(2, 5), rng.randint(1, 3)
    rows = [[rng.choice(symbols) for _ in range(n_judges)] for _ in range(n)]
    found = self_consistency(votes_of(["".join(row) for row in rows], "ab"))
    best = {}
    for a in range(1, n):
        keys = [k for k in product("ab", repeat=n) if k.count("b") == a]
        recalls, balanced = [], []
        for key in keys:
            hits = {t: hit(rows, key, t) for t in "ab"}
            recalls.append(F(hits["b"], n_judges * a))
            balanced.append((F(hits["b"], a) + F(hits["a"], n - a)) / (2 * n_judges))
        assert found.balanced_ceiling("b", a) == max(balanced)
        best[a] = max(recalls)
    best[n] = F(hit(rows, "b" * n, "b"), n_judges * n)
    for a in range(1, n + 1):
        assert found.recall_ceiling("b", a) == max(best[m] for m in range(a, n + 1))


@pytest.mark.parametrize("seed", range(60))
def test_ceilings_of_recall_and_of_balanced_accuracy_are_attained(seed):
    check_ceilings(random.Random(seed), "ab" if seed % 3 else "abx")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2000, 2040))
def test_ceilings_are_attained_in_2000_tables(seed):
    rng = random.Random(seed)
    for _ in range(50):
        check_ceilings(rng, "ab" if seed % 2 else "abx")


def test_labels_at_random_hold_with_their_confidence():
    """The lower end over draws of labels, in a table whose truth is no plurality on a third of the items."""
    rng = np.random.default_rng(0)
    codes = np.where(rng.random((60, 3)) < 0.8, 1, 0)
    truth = np.where(rng.random(60) < 0.35, 1 - (codes.sum(axis=1) > 1), codes.sum(axis=1) > 1)
    wrong = int((codes != truth[:, None]).sum())
    missed = 0
    for _ in range(300):
        key = [None] * 60
        for row in rng.choice(60, 20, replace=False).tolist():
            key[row] = "01"[int(truth[row])]
        rows = ["".join(map(str, row)) for row in codes.tolist()]
        missed += self_consistency(votes_of(rows, key=key)).least_wrong_confident > wrong
    assert missed <= 26  # .05 of 300, and three standard errors


def mutants(document):
    """The certificate with one number, name or field changed."""
    claim, evidence = document["claim"], document["evidence"]
    yield document | {"claim": claim | {"right": int(F(str(claim["right"]))) - 1}}
    yield document | {"claim": claim | {"right": "1/0"}}
    yield document | {"claim": claim | {"right": 3.5}}
    yield document | {"claim": claim | {"data": "sha256:" + "0" * 64}}
    yield document | {"claim": claim | {"order": 2}}
    yield document | {"claim": claim | {"judges": []}}
    yield document | {"claim": claim | {"judges": [*claim["judges"], "nobody"]}}
    yield document | {"claim": claim | {"judges": claim["judges"] * 2}}
    yield document | {"claim": claim | {"more": 1}}
    yield document | {"claim": claim | {"weights": [-1] * len(claim["judges"])}}
    yield document | {"claim": claim | {"label_counts": [[0, 999]]}}
    yield document | {"claim": claim | {"labelled": [[[0], 0, 10**6]]}}
    yield document | {"claim": {k: v for k, v in claim.items() if k != "order"}}
    yield document | {"evidence": evidence | {"kind": "cap"}}
    yield document | {"evidence": evidence | {"multipliers": [0]}}
    yield document | {"evidence": []}
    yield document | {"claim": None}


def test_the_ceiling_of_the_mean_with_missing_votes_is_proved_and_nothing_less():
    """A answers one item, alone; B and C always differ on ten: two thirds, though 11 of 21 can be right."""
    votes = votes_of(["1--", *["-01"] * 10])
    counts = votes_of(
        ["01", "01", "01", "0-", "-1"]
    ).summary()  # 5 items, 4 of each judge's own label
    for data, ceiling, weights in (
        (votes, F(2, 3), [F(1, 3), F(1, 30), F(1, 30)]),
        (counts, F(5, 8), [F(1, 8), F(1, 8)]),
    ):
        found = self_consistency(data)
        assert found.mean_accuracy_ceiling == ceiling
        proof = found.certificates["mean accuracy"]
        assert list(map(F, proof.claim["weights"])) == weights
        words = f"the mean of the judges' accuracies on what they answered is at most {ceiling}"
        assert words in ae.verify(proof, data).sentence
        document = proof.to_dict()
        for mutant in mutants(document):
            assert not ae.verify(mutant, data)
        for k in range(len(weights)):
            for changed, accepted in ((2 * weights[k], False), (weights[k] / 2, True)):
                other = [str(changed if i == k else w) for i, w in enumerate(weights)]
                claim = document["claim"] | {"weights": other}
                verdict = ae.verify(document | {"claim": claim}, data)
                assert bool(verdict) == accepted
                assert "mean" not in verdict.sentence
        claim = document["claim"] | {"right": str(ceiling - F(1, 10**6))}
        assert not ae.verify(document | {"claim": claim}, data)


def test_no_mutant_is_accepted():
    votes = votes_of(ROWS[:7], key=["1", "0", *[None] * 5])
    found = self_consistency(votes, label_counts={"1": 2}, levels=("3/4", "9/10"))
    for name, proof in found.certificates.items():
        assert ae.verify(proof, votes)
        if proof.verdict != "wrong":
            continue
        for mutant in mutants(proof.to_dict()):
            verdict = ae.verify(mutant, votes)
            assert not verdict, (name, mutant, verdict.sentence)
    below = found.certificates["below 90.0%"].to_dict()
    spec = below["claim"]["specification"]
    for value, least in (("1/2", 3), ("9/10", 2), ("4/5", 3)):
        changed = spec | {
            "min_judges": least,
            "conditions": [spec["conditions"][0] | {"value": value}],
        }
        assert not ae.verify(below | {"claim": below["claim"] | {"specification": changed}}, votes)
    for field, value in (("missing", "excluded"), ("order", 1), ("order", 2)):
        verdict = ae.verify(below | {"claim": below["claim"] | {field: value}}, votes)
        assert bool(verdict) == (field == "missing")  # complete votes: both rules are one
    accuracy = [spec["conditions"][0] | {"quantity": "accuracy"}]
    assert not ae.verify(
        below | {"claim": below["claim"] | {"specification": spec | {"conditions": accuracy}}},
        votes,
    )


@pytest.mark.parametrize("seed", range(30))
def test_what_the_verifier_accepts_is_true(seed):
    """Claims drawn at random, weights and multipliers too: accepted only where no key breaks them."""
    rng = random.Random(seed)
    for _ in range(20):
        rows, labels = drawn(rng)
        votes = votes_of(["".join(row) for row in rows], labels)
        names = list(votes.judges)
        weights = [F(rng.randint(0, 4), rng.randint(1, 3)) for _ in names]
        u = [F(rng.randint(-3, 3), rng.randint(1, 2)) for _ in labels]
        ends = [sorted(rng.choices(range(len(rows) + 1), k=2)) for _ in labels]
        claimed = F(rng.randint(0, 30), rng.randint(1, 3))
        claim = {
            "data": votes.sketch().digest,
            "order": "full",
            "judges": names,
            "right": str(claimed),
            "weights": [str(w) for w in weights],
            "label_counts": ends,
        }
        document = {
            "schema": "algeval.floor/1",
            "claim": claim,
            "evidence": {"kind": "tallies", "multipliers": [str(x) for x in u]},
        }
        if not ae.verify(document, votes):
            continue
        for key in product(labels, repeat=len(rows)):
            if any(not lo <= key.count(t) <= hi for t, (lo, hi) in zip(labels, ends, strict=True)):
                continue
            total = sum(
                w
                for row, y in zip(rows, key, strict=True)
                for w, cell in zip(weights, row, strict=True)
                if cell == y
            )
            assert total <= claimed


def test_repeats_of_a_judge_are_held_against_each_other(tmp_path):
    path = tmp_path / "runs.csv"
    lines = ["id,epoch,gpt4,human"]
    for item in range(20):
        for epoch in range(3):
            lines.append(f"{item},{epoch},{'pass' if (item + epoch) % 4 else 'fail'},")
    path.write_text("\n".join(lines) + "\n")
    results = ae.read_results(path, trial="epoch")
    (repeat,) = self_consistency(results).repeats
    said = [["pass" if (item + e) % 4 else "fail" for e in range(3)] for item in range(20)]
    assert repeat.least_wrong == sum(3 - max(map(row.count, row)) for row in said)
    assert repeat.n_changed == sum(len(set(row)) > 1 for row in said)
    proof = self_consistency(results).certificates["repeats of gpt4"]
    assert ae.verify(proof, repeat.votes)
    assert "changed its answer on" in self_consistency(results).sentences[0]


def test_bad_input_is_one_sentence():
    votes = votes_of(ROWS)
    for settings, words in (
        ({"label_counts": {"2": 3}}, "label_counts must be of labels"),
        ({"label_counts": {"1": 9}}, "label_counts must be a whole number"),
        ({"label_counts": {"1": 1, "0": 1}}, "must be possible"),
        ({"level": 2}, "level"),
    ):
        with pytest.raises(DataError, match=words):
            self_consistency(votes, **settings)
    with pytest.raises(DataError, match="missing votes"):
        self_consistency(votes).recall_ceiling("1", 2)
    with pytest.raises(DataError, match="scores"):
        self_consistency({"gpt4": [1.25, 2.5, 3.75], "claude": [1.5, 2.25, 3.5]})


DATA = Path(__file__).parents[3] / "shared" / "data"


@pytest.mark.skipif(not DATA.is_dir(), reason="real votes are not here")
def test_real_votes_prove_four_fifths_of_all_errors():
    lexical = {"EM", "Contains"}
    names = ("Mistral-7B", "Llama-7B", "Llama-13B", "Llama3-8B", "Gemma-2B", "Llama-70B")
    names = (*names, "EM", "Llama3-70B", "GPT-4", "JudgeLM", "Contains")
    judges = [name for name in names if name not in lexical]
    with (DATA / "triviaqa_judges_v1.csv").open(newline="") as file:
        rows = [r for r in csv.DictReader(file) if all(r[j] in ("0", "1") for j in judges)]
    votes = ae.Votes.from_columns({j: [r[j] for r in rows] for j in judges})
    found = self_consistency(votes, levels=("0.9", "0.95"))
    assert (found.n_items, found.n_verdicts, found.least_wrong) == (1656, 14904, 1717)
    assert sum(r[j] != r["gold"] for r in rows for j in judges) == 2114
    pair = next(p for p in found.pairs if set(p.judges) == {"GPT-4", "Gemma-2B"})
    assert (pair.n_differing, pair.least_wrong) == (378, 189)
    assert list(found.below.values()) == [1, 2]
    assert all(ae.verify(proof, votes) for proof in found.certificates.values())


@pytest.mark.benchmark
def test_a_million_rows_of_twenty_judges():
    from time import process_time

    rng = np.random.default_rng(0)
    truth = rng.random(1_000_000) < 0.5
    codes = np.where(rng.random((1_000_000, 20)) < 0.8, truth[:, None], ~truth[:, None])
    votes = ae.Votes(
        range(1_000_000),
        [f"j{i}" for i in range(20)],
        ["0", "1"],
        ["0", "1"],
        codes.astype(np.int16),
    )
    start = process_time()
    found = self_consistency(votes)
    assert process_time() - start < 5
    share = sum(comb(20, k) * 0.8**k * 0.2 ** (20 - k) * max(k, 20 - k) for k in range(21)) / 20
    assert abs(float(found.ceiling) - share) < 0.001
    assert ceil(20 * found.ceiling) == 17
    assert len(found.pairs) == len(list(combinations(range(20), 2)))


@pytest.mark.parametrize(("total", "n", "level"), [(40, 12, 0.95), (300, 30, 0.99), (25, 25, 0.9)])
def test_the_bound_on_marked_items_is_the_first_that_scipy_allows(total, n, level):
    for seen in range(n + 1):
        fewest = np.arange(seen, total - n + seen + 1)
        likely = hypergeom.sf(seen - 1, total, fewest, n) > 1 - level
        assert fewest_marked(seen, n, total, level) == fewest[np.argmax(likely)]
