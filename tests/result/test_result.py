from dataclasses import FrozenInstanceError, dataclass
from fractions import Fraction

import pytest

from algeval.errors import NotSolvedError
from algeval.result import Result, Status


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
    assert half._repr_html_() == "<pre>a &lt; b</pre>"
    assert half.raise_for_status() is half
    with pytest.raises(FrozenInstanceError):
        half.value = 1


def test_one_switch_between_returning_and_raising():
    result = Half(status=Status.TIME_LIMIT, message="stopped", value=Fraction(1))
    with pytest.raises(NotSolvedError, match=r"stopped .time_limit: Time ran out"):
        result.raise_for_status()


def test_every_status_has_advice():
    assert len(Status) == 11
    assert all(status.advice.endswith(".") for status in Status)
    assert [status for status in Status if status.ok] == [Status.OK]
