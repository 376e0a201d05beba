"""What is possible, by listing it: tiny exams at order 1, order 2 and full order.

Written from the definitions alone and importing nothing of the package. An *evaluation* says, for a
key and each judge, how many items of each label it got right and to how many it is held. A `World`
is a key with, for each judge, the outcomes it may have independently of the other judges: at
order 1 many for each judge, at order 2 and full order exactly one.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product
from typing import NamedTuple

UNANSWERED = -1


class Outcome(NamedTuple):
    """Per label: items got right, and items held to."""

    right: tuple[int, ...]
    held: tuple[int, ...]

    @property
    def worst(self):
        """The smallest accuracy; a label without items says nothing."""
        pairs = zip(self.right, self.held, strict=True)
        return min((Fraction(c, d) for c, d in pairs if d), default=Fraction(1))

    @property
    def grade(self):
        """Right answers over items held to, or None."""
        return Fraction(sum(self.right), sum(self.held)) if sum(self.held) else None


class World(NamedTuple):
    """An answer key's counts, and the outcomes of each judge."""

    key: tuple[int, ...]
    outcomes: tuple[frozenset[Outcome], ...]


class Exam:
    """Items of judges' answers by position, -1 where not answered, and how many labels can be true."""

    def __init__(self, votes, n_labels, n_answers):
        self.votes = [tuple(item) for item in votes]
        self.n_labels, self.n_answers = n_labels, n_answers
        self.n_items, self.n_judges = len(self.votes), len(self.votes[0])
        self.judges = [f"j{i}" for i in range(self.n_judges)]
        self.answers = [*"abcd"[:n_labels], *"yz"[: n_answers - n_labels]]
        self.labels = self.answers[:n_labels]
        self._worlds = {}

    @cached_property
    def tuples(self):
        """Each decision tuple and how often it was given."""
        return Counter(self.votes)

    def worlds(self, order, rule):
        """Every world at an order; order N and beyond is full order."""
        if order != "full" and order >= self.n_judges:
            order = "full"
        if (order, rule) not in self._worlds:
            listed = {1: by_single_tables, 2: by_joined_pairs, "full": by_labelling}.get(
                order, lambda exam, rule: by_joined_tables(exam, order, rule)
            )
            self._worlds[order, rule] = list(listed(self, rule))
        return self._worlds[order, rule]

    def part(self, judges):
        """The exam of some of the judges, with their names."""
        part = Exam([[v[i] for i in judges] for v in self.votes], self.n_labels, self.n_answers)
        part.judges = [self.judges[i] for i in judges]
        return part


@cache
def splits(total, width):
    """Every way to write `total` as an ordered sum of `width` whole numbers."""
    if width == 1:
        return [(total,)]
    return [(k, *rest) for k in range(total + 1) for rest in splits(total - k, width - 1)]


def added(rows):
    """The sum of rows, position by position."""
    return tuple(map(sum, zip(*rows, strict=True)))


def outcome(table, answers, n_labels, rule):
    """The outcome that a judge's table (a row over labels for each answer) amounts to."""
    rows = dict(zip(answers, table, strict=True))
    key = added(table)
    right = tuple(rows[t][t] if t in rows else 0 for t in range(n_labels))
    left = rows.get(UNANSWERED, (0,) * n_labels) if rule == "excluded" else (0,) * n_labels
    return key, Outcome(right, tuple(q - m for q, m in zip(key, left, strict=True)))


def by_single_tables(exam, rule):
    """Order 1: every judge's answers may be split over the labels on their own, given the key."""
    by_judge = []
    for i in range(exam.n_judges):
        given = Counter(v[i] for v in exam.votes)
        found = {}
        for table in product(*(splits(n, exam.n_labels) for n in given.values())):
            key, one = outcome(table, given, exam.n_labels, rule)
            found.setdefault(key, set()).add(one)
        by_judge.append(found)
    for key in splits(exam.n_items, exam.n_labels):
        if all(key in found for found in by_judge):
            yield World(key, tuple(frozenset(found[key]) for found in by_judge))


