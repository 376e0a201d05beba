from dataclasses import FrozenInstanceError, dataclass, field
from fractions import Fraction

import pytest
import sympy

from algeval.errors import NotSolvedError
from algeval.result import Result, Status, to_json
from algeval.result.base import Record


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Half(Result):
    schema = "test.half/1"
    value: Fraction


def test_results_are_frozen_and_become_json():
    half = Half(status=Status.OK, message="a < b", value=Fraction(1, 2))
    assert half.to_dict() == {
        "schema": "test.half/1",
        "status": "ok",
        "message": "a < b",
        "value": "1/2",
    }
    assert half._repr_html_().startswith("<div><p>Half [ok]: a &lt; b</p><table>")
    assert half.raise_for_status() is half
    with pytest.raises(FrozenInstanceError):
        half.value = 1


def test_one_switch_between_returning_and_raising():
    result = Half(status=Status.TIME_LIMIT, message="stopped", value=Fraction(1))
    with pytest.raises(NotSolvedError, match=r"stopped .time_limit: Stopped early"):
        result.raise_for_status()


def test_every_status_has_advice():
    assert len(Status) == 11
    assert all(status.advice.endswith(".") for status in Status)
    assert [status for status in Status if status.ok] == [Status.OK]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inner(Record):
    share: Fraction
    hidden: object = field(repr=False)


def test_records_and_results_leave_out_what_repr_hides():
    inner = Inner(share=Fraction(2, 3), hidden=object())
    assert inner.to_dict() == to_json(inner) == {"share": "2/3"}

    @dataclass(frozen=True, slots=True, kw_only=True, eq=False)
    class Outer(Result):
        schema = "test.outer/1"
        inner: Inner
        lister: object = field(repr=False)

    outer = Outer(status=Status.OK, message="m", inner=inner, lister=print)
    wanted = {"schema": "test.outer/1", "status": "ok", "message": "m", "inner": {"share": "2/3"}}
    assert outer.to_dict() == wanted


def test_symbolic_expressions_become_text():
    x = sympy.Symbol("x")
    assert to_json([x + 1, {"a": sympy.Rational(1, 2) * x}]) == ["x + 1", {"a": "x/2"}]
    with pytest.raises(TypeError, match="cannot write object as JSON"):
        to_json(object())
