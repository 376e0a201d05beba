"""Whatever the verifier accepts is true: brute force over every answer key of tiny exams.

Nothing here uses the package beyond `verify`: exams, digests, conditions and linear programs are
written again from the reference on certificates, so that a mistake would have to be made twice.
"""

import hashlib
import itertools
import json
import math
import random
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, linprog, milp

from algeval.verify import least_blamed, verify
from algeval.verify_alarm import Rejected, next_fraction

LABELS = "abc"


# exams, conditions and brute force ------------------------------------------------------------------


def digest(body):
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


class Exam:
    """Items by judges, answers as positions; -1 not answered, R.. an answer that is never correct."""

    def __init__(self, votes, n_labels, n_answers, missing):
        self.votes, self.R, self.A, self.missing = votes, n_labels, n_answers, missing
        self.Q, self.N = len(votes), len(votes[0])
        self.tuples = sorted(Counter(votes).items())
        self.judges = [f"j{i}" for i in range(self.N)]

    def names(self):
        answers = [*LABELS[: self.R], *"xyz"[: self.A - self.R]]
        return {"judges": self.judges, "labels": list(LABELS[: self.R]), "answers": answers}

    def sketch(self):
        codes, counts = [list(u) for u, _ in self.tuples], [n for _, n in self.tuples]
        return {"schema": "algeval.sketch/1", **self.names(), "codes": codes, "counts": counts}

    def summary(self):
        table = [[sum(v[i] == a for v in self.votes) for a in range(self.A)] for i in range(self.N)]
        return {"schema": "algeval.summary/1", **self.names(), "counts": table, "n_items": self.Q}

    def sub(self, judges):
        part = Exam([tuple(v[i] for i in judges) for v in self.votes], self.R, self.A, self.missing)
        part.judges = [self.judges[i] for i in judges]
        return part

    def column(self, i):
        return [v[i] for v in self.votes]

    def certificate(self, order, conditions, verdict, evidence, min_judges=None):
        data = self.summary() if order == 1 else self.sketch()
        spec = {"schema": "algeval.specification/1", "conditions": conditions}
        claim = {
            "verdict": verdict,
            "data": digest(data),
            "order": order,
            "missing": self.missing,
            "specification": spec | {"min_judges": min_judges},
        }
        return {"schema": "algeval.certificate/1", "claim": claim, "evidence": evidence}


def compare(count, sense, asked):
    return {">=": count >= asked, ">": count > asked, "<=": count <= asked}[sense]


def key_ok(exam, truth, conditions):
    return all(
        compare(truth.count(t), c["sense"], F(c["value"]) * exam.Q)
        for c in conditions
        if c["quantity"] == "prevalence"
        for t in range(exam.R)
        if c["label"] in (None, LABELS[t])
    )


def judge_ok(exam, name, column, truth, conditions):
    held = [
        (answer == label, label)
        for answer, label in zip(column, truth, strict=True)
        if answer != -1 or exam.missing == "wrong"
    ]
    for c in conditions:
        if c["judge"] not in (None, name) or c["quantity"] == "prevalence":
            continue
        groups = [range(exam.R)] if c["quantity"] == "grade" else [[t] for t in range(exam.R)]
        if c["label"] is not None:
            groups = [[LABELS.index(c["label"])]]
        for group in groups:
            right = [correct for correct, label in held if label in group]
            if right and not compare(sum(right), c["sense"], F(c["value"]) * len(right)):
                return False
    return True


def most_judges(exam, order, conditions):
    """Return how many judges can meet the conditions at once, -1 if no key meets the prevalences."""
    best = -1
    if order == 1:
        columns = [set(itertools.permutations(exam.column(i))) for i in range(exam.N)]
        for truth in itertools.combinations_with_replacement(range(exam.R), exam.Q):
            if key_ok(exam, truth, conditions):
                met = sum(
                    any(judge_ok(exam, exam.judges[i], c, truth, conditions) for c in columns[i])
                    for i in range(exam.N)
                )
                best = max(best, met)
        return best
    for truth in itertools.product(range(exam.R), repeat=exam.Q):
        if key_ok(exam, truth, conditions):
            met = sum(
                judge_ok(exam, exam.judges[i], exam.column(i), truth, conditions)
                for i in range(exam.N)
            )
            best = max(best, met)
    return best


