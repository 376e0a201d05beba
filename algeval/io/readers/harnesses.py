"""Files of evaluation harnesses: Inspect, lm-eval, promptfoo, DeepEval, MLflow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from algeval.errors import DataError, option
from algeval.io.answers import plain
from algeval.io.layout import shown
from algeval.io.readers.base import (
    Ballot,
    Files,
    Gathered,
    Runs,
    Wanted,
    keep_question,
    keys_of,
    members,
    must_have,
    names_in,
    single_question,
    without_repeats,
)

# --- Results of promptfoo: the JSON of an evaluation, or its JSON lines.


_READ_VERSION = 3


def fits(files: Files) -> bool:
    """Whether the file holds results of promptfoo."""
    if files.several:
        return False
    document = files.document()
    if document is None:
        return {"gradingResult", "testIdx"} <= keys_of(files.first_row())
    results = document.get("results") if isinstance(document, dict) else None
    if isinstance(results, dict) and isinstance(results.get("results"), list):
        return True
    return {"gradingResult", "testIdx"} <= keys_of(document)


def read(files: Files, wanted: Wanted) -> Gathered:
    """Votes of every assertion on every output."""
    document = files.document()
    held = document.get("results") if isinstance(document, dict) else None
    metadata = document.get("metadata") if isinstance(document, dict) else None
    version = (metadata if isinstance(metadata, dict) else {}).get("promptfooVersion")
    votes = Gathered(f"promptfoo {version}" if version else "promptfoo")
    if isinstance(held, dict):
        rows: Any = held["results"]
        if held.get("version") != _READ_VERSION:
            votes.notes.append(
                f"results of version {held.get('version')!r}, read as version {_READ_VERSION}"
            )
    else:
        rows = [document] if document is not None else [row for _, row in files.rows()]
    votes.notes.append("item: test, prompt and provider; judge: assertion; answer: pass or fail")
    for number, row in enumerate(rows, start=1):
        _read_row(votes, row, f"result {number} of {files.name}")
    keep_question(votes, {}, wanted, files.name)
    return votes


def _read_row(votes: Gathered, row: Any, where: str) -> None:
    test = must_have(row, "testIdx", int, where)
    prompt = must_have(row, "promptIdx", int, where) if "promptIdx" in row else 0
    provider = must_have(row, "provider", (str, dict), where)
    if isinstance(provider, dict):
        named = "label" if provider.get("label") else "id"
        provider = must_have(provider, named, str, f"the provider of {where}")
    item = f"{test}:{prompt}:{provider}"
    graded = row.get("gradingResult")
    if row.get("failureReason") == 2 or not isinstance(graded, dict):
        votes.left_out["outputs that were not graded (errors)"] += 1
        return
    parts = graded.get("componentResults") or []
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise DataError(
            f"componentResults of {where} must be a list of objects; export the file again"
        )
    if not parts and isinstance(graded.get("pass"), bool):
        votes.vote(item, _WHOLE, "pass" if graded["pass"] else "fail")
        return
    if not parts:
        votes.left_out["outputs without assertions"] += 1
    for judge, part in _named(parts, where):
        about = part.get("metadata")
        failed = "" if isinstance(part.get("pass"), bool) else "no verdict"
        if isinstance(about, dict) and about.get("graderError"):
            failed = "grader error"
        votes.vote(item, judge, "pass" if part.get("pass") else "fail", failed=failed)


_WHOLE = "all assertions"
"""The judge of results that keep the verdict of a test, and of none of its assertions."""


def _named(parts: list[Any], where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each assertion's verdict by a name of its own: its metric, or its type and place."""
    names = []
    for position, part in enumerate(parts, start=1):
        assertion = part.get("assertion")
        if part.get("componentResults"):
            raise DataError(
                f"assertions must stand side by side; {where} has a set of them within another; take the "
                "assert-set apart in the configuration"
            )
        kind = assertion if isinstance(assertion, dict) else {}
        metric, what = (
            plain(kind[name]) if isinstance(kind.get(name), str) else None
            for name in ("metric", "type")
        )
        names.append(metric or f"{what or 'assertion'} {position}")
    again = Counter(names)
    for position, (name, part) in enumerate(zip(names, parts, strict=True), start=1):
        yield (f"{name} {position}" if again[name] > 1 else name), part


