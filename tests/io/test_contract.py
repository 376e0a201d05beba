"""The contract on all tables of the corpora: what is read as expected, what asks, nothing lost."""

import json
import random
import re
from contextlib import suppress
from pathlib import Path

import pytest

from algeval.data.contract import RULES, VOTES, Said, contract
from algeval.data.facts import facts_of
from algeval.errors import DataError
from algeval.io.answers import UNSTATED
from algeval.io.asking import proposal_of, said_by
from algeval.io.layout import ColumnRoles
from algeval.io.reading import open_source
from algeval.io.summaries import CountsError, read_summaries
from algeval.io.tables import MemoryTable

from .unseen import TABLES, written
from .unseen_exports import EXPORTS
from .unseen_names import NAMELESS

FOLDERS = [folder / "shared" for folder in Path(__file__).parents]
SHARED = next((folder for folder in FOLDERS if (folder / "results").is_dir()), FOLDERS[3])
ALIKE = (
    {"text", "prompt", "reason"},
    {"judge", "score"},
    {"item", "prompt"},
    {"covariate", "slice", "ignored"},
)
"""Roles between which no answer changes, or which the labels decide."""

USED = {*VOTES, "rater", "system", "trial", "swap"}

CASES = {
    "01-kappa-one-label/run.csv": {
        "ticket_id": "item",
        "gpt_verdict": "judge",
        "human_label": "human",
    },
    "02-fleiss-one-category/ratings.csv": {
        "subject": "item",
        "reader1": "judge",
        "reader7": "judge",
    },
    "05-unparsed-verdict/graded.csv": {
        "example": "item",
        "judge_verdict": "judge",
        "human_verdict": "human",
    },
    "07-swapped-pairs/games.csv": {"question_id": "item", "model_1": "system", "winner": "judge"},
    "11-no-discordant/ab.csv": {
        "case": "item",
        "version": "system",
        "judge": "judge",
        "human": "human",
    },
    "13-names/m0.csv": {"model_a": "system", "model_b": "system", "winner": "judge"},
    "13-names/m00.csv": {"model_a": "system", "model_b": "system", "winner": "judge"},
    "14-all-ties/battles.csv": {"model_a": "system", "model_b": "system", "winner": "judge"},
    "17-identical-opposite/votes.csv": {
        "id": "item",
        "wl1": "judge",
        "wl2": "judge",
        "wl3": "judge",
    },
    "19-empty-annotator/crowd.csv": {
        "example": "item",
        "ann_1": "judge",
        "ann_3": "judge",
        "ann_4": "ignored",
    },
    "21-two-files/evaluator.csv": {"session": "item", "evaluator_tag": "judge"},
    "21-two-files/q3.csv": {"session": "item", "human_label": "human", "note": "text"},
    "23-out-of-range/judge.csv": {"id": "item", "judge_score": "score", "human_score": "human"},
    "24-blank-cells/raters.csv": {"child": "item", "Rater 1": "judge", "Rater 2": "judge"},
    "26-resolved-leaderboard/resolved.csv": {
        "instance_id": "prompt",
        "model": "system",
        "resolved": "judge",
    },
    "29-kappa-paradox/mri.csv": {"scan_no": "item", "surgeon_1": "judge", "surgeon_2": "judge"},
    "29-kappa-paradox/r.csv": {"scan_no": "item", "Rater 1": "judge", "Rater 2": "judge"},
}
"""Readings of the cases, by the right answers that case.json says."""

FORMATS = {
    "huggingface/a-arena.jsonl": {
        "question_id": "item",
        "model_a": "system",
        "winner": "answer",
        "judge": "rater",
    },
    "huggingface/a-arena.parquet": {
        "question_id": "item",
        "model_a": "system",
        "winner": "answer",
        "judge": "rater",
    },
    "huggingface/a-classlabel.jsonl": {
        "id": "item",
        "text": "text",
        "gpt": "judge",
        "claude": "judge",
        "human": "human",
    },
    "huggingface/a-classlabel.parquet": {
        "id": "item",
        "text": "text",
        "gpt": "judge",
        "human": "human",
    },
    "langsmith/langsmith1.csv": {
        "example_id": "item",
        "feedback.gpt": "judge",
        "feedback.claude": "judge",
    },
    "platforms/langfuse-scores.jsonl": {
        "traceId": "item",
        "name": "rater",
        "stringValue": "answer",
    },
    "platforms/phoenix-annotations.csv": {
        "span_id": "item",
        "identifier": "rater",
        "label": "answer",
    },
    "tables/crowdkit.csv": {"task": "item", "worker": "rater", "label": "answer"},
    "tables/crowdkit-index.tsv": {
        "Unnamed: 0": "ignored",
        "task": "item",
        "worker": "rater",
        "label": "answer",
    },
}
"""Tables of tools, by their README; the other files are their readers'."""

