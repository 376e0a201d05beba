"""A judge updated, and verdicts as they come: what the commands say, write, keep and refuse."""

import contextlib
import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import algeval as ae
from algeval.cli.main import run

N = 200
RNG = np.random.default_rng(1)
TRUTH = RNG.random(N) < 0.6
OLD = np.where(RNG.random(N) < 0.75, TRUTH, ~TRUTH)
NEW = np.where(RNG.random(N) < 0.2, TRUTH, OLD)


def word(passes):
    return "pass" if passes else "fail"


def write(path, **columns):
    names = list(columns)
    rows = zip(*columns.values(), strict=True)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([names, *rows])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    items = [f"i{k}" for k in range(N)]
    old, new, truth = ([word(v) for v in values] for values in (OLD, NEW, TRUTH))
    write(tmp_path / "old.csv", item=items, judge=old)
    write(tmp_path / "new.csv", item=items[::-1], judge=new[::-1])
    write(tmp_path / "both.csv", item=items, v1=old, v2=new, human=truth)
    return tmp_path


@pytest.fixture
def call(capsys):
    def run_it(*arguments):
        code = run([str(a) for a in arguments])
        out = capsys.readouterr()
        return code, out.out, out.err

    return run_it


def pipe(monkeypatch, text):
    data = text if isinstance(text, bytes) else text.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


# --- drift


def test_without_labels_it_says_what_changed_what_is_certain_and_what_to_label(folder, call):
    code, out, err = call("drift", "old.csv", "new.csv")
    changed = int((OLD != NEW).sum())
    assert (code, err) == (1, "")
    assert f"{changed} verdicts changed on 200 items; none of them has a label" in out
    assert f"pass rate {OLD.mean():.1%} to {NEW.mean():.1%}" in out
    assert f"at least {changed} are wrong, whatever the truth" in out
    most = f"{100 * changed / N:.1f}"
    assert f"accuracy changed by -{most} to +{most} points, whatever the truth" in out
    assert "Label next, in this order (random, seed 0)" in out
    assert "recall" not in out


