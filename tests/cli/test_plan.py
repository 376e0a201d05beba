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


def test_a_plan_is_drawn_beside_its_text_or_its_json(tmp_path, capsys):
    path = tmp_path / "plan.svg"
    for more in ([], ["--json"]):
        plain, drawn = (told(capsys, *ASKED, *more, *plot) for plot in ([], ["--plot", str(path)]))
        assert drawn == plain
        assert "1 label on 1,500 items, 65.2%" in path.read_text(encoding="utf-8")
        path.unlink()


def test_words_in_quotes_are_not_taken_for_options(capsys):
    err = told(capsys, *ASKED, "--margin", "margin")[2]
    assert err.startswith("algeval: --margin must be a finite number; got 'margin';")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--budget", "0"], " --budget must be above 0; got '0'"),
        (["--label-accuracy", "0.3"], " --label-accuracy must be from 0.5 to 1; got '0.3'"),
        (["--label-accuracy", "1,1,1"], "one number or two, where only the better"),
        (["--margin", "0"], "--margin must be above 0 and leave --accuracy + --margin at most 1"),
        (["--better-if-wrong", "1"], "by --margin, or by --better-if-wrong and --better-if-right"),
        (["--gold-cost", "0"], " --gold-cost must be above 0"),
        (["--most-labels", "0"], " --most-labels must be a whole number"),
        (["--plot", "plan.gif"], "must end in .svg, .png or .pdf; got 'plan.gif'"),
        (["--item-csot", "1"], "Did you mean one of: '--item-cost'"),
    ],
)
def test_bad_input_is_one_line_and_code_2(change, message, capsys):
    code, out, err = told(capsys, *ASKED, *change)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_rate_a_margin_judges_and_repeats(capsys):
    asked = ("plan", "--rate", "0.7", "--half-width", "5%", "--rho2", ".24", "--items", "2000")
    code, out, err = told(capsys, *asked)
    assert (code, err) == (0, "")
    assert out.startswith("229 labels tell the rate to within 0.05 at 95%; without judges 291.")
    assert "870" in told(capsys, "plan", "--margin", ".03", "--discordance", ".1")[1]
    panel = ("plan", "--judges", "17", "--rho1", ".34", "--vote-correlation", ".442", "--json")
    assert json.loads(told(capsys, *panel)[1])["ceiling"] == pytest.approx(0.2615, abs=1e-4)
    repeats = ("plan", "--budget", "9000", "--rate", ".7", "--agreement", ".82", "--item-cost", "3")
    assert told(capsys, *repeats)[1].startswith("2 labels for each of 1,800 items is best")


def test_labels_that_cannot_do_are_code_1(capsys):
    asked = ("plan", "--half-width", ".05", "--items", "100", "--target", "population")
    code, out, _ = told(capsys, *asked)
    assert code == 1
    assert "get more items, not labels" in out


def test_a_pilot_is_a_file_with_gold_in_another(tmp_path, capsys):
    rows = [f"q{k},{'pf'[k % 2]},{'pf'[(k % 7 == 0) ^ k % 2]},{'pf'[k % 2]}" for k in range(60)]
    (tmp_path / "votes.csv").write_text("\n".join(["item,a,b,c", *rows, ""]))
    gold = [f"q{k},{'pf'[(k % 5 == 0) ^ k % 2]}" for k in range(40)]
    (tmp_path / "gold.csv").write_text("\n".join(["item,truth", *gold, ""]))
    code, out, err = told(
        capsys,
        *("plan", "--half-width", "0.1", "--pilot", str(tmp_path / "votes.csv")),
        *("--human", str(tmp_path / "gold.csv"), "--good", "p"),
    )
    assert (code, err) == (0, "")
    assert "rho2 = 0.36 [" in out  # 8 of 40 wrong: a correlation of .6
    assert "as far as the pilot can say" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [],
            "exactly one goal: --half-width for a rate; --margin and --discordance for two systems;",
        ),
        (["--budget", "9"], "got --budget; give one of these"),
        (
            ["--half-width", ".1", "--power", ".8"],
            "--power must be left out of a plan with --half-width",
        ),
        (["--half-width", "2"], " --half-width must be above 0 and below 0.5; got '2'"),
        (
            ["--judges", "3", "--rho1", ".3"],
            "by --rho1 and --vote-correlation, by --accuracy, or by a pilot",
        ),
    ],
)
def test_a_goal_is_missing_or_there_are_two(arguments, message, capsys):
    code, out, err = told(capsys, "plan", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