def random_exam(rng, most_items=5):
    R = rng.choice([1, 2, 2, 2, 3])
    A, N, Q = R + rng.choice([0, 0, 1]), rng.choice([1, 2, 2, 3]), rng.randint(1, most_items)
    low = rng.choice([0, 0, -1])
    votes = [tuple(rng.randint(low, A - 1) for _ in range(N)) for _ in range(Q)]
    return Exam(votes, R, A, rng.choice(["excluded", "wrong"]))


def condition(quantity, sense, value, judge=None, label=None):
    return {
        "quantity": quantity,
        "sense": sense,
        "value": str(F(value)),
        "judge": judge,
        "label": label,
    }


def random_condition(rng, exam):
    d = rng.randint(1, 6)
    value, sense = F(rng.randint(0, d), d), rng.choice([">=", ">=", ">", "<="])
    judge, label = rng.choice([None, *exam.judges]), rng.choice([None, *LABELS[: exam.R]])
    quantity = rng.choice(["accuracy", "accuracy", "accuracy", "grade", "prevalence"])
    if quantity == "grade":
        label = None
    if quantity == "prevalence":
        judge = None
    return condition(quantity, sense, value, judge, label)


def random_conditions(rng, exam):
    if rng.random() < 0.5:
        d = rng.randint(1, 6)
        level = condition("accuracy", rng.choice([">=", ">"]), F(rng.randint(0, d), d))
        return [level] if rng.random() < 0.6 else [level, random_condition(rng, exam)]
    return [random_condition(rng, exam) for _ in range(rng.randint(1, 3))]


# witnesses ------------------------------------------------------------------------------------------


def witness(exam, truth, order):
    R, answers = range(exam.R), range(exam.A)
    pairs = list(zip(exam.votes, truth, strict=True))
    if order == "full":
        cells = [[sum(v == u and t == s for v, s in pairs) for t in R] for u, _ in exam.tuples]
        return {"kind": "witness", "cells": cells}
    tables = [
        [[sum(v[i] == a and t == s for v, s in pairs) for t in R] for a in answers]
        for i in range(exam.N)
    ]
    result = {"kind": "witness", "key_counts": [truth.count(t) for t in R], "tables": tables}
    if order == 2:
        codes = [*answers, -1]
        result["pairs"] = [
            [i, j, [[[sum(v[i] == a and v[j] == b and t == s for v, s in pairs) for t in R]
                     for b in codes] for a in codes]]
            for i, j in itertools.combinations(range(exam.N), 2)
        ]  # fmt: skip
    return result


@pytest.mark.parametrize("order", [1, 2, "full"])
def test_a_true_solution_verifies_exactly_when_it_meets_the_conditions(order):
    rng, outcomes = random.Random(1), Counter()
    for _ in range(400):
        exam = random_exam(rng)
        conditions = random_conditions(rng, exam)
        truth = [rng.randrange(exam.R) for _ in range(exam.Q)]
        met = [
            name
            for i, name in enumerate(exam.judges)
            if judge_ok(exam, name, exam.column(i), truth, conditions)
        ]
        key = key_ok(exam, truth, conditions)
        evidence = witness(exam, truth, order)
        made = exam.certificate(order, conditions, "possible", evidence)
        found = verify(made, exam.sketch())
        assert found.ok == (key and len(met) == exam.N), found.sentence
        outcomes[found.ok] += 1
        for k in range(1, exam.N + 1):
            names = rng.sample(exam.judges, rng.randint(0, exam.N))
            made = exam.certificate(order, conditions, "possible", evidence | {"judges": names}, k)
            right = key and len(names) >= k and set(names) <= set(met)
            assert verify(made, exam.sketch()).ok == right
            outcomes["panel", right] += 1
    assert min(outcomes.values()) > 20


def numbers_of(value, path=()):
    if isinstance(value, dict | list):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, entry in entries:
            yield from numbers_of(entry, (*path, key))
    elif isinstance(value, int) or (isinstance(value, str) and value[:1].isdigit()):
        yield path, value


def changed(document, path, value):
    document = json.loads(json.dumps(document))
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return document


def mutations(document, rng):
    for path, value in numbers_of(document):
        if path[-1] in ("order", "schema"):
            continue
        step = rng.choice([-1, 1])
        yield changed(
            document, path, value + step if isinstance(value, int) else str(F(value) + step)
        )
        if isinstance(value, int):
            for other in (float(value), str(value), True, None):
                yield changed(document, path, other)


