"""Alarms as theorems of Coq: what is exported says what algeval says, compiles, and cannot be forged."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations_with_replacement, islice, product
from pathlib import Path
from typing import Any

import pytest

from algeval import alarm, bounds, panel, threshold
from algeval.data import Sketch, Specification, Summary
from algeval.errors import DataError
from algeval.export import NotExported, coq_library, export
from algeval.export.alarms import HEADER, coq, safe

_spec = spec_from_file_location("random_alarms", Path(__file__).with_name("random_alarms.py"))
assert _spec is not None
assert _spec.loader is not None
tool = module_from_spec(_spec)
_spec.loader.exec_module(tool)

needs_coqc = pytest.mark.skipif(tool.COQC is None, reason="coqc is not installed")


@pytest.fixture(scope="session")
def library() -> Path:
    """The compiled library."""
    return coq_library()


def compiles(text: str, library: Path, folder: Path) -> Any:
    """What coqc says."""
    file = folder / "export.v"
    file.write_text(text, encoding="utf-8")
    return tool.run_coqc(file, library)


def exported(seed: int, count: int, **options: Any) -> list[str]:
    """Some random exports."""
    texts = []
    for result, data in tool.random_alarms(seed, **options):
        try:
            texts.append(coq(result.certificate.to_dict(), data))
        except NotExported:
            continue
        if len(texts) == count:
            break
    return texts


# What a file says, read back by a reader that shares nothing with the exporter ----------------------


def parts_of(text: str) -> tuple[int, bool, list[tuple[list[int], Counter[Any]]], list[Any]]:
    """Labels, whether silence is wrong, tables (judges, their answers with counts), conditions."""
    head = re.search(r"Exam (\d+) (true|false) (\d+) \[", text)
    assert head is not None
    digits = int(head[3]) // 4
    body = text[head.end() : text.index("Definition alarm_standard")]
    tables = []
    for judges, rows in re.findall(r"\(\[([\d; ]+)\]%nat,\s*\[(.*?)\]%N\)", body, re.DOTALL):
        named = [int(i) for i in judges.split(";")]
        counts: Counter[Any] = Counter()
        for code, count in re.findall(r"\(0x([0-9a-f]+), (\d+)\)", rows):
            assert len(code) == digits * len(named)
            cells = [int(code[k : k + digits], 16) for k in range(0, len(code), digits)]
            counts[tuple(a - 1 if a else None for a in cells)] += int(count)
        tables.append((named, counts))
    conditions = re.findall(
        r"Condition \((Accuracy|Grade|Prevalence) ([\d ]+)\) (At_least|Above|At_most|Of_some) (\d+) (\d+)",
        text,
    )
    read = [
        (q, [int(i) for i in at.split()], how, Fraction(int(n), int(d)))
        for q, at, how, n, d in conditions
    ]
    return int(head[1]), head[2] == "true", tables, read


def meets(items: list[Any], wrong: bool, condition: Any) -> bool:
    """Whether items (answers by judge, label) meet a condition, counted item by item."""
    quantity, at, how, level = condition
    if quantity == "Prevalence":
        all_, good = len(items), sum(t == at[0] for _, t in items)
    else:
        own = [(u[at[0]], t) for u, t in items if quantity == "Grade" or t == at[1]]
        own = [(a, t) for a, t in own if wrong or a is not None]
        all_, good = len(own), sum(a == t for a, t in own)
    if how == "Of_some":
        return all_ > 0
    if not all_:
        return True
    share = Fraction(good, all_)
    return {"At_least": share >= level, "Above": share > level, "At_most": share <= level}[how]


def keys_of(labels: int, tables: Any) -> Iterator[list[Any]]:
    """Every list of items with labels that agrees with the tables, items in no order."""
    if len(tables) == 1:
        rows = [row for row, count in tables[0][1].items() for _ in range(count)]
        for key in product(range(labels), repeat=len(rows)):
            yield list(zip(rows, key, strict=True))
        return
    answers = [sorted(counts, key=repr) for _, counts in tables]
    cells = [(tuple(a for (a,) in u), t) for u in product(*answers) for t in range(labels)]
    size = sum(tables[0][1].values())
    for items in combinations_with_replacement(cells, size):
        if all(
            Counter((u[i],) for u, _ in items) == counts
            for (_, counts), i in zip(tables, range(9), strict=False)
        ):
            yield list(items)


def some_key_meets(text: str, judges: list[int] | None = None) -> bool:
    """Whether any key meets the conditions (of some judges), by trying all of them."""
    labels, wrong, tables, conditions = parts_of(text)
    asked = [c for c in conditions if judges is None or c[0] == "Prevalence" or c[1][0] in judges]
    return any(all(meets(items, wrong, c) for c in asked) for items in keys_of(labels, tables))


def tiny(seed: int, count: int, order: int | str) -> Iterator[Any]:
    """Small data with a random standard, the result and the data."""
    rng = random.Random(seed)
    for _ in range(count):
        n_judges, labels = (
            rng.randint(1, 2 if order == 1 else 3),
            "ab" if order == 1 else "abc"[: rng.randint(2, 3)],
        )
        answers = [*labels, None] if rng.random() < 0.5 else [*labels]
        answers += ["z"] * (rng.random() < 0.2)
        n_items = rng.randint(2, 4 if order == 1 else 6)
        rows = Counter(tuple(rng.choice(answers) for _ in range(n_judges)) for _ in range(n_items))
        sketch = Sketch.from_counts(rows, labels=list(labels), answers=[*labels, "z"])
        standard = tool.random_standard(rng, sketch, 0)
        missing = rng.choice(["excluded", "wrong"])
        result = alarm(sketch, standard, order=order, missing=missing)
        yield result, sketch


@pytest.mark.parametrize("order", [1, "full"])
def test_what_is_exported_holds_for_every_key(order: int | str) -> None:
    verdicts = []
    for result, sketch in tiny(5, 60, order):
        assert result.certificate is not None
        text = coq(result.certificate.to_dict(), sketch)
        assert some_key_meets(text) is (not result.triggered), text
        assert ("~ (forall c" in text) is result.triggered
        verdicts.append(result.triggered)
    assert 10 < sum(verdicts) < 55  # of both sorts


BRUTE = """
Fixpoint keyed_in (L : nat) (rows : list (list (option nat))) : list (list item) :=
  match rows with
  | [] => [[]]
  | u :: r => flat_map (fun K => map (fun t => (fun i => nth i u None, t) :: K) (seq 0 L)) (keyed_in L r)
  end.