def pair_tables(exam, i, j):
    """Order 2: the tables of two judges that some split of their pairs of answers leads to."""
    pairs = Counter((v[i], v[j]) for v in exam.votes)
    answers = [sorted({v[k] for v in exam.votes}) for k in (i, j)]
    found = set()
    for rows in product(*(splits(n, exam.n_labels) for n in pairs.values())):
        laid = list(zip(pairs, rows, strict=True))
        found.add(
            tuple(
                tuple(added([row for pair, row in laid if pair[side] == a]) for a in answers[side])
                for side in (0, 1)
            )
        )
    return found


def by_joined_pairs(exam, rule):
    """Order 2: tables of all judges such that every two of them come from one split of their pairs."""
    allowed = {(i, j): pair_tables(exam, i, j) for i, j in combinations(range(exam.n_judges), 2)}
    joined = set(allowed[0, 1])
    for j in range(2, exam.n_judges):
        candidates = {}
        for first, last in allowed[0, j]:
            candidates.setdefault(first, []).append(last)
        joined = {
            (*tables, last)
            for tables in joined
            for last in candidates.get(tables[0], ())
            if all((tables[i], last) in allowed[i, j] for i in range(1, j))
        }
    answers = [sorted({v[i] for v in exam.votes}) for i in range(exam.n_judges)]
    for tables in joined:
        found = [
            outcome(table, given, exam.n_labels, rule)
            for table, given in zip(tables, answers, strict=True)
        ]
        yield World(found[0][0], tuple(frozenset([one]) for _, one in found))


def without(table, k):
    """A table {answers: row} without its k-th judge, as a set of items."""
    sums = Counter()
    for answers, row in table:
        for t, n in enumerate(row):
            sums[answers[:k] + answers[k + 1 :], t] += n
    return frozenset(sums.items())


def by_joined_tables(exam, m, rule):
    """Order m: a table for every m judges, any two of which agree on the m - 1 judges they share."""
    states = {()}
    done = {}
    for judges in combinations(range(exam.n_judges), m):
        given = Counter(tuple(v[i] for i in judges) for v in exam.votes)
        rests = [judges[:k] + judges[k + 1 :] for k in range(m)]
        known = [k for k, rest in enumerate(rests) if rest in done]
        candidates = {}
        for rows in product(*(splits(n, exam.n_labels) for n in given.values())):
            table = list(zip(given, rows, strict=True))
            margins = [without(table, k) for k in range(m)]
            shared = tuple(margins[k] for k in known)
            new = tuple(margins[k] for k in range(m) if k not in known)
            candidates.setdefault(shared, set()).add(new)
        states = {
            state + new
            for state in states
            for new in candidates.get(tuple(state[done[rests[k]]] for k in known), ())
        }
        for k in range(m):
            if k not in known:
                done[rests[k]] = len(done)
    for state in states:
        found = []
        for i in range(exam.n_judges):
            rest = next(rest for rest in done if i in rest)
            rows = {}
            for (answers, t), n in state[done[rest]]:
                row = rows.setdefault(answers[rest.index(i)], [0] * exam.n_labels)
                row[t] += n
            found.append(outcome(list(map(tuple, rows.values())), rows, exam.n_labels, rule))
        yield World(found[0][0], tuple(frozenset([one]) for _, one in found))


def by_labelling(exam, rule):
    """Full order: the items of each decision tuple get labels, in every way."""
    nothing = (0,) * exam.n_labels
    states = {(nothing, (Outcome(nothing, nothing),) * exam.n_judges)}
    for decision, n in exam.tuples.items():
        states = {
            (added([key, row]), grown(outcomes, decision, row, rule))
            for key, outcomes in states
            for row in splits(n, exam.n_labels)
        }
    for key, outcomes in states:
        yield World(key, tuple(frozenset([one]) for one in outcomes))


def grown(outcomes, decision, row, rule):
    """The outcomes of all judges after so many items of each label got a decision tuple."""
    result = []
    for one, answer in zip(outcomes, decision, strict=True):
        right = tuple(
            c + n * (t == answer) for t, (c, n) in enumerate(zip(one.right, row, strict=True))
        )
        asked = answer != UNANSWERED or rule == "wrong"
        result.append(Outcome(right, added([one.held, row]) if asked else one.held))
    return tuple(result)


# questions -----------------------------------------------------------------------------------------


def compares(value, sense, level):
    """Whether a value meets a sense and a level."""
    return {">=": value >= level, ">": value > level, "<=": value <= level}[sense]


