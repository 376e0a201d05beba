"""The encode step: decision-tuple frequencies as polynomials in what judges know.

Independent errors give Algebraic Evaluation's Theorem 0.1 (S55-S62) for any number of judges and labels.
With every error correlation as a further unknown (`model="correlated"`) the polynomials describe
any exam whatever; the rule that holds for two labels holds for any number, because it only
expands ``1[u_i = a] = (1[u_i = a] - P_i(a)) + P_i(a)`` over the judges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations, product
from typing import Any, Literal, cast

import sympy

from algeval.algebra.correlation.gamma import Correlations, correlations
from algeval.algebra.proving.lazy import Lazy
from algeval.algebra.proving.names import (
    free_answers,
    gamma_name,
    name_judges,
    name_labels,
    numbered,
    rate_name,
)
from algeval.data import Evaluation, KeyedSketch
from algeval.data.settings import check_choice
from algeval.errors import DataError, TooLargeError
from algeval.result import exact
from algeval.result.latex import aligned
from algeval.result.latex import expression as as_latex

__all__ = ["Encoding", "encode", "name_judges", "name_labels"]

Model = Literal["independent", "correlated"]
Decision = tuple[str, ...]
Expr = Any  # sympy.Expr; SymPy is untyped

_MOST_TERMS = 50_000


@dataclass(frozen=True, eq=False)
class Encoding:
    """Every decision-tuple frequency as a polynomial in the parameters.

    Attributes
    ----------
    judges, labels : tuple of str
        Names; answers are the labels.
    model : str
        "independent" or "correlated".
    prevalence : dict
        {label: expression}; the last is 1 minus the others (S84).
    response : dict
        {(judge, true label, answer): expression}; on each label one wrong answer is 1 minus the
        others, so that two labels leave one accuracy P_{i,A} per judge and label.
    gamma : dict
        {(((judge, answer), ...), label): expression}; empty for independent judges.
    frequency : dict
        {decision tuple: symbol}, f_{A,A,B} and so on.
    encoded : mapping
        {decision tuple: expression}, the right-hand sides, each made when it is first asked for.
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    model: str
    prevalence: dict[str, Expr]
    response: dict[tuple[str, str, str], Expr]
    gamma: dict[tuple[tuple[tuple[str, str], ...], str], Expr]
    frequency: dict[Decision, Expr]
    encoded: Mapping[Decision, Expr]

    @cached_property
    def parameters(self) -> tuple[Expr, ...]:
        """The unknowns: prevalences, accuracies and error rates, then correlations."""
        tables = (self.prevalence, self.response, self.gamma)
        found: list[Expr] = []
        for table in tables:
            found += [value for value in table.values() if value.is_Symbol]
        return tuple(dict.fromkeys(found))

    @cached_property
    def polynomials(self) -> tuple[Expr, ...]:
        """The generating set f_t - enc_t(parameters), one polynomial per decision tuple."""
        return tuple(f - self.encoded[t] for t, f in self.frequency.items())

    def share_of_label(self, decision: Decision, label: str) -> Expr:
        """Return the share of one label's items that get one decision tuple."""
        return _given(decision, label, self.judges, self.response, self.gamma)

    def latex(self, expression: Expr) -> str:
        """Return an expression as LaTeX in the paper's notation."""
        return as_latex(expression, most=None)

    def _repr_latex_(self) -> str:
        return aligned(
            (as_latex(f), as_latex(self.encoded[t]), "") for t, f in self.frequency.items()
        )

    def values(self, source: KeyedSketch | Evaluation | Correlations) -> dict[Expr, Fraction]:
        """Return the exact value of every parameter on an exam or evaluation.

        A label that does not occur gets accuracy and correlation 0, as in Algebraic Evaluation, S53.
        An `Evaluation` holds no correlations and fits the independent model only.
        """
        found: Correlations | None = None
        if isinstance(source, KeyedSketch):
            found = correlations(source)
        elif isinstance(source, Correlations):
            found = source
        evaluation = source if isinstance(source, Evaluation) else found.evaluation  # type: ignore[union-attr]
        self._check(evaluation, found)
        values = _evaluation_values(self, evaluation)
        for (chosen, label), symbol in self.gamma.items():
            if symbol.is_Symbol and found is not None:
                judges, answers = zip(*chosen, strict=True)
                who = [evaluation.judges[self.judges.index(judge)] for judge in judges]
                values[symbol] = found.of(who, label, answers)
        return values

    def _check(self, evaluation: Evaluation, found: Correlations | None) -> None:
        judges = (self.judges, numbered(self.judges))
        if evaluation.judges not in judges or evaluation.answers != self.labels:
            raise DataError(
                f"judges and answers must be {list(self.judges)} and {list(self.labels)}; got "
                f"{list(evaluation.judges)} and {list(evaluation.answers)}; encode with those names"
            )
        if not evaluation.exact:
            raise DataError("the evaluation must hold exact fractions; got floats; give Fractions")
        if self.model == "correlated" and found is None:
            raise DataError(
                "the correlated model must see correlations; got an Evaluation; give keyed counts "
                "or Correlations"
            )

    def frequencies(
        self, source: KeyedSketch | Evaluation | Correlations | Mapping[Any, object]
    ) -> dict[Decision, Fraction]:
        """Return the exact frequency of every decision tuple that the parameters produce.

        Parameters
        ----------
        source : KeyedSketch, Evaluation, Correlations or mapping
            Where the parameters come from; a mapping gives them by symbol or by printed name.
        """
        if isinstance(source, Mapping):
            given = {
                self._numbered.get(str(name), str(name)): exact(value, str(name))
                for name, value in source.items()
            }
            missing = [s.name for s in self.parameters if s.name not in given]
            if missing:
                raise DataError(
                    f"the parameters must all have values; got none for {missing[0]}; add it"
                )
            arguments = [given[s.name] for s in self.parameters]
        else:
            values = self.values(source)
            arguments = [values[s] for s in self.parameters]
        found = self._evaluator(*arguments)
        return dict(zip(self.frequency, map(Fraction, found), strict=True))

    @cached_property
    def _numbered(self) -> dict[str, str]:
        """{name of a parameter with judges 1, 2, 3: the same with i, j, k}."""
        numbers = numbered(self.judges)
        if numbers is None:
            return {}
        other = encode(numbers, self.labels, model=cast(Model, self.model))
        pairs = zip(other.parameters, self.parameters, strict=True)
        return {old.name: new.name for old, new in pairs if old.name != new.name}

    @cached_property
    def _evaluator(self) -> Any:
        # Only whole numbers occur in the expressions, so fractions go in and fractions come out.
        plain = {s: sympy.Symbol(f"v{place}") for place, s in enumerate(self.parameters)}
        rows = [value.xreplace(plain) for value in self.encoded.values()]
        return sympy.lambdify(list(plain.values()), rows, modules=[{}])