@pytest.mark.parametrize("order", [1, 2, "full"])
def test_no_number_of_a_witness_or_of_its_data_may_change(order):
    rng, tried = random.Random(2), 0
    while tried < 500:
        exam = random_exam(rng)
        truth = [rng.randrange(exam.R) for _ in range(exam.Q)]
        conditions = [condition("accuracy", ">=", 0)]
        made = exam.certificate(order, conditions, "possible", witness(exam, truth, order))
        data = exam.summary() if order == 1 and rng.random() < 0.5 else exam.sketch()
        assert verify(made, data)
        for broken in mutations(made["evidence"], rng):
            tried += 1
            assert not verify(made | {"evidence": broken}, data), broken
        for broken in mutations(data, rng):
            assert not verify(made, broken), broken


# an independent prover: rows from the reference, multipliers from a solver, branch and bound ---------


class Prover:
    def __init__(self, exam, order, conditions, rounding=True):
        self.exam, self.order, self.conditions = exam, order, conditions
        self.rounding = rounding
        self.columns, self.upper, self.rows = {}, [], []
        self.key_low, self.key_high = [0] * exam.R, [exam.Q] * exam.R
        for c in conditions:
            for t in range(exam.R):
                if c["quantity"] == "prevalence" and c["label"] in (None, LABELS[t]):
                    x = F(c["value"]) * exam.Q
                    if c["sense"] == "<=":
                        self.key_high[t] = min(self.key_high[t], math.floor(x))
                    else:
                        bound = math.ceil(x) if c["sense"] == ">=" else math.floor(x) + 1
                        self.key_low[t] = max(self.key_low[t], bound)
        for t in range(exam.R):
            self.column(("q", t), exam.Q)
        self.equality(["size"], {("q", t): 1 for t in range(exam.R)}, exam.Q)
        self.full_rows() if order == "full" else self.judge_rows()
        self.condition_rows()

    def column(self, name, upper):
        self.columns[name] = len(self.columns)
        self.upper.append(upper)

    def equality(self, name, form, right):
        self.rows.append((name, form, F(right), True))

    def at_least(self, name, form, right):
        self.rows.append((name, form, F(right), False))

    def full_rows(self):
        e = self.exam
        for u, (_, n) in enumerate(e.tuples):
            for t in range(e.R):
                self.column((u, t), n)
            self.equality(["tuple", u], {(u, t): 1 for t in range(e.R)}, n)
        for t in range(e.R):
            form = {(u, t): 1 for u in range(len(e.tuples))} | {("q", t): -1}
            self.equality(["label", t], form, 0)

    def judge_rows(self):
        e = self.exam
        codes = [*range(e.A), -1]
        for i in range(e.N):
            for a in codes:
                n = e.column(i).count(a)
                for t in range(e.R):
                    self.column((i, a, t), n)
                name = ["unanswered", i] if a == -1 else ["observed", i, a]
                self.equality(name, {(i, a, t): 1 for t in range(e.R)}, n)
            for t in range(e.R):
                self.equality(["key", i, t], {(i, a, t): 1 for a in codes} | {("q", t): -1}, 0)
        for i, j in itertools.combinations(range(e.N), 2) if self.order == 2 else ():
            for a, b in itertools.product(codes, codes):
                n = sum(v[i] == a and v[j] == b for v in e.votes)
                for t in range(e.R):
                    self.column((i, j, a, b, t), n)
                self.equality(["pair", i, j, a, b], {(i, j, a, b, t): 1 for t in range(e.R)}, n)
            for t in range(e.R):
                for a in codes:
                    form = {(i, j, a, b, t): 1 for b in codes} | {(i, a, t): -1}
                    self.equality(["left", i, j, a, t], form, 0)
                for b in codes:
                    form = {(i, j, a, b, t): 1 for a in codes} | {(j, b, t): -1}
                    self.equality(["right", i, j, b, t], form, 0)

    def correct(self, i, t):
        if self.order != "full":
            return {(i, t, t): 1}
        return {(u, t): 1 for u, (codes, _) in enumerate(self.exam.tuples) if codes[i] == t}

    def all_held(self, i):
        return self.exam.missing == "wrong" or -1 not in self.exam.column(i)

    def held(self, i, t):
        if self.all_held(i):
            return {("q", t): 1}
        if self.order != "full":
            return {(i, a, t): 1 for a in range(self.exam.A)}
        return {(u, t): 1 for u, (codes, _) in enumerate(self.exam.tuples) if codes[i] != -1}

    def level(self, c):
        x, Q = F(c["value"]), self.exam.Q
        if c["sense"] != ">":
            return x
        return min(F(p, q) for q in range(1, Q + 1) for p in [math.floor(x * q) + 1])

    def condition_rows(self):
        e = self.exam
        for place, c in enumerate(self.conditions):
            sign, x = (-1 if c["sense"] == "<=" else 1), self.level(c)
            if c["quantity"] == "prevalence":
                for t in range(e.R):
                    if c["label"] in (None, LABELS[t]):
                        right = math.ceil(x * e.Q) if sign > 0 else -math.floor(x * e.Q)
                        self.at_least(["condition", place, None, t], {("q", t): sign}, right)
                continue
            for i, name in enumerate(e.judges):
                if c["judge"] not in (None, name):
                    continue
                if c["quantity"] == "grade":
                    total = e.Q if self.all_held(i) else e.Q - e.column(i).count(-1)
                    form = {v: sign for t in range(e.R) for v in self.correct(i, t)}
                    right = math.ceil(x * total) if sign > 0 else -math.floor(x * total)
                    self.at_least(["condition", place, i, None], form, right)
                    continue
                for t in range(e.R):
                    if c["label"] not in (None, LABELS[t]):
                        continue
                    form = Counter({v: F(sign) for v in self.correct(i, t)})
                    for v in self.held(i, t):
                        form[v] -= sign * x
                    self.at_least(["condition", place, i, t], form, 0)
                    if sign > 0 and x > 0 and self.rounding:
                        most = math.floor(F(e.column(i).count(t)) / x)
                        self.at_least(
                            ["cap", place, i, t], dict.fromkeys(self.held(i, t), -1), -most
                        )

    def leaf_rows(self, low):
        for place, c in enumerate(self.conditions if self.rounding else ()):
            if c["quantity"] == "accuracy" and c["sense"] != "<=":
                for i, name in enumerate(self.exam.judges):
                    for t in range(self.exam.R):
                        covered = c["judge"] in (None, name) and c["label"] in (None, LABELS[t])
                        if covered and self.all_held(i):
                            bound = math.ceil(self.level(c) * low[t])
                            yield ["rounded", place, i, t], self.correct(i, t), F(bound), False

    def matrix(self, rows):
        A = np.zeros((len(rows), len(self.columns)))
        for r, (_, form, _, _) in enumerate(rows):
            for v, k in form.items():
                A[r, self.columns[v]] += float(k)
        return A

    def bounds(self, low, high):
        lb, ub = np.zeros(len(self.upper)), np.array(self.upper, float)
        lb[: self.exam.R], ub[: self.exam.R] = low, high
        return lb, ub

    def integer_feasible(self):
        lb, ub = self.bounds(self.key_low, self.key_high)
        if (lb > ub).any():
            return False
        right = np.array([float(row[2]) for row in self.rows])
        top = np.where([row[3] for row in self.rows], right, np.inf)
        constraint = LinearConstraint(self.matrix(self.rows), right - 1e-9, top + 1e-9)
        solved = milp(
            np.zeros(len(ub)), constraints=constraint, integrality=np.ones(len(ub)),
            bounds=(lb, ub),
        )  # fmt: skip
        return solved.status == 0

    def refute(self, rows, low, high):
        """Return multipliers, or the real point that meets all rows."""
        lb, ub = self.bounds(low, high)
        if (lb > ub).any():  # the rows of the splits and prevalences say so as well
            lb, ub = self.bounds([0] * self.exam.R, [self.exam.Q] * self.exam.R)
        A, right = self.matrix(rows), np.array([float(row[2]) for row in rows])
        equal = np.array([row[3] for row in rows])
        both, sides = np.vstack([A, -A[equal]]), np.concatenate([right, -right[equal]])
        solved = linprog(
            [0.0] * len(ub) + [1.0],
            A_ub=-np.hstack([both, np.ones((len(both), 1))]),
            b_ub=-sides,
            bounds=[*zip(lb, ub, strict=True), (0, None)],
        )
        if solved.fun < 1e-7:
            return None, solved.x[:-1]
        y = -solved.ineqlin.marginals
        y, back = y[: len(rows)], y[len(rows) :]
        y[equal] -= back
        exact = [F(float(v)).limit_denominator(1000) for v in y]
        named = [
            [row[0], str(v if row[3] else max(v, 0))]
            for row, v in zip(rows, exact, strict=True)
            if v
        ]
        return named, None

    def forms(self):
        e = self.exam
        for t in range(e.R):
            yield ["key", t], {("q", t): 1}
        for i, t in itertools.product(range(e.N), range(e.R)):
            yield ["correct", i, t], self.correct(i, t)
        for v in self.columns:
            if self.order == "full" and v[0] != "q":
                yield ["cell", *v], {v: 1}
            elif v[0] != "q":
                yield ["answer" if len(v) == 3 else "pair", *v], {v: 1}

    def branch(self, low=None, high=None, splits=(), forced=()):
        """Return a tree that refutes the program, or None when a whole-number point turns up.

        `forced` are splits to make first, whether they help or not.
        """
        low, high = low or self.key_low, high or self.key_high
        if forced:
            name, form, k = forced[0]
            return self.split(low, high, splits, name, form, k, forced[1:])
        named, point = self.refute([*self.rows, *self.leaf_rows(low), *splits], low, high)
        if point is None:
            return {"kind": "multipliers", "rows": named}
        for name, form in self.forms():
            value = sum(k * point[self.columns[v]] for v, k in form.items())
            if abs(value - round(value)) > 1e-6:
                return self.split(low, high, splits, name, form, math.floor(value))
        return None

    def split(self, low, high, splits, name, form, k, forced=()):
        s = len(splits)
        below = ["split", s], dict.fromkeys(form, -1), F(-k), False
        above = ["split", s], form, F(k + 1), False
        lows, highs = list(low), list(high)
        if name[0] == "key":
            highs[name[1]], lows[name[1]] = min(high[name[1]], k), max(low[name[1]], k + 1)
        first = self.branch(low, highs, (*splits, below), forced)
        second = first and self.branch(lows, high, (*splits, above), forced)
        return second and {"split": name, "at": k, "low": first, "high": second}