def key_meets(exam, key, conditions):
    """Whether the key meets the conditions on prevalences."""
    return all(
        compares(Fraction(q, exam.n_items), c["sense"], Fraction(c["value"]))
        for c in conditions
        if c["quantity"] == "prevalence"
        for q, label in zip(key, exam.labels, strict=True)
        if c["label"] in (None, label)
    )


def judge_meets(exam, judge, one, conditions):
    """Whether an outcome meets what is asked of the judge; of a label without items nothing is."""
    for c in conditions:
        if c["quantity"] == "prevalence" or c["judge"] not in (None, judge):
            continue
        values = [one.grade]
        if c["quantity"] == "accuracy":
            values = [
                Fraction(n, d) if d else None
                for n, d, label in zip(one.right, one.held, exam.labels, strict=True)
                if c["label"] in (None, label)
            ]
        level = Fraction(c["value"])
        if not all(v is None or compares(v, c["sense"], level) for v in values):
            return False
    return True


def admitted(exam, order, rule, conditions, held=()):
    """Worlds whose key is allowed, cut to outcomes in which judges are held to the labels named."""
    asked = [(exam.judges.index(h["judge"]), exam.labels.index(h["label"])) for h in held]
    for world in exam.worlds(order, rule):
        if not key_meets(exam, world.key, conditions):
            continue
        outcomes = [
            [one for one in some if all(one.held[t] for j, t in asked if j == i)]
            for i, some in enumerate(world.outcomes)
        ]
        if all(outcomes):
            yield world.key, outcomes


def meeting(exam, outcomes, conditions):
    """Per judge, the outcomes that meet the conditions."""
    return [
        [one for one in some if judge_meets(exam, judge, one, conditions)]
        for judge, some in zip(exam.judges, outcomes, strict=True)
    ]


def most_judges(exam, order, rule, conditions, held=()):
    """How many judges can meet the conditions at once; -1 where no key is allowed."""
    best = -1
    for _, outcomes in admitted(exam, order, rule, conditions, held):
        best = max(best, sum(map(bool, meeting(exam, outcomes, conditions))))
        if best == exam.n_judges:
            break
    return best


def panels(exam, order, rule, conditions):
    """Every largest set of judges who can meet the conditions at once, at some key."""
    found = set()
    for _, outcomes in admitted(exam, order, rule, conditions):
        able = meeting(exam, outcomes, conditions)
        found.add(frozenset(j for j, some in zip(exam.judges, able, strict=True) if some))
    return found


def highest(exam, order, rule, *, every_label=False):
    """The highest level that all judges can reach on all labels, and the keys that let them."""
    best, keys = Fraction(-1), set()
    for key, outcomes in exam.worlds(order, rule):
        if every_label and not all(key):
            continue
        level = min(max(one.worst for one in some) for some in outcomes)
        if level > best:
            best, keys = level, set()
        if level == best:
            keys.add(key)
    return best, keys


def ranges(exam, order, rule, conditions):
    """{(judge, label): (lowest, highest)} with None for "no judge" and "no label"; {} if impossible."""
    values = {}
    for key, outcomes in admitted(exam, order, rule, conditions):
        able = meeting(exam, outcomes, conditions)
        if not all(able):
            continue
        for label, q in zip(exam.labels, key, strict=True):
            values.setdefault((None, label), set()).add(Fraction(q, exam.n_items))
        for judge, some in zip(exam.judges, able, strict=True):
            for one in some:
                collect(values, exam, judge, one)
    return {what: (min(seen), max(seen)) for what, seen in values.items()}


def collect(values, exam, judge, one):
    """Add the grade and the accuracies of an outcome to the values seen."""
    if one.grade is not None:
        values.setdefault((judge, None), set()).add(one.grade)
    for label, c, d in zip(exam.labels, one.right, one.held, strict=True):
        if d:
            values.setdefault((judge, label), set()).add(Fraction(c, d))


def is_true(exam, claim):
    """Whether the claim of a certificate, as a JSON object, is true of the exam."""
    spec = claim["specification"]
    needed = exam.n_judges if spec["min_judges"] is None else spec["min_judges"]
    best = most_judges(
        exam, claim["order"], claim["missing"], spec["conditions"], claim.get("held") or ()
    )
    return (best >= needed) == (claim["verdict"] == "possible")
