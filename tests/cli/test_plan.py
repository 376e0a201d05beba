import json

import pytest

from algeval.cli.main import run

ASKED = [
    "plan",
    "--budget",
    "1500",
    "--accuracy",
    "0.8",
    "--margin",
    "0.01",
    "--label-accuracy",
    "0.8",
]


def told(capsys, *arguments):
    code = run(list(arguments))
    out = capsys.readouterr()
    return code, out.out, out.err


def test_the_plan_shows_one_three_and_five_labels_and_disagreements(capsys):
    code, out, err = told(capsys, *ASKED)
    assert (code, err) == (0, "")
    assert out.startswith("1 label for each of 1,500 items is best")
    for chance in ("0.65237", "0.60882", "0.58780", "0.76252"):
        assert chance in out
    assert "Proved: " in out


def test_items_that_cost_three_labels(capsys):
    out = told(capsys, *ASKED, "--item-cost", "3")[1]
    assert out.startswith("3 labels for each of 250 items is best")
    assert "0.56637" in out.splitlines()[0]
    assert "Computed: " in out


def test_json_is_the_plan(capsys):
    found = json.loads(told(capsys, *ASKED, "--json")[1])
    assert found["schema"] == "algeval.plan/1"
    assert found["labels_per_item"] == 1
    assert found["table"][1]["m"] == 3


def test_two_label_accuracies_and_correlated_classifiers(capsys):
    code, out, _ = told(
        capsys,
        *("plan", "--budget", "90", "--accuracy", "60%", "--better-if-wrong", ".7"),
        *("--better-if-right", ".9", "--label-accuracy", "0.9,0.8", "--disagreements"),
    )
    assert code == 0
    assert "not on those the two differ on" in out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--budget", "0"], "budget must be above 0; got '0'"),
        (["--label-accuracy", "0.3"], "from 0.5 to 1; got '0.3'"),
        (["--item-csot", "1"], "Did you mean '--item-cost'?"),
    ],
)
def test_bad_input_is_one_line_and_code_2(change, message, capsys):
    code, out, err = told(capsys, *ASKED, *change)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