def evidence_of(tree):
    return tree if tree.get("kind") else {"kind": "branches", "tree": tree}


@pytest.mark.parametrize("order", [1, 2, "full"])
def test_every_impossible_claim_has_a_tree_that_verifies_and_no_possible_one_does(order):
    rng, seen = random.Random(3), Counter()
    for _ in range(600):
        exam = random_exam(rng, 4)
        conditions = random_conditions(rng, exam)
        prover = Prover(exam, order, conditions, rounding=rng.random() < 0.5)
        if order == 2 and exam.N == 3:
            possible = prover.integer_feasible()
        else:
            possible = most_judges(exam, order, conditions) == exam.N
        forms = list(prover.forms())
        forced = [
            (*rng.choice(forms), rng.randint(-1, exam.Q)) for _ in range(rng.choice([0, 0, 1, 2]))
        ]
        tree = prover.branch(forced=forced)
        seen[possible, bool(tree and "split" in tree)] += 1
        assert (tree is None) == possible
        if tree:
            made = exam.certificate(order, conditions, "impossible", evidence_of(tree))
            found = verify(made, exam.sketch())
            assert found, found.sentence
    assert seen[True, False] > 20
    assert seen[False, False] > 20
    assert seen[False, True] > 20


def random_leaf(rng, exam, prover, depth):
    kind = rng.choice(["cap", "weights", "multipliers", "multipliers"])
    if kind == "cap":
        return {"kind": "cap", "judges": [rng.choice([None, *exam.judges]) for _ in range(exam.R)]}
    if kind == "weights":

        def table(most):
            return [[str(F(rng.randint(0, most), rng.randint(1, 2))) for _ in range(exam.R)]
                    for _ in range(exam.N)]  # fmt: skip

        result = {"kind": "weights", "weights": table(3)}
        if rng.random() < 0.5:
            result["correct"] = table(1)
            result["key_low"], result["key_high"] = table(2)[0], table(2)[0]
        return result
    rows = [["split", s] for s in range(depth)]
    rows += [row[0] for row in [*prover.rows, *prover.leaf_rows([0] * exam.R)]]
    chosen = [name for name in rows if rng.random() < 0.5]
    return {"kind": "multipliers", "rows": [[name, rng.randint(-1, 3)] for name in chosen]}


