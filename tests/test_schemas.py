"""The published schemas: what the classes say, closed, explained, and true of what every command prints."""

import importlib
import json
import sys
from pathlib import Path

import click
import pytest
from jsonschema import Draft202012Validator

import algeval as ae
from algeval.cli.main import cli, run
from algeval.errors import DataError
from algeval.result import schema_names

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = Path(ae.__file__).parent / "schemas"
VOTES = "item,x,y,z,gold\n" + "".join(
    f"{n},{row}\n" for n, row in enumerate(["a,a,b,a", "b,b,b,b", "a,b,a,a", "b,b,a,b"] * 6)
)
SCORES = "item,x,y,z\n" + "".join(f"{n},{n % 5}.5,{n % 4}.25,{n % 7}.75\n" for n in range(40))
PAIRS = "item,model_a,model_b,winner\n" + "".join(
    f"{n},{a},{b},{w}\n" for n, (a, b, w) in enumerate(["pqp", "qrq", "rpr", "pqq"])
)


@pytest.fixture(scope="module")
def writer():
    sys.path.insert(0, str(DOCS))
    try:
        yield importlib.import_module("schema_files")
    finally:
        sys.path.remove(str(DOCS))


def test_the_files_are_what_the_classes_say(writer):
    made = {f"{name}.json": writer.text_of(one) for name, one in writer.schemas().items()}
    there = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert there == made, "run python docs/schema_files.py"
    assert writer.page() == (DOCS / "reference" / "schemas.md").read_text(encoding="utf-8")