Definition met_by (e : exam) (K : list item) (c : condition) : bool :=
  let good := count (correct (share c)) K in let all := count (among e (share c)) K in
  match how c with
  | At_least => num c * all <=? den c * good
  | Above => (all =? 0) || (num c * all <? den c * good)
  | At_most => den c * good <=? num c * all
  | Of_some => 0 <? all
  end.
Definition some_key_meets (e : exam) (S : list condition) : bool :=
  match seen e with
  | [s] => existsb (fun K => forallb (met_by e K) S) (keyed_in (labels e) (copies (table e s)))
  | _ => false
  end.
"""


@needs_coqc
def test_all_keys_tried_in_coq_agree(library: Path, tmp_path: Path) -> None:
    text, verdicts = HEADER + BRUTE.replace("||", "|| "), []
    for n, (result, sketch) in enumerate(tiny(6, 40, "full")):
        export = coq(result.certificate.to_dict(), sketch).removeprefix(HEADER)
        data = export[: export.index("(* The data are")]
        text += f"Module M{n}.\n{data}\nGoal some_key_meets alarm_exam alarm_standard = "
        text += "false" if result.triggered else "true"
        text += f".\nProof. vm_compute. reflexivity. Qed.\nEnd M{n}.\n"
        verdicts.append(result.triggered)
    done = compiles(
        text.replace("Open Scope Z_scope.", "Open Scope bool_scope. Open Scope Z_scope."),
        library,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert 5 < sum(verdicts) < 35


# Coq ------------------------------------------------------------------------------------------------


@needs_coqc
def test_twenty_alarms_and_witnesses_compile_without_axioms(library: Path, tmp_path: Path) -> None:
    texts = exported(11, 12) + exported(12, 4, panels=1.0) + exported(13, 4, silent=True)
    assert all(tool.accepted(texts, library, tmp_path))  # which also counts closed theorems


@needs_coqc
def test_coarse_mutants_and_forged_evidence_are_refused(library: Path, tmp_path: Path) -> None:
    texts = [t for t in exported(14, 16, panels=0) if "check_sound" in t]
    mutants = []
    for text in texts:
        head = text[text.index("Definition") : text.index("(* The data are")]
        head += text[text.index("Definition alarm_evidence") : text.index("Theorem alarm :")]
        mutants.append(re.sub(r"(At_least|Above) \d+ \d+", "At_least 0 1", head))
        mutants.append(re.sub(r"(At_least|Above) \d+ \d+", r"\1 0 0", head))
        mutants.append(re.sub(r"(Asked \d+|Path \d+), \d+\)", r"\1, 0)", head))
        mutants.append(re.sub(r"(Asked \d+|Path \d+), (\d+)\)", r"\1, -\2)", head))
        mutants.append(
            re.sub(
                r"alarm_evidence : tree := .*",
                "alarm_evidence : tree := Leaf [].",
                head,
                flags=re.S,
            )
        )
        mutants.append(re.sub(r"Exam \d+", "Exam 0", head))
    file = HEADER
    for n, mutant in enumerate(mutants):
        refused = "Goal check alarm_exam alarm_standard alarm_evidence = false.\n"
        refused += "Proof. vm_compute. reflexivity. Qed.\n"
        file += f"Module M{n}.\n{mutant}\n{refused}End M{n}.\n"
    assert len(mutants) > 60
    done = compiles(file, library, tmp_path)
    assert done.returncode == 0, done.stderr
    lowered = re.sub(r"(At_least|Above) \d+ \d+", "At_least 0 1", texts[0])
    assert compiles(texts[0], library, tmp_path).returncode == 0
    assert compiles(lowered, library, tmp_path).returncode != 0


@needs_coqc
def test_trees_chains_and_groups_of_every_order_compile(library: Path, tmp_path: Path) -> None:
    file = Path(__file__).with_name("certificates.json")
    entries = json.loads(file.read_text(encoding="utf-8"))
    claims = {
        (e["certificate"]["claim"]["order"], e["certificate"]["evidence"]["kind"]) for e in entries
    }
    orders = [1, 2, "full"]
    assert claims == {
        *((n, kind) for n in orders for kind in ("branches", "conflicts")),
        (2, "chains"),
    }
    assert sum("chains" in e["certificate"]["evidence"] for e in entries) == 4  # groups
    texts = [coq(entry["certificate"], entry["data"]) for entry in entries]
    assert all(tool.accepted(texts, library, tmp_path))


@needs_coqc
def test_thresholds_ranges_and_panels_export_all_their_proofs(
    library: Path, tmp_path: Path
) -> None:
    sketch, _ = small()
    text = HEADER
    for n, result in enumerate([threshold(sketch), bounds(sketch), panel(sketch, 0.9)]):
        export = result.export("coq")
        certificates = [c for c in result.proofs.values() if c is not None]
        assert export.count("agrees theorem_") >= 2 * len(certificates)
        assert "Not exported" not in export
        text += f"Module M{n}.\n{export.removeprefix(HEADER)}End M{n}.\n"
    assert "theorem_keys_complete" in text
    done = compiles(text + "Print Assumptions M0.theorem_keys_complete.\n", library, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Closed under the global context" in done.stdout
    wrong = re.sub(
        r"(theorem_keys_keys : .*? := \[\(\[)(\d+)", lambda m: f"{m[1]}{int(m[2]) + 1}", text
    )
    assert wrong != text
    assert compiles(wrong, library, tmp_path).returncode != 0


def test_results_say_what_cannot_be_exported() -> None:
    sketch, _ = small()
    with pytest.raises(NotExported, match="kind must be 'coq'"):
        alarm(sketch, 0.9).export("lean")
    other = replace(alarm(sketch, 0.9), data=Sketch.from_counts({"ab": 6, "ba": 6}))
    with pytest.raises(DataError, match="the certificate must prove its claim of these data"):
        other.export("coq")
    with pytest.raises(NotExported, match="must hold its data"):
        replace(alarm(sketch, 0.9), data=None).export("coq")


@needs_coqc
def test_no_theorem_is_about_nothing(library: Path, tmp_path: Path) -> None:
    # each would refute the empty standard, or read a judge that is not there as silent
    base = {
        "labels": "2",
        "tables": "[([0; 1]%nat, [(0x11, 3); (0x12, 2)]%N)]",
        "condition": "Accuracy 0 0",
    }
    cases = [
        base | {"labels": "0"},
        base | {"tables": "[([0]%nat, [(0x1, 6)]%N); ([1]%nat, [(0x1, 5)]%N)]"},
        base | {"tables": "[]"},
        base | {"tables": "[([0; 1]%nat, []%N)]"},
        base | {"tables": "[([0; 0]%nat, [(0x11, 5)]%N)]"},
        base | {"tables": "[([0; 1]%nat, [(0x111, 5)]%N)]"},
        base | {"tables": "[([]%nat, [(0x0, 5)]%N)]"},
        base | {"condition": "Accuracy 7 0"},
        base | {"condition": "Accuracy 0 2"},
        base | {"condition": "Grade 7"},
        base | {"condition": "Prevalence 2"},
        base | {"level": "1 0"},
        base | {"level": "1 (-1)"},
        base | {"level": "(-1) 1"},
    ]
    text = HEADER
    for case in [*cases, base]:
        e = f"(Exam {case['labels']} true 4 {case['tables']})"
        standard = f"[Condition ({case['condition']}) At_least {case.get('level', '9 10')}]"
        fine = str(case is base).lower()
        text += f"Goal exam_fine {e} && forallb (condition_fine {e}) {standard} = {fine}.\n"
        text += "Proof. vm_compute. reflexivity. Qed.\n"
    text = text.replace("Open Scope Z_scope.", "Open Scope bool_scope. Open Scope Z_scope.")
    done = compiles(text, library, tmp_path)
    assert done.returncode == 0, done.stderr


HOSTILE = ["b *) Axiom cheat : False. (*", 'say "', "(* open", "Ωmega\n*)", "\\u{2a}"]


@needs_coqc
def test_names_that_look_like_coq_are_harmless(library: Path, tmp_path: Path) -> None:
    counts = Counter({(HOSTILE[0], HOSTILE[1]): 6, (HOSTILE[1], HOSTILE[0]): 5})
    sketch = Sketch.from_counts(counts, judges=[HOSTILE[2], HOSTILE[3]], labels=HOSTILE[:2])
    result = alarm(sketch, 0.9)
    text = coq(result.certificate.to_dict(), sketch)
    done = compiles(text + "Print Assumptions alarm.\n", library, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Closed under the global context" in done.stdout
    assert compiles(text + "Check cheat.\n", library, tmp_path).returncode != 0


def test_safe_names_are_distinct_and_cannot_leave_a_comment() -> None:
    names = [*HOSTILE, "a", "A", "a_", "\u0000", "b \\u{2a}) Axiom", "*"]
    shown = [safe(name) for name in names]
    assert len(set(shown)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9 _.,:;\-\\{}]*", text) for text in shown)


@needs_coqc
def test_the_library_hides_nothing_of_the_reals_and_has_no_axiom(
    library: Path, tmp_path: Path
) -> None:
    text = """From Coq Require Import Reals List.
