"""Test runs of DeepEval."""

from __future__ import annotations

from collections import Counter
from typing import Any

from algeval.errors import DataError
from algeval.io.layout import shown
from algeval.io.readers.files import Files, keys_of, must_have
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.questions import keep_one_question

__all__ = ["fits", "read"]

_CASES = ("testCases", "conversationalTestCases")


def fits(files: Files) -> bool:
    """Whether the file is a test run of DeepEval."""
    if files.several:
        return False
    return "testCases" in keys_of(files.document()) and "metricsScores" in keys_of(files.document())


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return the verdict of every metric on every test case."""
    document = files.document() or {}
    cases = [case for name in _CASES for case in _objects(document, name, files.name)]
    found = Gathered("DeepEval")
    found.notes.append("item: test case; judge: metric; answer: pass or fail by its threshold")
    names = _items(cases, files.name)
    for item, case in zip(names, cases, strict=True):
        metrics = _objects(case, "metricsData", f"test case {item!r}")
        if not metrics:
            found.left_out["test cases without metrics"] += 1
        for judge, metric in zip(_judges(metrics, item), metrics, strict=True):
            if metric.get("error") or metric.get("score") is None:
                found.no_vote(item, judge, "metric error")
            else:
                found.vote(item, judge, "pass" if metric.get("success") else "fail")
    keep_one_question(found, {}, wanted, files.name)
    return found


def _objects(holder: dict[str, Any], name: str, where: str) -> list[dict[str, Any]]:
    """Return a list of objects, an empty one where there is none."""
    held = holder.get(name) or []
    if not isinstance(held, list) or not all(isinstance(one, dict) for one in held):
        raise DataError(f"{name} of {where} must be a list of objects; export the file again")
    return held


def _items(cases: list[Any], name: str) -> list[str]:
    ids = [str(case.get("name")) for case in cases]
    if len(set(ids)) < len(ids) or not all(isinstance(case.get("name"), str) for case in cases):
        ids = [str(must_have(case, "order", int, f"every test case of {name}")) for case in cases]
    twice = [item for item, n in Counter(ids).items() if n > 1]
    if twice:
        raise DataError(
            f"every test case of {name} must have a name of its own; got {shown(tuple(twice), 3)} more than "
            "once; rename them"
        )
    return ids


def _judges(metrics: list[Any], item: str) -> list[str]:
    """Return a name per metric; metrics of one name are told apart by the model that judges."""
    names = [str(must_have(m, "name", str, f"every metric of test case {item!r}")) for m in metrics]
    again = Counter(names)
    full = [
        f"{name} [{metric.get('evaluationModel')}]" if again[name] > 1 else name
        for name, metric in zip(names, metrics, strict=True)
    ]
    return [f"{n} {k}" if full.count(n) > 1 else n for k, n in enumerate(full, start=1)]
