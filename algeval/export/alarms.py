"""Alarms as theorems of Coq about every answer key of the data.

A theorem is the data, the standard as typed, and one computation: `coq/AlarmCheck.v` says what they mean and
proves that the program which checks the evidence is right. Names stand in comments only, where they are
spelled so that nothing in them can be read as code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import lcm
from typing import Any

from algeval import verify_alarm as va
from algeval.errors import DataError
from algeval.export import NotExported
from algeval.export.alarm_evidence import Exam, Form, Tree, refutation
from algeval.verify import Program, load, read_claim, read_data, restrict, verify

MAX_BLAMED = 20_000
MAX_ITEMS = 3_000
SENSES = {">=": "At_least", ">": "Above", "<=": "At_most"}
KEYWORDS = {
    "as",
    "at",
    "else",
    "end",
    "exists",
    "fix",
    "for",
    "forall",
    "fun",
    "if",
    "in",
    "let",
    "match",
}
KEYWORDS |= {"cofix", "mod", "return", "then", "using", "where", "with"}
HEADER = """From Coq Require Import ZArith List.
From Algeval Require Import AlarmCheck.
Import ListNotations.
Open Scope Z_scope.
"""

# Text of terms ------------------------------------------------------------------------------------


def list_text(entries: Iterable[object], between: str = "; ") -> str:
    """List of Coq."""
    return f"[{between.join(map(str, entries))}]"


def answers_text(pairs: Iterable[tuple[int, int]]) -> str:
    """Answers of some judges."""
    return list_text(f"({i}, {'None' if a < 0 else f'Some {a}'})" for i, a in pairs)


def form_text(form: Form) -> str:
    """Sum of numbers of items."""
    return list_text(
        f"(({'None' if t is None else f'Some {t}'}, {answers_text(pairs)})%nat, {k})"
        for (t, pairs), k in form.items()
    )


def tree_text(tree: Tree, depth: int = 0) -> str:
    """Evidence; the splits above a leaf are counted upwards from it."""
    if tree[0] == "split":
        _, form, at, low, high = tree
        sides = f"({tree_text(low, depth + 1)})\n  ({tree_text(high, depth + 1)})"
        return f"Split {form_text(form)} ({at}) {sides}"
    rows, parts = tree[1], [k for cited in tree[1] if cited[0] == "seen" for _, k in cited[2]]
    scale, cells = lcm(*(y.denominator for y in (*rows.values(), *parts))), []
    for cited, y in rows.items():
        if cited[0] == "seen":
            _, i, part = cited
            numbers = (f"({answers_text([(i, a)])}%nat, {k * scale})" for a, k in part)
            cells.append(f"(Seen {i} {list_text(numbers)}, 1)")
        else:
            kind, n = cited
            name = f"Asked {n}" if kind == "asked" else f"Path {depth - 1 - n}"
            cells.append(f"({name}, {y * scale})")
    return "Leaf " + list_text(cells)


def safe(name: str) -> str:
    r"""Name for a comment: letters, digits, blanks, ``_.,:;-``; anything else as ``\u{code}``."""
    plain = (c.isascii() and (c.isalnum() or c in " _.,:;-") for c in name)
    return "".join(c if p else f"\\u{{{ord(c):x}}}" for c, p in zip(name, plain, strict=True))


def digits_of(panel: va.Panel) -> int:
    """Hexadecimal digits of an answer."""
    return next(digits for digits in (1, 2, 4, 8) if 16**digits > len(panel.answers))


def code_text(codes: Iterable[int], digits: int) -> str:
    """Answers as one hexadecimal number."""
    return "0x" + "".join(f"{a + 1:0{digits}x}" for a in codes)


def exam_text(exam: Exam) -> str:
    """The data: how often each judge gave which answers, or all of them together."""
    panel, digits = exam.panel, digits_of(exam.panel)
    judges = range(len(panel.judges))
    tables: list[tuple[Sequence[int], Iterable[tuple[Sequence[int], int]]]]
    tables = [(judges, panel.tuples or ())]
    if exam.claim.order == 1:
        counts = zip(panel.left, panel.answer_counts, strict=True)
        each = [[((a - 1,), k) for a, k in enumerate((left, *row))] for left, row in counts]
        tables = [([i], rows) for i, rows in enumerate(each)]
    cells = []
    for names, rows in tables:
        lines = (f"({code_text(codes, digits)}, {count})" for codes, count in rows if count)
        cells.append(f"({list_text(names)}%nat,\n   {list_text(lines, f';{chr(10)}    ')}%N)")
    wrong = str(exam.claim.missing == "wrong").lower()
    return f"Exam {len(panel.labels)} {wrong} {4 * digits} {list_text(cells, f';{chr(10)}  ')}"


def standard_text(exam: Exam) -> str:
    """The standard as it was typed."""
    lines = []
    for c, i, t in exam.standard:
        of = f"Prevalence {t}" if i is None else f"Grade {i}" if t is None else f"Accuracy {i} {t}"
        how = (
            "Of_some 0 1"
            if c is None
            else f"{SENSES[c.sense]} {c.value.numerator} {c.value.denominator}"
        )
        lines.append(f"Condition ({of}) {how}")
    return list_text(lines, ";\n  ")


def legend(exam: Exam) -> str:
    """What the numbers stand for."""
    order = exam.claim.order
    seen = "each judge's answers alone" if order == 1 else "all answers together"
    lines = [f"{exam.panel.n_items} items, {seen}; claim of order {order}; data {exam.claim.data}."]
    for kind, names in (("judge", exam.panel.judges), ("answer", exam.panel.answers)):
        lines += [f"{kind} {n}: {safe(name)}" for n, name in enumerate(names)]
    lines.append(f"The first {len(exam.panel.labels)} answers are the labels.")
    return "(* " + "\n   ".join(lines) + " *)\n"


# Theorems -----------------------------------------------------------------------------------------


def evidence_text(exam: Exam, evidence: Mapping[str, Any], names: Sequence[str]) -> str:
    """Evidence that some judges cannot meet their conditions together."""
    claim = exam.claim
    if evidence["kind"] == "together":
        claim, evidence = replace(claim, order="full"), evidence["evidence"]
    return tree_text(refutation(exam, Program(restrict(exam.panel, names), claim), evidence))


def caps(exam: Exam, names: Sequence[str]) -> Mapping[str, Any] | None:
    """Evidence by caps that one or two judges cannot meet their conditions, two labels, if there is any."""
    program = Program(restrict(exam.panel, names), exam.claim)
    for choice in product((*names, None), repeat=2):
        evidence = {"kind": "cap", "judges": list(choice)}
        try:
            va.check_cap(evidence, program, program.root())
        except va.Rejected:
            continue
        return evidence
    return None


def apart(exam: Exam, chains: Sequence[Sequence[str]]) -> list[Mapping[str, Any]]:
    """Judges who cannot meet their conditions, and pairs of judges of a chain who cannot both."""
    alone = {name: evidence for name in exam.panel.judges if (evidence := caps(exam, [name]))}
    pairs = [
        pair for names in chains for pair in combinations(names, 2) if not alone.keys() & set(pair)
    ]
    sets = [([name], evidence) for name, evidence in alone.items()]
    sets += [(list(pair), evidence) for pair in pairs if (evidence := caps(exam, pair))]
    return [{"judges": names, "evidence": evidence} for names, evidence in sets]


def alarm_text(exam: Exam, evidence: Mapping[str, Any], name: str) -> str:
    """Theorem that not all judges can meet their conditions; one set of judges that cannot is enough."""
    judges: Sequence[str] = exam.panel.judges
    if evidence["kind"] == "conflicts":
        first = (evidence.get("conflicts") or apart(exam, evidence["chains"]))[0]
        judges, evidence = first["judges"], first["evidence"]
    return f"""Definition {name}_evidence : tree := {evidence_text(exam, evidence, judges)}.

