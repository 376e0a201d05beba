"""Claims as theorems of Coq, compiled and forged; ``python tests/export/theorems.py`` prints the table.

The table has a row for each kind of certificate: how many were written, how many coqc accepted, seconds of
CPU and characters of each, and how many of their forgeries it refused. ``--most 40`` looks at the first 40 of
each kind.
"""

import argparse
import itertools
import json
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from importlib import util
from pathlib import Path

from algeval.algebra import prove
from algeval.export import NotExported, coq_library
from algeval.export.coq import TRUSTED, text
from algeval.export.coq_statement import literal
from algeval.export.statement import Statement, holds

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
COQC = shutil.which("coqc")


def module_at(path):
    """Module that is no part of a package."""
    spec = util.spec_from_file_location(path.stem, path)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


claims = module_at(ROOT / "tests" / "algebra" / "inequalities" / "claims.py")
outside = module_at(Path(__file__).with_name("outside.py"))


TOO_LARGE = {"P_iA^4 + P_jA^4 + P_kA^4 + P_lA^4 >= 4*P_iA*P_jA*P_kA*P_lA"}
"""Written, not accepted: on any exam these are fractions of 32 shares, and `field` overflows its stack."""


# Coq ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Compiled:
    """What coqc says of a file, and the seconds of CPU it took."""

    ok: bool
    output: str
    seconds: float

    @property
    def axioms(self):
        """All that the theorems rest on, as `Print Assumptions` prints it."""
        named = re.findall(r"^([\w.]+)(?= :|\n  ?)", self.output, re.MULTILINE)
        return {name for name in named if name != "Axioms"}

    @property
    def trusted(self):
        """Whether it compiled and rests on the axioms of the real numbers alone."""
        return self.ok and self.axioms <= TRUSTED


def compiled(source, folder, *, limit=300):
    """Compile one file."""
    path = Path(folder) / "export.v"
    path.write_text(source, encoding="utf-8")
    before = cpu()
    command = [COQC, "-q", "-Q", str(coq_library()), "Algeval", str(path)]
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, timeout=limit, check=False, cwd=folder
        )
    except subprocess.TimeoutExpired:
        return Compiled(False, f"no answer within {limit} s", cpu() - before)
    return Compiled(ended.returncode == 0, ended.stdout + ended.stderr, cpu() - before)


def cpu():
    """Seconds of all processes that were started here and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


# Certificates -------------------------------------------------------------------------------------


def document_of(result):
    """Certificate or counterexample of an answer of `prove`; None where it has none."""
    if hasattr(result, "certificate"):
        return result.certificate
    return result.to_dict() if hasattr(result, "exam") else None


def kind_of(document):
    if document["schema"] == "algeval.counterexample/1":
        return "counterexample"
    if document["claim"] == "contradiction":
        return "contradiction"
    return "identity" if document["proof"] == {"kind": "zero"} else "inequality"


def fixtures():
    """Answers to the claims of the tests and of an outside author, proved or refuted now."""
    for claim, given, settings, _ in outside.CLAIMS + claims.FIXTURES + claims.OWN:
        yield prove(claim, given=given, **settings)


def catalogue():
    """Answers to the papers' equations."""
    from algeval_papers.equations import catalogue as equations

    for entry in equations():
        outcome = entry.run()
        yield from (*outcome.proofs, *outcome.refutations)


def kept():
    """Certificates of known claims that lie beside the repository; none where they do not."""
    path = SHARED / "proofs" / "known-claims.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        row = json.loads(line)
        if row.get("exam"):
            yield counterexample(row["claim"], **row["exam"])
        elif row.get("cert"):
            yield row["cert"]


def counterexample(claim, *, codes, keyed, judges, labels, **rest):
    """Document of a counterexample from an exam written with labels."""
    answers = [[labels.index(label) for label in row] for row in codes]
    sketch = {"judges": judges, "labels": labels, "answers": labels, "codes": answers}
    exam = {"sketch": sketch, "keyed": keyed}
    schema = "algeval.counterexample/1"
    return {
        "schema": schema,
        "identity": claim,
        "judges": judges,
        "labels": labels,
        "exam": exam,
    } | rest