def _evaluation_values(encoding: Encoding, evaluation: Evaluation) -> dict[Expr, Fraction]:
    values: dict[Expr, Fraction] = {}
    for t, label in enumerate(encoding.labels):
        if encoding.prevalence[label].is_Symbol:
            values[encoding.prevalence[label]] = Fraction(evaluation.prevalence[t])
    for (judge, label, answer), symbol in encoding.response.items():
        if symbol.is_Symbol:
            place = (
                encoding.judges.index(judge),
                encoding.labels.index(label),
                encoding.labels.index(answer),
            )
            value = evaluation.confusion[place]
            values[symbol] = Fraction(0) if value is None else Fraction(value)
    return values


def encode(
    judges: int | Iterable[object] = 3,
    labels: int | Iterable[object] = 2,
    *,
    model: Model = "independent",
) -> Encoding:
    """Return the polynomials that encode an exam into decision-tuple frequencies.

    Parameters
    ----------
    judges, labels : int or sequence of str
        How many, or their names.
    model : {"independent", "correlated"}
        Whether errors are independent given the true label, or correlated in any way, every
        correlation of every order being a parameter.

    Returns
    -------
    Encoding
        Symbols, polynomials, and exact numbers in both directions.

    Raises
    ------
    TooLargeError
        If the polynomials would have more than 50,000 products.

    Notes
    -----
    Algebraic Evaluation, Theorem 0.1 (S55-S62); the correlations are those of S44 and S45.

    Examples
    --------
    >>> encode(1).polynomials[0]
    -P_A*P_{i,A} + f_{A} - (1 - P_A)*(1 - P_{i,B})
    """
    judges, labels = name_judges(judges), name_labels(labels)
    check_choice("model", model, ("independent", "correlated"))
    _check_size(len(judges), len(labels), model)
    prevalence = _prevalences(labels)
    response = _responses(judges, labels)
    gamma = _gammas(judges, labels) if model == "correlated" else {}
    decisions = list(product(labels, repeat=len(judges)))
    frequency = {t: sympy.Symbol("f_{" + ",".join(t) + "}") for t in decisions}
    encoded = Lazy(
        {t: partial(_encoded, t, judges, prevalence, response, gamma) for t in decisions}
    )
    return Encoding(judges, labels, model, prevalence, response, gamma, frequency, encoded)