Theorem {name} : forall K, agrees {name}_exam K ->
  ~ (forall c, In c {name}_standard -> meets {name}_exam K c).
Proof. apply (check_sound _ _ {name}_evidence). vm_compute. reflexivity. Qed.
"""


def blame_text(evidence: Mapping[str, Any], need: int) -> str:
    """Blame tree, as deep as it is needed, with its shared nodes written out."""
    conflicts, shared = [c["judges"] for c in evidence["conflicts"]], evidence.get("nodes") or ()
    count = 0

    def text(node: Any, need: int) -> str:
        nonlocal count
        count += 1
        if count > MAX_BLAMED:
            raise NotExported(
                f"a blame tree of more than {MAX_BLAMED} nodes is not exported to Coq"
            )
        node = shared[node] if type(node) is int else node
        if need == 0 or node is None:
            return "Enough"
        each = (text(node["children"][name], need - 1) for name in conflicts[node["conflict"]])
        return f"(Blame {node['conflict']} {list_text(each)})"

    return text(evidence["tree"], need)


def panel_text(exam: Exam, evidence: Mapping[str, Any], name: str) -> str:
    """Theorem that not so many judges can meet their conditions."""
    if evidence["kind"] != "conflicts":
        kind = evidence["kind"]
        raise NotExported(
            f"a claim about some judges proved by {kind!r} is not exported to Coq yet"
        )
    k, conflicts, positions = exam.claim.needed, [], exam.panel.positions
    for conflict in evidence.get("conflicts") or apart(exam, evidence["chains"]):
        names = conflict["judges"]
        tree = evidence_text(exam.among(names), conflict["evidence"], names)
        conflicts.append(f"({list_text(positions[i] for i in names)}%nat,\n  {tree})")
    sound, kind = "groups_sound", "list (list nat)"
    if "chains" in evidence:
        groups = (
            list_text(list_text(positions[i] for i in names) for names in evidence["chains"])
            + "%nat"
        )
    else:
        sound, kind = "panel_sound", "blame"
        groups = blame_text(evidence, len(exam.panel.judges) - k + 1)
    between = ";\n  "
    return f"""Definition {name}_conflicts : list (list nat * tree) := {list_text(conflicts, between)}.
