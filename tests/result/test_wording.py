import pytest

from algeval.result.numbers import did_you_mean, how_many


@pytest.mark.parametrize(
    ("n", "told"), [(0, "0 judges"), (1, "1 judge"), (2, "2 judges"), (11, "11 judges")]
)
def test_one_thing_is_singular(n, told):
    assert how_many(n, "judge") == told


def test_a_plural_of_its_own():
    assert [how_many(n, "entry", "entries") for n in (1, 2)] == ["1 entry", "2 entries"]


def test_a_near_name_is_asked_about_whatever_its_case():
    known = ["majority", "dawid-skene"]
    assert did_you_mean("Majorty", known) == "did you mean 'majority'?"
    assert did_you_mean("dawidskene", known) == "did you mean 'dawid-skene'?"
    assert did_you_mean("zzz", known) == "choose one"
    assert did_you_mean("zzz", known, "") == ""


def test_choices_need_not_be_text():
    assert did_you_mean(10, [1, 100]) == "did you mean 100?"
