"""The axioms of unsupervised evaluation: linear relations that hold on every exam whatever its key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from algeval.data import KeyedSketch
from algeval.data.names import check_names
from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.logic.consistent.axioms_linear import (
    Form,
    Quantity,
    Vocabulary,
    generate,
    margins_seen,
    rank,
    sizes,
)
from algeval.logic.consistent.tables import refuse
from algeval.logic.policy import MOST_AXIOM_CELLS
from algeval.result import Result, Status
from algeval.result.tables import Table, scalars

__all__ = ["AxiomSet", "axioms"]


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
        """Return the equations of one kind."""
        check_choice("kind", kind, Kinds)
        pairs = zip(self.kinds, self.equations, strict=True)
        return tuple(equation for name, equation in pairs if name == kind)

    def rank_of(self, *kinds: str) -> int:
        """Return how many equations of some kinds are independent, beside those of observed counts alone.

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
        """Return the equations as lines of LaTeX, for an `aligned` environment."""
        import sympy

        names = {
            symbol: _latex(quantity, self.judges, self.labels)
            for symbol, quantity in zip(self._symbols(), self._quantities(), strict=True)
        }
        lines = (sympy.latex(equation, symbol_names=names) + " &= 0" for equation in self.equations)
        return " \\\\\n".join(lines)

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per equation, with its kind; each is zero on every exam."""
        texts = {"kind": self.kinds, "equation": list(map(str, self.equations))}
        return Table("Equations", texts), scalars(self)

    def summary(self) -> str:
        """Return the verdict and the equations, kind by kind."""
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
    known = rank([{q: c for q, c in form.items() if q in unknown} for form in forms])
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
        dimension=len(unknown) - known,
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
        raise DataError(f"judges must be given with order={order!r}; got None; pass judges=3")
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
    given = ", ".join(rf"\text{{{labels[a]}}}_{{{judges[i]}}}" for i, a in quantity.given)
    true = "" if quantity.true is None else rf"\text{{{labels[quantity.true]}}}"
    if not given:
        return f"Q_{{{true}}}" if true else "Q"
    return f"R_{{{given}; {true}}}" if true else f"R_{{{given}}}"


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