Definition {name}_blame : {kind} := {groups}.

Theorem {name} : forall K, agrees {name}_exam K ->
  ~ exists P, NoDup P /\\ incl P (judges {name}_exam) /\\ length P = {k}%nat /\\
    (forall c, In c {name}_standard -> asked_of P c -> meets {name}_exam K c).
Proof. apply ({sound} _ _ _ {name}_conflicts {name}_blame). vm_compute. reflexivity. Qed.
"""


def items_of(exam: Exam, evidence: Mapping[str, Any]) -> Counter[tuple[tuple[int, ...], int]]:
    """Items of a witness: how many have which answers and which true label."""
    order = exam.claim.order
    if order == 1:
        return side_by_side(evidence["tables"], evidence["key_counts"])
    if order != "full":
        raise NotExported(f"a witness of order {order} is tables, which need not be those of items")
    rows = zip((codes for codes, _ in exam.panel.tuples or ()), evidence["cells"], strict=True)
    return Counter({(u, t): k for u, row in rows for t, k in enumerate(row) if k})


def side_by_side(
    tables: Sequence[Sequence[Sequence[int]]], key: Sequence[int]
) -> Counter[tuple[tuple[int, ...], int]]:
    """Items on which each judge has its own table: whatever answers stand side by side."""
    items: Counter[tuple[tuple[int, ...], int]] = Counter()
    for t, size in enumerate(key):
        columns = []
        for table in tables:
            column = [a for a, row in enumerate(table) for _ in range(row[t])]
            columns.append([*column, *[va.UNANSWERED] * (size - len(column))])
        items.update((codes, t) for codes in zip(*columns, strict=True))
    return items


def witness_cells(exam: Exam, evidence: Mapping[str, Any]) -> str:
    """Items of a witness."""
    items, digits = items_of(exam, evidence), digits_of(exam.panel)
    if len(items) > MAX_ITEMS:
        raise NotExported(
            f"a witness of more than {MAX_ITEMS} kinds of items is not exported to Coq"
        )
    cells = (f"({code_text(u, digits)}, {t}, {k})" for (u, t), k in sorted(items.items()))
    return list_text(cells, f";{chr(10)}  ") + "%N"


def witness_text(exam: Exam, evidence: Mapping[str, Any], name: str) -> str:
    """Theorem that some answer key lets the conditions be met."""
    sound, chosen, panel, premise = "witness_of_all", "", "", ""
    if exam.claim.needed < len(exam.panel.judges):
        if exam.claim.held:
            raise NotExported(
                "a witness for some judges, with others held to labels, is not exported"
            )
        chosen = list_text(exam.panel.positions[judge] for judge in evidence["judges"]) + "%nat"
        sound, premise = "witness_sound", f"asked_of {chosen} c -> "
        panel = f"(NoDup {chosen} /\\ incl {chosen} (judges {name}_exam)) /\\ "
    return f"""Definition {name}_witness : witness := {witness_cells(exam, evidence)}.

Theorem {name} : exists K, agrees {name}_exam K /\\ {panel}
  forall c, In c {name}_standard -> {premise}meets {name}_exam K c.
Proof. apply ({sound} _ _ {chosen} {name}_witness). vm_compute. reflexivity. Qed.
"""


def keys_text(exam: Exam, evidence: Mapping[str, Any], name: str) -> str:
    """Theorems that the conditions can be met with each of the keys listed, and with no other."""
    pairs = zip(evidence["keys"], evidence["witnesses"], strict=True)
    cells = (f"({list_text(key)},\n  {witness_cells(exam, w)})" for key, w in pairs)
    between = ";\n  "
    keys = f"Definition {name}_keys : list (list Z * witness) := {list_text(cells, between)}.\n\n"
    text = f"""Theorem {name} : forall k, In k (map fst {name}_keys) -> exists K, agrees {name}_exam K /\\
  (forall c, In c {name}_standard -> meets {name}_exam K c) /\\ key {name}_exam K = k.
Proof. apply attained_sound. vm_compute. reflexivity. Qed.
"""
    if evidence.get("tree") is None:
        return keys + text
    tree = {"kind": "branches", "tree": evidence["tree"]}
    return f"""{keys}Definition {name}_evidence : tree := {evidence_text(exam, tree, exam.panel.judges)}.

