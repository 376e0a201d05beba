"""Exports and sheets written before the rules were looked at: read rightly, or asked about."""

import json

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.cli.main import run
from algeval.errors import DataError
from algeval.io.answers import ReadOptions
from algeval.io.roles import good_label, likeliest_first
from algeval.io.sources import read

from .unseen import TABLES, written
from .unseen_exports import EXPORTS
from .unseen_names import NAMELESS

ALIKE = (
    {"text", "prompt"},
    {"text", "reason"},
    {"text", "ignored"},
    {"reason", "ignored"},
    {"slice", "ignored"},
    {"covariate", "ignored"},
    {"covariate", "slice"},
    {"time", "ignored"},
)
ASKS = {
    "likert": "From which grade of 'likert \\(Anna\\)' on is an output 'pass'",
    "argilla_csv": "'quality.responses' holds lists of answers",
    "azure": "answer one question, or several",
    "initials": "Who gave columns 'PB', 'KM', 'Agreed outcome': people, or more judges",
    "confident_ai": "Is column 'success' a judge",
    "patronus": "Who gave column 'annotation.pass'",
    "reason_json": "Is column 'second_opinion' a judge",
    "ragas": "Who gave column 'maliciousness'",
    "phoenix_spans": "Who gave column 'annotation.correctness.label'",
    "vertex_pairs": "Who gave columns 'pairwise_fluency/pairwise_choice', 'rater_choice'",
    "radiology": "Who gave columns 'reader1', 'reader2'",
    "majority": "Who gave column 'final_label'",
    "italian": "Who gave column 'primario'",
    "german_versions": "Who gave column 'Fachprüfung'",
    "moderation_td": "Who gave column 'T&S decision'",
    "sides_three": "Who gave columns 'ann_1', 'ann_2', 'ann_3'",
    "essays": "Who gave columns 'rater1', 'rater2'",
    "moderation_ar": "Is column 'حالة الحساب' a judge",
    "surge": "Who gave column 'preferred'",
    "japanese": "Does '生成元' say whose output was judged",
    "machine_translation": "Does 'mt' say whose output was judged",
    "passages": "Who gave column 'nist'",
    "agents": "Rows of one 'scenario' differ in 'driver' and 'go'",
    "microtasks": "Does 'performer' say whose output was judged, or who judged it",
    "tenths": "Who gave column 'nightingale'",
    "orders_in_columns": "hold one judge's verdicts in both orders",
    "deepeval_geval": "answer one question, or several",
    "redteam": "Who gave column 'harmbench_cls'",
    "qualtrics": "Is column 'Q3' a judge, or what a person said",
    "form_on_its_side": "Is each row what one person answered to 6 questions",
    "experiment": "Does 'bucketed' say whose output was judged",
}
OF_TOOLS = {"argilla_flat", "argilla_hub"}
"""Read by a tool's reader, whose columns have names of their own."""


def suits(role, wanted):
    wanted = wanted if isinstance(wanted, list) else [wanted]
    return role in wanted or any({role, each} in ALIKE for each in wanted)


@pytest.mark.parametrize("table", [*TABLES, *NAMELESS, *EXPORTS], ids=lambda table: table.__name__)
def test_no_column_is_silently_read_as_what_it_is_not(table, tmp_path):
    path, roles, good = written(table, tmp_path)
    if table.__name__ in ASKS:
        with pytest.raises(DataError, match=ASKS[table.__name__]):
            ae.read_results(path)
        return
    results = ae.read_results(path)
    if table.__name__ in OF_TOOLS:
        assert list(results.judged) == ["gpt-4o"]
        assert len(results.human) == 40
    else:
        roles_read = results.roles
        wrong = {
            n: (roles_read[n], each) for n, each in roles.items() if not suits(roles_read[n], each)
        }
        assert wrong == {}
    if good is not None:
        assert (results.good or "").lower() == good.lower()
    reading = read(str(path), ReadOptions(), "data or scores")  # as every command does
    judges = reading.data.judges if reading.results is None else results.judged or results.scored
    assert sorted(judges) == sorted(results.judged or results.scored)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("portuguese", {"system": "edição"}),
        ("japanese", {"system": "生成元"}),
        ("passages", {"human": "nist"}),
        ("agents", {"system": "driver", "trial": "go"}),
        ("microtasks", {"judge": "performer"}),
        ("german_versions", {"human": "Fachprüfung"}),
        ("tenths", {"judges": ["skywork_score", "armorm_score", "nightingale"]}),
        ("experiment", {"system": "bucketed", "human": "qa_team"}),
        ("moderation_td", {"human": "T&S decision"}),
        ("majority", {"human": "final_label"}),
        ("italian", {"human": "primario"}),
        ("essays", {"human": ["rater1", "rater2"]}),
        ("sides_three", {"human": ["ann_1", "ann_2", "ann_3"]}),
        ("moderation_ar", {"slice": "حالة الحساب"}),
        ("qualtrics", {"human": "Q3"}),
        (
            "orders_in_columns",
            {"judges": ["gpt4_ab", "gpt4_ba"], "same": {"base": "A", "tuned": "B"}},
        ),
        ("redteam", {"judges": ["harmbench_cls", "gpt4_judge"], "slice": "attack", "good": "0"}),
    ],
)
def test_an_answer_leads_to_the_roles_that_the_columns_have(name, answer, tmp_path):
    table = next(table for table in (*TABLES, *NAMELESS, *EXPORTS) if table.__name__ == name)
    path, roles, _ = written(table, tmp_path)
    results = ae.read_results(path, **answer)
    wrong = {
        n: (results.roles[n], each)
        for n, each in roles.items()
        if not suits(results.roles[n], each) and not ("judges" in answer and each == "score")
    }
    assert wrong == {}


def test_a_person_beside_judges_who_are_named_is_never_a_group(tmp_path):
    path, _, _ = written(next(t for t in EXPORTS if t.__name__ == "moderation_td"), tmp_path)
    judges = ["openai_mod", "llama_guard_3"]
    with pytest.raises(DataError, match="Did a person give column 'T&S decision'"):
        ae.read_results(path, judges=judges)
    path, _, _ = written(next(t for t in EXPORTS if t.__name__ == "chinese_rag"), tmp_path)
    results = ae.read_results(path, judges=["GPT-4o评判", "通义千问评判"])
    assert results.roles["人工复核"] == "human"


def test_a_yes_that_all_judges_call_harm_is_not_taken_for_good(tmp_path):
    path, _, _ = written(next(t for t in EXPORTS if t.__name__ == "redteam"), tmp_path)
    with pytest.raises(DataError, match="Which answer of 'harmbench_cls' is the good one"):
        ae.read_results(path, judges=["harmbench_cls", "gpt4_judge"], slice="attack")


@pytest.mark.parametrize(
    "table", [*TABLES[3:7], *TABLES[13:16], *NAMELESS], ids=lambda t: t.__name__
)
def test_a_column_that_decides_an_answer_is_never_lost_by_its_name(table):
    frame, _, _ = table(np.random.default_rng([1, len(table.__name__)]))
    if not hasattr(frame, "columns"):
        return
    try:
        before = ae.read_results(frame)
    except DataError:
        return
    for column, role in before.roles.items():
        if role not in ("system", "item", "rater", "answer", "human") or "_server_id" in column:
            continue
        if column not in frame:  # of a tool's reader, which names columns of its own
            continue
        new = frame.rename(columns={column: "zq"})
        roles = roles_or_questions(new)
        if roles is None or (role == "item" and frame[column].is_unique):
            continue
        assert {c: r for c, r in roles.items() if r in VOTING | {"item", "prompt"}} == {
            {column: "zq"}.get(c, c): r
            for c, r in before.roles.items()
            if r in VOTING | {"item", "prompt"}
        }


@pytest.mark.parametrize("human", [True, False])
@pytest.mark.parametrize("system", [True, False])
@pytest.mark.parametrize("names", [("judge_ax", "judge_bx"), ("ax_judge", "bx_judge")])
def test_two_judges_of_one_output_are_no_systems(names, system, human):
    rows = {"id": [f"i{k}" for k in range(40)]}
    rows |= {name: ["pass", "fail", "pass", "pass"] * 10 for name in names}
    if system:
        rows["system"] = ["base", "tuned"] * 20
    if human:
        rows["human"] = [["pass", "fail"][k % 2] if k < 20 else None for k in range(40)]
    results = ae.read_results(rows)
    assert list(results.judged) == list(names)
    assert list(results.said) == ["human"] * human
    assert results.systems == (("base", "tuned") if system else ())


def test_versions_of_a_judge_or_of_what_it_judged_are_asked_about():
    rows = {"id": [f"i{k}" for k in range(40)]}
    rows |= {f"v{k}_judge": ["pass", "fail", "pass", "pass"] * 10 for k in (3, 4)}
    with pytest.raises(DataError, match="judges of the same answers, or systems") as caught:
        ae.read_results(rows)
    assert [a.partition("=")[0] for a in caught.value.questions[0].answers] == ["judges", "systems"]
    assert ae.read_results(rows, systems=["v3", "v4"]).systems == ("v3", "v4")
    assert list(ae.read_results(rows, judges=["v3_judge", "v4_judge"]).judged) == [
        "v3_judge",
        "v4_judge",
    ]


def test_numbers_beside_votes_make_a_table_of_raters_no_other():
    rng = np.random.default_rng(0)
    rows = [
        {"doc_id": f"d{k}", "annotator": f"expert_{j}", "coherence": int(rng.integers(1, 6))}
        for k in range(20)
        for j in range(3)
    ]
    before = ae.read_results(rows)
    for cells in (rng.random(60).round(3), rng.integers(100, 5000, 60), rng.normal(50, 9, 60)):
        added = [row | {"zx": float(x)} for row, x in zip(rows, cells, strict=True)]
        results = ae.read_results(added)
        assert {n: r for n, r in results.roles.items() if n != "zx"} == before.roles
        assert results.roles["zx"] not in VOTING - {"score"}
    graded = [
        {n: v for n, v in row.items() if n != "coherence"} | {"zx": row["coherence"], "zy": x}
        for row, x in zip(rows, rng.integers(1, 6, 60).tolist(), strict=True)
    ]
    with pytest.raises(DataError, match="Which column holds what each of 'annotator' said"):
        ae.read_results(graded)
    assert ae.read_results(graded, answer="zx").roles["zx"] == "answer"


def test_column_names_that_are_numbers_are_names():
    frame = pd.DataFrame({"id": range(100, 140), 1: ["a", "b"] * 20, 2: ["a", "b", "b", "b"] * 10})
    assert ae.read_votes(frame).judges == ("1", "2")
    assert list(ae.read_results(frame).judged) == ["1", "2"]


@pytest.mark.parametrize("agreed", [0.95, 0.05, 0.5])
def test_a_yes_that_is_bad_by_its_name_is_turned_where_it_opposes_the_others(agreed):
    rng = np.random.default_rng(3)
    true = rng.random(80) < 0.5
    same = rng.random(80) < agreed
    rows = {
        "id": [f"i{k}" for k in range(80)],
        "gpt4o_correct": ["yes" if t else "no" for t in true],
        "claude_has_error": ["yes" if t == s else "no" for t, s in zip(true, same, strict=True)],
    }
    if agreed == 0.5:
        with pytest.raises(DataError, match="'yes' of 'claude_has_error' mean the same as 'yes'"):
            ae.read_results(rows)
        return
    results = ae.read_results(rows)
    votes = results.votes.codes
    assert (votes[:, 0] == votes[:, 1]).mean() > 0.9
    assert results.good == "yes"
    assert any("turned round" in note for note in results.notes) == (agreed < 0.5)


@pytest.mark.parametrize(
    ("name", "answer", "labels"),
    [
        ("likert", {"same": {"1": "fail", "2": "fail", "3": "fail", "4": "pass", "5": "pass"}}, 2),
        ("initials", {"human": ["PB", "KM", "Agreed outcome"]}, 2),
        ("majority", {"human": "final_label"}, 3),
    ],
)
def test_the_answers_offered_settle_the_question(name, answer, labels, tmp_path):
    table = next(table for table in TABLES if table.__name__ == name)
    path, roles, _ = written(table, tmp_path)
    results = ae.read_results(path, **answer)
    assert len(results.judged) == labels
    assert set(results.said) == {n for n, role in roles.items() if role == "human"}


def test_raters_who_answered_a_part_beside_models_are_asked_about(tmp_path):
    rows = [
        {"id": f"e{k}", "judge": who, "label": ["yes", "no"][(k * step) % 7 % 2]}
        for who, step, n in (("gpt-4o", 1, 40), ("llama-70b", 3, 40), ("t.berg", 5, 15))
        for k in range(n)
    ]
    with pytest.raises(
        DataError, match=r"Are 't\.berg' of 'judge' people, or more judges"
    ) as caught:
        ae.read_results(rows)
    assert [a.partition("=")[0] for a in caught.value.questions[0].answers] == ["human", "judges"]
    assert list(ae.read_results(rows, human="t.berg").judged) == ["gpt-4o", "llama-70b"]
    everyone = ["gpt-4o", "llama-70b", "t.berg"]
    assert list(ae.read_results(rows, judges=everyone).judged) == everyone
    named = [row | {"kind": "HUMAN" if row["judge"] == "t.berg" else "LLM"} for row in rows]
    assert list(ae.read_results(named).said) == ["t.berg"]
    people = [row | {"judge": row["judge"].replace("t.berg", "t@x.org")} for row in rows]
    assert list(ae.read_results(people).said) == ["t@x.org"]


VOTING = {"judge", "human", "score", "system", "rater", "answer"}


def roles_or_questions(frame):
    try:
        return ae.read_results(frame).roles
    except DataError as error:
        if not error.questions:
            raise
        return None


@pytest.mark.parametrize("name", ["helm", "german", "confidence_cols", "toloka"])
def test_changes_of_a_table_change_no_role_in_silence(name):
    table = next(table for table in TABLES if table.__name__ == name)
    frame, roles, _ = table(np.random.default_rng([1, len(name)]))
    rng = np.random.default_rng(2)
    expected = ae.read_results(frame).roles
    voting = {n: role for n, role in expected.items() if role in VOTING}
    assert ae.read_results(frame[rng.permutation(list(frame.columns))]).roles == expected
    shuffled = frame.sample(frac=1, random_state=1).reset_index(drop=True)
    assert ae.read_results(shuffled).roles == expected
    for column in (n for n, role in roles.items() if role in ("human", "judge")):
        got = roles_or_questions(frame.rename(columns={column: "zq"}))
        assert got is None or got["zq"] == expected[column]
    for cells in (rng.choice(["p", "q"], len(frame)), rng.random(len(frame)).round(3)):
        got = roles_or_questions(frame.assign(zx=cells))
        assert got is None or {n: r for n, r in got.items() if r in VOTING} == voting


def test_an_id_of_rows_changes_nothing_where_trials_show_one_output_again():
    rng = np.random.default_rng(5)
    rows = [
        {
            "sample_id": f"s{k}",
            "epoch": e,
            "gpt4o": str(rng.choice(["pass", "fail"])),
            "human": "pass",
        }
        for k in range(20)
        for e in (1, 2, 3)
    ]
    named = [{"uuid": f"u{rng.integers(1 << 40)}", **row} for row in rows]
    assert ae.read_results(rows).n_items == 20
    assert ae.read_results(named).n_items == 60  # an id for each says so
    again = [row | {"response": f"words of {row['sample_id']}"} for row in named]
    assert ae.read_results(again).roles["uuid"] == "ignored"
    assert ae.read_results(again).n_items == 20
    answers = [row | {"response": f"answer {k} in words of its own"} for k, row in enumerate(named)]
    assert ae.read_results(answers).n_items == 60  # each row is another output


def test_numbers_stay_scores_beside_labels_of_a_judge_who_is_named():
    rng = np.random.default_rng(5)
    true = rng.random(60) < 0.6
    rows = {
        "id": [f"i{k}" for k in range(60)],
        "reward_a": (true + rng.normal(0, 0.2, 60)).round(3),
        "zz": ["pass" if t else "fail" for t in true],
    }
    with pytest.raises(DataError, match="Who gave column 'zz'"):
        ae.read_results(rows)
    assert ae.read_results(rows, judges=["zz"]).roles["reward_a"] == "score"