# --- Traces of MLflow with their assessments: feedback of judges and people, expectations as the
# key.


def fits_mlflow(files: Files) -> bool:
    """Whether the file holds traces with a list of assessments."""
    row = (files.first_row() if not files.several else None) or {}
    return "trace_id" in row and isinstance(row.get("assessments"), list)


def read_mlflow(files: Files, wanted: Wanted) -> Gathered:
    """Feedback that goes by one name; what was overridden by later feedback is left out."""
    votes = Gathered("MLflow", key_name="expectation")
    traces = [(str(must_have(row, "trace_id", str, at)), row, at) for at, row in files.rows()]
    every = [(trace, part, at) for trace, row, at in traces for part in _assessments(row, at)]
    valid = [(trace, part, at) for trace, part, at in every if part.get("valid") is not False]
    if len(valid) < len(every):
        votes.left_out["assessments that later ones override"] += len(every) - len(valid)
    silent = len(traces) - len({trace for trace, _, _ in every})
    if silent:
        votes.left_out["traces without assessments"] += silent
    feedback = [
        (trace, part, at) for trace, part, at in valid if isinstance(part.get("feedback"), dict)
    ]
    questions = Counter(_name(part, at) for _, part, at in feedback)
    if not questions:
        raise DataError(
            f"traces must hold feedback to be read; {files.name} has {len(traces)} traces with none; log "
            "assessments first"
        )
    question = single_question(wanted.question, questions, files.name)
    keys = _keys(valid, question)
    votes.notes.append(f"item: trace; judge: source of the feedback; question: {question!r}")
    ballots = [
        _ballot(*assessment)
        for assessment in feedback
        if _name(assessment[1], assessment[2]) == question
    ]
    votes.people.update(ballot.judge for ballot in ballots if ballot.person)
    older = "older feedback of a judge on a trace"
    for ballot in without_repeats(ballots, wanted.latest, votes.left_out, older):
        held, key = ballot.held["feedback"], keys.get(ballot.item)
        failed = "failed" if held.get("error") else ""
        votes.vote(ballot.item, ballot.judge, held.get("value"), key, failed=failed)
    return votes


def _assessments(row: dict[str, Any], where: str) -> Iterator[dict[str, Any]]:
    held = row.get("assessments")
    if held is not None and not isinstance(held, list):
        raise DataError(
            f"'assessments' must be a list; got {str(held)[:40]!r} in {where}; export again"
        )
    for part in held or ():
        if not isinstance(part, dict):
            raise DataError(
                f"an assessment must be an object; got {str(part)[:40]!r} in {where}; export again"
            )
        yield part


def _name(part: dict[str, Any], where: str) -> str:
    return str(must_have(part, "assessment_name", str, f"every assessment in {where}"))


def _ballot(trace: str, part: dict[str, Any], where: str) -> Ballot:
    source = must_have(part, "source", dict, f"every assessment in {where}")
    judge = must_have(source, "source_id", str, f"the source of every assessment in {where}")
    when = part.get("last_update_time") or part.get("create_time")
    return Ballot(
        trace,
        judge,
        f"assessment {part.get('assessment_id') or 'without id'} of {where}",
        when,
        part,
        person=source.get("source_type") == "HUMAN",
    )


def _keys(assessments: list[tuple[str, dict[str, Any], str]], question: str) -> dict[str, Any]:
    """Return {trace: what was expected}: under the question's name, else under the only one there is."""
    keys: dict[str, dict[str, Any]] = {}
    for trace, part, where in assessments:
        if isinstance(part.get("expectation"), dict):
            keys.setdefault(_name(part, where), {})[trace] = part["expectation"].get("value")
    if question in keys:
        return keys[question]
    return next(iter(keys.values())) if len(keys) == 1 else {}


# --- Logs of Inspect: .eval archives, and .json logs.


