"""Names carry no number: labels and judges renamed, judges, labels and rows permuted, change none.

Every public question is asked of a table and of its image, in which every label and judge has another name
that sorts otherwise, and columns and rows stand in another order; what it answers is named back and
compared. Of a table with a symmetry, as where two judges are mirror images, the image is the table itself,
so that mirrored judges must get equal numbers and what is tied must be undecided.
"""

import math
import re
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate import METHODS
from algeval.errors import AlgevalError

LABELS = {"bad": "zinc", "good": "iron", "so-so": "lead"}
JUDGES = {"ada": "yann", "bob": "will", "cyd": "vera", "dee": "xena", "eve": "uwe"}


@dataclass(frozen=True)
class Table:
    """Codes (Q, N), of which -1 is no answer, the true label of each item, and the names."""

    codes: np.ndarray
    truth: np.ndarray
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    items: tuple[str, ...]

    def columns(self):
        """The columns of the table, as people have them."""
        words = [*self.labels, None]
        columns = {
            judge: [words[code] for code in self.codes[:, j]] for j, judge in enumerate(self.judges)
        }
        return {"item": list(self.items)} | columns

    @property
    def votes(self):
        return ae.Votes(self.items, self.judges, self.labels, self.labels, self.codes)

    def people(self, n=None):
        """Labels of people: of n items that do not depend on the order of rows, or of all."""
        rows = sorted(range(len(self.items)), key=lambda k: self.items[k])[:n]
        return {self.items[k]: self.labels[self.truth[k]] for k in rows}

    @property
    def keyed(self):
        key = self.truth.astype(np.int16)
        return ae.Votes(self.items, self.judges, self.labels, self.labels, self.codes, key)

    def image(self, seed):
        """The table with other names, in another order."""
        rng = np.random.default_rng(seed)
        renamed = [LABELS[label] for label in self.labels]
        labels = tuple(sorted(renamed))
        place = np.array([labels.index(label) for label in renamed] + [-1])
        rows, columns = rng.permutation(len(self.items)), rng.permutation(len(self.judges))
        return Table(
            place[self.codes][np.ix_(rows, columns)].astype(np.int16),
            place[self.truth][rows],
            tuple(JUDGES[self.judges[j]] for j in columns),
            labels,
            tuple(self.items[k] for k in rows),
        )


def table(codes, truth, n_labels):
    codes = np.asarray(codes, np.int16)
    items = tuple(f"item{k:02}" for k in range(len(codes)))
    names = tuple(JUDGES)[: codes.shape[1]], tuple(LABELS)[:n_labels]
    return Table(codes, np.asarray(truth), *names, items)