From Algeval Require Import AlarmCheck.
Check (R : Set). Check (bound : (R -> Prop) -> Prop). Check (1 + 2)%R. Check (up : R -> Z).
Fail Check (1 + Zpos 1).
"""
    for theorem in (
        "check_sound",
        "panel_sound",
        "keys_sound",
        "witness_sound",
        "attained_sound",
        "some_key",
    ):
        text += f"Print Assumptions {theorem}.\n"
    done = compiles(text, library, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Closed under the global context") == 6


# The edge -------------------------------------------------------------------------------------------


def small() -> tuple[Sketch, Any]:
    sketch = Sketch.from_counts({"ab": 6, "ba": 5, "aa": 2}, judges=["x", "y"], labels=["a", "b"])
    return sketch, alarm(sketch, 0.9).certificate.to_dict()


def test_a_certificate_of_other_data_or_forged_is_refused_in_one_sentence() -> None:
    sketch, document = small()
    other = Sketch.from_counts({"ab": 6, "ba": 6}, judges=["x", "y"], labels=["a", "b"])
    with pytest.raises(DataError, match="the certificate must prove its claim of these data"):
        coq(document, other)
    with pytest.raises(DataError, match="data must be the sketch or summary"):
        export(document, "coq")
    with pytest.raises(NotExported, match="got 'latex'"):
        export(document, "latex", data=sketch.to_dict())
    document["evidence"] = {"kind": "weights", "weights": [["0", "0"], ["0", "0"]]}
    with pytest.raises(DataError, match="not below"):
        coq(document, sketch)


def test_files_are_the_same_twice_and_take_a_name() -> None:
    sketch, document = small()
    assert coq(document, sketch) == export(document, "coq", data=sketch.to_dict())
    whole = alarm(sketch, 0.9).to_dict()
    assert coq(whole, sketch) == coq(document, sketch)
    assert "Theorem smoke :" in coq(document, sketch, name="smoke")
    with pytest.raises(DataError, match="name must"):
        coq(document, sketch, name="x. Axiom y : False")


def test_strict_levels_stand_as_typed() -> None:
    summary = Summary.from_counts({"x": {"a": 5, "b": 6}, "y": {"a": 11, "b": 0}})
    document = alarm(summary, Specification.at_least("3/5", strict=True)).certificate.to_dict()
    assert "Above 3 5" in coq(document, summary)


def test_library_is_a_flat_folder_of_coq_files() -> None:
    assert "AlarmCheck.v" in {path.name for path in coq_library().iterdir()}


# Slow -----------------------------------------------------------------------------------------------


@needs_coqc
@pytest.mark.slow
def test_two_hundred_alarms(library: Path, tmp_path: Path) -> None:
    taken = list(islice(tool.random_alarms(21), 200))
    texts, left = [], Counter()
    for result, data in taken:
        try:
            texts.append(coq(result.certificate.to_dict(), data))
        except NotExported as error:
            left[str(error)] += 1
    assert len(texts) >= 190, left
    assert all(tool.accepted(texts, library, tmp_path))


@needs_coqc
@pytest.mark.slow
def test_ten_thousand_tuples(library: Path, tmp_path: Path) -> None:
    rng = random.Random(50)
    rows = Counter(tuple(rng.choice("abcde") for _ in range(10)) for _ in range(10_000))
    sketch = Sketch.from_counts(rows, labels=list("abcde"))
    result = alarm(sketch, 0.9, order="full")
    text = coq(result.certificate.to_dict(), sketch)
    assert len(rows) > 9_900
    assert compiles(text, library, tmp_path).returncode == 0
