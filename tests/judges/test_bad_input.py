"""Data with which a question cannot be answered: a status, or a refusal, and one sentence."""

import csv
import io
import re
import sys

import numpy as np
import pytest

import algeval as ae
from algeval.cli.main import run

N = 40


def table():
    """Two judges, people's labels, a group, a number and a document of each output."""
    rng = np.random.default_rng(0)
    truth = rng.random(N) < 0.6
    columns = [np.where(rng.random(N) < p, truth, ~truth) for p in (0.85, 0.8, 1)]
    said = [[["fail", "pass"][int(x)] for x in column] for column in columns]
    return {
        "id": [f"q{k}" for k in range(N)],
        "language": [["en", "es"][k % 2] for k in range(N)],
        "tokens": rng.integers(20, 400, N).tolist(),
        "gpt4o": said[0],
        "claude": said[1],
        "human": said[2],
    }


def where(cells, kept):
    return [x if keep else None for x, keep in zip(cells, kept, strict=True)]


def one_class(t):
    return t | {"human": where(t["human"], [h == "pass" for h in t["human"]])}


def split_people(t):
    halves = {"human_1": ["pass", "fail"] * (N // 2), "human_2": ["fail", "pass"] * (N // 2)}
    return {k: v for k, v in t.items() if k != "human"} | halves


def unlabelled_judges(t):
    own = [k < 10 for k in range(N)]
    made = t | {"human": where(t["human"], own)}
    return made | {j: where(t[j], [not x for x in own]) for j in ("gpt4o", "claude")}


CASES = {
    "no labels of a class": one_class,
    "ties of humans": split_people,
    "one cluster": lambda t: t,
    "items that do not match": lambda t: {k: v for k, v in t.items() if k != "human"},
    "constant covariate": lambda t: t | {"tokens": [7] * N, "language": ["en"] * N},
    "all judges missing": lambda t: t | {"gpt4o": [None] * N, "claude": [None] * N},
    "judges missing where labelled": unlabelled_judges,
    "a judge with one verdict": lambda t: t | {"claude": ["pass", *[None] * (N - 1)]},
    "one label only": lambda t: t | dict.fromkeys(("gpt4o", "claude", "human"), ["pass"] * N),
    "empty slice": lambda t: t | {"human": where(t["human"], [x == "en" for x in t["language"]])},
    "NaN covariate": lambda t: t | {"tokens": where(t["tokens"], [k % 2 for k in range(N)])},
    "no value of a covariate": lambda t: t | {"tokens": [None] * N, "language": [None] * N},
    "no rows": lambda t: {k: [] for k in t},
}
OPTIONS = {  # of Python, and of the command line
    "one cluster": ({"cluster": {f"q{k}": "c" for k in range(N)}}, ["--cluster", "clusters.csv"]),
    "items that do not match": ({"human": {"x1": "pass"}}, ["--human", "others.csv"]),
}
NOT_THERE = "error: among those the judges voted on"
NO_JUDGE = "error: must have a column of a judge's verdicts|must hold at least one answer"
SAME = "error: 'language', which has the same value everywhere"
NO_VALUE = "error: 'language', which has no value"
SPLIT = "error: an item on which people are split has no label"
NO_ROWS = "error: must hold votes"
OK, CARD, NUMBERS = "ok: ", "ok: against people's labels", "ok: 0 of 2 lines"

EXPECTED = {  # card, consistency, bias by language, bias by tokens, slices by language, drift of two judges
    "no labels of a class": (
        "undetermined: People gave 'fail' to none of them",
        OK,
        "ok: People gave 'fail' to none of the labelled items",
        "ok: People gave 'fail' to none of the labelled items",
        "ok: People gave 'fail' to none of the 19 labelled outputs",
        "ok: people gave 'fail' to none of the 19 labelled items",
    ),
    "ties of humans": (SPLIT, OK, SPLIT, SPLIT, SPLIT, "undetermined: none of them has a label"),
    "one cluster": (
        "error: at least 8 clusters; got 1",
        OK,
        "error: at least 10 clusters; got 1",
        "error: at least 10 clusters; got 1",
        "undetermined: too few",
        None,
    ),
    "items that do not match": (NOT_THERE, OK, NOT_THERE, NOT_THERE, NOT_THERE, NOT_THERE),
    "constant covariate": (CARD, OK, SAME, SAME.replace("language", "tokens"), SAME, OK),
    "all judges missing": (*(NO_JUDGE,) * 4, "ok: 2 slices by 40 labels", NO_JUDGE),
    "judges missing where labelled": (
        "undetermined: No judge answered a labelled item",
        OK,
        "undetermined: Nothing could be tested on 10",
        "undetermined: Nothing could be tested on 10",
        "undetermined: these labels were not drawn at random",
        "undetermined: on 30 items with both verdicts, of 40",
    ),
    "a judge with one verdict": (
        "ok: 39 missing answers counted as wrong",
        OK,
        "ok: its verdicts do not vary|the same on all labelled items",
        "ok: its verdicts do not vary|the same on all labelled items",
        OK,
        "ok: on 1 item with both verdicts, of 40",
    ),
    "one label only": (
        "undetermined: no other label than 'pass'",
        "ok: at least 0 of the 80",
        "undetermined: Nothing could be tested",
        "undetermined: Nothing could be tested",
        "error: good must name the label|--good must name the label",
        "ok: No verdict changed",
    ),
    "empty slice": (
        "undetermined: not drawn at random: shares of 'language'",
        OK,
        "undetermined: the same on all labelled items",
        "ok: lines shown at 95%",
        "ok: language es: no label",
        "undetermined: not decided by these labels",
    ),
    "NaN covariate": (CARD, OK, NUMBERS, NUMBERS, OK, OK),
    "no value of a covariate": (
        CARD,
        OK,
        NO_VALUE,
        NO_VALUE.replace("language", "tokens"),
        NO_VALUE,
        OK,
    ),
    "no rows": (NO_ROWS,) * 6,
}
QUESTIONS = {
    "card": lambda t, **o: ae.judge_card(t, **o),
    "consistency": lambda t, **_: ae.self_consistency(t),
    "bias by language": lambda t, **o: ae.judge_bias(t, "language", **o),
    "bias by tokens": lambda t, **o: ae.judge_bias(t, "tokens", **o),
    "slices": lambda t, **o: ae.slices(t, "language", **o),
    "drift": lambda t, **o: ae.drift(t, judges=("gpt4o", "claude"), **o),
}
COMMANDS = {
    "card": ["judges", "t.csv"],
    "consistency": ["judges", "t.csv", "--floor"],
    "bias by language": ["judges", "t.csv", "--by", "language"],
    "bias by tokens": ["judges", "t.csv", "--by", "tokens"],
    "slices": ["slices", "t.csv", "--by", "language"],
    "drift": ["drift", "t.csv", "--before", "gpt4o", "--after", "claude"],
}
ROWS = [
    (case, question, expected)
    for case, row in EXPECTED.items()
    for question, expected in zip(QUESTIONS, row, strict=True)
    if expected is not None
]


def numbers_in(value):
    """Every number of a document."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from numbers_in(part)
    elif isinstance(value, float):
        yield value


@pytest.mark.parametrize(("case", "question", "expected"), ROWS)
def test_a_status_or_a_refusal_and_one_sentence(case, question, expected):
    status, words = expected.split(": ", 1)
    data, options = CASES[case](table()), OPTIONS.get(case, ({},))[0]
    if question == "consistency":
        options = {}
    if status == "error":
        with pytest.raises(ae.DataError, match=words.split("|")[0]) as refused:
            QUESTIONS[question](data, **options)
        assert "\n" not in str(refused.value)
        return
    result = QUESTIONS[question](data, **options)
    assert result.status.value == status
    assert re.search(words, result.summary(), re.DOTALL), result.summary()
    assert not any(np.isnan(x) for x in numbers_in(result.to_dict()))


def each_once(rows):
    """Each case quickly once, each question twice; the others in the slow lane."""
    order = list(QUESTIONS)
    for case, question, expected in rows:
        turn = list(CASES).index(case) % len(order) == order.index(question)
        yield pytest.param(case, question, expected, marks=() if turn else pytest.mark.slow)


@pytest.mark.parametrize(("case", "question", "expected"), [*each_once(ROWS)])
def test_the_commands_say_the_same(case, question, expected, tmp_path, monkeypatch, capsys):
    status, words = expected.split(": ", 1)
    monkeypatch.chdir(tmp_path)
    data = CASES[case](table())
    for path, columns in (
        ("t.csv", data),
        ("others.csv", {"id": ["x1"], "truth": ["pass"]}),
        ("clusters.csv", {"id": table()["id"], "cluster": ["c"] * N}),
    ):
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([[*columns], *zip(*columns.values(), strict=True)])
    more = OPTIONS.get(case, ({}, []))[1] if question != "consistency" else []
    code = run([*COMMANDS[question], *more])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    if status == "error":
        assert (code, out) == (2, "")
        assert len(err.strip().splitlines()) == 1
        pattern = words.replace("good must", "--good must").replace("human must", "--human must")
        assert re.search(pattern, err), err
        return
    assert code in ((0,) if status == "ok" else (0, 1))
    assert re.search(words, " ".join(out.split()), re.DOTALL), out


# --- A stream has no table: what it is fed, and what it is held against.


@pytest.mark.parametrize(
    ("baseline", "verdicts", "words"),
    [
        (1.0, [1], "baseline must lie between 0 and 1"),  # one label only
        ((0, 0), [1], "verdicts must be a whole number of at least 1"),  # no verdict before
        ((5, 5), [None], "verdict must be True or False"),  # missing
        (0.5, [float("nan")], "verdict must be True or False"),
        (0.5, ["pass"], "verdict must be True or False"),
        (float("nan"), [1], "baseline must be"),
    ],
)
def test_a_stream_refuses_in_one_sentence(baseline, verdicts, words):
    with pytest.raises(ae.DataError, match=words):
        ae.VerdictStream(baseline).update(verdicts)


def test_a_stream_without_verdicts_or_with_one_says_so():
    stream = ae.VerdictStream((5, 5))  # one label only: it can fall, and not rise
    assert stream.update([]) == (False, None, None, 0, None)
    assert stream.update(True) == (False, None, None, 1, 1.0)
    assert "No alarm" in stream.message


@pytest.mark.parametrize(
    ("text", "arguments", "code", "words"),
    [
        ("", ["--baseline", "0.9"], 2, "must hold verdicts, one a line; got nothing"),
        ("nan\nnan\n", ["--baseline", "0.9"], 2, "got 2 lines without a verdict"),
        ("pass\n" * 5, ["--baseline", "1"], 2, "--baseline must lie between 0 and 1"),
        ("pass\n" * 5, ["--baseline", "5/5"], 0, "No alarm: 5 verdicts"),
        ("pass\n" * 5, ["--baseline", "0/0"], 2, "--baseline verdicts must be"),
        ("maybe\n" * 5, ["--baseline", "0.5"], 2, "maybe"),
    ],
)
def test_watch_says_it_in_one_sentence(text, arguments, code, words, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert run(["watch", *arguments]) == code
    out, err = capsys.readouterr()
    assert re.search(words, out + err), (out, err)
    assert len((out + err).strip().splitlines()) <= 4
    assert "Traceback" not in err