def drawn(seed, n_labels=2, n_items=23, n_judges=4, missing=0.05):
    """A table of judges who are right more often than not."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_labels, n_items)
    known = rng.random((n_items, n_judges)) < rng.uniform(0.5, 0.9, n_judges)
    codes = np.where(known, truth[:, None], rng.integers(0, n_labels, known.shape))
    codes[rng.random(codes.shape) < missing] = -1
    return table(codes, truth, n_labels)


def repeated(*rows, n_labels=2):
    """A table whose rows stand so many times each, true labels in turn."""
    codes = [row for row, n in rows for _ in range(n)]
    return table(codes, [k % n_labels for k in range(len(codes))], n_labels)


TABLES = {
    "two labels": drawn(1),
    "two labels, complete": drawn(2, missing=0),
    "three labels": drawn(3, n_labels=3),
    "two judges": drawn(4, n_labels=3, n_judges=2),
    "three judges": drawn(5, n_judges=3, missing=0),
    # the first and the last are mirror images
    "mirrored judges": repeated(([0, -1, 1], 10), ([0, 0, 0], 5), ([1, 1, 1], 5)),
    "opposite pair": repeated(([0, 1], 6), ([1, 0], 6), ([0, 0], 5), ([1, 1], 5)),
    "all tied": repeated(([0, 0, 1, 1], 4), ([1, 1, 0, 0], 4), ([0, 1, 0, 1], 3), ([1, 0, 1, 0], 3)),
    "a constant judge": repeated(([0, 0, 1], 7), ([0, 1, 1], 4), ([0, 1, 0], 4)),
    "constant judges": repeated(([0, 0, 1, 1], 12)),
    "a circle of three labels": repeated(
        ([0, 1, 2], 5), ([1, 2, 0], 5), ([2, 0, 1], 5), n_labels=3
    ),
}


# --- What a result says, by names.

NUMBER = re.compile(r"-?\d+(/\d+)?")
CODES = {"patterns", "codes", "counts", "item_pattern", "decisions", "keyed", "start"}
"""Places of labels and judges in lists: the data again, or told by names elsewhere."""

ONE_OF_MANY = {
    "certificate", "certificates", "witness", "refutation", "sketch_digest", "data", "keys",
    "digest", "message", "sentences", "where", "largest_panel", "refuted_by", "breaks_at",
    "relaxation", "answer_keys", "moments",
}
"""What is one of many that prove the same, or tells a table from its image."""


@dataclass(frozen=True)
class Along:
    """A list as long as an axis: numbers by name, or, where it has no axis, as (low, high), by place."""

    by_name: tuple
    by_place: tuple


def flat(value, back, axes):
    """What a document says: by name along an axis and in a mapping, in any order else."""
    if isinstance(value, dict):
        kept = {back.get(k, k): v for k, v in value.items() if k not in CODES | ONE_OF_MANY}
        return tuple((k, flat(kept[k], back, axes)) for k in sorted(kept, key=str))
    if isinstance(value, (list, tuple)):
        parts = tuple(flat(one, back, axes) for one in value)
        if len(value) in axes and not holds_words(parts):
            named = dict(zip(axes[len(value)], parts, strict=True))
            return Along(tuple((k, named[k]) for k in sorted(named)), parts)
        return tuple(sorted(parts, key=rounded))
    if isinstance(value, str):
        if NUMBER.fullmatch(value):
            return Fraction(value)
        return back.get(value, value if " " not in value else "a sentence")
    return value


def holds_words(parts):
    """Whether there is a word in it: names are no numbers along an axis."""
    if isinstance(parts, Along):
        return holds_words(parts.by_place)
    return any(map(holds_words, parts)) if isinstance(parts, tuple) else isinstance(parts, str)


def rounded(value):
    """What lists are sorted by, which rounding does not change."""
    if isinstance(value, Along):
        return rounded(value.by_name)
    if isinstance(value, tuple):
        return "(" + ", ".join(map(rounded, value)) + ")"
    return f"{float(value):.5g}" if isinstance(value, (float, Fraction)) else repr(value)


def same(one, other, path=""):
    """Where two of them differ."""
    if isinstance(one, Along) and isinstance(other, Along):
        by_name = same(one.by_name, other.by_name, path)
        return by_name and same(one.by_place, other.by_place, path) if is_interval(one) else by_name
    if isinstance(one, tuple) and isinstance(other, tuple):
        if len(one) != len(other):
            return [f"{path}: {one} became {other}"[:600]]
        keys = [f"{path}/{a[0]}" if isinstance(a, tuple) and a else path for a in one]
        return [
            found for a, b, k in zip(one, other, keys, strict=True) for found in same(a, b, k[-80:])
        ]
    if isinstance(one, float) and isinstance(other, (float, int)):
        if math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) or (one != one and other != other):
            return []
    elif one == other:
        return []
    return [f"{path}: {one!r} became {other!r}"[:300]]


def is_interval(value):
    """Whether a list can be (low, high), (low, estimate, high) or (estimate, low, high)."""
    numbers = [math.nan if v is None else float(Fraction(v)) for v in value.by_place if is_number(v)]
    if len(numbers) != len(value.by_place):
        return False
    low, *middle, high = numbers
    low, middle = (middle[0], [low]) if middle and middle[0] < low else (low, middle)
    return not (low > high or any(m < low or m > high for m in middle))


def is_number(value):
    return value is None or isinstance(value, (int, float, Fraction))


def said(result, case, back):
    axes = {len(case.items): case.items}
    axes[len(case.judges)] = [back.get(j, j) for j in case.judges]
    axes[len(case.labels)] = [back.get(x, x) for x in case.labels]
    document = result if isinstance(result, (dict, list, tuple)) else result.to_dict()
    return flat(document, back, axes)


def answer(question, case, back):
    try:
        return said(question(case), case, back)
    except AlgevalError as error:
        return type(error).__name__


def by_item(fit, case):
    """What an aggregation says of items and judges, by name."""
    posterior = np.asarray(fit.posterior_items)
    decided = np.asarray(fit.decisions)
    decided = decided if fit.item_pattern is None else decided[np.asarray(fit.item_pattern)]
    return {
        "status": fit.status.value,
        "items": [
            {"item": item, "called": None if d < 0 else fit.labels[d], **dict(zip(fit.labels, p, strict=True))}
            for item, d, p in zip(fit.items, decided.tolist(), posterior.tolist(), strict=True)
        ],
        "evaluation": None if fit.evaluation is None else fit.evaluation.to_floats().to_dict(),
        "warnings": list(fit.warnings),
    }


QUESTIONS = {
    "aggregate": lambda t: by_item(ae.aggregate(t.votes), t),
    "aggregate, intervals": lambda t: ae.aggregate(t.votes).bootstrap(n=20).to_dict(),
    "aggregate, people": lambda t: by_item(ae.aggregate(t.votes, human=t.people(12)), t),
    "agreement": lambda t: ae.agreement(t.votes),
    "alarm": lambda t: ae.alarm(t.votes, "3/4"),
    "bounds": lambda t: ae.bounds(t.votes, order=1),
    "check": lambda t: ae.check(t.votes, "3/4"),
    "compare": lambda t: ae.compare(t.votes),
    "confounders": lambda t: ae.confounders(t.votes),
    "count": lambda t: ae.count(t.columns(), item="item", judges=t.judges).summary(),
    "count_consistent": lambda t: {"n": ae.count_consistent(t.votes)},
    "decode": lambda t: ae.decode(t.votes, by_old_name(t)[:3]),
    "diagnose": lambda t: ae.diagnose(t.votes, n_starts=2, replicates=19),
    "disagreement": lambda t: ae.disagreement(t.votes),
    "drift": lambda t: ae.drift(t.votes, human=t.people(), good=good(t), judges=tuple(by_old_name(t)[:2])),
    "evaluations": lambda t: {"n": ae.evaluations(t.votes).count},
    "judge_bias": lambda t: ae.judge_bias(t.votes, {"length": {i: int(i[-2:]) * 7 % 11 for i in t.items}}, human=t.people(), good=good(t)),
    "judge_card": lambda t: ae.judge_card(t.votes, human=t.people(12)),
    "judge_groups": lambda t: ae.judge_groups(t.votes, min_common=5),
    "next": lambda t: ae.next(t.votes, 5),
    "panel": lambda t: ae.panel(t.votes, "3/4"),
    "plan": lambda t: ae.plan(half_width=0.1, pilot=t.votes, human=t.people(), good=good(t)),
    "rate": lambda t: ae.rate(t.votes, good(t), t.people(12)),
    "report": lambda t: ae.report(t.votes).to_dict(),
    "score": lambda t: ae.score(ae.aggregate(t.votes), t.keyed),
    "score_test": lambda t: ae.score_test(t.votes),
    "self_consistency": lambda t: ae.self_consistency(t.votes),
    "slices": lambda t: ae.slices(t.votes, {"half": {i: "early" if i < "item11" else "late" for i in t.items}}, human=t.people(), good=good(t)),
    "suspect_key": lambda t: ae.suspect_key(t.keyed),
    "suspects": lambda t: [one.to_dict() for one in ae.suspects(t.votes, min_shared=5)],
    "threshold": lambda t: ae.threshold(t.votes),
    "versus": lambda t: ae.versus(t.votes, mirror(t), good=good(t), human_a=t.people(12), human_b=t.people(12)),
}


def by_old_name(t):
    """The judges in the order of the table that this is an image of."""
    return sorted(t.judges, key=[*JUDGES, *JUDGES.values()].index)


def good(t):
    return "good" if "good" in t.labels else LABELS["good"]


def mirror(t):
    """A second system: the answers of the judges turned by one item, in the order of names."""
    order = np.argsort(t.items)
    codes = np.empty_like(t.codes)
    codes[order] = np.roll(t.codes[order], 1, axis=0)
    return ae.Votes(t.items, t.judges, t.labels, t.labels, codes)


BACK = {new: old for names in (LABELS, JUDGES) for old, new in names.items()}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("question", QUESTIONS)
def test_names_and_order_change_no_number(question, name):
    case = TABLES[name]
    first = answer(QUESTIONS[question], case, {})
    image = answer(QUESTIONS[question], case.image(7), BACK)
    assert same(first, image) == []


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("method", sorted(METHODS))
def test_names_and_order_change_no_aggregation(method, name):
    case = TABLES[name]

    def ask(t):
        return by_item(ae.aggregate(t.votes, method), t)

    assert same(answer(ask, case, {}), answer(ask, case.image(7), BACK)) == []