def test_direct_assessment_beside_metrics_of_translation_is_asked_about():
    rng = np.random.default_rng(5)
    rows = {
        "seg_id": [f"s{k}" for k in range(60)],
        "COMET": rng.random(60).round(4),
        "DA": rng.integers(0, 101, 60),
    }
    with pytest.raises(DataError, match="Who gave column 'DA'"):
        ae.read_results(rows)


def repeated_blocks(tmp_path, leads, *, alike=False):
    lines = [",".join(["question", *[f"{lead},Status,Reason" for lead in leads]])]
    for k in range(30):
        cells = [f"What is the thing number {k} for?"]
        for s in range(len(leads)):
            verdict = "FAIL" if k % (3 if alike else s + 3) == 0 else "PASS"
            cells += [f"Reply {k} of system {s} to this", verdict, f"It says {k} and {s} there"]
        lines.append(",".join(cells))
    path = tmp_path / "side_by_side.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_repeated_columns_are_asked_about_and_both_answers_are_read(tmp_path):
    path = repeated_blocks(tmp_path, ("openai", "anthropic"))
    with pytest.raises(DataError, match="systems side by side") as error:
        ae.read_results(path)
    (question,) = error.value.questions
    _, systems = question.answers
    assert "openai" in systems
    assert "anthropic" in systems
    below = ae.read_results(path, systems=["openai", "anthropic"])
    assert below.systems == ("openai", "anthropic")
    assert below.votes.n_items == 60
    assert any("a row for each output: 'openai', 'anthropic'" in note for note in below.table_notes)
    fails = (below.split("system")["anthropic"].votes.codes == 0).sum()
    assert fails == sum(k % 4 == 0 for k in range(30))
    beside = ae.read_results(path, judges=["Status", "Status.1"])
    assert beside.votes.n_items == 30
    assert beside.votes.judges == ("Status", "Status.1")


def test_a_second_system_with_the_verdicts_of_the_first_is_not_lost(tmp_path):
    path = repeated_blocks(tmp_path, ("openai", "anthropic"), alike=True)
    with pytest.raises(DataError, match="systems side by side"):
        ae.read_results(path)


def test_a_provider_with_two_prompts_is_two_systems_by_their_whole_headings(tmp_path):
    path = repeated_blocks(tmp_path, ("[gpt] Answer", "[gpt] Answer politely"))
    results = ae.read_results(path)
    assert results.systems == ("[gpt] Answer", "[gpt] Answer politely")
    judged = ae.read_results(path, judges=["Status", "Status.1"])  # a person's word beats the shape
    assert judged.votes.n_items == 30


# --- Tables that are not written as one.


ROWS = [
    {
        "id": f"r{k}",
        "system": "gpt-4o-mini",
        "question": f"What is {k} and {k}?",
        "verdict": k % 3 > 0,
    }
    for k in range(30)
]


def columns_and_rows(rows):
    return {"columns": list(rows[0]), "data": [list(row.values()) for row in rows]}


def described(rows):
    return {
        "columns": [{"name": name} for name in rows[0]],
        "rows": [[*row.values()] for row in rows],
    }


def by_column(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


def by_column_and_row(rows):
    return {name: {str(k): row[name] for k, row in enumerate(rows)} for name in rows[0]}


def under_a_name(rows):
    return {"run": "nightly", "config": {"model": "m"}, "outcomes": rows, "tags": []}


@pytest.mark.parametrize(
    "shape",
    [list, columns_and_rows, described, by_column, by_column_and_row, under_a_name],
    ids=lambda shape: shape.__name__,
)
def test_rows_inside_one_json_object_are_a_table(shape, tmp_path):
    path = tmp_path / "out.json"
    path.write_text(json.dumps(shape(ROWS), indent=1))
    results = ae.read_results(path)
    assert results.items == tuple(row["id"] for row in ROWS)
    assert results.roles["verdict"] == "judge"
    assert results.roles["system"] in ("system", "ignored")
    assert read(str(path), ReadOptions(), "data or scores").data.judges == ("verdict",)


def test_a_row_of_another_length_and_two_lists_are_refused(tmp_path):
    path = tmp_path / "out.json"
    table = columns_and_rows(ROWS)
    table["data"][4] = table["data"][4][:2]
    path.write_text(json.dumps(table))
    with pytest.raises(DataError, match="must have 4 cells, as it has columns; row 5 has 2"):
        ae.read_results(path)
    path.write_text(json.dumps({"cases": ROWS, "others": ROWS}))
    with pytest.raises(DataError, match="one JSON object with the keys 'cases', 'others'"):
        ae.read_results(path)


def test_a_log_of_events_has_a_row_for_each_sample_and_its_failures_are_missing(tmp_path):
    lines = [{"spec": {"completion_fns": ["m1"], "eval_name": "e"}}]
    for k in range(20):
        event = {"run_id": "r", "event_id": k, "sample_id": f"e.{k}"}
        for text in ("the answer", "graded"):
            data = {
                "prompt": [{"role": "user", "content": f"Why {k}?"}],
                "sampled": [f"{text} {k}"],
            }
            lines.append(event | {"type": "sampling", "data": data})
        choice = "__invalid__" if k == 3 else "NY"[k % 2]
        lines.append(event | {"type": "metrics", "data": {"choice": choice, "score": k % 2}})
    lines.append({"final_report": {"accuracy": 0.5}})
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    results = ae.read_results(path)
    assert results.items == tuple(f"e.{k}" for k in range(20))
    assert results.texts["prompt"]["e.7"] == "Why 7?"
    assert results.texts["response"]["e.7"] == "the answer 7"
    assert results.votes.judges == ("grader",)
    assert (results.votes.codes < 0).sum() == 1
    assert any("a row for each of 20 samples" in note for note in results.table_notes)


def side_by_side(tmp_path, leads, fields=("Status", "Reason"), **once):
    """Table in which columns of each system follow its outputs; `once`: columns with a cell a row."""
    head = ["topic", *(name for lead in leads for name in (lead, *fields)), *once]
    cells = {"Status": ("PASS", "FAIL"), "Reason": ("It is said well", "It is said badly")}
    rows = []
    for k in range(30):
        row = ["de" if k % 2 else "en"]
        for s, lead in enumerate(leads):
            row += [f"Reply {k} of {lead.strip('[]')} to it"]
            row += [cells.get(name, ("good", "poor"))[k % (s + 3) == 0] for name in fields]
        rows.append([*row, *(values[k % len(values)] for values in once.values())])
    path = tmp_path / "sides.csv"
    path.write_text("\n".join(",".join(row) for row in [head, *rows]), encoding="utf-8")
    return path


def test_outputs_of_one_row_are_paired_though_no_column_says_the_prompt(tmp_path):
    path = side_by_side(tmp_path, ("[gpt] Answer", "[claude] Answer"))
    results = ae.read_results(path)
    assert results.roles["test"] == "prompt"
    assert results.n_prompts == 30
    first = ae.versus(path, human={f"{k + 1}:{s}": "PASS" if k % m else "FAIL"
                                   for k in range(30) for s, m in (("gpt", 3), ("claude", 4))})  # fmt: skip
    assert "the same 30 items, all labelled for both" in str(first)


def test_a_judge_named_as_in_the_first_block_is_that_of_every_system(tmp_path):
    path = side_by_side(tmp_path, ("[gpt] Answer", "[claude] Answer"))
    results = ae.read_results(path, judges=["Status"])
    assert results.systems == ("gpt", "claude")
    assert list(results.judged) == ["Status"]
    assert results.n_items == 60


def test_a_persons_cell_beside_several_outputs_is_asked_about(tmp_path):
    path = side_by_side(
        tmp_path, ("[gpt] Answer", "[claude] Answer"), human=("PASS", "FAIL", "PASS")
    )
    with pytest.raises(
        DataError, match="'human' stands once a row, beside the outputs of"
    ) as error:
        ae.read_results(path)
    assert len(error.value.questions) == 1
    with pytest.raises(DataError, match="of whose output is it"):
        ae.read_results(path, human="human")
    one = ae.read_results(path, systems=["claude"])
    assert one.n_items == 30
    assert list(one.human.values()) == ["PASS", "FAIL", "PASS"] * 10
    assert (one.votes.codes == 0).sum() == sum(k % 4 == 0 for k in range(30)), (
        "Claude's verdicts, not those of the first"
    )
    assert not ae.read_results(path, ignore="human").said


def test_a_single_column_that_repeats_behind_outputs_is_asked_about(tmp_path):
    path = side_by_side(tmp_path, ("first reply", "second reply"), ("verdict",))
    with pytest.raises(DataError, match="or verdicts on systems side by side") as error:
        ae.read_results(path)
    (question,) = error.value.questions
    assert len(question.answers) == 2
    below = ae.read_results(path, systems=["first reply", "second reply"])
    assert below.systems == ("first reply", "second reply")
    beside = ae.read_results(path, judges=["verdict", "verdict.1"])
    assert beside.n_items == 30


def test_systems_that_are_no_columns_are_refused(tmp_path):
    path = side_by_side(tmp_path, ("first reply", "second reply"), ("verdict",))
    with pytest.raises(DataError, match="must name columns of systems side by side"):
        ae.read_results(path, systems=["third reply"])


@pytest.mark.parametrize(
    "form",
    ["{y}/{m}/{d}", "{y}年{m}月{d}日", "{d}.{m}.{y} 14:03", "{y}-{m}-{d}T08:00:00Z", "{d}-{m}-{y}",
     "{y}년 {m}월 {d}일", "{d} Oct {y}", "Mon Oct {d} 08:29:04 PDT {y}", "Oct {d}, {y}", "{d}-Oct-26"],
)  # fmt: skip
def test_dates_of_the_world_are_times(form):
    days = [form.format(y=2026, m=10, d=f"{1 + k % 28:02d}") for k in range(40)]
    words = ["good" if k % 3 else "bad" for k in range(40)]
    rows = {"id": range(40), "gpt": words, "human": words, "noted": days}
    assert ae.read_results(rows).roles["noted"] == "time"


@pytest.mark.parametrize("form", ["v1.{d}.2026x", "{d} of 28", "case {d}", "10.{d}"])
def test_what_is_no_date_is_no_time(form):
    cells = [form.format(d=1 + k % 28) for k in range(40)]
    words = ["good" if k % 3 else "bad" for k in range(40)]
    rows = {"id": range(40), "gpt": words, "human": words, "noted": cells}
    assert ae.read_results(rows).roles["noted"] != "time"


@pytest.mark.parametrize(
    ("good", "bad"),
    [("○", "×"), ("〇", "✗"), ("はい", "いいえ"), ("是", "否"), ("sí", "no"), ("OK", "NG"), ("ja", "nein"),
     ("oui", "non"), ("✓", "✕"), ("1", "0")],
)  # fmt: skip
def test_marks_and_words_that_name_the_good_label(good, bad):
    rows = {
        "id": range(40),
        "gpt_label": [good if k % 3 else bad for k in range(40)],
        "claude_label": [good if k % 4 else bad for k in range(40)],
        "human_label": [good if k % 5 else bad for k in range(40)],
    }
    assert ae.read_results(rows).good == good


@pytest.mark.parametrize("others", [("minor", "major"), ("Minor issues", "critical error")])
def test_how_grave_errors_are_is_no_pass(others):
    words = ("ok", *others)
    rows = {
        "id": range(60),
        "llm_check": [words[k % 3] for k in range(60)],
        "human_check": [words[(k + (k % 7 == 0)) % 3] for k in range(60)],
    }
    assert ae.read_results(rows).good == "ok"
    assert good_label(others) is None


def test_a_label_like_a_failure_is_suggested_last():
    assert likeliest_first(("bad", "fine", "good")) == ("good", "fine", "bad")
    assert likeliest_first(("0", "1")) == ("1", "0")
    assert likeliest_first(("a", "b")) == ("a", "b")


def judged_and_labelled(judge, human, labels=("pass", "fail"), *, share=0.5, n=80):
    """Return rows of a judge's and a person's verdicts, which agree on most."""
    rng = np.random.default_rng(8)
    own = rng.integers(0, len(labels), n)
    guess = np.where(rng.random(n) < 0.85, own, rng.integers(0, len(labels), n))
    rows = {"output_id": [f"o{k}" for k in range(n)], judge: [labels[k] for k in guess]}
    rows[human] = [labels[k] if rng.random() < share else None for k in own]
    return rows


@pytest.mark.parametrize(
    ("other", "cells"),
    [
        ("thumbs_up", [0, 1, 2]),
        ("User Feedback", [0, 1]),
        ("user_reaction", ["\U0001f44d", "\U0001f44e"]),
        ("expert_priority", ["P1", "P2", "P3"]),
    ],
)
@pytest.mark.parametrize("share", [1, 0.5, 0.12])
def test_people_who_answered_another_question_are_never_merged(other, cells, share):
    rows = judged_and_labelled("llm_judge", "reviewer_verdict", share=share)
    rng = np.random.default_rng(3)
    rows[other] = [
        cells[k] if rng.random() < 0.7 else None for k in rng.integers(0, len(cells), 80)
    ]
    results = ae.read_results(rows)
    assert list(results.said) == ["reviewer_verdict"]
    assert results.reading.named("human") == ["reviewer_verdict"]
    aside = results.roles[other] == "human"
    assert not aside or "takes it instead" in results.reading.decided[other].why
    if other in ("thumbs_up", "User Feedback"):
        assert any(f"'{other}' is left out" in note for note in results.notes)


def test_people_of_whom_nobody_answers_as_the_judges_do_are_asked_about():
    rng = np.random.default_rng(3)
    rows = {
        "output_id": [f"o{k}" for k in range(80)],
        "reward_a": rng.random(80).round(3),
        "reward_b": rng.random(80).round(3),
        "human_ok": rng.choice(["yes", "no"], 80),
        "human_grade": rng.integers(2, 6, 80),
    }
    with pytest.raises(DataError, match=r"'human_ok' or 'human_grade'.*no label in common"):
        ae.read_results(rows)
    results = ae.read_results(rows, human="human_ok", slice="human_grade")
    assert list(results.said) == ["human_ok"]


def test_two_people_who_say_the_same_in_other_words_are_merged():
    rows = judged_and_labelled("llm_judge", "annotator_1", share=1)
    rows["annotator_2"] = [{"pass": 1, "fail": 0}[v] for v in rows["annotator_1"]]
    assert list(ae.read_results(rows).said) == ["annotator_1", "annotator_2"]


@pytest.mark.parametrize(
    "name",
    [
        *(
            "user_id",
            "customerId",
            "pr_number",
            "ticket",
            "issue_key",
            "id_cliente",
            "Kundennummer",
        ),
        *("用户ID", "file_path", "Account ID", "id_utilisateur"),
    ],
)
def test_ids_of_people_and_tickets_are_no_prompts(name):
    rows = judged_and_labelled("gpt4_judge", "human")
    rows[name] = [f"x{k % 11}" for k in range(80)]
    rows["question"] = [f"How do I do thing number {k} about my account" for k in range(80)]
    results = ae.read_results(rows)
    assert (results.roles[name], results.reading.item) == ("slice", ("output_id",))
    del rows["question"]
    assert ae.read_results(rows).roles[name] == "slice"


@pytest.mark.parametrize("name", ["annotator", "Rater ID", "reviewed_by", "标注员", "evaluator"])
@pytest.mark.parametrize("cells", [[1, 2, 3], [7, 12, 31], ["kt", "mn"], ["A1", "B2", "C3"]])
def test_numbers_of_people_are_no_labels(name, cells):
    rows = judged_and_labelled("prediction", "sentiment", ("happy", "sad", "angry"), share=1)
    rng = np.random.default_rng(3)
    rows[name] = rng.choice(cells, 80)
    results = ae.read_results(rows)
    assert results.roles[name] == "slice"
    assert (list(results.said), list(results.judged)) == (["sentiment"], ["prediction"])


def test_a_number_of_a_rater_that_may_be_a_grade_is_asked_about():
    rows = judged_and_labelled("gpt4_score", "quality", (1, 2, 3, 4, 5), share=1)
    rows["rater"] = np.random.default_rng(3).integers(1, 4, 80)
    with pytest.raises(DataError, match="Does 'rater' say who answered, or what they said"):
        ae.read_results(rows)


@pytest.mark.parametrize(
    ("machine", "person"),
    [
        ("model_decision", "moderator_decision"),
        ("décision_modèle", "décision_modératrice"),
        ("Modellentscheidung KI", "Ärztin"),
        ("decisión_modelo", "decisión_enfermera"),
        ("模型判断", "医生判断"),
        ("モデル判定", "看護師判定"),
        ("ai_verdict", "arbiter"),
        ("bot_label", "clinician_label"),
    ],
)
@pytest.mark.parametrize("labels", [("keep", "remove"), ("yes", "no"), ("low", "mid", "high")])
def test_a_machine_and_a_person_are_told_apart_by_name(machine, person, labels):
    results = ae.read_results(judged_and_labelled(machine, person, labels))
    assert (list(results.judged), list(results.said)) == ([machine], [person])
    assert results.systems == ()


@pytest.mark.parametrize(("low", "high"), [(0, 11), (0, 6), (3, 10)])
def test_a_number_on_another_scale_than_people_is_no_judge(low, high):
    rows = judged_and_labelled("model_grade", "physician_grade", (1, 2, 3, 4, 5), share=1)
    rows["pain"] = np.random.default_rng(3).integers(low, high, 80)
    results = ae.read_results(rows)
    assert (list(results.judged), results.roles["pain"]) == (["model_grade"], "covariate")


def test_a_number_on_the_scale_of_people_is_asked_about():
    rows = judged_and_labelled("model_grade", "physician_grade", (1, 2, 3, 4, 5), share=1)
    rows["floor"] = np.random.default_rng(3).integers(1, 6, 80)
    with pytest.raises(DataError, match="Is column 'floor' a judge"):
        ae.read_results(rows)
    results = ae.read_results(rows, covariate="floor")
    assert list(results.judged) == ["model_grade"]


@pytest.mark.parametrize(
    ("verdict", "certainty"),
    [
        ("gpt_score", "gpt_confidence"),
        ("note_ia", "confiance_ia"),
        ("AI評価", "AI確信度"),
        ("Rating (GPT)", "Confidence (GPT)"),
        ("llm_score", "probability"),
    ],
)
def test_how_sure_a_grade_is_stands_on_no_scale_with_it(verdict, certainty):
    rows = judged_and_labelled(verdict, "human_score", (1, 2, 3, 4, 5))
    rows[certainty] = np.random.default_rng(3).random(80).round(2)
    results = ae.read_results(rows)
    assert (list(results.judged), list(results.scored)) == ([verdict], [])
    assert results.roles[certainty] == "score"
    cut = ae.read_results(rows, judges=[certainty], cut={certainty: 0.5, "human": 4})
    assert list(cut.judged) == [certainty]


def test_texts_without_blanks_are_words_to_read():
    rows = judged_and_labelled("AI判定", "人工", ("合格", "不合格"))
    rows["客户留言"] = [f"我的第{k}个包裹什么时候到?" for k in range(80)]
    assert ae.read_results(rows).roles["客户留言"] == "text"


@pytest.mark.parametrize(("name", "cell"), [("Finished", True), ("consent", "yes"), ("status", 1)])
@pytest.mark.parametrize("labels", [(1, 2, 3, 4, 5), ("yes", "no"), ("True", "False")])
def test_what_is_the_same_on_every_row_is_no_judge(name, cell, labels):
    rows = judged_and_labelled("gpt4o", "human", labels) | {name: [cell] * 80}
    assert ae.read_results(rows).roles[name] == "ignored"


def test_a_model_with_a_first_name_in_it_is_no_person():
    rows = judged_and_labelled("haiku", "human") | {"qwen-max": ["pass", "fail"] * 40}
    assert list(ae.read_results(rows).judged) == ["haiku", "qwen-max"]


def test_words_that_agree_beside_a_score_are_never_groups_in_silence():
    rows = judged_and_labelled("zx", "zy", ("keep", "remove"), share=1)
    rows["reward_score"] = np.random.default_rng(3).random(80).round(3)
    with pytest.raises(DataError, match="Who gave columns 'zx', 'zy'"):
        ae.read_results(rows)


@pytest.mark.parametrize("name", ["решение_модератора", "ocena_eksperta", "Cardiologist 2"])
def test_people_are_people_in_any_case_of_their_name(name):
    results = ae.read_results(judged_and_labelled("gpt4o_label", name, ("yes", "no")))
    assert list(results.said) == [name]


def test_measures_do_not_vote_with_readers_of_0_and_1():
    rows = judged_and_labelled("reader_mk", "reader_ls", (0, 1), share=1)
    rng = np.random.default_rng(3)
    rows |= {"birads": rng.integers(0, 7, 80), "density": rng.integers(1, 5, 80)}
    with pytest.raises(DataError, match="Is column 'birads' a judge") as caught:
        ae.read_results(rows)
    reading = caught.value.reading.decided
    assert (reading["reader_mk"].role, reading["reader_ls"].role) == ("judge", "judge")


def test_a_seed_of_each_row_is_no_repetition():
    rows = judged_and_labelled("gpt4o", "human")
    rows["seed"] = np.random.default_rng(3).permutation(99999)[:80]
    assert ae.read_results(rows).roles["seed"] == "covariate"


def test_an_account_that_shares_a_label_with_verdicts_is_asked_about():
    rows = judged_and_labelled("p", "q", ("ok", "bad"), share=1)
    rng = np.random.default_rng(3)
    rows["r"] = [v if rng.random() < 0.9 else "bad" for v in rows["p"]]
    rows["account"] = rng.choice(["ok", "frozen"], 80)
    with pytest.raises(DataError, match="Is column 'account' a judge"):
        ae.read_results(rows)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("reviewer_1", "final_reviewer_label"),
        ("Nurse verdict", "Specialist verdict"),
        ("rater_a", "raters_agreed"),
        ("看護師判定", "専門医判定"),
    ],
)
def test_the_label_that_settles_what_people_said_comes_first(first, last):
    rows = judged_and_labelled("gpt4o", first)
    other = {"pass": "fail", "fail": "pass"}
    rows[last] = [other.get(said) if k % 4 == 0 else None for k, said in enumerate(rows[first])]
    results = ae.read_results(rows, human=[first, last])
    settled = {item: said for item, said in zip(results.items, rows[last], strict=True) if said}
    assert len(settled) > 5
    assert {item: results.human[item] for item in settled} == settled


