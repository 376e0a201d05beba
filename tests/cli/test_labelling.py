"""`algeval label` without a browser, and `algeval skill`: every command it names runs."""

import json
import re
import shlex
import shutil
from importlib.resources import files

import numpy as np
import pytest

import algeval as ae
from algeval.cli.main import COMMANDS, run
from algeval.io.catalog import example_table
from algeval.io.journal import Journal, is_journal
from algeval.label.choosing import Share
from algeval.label.front import sitting_of


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(example_table("support-bot"), tmp_path / "results.csv")
    return tmp_path


def call(capsys, *arguments):
    code = run(list(arguments))
    out = capsys.readouterr()
    return code, out.out, out.err


def labelled(capsys, monkeypatch, keys, *more):
    """Label in the terminal with these lines."""
    lines = iter(keys)

    def read(prompt):
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    import algeval.label.terminal as terminal

    monkeypatch.setattr(terminal.run, "__defaults__", (None, read))
    return call(capsys, "label", "results.csv", "--terminal", "--who", "anna", *more)


def test_from_labels_in_the_terminal_to_the_rate(folder, capsys, monkeypatch):
    before = (folder / "results.csv").read_bytes()
    code, out, err = labelled(
        capsys, monkeypatch, ["1", "2", "0", "n", "odd", "1", "x", "u", "1", "q"]
    )
    assert (code, err) == (0, "")
    assert "3 items labelled" in out
    assert "A key is 1 to 2" in out
    journal = Journal("results.labels.jsonl")
    assert [a.kind for a in journal.labels.latest["anna"]] == ["label", "label", "unsure", "label"]
    assert (folder / "results.csv").read_bytes() == before
    code, out, _ = call(capsys, "rate", "results.csv", "--human", "results.labels.jsonl")
    assert "it holds whenever one stops" in out
    for command, words in (
        ("judges", "which holds whenever one stops"),
        ("versus", "which holds whenever one stops"),
        ("slices", "for a number of labels fixed beforehand"),
    ):
        code, out, err = call(capsys, command, "results.csv", "--human", "results.labels.jsonl")
        assert code in (0, 1), err
        assert words in " ".join(out.split())
    code, out, _ = call(capsys, "report", "results.csv", "--human", "results.labels.jsonl")
    assert code == 0


def test_the_status_is_0_once_it_is_decided_and_1_before(folder, capsys, monkeypatch):
    code, out, _ = call(capsys, "label", "results.csv", "--status")
    assert code == 1
    assert "Go on" in out
    assert not (folder / "results.labels.jsonl").exists()
    code, out, _ = call(capsys, "label", "results.csv", "--status", "--width", "0.9")
    assert code == 0
    assert "You may stop" in out
    code, out, _ = call(capsys, "label", "results.csv", "--status", "--json")
    assert json.loads(out)["schema"] == "algeval.labelling/1"


def test_the_joined_table_is_written_and_read(folder, capsys, monkeypatch):
    labelled(capsys, monkeypatch, ["1"] * 5)
    code, _, err = call(capsys, "label", "results.csv", "--status", "-o", "joined.csv")
    assert (code, err) == (1, "")
    code, out, _ = call(capsys, "columns", "joined.csv")
    assert re.search(r"human +human +85 of 400", out)
    code, out, err = call(capsys, "label", "results.csv", "--status", "-o", "results.csv")
    assert code == 2
    assert "never changed" in err


def test_journals_are_merged_once(folder, capsys, monkeypatch):
    labelled(capsys, monkeypatch, ["1"] * 3)
    (folder / "results.labels.jsonl").rename(folder / "anna.jsonl")
    for n in (3, 0):
        code, out, _ = call(capsys, "label", "results.csv", "--merge", "anna.jsonl", "--status")
        assert f"{n} records of 1 journal added" in out
    assert is_journal("results.labels.jsonl")
    code, _, err = call(capsys, "label", "results.csv", "--merge", "results.csv", "--status")
    assert code == 2
    assert "must be a file that `algeval label` wrote" in err


def test_a_page_for_offline_is_written(folder, capsys):
    code, out, _ = call(capsys, "label", "results.csv", "--who", "anna", "--offline", "page.html")
    assert code == 0
    assert "300 items for anna" in out
    text = (folder / "page.html").read_text()
    assert "Content-Security-Policy" in text
    assert "gpt4o" not in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["label"], "example"),
        (["label", "results.csv", "--part", "2"], "K/M"),
        (["label", "results.csv", "--part", "3/2"], "part must be K of M"),
        (["label", "results.csv", "--overlap", "2"], "overlap"),
        (["label", "results.csv", "--show", "gpt4o"], "given blind"),
        (["label", "results.csv", "--show", "colour"], "must name columns"),
        (["label", "results.csv", "--goal", "slices", "--by", "x"], "column of groups"),
        (["label", "results.csv", "--labels", "a"], "labels must be"),
        (["label", "results.csv", "--offline", "page.txt"], ".html"),
        (["label", "missing.csv"], "missing.csv"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(folder, capsys, arguments, said):
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.strip().splitlines()) == 1
    assert not (folder / "results.labels.jsonl").exists()


