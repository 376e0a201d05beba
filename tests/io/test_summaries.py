"""Tables of counts: what each is read as, what is asked, and that none is ever read as votes."""

import json
import os
import random
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algeval as ae
from algeval.cli import main
from algeval.data import KeyedSketch, Sketch, Summary, Votes
from algeval.errors import DataError
from algeval.io.answers import ReadOptions
from algeval.io.sources import read

COUNTS = {
    "gpt4": {"pass": 40, "fail": 50, "unsure": 10},
    "claude": {"pass": 70, "fail": 20, "unsure": 10},
    "gemini": {"pass": 10, "fail": 80, "unsure": 10},
}
WIDE = "grader,pass,fail,unsure\ngpt4,40,50,10\nclaude,70,20,10\ngemini,10,80,10\n"
SHARED = Path(os.environ.get("ALGEVAL_SHARED", Path(__file__).parents[2] / ".." / "shared"))


def cells(summary):
    """{judge: {answer: count}} without zeros."""
    rows = zip(summary.judges, summary.counts.tolist(), strict=True)
    return {j: {a: n for a, n in zip(summary.answers, row, strict=True) if n} for j, row in rows}


def said(counts):
    return {who: {a: n for a, n in row.items() if n} for who, row in counts.items()}


def put(folder, text, name="t.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def loaded(source, **options):
    return read(source, ReadOptions(**options), "data or scores")


def question(source, **options):
    with pytest.raises(DataError) as caught:
        loaded(source, **options)
    assert caught.value.questions
    return caught.value


# --- Forms of one summary.

LATEX = r"""\begin{table}\caption{Verdicts.}
\begin{tabular}{lrrrr}\toprule
\textbf{Grader} & pass & fail & unsure & \textbf{Total} \\ \midrule
gpt4 & 40 & 50 & 10 & 100 \\
claude & 70 & 20 & 10 & 100 \\
gemini & 10 & 80 & 10 & 100 \\ \bottomrule
\end{tabular}\end{table}
"""
FORMS = {
    "wide.csv": WIDE,
    "semicolon.csv": WIDE.replace(",", ";"),
    "wide.tsv": WIDE.replace(",", "\t"),
    "down.csv": "label,gpt4,claude,gemini\npass,40,70,10\nfail,50,20,80\nunsure,10,10,10\n",
    "long.csv": "rater,verdict,count\n"
    + "".join(f"{w},{a},{n}\n" for w, row in COUNTS.items() for a, n in row.items()),
    "percent_beside.csv": "grader,pass,fail,unsure,pass %\ngpt4,40,50,10,40.0\nclaude,70,20,10,70.0\n"
    "gemini,10,80,10,10.0\n",
    "page.md": "# Report\n\nVerdicts per judge\n\n| name | pass | fail | unsure |\n|---|---:|---:|---:|\n"
    + "".join(f"| {w} | {' | '.join(map(str, row.values()))} |\n" for w, row in COUNTS.items())
    + "\n| pair | kappa |\n|---|---|\n| a / b | 0.61 |\n",
    "box.txt": "┏━━━┳━━━┳━━━┳━━━┓\n┃ judge ┃ pass ┃ fail ┃ unsure ┃\n┡━━━╇━━━╇━━━╇━━━┩\n"
    + "".join(f"│ {w} │ {' │ '.join(map(str, row.values()))} │\n" for w, row in COUNTS.items()),
    "paper.tex": LATEX,
    "lines.txt": "".join(
        f"{w}: " + ", ".join(f"{a}={n}" for a, n in row.items()) + "\n" for w, row in COUNTS.items()
    ),
    "nested.json": json.dumps({"run": 3, "graders": COUNTS}),
    "records.json": json.dumps([{"grader": w, **row} for w, row in COUNTS.items()]),
    "share.csv": "judge,n,pass,fail,unsure\ngpt4,100,40%,50%,10%\nclaude,100,70%,20%,10%\n"
    "gemini,100,10%,80%,10%\n",
    "n_percent.csv": "judge,pass,fail,unsure\ngpt4,40 (40%),50 (50%),10 (10%)\n"
    "claude,70 (70%),20 (20%),10 (10%)\ngemini,10 (10%),80 (80%),10 (10%)\n",
    "printed.txt": pd.DataFrame(COUNTS)
    .T.rename_axis("grader")
    .rename_axis("label", axis=1)
    .to_string(),
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_a_summary_is_the_same_summary(tmp_path, name):
    reading = loaded(put(tmp_path, FORMS[name], name))
    assert isinstance(reading.data, Summary)
    assert cells(reading.data) == said(COUNTS)
    assert reading.data.n_items == 100
    assert reading.notes[0].startswith(
        "Read as counts: 100 items, 3 graders gpt4, claude, gemini; labels pass, fail,"
    )
    assert ae.threshold(put(tmp_path, FORMS[name], name)).lower == Fraction(2, 5)


def frames():
    frame = pd.DataFrame(COUNTS).T.rename_axis("grader").rename_axis("label", axis=1)
    rows = [(w, a) for w, row in COUNTS.items() for a, n in row.items() for _ in range(n)]
    votes = pd.DataFrame(rows, columns=["grader", "label"])
    return {
        "dict": COUNTS,
        "counters": {w: Counter(row) for w, row in COUNTS.items()},
        "series": {w: pd.Series(row) for w, row in COUNTS.items()},
        "records": [{"grader": w, **row} for w, row in COUNTS.items()],
        "frame": frame,
        "turned": frame.T,
        "reset": frame.reset_index(),
        "crosstab": pd.crosstab(votes.grader, votes.label),
        "margins": pd.crosstab(votes.grader, votes.label, margins=True),
        "size": votes.groupby(["grader", "label"]).size(),
        "value_counts": votes.value_counts(),
    }


@pytest.mark.parametrize("name", frames())
def test_every_object_of_python_is_the_same_summary(name):
    source = frames()[name]
    assert cells(loaded(source).data) == said(COUNTS)
    assert not ae.alarm(source, Fraction(2, 5)).triggered
    assert ae.alarm(source, Fraction(41, 100)).triggered


def test_vote_patterns_of_pandas_keep_who_agreed():
    votes = pd.DataFrame({"a": list("pppff"), "b": list("ppfff"), "c": list("pfpfp")})
    made = loaded(votes.value_counts()).data
    assert made == Votes.from_columns(votes.to_dict("list")).sketch()
    assert loaded(Counter(zip(*votes.to_dict("list").values(), strict=True))).data.n_items == 5


# --- Tuples, keys, two graders.

TUPLES = "a,b,c,{}\n" + "".join(
    f"{','.join(row)},{n}\n"
    for row, n in zip(
        product(("pos", "neg"), repeat=3), (65, 46, 36, 52, 29, 38, 72, 162), strict=True
    )
)


@pytest.mark.parametrize("count", ["count", "freq", "Frequency", "n", "N", "items", "#"])
def test_tuples_with_counts_are_a_sketch(tmp_path, count):
    made = loaded(put(tmp_path, TUPLES.format(count))).data
    assert isinstance(made, Sketch)
    assert made.n_items == 500
    assert made.frequency(("pos", "pos", "neg")) == Fraction(46, 500)


def test_a_percentage_beside_tuples_is_no_judge(tmp_path):
    table = put(
        tmp_path,
        "rater1\trater2\tn\t%\ny\ty\t110\t55.0\ny\tn\t20\t10.0\nn\ty\t10\t5.0\nn\tn\t60\t30.0\n",
        "t.tsv",
    )
    for options in ({}, {"count": "n"}):
        made = loaded(table, **options).data
        assert (made.judges, made.n_items) == (("rater1", "rater2"), 200)


@pytest.mark.parametrize(
    "text",
    [
        "pattern,freq\n++,90\n+-,11\n-+,8\n--,77\n",
        "pattern,freq\n+ / +,90\n+ / -,11\n- / +,8\n- / -,77\n",
    ],
)
def test_patterns_in_one_text_are_split(tmp_path, text):
    made = loaded(put(tmp_path, text)).data
    assert made.judges == ("judge 1", "judge 2")
    assert made.frequency(("+", "-")) == Fraction(11, 186)


def test_named_patterns_name_the_graders(tmp_path):
    text = "Pattern;Count\n" + "".join(
        f'"x={a}, y={b}";{n}\n'
        for (a, b), n in zip(product("pf", "pf"), (5, 4, 3, 12), strict=True)
    )
    made = loaded(put(tmp_path, text)).data
    assert made.judges == ("x", "y")
    assert made.frequency(("f", "f")) == Fraction(1, 2)


def test_splits_say_not_who(tmp_path):
    with pytest.raises(DataError, match="who said what is lost"):
        loaded(put(tmp_path, "split,count\n3/0,12\n2/1,15\n"))


def test_a_weak_name_of_tuples_in_no_order_is_asked_about(tmp_path):
    table = put(tmp_path, "a,b,n\nx,y,4\nx,x,9\ny,y,3\n")
    assert "rows='tuples'" in str(question(table))
    assert loaded(table, rows="tuples").data.n_items == 16
    assert isinstance(loaded(table, rows="items", judges=["a", "b"]).data, Votes)


KEYED = {
    "g1": {"p": {"p": 50, "f": 10}, "f": {"p": 12, "f": 28}},
    "g2": {"p": {"p": 44, "f": 16}, "f": {"p": 3, "f": 37}},
}
KEYED_FORMS = {
    "long.csv": "grader,truth,answer,count\n"
    + "".join(
        f"{w},{t},{a},{n}\n" for w, x in KEYED.items() for t, y in x.items() for a, n in y.items()
    ),
    "deep.json": json.dumps(KEYED),
    "blocks.txt": "".join(
        f"Confusion matrix: {w} (rows: truth, columns: prediction)\n     p   f\n"
        + "".join(f"{t}   {y['p']}  {y['f']}\n" for t, y in x.items())
        + "\n"
        for w, x in KEYED.items()
    ),
}


@pytest.mark.parametrize("name", KEYED_FORMS)
def test_confusion_tables_of_graders_are_keyed(tmp_path, name):
    reading = loaded(put(tmp_path, KEYED_FORMS[name], name))
    assert cells(reading.data) == {"g1": {"p": 62, "f": 38}, "g2": {"p": 47, "f": 53}}
    tables = reading.counted.tables
    assert {w: k.evaluation().accuracy(w, "f") for w, k in tables.items()} == {
        "g1": Fraction(7, 10),
        "g2": Fraction(37, 40),
    }


def test_true_and_false_positives_are_no_labels(tmp_path):
    text = "Judge,TP,FN,FP,TN,F1\nx,50,10,12,28,0.82\ny,44,16,3,37,0.82\n"
    reading = loaded(put(tmp_path, text))
    assert cells(reading.data) == {
        "x": {"positive": 62, "negative": 38},
        "y": {"positive": 47, "negative": 53},
    }
    assert reading.counted.tables["y"].evaluation().accuracy("y", "negative") == Fraction(37, 40)


def test_the_same_names_down_and_across(tmp_path):
    square = "{},neg,pos\nneg,40,10\npos,5,45\n"
    two = loaded(put(tmp_path, square.format("A \\ B"))).data
    assert (two.judges, two.frequency(("neg", "pos"))) == (("A", "B"), Fraction(1, 10))
    down = loaded(put(tmp_path, square.format("truth \\ judge"))).data
    across = loaded(put(tmp_path, square.format("judge \\ truth"))).data
    assert down.evaluation().accuracy("judge", "neg") == Fraction(4, 5)
    assert across.evaluation().accuracy("judge", "neg") == Fraction(8, 9)
    question(put(tmp_path, square.format("Annotator 1")))


# --- What is asked, and what the answers do.


def test_who_the_rows_are_is_asked_once_and_the_answer_is_obeyed(tmp_path):
    table = put(tmp_path, "model,pass,fail\nx,61,39\ny,72,28\n")
    assert "graders" in question(table).questions[0].answers[0]
    assert loaded(table, rows="graders").data.judges == ("x", "y")
    down = put(tmp_path, "model,x,y\npass,61,72\nfail,39,28\n", "down.csv")
    assert loaded(down, rows="labels").data == loaded(table, rows="graders").data


def test_numbers_of_items_are_asked_where_graders_left_some(tmp_path):
    table = put(tmp_path, "grader,pass,fail\nx,60,40\ny,50,40\n")
    assert "n_items='100'" in str(question(table))
    assert loaded(table, n_items=100).data.missing.tolist() == [0, 10]
    with pytest.raises(DataError, match="at least what each grader answered"):
        loaded(table, n_items=99)


def test_items_not_answered_are_no_label(tmp_path):
    made = loaded(put(tmp_path, "grader,pass,fail,no answer\nx,60,38,2\ny,50,40,10\n")).data
    assert (made.labels, made.n_items, made.missing.tolist()) == (("pass", "fail"), 100, [2, 10])


def test_shares_need_a_number_and_digits(tmp_path):
    table = put(tmp_path, "judge,pass,fail\nx,40%,60%\ny,14%,86%\n")
    question(table)
    assert cells(loaded(table, n_items=50).data) == {
        "x": {"pass": 20, "fail": 30},
        "y": {"pass": 7, "fail": 43},
    }
    with pytest.raises(
        DataError, match="round from one count alone; got '40%' of 1514 items, which is 599 to 613"
    ):
        loaded(table, n_items=1514)
    with pytest.raises(DataError, match="round from one count alone"):
        loaded(table, n_items=7)


@pytest.mark.parametrize(
    "text",
    [
        "grader,pass,fail,total\nx,60,40,100\ny,70,20,100\n",
        "label,x,y\npass,60,70\nfail,40,30\ntotal,100,101\n",
    ],
)
def test_totals_that_disagree_are_refused_with_both_numbers(tmp_path, text):
    with pytest.raises(DataError, match=r"must be the sum .*; got 10[01] beside (90|100)"):
        loaded(put(tmp_path, text))


def test_marks_are_not_answers(tmp_path):
    question(put(tmp_path, "judge,correct,incorrect\nx,60,40\ny,70,30\n"))
    question(put(tmp_path, "dimension,win,tie,lose\nclarity,29,7,24\nnovelty,27,4,29\n"))
    with pytest.raises(DataError, match="no counts here"):
        loaded(put(tmp_path, "judge,accuracy,kappa,n\nx,.82,.6,100\ny,.71,.5,100\n"))
    with pytest.raises(DataError, match="Fleiss"):
        loaded(put(tmp_path, "subject,a,b,c\n1,0,6,0\n2,3,0,3\n3,0,1,5\n"))
    question({"gpt4": (40, 50, 10), "claude": (70, 20, 10)})


@pytest.mark.parametrize(
    "text",
    [
        "rater,q1,q2,q3\nr1,5,4,3\nr2,4,4,3\n",
        "judge,case1,case2\nx,pass,fail\ny,pass,pass\nz,fail,fail\n",
    ],
)
def test_votes_written_across_are_asked_about(tmp_path, text):
    question(put(tmp_path, text))


VOTES = [
    "id,gpt4,claude,n\nc1,pass,pass,4\nc2,fail,pass,7\nc3,pass,fail,2\n",
    "subject,r1,r2,r3\nS1,3,4,2\nS2,5,1,3\nS3,2,2,5\nS4,4,4,1\n",
    "item,worker,label\nq1,w1,1\nq2,w1,0\nq1,w2,1\nq2,w2,0\n",
    "x,y,z\n1,1,0\n0,1,1\n1,0,1\n0,0,1\n",
]


@pytest.mark.parametrize("text", VOTES)
def test_votes_stay_votes(tmp_path, text):
    assert isinstance(loaded(put(tmp_path, text)).data, Votes)


def test_votes_in_a_page_are_votes(tmp_path):
    page = (
        "| Question | R 1 | R 2 |\n|---|---|---|\n| Q1 | 4 | 5 |\n| Q2 | 2 | 2 |\n| Q3 | 5 | 5 |\n"
    )
    made = loaded(put(tmp_path, page, "v.md")).data
    assert (made.n_items, made.judges) == (3, ("R 1", "R 2"))


def test_small_tables_of_votes_are_never_read_as_summaries(tmp_path):
    rng = random.Random(5)
    for _ in range(300):
        n, j = rng.randint(2, 8), rng.randint(2, 5)
        labels = rng.choice([["0", "1"], list("12345"), ["pass", "fail"], ["A", "B", "tie"]])
        rows = [[rng.choice(labels) for _ in range(j)] for _ in range(n)]
        judges = rng.choice(
            [[f"judge{k}" for k in range(j)], ["gpt4", "claude", "gemini", "qwen", "phi"][:j]]
        )
        head, ids = rng.choice([("item", True), ("", True), ("", False), (None, False)])
        lines = [",".join(judges if head is None else [head, *judges])]
        for k, row in enumerate(rows):
            first = [] if head is None else [f"doc-{k}" if ids else str(k)]
            lines.append(",".join([*first, *row]))
        try:
            made = loaded(put(tmp_path, "\n".join(lines) + "\n")).data
        except DataError:
            continue
        assert not isinstance(made, Summary | Sketch | KeyedSketch), lines


# --- Round trips, and what every answer says.

NAMES = st.lists(
    st.sampled_from(["gpt4", "claude", "Dr. Brown", "llama-3", "r1"]),
    min_size=1,
    max_size=4,
    unique=True,
)
LABELS = st.sampled_from([("pass", "fail"), ("yes", "no", "unsure"), tuple("12345"), ("b", "a")])


@settings(deadline=None, max_examples=25)
@given(
    NAMES,
    LABELS,
    st.sampled_from([(), ("refused",), ("zz", "error text")]),
    st.integers(1, 40),
    st.integers(0, 10**6),
)
def test_what_is_written_is_read_back(tmp_path_factory, judges, labels, more, n, seed):
    rng = random.Random(seed)
    answers = (*labels, *more)
    seen = [*answers, None] if rng.random() < 0.5 else list(labels[: rng.randint(1, len(labels))])
    rows = Counter(tuple(rng.choice(seen) for _ in judges) for _ in range(n))
    named = {"judges": judges, "labels": labels, "answers": answers}
    sketch = Sketch.from_counts(rows, **named)
    keyed: dict[str, Counter] = {}
    for row, times in rows.items():
        keyed.setdefault(rng.choice(labels), Counter())[row] += times
    folder = tmp_path_factory.mktemp("trip")
    for data in (sketch, sketch.summary(), KeyedSketch.from_counts(keyed, **named)):
        for ending in ("json", "csv", "tsv", "md", "parquet"):
            data.to_file(folder / f"{type(data).__name__}.{ending}")
            again = loaded(str(folder / f"{type(data).__name__}.{ending}")).data
            assert type(again) is type(data)
            assert again.to_dict() == data.to_dict()


def test_documents_written_by_hand_need_no_answers_and_no_digest(tmp_path):
    document = {
        "schema": "algeval.summary/1",
        "judges": ["x"],
        "labels": ["a", "b"],
        "counts": [[3, 4]],
        "n_items": 8,
    }
    made = loaded(put(tmp_path, json.dumps(document), "s.json")).data
    assert (made.answers, made.n_items) == (("a", "b"), 8)


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    return ended.value.code, *capsys.readouterr()


def test_the_first_line_of_every_answer_says_what_was_read(tmp_path, capsys):
    table = put(tmp_path, WIDE)
    first = (
        "Read as counts: 100 items, 3 graders gpt4, claude, gemini; labels pass, fail, unsure; rows are "
        "graders (column 'grader')."
    )
    for command in (
        ["alarm", "--at-least", "0.7"],
        ["threshold"],
        ["panel"],
        ["bounds"],
        ["evaluations"],
        ["program"],
    ):
        _, out, _ = run(capsys, command[0], table, *command[1:])
        assert out.splitlines()[0] == first, command
    assert first[:-1] in " ".join(run(capsys, "report", table)[1].split())
    assert json.loads(run(capsys, "threshold", table, "--json")[1])["read"] == first[:-1]
    code, out, _ = run(capsys, "columns", table)
    assert code == 0
    assert first[:-1] in out


@pytest.mark.parametrize(
    "command",
    [
        "decode",
        "aggregate",
        "compare",
        "diagnose",
        "judges",
        "versus",
        "next",
        "slices",
        "label",
        "drift",
    ],
)
def test_what_needs_items_refuses_counts_per_judge_in_one_sentence(tmp_path, capsys, command):
    code, _, err = run(capsys, command, put(tmp_path, WIDE))
    assert code == 2
    assert "no items" in err
    assert err.count("\n") == 1


def test_columns_says_the_question_and_is_never_refused(tmp_path, capsys):
    code, out, _ = run(capsys, "columns", put(tmp_path, "model,pass,fail\nx,61,39\ny,72,28\n"))
    assert code == 0
    assert "--rows graders" in out
    Summary.from_counts(COUNTS).to_file(tmp_path / "s.json")
    code, out, _ = run(capsys, "columns", tmp_path / "s.json")
    assert "100 items, 3 graders gpt4" in out


def test_cards_of_confusion_tables_are_of_each_grader(tmp_path, capsys):
    code, out, _ = run(capsys, "judges", put(tmp_path, KEYED_FORMS["long.csv"]))
    assert code == 0
    assert "g1" in out
    assert "g2" in out


# --- Files of others: none is read as something else.


def expected(folder):
    path = SHARED / "summaries" / folder / "expected.json"
    return json.loads(path.read_text()).items() if path.is_file() else []


KINDS = {
    Summary: "summary",
    Sketch: "sketch",
    KeyedSketch: "keyed",
    Votes: "votes",
    ae.Scores: "scores",
}


@pytest.mark.parametrize(
    ("folder", "name", "want"), [(f, *pair) for f in ("", "real") for pair in expected(f)]
)
def test_no_file_is_read_as_what_it_is_not(folder, name, want):
    try:
        reading = loaded(str(SHARED / "summaries" / folder / name))
    except DataError as error:
        got = "ask" if error.questions else "refuse"
        allowed = {want["kind"], *(want.get("also") or ()), "ask", "refuse"}
        assert got in allowed
        return
    tables = reading.counted.tables if reading.counted else {}
    kind = "keyed" if tables else KINDS[type(reading.data)]
    assert kind in {want["kind"], *(want.get("also") or ())}
    if want.get("counts") and kind in ("summary", "sketch"):
        assert cells(reading.data.summary()) == said(want["counts"])
    if want.get("counts") and kind == "keyed":
        for who, one in want["counts"].items():
            truth = {t: {a: n for a, n in row.items() if n} for t, row in one.items()}
            keyed = tables[who]
            for k, label in enumerate(keyed.sketch.labels):
                row = {
                    keyed.sketch.decision(u)[0]: int(keyed.keyed[u, k])
                    for u in range(len(keyed.sketch))
                }
                assert {a: n for a, n in row.items() if n} == truth[label]
    if want.get("n_items"):
        assert reading.data.n_items == want["n_items"]