def random_tree(rng, exam, prover, depth=0):
    if depth > 3 or rng.random() < 0.4:
        return random_leaf(rng, exam, prover, depth)
    form = rng.choice([name for name, _ in prover.forms()])
    sides = [random_tree(rng, exam, prover, depth + 1) for _ in range(2)]
    return {"split": form, "at": rng.randint(-1, exam.Q), "low": sides[0], "high": sides[1]}


@pytest.mark.parametrize("order", [1, "full"])
def test_random_evidence_never_proves_what_is_false(order):
    rng, accepted, refused = random.Random(4), Counter(), 0
    for _ in range(250):
        exam = random_exam(rng, 4)
        conditions = random_conditions(rng, exam)
        prover = Prover(exam, order, conditions)
        possible = most_judges(exam, order, conditions) == exam.N
        for _ in range(25):
            evidence = evidence_of(random_tree(rng, exam, prover))
            made = exam.certificate(order, conditions, "impossible", evidence)
            found = verify(made, exam.sketch())
            assert not (found and possible), (found.sentence, exam.votes, conditions, evidence)
            accepted[evidence["kind"]] += found.ok
            refused += not found.ok
    assert accepted["cap"] > 20
    assert accepted["multipliers"] > 5
    assert accepted["branches"] > 5
    assert accepted["weights"] > (20 if order == "full" else -1)
    assert refused > 500