# --- The guide for coding agents.


def test_the_guide_is_printed_and_written(folder, capsys):
    code, out, _ = call(capsys, "skill")
    text = files("algeval").joinpath("SKILL.md").read_text(encoding="utf-8")
    assert (code, out.strip()) == (0, text.strip())
    assert text.startswith("---\nname: algeval\ndescription: ")
    assert len(text) < 5000
    assert call(capsys, "skill", "-o", "SKILL.md")[0] == 0
    written = (folder / "SKILL.md").read_text(encoding="utf-8")
    assert written.startswith(text)
    assert written.removeprefix(text).startswith("<!-- written by algeval ")


def commands_of_the_guide():
    text = files("algeval").joinpath("SKILL.md").read_text(encoding="utf-8")
    lines = re.findall(r"`(algeval [^`]+)`", text)
    for block in re.findall(r"```bash\n(.*?)```", text, re.DOTALL):
        lines += block.strip().splitlines()
    return list(dict.fromkeys(lines))


def test_every_command_that_the_guide_names_runs(folder, capsys, monkeypatch):
    lines = commands_of_the_guide()
    assert len(lines) >= 9
    monkeypatch.setattr("algeval.label.server.serve", lambda *args, **more: None)
    labelled(capsys, monkeypatch, ["1"] * 3)
    (folder / "results.labels.jsonl").rename(folder / "other.labels.jsonl")
    (folder / "counts.csv").write_text("grader,pass,fail\nx,40,60\ny,70,30\n")
    for line in lines:
        words = shlex.split(line)
        assert words[1] in COMMANDS
        code, _, err = call(capsys, *words[1:])
        assert code in (0, 1), (line, err)


def test_the_guide_names_no_option_that_is_not_there(capsys):
    text = files("algeval").joinpath("SKILL.md").read_text(encoding="utf-8")
    told = " ".join(call(capsys, "help", name)[1] for name in ("label", "rate", "reading", "next"))
    for option in set(re.findall(r"--[a-z][a-z-]+", text)):
        assert option in told + call(capsys, "help", "plan")[1], option


def test_a_report_on_a_journal_says_the_numbers_of_rate_and_counts_no_second_look(
    tmp_path, monkeypatch, capsys
):
    """Its numbers are those of `rate`, `versus` and `judge_card`, before and after a second look."""
    rng = np.random.default_rng(5)
    monkeypatch.chdir(tmp_path)
    lines, truth = ["id,prompt,response,system,a,b"], {}
    for k in range(120):
        for system, p in (("v1", 0.6), ("v2", 0.8)):
            good = bool(rng.random() < p)
            truth[f"{k}{system}"] = "pass" if good else "fail"
            votes = ("pass" if (rng.random() < 0.85) == good else "fail" for _ in range(2))
            lines.append(f"{k}{system},q{k},answer {k},{system},{','.join(votes)}")
    (tmp_path / "r.csv").write_text("\n".join(lines) + "\n")
    settings = dict.fromkeys(("good", "labels", "by", "systems", "against", "width"))
    settings |= {"goal": "rate", "level": 0.95, "seed": 0}
    sitting = sitting_of("r.csv", None, "anna", settings=settings, share=Share())
    while len(sitting.labels.acts) < 80:
        view = sitting.view("anna")
        sitting.act("anna", "label", label=truth[view.item])
    code, first, _ = call(capsys, "report", "r.csv", "--human", "r.labels.jsonl", "--no-intervals")
    assert code == 0
    said = " ".join(first.split())
    assert "these intervals hold whenever one stops labelling" in said
    assert "which holds whenever one stops labelling" in said  # of the judges
    results = ae.read_results("r.csv", human="r.labels.jsonl")
    for name, part in results.by_system.items():
        rate = ae.rate(part.votes, "pass", human="key")
        assert rate.method == "anytime"
        ends = f"({100 * rate.low:.0f}-{100 * rate.high:.0f})"
        assert f"'pass' rate of {name}: {100 * rate.rate:.0f}% {ends}" in said
    compared = ae.versus(results)
    assert compared.method == "anytime"
    assert f"({-100 * compared.high:+.0f} to {-100 * compared.low:+.0f}" in said
    for row in ae.judge_card(results).judges:
        value, low, high = row.accuracy
        assert f"{100 * value:.0f}% ({100 * low:.0f}-{100 * high:.0f})" in said
    for item in list(sitting.labels.by_item)[:10]:
        other = {"pass": "fail", "fail": "pass"}[truth[item]]
        sitting.second_look("anna", item, other)
    _, again, _ = call(capsys, "report", "r.csv", "--human", "r.labels.jsonl", "--no-intervals")

    def numbers(text):
        return [line for line in text.splitlines() if "%" in line]

    assert numbers(again) == numbers(first)


def test_labels_of_the_table_and_those_given_here_are_counted_apart(folder, capsys):
    _, out, _ = call(capsys, "label", "results.csv", "--status")
    assert out.startswith("0 items labelled here, 80 before. ")
