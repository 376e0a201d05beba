"""The axioms: equations that every consistent evaluation satisfies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any, ClassVar

from algeval.data import KeyedSketch
from algeval.data.names import check_choice, check_names
from algeval.errors import DataError, option
from algeval.logic.consistent.count import refuse
from algeval.logic.policy import MOST_AXIOM_CELLS
from algeval.result import Result, Status
from algeval.result.tables import Table, scalars

# --- The linear algebra behind the axioms: symbols, equations as rows, exact rank.
#
# Every symbol is a count on the exam, and expands into the finest counts there are, n(u;t): items of true
# label t whose decision tuple is u. A linear relation between symbols holds on every exam exactly when its
# expansion vanishes, because the n(u;t) of exams are free.


@dataclass(frozen=True, slots=True)
class Quantity:
    """A count: items on which the judges in `given` gave these answers, and of true label `true`.

    `given`: pairs (judge, label), by position; `true`: position or None. With no judge and no label
    it is the number of items.
    """

    given: tuple[tuple[int, int], ...] = ()
    true: int | None = None

    @property
    def observed(self) -> bool:
        """Whether it can be counted without the answer key."""
        return self.true is None


Form = dict[Quantity, int]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Sizes: R labels, N judges, groups of up to m of them."""

    labels: int
    judges: int
    order: int

    def groups(self, least: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the groups of judges, small ones first."""
        for size in range(least, self.order + 1):
            yield from combinations(range(self.judges), size)

    def decisions(self, group: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
        """Yield every joint answer of a group."""
        for answers in product(range(self.labels), repeat=len(group)):
            yield tuple(zip(group, answers, strict=True))

    def unknown(self) -> list[Quantity]:
        """Q[t], then the counts by true label."""
        labels = range(self.labels)
        values = [u for group in self.groups() for u in self.decisions(group)]
        return [Quantity((), t) for t in labels] + [Quantity(u, t) for u in values for t in labels]

    def observed(self) -> list[Quantity]:
        """Q, then the counts without true label."""
        return [
            Quantity(),
            *(Quantity(u) for group in self.groups() for u in self.decisions(group)),
        ]

    def expansion(self, quantity: Quantity) -> Iterator[int]:
        """Yield the places of the n(u;t) that a quantity is the sum of."""
        fixed = dict(quantity.given)
        options = [
            [fixed[i]] if i in fixed else list(range(self.labels)) for i in range(self.judges)
        ]
        truths = range(self.labels) if quantity.true is None else [quantity.true]
        for u in product(*options):
            index = 0
            for answer in u:
                index = index * self.labels + answer
            for t in truths:
                yield index * self.labels + t

    def expand(self, form: Form) -> dict[int, int]:
        """Form in terms of the n(u;t); empty when it holds on every exam."""
        total: dict[int, int] = {}
        for quantity, coefficient in form.items():
            for index in self.expansion(quantity):
                total[index] = total.get(index, 0) + coefficient
        return {index: value for index, value in total.items() if value}


def generate(words: Vocabulary) -> Iterator[tuple[str, Form]]:
    """Yield (kind, form) for every axiom; each form is zero on every exam."""
    labels = range(words.labels)
    yield "size", {Quantity(): 1} | {Quantity((), t): -1 for t in labels}
    for group in words.groups():
        for t in labels:
            yield "simplex", _sum(words, group, t) | {Quantity((), t): -1}
    for group in words.groups(least=2):
        for left_out in group:
            rest = tuple(i for i in group if i != left_out)
            for u, t in product(words.decisions(rest), labels):
                yield "marginalisation", _margin(words, u, left_out, t) | {Quantity(u, t): -1}
    for group in words.groups():
        for u in words.decisions(group):
            yield "observation", {Quantity(u, t): 1 for t in labels} | {Quantity(u): -1}
    for group in words.groups():
        for t in labels:
            yield "axiom", _all_correct(words, group, t)


def _sum(words: Vocabulary, group: Sequence[int], t: int) -> Form:
    return {Quantity(u, t): 1 for u in words.decisions(group)}


def _margin(words: Vocabulary, u: tuple[tuple[int, int], ...], judge: int, t: int | None) -> Form:
    return {Quantity(tuple(sorted((*u, (judge, a)))), t): 1 for a in range(words.labels)}


def _all_correct(words: Vocabulary, group: Sequence[int], t: int) -> Form:
    """Count the items of label t that the whole group answered correctly, by inclusion and exclusion.

    The items of label t that a subgroup all answered wrongly are those they all answered with another
    label, less those of them whose true label is another one: the printed axioms for groups of one
    and two judges, and the same for any number.
    """
    form: Form = {Quantity(tuple((i, t) for i in group), t): 1, Quantity((), t): -1}
    others = [a for a in range(words.labels) if a != t]
    for size in range(1, len(group) + 1):
        sign = (-1) ** (size + 1)
        for part in combinations(group, size):
            for answers in product(others, repeat=size):
                u = tuple(zip(part, answers, strict=True))
                form[Quantity(u)] = sign
                form |= {Quantity(u, s): -sign for s in others}
    return form


def margins_seen(words: Vocabulary) -> Iterator[Form]:
    """Yield the relations between observed counts alone: joint counts sum to those of fewer judges."""
    for group in words.groups():
        for left_out in group:
            rest = tuple(i for i in group if i != left_out)
            for u in words.decisions(rest):
                yield _margin(words, u, left_out, None) | {Quantity(u): -1}


def sizes(words: Vocabulary) -> tuple[int, int]:
    """How many counts there are, and how many of the finest ones n(u;t)."""
    joint = sum(comb(words.judges, m) * words.labels**m for m in range(1, words.order + 1))
    return (joint + 1) * (words.labels + 1), words.labels ** (words.judges + 1)


def rank(forms: Iterable[Mapping[Any, int]]) -> int:
    """How many of the forms are linearly independent over the fractions, exactly."""
    from flint import fmpz_mat

    listed = [dict(form) for form in forms if form]
    columns = {name: j for j, name in enumerate(dict.fromkeys(k for form in listed for k in form))}
    if not columns:
        return 0
    matrix = [[0] * len(columns) for _ in listed]
    for row, form in zip(matrix, listed, strict=True):
        for name, value in form.items():
            row[columns[name]] = value
    return int(fmpz_mat(matrix).rank())


# --- The axioms of unsupervised evaluation: linear relations that hold on every exam whatever its
# key.


Expr = Any  # sympy.Expr; SymPy is untyped
Kinds = ("size", "simplex", "marginalisation", "observation", "axiom")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AxiomSet(Result):
    """The axioms of groups of up to `order` judges.

    Attributes
    ----------
    order : int
        Largest number of judges whose joint answers are spoken of.
    labels, judges : tuples of str
        Names.
    equations : tuple of sympy.Expr
        Each is zero on every exam.
    kinds : tuple of str
        Of each equation: "size" (the key counts sum to Q), "simplex" (counts given a true label sum to
        the key count), "marginalisation" (summing over one judge), "observation" (summing over true
        labels gives what is seen), "axiom" (the printed single- and pair-judge forms, and the like for
        larger groups; they follow from the others).
    unknowns, observed : tuples of sympy.Symbol
        The counts that need the key, and those that do not.
    rank : int
        How many of the equations are independent.
    dimension : int
        How many of the unknowns stay free once everything observed is given.
    proved : bool
        Whether each equation vanishes when every count is expanded to counts given the true label.
    complete : bool
        Whether every linear relation between these counts that holds on all exams follows.
    """

    schema: ClassVar[str] = "algeval.axioms/1"

    order: int
    labels: tuple[str, ...]
    judges: tuple[str, ...]
    equations: tuple[Expr, ...]
    kinds: tuple[str, ...]
    unknowns: tuple[Expr, ...]
    observed: tuple[Expr, ...]
    rank: int
    dimension: int
    proved: bool
    complete: bool

    def of_kind(self, kind: str) -> tuple[Expr, ...]:
        """Equations of one kind."""
        check_choice("kind", kind, Kinds)
        pairs = zip(self.kinds, self.equations, strict=True)
        return tuple(equation for name, equation in pairs if name == kind)

    def rank_of(self, *kinds: str) -> int:
        """How many equations of some kinds are independent, beside those of observed counts alone.

        Less than `rank` means that these kinds leave something out. For one judge the printed axioms with
        "size" and "simplex" lose nothing; for a pair with three labels or more, they do: R equations
        cannot say what the pair counts seen, (R-1)^2 of them free, all say.
        """
        words = Vocabulary(len(self.labels), len(self.judges), self.order)
        for kind in kinds:
            self.of_kind(kind)
        chosen = [form for kind, form in generate(words) if kind in kinds]
        return rank([*chosen, *margins_seen(words)])

    def residuals(self, exam: KeyedSketch) -> tuple[int, ...]:
        """Return what each equation comes to on one exam whose key is known: zeros.

        The exam must have as many judges and labels, in this order, and every judge must have answered
        every item with a label.
        """
        sketch = exam.sketch
        shape = (sketch.n_judges, sketch.n_labels, sketch.n_answers, sketch.complete)
        wanted = (len(self.judges), len(self.labels), len(self.labels), True)
        if shape != wanted:
            raise DataError(
                f"exam must have {wanted[0]} judges and {wanted[1]} labels, no other answers and none "
                f"missing; got {sketch!r}; select judges or ask for other axioms"
            )
        values = {
            symbol: _count(quantity, exam)
            for symbol, quantity in zip(self._symbols(), self._quantities(), strict=True)
        }
        return tuple(int(equation.xreplace(values)) for equation in self.equations)

    def _symbols(self) -> tuple[Expr, ...]:
        return (*self.unknowns, *self.observed)

    def _quantities(self) -> list[Quantity]:
        words = Vocabulary(len(self.labels), len(self.judges), self.order)
        return [*words.unknown(), *words.observed()]

    def latex(self) -> str:
        """Equations as lines of LaTeX, for an `aligned` environment."""
        import sympy

        names = {
            symbol: _latex(quantity, self.judges, self.labels)
            for symbol, quantity in zip(self._symbols(), self._quantities(), strict=True)
        }
        lines = (sympy.latex(equation, symbol_names=names) + " &= 0" for equation in self.equations)
        return " \\\\\n".join(lines)

    def as_tables(self) -> tuple[Table, ...]:
        """Row per equation, with its kind; each is zero on every exam."""
        texts = {"kind": self.kinds, "equation": list(map(str, self.equations))}
        return Table("Equations", texts), scalars(self)

    def summary(self) -> str:
        """Verdict and the equations, kind by kind."""
        lines = [self.message]
        for kind in Kinds:
            lines += [f"{kind}: {equation} = 0" for equation in self.of_kind(kind)]
        return "\n".join(lines)


def axioms(
    order: int | str = 1,
    *,
    labels: int | Iterable[object] = 2,
    judges: int | Iterable[object] | None = None,
) -> AxiomSet:
    """Generate the axioms of groups of up to `order` judges, prove each, and check completeness.

    They are the linear relations between counts that hold on every exam, whatever the judges know:
    the only thing logic adds to the inequalities "no count given the true label exceeds the count
    seen". Use them to reason by hand or in a computer algebra system; alarms and bounds use them
    already.

    Parameters
    ----------
    order : int or "full"
        Largest group of judges whose joint answers are spoken of, 1 to the number of judges.
    labels : int or sequence of str
        R, or their names; a number means labels a, b, c, ...
    judges : int or sequence of str, optional
        N, or their names; a number means judges i, j, k, ...; as many as `order` if left out.

    Returns
    -------
    AxiomSet
        `status` is ok; `proved` and `complete` were computed in exact whole numbers: every equation
        vanishes when expanded to the counts n(u;t), and rank(equations) + rank(expansions of the
        counts) is the number of counts, so that no further relation exists.

    Raises
    ------
    DataError
        If the order, labels or judges break a rule.
    TooLargeError
        If there would be too many counts to find the rank exactly.

    Notes
    -----
    No-Knowledge Alarms, equations (2), (4), (9), (12), (13), (16), (17). The axiom of Appendix C
    for a pair is garbled in print; what is generated here is, for each label t,

    R[it,jt;t] - Q[t] + sum over a != t of (R[ia] + R[ja])
    - sum over a, s != t of (R[ia;s] + R[ja;s]) - sum over a, b != t of R[ia,jb]
    + sum over a, b, s != t of R[ia,jb;s] = 0.

    Symbols are named like ``Q_a``, ``R_ia`` (seen), ``R_ia_b`` (answered a, true label b),
    ``R_ia_jb``, ``R_ia_jb_a`` (true label last).

    Examples
    --------
    >>> found = axioms(1)
    >>> found.of_kind("axiom")[0]
    -Q_a + R_ia_a + R_ib - R_ib_b
    >>> found.rank, found.dimension, found.proved, found.complete
    (5, 2, True, True)
    """
    label_names = _names("label", labels, "abcdefgh")
    judge_names = _names("judge", _default_judges(order, judges), "ijklmnop")
    words = Vocabulary(len(label_names), len(judge_names), _order(order, len(judge_names)))
    count, counts_needed = sizes(words)
    refuse(
        count * counts_needed,
        "finding the rank of the axioms",
        "ask for a lower order, fewer judges or fewer labels",
        most=MOST_AXIOM_CELLS,
    )
    generated = list(generate(words))
    forms = [form for _, form in generated]
    quantities = [*words.unknown(), *words.observed()]
    symbols = dict(zip(quantities, _symbols(quantities, judge_names, label_names), strict=True))
    independent = rank(forms)
    unknown = set(words.unknown())
    present = rank([{q: c for q, c in form.items() if q in unknown} for form in forms])
    complete = independent + rank(words.expand({q: 1}) for q in quantities) == len(quantities)
    proved = not any(words.expand(form) for form in forms)
    return AxiomSet(
        status=Status.OK if proved and complete else Status.UNDETERMINED,
        message=_sentence(len(forms), independent, proved and complete, words),
        order=words.order,
        labels=label_names,
        judges=judge_names,
        equations=tuple(_equation(form, symbols) for form in forms),
        kinds=tuple(kind for kind, _ in generated),
        unknowns=tuple(symbols[q] for q in quantities if not q.observed),
        observed=tuple(symbols[q] for q in quantities if q.observed),
        rank=independent,
        dimension=len(unknown) - present,
        proved=proved,
        complete=complete,
    )


def _sentence(count: int, independent: int, sound: bool, words: Vocabulary) -> str:
    verdict = (
        "Each is proved, and no other linear relation holds on every exam"
        if sound
        else ("They could not all be proved complete")
    )
    return (
        f"{count} axioms of order {words.order} for {words.judges} judges and {words.labels} labels, "
        f"{independent} of them independent. {verdict}."
    )


def _names(kind: str, names: int | Iterable[object], default: str) -> tuple[str, ...]:
    if not isinstance(names, int):
        return check_names(kind, names)
    if isinstance(names, bool) or not 1 <= names <= len(default):
        raise DataError(
            f"{kind}s must be a number from 1 to {len(default)} or names; got {names!r}; give names"
        )
    return tuple(default[:names])


def _default_judges(
    order: int | str, judges: int | Iterable[object] | None
) -> int | Iterable[object]:
    if judges is not None:
        return judges
    if not isinstance(order, int):
        raise DataError(
            f"judges must be given with {option('order', order)}; got None; pass "
            f"{option('judges', 3)}"
        )
    return max(order, 1)


def _order(order: int | str, judges: int) -> int:
    wanted = judges if order == "full" else order
    if isinstance(wanted, bool) or not isinstance(wanted, int) or not 1 <= wanted <= judges:
        raise DataError(
            f"order must be 'full' or a whole number from 1 to the number of judges ({judges}); got "
            f"{order!r}; pass more judges or a lower order"
        )
    return wanted


def _symbols(
    quantities: Iterable[Quantity], judges: tuple[str, ...], labels: tuple[str, ...]
) -> list[Expr]:
    import sympy

    return [sympy.Symbol(_text(q, judges, labels), integer=True) for q in quantities]


def _text(quantity: Quantity, judges: tuple[str, ...], labels: tuple[str, ...]) -> str:
    parts = ["R" if quantity.given else "Q"]
    parts += [judges[i] + labels[a] for i, a in quantity.given]
    parts += [] if quantity.true is None else [labels[quantity.true]]
    return "_".join(parts)


def _latex(quantity: Quantity, judges: tuple[str, ...], labels: tuple[str, ...]) -> str:
    values = ", ".join(rf"\text{{{labels[a]}}}_{{{judges[i]}}}" for i, a in quantity.given)
    true = "" if quantity.true is None else rf"\text{{{labels[quantity.true]}}}"
    if not values:
        return f"Q_{{{true}}}" if true else "Q"
    return f"R_{{{values}; {true}}}" if true else f"R_{{{values}}}"


def _equation(form: Form, symbols: dict[Quantity, Expr]) -> Expr:
    import sympy

    return sympy.Add(*(value * symbols[quantity] for quantity, value in form.items()))


def _count(quantity: Quantity, exam: KeyedSketch) -> Expr:
    import sympy

    chosen = range(len(exam.sketch))
    for judge, answer in quantity.given:
        chosen = [u for u in chosen if exam.sketch.codes[u, judge] == answer]  # type: ignore[assignment]
    rows = exam.keyed[list(chosen)]
    return sympy.Integer(int(rows.sum() if quantity.true is None else rows[:, quantity.true].sum()))
