"""Logs of Inspect: .eval archives, and .json logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from algeval.errors import DataError
from algeval.io.layout import shown
from algeval.io.readers.archives import members, names_in
from algeval.io.readers.files import Files, keys_of, must_have
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.questions import keep_one_question

__all__ = ["as_document", "fits", "gather", "is_log", "read"]


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
        found: dict[str, dict[str, Any]] = {}
        listed = self.run.get("scorers") or []
        for scorer in filter(keys_of, listed if isinstance(listed, list) else ()):
            name = scorer.get("name")
            if not isinstance(name, str):
                continue
            again = seen[name]
            found[f"{name}{again or ''}"] = scorer
            seen[name] += 1
        return found

    def panel(self, scorer: str) -> list[str]:
        """Return the models of a scorer that asks several, by the names the log has for them."""
        options = (self.scorers.get(scorer) or {}).get("options")
        models = options.get("model") if isinstance(options, dict) else None
        listed = models if isinstance(models, list) else []
        return [str(m.get("model") if isinstance(m, dict) else m) for m in listed]


def fits(files: Files) -> bool:
    """Whether the file is a log of Inspect."""
    if files.several:
        return False
    if files.is_zip(files.path):
        return files.path.suffix == ".eval" or "header.json" in names_in(files.path)
    return {"eval", "status", "samples"} <= keys_of(files.document()) or _is_header(files)


def _is_header(files: Files) -> bool:
    """Whether it is a log whose samples were left out."""
    return {"eval", "status", "version", "plan"} <= keys_of(files.document())


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return the votes of a log."""
    log = _from_zip(files) if files.is_zip(files.path) else files.document() or {}
    return gather(log, files.name, wanted)


def _from_zip(files: Files) -> dict[str, Any]:
    archive = members(files.path)
    header = archive.json(["header.json"])[0]
    names = sorted(name for name in archive.names if name.startswith("samples/"))
    return {**header, "samples": archive.json(names)}


def is_log(source: object) -> bool:
    """Whether an object in memory is a log as Inspect's own reader returns it."""
    return all(hasattr(source, name) for name in ("eval", "samples", "status", "model_dump"))


def as_document(log: Any) -> dict[str, Any]:
    """Return a log in memory as the dictionary that Inspect would write."""
    found: dict[str, Any] = log.model_dump()
    return found


def gather(log: dict[str, Any], name: str, wanted: Wanted) -> Gathered:
    """Return the votes of a log given as a dictionary, as Inspect writes it."""
    run = must_have(log, "eval", dict, name)
    samples = log.get("samples") or []
    if not isinstance(samples, list):
        raise DataError(
            f"the samples of {name} must be a list; got {str(samples)[:40]!r}; copy it again"
        )
    parts = (_object(one, f"sample {k} of {name}") for k, one in enumerate(samples, start=1))
    kept = tuple(parts)
    read = _Log(name, str(log.get("status", "unknown")), run, kept, _lengths(kept))
    _refuse_empty(read)
    version = _object(run.get("packages"), f"the packages of {name}").get("inspect_ai")
    found = Gathered(f"Inspect {version}" if version else "Inspect", "target")
    question_of: dict[str, str] = {}
    items = _item_names(read, found)
    for item, sample in zip(items, read.samples, strict=True):
        key = sample.get("target")
        key = key if isinstance(key, str | int | float) else None
        for judge, question, value, why in _votes(read, sample):
            if not judge:
                found.left_out[why] += 1
                continue
            question_of.setdefault(judge, question)
            if why:
                found.no_vote(item, judge, why, key)
            else:
                found.vote(item, judge, value, key)
    _say(read, found)
    keep_one_question(found, question_of, wanted, name)
    return found


def _object(held: Any, where: str) -> dict[str, Any]:
    """Return a JSON object, an empty one where there is none."""
    if held is not None and not isinstance(held, dict):
        raise DataError(
            f"{where} must be a JSON object; got {str(held)[:40]!r}; copy the log again"
        )
    return held or {}