def test_from_the_file_to_fill_in_to_a_verdict(folder, call):
    """The commands that are named are the ones that work."""
    out = call("drift", "old.csv", "new.csv", "--good", "pass")[1]
    first = re.search(r"Next: algeval (.*)", out)[1]
    code, out, _ = call(*shlex.split(first))
    second = re.search(r"then: algeval (.*)", out)[1]
    with open("label.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["item"] for row in rows} == {f"i{k}" for k in np.flatnonzero(OLD != NEW)}
    assert all(not row["truth"] for row in rows)
    for upto in (2, len(rows)):
        for row in rows[:upto]:
            row["truth"] = word(TRUTH[int(row["item"][1:])])
        write(folder / "label.csv", **{name: [r[name] for r in rows] for name in rows[0]})
        code, out, err = call(*shlex.split(second), "--level", "0.99")
        assert err == ""
        assert (code, f"by {upto} labels of them" in out) == (int(upto < len(rows)), True)
        if code:
            assert "label more of them, in that order, in label.csv" in out
    assert "exactly: every changed item that matters has a label" in out
    assert re.search(r": better\b", out)
    last = re.search(r"Watch the verdicts to come: algeval (.*)", out)[1]
    assert last == f"watch --baseline {int(NEW.sum())}/{N} --good pass"


def test_two_judges_of_one_file_and_the_change_of_recall_and_specificity(folder, call):
    code, out, err = call("drift", "both.csv", "--before", "v1", "--after", "v2")
    assert (code, err) == (0, "")
    assert "v1 to v2:" in out
    for label, name in (("fail", "recall of fail (specificity)"), ("pass", "recall of pass")):
        of = TRUTH if label == "pass" else ~TRUTH
        change = 100 * ((NEW == TRUTH)[of].mean() - (OLD == TRUTH)[of].mean())
        assert f"{name} {change:+.1f} points" in out
    swapped = call("drift", "both.csv", "--before", "v2", "--after", "v1")[1]
    assert re.search(r": worse\b", swapped)
    named = call("drift", "both.csv", "--judges", "v1,v2")[1]
    assert named.split("Note:")[0] == out.split("Note:")[0]


def test_columns_of_two_files_may_have_different_names(folder, call):
    write(folder / "later.csv", item=[f"i{k}" for k in range(N)], judge_b=list(map(word, NEW)))
    plain = call("drift", "old.csv", "new.csv", "--json")[1]
    named = call(
        "drift", "old.csv", "later.csv", "--before", "judge", "--after", "judge_b", "--json"
    )
    single = call("drift", "old.csv", "later.csv", "--json")
    rows = [json.loads(text)["rows"][0] for text in (plain, named[1], single[1])]
    assert {row["changed"] for row in rows} == {int((OLD != NEW).sum())}


def test_json_is_the_result_and_is_of_its_schema(folder, call):
    code, out, _ = call("drift", "both.csv", "--before", "v1", "--after", "v2", "--json")
    document = json.loads(out)
    assert (code, document["schema"]) == (0, "algeval.drift/1")
    row = ae.drift("both.csv", judges=("v1", "v2")).rows[0]
    assert document["rows"][0]["change"] == list(row.change)
    assert document["to_label"] == []


def test_labels_in_one_of_two_files_are_enough(folder, call):
    write(
        folder / "labelled.csv",
        item=[f"i{k}" for k in range(N)],
        judge=list(map(word, OLD)),
        human=list(map(word, TRUTH)),
    )
    code, out, _ = call("drift", "labelled.csv", "new.csv")
    assert code == 0
    assert re.search(r": better\b", out)


def test_a_planned_number_of_labels_is_narrower(folder, call):
    drawn = {f"i{k}": word(TRUTH[k]) for k in np.flatnonzero(OLD != NEW)[:15]}
    write(folder / "some.csv", item=list(drawn), truth=list(drawn.values()))
    results = [
        json.loads(call("drift", "old.csv", "new.csv", "--human", "some.csv", "--json", *more)[1])
        for more in ((), ("--planned",))
    ]
    assert [r["anytime"] for r in results] == [True, False]
    (_, low, high), (_, least, most) = (
        results[0]["rows"][0]["anytime"],
        results[1]["rows"][0]["change"],
    )
    assert low <= least <= most <= high


def test_a_judge_that_now_always_passes_and_one_that_never_changed(folder, call):
    items = [f"i{k}" for k in range(N)]
    write(folder / "all.csv", item=items, judge=["pass"] * N)
    write(folder / "truth.csv", item=items, truth=list(map(word, TRUTH)))
    code, out, err = call("drift", "old.csv", "all.csv", "--human", "truth.csv")
    assert err == ""
    assert f"{int((~OLD).sum())} of 200 verdicts changed" in out
    code, out, _ = call("drift", "old.csv", "old.csv")
    assert (code, "No verdict changed on 200 items: nothing to label." in out) == (0, True)
    code, out, _ = call("drift", "all.csv", "all.csv")
    assert (code, "No verdict changed" in out) == (0, True)


def test_some_items_in_one_file_alone_are_counted(folder, call):
    write(folder / "part.csv", item=["i1", "i2", "new"], judge=["pass", "fail", "pass"])
    out = call("drift", "old.csv", "part.csv")[1]
    assert "199 items in one table alone, left out (198 before, 1 after)" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["old.csv", "other.csv"], "must have an item in common"),
        (["old.csv", "answers.csv"], "labels|judge the same outputs"),
        (["old.csv"], "must hold two judges"),
        (["old.csv", "new.csv", "both.csv"], "drift compares two files"),
        ([], "name one votes file"),
        (["both.csv", "--before", "v1"], "--before and --after go together"),
        (["both.csv", "--before", "v1", "--after", "v9"], "'v9'"),
        (["both.csv", "--before", "v1", "--after", "v1"], "v1"),
        (["both.csv", "--before", "v1", "--after", "v2", "--judges", "v1"], "one setting"),
        (["old.csv", "new.csv", "--before", "v1", "--after", "v2"], "must name a judge before"),
        (["old.csv", "renamed.csv", "--judges", "judge"], "'judge'"),
        (["old.csv", "new.csv", "--level", "1.5"], "level must"),
        (["old.csv", "new.csv", "--random", "-1"], "random must"),
        (["old.csv", "new.csv", "--human", "nobody.csv"], "nobody.csv"),
        (["old.csv", "new.csv", "--good", "great"], "great"),
        (["old.csv", "new.csv", "--to-label", "no/such/folder.csv"], "folder.csv"),
        (["old.csv", "none.csv"], "none.csv"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(folder, call, arguments, sentence):
    write(folder / "other.csv", item=["x", "y"], judge=["pass", "fail"])
    write(folder / "renamed.csv", item=["i0", "i1"], grader=["pass", "fail"])
    texts = [f"An answer of several words, number {k}, as it was put out." for k in range(N)]
    items = [f"i{k}" for k in range(N)]
    write(folder / "old2.csv", item=items, judge=list(map(word, OLD)), response=texts)
    write(folder / "answers.csv", item=items, judge=list(map(word, NEW)), response=texts[::-1])
    if "answers.csv" in arguments:
        arguments = ["old2.csv", "answers.csv"]
    code, out, err = call("drift", *arguments)
    assert (code, out) == (2, ""), out
    assert re.search(sentence, err), err
    assert len(err.strip().splitlines()) == 1


# --- watch


def lines(passes, good="pass", bad="fail"):
    return "".join(f"{good if p else bad}\n" for p in passes)


STEADY = np.arange(300) % 10 > 0  # one in ten fails
WORSE = np.concatenate([STEADY, np.arange(300) % 2 > 0])


def test_no_alarm_is_0_and_an_alarm_is_a_line_and_1(call, monkeypatch):
    pipe(monkeypatch, lines(STEADY))
    code, out, err = call("watch", "--baseline", "0.9")
    assert (code, err) == (0, "")
    assert out.startswith("No alarm: 300 verdicts, 90.0% passes; the baseline is 90.0%.")
    pipe(monkeypatch, lines(WORSE))
    code, out, err = call("watch", "--baseline", "90%")
    stream = ae.VerdictStream(0.9)
    at = stream.update(WORSE).at
    assert (code, err) == (1, "")
    assert out.startswith(f"Alarm at verdict {at}: the pass rate is below the baseline 90.0%")
    assert "algeval drift" in out


@pytest.mark.parametrize("mode", ["anytime", "fast"])
@pytest.mark.parametrize("side", ["both", "below", "above"])
def test_it_is_the_stream_of_python(folder, call, mode, side):
    (folder / "v.txt").write_text(lines(WORSE, "ok", "no"))
    out = call(
        *("watch", "--file", "v.txt", "--baseline", "450/500", "--good", "OK", "--json"),
        *("--mode", mode, "--side", side, "--every", "500", "--level", "0.9"),
    )[1]
    stream = ae.VerdictStream((450, 500), level=0.9, side=side, mode=mode, every=500)
    at = stream.update(WORSE).at
    document = json.loads(out)
    assert document["alarm_at"] == at
    assert document["n"] == (len(WORSE) if at is None else at)
    assert document["alarm"] == (at is not None)
    again = ae.VerdictStream.from_dict(document)
    assert again.n == document["n"]


def test_a_watch_in_parts_is_the_watch_in_one(folder, call, monkeypatch):
    one = ae.VerdictStream(0.9)
    at = one.update(WORSE).at
    for k, part in enumerate(np.split(WORSE, [100, 250, 310])):
        pipe(monkeypatch, lines(part))
        asked = ["--baseline", "0.9"] if k != 1 else []
        code, out, _ = call("watch", "--state", "s.json", *asked)
    assert (code, json.loads((folder / "s.json").read_text())["alarm_at"]) == (1, at)
    pipe(monkeypatch, "")
    code, again, _ = call("watch", "--state", "s.json")
    assert (code, again) == (1, out)  # an alarm stays


def test_blocks_of_a_pipe_do_not_matter(folder, call, monkeypatch):
    from algeval.cli import drifting

    (folder / "v.txt").write_text(lines(WORSE).rstrip("\n"))
    found = []
    for size in (1, 7, 64, 1 << 20):
        monkeypatch.setattr(drifting, "_BLOCK", size)
        found.append(call("watch", "--file", "v.txt", "--baseline", "0.9", "--json"))
    assert found == [found[-1]] * 4


def test_words_quotes_cases_and_what_is_left_out(call, monkeypatch):
    pipe(
        monkeypatch,
        b'\xef\xbb\xbfPass\r\n"fail"\r\nTRUE\n\n0\ntimeout\nError: no credit\nnull\nyes.\n1',
    )
    code, out, _ = call("watch", "--baseline", "0.6", "--json")
    document = json.loads(out)
    assert (code, document["n"], document["passes"]) == (0, 6, 4)
    assert document["left_out"] == {"": 1, "timeout": 1, "Error: no credit": 1, "null": 1}
    pipe(monkeypatch, "a\nb\nA\ntimeout\n")
    out = call("watch", "--baseline", "0.6", "--good", "a")[1]
    assert "3 verdicts, 66.7% passes" in out
    assert "Note: 1 line without a verdict left out: 'timeout' (1)" in out


def test_a_good_word_that_no_line_says_is_noted(call, monkeypatch):
    pipe(monkeypatch, lines([1, 0] * 30))
    code, out, _ = call("watch", "--baseline", "0.9", "--good", "pas")
    assert code == 1
    assert "Note: no line says 'pas'; they say " in out


def test_streams_that_never_change_are_watched_like_any_other(call, monkeypatch):
    for good, baseline, side, code in (
        (1, 0.9, "below", 0),
        (1, 0.9, "both", 1),
        (0, 0.1, "below", 1),
        (0, 0.1, "above", 0),
    ):
        pipe(monkeypatch, lines([good] * 400))
        assert call("watch", "--baseline", baseline, "--side", side)[0] == code


@pytest.mark.parametrize(
    ("arguments", "text", "sentence"),
    [
        (["--baseline", "0.9"], "", "standard input must hold verdicts, one a line; got nothing"),
        (["--baseline", "0.9"], "\n\ntimeout\n", "got 3 lines without a verdict"),
        (
            ["--baseline", "0.9"],
            "pass\nmaybe\n",
            "line 2 of standard input must be a verdict; got 'maybe'",
        ),
        (["--baseline", "0.9"], "verdict\npass\n", "line 1 of standard input"),
        (["--baseline", "0.9"], b"\xff\xfe\x00\n", "line 1 of standard input"),
        (["--baseline", "0.9"], "x" * (3 << 20), "a line of more than 1 MB"),
        ([], "pass\n", "--baseline must be named"),
        (["--baseline", "1"], "pass\n", "--baseline must lie between 0 and 1"),
        (["--baseline", "0"], "pass\n", "450/500"),
        (["--baseline", "1.2"], "pass\n", "--baseline must be from 0 to 1"),
        (["--baseline", "120%"], "pass\n", "--baseline must be from 0 to 1"),
        (["--baseline=-0.1"], "pass\n", "--baseline must be from 0 to 1"),
        (["--baseline", "nan"], "pass\n", "--baseline must be a finite number"),
        (["--baseline", "high"], "pass\n", "--baseline must be a finite number"),
        (["--baseline", "500/450"], "pass\n", "passes first; got 500 of 450; swap them"),
        (["--baseline", "0/0"], "pass\n", "--baseline verdicts must be"),
        (["--baseline", "9/9", "--side", "above"], "pass\n", "watch the other side"),
        (["--baseline", "0.9", "--level", "1"], "pass\n", "level must"),
        (["--baseline", "0.9", "--every", "1", "--mode", "fast"], "pass\n", "every must"),
        (["--baseline", "0.9", "--mode", "quick"], "pass\n", "got 'quick'"),
        (["--baseline", "0.9", "--file", "none.txt"], "", "none.txt"),
        (["--baseline", "0.9", "--file", "."], "", "'.'"),
        (
            ["--baseline", "0.9", "--state", "text.json"],
            "pass\n",
            "a file that algeval watch wrote",
        ),
        (
            ["--baseline", "0.9", "--state", "list.json"],
            "pass\n",
            "a file that algeval watch wrote",
        ),
        (["--baseline", "0.9", "--state", "empty.json"], "pass\n", "schema must be"),
        (["--baseline", "0.8", "--state", "kept.json"], "pass\n", "must be that of 'kept.json'"),
        (["--side", "below", "--state", "kept.json"], "pass\n", "--side must be that of"),
        (["--baseline", "0.9", "--state", "no/such/f.json"], "pass\n", "f.json"),
    ],
)
def test_bad_input_is_one_sentence(folder, call, monkeypatch, arguments, text, sentence):
    (folder / "text.json").write_text("hello")
    (folder / "list.json").write_text("[1]")
    (folder / "empty.json").write_text("{}")
    (folder / "kept.json").write_text(json.dumps(ae.VerdictStream(0.9).to_dict()))
    pipe(monkeypatch, text)
    code, out, err = call("watch", *arguments)
    assert (code, out) == (2, ""), out
    assert sentence in err, err
    assert len(err.strip().splitlines()) == 1
    assert "internal" not in err


def test_verdicts_before_a_strange_line_are_kept(folder, call, monkeypatch):
    pipe(monkeypatch, "pass\nfail\nmaybe\npass\n")
    code, _, err = call("watch", "--baseline", "0.9", "--state", "s.json")
    assert (code, "the 2 verdicts before it are counted" in err) == (2, True)
    kept = json.loads((folder / "s.json").read_text())
    assert (kept["n"], kept["passes"]) == (2, 1)


def test_an_alarm_before_a_strange_line_is_an_alarm(call, monkeypatch):
    pipe(monkeypatch, "fail\n" * 30 + "maybe\n")
    assert call("watch", "--baseline", "0.9")[0] == 1


def test_ctrl_c_keeps_the_state_of_whole_lines(folder, call, monkeypatch):
    class Stopped(io.BytesIO):
        def read1(self, size=-1):
            block = super().read1(18)
            if not block:
                raise KeyboardInterrupt
            return block

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Stopped(b"pass\nfail\npass\nfa")))
    code, out, err = call("watch", "--baseline", "0.5", "--state", "s.json")
    assert (code, out, err.strip()) == (130, "", "algeval: stopped")
    assert json.loads((folder / "s.json").read_text())["n"] == 3


@pytest.mark.skipif(sys.platform == "win32", reason="pipes differ there")
def test_a_live_pipe_is_heard_line_by_line(tmp_path):
    """The alarm comes while the writer is still there."""
    command = [sys.executable, "-m", "algeval", "watch", "--baseline", "0.9"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
    ) as watching:
        overdue = threading.Timer(60, watching.kill)
        overdue.start()
        try:
            for _ in range(30):
                watching.stdin.write("fail\n")
                watching.stdin.flush()
                time.sleep(0.01)
        except BrokenPipeError:
            pass
        assert watching.wait(60) == 1
        assert watching.stdout.read().startswith("Alarm at verdict")
        overdue.cancel()
        with contextlib.suppress(BrokenPipeError):
            watching.stdin.close()