@pytest.mark.parametrize("order", [1, 2, "full"])
def test_a_changed_refutation_that_still_verifies_is_still_true(order):
    rng, tried = random.Random(5), Counter()
    while sum(tried.values()) < 400:
        exam = random_exam(rng, 3)
        conditions = random_conditions(rng, exam)
        prover = Prover(exam, order, conditions)
        if order == 2 and exam.N > 2:
            continue
        tree = prover.branch()
        if tree is None:
            continue
        made = exam.certificate(order, conditions, "impossible", evidence_of(tree))
        for broken in mutations(made, rng):
            found = verify(broken, exam.sketch())
            if found:
                asked = broken["claim"]["specification"]["conditions"]
                assert most_judges(exam, order, asked) < exam.N, broken
            tried[found.ok] += 1
        for broken in mutations(exam.sketch(), rng):
            assert not verify(made, broken)
    assert tried[False] > 50


# panels ---------------------------------------------------------------------------------------------


def conflicts_of(exam, order, conditions):
    found = []
    for size in range(1, exam.N + 1):
        for judges in itertools.combinations(range(exam.N), size):
            part = exam.sub(judges)
            if any(set(c["judges"]) <= set(part.judges) for c in found):
                continue
            asked = [c for c in conditions if c["judge"] in (None, *part.judges)]
            prover = Prover(part, order, asked)
            tree = prover.branch()
            if tree:
                found.append({"judges": part.judges, "evidence": evidence_of(tree)})
    return found


def blame(conflicts, blamed=frozenset()):
    for place, conflict in enumerate(conflicts):
        if not set(conflict["judges"]) & blamed:
            children = {name: blame(conflicts, blamed | {name}) for name in conflict["judges"]}
            return {"conflict": place, "children": children}
    return None


def shortest(tree):
    return 0 if tree is None else 1 + min(map(shortest, tree["children"].values()))


@pytest.mark.parametrize("order", [1, "full"])
def test_panel_claims_hold_exactly_as_far_as_brute_force_says(order):
    rng, seen = random.Random(6), Counter()
    for _ in range(120):
        exam = random_exam(rng, 4)
        conditions = random_conditions(rng, exam)
        conflicts = conflicts_of(exam, order, conditions)
        tree = blame(conflicts)
        evidence = {"kind": "conflicts", "conflicts": conflicts, "tree": tree}
        most = most_judges(exam, order, conditions)
        for k in range(1, exam.N + 1):
            made = exam.certificate(order, conditions, "impossible", evidence, k)
            found = verify(made, exam.sketch())
            assert found.ok == (exam.N - shortest(tree) < k), found.sentence
            assert not (found.ok and most >= k)
            seen[found.ok, exam.N > 1] += 1
    assert min(seen.values()) > 5


