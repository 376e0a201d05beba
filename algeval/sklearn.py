"""Aggregation as a scikit-learn estimator (needs scikit-learn, an optional extra)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import METHODS, aggregate
from algeval.aggregate.results import Aggregation
from algeval.data import Votes
from algeval.data.names import NOT_ANSWERED
from algeval.errors import DataError, NotIdentifiableError

try:
    from sklearn.base import BaseEstimator
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:  # pragma: no cover - scikit-learn is there where this is tested
    raise ImportError(
        "algeval.sklearn needs scikit-learn >= 1.6; install it with: pip install 'algeval[sklearn]'"
    ) from error

__all__ = ["EXPECTED_FAILED_CHECKS", "LabelAggregator"]

_CONTENT = ", ".join(repr(m.name) for m in METHODS.values() if m.fewest < 3)

_TWO_JUDGES = (
    "fits votes of two judges, from whose agreement no number of items tells who is right: every "
    f"method but {_CONTENT} refuses"
)

EXPECTED_FAILED_CHECKS: dict[str, str] = dict.fromkeys(
    (
        "check_estimators_overwrite_params",
        "check_estimators_fit_returns_self",
        "check_readonly_memmap_input",
        "check_fit_idempotent",
        "check_fit_check_is_fitted",
        "check_n_features_in",
    ),
    _TWO_JUDGES,
)
"""Checks of scikit-learn that `LabelAggregator` fails by design, and why.

None with a method that two judges identify, like "majority".
"""


class LabelAggregator(BaseEstimator):  # type: ignore[misc]
    """Find consensus labels of items from the votes of several judges, with few labels or none.

    Use it to put aggregation into a scikit-learn pipeline. Rows are items, columns are judges, an
    entry is the label the judge gave, NaN (or None) where it gave none. What is passed as `y` is read
    only with `learn=True`: true labels of some items, -1, NaN or None where there is none.

    Parameters
    ----------
    method : str
        A method of `algeval.aggregate`.
    settings : dict, optional
        Its settings.
    learn : bool
        Whether labels in `y` move the probabilities; see `human` of `algeval.aggregate`.

    Attributes
    ----------
    classes_ : (R,) array
        The labels, as they stand in X.
    labels_ : (n_items,) array
        The most probable label of each item fitted to; ties go to the first in `classes_`.
    result_ : Aggregation
        Everything the method returned.
    n_features_in_ : int
        Number of judges.

    Examples
    --------
    >>> X = [[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 0, 1], [0, 0, 0]]
    >>> LabelAggregator(method="majority").fit_predict(X).tolist()
    [0, 1, 0, 1, 0]
    """

    classes_: NDArray[Any]
    labels_: NDArray[Any]
    result_: Aggregation
    n_features_in_: int

    def __init__(
        self,
        method: str = "recommended",
        settings: dict[str, Any] | None = None,
        *,
        learn: bool = False,
    ) -> None:
        self.method = method
        self.settings = settings
        self.learn = learn

    def fit(self, X: Any, y: Any = None) -> LabelAggregator:
        """Fit the method to votes (n_items, n_judges); `y` is read with `learn=True` alone.

        Raises
        ------
        DataError
            If the votes or a setting break a rule.
        NotIdentifiableError
            If no number of such votes would settle the method.
        """
        table, values = self._read(X, reset=True)
        if not values.any():
            raise DataError("X must hold at least one answer; got none; check how votes are coded")
        self.classes_ = np.unique(table[values])
        votes = self._votes(table, values)
        human = self._labels(y, len(table)) if self.learn and y is not None else None
        result = aggregate(votes, self.method, human=human, **(self.settings or {}))
        if result.evaluation is None:
            raise NotIdentifiableError(f"{result.message} (n_features = {votes.n_judges})")
        self.result_ = result
        self.n_iter_ = max(1, result.n_iter)
        self.labels_ = self.classes_[result.posterior_items.argmax(axis=1)]
        return self

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[Any]:
        """Fit, and return the label of each item."""
        return self.fit(X, y).labels_

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return (n_items, R) posteriors of other votes of the same judges, without refitting."""
        check_is_fitted(self)
        table, values = self._read(X, reset=False)
        return self.result_.predict(self._votes(table, values))

    def predict(self, X: Any) -> NDArray[Any]:
        """Most probable label of each item; ties go to the first in `classes_`."""
        posterior = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[posterior.argmax(axis=1)]
        return labels

    def _read(self, X: Any, *, reset: bool) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        table = validate_data(
            self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan", ensure_min_features=1
        )
        if table.dtype.kind == "c":
            raise DataError("X must hold labels; got complex numbers; give whole numbers or text")
        if table.dtype.kind == "f":
            if np.isinf(table).any():
                raise DataError("X must hold labels or NaN; got infinity; code it as NaN")
            return table, ~np.isnan(table)
        if table.dtype.kind == "O":
            values = np.array([[_is_vote(cell) for cell in row] for row in table], bool)
            return np.where(values, table.astype(str), ""), values.reshape(table.shape)
        return table, np.ones(table.shape, bool)

    def _labels(self, y: Any, n_items: int) -> dict[str, str]:
        """Labels by row number, without those that are -1, NaN or None."""
        cells = np.asarray(y, object).ravel().tolist()
        if len(cells) != n_items:
            raise DataError(f"y must have one entry a row of X, {n_items}; got {len(cells)}")
        texts = {str(label): str(label) for label in self.classes_.tolist()}
        numbers = {label: str(label) for label in self.classes_.tolist()}
        labels = {}
        for row, cell in enumerate(cells):
            if not _is_vote(cell) or (cell in (-1, "-1") and cell not in numbers):
                continue
            labels[str(row)] = numbers.get(cell, texts.get(str(cell), str(cell)))
        return labels

    def _votes(self, table: NDArray[Any], values: NDArray[np.bool_]) -> Votes:
        index = np.searchsorted(self.classes_, table)
        index = np.minimum(index, len(self.classes_) - 1)
        unknown = values & (self.classes_[index] != table)
        if unknown.any():
            raise DataError(
                f"X must hold labels seen in fit; got {table[unknown][0]!r}; fit again or use NaN"
            )
        codes = np.where(values, index, NOT_ANSWERED).astype(np.int16)
        names = [str(label) for label in self.classes_.tolist()]
        return Votes(range(len(codes)), range(codes.shape[1]), names, names, codes)  # type: ignore[arg-type]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.target_tags.required = False
        return tags


def _is_vote(cell: object) -> bool:
    return cell is not None and cell == cell