SUMMARIES = {
    "x_votes_noid.csv": {"gpt4": "judge", "claude": "judge", "gemini": "judge"},
    "x_likert.csv": {"subject": "item", "r1": "judge", "r2": "judge", "r3": "judge"},
    "x_turns.csv": {"id": "item", "gpt4": "judge", "claude": "judge", "n": "covariate"},
    "x_long_int.csv": {"item": "item", "worker": "rater", "label": "answer"},
}
"""Tables of votes among those of counts, which the module of summaries reads."""


def _expected(folder):
    document = json.loads((SHARED / folder / "expected.json").read_text(encoding="utf-8"))
    files = document.get("files", document)
    return {
        f"{folder}/{name}": {
            "roles": {
                c.strip(): [r] if isinstance(r, str) else r for c, r in file["roles"].items()
            },
            "after": [a.get("roles", {}) for a in file.get("after") or ()],
        }
        for name, file in files.items()
    }


def _by_hand(folder, files):
    return {
        f"{folder}/{name}": {"roles": {c: [r] for c, r in roles.items()}, "after": []}
        for name, roles in files.items()
    }


def _sets():
    return {
        "results": _expected("results"),
        "independent": _expected("results/independent"),
        "headers": _expected("headers"),
        "cases": _by_hand("cases", CASES),
        "formats": _by_hand("formats", FORMATS),
        "summaries": _by_hand("summaries", SUMMARIES),
    }


def _table(path):
    table, roles = open_source(str(path), ColumnRoles(), UNSTATED)
    return None if roles.from_reader else table


def _read(table, said=None):
    return contract(facts_of(table), said or Said(), votes_only=True, index=table.index.columns)


def _fits(role, wanted):
    return role in wanted or any(role in alike and alike & {*wanted} for alike in ALIKE)


def _look(path, expected):
    """What is made of a table: columns, as expected, asks, used otherwise, unsaid, proposal right."""
    reading = _read(_table(path))
    wanted = expected["roles"]
    roles = {c: reading.roles[c] for c in wanted}
    ask = [c for c, w in wanted.items() if "ask" in w]
    fine = [c for c, w in wanted.items() if _fits(roles[c], w)]
    other = [c for c, r in roles.items() if r in USED and c not in fine and c not in ask]
    votes = [c for c, w in wanted.items() if {*w} <= {*VOTES, "rater"}]
    said = {*reading.unused, *reading.named(*USED), *reading.open}
    unsaid = [c for c in votes if c not in said and reading.facts[c].kind != "empty"]
    proposal = proposal_of(reading)
    right = None
    if proposal is not None:
        after = _read(_table(path), said_by(proposal.answers[0]))
        right = not after.open and all(
            _fits(after.roles[c], w)
            or any(_fits(after.roles[c], [a.get(c)]) for a in expected["after"])
            for c, w in wanted.items()
            if not (c in ask and not any(c in a for a in expected["after"]))
        )
    return len(wanted), len(fine), proposal is not None, other, unsaid, right


needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the tables of ../shared are not here"
)