def objects(schema):
    """Yield every object with named fields in a schema."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and "type" in schema:
            yield schema
        for part in schema.values():
            yield from objects(part)
    if isinstance(schema, list):
        for part in schema:
            yield from objects(part)


@pytest.mark.parametrize("name", schema_names())
def test_a_schema_is_one_and_is_closed_and_explained(name):
    found = ae.schema(name)
    Draft202012Validator.check_schema(found)
    assert found["$id"].startswith(f"urn:algeval:{name}:")
    assert found["description"].endswith(".")
    for one in [found, *found.get("$defs", {}).values()]:
        for field, told in one.get("properties", {}).items():
            assert len(told["description"].split()) > 1, (one["title"], field)
    for one in objects(found):
        free = one["properties"].keys() <= {"kind"}  # evidence, which the verifier checks
        assert free or one["additionalProperties"] is False
        assert set(one["required"]) <= set(one["properties"])


def test_a_schema_that_is_not_there_is_refused():
    with pytest.raises(
        DataError, match=r"name must be that of a schema; got 'alram'; did you mean 'alarm'"
    ):
        ae.schema("alram")
    with pytest.raises(DataError, match=r"name must be 'algeval\.alarm/1', the version of"):
        ae.schema("algeval.alarm/2")
    assert ae.schema("algeval.alarm/1") == ae.schema("alarm")


COMMANDS = {
    "report": ["votes.csv", "--no-intervals"],
    "alarm": ["votes.csv", "--at-least", "0.9"],
    "threshold": ["votes.csv"],
    "panel": ["votes.csv", "--at-least", "0.9"],
    "bounds": ["votes.csv", "--order", "1"],
    "evaluations": ["votes.csv", "--q", "12,12", "--most", "2"],
    "program": ["votes.csv", "--at-least", "0.5", "--solve"],
    "decode": ["votes.csv", "--show-algebra"],
    "diagnose": ["votes.csv", "--folds", "2", "--starts", "1"],
    "prove": ["Delta_ij = P_A*P_B*d_i*d_j"],
    "replicate": ["001", "--only", "001-n4"],
    "aggregate": ["votes.csv", "--key", "gold", "--intervals", "5"],
    "compare": ["votes.csv", "--methods", "majority", "--no-intervals"],
    "confounders": ["scores.csv"],
    "rate": ["votes.csv", "--good", "a", "--key", "gold"],
    "versus": ["votes.csv", "votes.csv", "--good", "a", "--key", "gold"],
    "judges": ["votes.csv", "--human", "gold"],
    "drift": ["votes.csv", "votes.csv", "--good", "a", "--key", "gold"],
    "slices": ["--example", "support-bot"],
    "leaderboard": ["pairs.csv"],
    "next": ["votes.csv", "--n", "3", "--ignore", "gold"],
    "plan": ["--half-width", "0.05"],
    "sketch": ["votes.csv"],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("votes", VOTES), ("scores", SCORES), ("pairs", PAIRS)):
        (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "verdicts.txt").write_text("a\nb\n" * 10)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_prints_and_writes_is_of_its_schema(command, folder, capsys):
    words = [command, *COMMANDS[command], "--json", "-o", "x.json"]
    if command in ("sketch",):
        words.remove("--json")
    if COMMANDS[command][0].startswith("votes") and "--key" not in words:
        words += ["--judges", "x,y,z"]
    code = run(words)
    out, err = capsys.readouterr()
    assert code in (0, 1), err
    document = json.loads(
        (folder / "x.json").read_text(encoding="utf-8"), parse_constant=pytest.fail
    )
    schema = ae.schema(document["schema"])
    valid = Draft202012Validator(schema)
    assert [error.message for error in valid.iter_errors(document)] == []
    for name in document.keys() - set(schema["required"]) | {
        "never"
    }:  # what commands add, and nothing
        assert not valid.is_valid(document | {name: 0})
    if "--json" in words:
        assert json.loads(out) == document


@pytest.fixture
def proof(folder, capsys):
    run(["alarm", "votes.csv", "--judges", "x,y,z", "--at-least", "0.9", "--save", "proof"])
    capsys.readouterr()
    return ["proof/certificate.json", "proof/sketch.json"]


PRINTED = {
    "verify": [],  # and the paths of a proof
    "examples": [],
    "prove": ["--only", "S22"],
    "columns": ["votes.csv"],
    "watch": ["--file", "verdicts.txt", "--baseline", "18/20", "--good", "a"],
    "label": ["--example", "support-bot", "--status"],
}
"""Commands that print JSON, and write none or a table, by what is typed."""


def test_every_command_with_json_is_here():
    """Whoever adds `--json` to a command names its schema, and asks here whether it is of it."""
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    printing = {
        name
        for name, command in commands.items()
        if any("--json" in getattr(one, "opts", ()) for one in command.get_params(context))
    }
    assert set(COMMANDS) | set(PRINTED) == printing


@pytest.mark.parametrize("command", PRINTED)
def test_what_is_only_printed_is_of_the_schema_it_names(command, folder, capsys, proof):
    words = [command, *(proof if command == "verify" else PRINTED[command]), "--json"]
    assert run(words) in (0, 1)
    document = json.loads(capsys.readouterr().out)
    schema = ae.schema(document["schema"])
    valid = Draft202012Validator(schema)
    assert [error.message for error in valid.iter_errors(document)] == []
    for name in schema["required"]:
        assert not valid.is_valid({k: v for k, v in document.items() if k != name})


def test_a_question_of_a_table_is_of_the_schema_of_columns(folder, capsys):
    (folder / "open.csv").write_text("id,alpha,beta\n1,yes,no\n2,no,no\n3,yes,yes\n")
    run(["columns", "open.csv", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["questions"]
    Draft202012Validator(ae.schema("columns")).validate(document)


def test_documents_of_earlier_versions_are_of_the_schema_of_their_tag():
    seen = 0
    for path in (Path(__file__).parent / "fixtures").rglob("*.json"):
        document = json.loads(path.read_text(encoding="utf-8"))
        tag = document.get("schema") if isinstance(document, dict) else None
        if tag not in (None, "algeval.result/1"):  # the base of results, of which none is
            seen += 1
            errors = Draft202012Validator(ae.schema(tag)).iter_errors(document)
            assert [error.message for error in errors] == [], path.name
    assert seen > 40


def test_a_saved_stream_is_of_its_schema():
    stream = ae.LabelStream(fbar=1 / 3)
    stream.add(True, 0.5)
    valid = Draft202012Validator(ae.schema("label-stream")).is_valid
    assert valid(stream.to_dict())
    assert not valid(stream.to_dict() | {"torn": "no"})


def described(part):
    """Yield every description in a schema."""
    if isinstance(part, dict):
        if isinstance(part.get("description"), str):  # or else it is a field of that name
            yield part["description"]
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from described(inner)


def test_no_field_is_described_by_nothing():
    """A field's description is a docstring's: it went when the docstring of an inner class was cut."""
    texts = [
        text
        for path in FOLDER.iterdir()
        for text in described(json.loads(path.read_text(encoding="utf-8")))
    ]
    assert len(texts) > 500
    assert all(text.strip() for text in texts)