@dataclass(frozen=True, slots=True)
class _Log:
    """A log: what it says of the run, and its samples."""

    name: str
    status: str
    run: dict[str, Any]
    samples: tuple[dict[str, Any], ...]
    lengths: dict[str, set[int]]
    """Of each scorer whose scores hold votes of several: how many, 0 where they have names."""

    @property
    def scorers(self) -> dict[str, dict[str, Any]]:
        """What the log says of each scorer, by the name its scores have."""
        seen: Counter[str] = Counter()
        scorers: dict[str, dict[str, Any]] = {}
        listed = self.run.get("scorers") or []
        for scorer in filter(keys_of, listed if isinstance(listed, list) else ()):
            name = scorer.get("name")
            if not isinstance(name, str):
                continue
            again = seen[name]
            scorers[f"{name}{again or ''}"] = scorer
            seen[name] += 1
        return scorers

    def panel(self, scorer: str) -> list[str]:
        """Models of a scorer that asks several, by the names the log has for them."""
        options = (self.scorers.get(scorer) or {}).get("options")
        models = options.get("model") if isinstance(options, dict) else None
        listed = models if isinstance(models, list) else []
        return [str(m.get("model") if isinstance(m, dict) else m) for m in listed]


def fits_inspect(files: Files) -> bool:
    """Whether the file is a log of Inspect."""
    if files.several:
        return False
    if files.is_zip(files.path):
        return files.path.suffix == ".eval" or "header.json" in names_in(files.path)
    keys = keys_of(files.document())  # without samples it is a log whose samples were left out
    return {"eval", "status", "samples"} <= keys or {"eval", "status", "version", "plan"} <= keys


def read_inspect(files: Files, wanted: Wanted) -> Gathered:
    """Votes of a log."""
    log = _from_zip(files) if files.is_zip(files.path) else files.document() or {}
    return gather(log, files.name, wanted)


def _from_zip(files: Files) -> dict[str, Any]:
    archive = members(files.path)
    header = archive.json(["header.json"])[0]
    names = sorted(name for name in archive.names if name.startswith("samples/"))
    return {**header, "samples": archive.json(names)}


def gather(log: dict[str, Any], name: str, wanted: Wanted) -> Gathered:
    """Votes of a log given as a dictionary, as Inspect writes it."""
    run = must_have(log, "eval", dict, name)
    samples = log.get("samples") or []
    if not isinstance(samples, list):
        raise DataError(
            f"the samples of {name} must be a list; got {str(samples)[:40]!r}; copy it again"
        )
    parts = (_object(entry, f"sample {k} of {name}") for k, entry in enumerate(samples, start=1))
    kept = tuple(parts)
    read = _Log(name, str(log.get("status", "unknown")), run, kept, _lengths(kept))
    _refuse_empty(read)
    version = _object(run.get("packages"), f"the packages of {name}").get("inspect_ai")
    votes = Gathered(f"Inspect {version}" if version else "Inspect", "target")
    question_of: dict[str, str] = {}
    items = _item_names(read, votes)
    for item, sample in zip(items, read.samples, strict=True):
        key = sample.get("target")
        key = key if isinstance(key, str | int | float) else None
        for judge, question, value, why in _votes(read, sample):
            if not judge:
                votes.left_out[why] += 1
                continue
            question_of.setdefault(judge, question)
            votes.vote(item, judge, value, key, failed=why)
    votes.notes.insert(0, "judge: scorer; answer: its value; item: sample id")
    if read.status != "success":
        votes.notes.append(f"the run ended with status {read.status!r}: samples may be missing")
    if any(answer == "N" for answer in votes.answers):
        votes.notes.append(
            f"'N' (no answer) is kept as an answer; {option('missing', 'N', reads=True)} takes it for no vote"
        )
    if set(votes.judges) == {"multi_scorer"}:
        raise DataError(
            f"a panel must be there judge by judge; {read.name} keeps only what multi_scorer made of its "
            "members; list the scorers in the task in its place"
        )
    keep_question(votes, question_of, wanted, name)
    return votes


def _object(held: Any, where: str) -> dict[str, Any]:
    """JSON object, an empty one where there is none."""
    if held is not None and not isinstance(held, dict):
        raise DataError(
            f"{where} must be a JSON object; got {str(held)[:40]!r}; copy the log again"
        )
    return held or {}