@needs_shared
def test_every_table_is_read_as_expected_or_asks(capsys):
    lines, asks, rights = [], 0, 0
    for name, files in _sets().items():
        looks = {path: _look(SHARED / path, expected) for path, expected in files.items()}
        columns, fine = (sum(look[k] for look in looks.values()) for k in (0, 1))
        asking = [path for path, look in looks.items() if look[2]]
        right = [path for path in asking if looks[path][5]]
        other = {path: look[3] for path, look in looks.items() if look[3]}
        unsaid = {path: look[4] for path, look in looks.items() if look[4]}
        asks, rights = asks + len(asking), rights + len(right)
        lines.append(
            f"{name:12} {len(files):3} tables {fine:3} of {columns:3} columns as expected, "
            f"{len(asking):2} ask, "
            f"{len(right):2} of them right if accepted, {len(other)} used otherwise, {len(unsaid)} unsaid"
        )
        assert not other, (name, other)
        assert not unsaid, (name, unsaid)
        assert fine >= 0.9 * columns, name
    print("\n".join(lines))
    assert rights >= 0.7 * asks, (rights, asks)


@needs_shared
def test_tables_of_counts_and_files_of_tools_do_not_reach_the_contract():
    counts = json.loads((SHARED / "summaries" / "expected.json").read_text(encoding="utf-8"))
    for name, file in counts.items():
        if file["kind"] in ("summary", "sketch", "keyed"):
            with suppress(CountsError):
                assert read_summaries(str(SHARED / "summaries" / name), UNSTATED) is not None, name
    for name in ("promptfoo/p1.json", "inspect/epochs.json", "deepeval/test_run_names.json"):
        assert _table(SHARED / "formats" / name) is None