def test_users_are_no_judges_where_a_judge_says_one_name_throughout():
    rows = judged_and_labelled("judge_verdict", "human_label", n=240)
    rng = np.random.default_rng(3)
    rows["user_id"] = rng.integers(20000, 20180, 240)
    rows["question"] = [
        f"How do I return the order number {k}?" for k in rng.permutation(9999)[:240]
    ]
    rows["question"][7] = rows["question"][3]
    for judge_model in ({}, {"judge_model": ["gpt-4o"] * 240}):
        results = ae.read_results(rows | judge_model)
        assert (list(results.judged), list(results.said)) == (["judge_verdict"], ["human_label"])
        assert results.layout == "wide"


def test_users_judge_where_rows_of_an_item_repeat_and_nothing_else_says_who():
    rng = np.random.default_rng(3)
    rows = {
        "item_id": [f"i{k // 4}" for k in range(160)],
        "user_id": [f"u{k % 4}" for k in range(160)],
        "label": rng.choice(["good", "bad"], 160).tolist(),
    }
    assert len(ae.read_results(rows).judged) == 4


def systems_and_runs(run):
    rows = judged_and_labelled("llm_judge", "human", n=120)
    rows["case_id"] = [f"c{k // 2:02d}" for k in range(120)]
    rows["model"] = ["mistral-large", "llama-3"] * 60
    del rows["output_id"]
    return rows | {run: ["r1", "r2"] * 60}


@pytest.mark.parametrize("run", ["runId", "run", "seed"])
def test_a_run_that_names_the_system_again_is_no_repetition(run):
    results = ae.read_results(systems_and_runs(run))
    assert (results.roles["model"], results.roles[run]) == ("system", "ignored")
    assert len(results.items) == 120


@pytest.mark.parametrize(
    "name",
    [
        *(
            "avis_conseiller",
            "nota_periodista",
            "2nd marker",
            "Fr. Wagner",
            "Hr. Demir",
        ),
        *("Dr. Osei", "examiner_mark", "Ms Okafor"),
    ],
)
@pytest.mark.parametrize("labels", [("good", "bad"), ("yes", "no"), (1, 2, 3, 4, 5)])
def test_a_profession_or_title_on_a_part_of_the_rows_is_a_person(name, labels):
    results = ae.read_results(judged_and_labelled("ai_verdict", name, labels, share=0.3))
    assert (list(results.judged), list(results.said)) == (["ai_verdict"], [name])


@pytest.mark.parametrize("who", ["Reviewed By", "raterId", "annotator_id"])
def test_labels_on_the_rows_of_who_answered_are_peoples(who):
    rows = judged_and_labelled("auto_grade", "outcome", share=0.3)
    names = ["Priya S.", "M. Okafor", "T. Lind"] if who == "Reviewed By" else [311, 327, 318]
    rows[who] = [None if v is None else names[k % 3] for k, v in enumerate(rows["outcome"])]
    results = ae.read_results(rows)
    assert (list(results.said), results.roles[who]) == (["outcome"], "slice")
    rows[who] = [
        None if v is None else ["gpt-4o", "claude"][k % 2] for k, v in enumerate(rows["outcome"])
    ]
    with pytest.raises(DataError, match="outcome"):  # reviewers who are models
        ae.read_results(rows)


def test_what_came_of_peoples_labels_is_theirs_and_counts_first():
    rows = judged_and_labelled("llm_mod", "mod1", ("ok", "bad"), share=0.5, n=200)
    rng = np.random.default_rng(3)
    rows["mod2"] = [v and (v if rng.random() < 0.8 else "ok") for v in rows["mod1"]]
    rows["fin_lbl"] = [
        a if a == b else "bad" for a, b in zip(rows["mod1"], rows["mod2"], strict=True)
    ]
    with pytest.raises(DataError, match="Who gave columns 'mod1', 'mod2', 'fin_lbl'"):
        ae.read_results(rows)
    results = ae.read_results(rows, human=["mod1", "mod2", "fin_lbl"])
    assert list(results.said) == ["mod1", "mod2", "fin_lbl"]
    assert [v for v in results.human.values() if v] == [v for v in rows["fin_lbl"] if v]
    rows["final_lbl"] = [v or "ok" for v in rows.pop("fin_lbl")]
    with pytest.raises(DataError, match="final_lbl"):  # of rows that no person saw
        ae.read_results(rows)


@pytest.mark.parametrize(
    "name",
    [
        "regex_ok",
        "compiles",
        "tests_passed",
        "state_check",
        "passes_filter",
        "valid_json",
        "json_valid",
    ],
)
def test_a_check_by_rules_is_a_judge_beside_others(name):
    rows = judged_and_labelled("llm_judge", "human", share=0.4, n=120)
    rng = np.random.default_rng(3)
    rows[name] = [v if rng.random() < 0.8 else "fail" for v in rows["llm_judge"]]
    results = ae.read_results(rows)
    assert (list(results.judged), list(results.said)) == (["llm_judge", name], ["human"])


def test_a_match_of_true_and_false_stands_for_correct_and_incorrect():
    labels = ("correct", "partial", "incorrect")
    rows = judged_and_labelled("llm_judge", "sme_label", labels, share=0.6, n=150)
    rows["exactMatch"] = [v == "correct" and k % 3 > 0 for k, v in enumerate(rows["llm_judge"])]
    results = ae.read_results(rows)
    assert results.labels == ("correct", "incorrect", "partial")
    assert any("exactMatch says 'True' and 'False'" in note for note in results.notes)


def test_grades_of_a_judge_beside_words_are_a_score():
    rows = judged_and_labelled("ai_verdict", "human", ("ok", "nicht ok"))
    rows["ai_points"] = np.random.default_rng(3).integers(1, 6, 80)
    results = ae.read_results(rows)
    assert (list(results.judged), results.roles["ai_points"]) == (["ai_verdict"], "score")


@pytest.mark.parametrize("word", ["Unsure", "NSP", "don't know"])
def test_a_person_who_does_not_know_says_nothing(word):
    rows = judged_and_labelled("llm_judge", "reviewer")
    rows["reviewer"][:8] = [word] * 8
    results = ae.read_results(rows)
    assert word not in results.labels
    assert any("are missing: no judge says so" in note for note in results.notes)
    rows["llm_judge"][20:30] = [word] * 10
    assert word in ae.read_results(rows).labels


def test_the_answer_shown_first_is_the_order_and_no_judge():
    rows = judged_and_labelled("gptPref", "humanPref", ("base", "exp", "same"), n=140)
    rows["shownFirst"] = np.random.default_rng(3).choice(["base", "exp"], 140).tolist()
    results = ae.read_results(rows)
    assert (results.roles["shownFirst"], list(results.judged)) == ("swap", ["gptPref"])