def _scores(sample: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the scores of a sample, by the names of their scorers."""
    where = f"sample {str(sample.get('id'))[:40]!r}"
    found = _object(sample.get("scores"), f"the scores of {where}")
    return {name: _object(one, f"the score {name!r} of {where}") for name, one in found.items()}


def _lengths(samples: Iterable[dict[str, Any]]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for sample in samples:
        for scorer, score in _scores(sample).items():
            value = score.get("value")
            if isinstance(value, dict | list) or _panel_of(score) is not None:
                n = len(value) if isinstance(value, list) else 0
                found.setdefault(scorer, set()).add(n)
    return found


def _refuse_empty(log: _Log) -> None:
    if not log.samples:
        raise DataError(
            f"a log of Inspect must hold samples to be read; {log.name} has none (status {log.status!r}); "
            "write it without header_only, or run the evaluation again"
        )
    if any(_scores(sample) for sample in log.samples):
        return
    first = next((s["error"] for s in log.samples if s.get("error")), None)
    told = first.get("message") if isinstance(first, dict) else first
    because = f"; the first error is {str(told)[:80]!r}" if told else ""
    raise DataError(
        f"a log of Inspect must hold scores; no sample of {log.name} ({len(log.samples)}) has any{because}; "
        "score it with `inspect score`, or run it again"
    )


def _item_names(log: _Log, found: Gathered) -> list[str]:
    """Return an id per sample, with its epoch where there are several."""
    ids = [str(must_have(s, "id", (str, int), f"every sample of {log.name}")) for s in log.samples]
    epochs = [
        must_have({"epoch": 1} | sample, "epoch", int, f"every sample of {log.name}")
        for sample in log.samples
    ]
    if max(epochs) > 1:
        found.notes.append(f"item: sample id and epoch, as there are {max(epochs)} epochs")
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
        return [_one(f"{scorer}.{name}", scorer, part, score) for name, part in value.items()]
    if isinstance(value, list):
        return _of_list(log, scorer, value, score, where)
    if scorer not in log.lengths:
        return [_one(scorer, scorer, value, score)]
    _, _, given, _ = _one(scorer, scorer, value, score)
    if given is None:
        return [("", scorer, None, f"samples that {scorer!r} did not score")]
    raise DataError(
        f"a scorer must give one value, or several, in every sample; score {where} is {str(given)[:40]!r} "
        "where others hold several; choose another with question="
    )


def _of_panel(log: _Log, scorer: str, votes: list[Any], where: str) -> list[Vote]:
    models = log.panel(scorer)
    if models and len(models) != len(votes):
        raise DataError(
            f"a panel must have as many votes as models; score {where} has {len(votes)} votes of "
            f"{len(models)} models ({shown(tuple(models), 4)}); leave the sample out"
        )
    names = (
        _apart(models) if models else [f"{scorer}[{place}]" for place in range(1, len(votes) + 1)]
    )
    pairs = zip(names, votes, strict=True)
    return [(name, scorer, vote, "grader failed" if vote is None else "") for name, vote in pairs]


def _apart(models: list[str]) -> list[str]:
    """Return names of models, numbered where one is asked twice."""
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
    return [_one(f"{scorer}[{k}]", scorer, value, score) for k, value in enumerate(values, start=1)]


def _one(judge: str, question: str, value: Any, score: dict[str, Any]) -> Vote:
    if value is None or value != value:
        return judge, question, None, str(score.get("reason") or "no value").replace("_", " ")
    return judge, question, value, ""


def _say(log: _Log, found: Gathered) -> None:
    found.notes.insert(0, "judge: scorer; answer: its value; item: sample id")
    if log.status != "success":
        found.notes.append(f"the run ended with status {log.status!r}: samples may be missing")
    if any(answer == "N" for answer in found.answers):
        found.notes.append("'N' (no answer) is kept as an answer; missing='N' takes it for no vote")
    if set(found.judges) == {"multi_scorer"}:
        raise DataError(
            f"a panel must be there judge by judge; {log.name} keeps only what multi_scorer made of its "
            "members; list the scorers in the task in its place"
        )