def paths(node, nodes, conflicts, blamed=()):
    """Judges blamed on each path from a node down; False where a conflict meets those above it."""
    node = nodes[node] if isinstance(node, int) else node
    if node is None:
        yield blamed
        return
    members = conflicts[node["conflict"]]
    if members & set(blamed):
        yield False
        return
    for name in members:
        yield from paths(node["children"][name], nodes, conflicts, (*blamed, name))


def test_a_blame_tree_with_shared_nodes_says_what_each_of_its_paths_says():
    """Trees at random, good and bad, against all of their paths, one by one."""
    rng, seen = random.Random(11), Counter()
    names = "abcdefgh"
    while min(seen[True], seen[False]) < 150:
        sets = [frozenset(rng.sample(names, rng.randint(1, 2))) for _ in range(6)]
        n = rng.randint(1, 6)

        def child(place, n=n, sets=sets):
            if rng.random() < 0.2:
                return None
            if rng.random() < 0.15:  # written out in place
                return node(place, rng.randrange(6), sets)
            return rng.randrange(place + 1, n + 1)

        def node(place, k, sets):
            return {"conflict": k, "children": {name: child(place) for name in sets[k]}}

        nodes = [node(k, min(k, 5) if rng.random() < 0.8 else 0, sets) for k in range(n)] + [None]
        every = list(paths(0, nodes, sets))
        good = False not in every
        seen[good] += 1
        if good:
            assert least_blamed(0, sets, nodes) == min(map(len, every))
        else:
            with pytest.raises(Rejected, match="blamed above it"):
                least_blamed(0, sets, nodes)
    backwards = [{"conflict": 0, "children": dict.fromkeys(sets[0], 0)}]
    with pytest.raises(Rejected, match="position must be in"):
        least_blamed(0, sets, backwards)


def test_chains_never_promise_too_much_and_are_tight():
    rng, seen = random.Random(7), Counter()
    for _ in range(300):
        exam = random_exam(rng, 5)
        if exam.R != 2:
            continue
        conditions = random_conditions(rng, exam)
        monotone = all(c["quantity"] == "accuracy" and c["sense"] != "<=" for c in conditions)
        most = most_judges(exam, 1, conditions)
        accepted = set()
        for groups in itertools.product(range(-1, exam.N), repeat=exam.N):
            chains = [
                [name for name, g in zip(exam.judges, groups, strict=True) if g == group]
                for group in sorted(set(groups) - {-1})
            ]
            evidence = {"kind": "conflicts", "chains": chains}
            for k in range(1, exam.N + 1):
                made = exam.certificate(1, conditions, "impossible", evidence, k)
                if verify(made, exam.sketch()):
                    accepted.add(k)
        assert all(k > most for k in accepted)
        if monotone:  # then the intervals are exact, and so is their colouring
            assert accepted == {k for k in range(1, exam.N + 1) if k > most}
        seen[monotone, bool(accepted)] += 1
    assert min(seen.values()) > 5


def test_the_next_fraction_is_the_next_one():
    for n in range(1, 13):
        farey = sorted({F(p, q) for q in range(1, n + 1) for p in range(q + 1)})
        for x in sorted({F(p, q) for q in range(1, 15) for p in range(q + 1)}):
            above = [f for f in farey if f > x]
            assert next_fraction(x, n) == (above[0] if above else 1 + F(1, n))


# keys that hold a judge to an item of a label ---------------------------------------------------------


class HeldProver(Prover):
    """The program of a claim with `held`: a row for each pair of judge and label."""

    def __init__(self, exam, order, conditions, held):
        self.pairs = held
        super().__init__(exam, order, conditions)

    def condition_rows(self):
        super().condition_rows()
        for h, (i, t) in enumerate(self.pairs):
            self.at_least(["held", h], self.held(i, t), 1)


def claimed(made, exam, held):
    made["claim"]["held"] = [{"judge": exam.judges[i], "label": LABELS[t]} for i, t in held]
    return made


def is_held(exam, column, truth, t):
    """Whether a judge with these answers is held to an item of the label."""
    return any(
        label == t and (answer != -1 or exam.missing == "wrong")
        for answer, label in zip(column, truth, strict=True)
    )


def meets(exam, i, column, truth, conditions, held):
    return judge_ok(exam, exam.judges[i], column, truth, conditions) and all(
        is_held(exam, column, truth, t) for judge, t in held if judge == i
    )