@pytest.mark.parametrize("first", ["first_sys", "system_a_name"])
def test_two_columns_called_after_systems_and_sides_are_a_pair(first):
    rng = np.random.default_rng(3)
    rows = {
        "seg_id": [f"s{k // 2:02d}" for k in range(120)],
        "order": ["AB", "BA"] * 60,
        first: ["nova", "atlas"] * 60,
        {"first_sys": "second_sys"}.get(first, "system_b_name"): ["atlas", "nova"] * 60,
        "llm_judge": rng.choice(["1", "2", "tie"], 120).tolist(),
        "batch": [k // 40 + 1 for k in range(120)],
    }
    results = ae.read_results(rows)
    assert results.systems == ("nova", "atlas") or set(results.systems) == {"nova", "atlas"}
    assert (results.roles["order"], list(results.judged)) == ("swap", ["llm_judge"])


def votes_with_repeats(*, again):
    """Return rows of 20 cases of two bots, each judged by two graders three times."""
    rng = np.random.default_rng(3)
    cells = [
        (c, b, g, r)
        for c in range(20)
        for b in "AB"
        for g in ("gpt5mini", "haiku")
        for r in range(3)
    ]
    human = rng.choice(["yes", "no"], (20, 2))
    words_ = rng.integers(100, 300, (20, 2, 3))
    return {
        "caseRef": [f"m{c:02d}" for c, *_ in cells],
        "botName": [f"bot-{b}" for _, b, *_ in cells],
        "graderName": [g for *_, g, _ in cells],
        "repeatIdx": [r for *_, r in cells],
        "graderSeed": [1000 + r for *_, r in cells],
        "draftWords": [int(words_[c, "AB".index(b), 0 if again else r]) for c, b, _, r in cells],
        "vote": rng.choice(["yes", "no"], len(cells)).tolist(),
        **({"humanVote": [str(human[c, "AB".index(b)]) for c, b, *_ in cells]} if again else {}),
    }


@pytest.mark.parametrize(("again", "n_outputs"), [(True, 40), (False, 120)])
def test_votes_repeated_on_an_output_are_no_outputs_of_their_own(again, n_outputs):
    results = ae.read_results(votes_with_repeats(again=again))
    assert len(results.items) == n_outputs
    assert list(results.judged) == ["gpt5mini", "haiku"]


def test_criteria_that_stand_together_are_noted():
    rng = np.random.default_rng(3)
    judges = ["gpt-4o", "claude", "human"]
    cells = [(i, c, j) for i in range(20) for c in ("accuracy", "style") for j in judges]
    rows = {
        "item_id": [f"q{i}" for i, *_ in cells],
        "criterion": [c for _, c, _ in cells],
        "judge": [j for *_, j in cells],
        "score": rng.integers(1, 6, len(cells)),
    }
    results = ae.read_results(rows)
    assert (len(results.items), results.roles["criterion"]) == (40, "slice")
    assert any("'criterion': 'accuracy', 'style'" in note for note in results.notes)


def test_judges_of_1_and_0_stay_judges_beside_a_person_who_says_ok():
    rows = judged_and_labelled("sherlock", "watson", (1, 0), share=1, n=200)
    rng = np.random.default_rng(3)
    rows["tl_call"] = [("nok", "ok")[v] if rng.random() < 0.3 else None for v in rows["watson"]]
    rows["confidence"] = rng.random(200).round(2)
    with pytest.raises(DataError, match="Who gave column 'tl_call'"):
        ae.read_results(rows)
    results = ae.read_results(rows, human="tl_call", same={"1": "ok", "0": "nok"})
    assert list(results.judged) == ["sherlock", "watson"]


def test_grades_beside_thumbs_up_and_down_are_scores_and_the_thumbs_labels():
    rows = judged_and_labelled("scores.accuracy", "feedback.thumbs", ("up", "down"), share=0.3)
    rng = np.random.default_rng(3)
    rows["scores.accuracy"] = [
        int(rng.integers(1, 4) + 2 * (v == "up")) for v in rows["scores.accuracy"]
    ]
    rows["scores.tone"] = rng.integers(1, 6, 80).tolist()
    with pytest.raises(DataError, match="answer one question, or several") as caught:
        ae.read_results(rows)
    assert len(caught.value.questions[0].answers) == 2
    for judges in (["scores.accuracy"], ["scores.accuracy", "scores.tone"]):
        results = ae.read_results(rows, judges=judges)
        assert (list(results.scored), list(results.said)) == (judges, ["feedback.thumbs"])
        assert results.good == "up"


def test_new_attempts_stay_outputs_where_people_labelled_one_of_them():
    rows = votes_with_repeats(again=False)
    rng = np.random.default_rng(3)
    first = {k: str(rng.choice(["yes", "no"])) for k in range(40)}
    cells = zip(rows["caseRef"], rows["botName"], rows["repeatIdx"], strict=True)
    rows["humanVote"] = [
        first[2 * int(case[1:]) + (bot == "bot-B")] if attempt == 0 else None
        for case, bot, attempt in cells
    ]
    results = ae.read_results(rows)
    assert len(results.items) == 120
    assert sum(v is not None for v in results.human.values()) == 40


def test_a_second_verdict_with_reasons_on_a_part_of_the_rows_is_asked_about():
    rows = judged_and_labelled("llm_verdict", "second_verdict", share=0.3)
    rows["second_reason"] = [
        v and f"It is a {v} for reason {k}." for k, v in enumerate(rows["second_verdict"])
    ]
    with pytest.raises(DataError, match="Who gave column 'second_verdict'"):
        ae.read_results(rows)


def test_the_model_of_a_coder_is_no_judge():
    rows = systems_and_runs("seed")
    rows["coder_model"] = rows.pop("model")
    results = ae.read_results(rows)
    assert (results.layout, results.roles["coder_model"]) == ("wide", "system")


def test_the_answer_that_a_column_is_one_more_judge_names_all_judges():
    rows = judged_and_labelled("bench_sherlock", "bench_watson", (1, 0), share=1, n=200)
    rows = {"guard": np.random.default_rng(3).choice(["clr", "blk"], 200).tolist(), **rows}
    with pytest.raises(DataError, match="Is column 'guard' a judge") as caught:
        ae.read_results(rows)
    assert (
        caught.value.questions[0].answers[0] == "judges=['bench_sherlock', 'bench_watson', 'guard']"
    )


@pytest.mark.parametrize("words", [("True", "False"), ("1", "0"), ("pass", "fail"), ("yes", "no")])
def test_grades_beside_a_persons_yes_and_no_are_scores_and_are_cut(words):
    rng = np.random.default_rng(3)
    good = rng.random(80) < 0.6
    rows = {"id": [f"i{k}" for k in range(80)]}
    for judge in ("judge_gpt", "judge_claude"):
        rows[judge] = np.clip(np.round(np.where(good, 4, 2) + rng.normal(0, 1, 80)), 1, 5).astype(
            int
        )
    rows["gold_pass"] = [
        words[0 if g else 1] if k % 2 else None for k, g in enumerate(good.tolist())
    ]
    results = ae.read_results(pd.DataFrame(rows))
    assert list(results.scored) == ["judge_gpt", "judge_claude"]
    assert list(results.said) == ["gold_pass"]
    words = [word.lower() for word in words]  # True is spelled true
    cut = ae.read_results(pd.DataFrame(rows), human="gold_pass", cut=4).votes
    key = [None if code < 0 else cut.labels[code] for code in cut.key.tolist()]
    assert key == [None if k % 2 == 0 else words[not g] for k, g in enumerate(good.tolist())]
    for j, judge in enumerate(cut.judges):  # in people's words, whatever they agree on
        said = [cut.labels[code] for code in cut.codes[:, j].tolist()]
        assert said == [words[grade < 4] for grade in rows[judge].tolist()]


def test_a_persons_yes_and_no_beside_grades_in_a_long_table_is_said_to_be_left_out_and_can_be_taken():
    rng = np.random.default_rng(4)
    rows = [
        {
            "output_id": f"o{k}",
            "grader": grader,
            "rating": int(rng.integers(1, 6)),
            "gold_pass": k % 3 > 0,
        }
        for k in range(40)
        for grader in ("alpha", "beta", "gamma")
    ]
    results = ae.read_results(pd.DataFrame(rows))
    assert any("'gold_pass' is left out" in str(note) for note in results.notes)
    cut = ae.read_results(pd.DataFrame(rows), human="gold_pass", cut=4)
    assert len(cut.human) == 40


# --- what the rows that a column fills, and its agreement, say of who gave it


@pytest.mark.parametrize("name", ["zx", "TL verdict", "Freigabe", "LQA評価"])
@pytest.mark.parametrize("words", [("send", "reject"), ("grün", "gelb", "rot"), (1, 2, 3, 4, 5)])
def test_labels_on_a_part_of_the_rows_that_go_with_a_judge_are_asked_about(name, words):
    rows = judged_and_labelled("gpt4o_score", name, words, share=0.4, n=240)
    rng = np.random.default_rng(3)
    rows["gpt4o_score"] = [
        round(words.index(w) + rng.normal(0, 0.3), 3) for w in rows["gpt4o_score"]
    ]
    assert reading_of(rows)[name] == "ask"


@pytest.mark.parametrize("name", ["zx", "Policy lint"])
def test_words_on_all_rows_that_go_with_a_person_who_saw_a_part_are_a_judges(name):
    rows = judged_and_labelled(name, "expert_verdict", ("ok", "bad"), share=0.4, n=240)
    assert reading_of(rows) == {"output_id": "item", name: "judge", "expert_verdict": "human"}


@pytest.mark.parametrize("cells", [("a", "b", "c"), (0, 1), (1, 2, 3, 4)])
def test_what_goes_with_nobody_is_a_group_or_a_measure(cells):
    rows = judged_and_labelled("gpt4o", "expert_verdict", share=0.6, n=240)
    rows["zx"] = [cells[k] for k in np.random.default_rng(5).integers(0, len(cells), 240)]
    assert reading_of(rows)["zx"] in ("slice", "covariate")


def test_a_group_of_prompts_is_no_verdict_however_it_goes_with_one():
    rows = systems_and_runs("seed")
    rng = np.random.default_rng(3)
    good = [rows["llm_judge"][k] == "pass" for k in range(0, 120, 2)]
    easy = [g if rng.random() < 0.95 else not g for g in good]
    rows["zx"] = [("ok" if easy[k // 2] else "bad") for k in range(120)]
    rows["llm_judge"] = [rows["llm_judge"][k - k % 2] for k in range(120)]
    assert reading_of(rows)["zx"] not in ("judge", "human")


@pytest.mark.parametrize("name", ["zx", "Moteur", "stack", "Silnik"])
def test_outputs_of_one_prompt_that_differ_by_a_column_are_of_systems(name):
    rows = judged_and_labelled("llm_judge", "human", n=120)
    rows["question"] = [f"What is number {k // 2}, and why is it so?" for k in range(120)]
    rows["response"] = [f"It is {k}, which follows from what stands above." for k in range(120)]
    rows[name] = ["p", "q"] * 60
    assert reading_of(rows)[name] == "system"
    rows["response"] = [f"It is {k // 2}, which follows from what is above." for k in range(120)]
    if name == "zx":
        assert reading_of(rows)[name] != "system"  # one text was judged twice


def test_a_persons_yes_is_the_judges_pass_where_they_go_together():
    rows = judged_and_labelled("llm_judge", "expert", ("yes", "no"), n=200)
    rows["llm_judge"] = ["PASS" if w == "yes" else "FAIL" for w in rows["llm_judge"]]
    results = ae.read_results(rows)
    assert set(results.human.values()) - {None} == {"PASS", "FAIL"}
    assert any("expert says 'yes': taken for 'PASS'" in note for note in results.notes)
    rows["llm_judge"] = ["FAIL" if w == "PASS" else "PASS" for w in rows["llm_judge"]]
    with pytest.raises(DataError, match="the same as 'PASS'"):
        ae.read_results(rows)


def test_which_words_mean_pass_is_asked_with_whole_answers_and_after_half_an_answer():
    rows = judged_and_labelled("llm_judge", "expert", ("send", "edit", "drop"), n=300)
    rows["llm_judge"] = ["PASS" if w == "send" else "FAIL" for w in rows["llm_judge"]]
    with pytest.raises(DataError, match="Which words of 'expert' mean 'PASS'") as caught:
        ae.read_results(rows)
    first = eval(f"dict({caught.value.questions[0].answers[0]})")["same"]
    assert first == {"send": "PASS", "edit": "FAIL", "drop": "FAIL"}
    labels = ae.read_results(rows, same=first).human
    assert set(labels.values()) - {None} == {"PASS", "FAIL"}
    with pytest.raises(DataError, match="Is 'send' of 'expert' the same as 'PASS'"):
        ae.read_results(rows, same={"edit": "FAIL", "drop": "FAIL"})


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Terminologieprüfung", "judge"),
        ("Faktencheck autom.", "judge"),
        ("Kontrolle durch Regel", "judge"),
        ("Avis juriste", "human"),
        ("Ocena kierownika", "human"),
        ("Ampel Fachleitung", "human"),
        ("checked_by_kate", "human"),
        ("Which is better? (Sandra)", "human"),
        ("店長承認", "human"),
        ("班组长评分", "human"),
    ],
)
def test_names_in_other_languages_say_who_judged(name, role):
    share = 1 if role == "judge" else 0.4
    rows = judged_and_labelled("gpt4o", "expert", ("ok", "bad"), n=200)
    guess = judged_and_labelled("a", name, ("ok", "bad"), share=share, n=200)[name]
    assert reading_of(rows | {name: guess})[name] == role


def test_dates_without_marks_and_names_without_letters_are_read():
    rows = judged_and_labelled("gpt4o", "expert")
    rows["received"] = [20260401 + k % 28 for k in range(80)]
    rows["🙂"] = rows["gpt4o"][::-1]
    assert reading_of(rows)["received"] == "time"


def test_a_judge_who_says_unsure_too_is_put_into_the_words_of_the_others():
    rows = judged_and_labelled("judge_x", "anna", ("good", "bad"), n=200)
    words = {"good": "PASS", "bad": "FAIL"}
    rows["judge_x"] = [words[w] for w in rows["judge_x"]]
    rows["judge_y"] = ["UNSURE" if k % 13 == 5 else w for k, w in enumerate(rows["judge_x"])]
    results = ae.read_results(rows)
    card = ae.judge_card(results)
    right = {row.judge: row.accuracy.value for row in card.judges}
    labelled = [(v, y) for v, y in zip(rows["anna"], rows["judge_y"], strict=True) if v]
    expected = np.mean([words[v] == y for v, y in labelled])
    assert right["judge_y"] == pytest.approx(expected)


def test_sides_of_a_pair_are_one_word_however_each_judge_says_them():
    rows = judged_and_labelled("judge_gpt", "winner_human", ("A", "B"), n=120)
    rows["judge_claude"] = [{"A": "model_a", "B": "model_b"}[w] for w in rows["judge_gpt"]]
    rows["model_a"] = ["s1", "s2", "s3"] * 40
    rows["model_b"] = ["s2", "s3", "s1"] * 40
    votes = ae.read_results(rows).votes
    first, second = (votes.judges.index(name) for name in ("judge_gpt", "judge_claude"))
    assert (votes.codes[:, first] == votes.codes[:, second]).all()


def test_other_forms_of_a_judges_word_are_that_word_and_other_labels_of_people_are_said():
    rows = judged_and_labelled("gpt", "anna", n=200)
    rows["claude"] = rows["gpt"]
    rows["anna"] = [v and v + "ed" * (k % 2) for k, v in enumerate(rows["anna"])]
    results = ae.read_results(rows)
    assert set(results.human.values()) - {None} == {"pass", "fail"}
    rows["anna"][:9] = ["borderline"] * 9
    notes = ae.read_results(rows).notes
    assert any("9 answers of 'anna' ('borderline') are none of the judges'" in n for n in notes)


def test_judges_that_are_named_do_not_take_away_the_labels_of_people():
    rows = judged_and_labelled("flag", "qa_team", ("safe", "unsafe"), n=200)
    rows["qa_team"] = [v and {"safe": "keep", "unsafe": "reject"}[v] for v in rows["qa_team"]]
    with pytest.raises(DataError, match="Did a person give column 'qa_team'"):
        ae.read_results(rows, judges=["flag"])
    assert list(ae.read_results(rows, judges=["flag"], human="qa_team").said) == ["qa_team"]


@pytest.mark.parametrize("words", [("incorrecto", "correcto"), ("vrai", "bad")])
def test_a_judge_whose_words_nobody_else_says_is_asked_about_though_others_were_answered(words):
    rows = judged_and_labelled("one", "expert", ("good", "bad"), n=200)
    rows["two"] = [words[0] if w == "good" else words[1] for w in rows["one"]]
    rows["one"] = ["x" if w == "good" else "y" for w in rows["one"]]
    same = {"x": "good", "y": "bad"}
    with pytest.raises(DataError, match="of 'two'") as caught:
        ae.read_results(rows, same=same, judges=["one", "two"])
    told = eval(f"dict({caught.value.questions[0].answers[0]})")["same"]
    results = ae.read_results(rows, same=same | told, judges=["one", "two"])
    codes = results.votes.codes
    assert (codes[:, 0] == codes[:, 1]).all()


@pytest.mark.parametrize("labels", [("keep", "drop"), ("ok", "nok")])
def test_few_labels_of_a_person_who_errs_are_asked_about_rather_than_lost(labels):
    rng = np.random.default_rng(2)
    for _ in range(25):
        good = rng.random(120) < 0.6
        rows = {"output_id": [f"o{k}" for k in range(120)]}
        rows["gpt4o"] = ["pass" if g == (rng.random() < 0.85) else "fail" for g in good]
        said = [labels[0] if g == (rng.random() < 0.75) else labels[1] for g in good]
        rows["zx"] = [w if rng.random() < 0.3 else None for w in said]
        assert reading_of(rows)["zx"] in ("ask", "human")


def reading_of(rows):
    """Roles of a table, those of columns that are asked about too."""
    try:
        return dict(ae.read_results(rows).roles)
    except DataError as error:
        return {name: d.role for name, d in error.reading.decided.items()}


# ---- rows that are no outputs


def test_rows_that_are_errors_are_read_as_the_worst_of_each_output_and_rater():
    rng = np.random.default_rng(0)
    severities = ["no-error", "neutral", "minor", "major"]
    rows, worst = [], {}
    for system in ("Online-A", "refA"):
        for segment in range(30):
            for rater in ("rater1", "rater2"):
                marked = list(rng.choice(severities[1:], rng.integers(0, 4))) or ["no-error"]
                worst[f"{segment}:{system}", rater] = max(marked, key=severities.index)
                rows += [
                    {"system": system, "seg_id": segment, "rater": rater}
                    | {"source": f"This is the text of segment {segment}", "category": "Style"}
                    | {"severity": s}
                    for s in marked
                ]
    results = ae.read_results(pd.DataFrame(rows))
    assert results.systems == ("Online-A", "refA")
    assert results.good == "no-error"
    votes = results.votes
    for judge in ("rater1", "rater2"):
        codes = votes.codes[:, votes.judges.index(judge)]
        said = {item: votes.answers[c] for item, c in zip(votes.items, codes, strict=True)}
        assert said == {item: label for (item, who), label in worst.items() if who == judge}
    assert any("rows are errors" in note for note in results.table_notes)
    alone = [r for k, r in enumerate(rows) if r["rater"] == "rater1" and k % 7 == 0]
    assert "severity" in ae.read_results(pd.DataFrame(alone), judges=["severity"]).judged


def test_filters_of_one_run_of_lm_eval_are_judges_of_the_same_outputs():
    rng = np.random.default_rng(1)
    says = rng.choice(["correct", "incorrect"], 50)
    strict, loose = (
        np.where((rng.random(50) < p) == (says == "correct"), 1.0, 0.0) for p in (0.8, 0.9)
    )
    rows = [
        {
            "doc_id": k,
            "doc_hash": f"h{k}",
            "filtered_resps": "4",
            "resps": "it is 4",
            "filter": name,
        }
        | {"target": str(k), "exact_match": float(values[k]), "gpt4o_verdict": says[k]}
        for name, values in (("strict-match", strict), ("flexible-extract", loose))
        for k in range(50)
    ]
    results = ae.read_results(pd.DataFrame(rows))
    assert list(results.judged) == [
        "exact_match strict-match",
        "exact_match flexible-extract",
        "gpt4o_verdict",
    ]
    assert results.n_items == 50
    assert results.roles["target"] == "ignored"
    assert any("filters of lm-eval stand beside each other" in n for n in results.table_notes)


def test_a_folder_of_a_tool_says_which_columns_of_its_own_it_leaves_out(tmp_path, capsys):
    from algeval.cli.main import run

    for judge in ("gpt-4", "claude"):
        rows = [
            {"question_id": k, "model": "m1", "judge": [judge, "single-v1"], "user_prompt": "x"}
            | {"judgment": "[[7]]", "score": 1 + k % 5, "turn": 1, "tstamp": 1.0, "human_score": 3}
            for k in range(20)
        ]
        lines = [json.dumps(row) for row in rows]
        (tmp_path / f"{judge}_single.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert run([str(tmp_path)]) == 0  # a folder alone is reported on
    said = " ".join(capsys.readouterr().out.split())
    assert "columns beside those of FastChat, 'human_score', are not read of several files" in said


def words_beside_scores(name, good, bad, n=120):
    """Return scores of a model on outputs, and good and bad words on a part of the rows under some name."""
    rng = np.random.default_rng(2)
    right = rng.random(n) < 0.7
    scores = np.round(np.clip(rng.normal(0.5 + 0.3 * right, 0.15), 0, 1), 3)
    cells = [(good if r else bad) if k % 3 == 0 else None for k, r in enumerate(right)]
    return pd.DataFrame({"Nr": range(1, n + 1), "Treue (GPT-4o)": scores, name: cells})


@pytest.mark.parametrize("words", [("pass", "fail"), ("ok", "nicht ok"), ("good", "bad")])
def test_good_and_bad_words_on_a_part_of_the_rows_beside_scores_are_never_a_judge_s_in_silence(
    words,
):
    try:
        assert ae.read_results(words_beside_scores("Abnahme", *words)).roles["Abnahme"] == "human"
    except DataError as error:
        assert error.questions[0].columns == ("Abnahme",)  # noqa: PT017
    results = ae.read_results(words_beside_scores("Abnahme", *words), human="Abnahme")
    assert (results.good, len(results.human)) == (words[0], 40)


def test_a_person_who_says_good_and_bad_beside_true_and_false_is_asked_about_unless_they_agree():
    frame = words_beside_scores("expert_verdict", "good", "bad")
    frame = frame.assign(**{"evals.helpful": frame.pop("Treue (GPT-4o)") > 0.6})
    results = ae.read_results(frame, judges=["evals.helpful"])
    assert (results.good, len(results.human)) == ("True", 40)
    frame["evals.helpful"] = ~frame["evals.helpful"]
    with pytest.raises(DataError, match="Is 'good' of 'expert_verdict' the same as 'True'"):
        ae.read_results(frame, judges=["evals.helpful"])
    same = {"good": "True", "bad": "False"}
    results = ae.read_results(frame, judges=["evals.helpful"], same=same)
    assert len(results.human) == 40


def test_numbers_of_versions_keep_their_zeros():
    frame = words_beside_scores("human", "pass", "fail")
    frame["app_version"] = [f"2026.{10 + k % 2}" if k % 3 else "2026.1" for k in range(len(frame))]
    assert set(ae.read_results(frame).systems) == {"2026.10", "2026.11", "2026.1"}


def drawn(n=120, seed=5):
    """A generator, true verdicts, and a judge's verdicts on them in two words."""
    rng = np.random.default_rng(seed)
    true = rng.random(n) < 0.7

    def said(good, bad, right=0.85, *, part=1.0, blank=""):
        answers = np.where((rng.random(n) < right) == true, good, bad).astype(object)
        answers[rng.random(n) > part] = blank
        return answers.tolist()

    return rng, true, said


def beside_two_judges(name, cells, **more):
    _, _, said = drawn()
    rows = {"id": [f"q{k}" for k in range(len(cells))]}
    return {
        **rows,
        "gpt-4o": said("pass", "fail"),
        "claude": said("pass", "fail"),
        name: cells,
        **more,
    }


@pytest.mark.parametrize(
    ("name", "words", "blank"),
    [
        ("human_review", ("pass", "fail"), "todo"),
        ("reviewed_by_team", ("pass", "fail"), ""),
        ("人工", ("对", "错"), "待审"),
    ],
)
def test_labels_of_people_on_a_part_are_read_and_what_says_not_yet_is_none(name, words, blank):
    _, _, said = drawn()
    cells = said(*words, 0.95, part=0.35, blank=blank)
    results = ae.read_results(beside_two_judges(name, cells))
    assert results.roles[name] == "human"
    assert len(results.human) == sum(cell != blank for cell in cells)


def test_pending_is_a_state_of_a_ticket_where_other_states_are_no_verdicts():
    cells = np.random.default_rng(2).choice(["open", "pending", "solved"], 120).tolist()
    results = ae.read_results(beside_two_judges("status", cells))
    assert results.roles["status"] == "slice"
    assert "pending" in results.reading.columns["status"].labels


@pytest.mark.parametrize("blank", ["not reviewed", "pending"])
def test_what_says_not_yet_makes_nobody_a_person(blank):
    _, _, said = drawn()
    cells = said("pass", "fail", 0.95, part=0.35, blank=blank)
    with pytest.raises(DataError, match="Who gave column 'status'"):
        ae.read_results(beside_two_judges("status", cells))


def test_a_persons_yes_and_no_are_the_persons_though_they_agree_with_nobody():
    rng = np.random.default_rng(4)
    cells = np.where(rng.random(120) < 0.3, rng.choice(["yes", "no"], 120), "").tolist()
    with pytest.raises(DataError, match="Is 'pass' of 'gpt-4o' the same as 'yes'"):
        ae.read_results(beside_two_judges("expert_ok", cells))
    cells = [{"yes": "pass", "no": "fail"}.get(cell, "") for cell in cells]
    results = ae.read_results(beside_two_judges("expert_ok", cells))
    assert results.roles["expert_ok"] == "human"


def test_a_source_that_names_models_and_a_person_is_who_judged_in_whatever_words():
    rng = np.random.default_rng(8)
    rows = []
    for k in range(60):
        good = rng.random() < 0.7
        for who, words in (("gpt-4o", "pass fail"), ("claude", "pass fail"), ("Anna", "good bad")):
            if who != "Anna" or k % 3:
                right = rng.random() < 0.9
                rows.append(
                    {"item_id": f"q{k}", "source": who, "verdict": words.split()[good != right]}
                )
    results = ae.read_results(rows)
    assert (list(results.judged), list(results.said)) == (["gpt-4o", "claude"], ["Anna"])
    assert (results.good, results.labels) == ("pass", ("fail", "pass"))


@pytest.mark.parametrize(
    ("name", "role"), [("reward_model", "score"), ("xq", "score"), ("n_tokens", "covariate")]
)
def test_a_machines_number_beside_raters_is_a_score(name, role):
    rng = np.random.default_rng(6)
    rows = []
    for k in range(60):
        trait = rng.normal(3.2, 1)
        number = round(float(trait / 5 + rng.normal(0, 0.1)), 3)
        for rater in ("r1", "r2", "r3"):
            grade = int(np.clip(round(trait + rng.normal(0, 0.5)), 1, 5))
            rows.append({"item_id": f"q{k}", "rater": rater, "rating": grade, name: number})
    assert ae.read_results(rows).roles[name] == role


def test_a_preference_that_names_versions_shows_systems_side_by_side():
    rng, _, said = drawn()
    rows = {
        "id": list(range(120)),
        "judge_v1": said("pass", "fail"),
        "judge_v2": said("pass", "fail", 0.7),
    }
    rows["human_pref"] = rng.choice(["v1", "v2", "same", ""], 120).tolist()
    results = ae.read_results(rows)
    assert (results.layout, results.systems) == ("systems", ("v1", "v2"))
    assert results.roles["human_pref"] == "human"


@pytest.mark.parametrize("name", ["gpt4_shown_first", "display_order", "Read first"])
def test_which_answer_was_shown_first_is_no_verdict(name):
    rng = np.random.default_rng(9)
    rows = {"id": [f"q{k}" for k in range(90)], "model_a": ["x"] * 90, "model_b": ["y"] * 90}
    rows |= {
        "gpt4_winner": rng.choice(["A", "B", "tie"], 90),
        "expert": rng.choice(["A", "B", "tie"], 90),
    }
    cells = ["A first", "B first"] if name == "display_order" else ["A", "B"]
    rows[name] = rng.choice(cells, 90)
    results = ae.read_results(pd.DataFrame(rows))
    assert (results.roles[name], list(results.judged)) == ("swap", ["gpt4_winner"])


def test_labels_that_are_a_cut_of_numbers_are_asked_about():
    rng, true, said = drawn()
    number = np.clip(np.where(true, 0.7, 0.4) + rng.normal(0, 0.2, 120), 0, 1).round(3)
    rows = beside_two_judges("zz", np.where(number > 0.55, "pass", "fail").tolist())
    rows |= {"tox": number.tolist(), "reviewer": said("pass", "fail", 0.95)}
    with pytest.raises(DataError, match="column 'zz'"):
        ae.read_results(rows)


def test_what_users_said_stands_aside_where_reviewers_answer():
    rng, _, said = drawn()
    rows = beside_two_judges("guest_stars", rng.choice(["", "1", "2", "3", "4", "5"], 120).tolist())
    rows["editor"] = said("publish", "rewrite", 0.95, part=0.5)
    rows["gpt-4o"] = said("publish", "rewrite")
    results = ae.read_results({n: c for n, c in rows.items() if n != "claude"})
    assert (results.roles["guest_stars"], list(results.said)) == ("human", ["editor"])
    assert any("'guest_stars' is left out" in note for note in results.notes)
    assert results.reading.named("human") == ["editor"]


def test_what_is_the_same_on_all_outputs_of_a_prompt_is_no_verdict():
    _, _, said = drawn()
    rows = {"prompt_id": [f"p{k // 2}" for k in range(120)], "model": ["m1", "m2"] * 60}
    rows |= {
        "guard_llm": said("safe", "unsafe"),
        "reviewer": said("safe", "unsafe", 0.95, part=0.4),
    }
    rows["prompt_label"] = [["safe", "unsafe"][k // 2 % 2] for k in range(120)]
    assert ae.read_results(rows).roles["prompt_label"] == "slice"


def test_ids_that_say_what_was_asked_are_prompts_and_samples_are_trials():
    rows = []
    rng = np.random.default_rng(3)
    for task in range(12):
        for model in ("m1", "m2"):
            for sample in range(4):
                rows.append(
                    {"task_id": f"T/{task}", "prompt": f"Please write function number {task}"}
                )
                rows[-1] |= {
                    "model": model,
                    "sample_idx": sample,
                    "completion": f"def f{len(rows)}(): pass",
                }
                rows[-1]["llm_review"] = str(rng.choice(["approve", "reject"]))
    results = ae.read_results(rows)
    assert (results.roles["sample_idx"], results.roles["task_id"]) == ("trial", "prompt")
    assert results.reading.item == ("task_id", "model", "sample_idx")


def test_people_who_saw_the_same_outputs_are_raters_under_whatever_name():
    rng = np.random.default_rng(7)
    rows = []
    for k in range(30):
        for student in rng.permutation(9)[:4]:
            rows.append({"Turn ID": f"t{k}", "Tutor Reply": f"Start with definition {k} of it"})
            rows[-1] |= {
                "Student": f"u{student}",
                "How helpful?": str(rng.choice(["very", "a bit", "no"])),
            }
            rows[-1] |= {"Year": int(student) % 3 + 1, "Pedagogy Judge": k / 100}
    results = ae.read_results(rows)
    assert [results.roles[n] for n in ("Turn ID", "Student", "How helpful?")] == [
        "item",
        "rater",
        "answer",
    ]
    assert results.roles["Pedagogy Judge"] == "score"


def test_a_check_whose_words_nobody_says_is_left_out_and_said():
    rng = np.random.default_rng(1)
    words = rng.choice(["ok", "mismatch"], 120, p=[0.9, 0.1]).tolist()
    _, _, said = drawn()
    rows = {"id": list(range(120)), "side_check": words, "llm_verdict": said("none", "major")}
    rows["reviewer"] = said("none", "major", 0.95, part=0.5)
    results = ae.read_results(rows)
    assert list(results.judged) == ["llm_verdict"]
    assert any("'side_check' is left out: a check by rules" in note for note in results.notes)


def test_one_judge_who_is_also_unsure_says_good_and_bad_in_words_of_its_own():
    _, _, said = drawn()
    verify = said("correct", "incorrect")
    rows = {
        "id": list(range(120)),
        "LLM_VERIFY": [v if k % 9 else "unsure" for k, v in enumerate(verify)],
    }
    rows |= {"gpt_check": said("P", "F"), "QC_RESULT": said("P", "F", 0.95, part=0.4)}
    results = ae.read_results(rows, human="QC_RESULT")
    assert set(results.labels) == {"P", "F", "unsure"}
    assert {"P", "F"} <= set(results.judged["LLM_VERIFY"][0])


def test_all_words_of_a_judge_are_no_group_though_they_agree_with_nobody():
    rng = np.random.default_rng(2)
    words = ["Poor", "Fair", "Good", "Excellent"]
    rows = {"id": list(range(110)), "Gemini rating": rng.choice(words, 110)}
    rows |= {"zq": rng.choice(words, 110), "Editor rating": rng.choice([*words, ""], 110)}
    with pytest.raises(DataError, match="column 'zq'"):
        ae.read_results(pd.DataFrame(rows))


def test_labels_on_a_part_beside_one_column_of_the_same_are_asked_about():
    _, _, said = drawn()
    rows = {
        "id": list(range(120)),
        "reply": [f"Some answer of words number {k}" for k in range(120)],
    }
    rows |= {"aa": said("uygun", "kötü"), "zq": said("uygun", "kötü", 0.95, part=0.4)}
    with pytest.raises(DataError, match="Who gave column 'zq'"):
        ae.read_results(rows)


def test_short_questions_are_the_input_and_feedback_in_a_judges_words_is_a_persons():
    _, _, said = drawn()
    asked = ["How long is it?", "Can I return it?", "Where is my order?", "Who pays for it?"]
    rows = {
        "id": list(range(120)),
        "Input": [[*asked, "Is it charged twice?"][k % 5] for k in range(120)],
    }
    rows |= {"Helpfulness (auto)": said("Helpful", "Unhelpful")}
    rows |= {"Human feedback": said("Helpful", "Unhelpful", 0.95, part=0.4)}
    roles = ae.read_results(rows).roles
    assert [roles[n] for n in list(rows)[1:]] == ["prompt", "judge", "human"]


def test_ab_and_ba_are_orders_and_no_verdicts():
    _, _, said = drawn()
    rows = {"pair_id": [f"p{k // 2}" for k in range(120)], "order": ["AB", "BA"] * 60}
    rows |= {"response_a": [f"first answer {k // 2}" for k in range(120)]}
    rows |= {"response_b": [f"second answer {k // 2}" for k in range(120)]}
    rows |= {"judge_1": said("A", "B"), "judge_2": said("A", "B")}
    assert ae.read_results(rows).roles["order"] == "swap"


def test_samples_that_count_up_are_trials_and_case_numbers_ids():
    _, _, said = drawn(n=108)
    rows = {"task_id": [f"task_{k // 9}" for k in range(108)]}
    rows |= {"model": [["a-7b", "b-7b", "c-7b"][k // 3 % 3] for k in range(108)]}
    rows |= {"sample": [k % 3 + 1 for k in range(108)], "gpt_verdict": said("pass", "fail")}
    roles = ae.read_results(rows).roles
    assert [roles[n] for n in ("task_id", "sample")] == ["prompt", "trial"]
    rows = {"N. caso": range(1, 109), "gpt_verdict": said("pass", "fail")}
    assert ae.read_results(rows).roles["N. caso"] == "item"


def test_codes_of_segments_that_repeat_are_prompts_though_segments_are_groups():
    _, _, said = drawn()
    sources = [f"Source sentence number {k // 2} of many" for k in range(120)]
    rows = {"Segment": [f"S{k // 2:03}" for k in range(120)], "Source (EN)": sources}
    rows |= {"Engine": ["NMT", "LLM-MT"] * 60, "gpt_verdict": said("pass", "fail")}
    assert ae.read_results(rows).roles["Segment"] == "prompt"
    rows["Segment"] = [["retail", "b2b", "public"][k % 3] for k in range(120)]
    assert ae.read_results(rows).roles["Segment"] == "slice"


def test_people_named_before_a_question_are_people_and_a_team_is_asked_about():
    _, _, said = drawn()
    rows = {"id": list(range(120)), "Claude preference": said("A", "B")}
    rows["Team preference"] = said("A", "B", 0.95, part=0.8)
    with pytest.raises(DataError, match="Who gave column 'Team preference'"):
        ae.read_results(rows)
    rows = {"id": list(range(120)), "GPT check": said("Pass", "Fail")}
    rows["Priya: good answer? (Y/N)"] = said("Y", "N", 0.95)
    rows["Dan: good answer? (Y/N)"] = said("Y", "N", 0.9, part=0.5)
    roles = ae.read_results(rows).roles
    assert [roles[n] for n in list(rows)[1:]] == ["judge", "human", "human"]


def test_annotations_by_first_names_are_peoples_though_one_answered_all():
    _, _, said = drawn()
    rows = {"id": list(range(120)), "annotations.anna.label": said("good", "poor", 0.95)}
    rows["annotations.joao.label"] = said("good", "poor", 0.95, part=0.5)
    rows["prediction.label"] = said("good", "poor")
    roles = ae.read_results(rows).roles
    assert [roles[n] for n in list(rows)[1:]] == ["human", "human", "judge"]


def test_who_made_a_text_is_the_system_and_what_each_made_once_the_prompt():
    _, _, said = drawn()
    rows = {"image_file": [f"img_{k // 2:03}.jpg" for k in range(120)]}
    rows |= {"captioner": ["blip2", "inhouse"] * 60}
    rows |= {"caption": [f"a photo of {k} old men under a tree" for k in range(120)]}
    rows |= {"VLM rating (1-5)": said("4", "2"), "rater1": said("4", "2"), "rater2": said("4", "2")}
    roles = ae.read_results(rows, human=["rater1", "rater2"]).roles
    assert [roles[n] for n in rows] == ["prompt", "system", "text", "judge", "human", "human"]
    rows = {"Lp.": range(1, 121), "Wersja bota": ["v2.1", "v2.0", "v2.1"] * 40}
    rows |= {"Ocena automatyczna": said("poprawna", "błędna")}
    rows |= {"Ocena eksperta": said("poprawna", "błędna", 0.95, part=0.5)}
    roles = ae.read_results(rows).roles
    assert [roles[n] for n in rows] == ["item", "system", "judge", "human"]


def test_fields_of_a_document_are_a_group_where_another_column_names_systems():
    _, _, said = drawn()
    rows = {"document_id": [f"F{k // 4:03}" for k in range(120)]}
    rows |= {"champ": ["total", "date", "name", "number"] * 30}
    rows |= {"moteur": ["ocr-v3", "ocr-v2", "ocr-v3"] * 40, "contrôle auto": said("OK", "KO")}
    rows |= {"vérif. humaine": said("OK", "KO", 0.95, part=0.6)}
    assert ae.read_results(rows).roles["champ"] == "slice"


def test_nested_records_with_a_response_to_each_question_are_read(tmp_path):
    _, _, said = drawn()
    judge, person = said("yes", "no"), said("yes", "no", 0.95, part=0.5, blank=None)
    lines = [
        {
            "id": f"r{k}",
            "fields": {
                "instruction": f"Please say something of {k}",
                "response": f"It is thing {k} as I said",
            },
            "suggestions": {"helpful": {"value": judge[k], "agent": "gpt-4"}},
            "responses": {"helpful": {"value": person[k], "user_id": person[k] and f"u{k % 3}"}},
        }
        for k in range(120)
    ]
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with pytest.raises(DataError, match=r"Who gave column 'suggestions\.helpful\.value'"):
        ae.read_results(path)
    results = ae.read_results(path, judges=["suggestions.helpful.value"])
    assert list(results.said) == ["responses.helpful.value"]
    assert list(results.judged) == ["suggestions.helpful.value"]
    path.write_text(
        json.dumps({**lines[0], "responses": {"helpful": [lines[0]["responses"]]}}),
        encoding="utf-8",
    )
    with pytest.raises(DataError, match="do not say which responses were submitted"):
        ae.read_results(path)


def test_professions_and_initials_show_people_and_who_saw_first_an_order():
    _, _, said = drawn()
    rows = {"id": list(range(120)), "eval.judge.verdict": said("safe", "unsafe")}
    rows["eval.agronomist.verdict"] = said("safe", "unsafe", 0.95, part=0.5)
    assert ae.read_results(rows).roles["eval.agronomist.verdict"] == "human"
    rows = {"id": list(range(120)), "verdicts.gpt-4o": said("SUPPORTED", "REFUTED")}
    rows["fact_checker.label"] = said("SUPPORTED", "REFUTED", 0.95, part=0.5)
    rows["fact_checker.initials"] = [
        None if label is None else ["MW", "ABT", "RO"][k % 3]
        for k, label in enumerate(rows["fact_checker.label"])
    ]
    roles = ae.read_results(rows).roles
    assert [roles[n] for n in list(rows)[2:]] == ["human", "slice"]
    rows = {"id": list(range(120)), "judge_winner": said("A", "B")}
    rows |= {"curator_winner": said("A", "B", 0.95), "curator_saw_first": ["A", "B", "B", "A"] * 30}
    assert ae.read_results(rows).roles["curator_saw_first"] == "swap"


def test_two_reviewers_by_initials_are_people_and_no_systems_side_by_side():
    _, _, said = drawn()
    rows = {"DOI": [f"10.1000/{k}" for k in range(120)], "LLM_decision": said("include", "exclude")}
    rows |= {f"Reviewer_{who}": said("include", "exclude", 0.9) for who in ("AK", "JS")}
    rows["Consensus"] = said("include", "exclude", 0.97)
    results = ae.read_results(rows)
    assert not results.systems
    assert results.roles["DOI"] == "item"
    assert results.roles["Reviewer_AK"] == results.roles["Reviewer_JS"] == "human"


def test_tags_of_prompts_are_systems():
    _, _, said = drawn()
    rows = {"id": list(range(120)), "prompt_tag": ["p12", "p11", "p12"] * 40}
    rows["auto_grade"] = said("good", "bad")
    assert ae.read_results(rows).roles["prompt_tag"] == "system"


@pytest.mark.parametrize(
    "names", [("Model verdict", "Desk verdict"), ("Oordeel Claude", "Oordeel raad")]
)
def test_labels_on_a_part_called_like_a_machines_but_for_who_gave_them_are_asked_about(names):
    _, _, said = drawn()
    machine, person = names
    rows = {"id": list(range(120)), machine: said("true", "half")}
    rows[person] = said("true", "half", 0.8, part=0.85)
    assert reading_of(rows)[person] == "ask"
    rows = {"id": list(range(120)), "gpt_verdict": said("true", "half")}
    rows["strict2_verdict"] = said("true", "half", 0.8, part=0.85)
    assert not_silent(rows, "strict2_verdict")


def not_silent(rows, name):
    """Whether a column is asked about, or read as verdicts."""
    try:
        return ae.read_results(rows).roles[name] in ("judge", "human")
    except DataError as error:
        return any(name in question.columns for question in error.questions)


def test_labels_that_a_judge_says_too_are_no_group_in_silence():
    rng = np.random.default_rng(3)
    _, _, said = drawn()
    rows = {"id": list(range(120)), "gpt_verdict": said("juist", "onjuist")}
    rows["claude_verdict"] = said("juist", "onjuist")
    rows["slot"] = rng.choice(["juist", "onjuist", "anders"], 120).tolist()
    assert not_silent(rows, "slot")


def test_an_agents_label_of_pass_and_fail_is_no_system_and_my_grade_mine():
    _, _, said = drawn()
    rows = {"id": list(range(120)), "gpt4o_verdict": said("PASS", "FAIL")}
    rows["agent_label"] = said("pass", "fail", 0.9, part=0.5)
    assert reading_of(rows)["agent_label"] == "ask"
    rows = {
        "essay": [f"e{k}" for k in range(120)],
        "ChatGPT grade": said(3, 4),
        "My grade": said(3, 4),
    }
    assert ae.read_results(rows).roles["My grade"] == "human"


def test_long_numbers_are_ids_and_orders_and_ties_are_read_in_other_languages():
    rng = np.random.default_rng(4)
    _, _, said = drawn()
    numbers = [int(n) for n in 2025000000 + rng.permutation(900000)[:120]]
    rows = {"protocolo": numbers, "veredito_gpt": said("correta", "incorreta")}
    assert ae.read_results(rows).roles["protocolo"] == "item"
    rows = {"id": list(range(120)), "texto_A": [f"uno {k} de dos" for k in range(120)]}
    rows |= {"texto_B": [f"otro {k} de dos" for k in range(120)]}
    verdicts = [said("A", "B"), said("A", "B", 0.95, part=0.7)]
    for cells in verdicts:
        cells[:12] = [c and "empate" for c in cells[:12]]
    rows |= {"preferencia_juez_llm": verdicts[0], "preferencia_traductora": verdicts[1]}
    rows["mostrada_primero"] = ["A", "B", "B", "A"] * 30
    roles = ae.read_results(rows).roles
    assert [roles[n] for n in list(rows)[3:]] == ["judge", "human", "swap"]


def test_a_long_table_in_french_is_read():
    rng = np.random.default_rng(5)
    who = ["juge_mistral", "juge_gpt", "Mme Petit"]
    rows = [
        {"id_reponse": f"R{k:02}", "évaluateur": rater, "note_sur_4": int(rng.integers(1, 5))}
        for k in range(40)
        for rater in who
    ]
    roles = ae.read_results(rows).roles
    assert list(roles.values()) == ["item", "rater", "answer"]


def test_of_many_judges_who_are_numbered_none_is_the_majority_of_the_others():
    rng = np.random.default_rng(6)
    truth = rng.random(60) < 0.5
    votes = (rng.random((5, 60)) < 0.9) == truth
    rows = {f"judge{k + 1}": np.where(v, "pass", "fail").tolist() for k, v in enumerate(votes)}
    rows["judge6"] = np.where(votes.sum(0) > 2, "pass", "fail").tolist()
    assert len(ae.read_results(rows).judged) == 6


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("by_place", [True, False])
def test_verdicts_in_both_orders_name_the_place_unless_people_show_that_they_name_the_answer(
    by_place, biased
):
    rng = np.random.default_rng(7)
    truth = rng.random(90) < 0.5
    rows = []
    for k in range(90):
        for turned in (False, True):
            row = {
                "pair_id": f"p{k}",
                "prompt": f"What is best of {k}?",
                "order": ["AB", "BA"][turned],
            }
            row |= {
                "response_a": f"the first of {k} it is",
                "response_b": f"the other of {k} it is",
            }
            for judge, right in (("judge_1", 0.9), ("judge_2", 0.85)):
                side = int(truth[k] == (rng.random() < right)) ^ (turned and by_place)
                row[judge] = "AB"[0 if biased and by_place and rng.random() < 0.7 else side]
            row["human_pref"] = "AB"[int(truth[k]) ^ (turned and by_place)]
            rows.append(row)
    results = ae.read_results(rows)
    where = [results.items.index(f"p{k}") for k in range(90)]
    texts, codes = results.said["human_pref"]
    people = [None if codes[k] < 0 else texts[codes[k]].upper() for k in where]
    assert people == ["AB"[int(t)] for t in truth]
    by_answer = [n for n in results.notes if "naming the answer" in n]
    assert bool(by_answer) is not by_place
    without = [{name: cell for name, cell in row.items() if name != "human_pref"} for row in rows]
    assert not any("naming the answer" in n for n in ae.read_results(without).notes)


def test_labels_of_a_file_join_those_of_a_column_of_that_name(tmp_path):
    _, _, said = drawn()
    rows = pd.DataFrame({"id": [f"q{k}" for k in range(120)], "gpt_verdict": said("pass", "fail")})
    labels = said("pass", "fail", 0.95)
    for name in ("human", "reviewer"):
        rows[name] = [labels[k] if k < 20 else None for k in range(120)]
        new = pd.DataFrame({"id": rows["id"][14:40], name: labels[14:40]})
        new.to_csv(tmp_path / "new.csv", index=False)
        joined = ae.read_results(rows).with_people(str(tmp_path / "new.csv"))
        assert sum(c >= 0 for c in joined.said[name][1]) == 40
        assert any("join the 20" in note for note in joined.notes + joined.label_notes)
        rows = rows.drop(columns=name)


@pytest.mark.parametrize("cut", [7, {"judges": 7, "human": 4}])
def test_zeros_and_ones_of_a_column_called_human_are_not_cut_again(cut):
    rng = np.random.default_rng(8)
    _, _, said = drawn()
    rows = {"id": list(range(120)), "gpt_score": rng.integers(1, 11, 120).tolist()}
    rows |= {"claude_pass": said(1, 0), "human": said(1, 0, 0.95, part=0.5)}
    results = ae.read_results(rows, cut=cut)
    texts, codes = results.said["human"]
    assert {texts[c] for c in codes if c >= 0} == {"0", "1"}
    rows["qwen_score"] = rng.integers(1, 11, 120).tolist()
    with pytest.raises(DataError, match="got none for 'qwen_score'"):
        ae.read_results(rows, cut={"gpt_score": 7, "human": 4})


def test_pending_is_a_judges_own_verdict_and_people_who_use_are_no_reviewers():
    _, _, said = drawn()
    verdicts = [v if k % 3 else "pending" for k, v in enumerate(said("approved", "rejected"))]
    rows = {"id": list(range(120)), "gpt_verdict": verdicts, "claude_verdict": verdicts[::-1]}
    assert set(ae.read_results(rows).labels) == {"approved", "pending", "rejected"}
    rows = {"id": list(range(120)), "gpt_verdict": said("pass", "fail")}
    rows["利用者"] = said("pass", "fail", 0.5, part=0.4)
    assert not_silent(rows, "利用者")


def test_people_set_aside_stay_aside_in_saved_columns(tmp_path, capsys):
    _, _, said = drawn()
    rows = {"ticket": list(range(120)), "llm_judge": said("good", "bad")}
    rows["annotator_anna"] = said("ok", "not ok", 0.95, part=0.5)
    rows["annotator_ben"] = said("Good", "Poor", 0.95, part=0.6)
    table, saved = str(tmp_path / "t.csv"), str(tmp_path / "c.toml")
    pd.DataFrame(rows).to_csv(table, index=False)
    assert run(["columns", table, "--same", "bad=Poor", "--save", saved]) == 0
    capsys.readouterr()
    before, after = (
        ae.read_results(table, same={"bad": "Poor"}),
        ae.read_results(table, columns=saved),
    )
    assert before.reading.aside == after.reading.aside
    assert [*before.said] == [*after.said]


def test_of_a_list_of_one_judges_votes_the_labels_beside_it_are_peoples(tmp_path):
    rows = [
        {
            "id": k,
            "model": "x",
            "votes": [{"judge": "gpt", "verdict": "pass" if k % 3 else "fail"}],
            "human_label": "pass",
        }
        for k in range(12)
    ]
    (tmp_path / "v.jsonl").write_text("\n".join(map(json.dumps, rows)))
    votes = ae.read_votes(tmp_path / "v.jsonl")
    assert votes.judges == ("gpt",)
    assert (votes.key >= 0).sum() == 12
    assert ae.judge_card(tmp_path / "v.jsonl").judges[0].accuracy.value == 8 / 12


def test_of_judges_named_after_bad_news_the_command_offers_what_is_not_bad(tmp_path, capsys):
    _, _, said = drawn()
    rows = {"qid": list(range(120)), "hallucination_gpt": said(1, 0)}
    rows["hallucination_human"] = said(1, 0, 0.95, part=0.5)
    pd.DataFrame(rows).to_csv(tmp_path / "t.csv", index=False)
    assert run(["report", str(tmp_path / "t.csv"), "--no-intervals"]) == 0
    assert "--good 0" in capsys.readouterr().out


def test_places_in_both_orders_without_texts_are_exchanged_back():
    rng = np.random.default_rng(11)
    rows, changed = [], 0
    for k in range(60):
        better = rng.random() < 0.6
        own = [better if rng.random() < 0.8 else not better for _ in range(2)]
        changed += own[0] != own[1]
        for turned in (False, True):
            place = "first" if own[turned] != turned else "second"
            rows.append(
                {"prompt_id": k, "order": ["new_first", "old_first"][turned], "verdict": place}
            )
    results = ae.read_results(rows)
    assert [results.roles[n] for n in rows[0]] == ["item", "swap", "judge"]
    codes = results.judged["verdict"][1]
    assert len(results.items) == 60
    assert int((codes < 0).sum()) == changed
    assert ae.report(rows).status is not None


def test_the_number_beside_a_stated_judge_is_its_score_and_no_measure():
    passed = ["PASS" if k % 3 else "FAIL" for k in range(60)]
    rows = {
        "id": range(60),
        "relevancy score": [
            round(0.9 - 0.4 * (p == "FAIL") + k / 900, 3) for k, p in enumerate(passed)
        ],
        "relevancy success": passed,
        "seconds": [round(1.5 + 7 * k % 11 / 10, 2) for k in range(60)],
        "reviewer": ["PASS" if k % 4 else "FAIL" for k in range(60)],
    }
    roles = ae.read_results(rows, judges=["relevancy success"]).roles
    assert (roles["relevancy score"], roles["seconds"]) == ("score", "covariate")


@pytest.mark.parametrize(
    "words", [("A", "B"), ("left", "right"), ("new", "old"), ("model_a", "model_b")]
)
@pytest.mark.parametrize("turned", ["swapped", "exchanged"])
@pytest.mark.parametrize("name", ["preferred", "reviewer", "expert", "label", "choice"])
def test_who_is_better_of_a_pair_by_people_is_no_group_in_silence(words, turned, name):
    rng = np.random.default_rng(7)
    systems = ("new", "old") if words[0] == "new" else ("x", "y")
    rows = []
    for k in range(60):
        better = systems[int(rng.random() < 0.5)]
        for order in (0, 1):
            first, second = systems[::-1] if order else systems
            judged = better if rng.random() < 0.8 else {*systems}.difference({better}).pop()
            say = {s: s if words[0] == "new" else words[s != first] for s in systems}
            row = {"prompt_id": f"p{k}", "model_a": systems[0], "model_b": systems[1]}
            row |= (
                {"swapped": order} if turned == "swapped" else {"model_a": first, "model_b": second}
            )
            rows.append(row | {"gpt_verdict": say[judged], name: say[better]})
    table = {column: [row[column] for row in rows] for column in rows[0]}
    assert not_silent(table, name)


def test_counts_of_errors_links_customers_and_suggestions_are_what_they_say():
    said = ["Pass" if k % 3 else "Fail" for k in range(60)]
    rows = {
        "Link": [f"https://desk.example.org/t/{7 * k}" for k in range(60)],
        "Ticket #": [f"CS-{4000 + k}" for k in range(60)],
        "Auto-QA": said,
        "My call": ["Pass" if (k + k // 9) % 3 else "Fail" for k in range(60)],
        "CSAT (1-5)": [str(1 + k * k % 5) if k % 3 == 0 else None for k in range(60)],
        "tool errors": [str(k * 7 % 5) for k in range(60)],
    }
    results = ae.read_results(rows)
    assert results.reading.item == ("Ticket #",)
    assert [*results.judged] == ["Auto-QA"]
    assert (results.roles["tool errors"], results.n_labelled) == ("covariate", 60)
    assert results.reading.aside == {"CSAT (1-5)"}
    records = {
        "id": range(60),
        "quality.suggestion": [1 + k % 5 for k in range(60)],
        "quality.responses.maria": [1 + (k + k % 7 // 6) % 5 for k in range(60)],
    }
    assert ae.read_results(records).roles["quality.suggestion"] == "judge"


def test_people_of_a_help_desk_are_no_systems():
    rows = {
        "Ticket": [f"T-{k}" for k in range(60)],
        "Agent": [["Mo", "Sandra", "Kelly P."][k * k % 3] for k in range(60)],
        "AI check": ["send" if k % 3 else "reject" for k in range(60)],
        "Reviewer decision": ["send" if (k + k // 9) % 3 else "reject" for k in range(60)],
    }
    assert ae.read_results(rows).systems == ()
    models = {**rows, "Agent": [["react", "plan-v2", "Nova Pro"][k * k % 3] for k in range(60)]}
    assert set(ae.read_results(models).systems) == {"react", "plan-v2", "Nova Pro"} & {
        *models["Agent"]
    }


def words_on_a_part(name, words, *, who=None, n=150, seed=3):
    """Return grades of a model, and some words under a name on each third output, as chance has them."""
    rng = np.random.default_rng(seed)
    table = {"ticket_id": [f"T-{k}" for k in range(n)], "gpt4o_score": rng.integers(1, 6, n)}
    table[name] = [str(rng.choice(words)) if k % 3 == 0 else None for k in range(n)]
    if who:
        table[who] = ["maya" if k % 2 else "tom" if k % 3 == 0 else None for k in range(n)]
        table[who] = [w if k % 3 == 0 else None for k, w in enumerate(table[who])]
    return table


@pytest.mark.parametrize("name", ["agent_review", "QA_AGNT_LBL_CD", "Avis agent", "second", "x"])
@pytest.mark.parametrize("words", [("good", "bad", "ok"), ("faux", "satisfaisant", "à revoir")])
def test_good_and_bad_words_on_a_part_are_no_group_in_silence(name, words):
    assert not_silent(words_on_a_part(name, words), name)


def test_words_given_with_a_name_of_who_reviewed_are_asked_about():
    rows = words_on_a_part("second", ("good", "bad", "ok"), who="reviewed_by")
    with pytest.raises(DataError, match="Who gave column 'second'"):
        ae.read_results(rows)
    results = ae.read_results(rows, human="second")
    assert list(results.said) == ["second"]
    assert list(results.judged) == []
    assert results.roles["gpt4o_score"] == "score"  # grades, where a person says good and bad


@pytest.mark.parametrize("words", [("vip", "beta", "retry"), ("grammar", "omission", "register")])
def test_other_words_on_a_part_are_groups(words):
    assert ae.read_results(words_on_a_part("kind", words)).roles["kind"] == "slice"


def test_a_colleagues_grades_beyond_those_of_another_are_asked_about():
    rng = np.random.default_rng(1)
    grades = rng.integers(1, 6, 60)
    near = np.clip(grades + rng.integers(-1, 2, (3, 60)), [[4], [2], [1]], [[10], [5], [5]])
    part = rng.random((2, 60)) < 0.65
    table = {"Meeting": [f"m{k}" for k in range(60)], "AI judge (1-10)": 2 * near[0]}
    table |= {
        who: [int(x) if has else None for x, has in zip(said, filled, strict=True)]
        for who, said, filled in zip(("Raj", "Dana"), near[1:], part, strict=True)
    }
    assert not_silent(table, "Dana")


def test_a_name_on_a_part_of_the_rows_is_no_system():
    table = words_on_a_part("Avis", ("faux", "correct"), who="Agent")
    table["Modèle"] = ["gpt-4o-mini", "mistral-small"] * 75
    results = ae.read_results(table, human="Avis")
    assert results.systems == ("gpt-4o-mini", "mistral-small")
    assert results.roles["Agent"] == "slice"


def test_nulls_of_a_database_are_empty_cells(tmp_path):
    lines = ["SRC_SK|CONV_ID|LLM_JUDGE|QA_LABEL|QA_NAME"]
    for k in range(90):
        label, who = ("PF"[k % 2], "QA1") if k % 3 == 0 else (r"\N", r"\N")
        lines.append(f"{88120000 + k}|c{k}|{'PF'[k * k % 7 % 2]}|{label}|{who}")
    (tmp_path / "export.csv").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ae.DataError, match="'QA_LABEL'") as caught:
        ae.read_results(tmp_path / "export.csv")
    assert caught.value.questions
    results = ae.read_results(tmp_path / "export.csv", human="QA_LABEL")
    assert results.n_labelled == 30
    assert results.roles["SRC_SK"] == "ignored"


def test_one_models_answers_to_a_task_are_counted_as_right_or_wrong(tmp_path):
    from algeval.cli.main import run

    rows = [
        {"doc_id": k, "doc": {"question": f"{k} + {k}?"}, "target": f"#### {2 * k}"}
        | {"arguments": {"gen_args_0": {"arg_0": "Q", "arg_1": {"until": ["Q:"]}}}}
        | {"filtered_resps": [str(2 * k + k % 3 // 2)], "filter": "strict", "metrics": ["exact_match"]}
        | {"doc_hash": f"h{k}", "exact_match": float(k % 3 < 2)}
        for k in range(60)
    ]  # fmt: skip
    path = tmp_path / "samples_sums_2026-07-11T21-40-08.1139.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    results = ae.read_results(path)
    assert list(results.judged) == ["exact_match"]
    assert int((results.votes.codes == results.votes.answers.index("1")).sum()) == 40
    assert run([str(path)]) == 0
    frame = pd.DataFrame([{**row, "filtered_resps": row["filtered_resps"][0]} for row in rows])
    assert list(ae.read_results(frame).judged) == ["exact_match"]


def test_answers_named_by_two_systems_in_several_words_are_battles():
    rng = np.random.default_rng(2)
    sides = ["mistral-ft", "base-7b", "tie"]
    rows = {
        "id": range(60),
        "prompt": [f"p{k // 4}" for k in range(60)],
        "category": [["writing", "factual", "code"][k % 3] for k in range(60)],
        "response_mistral_ft": [f"Sure! Here is number {k}." for k in range(60)],
        "response_base_7b": [f"As asked, here is number {k}." for k in range(60)],
        "judge_winner": rng.choice(sides, 60).tolist(),
        "my_vote": [sides[k % 3] if k % 4 == 0 else None for k in range(60)],
    }
    results = ae.read_results(rows)
    assert results.systems == ("mistral-ft", "base-7b")
    assert (results.layout, results.n_labelled) == ("pairwise", 15)
    assert set(ae.leaderboard(rows).systems) == {"mistral-ft", "base-7b"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Giudice LLM", ("plausibile", "non plausibile")),
        ("Juez automático", ("Correcta", "Incorrecta", "Parcial")),
        ("LLM judge", ("fits", "wobbly", "off")),
    ],
)
def test_a_judge_by_name_is_never_a_group(name, words):
    rng = np.random.default_rng(4)
    table = {"id": range(90), name: rng.choice(words, 90).tolist()}
    table["Nota Carmen"] = [int(rng.integers(0, 4)) if k % 3 == 0 else None for k in range(90)]
    assert not_silent(table, "Nota Carmen")
    table["Firma"] = [["Rossi", "Bianchi"][k % 2] if k % 3 == 0 else None for k in range(90)]
    assert ae.read_results(table, slice="Nota Carmen").roles[name] == "judge"


def test_what_judges_fail_at_is_still_a_group():
    kinds = ["gave up early", "looped", "wrong tool", "policy"]
    said = ["pass" if k % 3 else "fail" for k in range(80)]
    table = {"id": range(80), "judge_verdict": said, "human": [*said[1:], "pass"]}
    table["judge_failure_mode"] = [kinds[k % 4] if k % 3 == 0 else None for k in range(80)]
    assert ae.read_results(table).roles["judge_failure_mode"] == "slice"


def test_a_recruiters_words_are_asked_about_where_nobody_else_is_a_person():
    rng = np.random.default_rng(4)
    table = {"id": range(90), "KI-Note (1-10)": rng.integers(1, 11, 90).tolist()}
    table["Recruiter"] = [
        ["nimm ich", "so nicht"][k % 2] if k % 3 == 0 else None for k in range(90)
    ]
    with pytest.raises(DataError) as caught:
        ae.read_results(table)
    assert caught.value.questions[0].columns == ("Recruiter",)


def test_a_vote_on_a_part_of_a_machines_rows_is_asked_about():
    rng = np.random.default_rng(4)
    table = {
        "n°": range(1, 101),
        "réponse A": ["Oui, bien sûr."] * 100,
        "réponse B": ["Non."] * 100,
    }
    table["verdict LLM"] = rng.choice(["A", "B", "égalité"], 100).tolist()
    table["vote Chloé"] = ["AB"[k % 2] if k % 3 == 0 else None for k in range(100)]
    table["ordre présenté"] = [["A puis B", "B puis A"][k * k % 7 % 2] for k in range(100)]
    assert not_silent(table, "vote Chloé")
    assert ae.read_results(table, human="vote Chloé").roles["ordre présenté"] == "swap"


def test_grades_of_schools_and_words_that_are_good_come_first_in_a_question():
    rng = np.random.default_rng(4)
    ok = rng.random(90) < 0.6
    for words in (("A", "C", "F"), ("OK", "ok but dull", "wrong")):
        table = {"id": range(90), "gpt_verdict": np.where(ok, "pass", "fail").tolist()}
        table["human"] = rng.choice(words, 90).tolist()
        with pytest.raises(DataError) as caught:
            ae.read_results(table)
        assert caught.value.questions[0].answers[0].startswith(f"same={{'{words[0]}': 'pass'")


@pytest.mark.parametrize("orders", [1, 2])
def test_samples_of_a_prompt_are_pairs_of_their_own(orders):
    rng = np.random.default_rng(5)
    rows = [
        {"prompt_id": f"q{k:02}", "sample": s, "answer_old": f"No, {k} of {s}."}
        | {"answer_new": f"Yes, {k} of {s}.", "swapped": bool(turned)}
        | {"judge_winner": str(rng.choice(["old", "new"])), "human": "new" if k % 3 == 0 else None}
        for k in range(15)
        for s in range(3)
        for turned in range(orders)
    ]
    if orders == 1:
        for row in rows:
            del row["swapped"]
    results = ae.read_results(pd.DataFrame(rows))
    assert (results.n_items, results.layout) == (45, "pairwise")
    assert results.reading.item == ("prompt_id", "sample")
    assert results.roles["prompt_id"] == "prompt"
    assert results.n_labelled == 15


@pytest.mark.parametrize("name", ["question", "質問", "Frage", "prompt", "user_input"])
@pytest.mark.parametrize("trials", [1, 3])
def test_a_few_short_questions_are_prompts_that_systems_share(name, trials):
    asked = ["Reset my PIN", "Cancel order", "Where is my parcel", "Refund status", "Card blocked"]
    rng = np.random.default_rng(0)
    rows = [
        {name: question, "model": model, "answer": f"Sure, number {k} of {question}, says {model}."}
        | {"llm_judge": ["ok", "bad"][int(rng.random() < 0.3)]}
        for question in (*asked, "Fees abroad")
        for model in ("v1", "v2")
        for k in range(trials)
    ]
    results = ae.read_results([{"No": k + 1, **row} for k, row in enumerate(rows)])
    assert results.roles[name] == "prompt"
    assert results.systems == ("v1", "v2")
    assert [*results.judged] == ["llm_judge"]


def test_rows_of_the_same_output_are_asked_about_under_any_name_of_who_judged():
    who = ["gpt-4o (sędzia)", "p. Zosia", "Marek"]
    rows = [
        {
            "id_odpowiedzi": f"O{k}",
            "odpowiedź": f"To jest odpowiedź numer {k} na pytanie o bibliotekę.",
        }
        | {"model": ["Bielik", "PLLuM"][k % 2], "kto": name, "ocena": 1 + (k * k + j) % 5}
        for k in range(30)
        for j, name in enumerate(who)
    ]
    with pytest.raises(DataError, match="of the same output and differ in 'kto'") as caught:
        ae.read_results(rows)
    assert caught.value.questions[0].answers[0] == "judge='kto', answer='ocena'"
    results = ae.read_results(rows, judge="kto", answer="ocena", human=["p. Zosia", "Marek"])
    assert (results.n_items, list(results.said)) == (30, ["p. Zosia", "Marek"])


def test_grades_with_a_remark_are_no_reason_and_pairs_are_pairs_in_any_language():
    rng = np.random.default_rng(3)
    table = {"Nr": range(1, 61), "KI-Note": [str(x) for x in rng.integers(1, 7, 60)]}
    table["KI-Note"][5:7] = ["2-3", "k.A."]
    assert ae.read_results(table).roles["KI-Note"] in ("judge", "score")
    systems = np.array(["tutor-gpt", "plantilla", "tutor-llama"])
    first = rng.integers(0, 3, 64)
    pairs = {"id": range(64), "sistema_A": systems[first], "sistema_B": systems[(first + 1) % 3]}
    pairs |= {"preferencia_LLM": rng.choice(["A", "B", "empate"], 64)}
    assert set(ae.read_results(pd.DataFrame(pairs)).systems) == {*systems}


def test_lists_beside_labels_on_a_part_do_not_stop_the_reading():
    rows = [
        {"id": k, "logs": ["a", "b"], "gpt_verdict": "ok" if k % 3 else "bad"}
        | {"check_2": "ok" if k % 4 == 0 else "bad" if k % 4 == 1 else None}
        for k in range(60)
    ]
    frame = pd.DataFrame(rows)
    assert not_silent(frame, "check_2")


def test_counts_of_tokens_of_a_language_model_are_no_scores_of_a_judge():
    rng = np.random.default_rng(3)
    table = {"context.span_id": [f"s{k}" for k in range(60)]}
    table["attributes.llm.token_count.prompt"] = rng.integers(80, 900, 60).tolist()
    table["attributes.llm.token_count.completion"] = rng.integers(80, 900, 60).tolist()
    table["eval.Correctness.label"] = rng.choice(["correct", "incorrect"], 60).tolist()
    results = ae.read_results(table)
    assert [*results.judged] == ["eval.Correctness.label"]
    assert not results.scored


@pytest.mark.parametrize("id_", ["prompt_id", "id"])
@pytest.mark.parametrize("trial", ["epoch", "run"])
def test_the_same_output_judged_again_is_seen_by_its_text_for_each_system(id_, trial):
    rng = np.random.default_rng(4)
    rows = []
    for p in range(40):
        for system in ("A1", "B1"):
            good, labelled = rng.random() < 0.6, rng.random() < 0.4
            said = ("fail", "pass")[int(good)] if labelled else None
            rows += [
                {id_: f"q{p}", "system": system, "response": f"{system} on {p} says this", trial: k}
                | {"gpt_verdict": ("fail", "pass")[int(good ^ (rng.random() < 0.2))], "human": said}
                for k in range(3)
            ]
    frame = pd.DataFrame(rows)
    again = ae.read_results(frame)
    assert again.n_items == 80
    assert again.n_labelled == int(frame.human.notna().sum()) / 3
    people = frame.drop(columns="gpt_verdict")
    single = people[people[trial] == 0].drop(columns=trial)
    first, second = ae.versus(people), ae.versus(single)
    for name in ("n_gold", "n_own_gold", "difference", "low", "high", "verdict"):
        assert getattr(first, name) == getattr(second, name)
    rates = [
        {n: ae.rate(p) for n, p in ae.read_results(t).by_system.items()} for t in (people, single)
    ]
    for name, rate in rates[0].items():
        assert (rate.low, rate.high, rate.n_gold) == (
            rates[1][name].low,
            rates[1][name].high,
            rates[1][name].n_gold,
        )
    other = frame.assign(response=[f"{t} in {k}" for k, t in enumerate(frame.response)])
    assert ae.read_results(other).n_items == 240
    alone = frame.drop(columns="response")
    assert ae.read_results(alone).n_items == 240
    reference = alone.assign(response=[f"what is right of {p}" for p in alone[id_]])
    assert ae.read_results(reference).n_items == 240


def long_battles(name="winner", *, n=40, mixed=False):
    """A row for each judge and order: who is better by its place, the same answer in either order."""
    rng = np.random.default_rng(2)
    rows = []
    for k in range(n):
        won = rng.integers(2)
        for judge in ("gpt-4o", "claude-3", "human"):
            orders = [int(rng.integers(2))] if mixed else [0, 1]
            for order in orders:
                models = ("alpha-7b", "beta-7b")[:: 1 - 2 * order]
                rows.append(
                    {
                        "battle_id": f"b{k}",
                        "prompt": f"Explain topic {k} to a child",
                        "model_a": models[0],
                    }
                    | {
                        "model_b": models[1],
                        "judge": judge,
                        name: ("model_a", "model_b")[won ^ order],
                    }
                )
    return pd.DataFrame(rows)


@pytest.mark.parametrize("id_", ["battle_id", "question_id"])
@pytest.mark.parametrize("in_memory", [False, True])
def test_long_battles_in_both_orders_are_read_whatever_the_verdict_is_called(
    id_, in_memory, tmp_path
):
    read = {}
    for name in ("winner", "verdict"):
        frame = long_battles(name).rename(columns={"battle_id": id_})
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
        results = ae.read_results(frame if in_memory else tmp_path / f"{name}.csv")
        read[name] = list(results.roles.values()), results.votes.codes.tolist()
        assert (results.n_items, len(results.human)) == (80, 80)
        assert [*results.votes.judges] == ["gpt-4o", "claude-3"]
    assert read["winner"] == read["verdict"]


@pytest.mark.parametrize("name", ["winner", "verdict"])
def test_judges_who_saw_a_pair_in_different_orders_agree_on_no_place(name):
    frame = long_battles(name, mixed=True)
    results = ae.read_results(frame)
    codes = results.votes.codes  # all name the same answer, so the same place of the same order
    both = (codes >= 0).all(axis=1)
    assert 0 < both.sum() < 40
    assert (codes[both, 0] == codes[both, 1]).all()
    assert results.n_items == len(frame[["battle_id", "model_a"]].drop_duplicates())


def orders_side_by_side(ends, labels=("A", "B")):
    rng = np.random.default_rng(5)
    columns = {
        f"{judge}{end}": rng.choice(labels, 60) for judge in ("gpt-4o", "claude-3") for end in ends
    }
    said = {"human": [x if k < 20 else None for k, x in enumerate(rng.choice(labels, 60))]}
    return pd.DataFrame({"id": range(60), **columns, **said})


@pytest.mark.parametrize(
    "ends",
    [
        ("_ab", "_ba"),
        ("_order1", "_order2"),
        ("_order_1", "_order_2"),
        ("_first", "_second"),
        ("_v3_first", "_v4_first"),
    ],
)
def test_orders_side_by_side_of_several_judges_are_one_question(ends):
    frame = orders_side_by_side(ends, ("v3", "v4"))
    with pytest.raises(DataError, match="hold one judge's verdicts in both orders") as caught:
        ae.read_results(frame)
    (question,) = caught.value.questions
    first = [f"gpt-4o{ends[0]}", f"claude-3{ends[0]}"]
    every = [f"{judge}{end}" for judge in ("gpt-4o", "claude-3") for end in ends]
    assert question.answers == (f"judges={first}", f"judges={every}")
    results = ae.read_results(frame, judges=first)
    assert [*results.judged] == first
    assert {results.roles[name] for name in every} == {"judge", "ignored"}


@pytest.mark.parametrize("name", ["run_{}", "trial{}", "attempt_{}_correct", "Sample {}"])
@pytest.mark.parametrize("labels", [("0", "1"), ("fail", "pass")])
def test_numbered_runs_side_by_side_are_asked_about_and_are_no_trials(name, labels):
    rng = np.random.default_rng(6)
    names = [name.format(k) for k in range(1, 6)]
    frame = pd.DataFrame(
        {"prompt_id": np.repeat(range(30), 2), "model": ["gpt-4.1", "llama-4"] * 30}
    )
    frame = frame.assign(**{n: rng.choice(labels, 60) for n in names})
    with pytest.raises(DataError, match="judges of the same output") as caught:
        ae.read_results(frame)
    (question,) = caught.value.questions
    assert question.answers[0] == f"judges={names}"
    assert [*ae.read_results(frame, judges=names).judged] == names


def test_another_judge_stands_in_both_answers_on_orders():
    frame = orders_side_by_side(("_ab", "_ba"))
    frame["llama-3"] = frame["gpt-4o_ab"]
    with pytest.raises(DataError, match="both orders") as caught:
        ae.read_results(frame)
    assert all("llama-3" in answer for answer in caught.value.questions[0].answers)


def duels_of_left_and_right():
    """Rows of pairs shown left and right in both orders, judged by two models, a person on some."""
    rng = np.random.default_rng(5)
    rows = []
    for k in range(60):
        first, second = rng.choice(["base", "dpo1", "sft3"], 2, replace=False).tolist()
        for flipped in (0, 1):
            left, right = (second, first) if flipped else (first, second)
            for judge in ("jdg-70b", "jdg-mini"):
                pick = rng.choice(["L", "R", "tie"], p=[0.45, 0.45, 0.1])
                rows.append(
                    {
                        "art_id": f"a{k}",
                        "desk": ["politics", "sport"][k % 2],
                        "sys_l": left,
                        "sys_r": right,
                    }
                    | {"flipped": flipped, "judge_model": judge, "pick": str(pick)}
                )
    return rows


def test_pairs_shown_left_and_right_are_read():
    results = ae.read_results(duels_of_left_and_right())
    assert results.layout == "pairwise" or results.reading.pairs
    assert sorted(results.systems) == ["base", "dpo1", "sft3"]
    wanted = {"sys_l": "system", "sys_r": "system", "flipped": "swap", "judge_model": "rater"}
    assert {name: results.roles[name] for name in wanted} == wanted
    assert (results.roles["pick"], results.roles["desk"]) == ("answer", "slice")
    of_one = {"id": list(range(60)), "Modell": ["v1", "v2"] * 30, "gpt4": ["ok", "ko", "ok"] * 20}
    assert ae.read_results(of_one).roles["Modell"] == "system"


@pytest.mark.parametrize(
    "words", [("equiv", "not_equiv"), ("toxic", "non-toxic"), ("klar", "unklar")]
)
def test_a_word_and_its_no_under_a_judges_name_are_verdicts(words):
    _, _, said = drawn()
    rows = {"id": list(range(120)), "llm_equiv": said(*words, 0.6), "human": said("1", "0", 0.95)}
    assert not_silent({**rows, "gpt_exact": said("1", "0", 0.9)}, "llm_equiv")


def test_a_judge_of_another_question_is_left_out_where_the_others_say_the_same_words():
    rng, _, said = drawn()
    rows = {
        "ticket": [f"t{k}" for k in range(120)],
        "resolved_judge": said("Resolved", "Unresolved"),
    }
    rows["resolved_judge_mini"] = said("Resolved", "Unresolved", 0.8)
    rows["tone_judge"] = rng.choice(["warm", "curt", "cold"], 120).tolist()
    rows["qa_label"] = said("Resolved", "Unresolved", 0.95, part=0.3)
    results = ae.read_results(rows, human="qa_label")
    assert list(results.judged) == ["resolved_judge", "resolved_judge_mini"]
    assert any("'tone_judge' is left out: a judge of another question" in n for n in results.notes)
    with pytest.raises(
        DataError, match="which are the same"
    ):  # which of two is of another question is open
        ae.read_results(
            {n: c for n, c in rows.items() if n not in ("resolved_judge_mini", "qa_label")}
        )


def test_raters_by_number_and_final_grades_on_their_rows_are_asked_about():
    rng = np.random.default_rng(4)
    quality = rng.normal(3.5, 1, 150)
    part = rng.random(150) < 0.6

    def graded(noise):
        return np.clip(np.round(2 * (quality + rng.normal(0, noise, 150))) / 2, 1, 6)

    rows = {
        "essay_id": [f"e{k}" for k in range(150)],
        "gpt_score": graded(0.5),
        "claude_score": graded(0.5),
    }
    people = {
        name: np.where(part, graded(0.3), np.nan) for name in ("rater1", "rater2", "final_mark")
    }
    table = {n: c.tolist() if n != "essay_id" else c for n, c in (rows | people).items()}
    with pytest.raises(DataError, match="Who gave columns 'rater1', 'rater2', 'final_mark'"):
        ae.read_results(table)
    roles = ae.read_results(table, human=list(people)).roles
    assert [roles[name] for name in people] == ["human"] * 3
    assert not {roles["gpt_score"], roles["claude_score"]} - {"judge", "score"}


def test_what_readers_agreed_on_is_peoples():
    _, _, said = drawn()
    rows = {
        "case": list(range(120)),
        "judge_gpt5": said("error", "none"),
        "judge_claude": said("error", "none"),
    }
    assert (
        ae.read_results({**rows, "rad_consensus": said("error", "none", 0.95)}).roles[
            "rad_consensus"
        ]
        == "human"
    )
    assert not_silent({**rows, "consensus": said("error", "none", 0.95)}, "consensus")


def test_systems_called_a_b_and_c_are_no_judges():
    rng = np.random.default_rng(1)
    pairs = [rng.choice(["a", "b", "c"], 2, replace=False).tolist() for _ in range(60)]
    rows = {
        "battle": list(range(60)),
        "model_a": [a for a, _ in pairs],
        "model_b": [b for _, b in pairs],
    }
    rows["gpt4_winner"] = rng.choice(["model_a", "model_b"], 60).tolist()
    results = ae.read_results(rows)
    assert (results.layout, sorted(results.systems)) == ("pairwise", ["a", "b", "c"])
    judges = {
        "id": list(range(60)),
        "model_a": [a for a, _ in pairs],
        "model_b": [a for a, _ in pairs],
    }
    judges["model_b"] = judges["model_b"][:40] + rows["model_b"][40:]
    assert ae.read_results(judges).layout == "wide"