def known():
    """Every known certificate, each once."""
    results = map(document_of, itertools.chain(fixtures(), catalogue()))
    seen = set()
    for document in itertools.chain(filter(None, results), kept()):
        claim = document.get("claim", document.get("identity"))
        where = [document["model"], *document["judges"], *document["labels"]]
        key = json.dumps(
            [claim.replace(" ", ""), where, document.get("given"), document.get("define")]
        )
        if key not in seen:
            seen.add(key)
            yield document


# Forgeries ----------------------------------------------------------------------------------------


def restated(source, change):
    """File whose statement ends otherwise, with the same proof; `change` gets the claim's text."""
    head, body, rest = re.split(
        r"(Definition statement :=\n.*?\.)(?=\n)", source, maxsplit=1, flags=re.DOTALL
    )
    *lines, claim = body.removesuffix(".").splitlines()
    return "\n".join([head + lines[0], *lines[1:], change(claim)]) + "." + rest


def forgeries(document):
    """Files that are nearly a certificate's, {what was changed: text}, none of which may compile."""
    source, statement = text(document), Statement.of(document)
    result = {}
    if kind_of(document) == "counterexample":
        for point in corners(statement):
            values = statement.values(point)
            if values is None or not statement.admits(values) or holds(statement.claim, values):
                new = " ".join(literal(point[v]) for v in statement.base)
                result["another exam"] = re.sub(
                    r"(?<=intro K\. )specialize \(K .*\)\.",
                    f"specialize (K {new}).",
                    source,
                    count=1,
                )
                break
        return result
    if statement.claim is not None:
        added = {"=": " + {}", "<=": " - 1", "<": " - 1", ">=": " + 1", ">": " + 1"}
        more = added[statement.claim.sign].format(statement.base[0])
        result["a term added"] = restated(source, lambda claim: claim + more)
    for line in re.findall(r"^    .*[^>] (?:<=|>=|<|>|=) .* ->$", source, re.MULTILINE)[-1:]:
        if statement.hypotheses:
            result["a hypothesis dropped"] = source.replace(f"{line}\n", "    0 = 0 ->\n", 1)
    return result


def corners(statement):
    """Points at which one variable of each block is 1."""
    for ones in itertools.product(*statement.blocks):
        point = dict.fromkeys(statement.base, Fraction(0)) | dict.fromkeys(ones, Fraction(1))
        yield point | ({statement.items: Fraction(1)} if statement.items else {})


# The table ----------------------------------------------------------------------------------------


def row(documents, folder, forged):
    """Counts and times of the certificates of one kind."""
    written, seconds, sizes, refused, tried = 0, [], [], 0, 0
    failures = []
    for document in documents:
        try:
            source = text(document)
        except NotExported as error:
            failures.append(f"{document.get('claim')}: {error}")
            continue
        written += 1
        answer = compiled(source, folder)
        if answer.trusted:
            seconds.append(answer.seconds)
            sizes.append(len(source))
        else:
            failures.append(
                f"{document.get('claim', document.get('identity'))}: {answer.output[-200:]}"
            )
        for name, forgery in forgeries(document).items() if tried < forged else ():
            tried += 1
            accepted = compiled(forgery, folder).ok
            refused += not accepted
            failures += [f"accepted with {name}: {document.get('claim')}"] if accepted else []
    times = f"{statistics.mean(seconds):.2f} / {max(seconds):.2f}" if seconds else "-"
    median = f"{statistics.median(sizes) / 1000:.1f}" if sizes else "-"
    cells = [len(documents), written, len(seconds), times, median, f"{refused} of {tried}"]
    return cells, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=10**6, help="certificates of each kind")
    parser.add_argument("--forgeries", type=int, default=15, help="forgeries of each kind")
    options = parser.parse_args()
    groups = defaultdict(list)
    for document in known():
        groups[kind_of(document)].append(document)
    head = [
        "kind",
        "certificates",
        "written",
        "accepted",
        "s mean / max",
        "kB median",
        "forgeries refused",
    ]
    print(" | ".join(head))
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, documents in groups.items():
            cells, failed = row(documents[: options.most], folder, options.forgeries)
            failures += failed
            print(" | ".join(map(str, [kind, *cells])), flush=True)
    print(*failures, sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
