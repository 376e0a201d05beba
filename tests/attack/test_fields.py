"""Every field of a logical result that no certificate covers, on tiny exams against brute force.

Keys that attain a threshold and how many there are, panels and pairs, counts and lists of evaluations,
correlations, half votes, agreement, and what three judges decode to. Run all of it with
``pytest -m slow -s tests/attack``.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import brute
from brute import Exam
from test_logic import ORDERS, asked_of, by_order, context
from tries import (
    Tries,
    amounts,
    as_sketch,
    conditions_of,
    random_exam,
    random_level,
    random_rule,
    random_specification,
)

import algeval as ae
from algeval.data import Sketch
from algeval.logic import count_consistent, count_keys_meeting, evaluations, half_votes

EACH = amounts(40, 2_000)


def gappy_exam(rng, order):
    """A random exam with at least one answer missing."""
    while True:
        exam = random_exam(rng, order)
        if any(-1 in item for item in exam.votes):
            return exam


def key_levels(exam, order, rule, every):
    """{answer key: the highest level that all judges reach on all labels}."""
    found = {}
    for key, outcomes in exam.worlds(order, rule):
        if not every or all(key):
            level = min(max(one.worst for one in some) for some in outcomes)
            found[key] = max(level, found.get(key, level))
    return found


def check_keys(exam, found, levels, told):
    """Keys listed attain the lower end, and none is missing from the count."""
    attain = {key for key, level in levels.items() if level >= found.lower}
    assert set(found.answer_keys) <= attain, told
    assert len(set(found.answer_keys)) == len(found.answer_keys), told
    if found.key_count is not None:
        assert found.key_count == len(attain), (told, attain)
        assert len(found.answer_keys) == min(20, len(attain)), told


# thresholds ---------------------------------------------------------------------------------------


@EACH
@by_order
def test_keys_of_thresholds(order, most, least, seconds):
    tries = Tries(f"keys at order {order}", most, least, seconds)
    for rng in tries:
        exam, rule, every = gappy_exam(rng, order), random_rule(rng), rng.random() < 0.3
        levels = key_levels(exam, order, rule, every)
        exact = rng.choice([None, True, False])
        found = ae.threshold(
            as_sketch(exam),
            order=asked_of(order, exam),
            exact=exact,
            missing=rule,
            require_labels=every,
        )
        told = context(exam, order, rule, f"require_labels={every}, exact={exact}")
        tries.count()
        if not levels:
            assert found.status == "inconsistent", told
            assert (found.key_count, found.answer_keys) == (None, ()), told
            continue
        top = max(levels.values())
        assert found.lower <= top <= found.upper, told
        assert found.exact is (found.lower == found.upper), told
        assert found.relaxation is None or found.relaxation >= top, told
        check_keys(exam, found, levels, told)
        tries.count("keys", len(found.answer_keys))
        tries.count("counted", found.key_count is not None)
        if rng.random() < 0.2:
            key = rng.choice(sorted(levels))
            alone = ae.threshold(
                as_sketch(exam), order=asked_of(order, exam), missing=rule, key_counts=key
            )
            assert alone.lower <= levels[key] <= alone.upper, (told, key)
            assert set(alone.answer_keys) <= {key}, (told, key)
    tries.done()


def test_keys_that_were_claimed_and_no_labelling_has():
    """Missing votes at full order: (3, 1) does not attain 1/2."""
    votes = {"w": "aabb", "x": "--ab", "y": "-aba", "z": "aa--"}
    table = {j: [None if a == "-" else a for a in row] for j, row in votes.items()}
    found = ae.threshold(table)
    assert (found.lower, found.answer_keys, found.key_count) == (
        Fraction(1, 2),
        ((2, 2), (4, 0)),
        2,
    )


@EACH
def test_suspected_keys_and_agreement(most, least, seconds):
    tries = Tries("suspect_key", most, least, seconds)
    for rng in tries:
        order = rng.choice(ORDERS)
        exam, rule = gappy_exam(rng, order), random_rule(rng)
        found = ae.suspect_key(as_sketch(exam), order=asked_of(order, exam), missing=rule)
        levels = key_levels(exam, order, rule, False)
        told = context(exam, order, rule, "suspect_key")
        tries.count()
        assert found.level <= max(levels.values()) <= found.ceiling, told
        if found.exact:
            check_keys(exam, found.threshold, levels, told)
        pairs = [
            (v[i] == v[j])
            for v in exam.votes
            for i, j in combinations(range(exam.n_judges), 2)
            if v[i] >= 0 and v[j] >= 0
        ]
        assert found.agreement == (Fraction(sum(pairs), len(pairs)) if pairs else None), told
    tries.done()


@EACH
def test_keys_that_meet_a_level(most, least, seconds):
    tries = Tries("count_keys_meeting", most, least, seconds)
    for rng in tries:
        exam, rule = gappy_exam(rng, 1), random_rule(rng)
        level = random_level(rng, exam)
        levels = key_levels(exam, 1, rule, False)
        found = count_keys_meeting(as_sketch(exam), level, missing=rule)
        tries.count()
        told = context(exam, 1, rule, str(level))
        assert found == sum(reached >= level for reached in levels.values()), told
    tries.done()


# panels -------------------------------------------------------------------------------------------


@EACH
@by_order
def test_panels_and_pairs(order, most, least, seconds):
    tries = Tries(f"panel fields at order {order}", most, least, seconds)
    for rng in tries:
        exam, rule = gappy_exam(rng, order), random_rule(rng)
        spec = random_specification(rng, exam)
        able = brute.panels(exam, order, rule, conditions_of(spec))
        if not able:
            continue
        found = ae.panel(as_sketch(exam), spec, order=asked_of(order, exam), missing=rule)
        told = context(exam, order, rule, spec)
        tries.count()
        assert any(set(found.largest_panel) <= some for some in able), told
        if found.exact:
            assert len(found.largest_panel) == max(map(len, able)), told
        apart = {
            pair
            for pair in combinations(exam.judges, 2)
            if not set(pair) & set(found.failing) and not any(set(pair) <= some for some in able)
        }
        assert {tuple(sorted(pair)) for pair in found.pairwise} <= apart, told
        never = {j for j in exam.judges if not any(j in some for some in able)}
        assert set(found.failing) <= never, told
        if found.status.ok:
            assert set(found.failing) == never, told
        tries.count("pairs", len(found.pairwise))
    tries.done()


# counts and lists ---------------------------------------------------------------------------------


def tables_by_key(exam, judge):
    """{key: tables (a row over labels for each answer, or none) that a judge may have at it}."""
    given = Counter(item[judge] for item in exam.votes)
    found = {}
    for table in product(*(brute.splits(n, exam.n_labels) for n in given.values())):
        found.setdefault(brute.added(table), set()).add(table)
    return given, found


def points_by_key(exam, judge):
    """{key: right answers per label that a judge may have at it}."""
    given, found = tables_by_key(exam, judge)
    return {
        key: {brute.outcome(table, given, exam.n_labels, "wrong")[1].right for table in tables}
        for key, tables in found.items()
    }


def product_size(parts):
    size = 1
    for part in parts:
        size *= len(part)
    return size


@EACH
def test_counts_and_lists_of_evaluations(most, least, seconds):
    tries = Tries("counts", most, least, seconds)
    for rng in tries:
        exam, rule = gappy_exam(rng, "full"), random_rule(rng)
        data, judges = as_sketch(exam), range(exam.n_judges)
        keys = list(brute.splits(exam.n_items, exam.n_labels))
        tables = [tables_by_key(exam, i)[1] for i in judges]
        points = [points_by_key(exam, i) for i in judges]
        seen = {key: product_size(t.get(key, ()) for t in tables) for key in keys}
        told = context(exam, 1, rule, "counts")
        tries.count()
        assert count_consistent(data, missing=rule) == sum(seen.values()), told
        right = {key: list(product(*(p.get(key, ()) for p in points))) for key in keys}
        n_points = sum(map(len, right.values()))
        assert count_consistent(data, of="points", missing=rule) == n_points, told
        listed = evaluations(data, missing=rule)
        assert listed.count == n_points, told
        if n_points <= 5_000:
            got = [(p.key_counts, tuple(map(tuple, p.correct))) for p in listed]
            assert len(got) == len(set(got)), told
            assert set(got) == {(key, one) for key, some in right.items() for one in some}, told
            tries.count("points", n_points)
        key = rng.choice(keys)
        at = {"key_counts": key, "missing": rule}
        assert count_consistent(data, **at) == seen[key], told
        assert count_consistent(data, of="points", **at) == len(right[key]), told
        cells = list(product(*(brute.splits(n, exam.n_labels) for n in exam.tuples.values())))
        assert count_consistent(data, order="full", missing=rule) == len(cells), told
        here = sum(brute.added(one) == key for one in cells)
        assert count_consistent(data, order="full", **at) == here, told
        whole = {
            (world.key, tuple(next(iter(some)).right for some in world.outcomes))
            for world in exam.worlds("full", rule)
        }
        if exam.n_judges > 1:
            got = count_consistent(data, order="full", of="points", missing=rule)
            assert got == len(whole), told
    tries.done()


# correlations -------------------------------------------------------------------------------------


def correlations(exam, rule, key):
    """{(answer, answer, label): all correlations of judges 0 and 1 at labellings with this key}."""
    found = {}
    answers = range(exam.n_answers)
    for labelling in product(range(exam.n_labels), repeat=exam.n_items):
        if tuple(labelling.count(t) for t in range(exam.n_labels)) != key:
            continue
        for t in range(exam.n_labels):
            items = [v[:2] for v, one in zip(exam.votes, labelling, strict=True) if one == t]
            if rule == "excluded":
                items = [v for v in items if -1 not in v]
            n = len(items)
            for a, b in product(answers, answers) if n else ():
                both = Fraction(items.count((a, b)), n)
                alone = Fraction(sum(v[0] == a for v in items), n)
                other = Fraction(sum(v[1] == b for v in items), n)
                found.setdefault((a, b, t), set()).add(both - alone * other)
    return found


@EACH
def test_correlations(most, least, seconds):
    tries = Tries("pair_correlations", most, least, seconds)
    for rng in tries:
        exam, rule = gappy_exam(rng, "full"), random_rule(rng)
        if exam.n_items > 6:
            exam = Exam(exam.votes[:6], exam.n_labels, exam.n_answers)
        key = rng.choice(list(brute.splits(exam.n_items, exam.n_labels)))
        found = ae.logic.pair_correlations(
            as_sketch(exam), *exam.judges[:2], key_counts=key, missing=rule
        )
        wanted = correlations(exam, rule, key)
        told = (context(exam, 2, rule, "correlations"), key)
        tries.count()
        for a, b, t in product(range(exam.n_answers), range(exam.n_answers), range(exam.n_labels)):
            right = wanted.get((a, b, t))
            got = tuple(found.ranges[a, b, t])
            assert got == ((min(right), max(right)) if right else (None, None)), (told, a, b, t)
            tries.count("ranges")
        named = {
            (exam.answers[a], exam.answers[b], exam.labels[t])
            for (a, b, t), some in wanted.items()
            if min(some) > 0 or max(some) < 0
        }
        assert set(found.dependent) == named, told
    tries.done()


# half votes ---------------------------------------------------------------------------------------


@EACH
def test_half_votes(most, least, seconds):
    tries = Tries("half votes", most, least, seconds)
    for rng in tries:
        groups = {
            f"q{n}": [rng.choice(["a", "b", "tie", None]) for _ in range(rng.randint(1, 5))]
            for n in range(rng.randint(1, 6))
        }
        found = half_votes(groups)
        tries.count()
        for item, decision, pair in zip(found.items, found.decisions, found.weights, strict=True):
            votes = [v for v in groups[item] if v]
            lead = votes.count("a") - votes.count("b")
            wanted = None if not votes else "a" if lead > 0 else "b" if lead < 0 else "tie"
            assert decision == wanted, groups
            assert pair[0] - pair[1] == lead, groups
            assert sum(pair) == len(votes), groups
            assert (item in found.ties) == (wanted == "tie"), groups
            assert (item in found.undecided) == (not votes), groups
            assert (item in found.split) == (wanted == "tie" and set(votes) != {"tie"}), groups
        assert found.counts == {s: found.decisions.count(s) for s in ("a", "b", "tie")}, groups
    tries.done()


# three judges, decoded ----------------------------------------------------------------------------


def independent_evaluations(votes, n_labels):
    """(prevalence, confusion) of each labelling with exactly independent errors and every label used."""
    found = set()
    for labelling in product(range(n_labels), repeat=len(votes)):
        rows = [
            [v for v, t in zip(votes, labelling, strict=True) if t == label]
            for label in range(n_labels)
        ]
        if all(rows) and all(map(is_independent, rows)):
            confusion = tuple(
                tuple(
                    tuple(Fraction(sum(v[i] == a for v in row), len(row)) for a in range(n_labels))
                    for row in rows
                )
                for i in range(3)
            )
            found.add((tuple(Fraction(len(row), len(votes)) for row in rows), confusion))
    return found


def is_independent(row):
    """Whether three judges' answers on some items are the product of each one's own."""
    n, joint = len(row), Counter(row)
    own = [Counter(v[i] for v in row) for i in range(3)]
    return all(
        joint[cell] * n * n == own[0][cell[0]] * own[1][cell[1]] * own[2][cell[2]]
        for cell in product(*own)
    )


def blocks(rng, n_labels):
    """Items of each label whose answers are independent: a small grid of answers."""
    votes = []
    for t in range(n_labels):
        own = [rng.choice([[t], [t], [0, 1], [rng.randrange(n_labels)]]) for _ in range(3)]
        votes += list(product(*own))
    return votes


@EACH
def test_what_three_judges_decode_to(most, least, seconds):
    tries = Tries("decode", most, least, seconds)
    for rng in tries:
        n_labels = rng.choice([2, 2, 2, 3])
        if rng.random() < 0.8:
            votes = blocks(rng, n_labels)
        else:
            votes = [
                tuple(rng.randrange(n_labels) for _ in range(3)) for _ in range(rng.randint(2, 7))
            ]
        if len(votes) > {2: 10, 3: 7}[n_labels]:
            continue
        exam = Exam(votes, n_labels, n_labels)
        gaps = [[-1, rng.randrange(n_labels), 0] for _ in range(rng.choice([0, 0, 2]))]
        data = as_sketch(Exam([*votes, *gaps], n_labels, n_labels))
        assert isinstance(data, Sketch)
        found = ae.decode(data)
        told = {"votes": votes, "gaps": gaps, "R": n_labels}
        tries.count()
        assert found.n_left_out == len(gaps), told
        planted = independent_evaluations(exam.votes, n_labels)
        tries.count(f"{found.status.value}, {'some' if planted else 'none'} by brute force")
        if planted:
            assert found.status in ("ok", "undetermined"), told
        if found.status == "ok":
            listed = {unnamed(read_off(one, n_labels)) for one in found.evaluations}
            assert {unnamed(one) for one in planted} <= listed, (told, planted, listed)
    tries.done()


def unnamed(one):
    """An evaluation without the names of its labels: what each has, in any order."""
    prevalence, confusion = one
    return frozenset(
        (share, tuple(tuple(rows[t]) for rows in confusion)) for t, share in enumerate(prevalence)
    )


def read_off(one, n_labels):
    """An evaluation of the package as (prevalence, confusion)."""
    return one.prevalence.tolist(), [
        [row[:n_labels] for row in rows] for rows in one.confusion.tolist()
    ]
