"""Random alarms with their certificates, and what coqc says of their exports."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from algeval import alarm
from algeval.data import Sketch, Specification
from algeval.export import NotExported, coq_library
from algeval.export.alarms import HEADER, coq
from algeval.logic.results import Alarm

COQC = shutil.which("coqc")


def random_sketch(
    rng: random.Random, *, judges: int = 6, items: int = 100, labels: int = 4
) -> Sketch:
    """1-6 judges, 2-4 labels, 5-100 items; 30% leave answers out, some give answers that are no label."""
    n_judges, n_labels = rng.randint(1, judges), rng.randint(2, labels)
    names = "abcd"[:n_labels]
    answers = names + "z" * (rng.random() < 0.15)
    gaps = rng.random() < 0.3
    skill = [rng.random() for _ in range(n_judges)]
    rows: Counter[tuple[str | None, ...]] = Counter()
    for _ in range(rng.randint(5, items)):
        truth = rng.choice(names)
        rows[
            tuple(
                None
                if gaps and rng.random() < 0.2
                else (truth if rng.random() < s else rng.choice(answers))
                for s in skill
            )
        ] += 1
    named = [f"judge {i}" for i in range(n_judges)]
    return Sketch.from_counts(rows, judges=named, labels=list(names), answers=list(answers))


def random_level(rng: random.Random) -> Fraction:
    """Level between 2/5 and 1, of a small denominator more often than not."""
    large = rng.random() < 0.2
    q = rng.randint(101, 999) if large else rng.randint(2, 20)
    return Fraction(rng.randint((2 * q + 4) // 5, q), q)


def random_standard(rng: random.Random, sketch: Sketch, panels: float = 0.1) -> Specification:
    """Accuracies, sometimes with grades, prevalences, upper bounds, or of some of the judges."""
    standard = Specification.at_least(random_level(rng), strict=rng.random() < 0.3)
    if rng.random() < 0.15:
        standard &= Specification.grade(rng.choice([">=", ">"]), random_level(rng))
    if rng.random() < 0.15:
        label, sense = rng.choice(sketch.labels), rng.choice([">=", ">", "<="])
        standard &= Specification.prevalence(label, sense, Fraction(rng.randint(1, 9), 10))
    if rng.random() < 0.1:
        judge, label = rng.choice(sketch.judges), rng.choice(sketch.labels)
        standard &= Specification.accuracy("<=", random_level(rng), judge=judge, label=label)
    if rng.random() < panels and len(sketch.judges) > 1:
        standard = standard.by_at_least(rng.randint(1, len(sketch.judges)))
    return standard


def random_alarms(
    seed: int, *, silent: bool | None = False, panels: float = 0.1, **sizes: int
) -> Iterator[tuple[Alarm, Any]]:
    """Alarms that went off (or, `silent`, that did not), each with the data of its certificate."""
    rng = random.Random(seed)
    while True:
        sketch = random_sketch(rng, **sizes)
        order = rng.choice([1, 1, "full", "full", 2])
        if order == 2 and len(sketch.judges) < 2:
            order = "full"
        data = sketch.summary() if order == 1 and rng.random() < 0.5 else sketch
        missing = rng.choice(["excluded", "wrong"])
        result = alarm(data, random_standard(rng, sketch, panels), order=order, missing=missing)
        if result.certificate is not None and result.triggered is not silent:
            yield result, data


def run_coqc(file: Path, library: Path) -> subprocess.CompletedProcess[str]:
    """Run coqc on a file."""
    command = [str(COQC), "-q", "-Q", str(library), "Algeval", str(file)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=600, check=False, cwd=file.parent
    )


def batch(texts: Sequence[str]) -> str:
    """One file of several exports."""
    return HEADER + "".join(
        f"Module M{n}.\n{text.removeprefix(HEADER)}\nPrint Assumptions alarm.\nEnd M{n}.\n"
        for n, text in enumerate(texts)
    )


def accepted(texts: Sequence[str], library: Path, folder: Path) -> list[bool]:
    """Which exports coqc accepts, twenty a file; a file that fails is taken apart."""
    result: list[bool] = []
    for start in range(0, len(texts), 20):
        part = list(texts[start : start + 20])
        file = folder / f"part{start}.v"
        file.write_text(batch(part), encoding="utf-8")
        done = run_coqc(file, library)
        closed = done.stdout.count("Closed under the global context")
        if done.returncode == 0:
            assert closed == len(part)
            result += [True] * len(part)
        elif len(part) == 1:
            print(done.stderr[:600], file=sys.stderr)
            result.append(False)
        else:
            inner = folder / f"of{start}"
            inner.mkdir()
            for n, text in enumerate(part):
                (inner / str(n)).mkdir()
                result += accepted([text], library, inner / str(n))
    return result


def main(count: int, seed: int, panels: float = 0.1, silent: float = 0) -> None:
    """Print the table: kinds, share exported, share accepted, seconds."""
    kinds: Counter[str] = Counter()
    exported: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    texts: list[str] = []
    named: list[str] = []
    spent = 0.0
    for result, data in random_alarms(seed, panels=panels, silent=bool(silent)):
        certificate = result.certificate
        assert certificate is not None
        order, kind = certificate.claim["order"], certificate.kind
        name = f"{'order' if order != 'full' else ''} {order} {kind}".strip()
        kinds[name] += 1
        started = time.process_time()
        try:
            texts.append(coq(certificate.to_dict(), data))
            named.append(name)
            exported[name] += 1
        except NotExported as error:
            reasons[str(error)] += 1
        spent += time.process_time() - started
        if sum(kinds.values()) == count:
            break
    with TemporaryDirectory() as name:
        folder = Path(name)
        library = coq_library()
        started = os.times()
        fine = accepted(texts, library, folder)
        ended = os.times()
        seconds = ended.children_user - started.children_user
    good = Counter(n for n, ok in zip(named, fine, strict=True) if ok)
    for kind, n in kinds.most_common():
        print(f"{kind:28} {n:5} {exported[kind]:5} exported {good[kind]:5} accepted")
    print(
        f"{count} alarms, {len(texts)} exported in {spent:.1f} s, {sum(fine)} accepted "
        f"in {seconds:.1f} s of coqc"
    )
    print(
        f"text: median {sorted(map(len, texts))[len(texts) // 2]} characters, longest {max(map(len, texts))}"
    )
    for reason, n in reasons.most_common():
        print(n, reason)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *map(float, sys.argv[3:]))