def _check_size(n_judges: int, n_labels: int, model: str) -> None:
    terms = n_labels ** (n_judges + 1) * (2**n_judges if model == "correlated" else 1)
    if terms > _MOST_TERMS:
        raise TooLargeError(
            f"the {model} encoding of {n_judges} judges and {n_labels} labels has {terms} products; "
            f"at most {_MOST_TERMS} are built; choose fewer judges or labels"
        )


def _prevalences(labels: Sequence[str]) -> dict[str, Expr]:
    table: dict[str, Expr] = {label: sympy.Symbol(f"P_{label}") for label in labels[:-1]}
    table[labels[-1]] = 1 - sympy.Add(*table.values())
    return table


def _responses(judges: Sequence[str], labels: Sequence[str]) -> dict[tuple[str, str, str], Expr]:
    table: dict[tuple[str, str, str], Expr] = {}
    for judge, label in product(judges, labels):
        free = {
            answer: sympy.Symbol(rate_name(judge, label, answer)) for answer in _free(labels, label)
        }
        for answer in labels:
            value = free.get(answer, 1 - sympy.Add(*free.values()))
            table[judge, label, answer] = value
    return table


def _free(labels: Sequence[str], label: str) -> list[str]:
    return [labels[a] for a in free_answers(len(labels), labels.index(label))]


def _gammas(
    judges: Sequence[str], labels: Sequence[str]
) -> dict[tuple[tuple[tuple[str, str], ...], str], Expr]:
    """Return every correlation; those with a dropped answer are minus the sum of the others."""
    table: dict[tuple[tuple[tuple[str, str], ...], str], Expr] = {}
    for size in range(2, len(judges) + 1):
        for chosen, label in product(combinations(judges, size), labels):
            free = _free(labels, label)
            for answers in product(labels, repeat=size):
                choices = [[a] if a in free else free for a in answers]
                sign = (-1) ** sum(a not in free for a in answers)
                symbols = [
                    sympy.Symbol(gamma_name(chosen, given, label)) for given in product(*choices)
                ]
                table[tuple(zip(chosen, answers, strict=True)), label] = sign * sympy.Add(*symbols)
    return table


def _encoded(
    decision: Decision,
    judges: Sequence[str],
    prevalence: Mapping[str, Expr],
    response: Mapping[tuple[str, str, str], Expr],
    gamma: Mapping[tuple[tuple[tuple[str, str], ...], str], Expr],
) -> Expr:
    """Return the share of all items that get one decision tuple."""
    parts = (p * _given(decision, t, judges, response, gamma) for t, p in prevalence.items())
    return sympy.Add(*parts)


def _given(
    decision: Decision,
    label: str,
    judges: Sequence[str],
    response: Mapping[tuple[str, str, str], Expr],
    gamma: Mapping[tuple[tuple[tuple[str, str], ...], str], Expr],
) -> Expr:
    """Return the share of one label's items that get one decision tuple."""
    said = dict(zip(judges, decision, strict=True))
    rates = {judge: response[judge, label, answer] for judge, answer in said.items()}
    total = sympy.Mul(*rates.values())
    if not gamma:
        return total
    terms = [total]
    for size in range(2, len(judges) + 1):
        for chosen in combinations(judges, size):
            shared = gamma[tuple((j, said[j]) for j in chosen), label]
            terms.append(shared * sympy.Mul(*(rates[j] for j in judges if j not in chosen)))
    return sympy.Add(*terms)