def _changed(table, rng, change):
    """The same table otherwise: shuffled, half, or with a column more."""
    columns = {n: table.column(n).texts() for n in table.names}
    rows = list(range(table.n_rows))
    if change == "shuffled":
        rng.shuffle(rows)
    if change == "halved":
        rows = sorted(rng.sample(rows, len(rows) // 2))
    made = {n: [cells[k] for k in rows] for n, cells in columns.items()}
    if change == "reversed":
        made = dict(reversed(made.items()))
    if change == "wider":
        made["zz pressure"] = [f"{rng.random() * 100 + k:.4f}" for k in rows]
    return MemoryTable(made)


def _plain_tables():
    for files in _sets().values():
        for path in files:
            table = _table(SHARED / path)
            if table is not None and not any(
                map(_is_nested, table.names, [table] * len(table.names))
            ):
                yield path, table


def _is_nested(name, table):
    try:
        table.column(name)
    except DataError:
        return True
    return False


@needs_shared
@pytest.mark.parametrize("change", ["same", "shuffled", "halved", "reversed", "wider"])
def test_the_same_rows_otherwise_have_the_same_roles(change):
    rng, moved = random.Random(7), {}
    for path, table in _plain_tables():
        first = _read(_changed(table, rng, "same"))
        second = _read(_changed(table, rng, change))
        for column, role in first.roles.items():
            other = second.roles[column]
            if other != role and other in USED and role in USED | {"ask"}:
                moved[path] = (column, role, other)
            if other != role and role in VOTES and column not in {*second.unused, *second.open}:
                moved[path] = (column, role, other)
    assert not moved


@needs_shared
@pytest.mark.parametrize("container", ["columns", "pandas", "polars", "csv"])
def test_the_same_rows_in_another_container_have_the_same_roles(container, tmp_path):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    unlike = {}
    for path, table in _plain_tables():
        columns = {n: table.column(n).texts() for n in table.names}
        if container == "csv":
            source = tmp_path / "t.csv"
            pandas.DataFrame(columns).to_csv(source, index=False)
        else:
            make = {"columns": dict, "pandas": pandas.DataFrame, "polars": polars.DataFrame}
            source = make[container](columns)
        other, roles = open_source(source, ColumnRoles(), UNSTATED)
        if roles.from_reader:
            continue
        first, second = _read(MemoryTable(columns)), _read(other)
        if dict(second.roles) != dict(first.roles):
            unlike[path] = {
                n: (r, second.roles.get(n))
                for n, r in first.roles.items()
                if second.roles.get(n) != r
            }
    assert not unlike


@needs_shared
def test_what_was_kept_is_read_alike_and_asks_nothing():
    unlike = {}
    for path, table in _plain_tables():
        first = _read(table)
        proposal = proposal_of(first)
        first = first if proposal is None else _read(table, said_by(proposal.answers[0]))
        systems = tuple(dict.fromkeys(system for system, _ in first.grid.values()))
        again = first.repeats and not first.named("trial", "swap")
        kept = Said(dict(first.roles), systems, again, "columns.toml", whole=True)
        second = _read(table, kept)
        for name in (
            "roles",
            "layout",
            "item",
            "pairs",
            "repeats",
            "runs",
            "grid",
            "people_named",
            "open",
        ):
            if getattr(second, name) != getattr(first, name):
                unlike[path] = (name, getattr(first, name), getattr(second, name))
    assert not unlike


@pytest.mark.parametrize("table", [*TABLES, *EXPORTS, *NAMELESS], ids=lambda table: table.__name__)
def test_no_vote_of_a_strangers_table_is_used_otherwise_or_lost(table, tmp_path):
    path, roles, _ = written(table, tmp_path)
    made = _table(path)
    if made is None:
        return  # a tool's file, which its reader takes
    wanted = {
        c: [r] if isinstance(r, str) else list(r) for c, r in roles.items() if c in made.names
    }
    _, _, _, other, unsaid, _ = _look(path, {"roles": wanted, "after": []})
    assert (other, unsaid) == ([], [])


def test_every_rule_is_printed_and_there_are_at_most_25():
    assert len(RULES) <= 25
    assert len({*RULES.values()}) == len(RULES)
    assert not any(re.search(r"agree|filled on", why) for why in RULES.values())


def _said(n, right, rng):
    return ["pass" if rng.random() < right else "fail" for _ in range(n)]


@pytest.mark.parametrize("filled", [10, 70, 120, 150, 160, 200])
def test_how_full_a_column_is_never_says_whose_it_is(filled):
    rng = random.Random(3)
    verdict = [v if k < filled else None for k, v in enumerate(_said(200, 0.7, rng))]
    judges = {name: _said(200, 0.7, rng) for name in ("gpt4o", "claude")}
    reading = _read(
        MemoryTable({"id": [f"s{k}" for k in range(200)], **judges, "verdict": verdict})
    )
    assert (reading.roles["verdict"], reading.roles["gpt4o"]) == ("ask", "judge")
    evidence = proposal_of(reading).evidence["verdict"]
    assert f"filled on {filled} of 200" in evidence


@pytest.mark.parametrize("passes", [100, 120, 140, 160])
def test_how_often_a_column_says_yes_never_says_what_it_is(passes):
    rng = random.Random(4)
    votes = {name: _said(200, 0.7, rng) for name in ("gpt4o", "claude", "human")}
    ok = ["pass" if k < passes else "fail" for k in range(200)]
    reading = _read(MemoryTable({"id": range(200), **votes, "ok": ok}))
    assert not reading.open
    assert (reading.roles["ok"], reading.unused) == ("slice", ["ok"])


@pytest.mark.parametrize("beside", ["condition", "arm", "tier"])
def test_a_group_beside_a_persons_label_takes_nothing_from_it(beside):
    table = {
        "sample_id": range(40),
        "human_label": ["yes", "no"] * 20,
        beside: ["base", "cue"] * 20,
    }
    reading = _read(MemoryTable(table))
    assert (reading.roles["human_label"], reading.open) == ("human", {})
    assert reading.roles[beside] in ("slice", "system")


def test_targets_of_inspect_are_no_answers_of_people():
    table = {"sample_id": range(40), "target": ["A", "B", "C", "D"] * 10}
    table |= {"score_match": ["C", "I"] * 20, "score_model_graded_qa": ["C", "C", "I", "I"] * 10}
    roles = _read(MemoryTable(table)).roles
    assert roles == {
        "sample_id": "item",
        "target": "text",
        "score_match": "judge",
        "score_model_graded_qa": "judge",
    }


def test_ordinary_names_ask_nothing_and_a_models_correct_asks():
    labels = ["pass", "fail"] * 20
    table = {"item_id": range(40), "gpt4o_verdict": labels, "human_label": labels}
    assert proposal_of(_read(MemoryTable(table))) is None
    table = {"item_id": range(40), "gpt4_correct": labels, "human_label": labels}
    assert _read(MemoryTable(table)).open == {"gpt4_correct": "judge"}