Theorem {name}_complete : forall K, agrees {name}_exam K ->
  (forall c, In c {name}_standard -> meets {name}_exam K c) -> In (key {name}_exam K) (map fst {name}_keys).
Proof. apply (keys_sound _ _ _ {name}_evidence). vm_compute. reflexivity. Qed.

{text}"""


def theorem(certificate: Mapping[str, Any], panel: va.Panel, name: str) -> str:
    """Data, standard, evidence, the theorem, and that it speaks of something."""
    if "claim" not in certificate:
        raise NotExported("a count of wrong verdicts is not exported to Coq yet")
    document, evidence = dict(certificate["claim"]), certificate["evidence"]
    if document["verdict"] == "keys":
        evidence = {**evidence, "keys": document.pop("keys")}
        document = {k: v for k, v in document.items() if k != "every"} | {"verdict": "possible"}
    claim = read_claim(document, panel)
    exam = Exam.of(panel, claim)
    write = panel_text if claim.needed < len(panel.judges) else alarm_text
    if claim.verdict == "possible":
        write = keys_text if evidence["kind"] == "keys" else witness_text
    return f"""{legend(exam)}Definition {name}_exam : exam := {exam_text(exam)}.
Definition {name}_standard : list condition := {standard_text(exam)}.

(* The data are those of some answer key. *)
Theorem {name}_key : exists K, agrees {name}_exam K.
Proof. apply some_key. vm_compute. reflexivity. Qed.

{write(exam, evidence, name)}"""


def theorem_text(certificate: Mapping[str, Any], data: object, name: str) -> str:
    """Theorem of a certificate that proves its claim of the data."""
    verdict = verify(certificate, data)
    if not verdict:
        raise DataError(f"the certificate must prove its claim of these data; {verdict.sentence}")
    token = va.BUDGET.set(va.Budget())
    try:
        return theorem(certificate, read_data(load(data, "data")), name)
    except RecursionError:
        raise NotExported("evidence nested so deeply is not exported to Coq") from None
    finally:
        va.BUDGET.reset(token)


def coq(document: Mapping[str, Any], data: object, *, name: str = "alarm") -> str:
    """Alarm as a theorem of Coq: no answer key lets the standard be met.

    Parameters
    ----------
    document : mapping
        A certificate (`algeval.certificate/1`), or a result that holds one (`algeval.alarm/1`).
    data : mapping, path, Sketch or Summary
        The data that the certificate speaks of.
    name : str
        What the theorem is called.

    Raises
    ------
    DataError
        If the certificate does not prove its claim of these data.
    NotExported
        If certificates of this kind are not written in Coq yet.

    Examples
    --------
    >>> from algeval import Sketch, alarm
    >>> votes = Sketch.from_counts({"ab": 6, "ba": 5}, labels=["a", "b"])
    >>> text = coq(alarm(votes, 0.9).certificate.to_dict(), votes)
    >>> "Theorem alarm : forall K, agrees alarm_exam K ->" in text
    True
    """
    if re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name) is None or name in KEYWORDS:
        raise DataError(
            f"name must be lower-case letters, digits and _, and no word of Coq; got {name!r}; choose another"
        )
    if data is None:
        raise DataError(
            "data must be the sketch or summary that the certificate speaks of; got none"
        )
    certificate = document.get("certificate", document)
    if certificate is None:
        raise NotExported("what was left open has no certificate, so there is nothing to export")
    return HEADER + "\n" + theorem_text(certificate, data, name)


def coq_of(certificates: Mapping[str, Mapping[str, Any] | None], data: object) -> str:
    """Several certificates about the same data as theorems of one file, under their names or numbers.

    Those that are not written in Coq yet stand in a comment, with the reason.

    Raises
    ------
    NotExported
        If none can be written.
    """
    texts, reasons = [], []
    shared: dict[str, str] = {}
    for n, (title, certificate) in enumerate(certificates.items(), start=1):
        if certificate is None:
            continue
        name = f"theorem_{title if re.fullmatch('[a-z]+', title) else n}"
        try:
            text = theorem_text(certificate, data, name)
        except NotExported as error:
            reasons.append(f"{safe(title)}: {error}")
            continue
        start = text.index(f"{name}_exam : exam := ") + len(f"{name}_exam : exam := ")
        end = text.index(f".\nDefinition {name}_standard", start)
        exam = shared.setdefault(text[start:end], f"{name}_exam")
        if exam != f"{name}_exam":
            text = text[:start] + exam + text[end:]
        texts.append(f"(* {safe(title)} *)\n{text}")
    if not texts:
        raise NotExported("; ".join(reasons) or "nothing was proved, so there is nothing to export")
    comments = "".join(f"(* Not exported: {safe(reason)} *)\n" for reason in reasons)
    return HEADER + "\n" + "\n".join(texts) + comments
