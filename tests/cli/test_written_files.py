"""No command replaces a file of which anybody would lose anything, whatever it is named for."""

import csv
import json
import os

import click
import pytest

from algeval.cli.main import cli, run
from algeval.cli.options import WRITTEN

CONTEXT = click.Context(cli, info_name="algeval")
COMMANDS = {name: cli.get_command(CONTEXT, name) for name in cli.list_commands(CONTEXT)}
WRITING = {
    name: [p for p in command.params if p.name in WRITTEN] for name, command in COMMANDS.items()
}
ROWS = [
    (f"q{k}", "ab"[k % 2], "ab"[k // 2 % 2], "ab"[k // 3 % 2], "ab"[k % 2] * (k < 9), f"v{k % 2}")
    for k in range(24)
]
TABLE = "id,judge_x,judge_y,judge_z,human,system\n" + "".join(",".join(r) + "\n" for r in ROWS)
TWO = "id,annotator,label,comment\n" + "".join(
    f"q{k},{who},{'ab'[(k + j) % 3 > 0]},c\n" for k in range(20) for j, who in enumerate("uv")
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "votes.csv").write_text(
        "\n".join(",".join(r[:4]) for r in [("item", *"xyz"), *ROWS])
    )
    (tmp_path / "table.csv").write_text(TABLE)
    (tmp_path / "two.csv").write_text(TWO)
    return tmp_path


def named(option, value):
    """Words of a command line that give a parameter this value."""
    return [value] if isinstance(option, click.Argument) else [max(option.opts, key=len), value]


def takes_text(option):
    kind = getattr(option, "type", None)
    flag = getattr(option, "is_flag", False) or getattr(option, "count", False)
    return not flag and isinstance(kind, click.Path | click.types.StringParamType)


def test_every_parameter_that_names_what_is_written_is_among_those_that_are_looked_at():
    writes = {"Write", "write", "Draw the result", "Where to write"}
    for name, command in COMMANDS.items():
        for option in command.params:
            words = getattr(option, "help", None) or ""
            if takes_text(option) and any(words.startswith(start) for start in writes):
                assert option.name in WRITTEN, (name, option.name)
    assert sum(map(bool, WRITING.values())) > 25


FILES = {
    "people.csv": TWO,
    "people.json": json.dumps([{"item": "q0", "x": "a", "y": "b"}]),
    "people.html": "<p>notes</p>\n",
    "people.svg": "<svg/>\n",
    "people.toml": '[columns]\nx = "judge"  # mine\n',
    "people.lp": "\\ my program\n",
}


@pytest.mark.parametrize("name", sorted(n for n, options in WRITING.items() if options))
def test_no_input_of_a_command_is_written_over(name, folder, capsys):
    """Each parameter that takes a text, and each that names what is written, naming one file."""
    for file, text in FILES.items():
        (folder / file).write_text(text)
    assert run(["sketch", "votes.csv", "-o", "sketch.json"]) == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    capsys.readouterr()
    tried, refused = 0, 0
    for written in WRITING[name]:
        for option in COMMANDS[name].params:
            if option.name == written.name or not takes_text(option):
                continue
            for file in (*FILES, "sketch.json", "votes.csv", "two.csv"):
                needed = [
                    (param.type.choices[0] if isinstance(param.type, click.Choice) else "votes.csv")
                    for param in COMMANDS[name].params
                    if isinstance(param, click.Argument) and param is not option
                ]
                words = [*needed, *named(option, file), *named(written, f"./{file}")]
                code = run([name, *words])
                tried += 1
                assert code == 2, words
                error = capsys.readouterr().err
                assert error.startswith("algeval: "), words
                assert error.count("\n") == 1, words
                refused += "must be another file than those that are read" in error
                after = {path.name: path.read_bytes() for path in folder.iterdir()}
                assert after == before, words
    assert tried >= 9 or name == "skill"
    # -o of figures takes none of these endings, and the others read nothing
    assert refused or name in ("figure", "examples", "replicate", "skill")


@pytest.mark.parametrize("other", ["soft.csv", "hard.csv", "inner/../two.csv", "inner/soft.csv"])
@pytest.mark.parametrize("reads", ["--human", "--inclusion", "--cluster", "--columns"])
def test_another_name_of_an_input_is_the_input(reads, other, folder, capsys):
    (folder / "inner").mkdir()
    (folder / "soft.csv").symlink_to("two.csv")
    (folder / "inner" / "soft.csv").symlink_to("../two.csv")
    os.link(folder / "two.csv", folder / "hard.csv")
    assert run(["judges", "votes.csv", reads, "two.csv", "-o", other]) == 2
    assert "must be another file than those that are read" in capsys.readouterr().err
    assert (folder / "two.csv").read_text() == TWO
    assert run(["next", "votes.csv", "--n", "3", "-o", other]) == 2  # nor where it is not named
    assert "output must be a new file, or one that algeval wrote" in capsys.readouterr().err
    assert (folder / "two.csv").read_text() == TWO


OUTPUTS = [
    "next votes.csv --n 3 -o {}.csv",
    "next table.csv --n 4 -o {}.tsv",
    "next votes.csv --n 3 -o {}.parquet",
    "sketch votes.csv -o {}.csv",
    "sketch votes.csv -o {}.json",
    "aggregate votes.csv --method majority --no-intervals -o {}.csv",
    "aggregate votes.csv --method majority --no-intervals -o {}.md",
    "bounds votes.csv --order 1 -o {}.csv",
    "bounds votes.csv --order 1 -o {}.json",
    "alarm votes.csv -o {}.json",
    "program votes.csv --at-least 0.5 -o {}.lp",
    "simulate --items 9 -o {}.csv",
    "simulate --items 9 -o {}.json",
    "examples support-bot -o {}.csv",
    "skill -o {}.md",
    "columns table.csv --save {}.toml",
    "figure agreement votes.csv -o {}.svg",
    "figure agreement votes.csv -o {}.pdf",
    "figure agreement votes.csv -o {}.png",
    "report votes.csv --no-intervals -o {}.html",
    "report votes.csv --no-intervals -o {}.txt",
    "report votes.csv --no-intervals -o {}.md",
    "report votes.csv --no-intervals -o {}.json",
]


def by_people(path):
    """What people may make of a file: whole texts, each of which is lost if the file is replaced."""
    data, ending = path.read_bytes(), path.suffix
    yield b"my own notes\n"
    if ending in (".csv", ".tsv"):
        mark = "," if ending == ".csv" else "\t"
        names, *rows = csv.reader(data.decode().splitlines(), delimiter=mark)
        for made in (
            [[*names, "comment"], *([*row, "mine"] for row in rows)],
            [names, *rows, ["mine"] * len(names)],
            [names, ["mine", *rows[0][1:]], *rows[1:]],
            [names, *rows[:-1], [*rows[-1][:-1], "mine"]],
            [names, [*rows[0], "mine"], *rows[1:]],
        ):
            yield "".join(mark.join(row) + "\n" for row in made).encode()
    elif ending == ".json":
        yield json.dumps({**json.loads(data), "comment": "mine"}, indent=2).encode()
        yield json.dumps(json.loads(data)).encode()
    elif ending != ".png" and ending != ".parquet":
        yield data + b"mine\n"
        yield b"mine\n" + data
        yield data.replace(b"a", b"e", 1)


@pytest.mark.parametrize("line", OUTPUTS)
def test_what_algeval_wrote_is_written_again_until_people_wrote_in_it(line, folder, capsys):
    words = line.format("out").split()
    path = folder / words[-1]
    first = run(words)
    assert first in (0, 1)
    written = path.read_bytes()
    assert run(words) == first
    assert path.read_bytes() == written or path.suffix == ".html"  # says when it was made
    for text in by_people(path):
        path.write_bytes(text)
        assert run(words) == 2, text[:200]
        error = capsys.readouterr().err.splitlines()[-1]
        assert (
            "output must be a new file, or one that algeval wrote and that loses nothing" in error
        )
        assert path.read_bytes() == text
        assert not [p for p in folder.iterdir() if p.name.startswith(".algeval-")]
    path.unlink()
    assert run(words) == first


@pytest.mark.parametrize("ending", ["json", "md", "html", "txt"])
def test_a_page_is_renewed_as_the_votes_grow(ending, folder):
    words = ["report", "votes.csv", "--no-intervals", "-o", f"page.{ending}"]
    assert run(words) in (0, 1)
    before = (folder / f"page.{ending}").read_bytes()
    with (folder / "votes.csv").open("a") as stream:
        stream.write("\nmore,a,a,b\nagain,b,b,b")
    assert run(words) in (0, 1)
    assert (folder / f"page.{ending}").read_bytes() != before


def test_a_document_is_not_replaced_by_one_of_another_kind(folder, capsys):
    assert run(["sketch", "votes.csv", "-o", "x.json"]) == 0
    before = (folder / "x.json").read_bytes()
    assert run(["bounds", "votes.csv", "--order", "1", "-o", "x.json"]) == 2
    assert (folder / "x.json").read_bytes() == before


def test_a_table_that_only_filled_empty_cells_or_grew_is_replaced(folder):
    (folder / "joined.csv").write_text("item,x,human\nq0,a,\nq1,b,a\n")
    from algeval.result.files import write_table

    columns = {
        "item": ["q0", "q9", "q1"],
        "x": ["a", "a", "b"],
        "human": ["b", "b", "a"],
        "new": ["1"] * 3,
    }
    write_table(folder / "joined.csv", columns)
    assert (folder / "joined.csv").read_text() == "item,x,human,new\nq0,a,b,1\nq9,a,b,1\nq1,b,a,1\n"


def test_a_folder_of_proofs_spares_what_people_wrote_there(folder, capsys):
    words = ["alarm", "votes.csv", "--at-least", "0.9", "--save", "proof"]
    first = run(words)
    assert first in (0, 1)
    assert run(words) == first
    names = sorted(path.name for path in (folder / "proof").iterdir())
    assert "verify.py" in names
    for name in names:
        (folder / "proof" / name).rename(folder / "aside")
        (folder / "proof" / name).write_text("mine\n")
        assert run(words) == 2
        assert f"{name}'; write to another file" in capsys.readouterr().err
        assert (folder / "proof" / name).read_text() == "mine\n"
        (folder / "aside").replace(folder / "proof" / name)
    assert run(["alarm", "proof/sketch.json", "--save", "proof"]) == 2
    assert "--save must be another file than those that are read" in capsys.readouterr().err