def possible(exam, order, conditions, held):
    if order == 1:
        columns = [set(itertools.permutations(exam.column(i))) for i in range(exam.N)]
        truths = itertools.combinations_with_replacement(range(exam.R), exam.Q)
    else:
        columns = [[exam.column(i)] for i in range(exam.N)]
        truths = itertools.product(range(exam.R), repeat=exam.Q)
    return any(
        key_ok(exam, truth, conditions)
        and all(
            any(meets(exam, i, c, truth, conditions, held) for c in columns[i])
            for i in range(exam.N)
        )
        for truth in truths
    )


def random_held(rng, exam):
    pairs = list(itertools.product(range(exam.N), range(exam.R)))
    return rng.sample(pairs, min(len(pairs), rng.choice([1, 1, 2])))


@pytest.mark.parametrize("order", [1, 2, "full"])
def test_a_witness_verifies_exactly_when_it_holds_the_judges(order):
    rng, seen = random.Random(11), Counter()
    for _ in range(500):
        exam = random_exam(rng)
        conditions, held = random_conditions(rng, exam), random_held(rng, exam)
        truth = [rng.randrange(exam.R) for _ in range(exam.Q)]
        made = exam.certificate(order, conditions, "possible", witness(exam, truth, order))
        without = verify(made, exam.sketch()).ok
        found = verify(claimed(made, exam, held), exam.sketch())
        holds = all(is_held(exam, exam.column(i), truth, t) for i, t in held)
        assert found.ok == (without and holds), found.sentence
        if without and not holds:
            assert "does not hold judge" in found.sentence
        seen[without, holds] += 1
    assert min(seen.values()) > 20


@pytest.mark.parametrize("order", [1, 2, "full"])
def test_impossible_claims_with_held_verify_and_false_ones_never_do(order):
    rng, seen = random.Random(12), Counter()
    while sum(seen.values()) < 250:
        exam = random_exam(rng, 4)
        if order == 2 and exam.N > 2:  # with two judges order 2 is the full order
            continue
        conditions, held = random_conditions(rng, exam), random_held(rng, exam)
        can = possible(exam, order, conditions, held)
        tree = HeldProver(exam, order, conditions, held).branch()
        assert (tree is None) == can
        alone = possible(exam, order, conditions, [])
        seen[can, alone] += 1
        if tree is None:
            continue
        made = exam.certificate(order, conditions, "impossible", evidence_of(tree))
        found = verify(claimed(made, exam, held), exam.sketch())
        assert found, found.sentence
        assert "held to an item of" in found.sentence
        del made["claim"]["held"]
        assert not (verify(made, exam.sketch()).ok and alone)
        for other in itertools.combinations(itertools.product(range(exam.N), range(exam.R)), 1):
            if verify(claimed(made, exam, other), exam.sketch()):
                assert not possible(exam, order, conditions, other)
        claimed(made, exam, held)
        for broken in itertools.islice(mutations(made, rng), 20):
            if verify(broken, exam.sketch()):
                asked = broken["claim"]["specification"]["conditions"]
                assert not possible(exam, order, asked, held), broken
    assert seen[False, True] > 20  # impossible because of `held` alone
    assert seen[True, True] > 20


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ([{"judge": "nobody", "label": "a"}], "must be names in the data; got 'nobody'"),
        ([{"judge": "j0", "label": "z"}], "must be names in the data; got 'z'"),
        ([{"judge": "j0"}], "must have the field 'label'"),
        ([{"judge": "j0", "label": "a", "times": 2}], "does not know"),
        ([["j0", "a"]], "must be an object"),
        ("j0", "must be a list"),
        ([{"judge": None, "label": "a"}], "must be non-empty text"),
    ],
)
def test_held_is_read_strictly(held, words):
    rng = random.Random(1)
    exam = random_exam(rng)
    while exam.R < 2:
        exam = random_exam(rng)
    truth = [0] * exam.Q
    conditions = [
        {"quantity": "prevalence", "judge": None, "label": "a", "sense": ">=", "value": "0"}
    ]
    made = exam.certificate("full", conditions, "possible", witness(exam, truth, "full"))
    assert verify(made, exam.sketch())
    made["claim"]["held"] = held
    found = verify(made, exam.sketch())
    assert not found
    assert words in found.sentence