def _scores(sample: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Scores of a sample, by the names of their scorers."""
    where = f"sample {str(sample.get('id'))[:40]!r}"
    scores = _object(sample.get("scores"), f"the scores of {where}")
    return {
        name: _object(score, f"the score {name!r} of {where}") for name, score in scores.items()
    }


def _lengths(samples: Iterable[dict[str, Any]]) -> dict[str, set[int]]:
    lengths: dict[str, set[int]] = {}
    for sample in samples:
        for scorer, score in _scores(sample).items():
            value = score.get("value")
            if isinstance(value, dict | list) or _panel_of(score) is not None:
                n = len(value) if isinstance(value, list) else 0
                lengths.setdefault(scorer, set()).add(n)
    return lengths


def _refuse_empty(log: _Log) -> None:
    if not log.samples:
        raise DataError(
            f"a log of Inspect must hold samples to be read; {log.name} has none (status {log.status!r}); "
            "write it without header_only, or run the evaluation again"
        )
    if any(_scores(sample) for sample in log.samples):
        return
    first = next((s["error"] for s in log.samples if s.get("error")), None)
    reason = first.get("message") if isinstance(first, dict) else first
    because = f"; the first error is {str(reason)[:80]!r}" if reason else ""
    raise DataError(
        f"a log of Inspect must hold scores; no sample of {log.name} ({len(log.samples)}) has any{because}; "
        "score it with `inspect score`, or run it again"
    )


def _item_names(log: _Log, votes: Gathered) -> list[str]:
    """Id per sample, with its epoch where there are several."""
    ids = [str(must_have(s, "id", (str, int), f"every sample of {log.name}")) for s in log.samples]
    epochs = [
        must_have({"epoch": 1} | sample, "epoch", int, f"every sample of {log.name}")
        for sample in log.samples
    ]
    if max(epochs) > 1:
        votes.notes.append(f"item: sample id and epoch, as there are {max(epochs)} epochs")
        ids = [f"{name}:{epoch}" for name, epoch in zip(ids, epochs, strict=True)]
    twice = [name for name, n in Counter(ids).items() if n > 1]
    if twice:
        raise DataError(
            f"every sample of {log.name} must have an id of its own; got {shown(tuple(twice), 3)} more than "
            "once; give each sample an id"
        )
    return ids


Vote = tuple[str, str, Any, str]
"""judge, question, value, why it is missing; no judge where it cannot be told whose votes are"""


def _votes(log: _Log, sample: dict[str, Any]) -> Iterator[Vote]:
    """Yield the votes on a sample, a scorer's members each."""
    scores = _scores(sample)
    for scorer in dict.fromkeys([*scores, *log.scorers]):
        if scorer not in scores:
            if scorer in log.lengths:
                yield "", scorer, None, f"samples that {scorer!r} did not score"
            else:
                yield scorer, scorer, None, "sample error" if sample.get("error") else "no score"
            continue
        yield from _of_scorer(log, scorer, scores[scorer], f"{scorer!r} in sample {sample['id']!r}")


def _panel_of(score: dict[str, Any]) -> dict[str, Any] | None:
    about = score.get("metadata")
    panel = about.get("panel") if isinstance(about, dict) else None
    return panel if isinstance(panel, dict) and isinstance(panel.get("votes"), list) else None


def _of_scorer(log: _Log, scorer: str, score: dict[str, Any], where: str) -> Iterable[Vote]:
    panel = _panel_of(score)
    if panel is not None:
        return _of_panel(log, scorer, panel["votes"], where)
    value = score.get("value")
    if isinstance(value, dict):
        return [
            _single_vote(f"{scorer}.{name}", scorer, part, score) for name, part in value.items()
        ]
    if isinstance(value, list):
        return _of_list(log, scorer, value, score, where)
    if scorer not in log.lengths:
        return [_single_vote(scorer, scorer, value, score)]
    _, _, answer, _ = _single_vote(scorer, scorer, value, score)
    if answer is None:
        return [("", scorer, None, f"samples that {scorer!r} did not score")]
    raise DataError(
        f"a scorer must give one value, or several, in every sample; score {where} is {str(answer)[:40]!r} "
        f"where others hold several; choose another with {option('question')}"
    )


def _of_panel(log: _Log, scorer: str, votes: list[Any], where: str) -> list[Vote]:
    models = log.panel(scorer)
    if models and len(models) != len(votes):
        raise DataError(
            f"a panel must have as many votes as models; score {where} has {len(votes)} votes of "
            f"{len(models)} models ({shown(tuple(models), 4)}); leave the sample out"
        )
    names = (
        _apart(models) if models else [f"{scorer}[{number}]" for number in range(1, len(votes) + 1)]
    )
    pairs = zip(names, votes, strict=True)
    return [(name, scorer, vote, "grader failed" if vote is None else "") for name, vote in pairs]


def _apart(models: list[str]) -> list[str]:
    """Names of models, numbered where one is asked twice."""
    again = Counter(models)
    seen: Counter[str] = Counter()
    names = []
    for model in models:
        seen[model] += 1
        names.append(f"{model} #{seen[model]}" if again[model] > 1 else model)
    return names


def _of_list(
    log: _Log, scorer: str, values: list[Any], score: dict[str, Any], where: str
) -> list[Vote]:
    lengths = log.lengths[scorer]
    if len(lengths) > 1:
        raise DataError(
            f"a scorer that gives a list must give one of the same length each time; score {where} has "
            f"{len(values)} values and others {sorted(lengths - {len(values)})}; name its parts in a dict"
        )
    return [
        _single_vote(f"{scorer}[{k}]", scorer, value, score)
        for k, value in enumerate(values, start=1)
    ]


def _single_vote(judge: str, question: str, value: Any, score: dict[str, Any]) -> Vote:
    if value is None or value != value:
        return judge, question, None, str(score.get("reason") or "no value").replace("_", " ")
    return judge, question, value, ""


# --- Test runs of DeepEval.


_CASES = ("testCases", "conversationalTestCases")


def fits_deepeval(files: Files) -> bool:
    """Whether the file is a test run of DeepEval."""
    if files.several:
        return False
    return "testCases" in keys_of(files.document()) and "metricsScores" in keys_of(files.document())


def read_deepeval(files: Files, wanted: Wanted) -> Gathered:
    """Verdict of every metric on every test case."""
    document = files.document() or {}
    cases = [case for name in _CASES for case in _objects(document, name, files.name)]
    votes = Gathered("DeepEval")
    votes.notes.append("item: test case; judge: metric; answer: pass or fail by its threshold")
    names = _items(cases, files.name)
    for item, case in zip(names, cases, strict=True):
        metrics = _objects(case, "metricsData", f"test case {item!r}")
        if not metrics:
            votes.left_out["test cases without metrics"] += 1
        for judge, metric in zip(_judges(metrics, item), metrics, strict=True):
            failed = metric.get("error") or metric.get("score") is None
            verdict = "pass" if metric.get("success") else "fail"
            votes.vote(item, judge, verdict, failed="metric error" if failed else "")
    keep_question(votes, {}, wanted, files.name)
    return votes


def _objects(holder: dict[str, Any], name: str, where: str) -> list[dict[str, Any]]:
    """List of objects, an empty one where there is none."""
    held = holder.get(name) or []
    if not isinstance(held, list) or not all(isinstance(entry, dict) for entry in held):
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
    """Name per metric; metrics of one name are told apart by the model that judges."""
    names = [str(must_have(m, "name", str, f"every metric of test case {item!r}")) for m in metrics]
    again = Counter(names)
    full = [
        f"{name} [{metric.get('evaluationModel')}]" if again[name] > 1 else name
        for name, metric in zip(names, metrics, strict=True)
    ]
    return [f"{n} {k}" if full.count(n) > 1 else n for k, n in enumerate(full, start=1)]


# --- Samples that the LM evaluation harness logs: a file per model and task, models as judges.


_FILE = re.compile(r"samples_(.+)_(\d{4}-\d\d-\d\dT[\d.\-]+)$")
_FIELDS = {"doc_id", "doc_hash", "filtered_resps"}


def fits_lm_eval(files: Files) -> bool:
    """Whether a file, or one in the folder, holds logged samples."""
    return any(keys_of(files.first_row(path)) >= _FIELDS for path in files.paths)


def read_lm_eval(files: Files, wanted: Wanted) -> Gathered:
    """Each model's answer to the documents of one task."""
    task, filter_, metric = _split(wanted.question)
    task, chosen = _files(files, task)
    votes = Gathered("lm-eval", key_name="target")
    hashes: dict[str, tuple[str, str]] = {}
    filters: Counter[str] = Counter()
    for model, path in chosen.items():
        for position, row in files.rows(path):
            where = f"{position} ({model})"
            name = str(row.get("filter", "none"))
            filters[name] += 1
            if filter_ in (None, name):
                _row(votes, model, row, where, hashes, metric)
    single_question(
        filter_,
        filters,
        f"{files.name}, filtered in several ways,",
        noun="response",
        before=f"{task}/",
    )
    what = (
        "index of the likeliest choice, or the filtered answer" if metric is None else f"{metric!r}"
    )
    votes.notes.insert(0, f"item: document; judge: model; answer: {what}")
    return votes


def runs_of_lm_eval(files: Files) -> Runs:
    """Newest file of each model, whose name stands beside its rows."""
    _, chosen = _files(files, None)
    return [(path, {"model_name": model}) for model, path in chosen.items()]


def _split(question: str | None) -> tuple[str | None, str | None, str | None]:
    """Task, filter and metric of "task", "task/filter" or "task/filter/metric"."""
    parts = [*(question or "").split("/"), "", ""]
    task, filter_, metric = (part or None for part in parts[:3])
    return task, filter_, metric


def _files(files: Files, task: str | None) -> tuple[str, dict[str, Path]]:
    """Return the one task, and the newest file of each model."""
    by_task: dict[str, dict[str, list[tuple[str, Path]]]] = {}
    for path in files.paths:
        if not keys_of(files.first_row(path)) >= _FIELDS:
            continue
        parsed_name = _FILE.fullmatch(path.stem)
        name, when = (parsed_name[1], parsed_name[2]) if parsed_name else (path.stem, "")
        model = path.parent.name.replace("__", "/") if parsed_name else path.stem
        by_task.setdefault(name, {}).setdefault(model, []).append((when, path))
    models = {name: len(runs) for name, runs in by_task.items()}
    task = single_question(task, models, files.name, noun="model")
    return task, {model: max(runs)[1] for model, runs in by_task[task].items()}


def _row(
    votes: Gathered,
    model: str,
    row: Any,
    where: str,
    hashes: dict[str, tuple[str, str]],
    metric: str | None,
) -> None:
    item = str(must_have(row, "doc_id", (int, str), where))
    mark = must_have(row, "doc_hash", str, where)
    other = hashes.setdefault(item, (mark, model))
    if other[0] != mark:
        raise DataError(
            f"a document must be the same for every model; document {item} of {model!r} is another than that "
            f"of {other[1]!r}; run them on one version of the task"
        )
    if metric and metric not in row:
        metrics = [name for name, held in row.items() if isinstance(held, float)]
        raise DataError(
            f"question must end with a metric of the samples; got {metric!r}; {where} has {shown(metrics)}"
        )
    answer = row[metric] if metric else _answer(row, where)
    key = None if metric else row.get("target")
    failed = "no valid answer" if answer is None or answer in ("", "[invalid]") else ""
    whole = isinstance(answer, float) and answer.is_integer()
    votes.vote(item, model, int(answer) if whole else answer, key, failed=failed)


def _chance(pair: Any, where: str) -> float:
    """Log-likelihood of a choice, which stands as text beside whether it is the greedy one."""
    try:
        return float(pair[0])
    except (TypeError, ValueError, IndexError, KeyError, OverflowError):
        raise DataError(
            f"every choice must have a log-likelihood; got {str(pair)[:40]!r} in {where}; run it again"
        ) from None


def _answer(row: Any, where: str) -> Any:
    """Place of the likeliest choice, or the one filtered response."""
    responses = must_have(row, "filtered_resps", list, where)
    if responses and isinstance(responses[0], list):
        chances = [_chance(pair, where) for pair in responses]
        are_numbers = all(chance == chance for chance in chances)
        return chances.index(max(chances)) if are_numbers else None
    if len(responses) > 1:
        raise DataError(
            f"a model must give one answer; {where} has {len(responses)} filtered responses; use a filter "
            "that keeps one"
        )
    return responses[0] if responses else None
