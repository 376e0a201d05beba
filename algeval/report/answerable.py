"""What a results table can answer as it is, and what is missing for the rest."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from math import ceil
from typing import NamedTuple

import numpy as np

from algeval.data import NOT_ANSWERED, Votes
from algeval.io.answers import upper_half
from algeval.io.evidence import is_bad_news
from algeval.io.results import Results, suggested_cuts, typed_cut
from algeval.judges.columns import sources_of
from algeval.rates.inputs import likely_grade
from algeval.rates.sampling import labels_for_rate, share_of_good
from algeval.rates.sizes import connor
from algeval.result.numbers import how_many, rate_name

_WIDE, _NARROW = 0.10, 0.05  # half-widths that labels are counted for
_Z, _Z_POWER = 1.96, 0.84
_FEWEST_FOR_BIAS = 30  # labels from which a judge's bias is asked about
_FEWEST_OF_A_GROUP = 30


FEWEST_SCORED = 3
"""Judges whose scores, without labels, say something of each."""


class Answer(NamedTuple):
    """A question the table answers as it is, and the command that asks it."""

    question: str
    command: str


class Missing(NamedTuple):
    """A question the table does not answer yet, and what it takes."""

    question: str
    needs: str


def several(groups: Mapping[str, str]) -> bool:
    """Whether a column puts outputs into two groups or more, and not each into its own."""
    return 1 < len(set(groups.values())) < len(groups)


def groups_of(results: Results) -> list[str]:
    """Columns of groups whose rates may be asked for.

    Not those that have a group for every few outputs, nor those that name the systems, or their runs, again.
    """
    system = dict(zip(results.items, results.system_of, strict=True)) if results.system_of else {}

    def names_systems(of: Mapping[str, str]) -> bool:
        pairs = {(group, system.get(item)) for item, group in of.items()}
        return len(results.systems) > 1 and len(pairs) == len(set(of.values()))

    return [
        name
        for name, of in results.slices.items()
        if several(of) and 4 * len(set(of.values())) <= max(len(of), 8) and not names_systems(of)
    ]


def what_it_answers(
    results: Results, arguments: str
) -> tuple[tuple[Answer, ...], tuple[Missing, ...]]:
    """Questions a table answers today, and what the others take; `arguments` name it on a command line."""
    if results.layout == "pairwise":
        return tuple(_answers_of_pairs(results, arguments)), tuple(_missing_of_pairs(results))
    table = _Table(results)
    return tuple(_answers(table, arguments)), tuple(_missing(table, arguments))


class _Table:
    """Numbers of a results table that decide what it answers."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.n_items = len(results.items)
        cut = results.options.cut is not None
        self.n_judges = len(results.voting) if cut else len(results.judged)
        self.systems = results.systems
        self.n_labels = sum(label is not None for label in results.human.values())
        self.good = results.good
        self.only_scores = bool(results.scored) and not results.judged and not cut

    @property
    def truth(self) -> str:
        """What a rate counts, in words."""
        return self.results.counted or repr(self.good)

    @property
    def rate_name(self) -> str:
        """What the rate is called."""
        return rate_name(self.good or "", counted=self.results.counted)

    def labelled_for_all(self) -> int:
        """Prompts with labels for all systems."""
        labelled = self.results.labelled_prompts
        return len(set.intersection(*labelled)) if labelled else 0

    def share(self) -> float:
        """Share of the good label among the verdicts, away from 0 and 1."""
        return share_of_good(self.results)

    def for_rate(self, half_width: float) -> int:
        """Random labels that tell the rate of all outputs to within a half-width."""
        return labels_for_rate(self.results, half_width)

    def differing(self) -> float:
        """Share of prompts on which a judge says otherwise of the first system than of the second."""
        parts = [part.by_prompt().votes for part in list(self.results.by_system.values())[:2]]
        rows = {item: k for k, item in enumerate(parts[0].items)}
        pairs = [(rows[i], k) for k, i in enumerate(parts[1].items) if i in rows]
        if not pairs or parts[0].judges != parts[1].judges or parts[0].answers != parts[1].answers:
            return 0.2
        if not parts[0].judges:
            return self._differing_by_people(parts, pairs)
        own, other = np.array(pairs).T
        a, b = parts[0].codes[own], parts[1].codes[other]
        both = (a != NOT_ANSWERED) & (b != NOT_ANSWERED)
        return float(np.clip(((a != b) & both).sum() / max(1, both.sum()), 0.1, 0.6))

    def _differing_by_people(self, parts: list[Votes], pairs: list[tuple[int, int]]) -> float:
        """Share of prompts labelled for both systems on which people say otherwise of them."""
        own, other = np.array(pairs).T
        a, b = (np.asarray(part.key)[rows] for part, rows in zip(parts, (own, other), strict=True))
        both = (a != NOT_ANSWERED) & (b != NOT_ANSWERED)
        return float(np.clip(((a != b) & both).sum() / both.sum(), 0.1, 0.6)) if both.any() else 0.2


def _answers(table: _Table, arguments: str) -> Iterator[Answer]:
    n, systems = table.n_labels, table.systems
    votes = table.n_judges > 0
    people = how_many(n, "human label")
    if table.only_scores:
        yield from _answers_of_scores(table, arguments)
        return
    if n:
        yield from _answers_of_rates(table, arguments)
    groups = groups_of(table.results)
    if n and table.good is not None and groups:
        fell = ", and where did it fall" if len(systems) == 2 else ""
        yield Answer(f"which {groups[0]} passes least{fell}?", f"algeval slices {arguments}")
    if n and votes:
        yield Answer(f"how good is each judge, by {people}?", f"algeval judges {arguments}")
        named = list(sources_of(table.results))
        if n >= _FEWEST_FOR_BIAS and named:
            which = f"{', '.join(named[:3])}{', ...' if named[3:] else ''}"
            yield Answer(f"is a judge biased by {which}?", f"algeval judges {arguments} --by all")
    if table.n_judges > 1:
        yield Answer(
            "how many judges must be wrong, whatever the truth?", f"algeval threshold {arguments}"
        )
    if table.n_judges > 2:
        yield Answer(
            "which label has each output, by all judges?",
            f"algeval aggregate {arguments} -o labels.csv",
        )
    if (votes or n) and n < table.n_items:
        yield Answer(
            "which outputs should people label next?",
            f"algeval next {arguments} --n 50 -o to_label.csv",
        )


def _answers_of_rates(table: _Table, arguments: str) -> Iterator[Answer]:
    """Rates and which system is better, by people's labels; of grades from a likely cut on."""
    systems, people = table.systems, how_many(table.n_labels, "human label")
    if table.good is None:
        if grade := likely_grade(table.results.votes):
            cut = f"{arguments} --cut {shlex.quote(grade)}"
            yield from _answers_of_grades(table, cut, grade)
        return
    each = f" of {', '.join(systems[:4])}" if len(systems) > 1 else ""
    yield Answer(
        f"how often is the truth {table.truth}{each}, by {people}?", f"algeval rate {arguments}"
    )
    if len(systems) > 1:
        which = f"{systems[0]} or {systems[1]}" if len(systems) == 2 else "of all systems"
        both = table.labelled_for_all()
        how = f", by {how_many(both, 'prompt')} labelled for all" if both else ""
        yield Answer(f"which is better, {which}{how}?", f"algeval versus {arguments}")


def _answers_of_grades(table: _Table, arguments: str, grade: str) -> Iterator[Answer]:
    """What grades answer once they are cut, as `arguments` say."""
    people = how_many(table.n_labels, "human label")
    yield Answer(
        f"how often is the truth {grade} or more, by {people}?", f"algeval rate {arguments}"
    )
    if len(table.systems) > 1:
        which = " or ".join(table.systems) if len(table.systems) == 2 else "of all systems"
        yield Answer(f"which is better, {which}?", f"algeval versus {arguments}")


def _answers_of_scores(table: _Table, arguments: str) -> Iterator[Answer]:
    """What scores answer as they are, and what they do with the cut that `Missing` suggests, by labels."""
    n, scores = table.n_labels, table.results.scores
    if n and scores is not None:
        people = how_many(n, "human label")
        cut = f"--cut {shlex.quote(typed_cut(suggested_cuts(scores)))}"
        own = scores.key_kind == "class"  # people say themselves what is good
        counted = f"how often is the truth {table.truth}" if own else "how often is an output good"
        of = "" if own else f" {cut}"
        if not own or table.good is not None:
            yield Answer(f"{counted}, by {people}?", f"algeval rate {arguments}{of}")
        if len(table.systems) > 1:
            which = " or ".join(table.systems) if len(table.systems) == 2 else "of all systems"
            yield Answer(f"which is better, {which}?", f"algeval versus {arguments} {cut}")
        yield Answer(
            f"how good is each judge from a cut on, by {people}?",
            f"algeval judges {arguments} {cut}",
        )
    if scores is not None and scores.n_judges >= FEWEST_SCORED:
        yield Answer(
            "what is each output's score, by all judges?",
            f"algeval aggregate {arguments} --scores -o scores_out.csv",
        )


def _missing(table: _Table, arguments: str) -> Iterator[Missing]:
    results, n = table.results, table.n_labels
    if table.only_scores:
        scores = results.scores
        at = "X" if scores is None else typed_cut(suggested_cuts(scores))
        bad = scores is not None and all(map(is_bad_news, scores.judges))
        needs = (
            f"a score from which an output {'fails' if bad else 'passes'}: --cut {shlex.quote(at)}"
        )
        yield Missing("pass or fail", needs)
    alone = not table.n_judges and not table.only_scores
    if alone:
        yield Missing("anything about judges", "a column of verdicts: --judges NAME")
    if alone and not n:
        return
    if (table.n_judges or alone) and table.good is None:
        labels = ", ".join(map(repr, results.labels[:6])) + (", ..." * (len(results.labels) > 6))
        of_votes = results.judged or alone
        cut = likely_grade(results.votes) if of_votes else upper_half(results.labels)
        or_from = f", or from which on they do: --cut {cut}" if cut else ""
        which = f"which label counts, of {labels}: --good LABEL{or_from}"
        yield Missing("the rate of good outputs", which)
    elif table.n_judges or alone:
        yield from _labels_for_rate(table, arguments)
    if (table.n_judges or alone) and len(table.systems) == 2:
        yield from _labels_for_difference(table)
    elif (table.n_judges or alone) and len(table.systems) < 2:
        yield Missing(
            "which of two systems is better",
            "a column that says whose output it is (--system), or the file of a second system: "
            "algeval versus a.csv b.csv",
        )
    if 0 < table.n_judges < 3:
        yield Missing("one label an output, by all judges", "three judges or more")
    small = [name for name, groups in results.slices.items() if _small_groups(results, groups)]
    if small and n:
        yield Missing(
            f"rates by {', '.join(small[:3])}", f"{_FEWEST_OF_A_GROUP} human labels in each group"
        )
    yield from _runs_of_judges(table)


def _runs_of_judges(table: _Table) -> Iterator[Missing]:
    results = table.results
    if not table.n_judges or results.n_trials > 1 or results.runs:
        return
    trials = results.reading.named("trial")
    needs = "three runs on some 50 outputs (--trial)"
    if trials:
        needs = f"some 50 outputs judged three times each; {trials[0]!r} numbers outputs here"
    yield Missing("how far a judge agrees with itself", needs)


def _labels_for_rate(table: _Table, arguments: str) -> Iterator[Missing]:
    """Labels that would bring the rate, of each system, to within ten points, and to within five."""
    parts = table.results.by_system
    if len(parts) > 1:
        yield from _labels_for_rates({n: _Table(p) for n, p in parts.items()}, table, arguments)
        return
    n, share = table.n_labels, table.share()
    steps = [(h, table.for_rate(h) - n) for h in (_WIDE, _NARROW)]
    steps = [(h, more) for h, more in steps if more > 0]
    if not steps:
        return
    words = " and ".join(f"{more} for +-{100 * h:.0f} points" for h, more in steps)
    extra = "more human labels" if n else "human labels"
    yield Missing(
        "a narrower interval of the rate" if n else f"the {table.rate_name}",
        f"{extra} of outputs drawn at random, about {words} (at a rate near {share:.0%}): "
        f"algeval next {arguments} --n {min(steps[0][1], table.n_items - n)} -o to_label.csv",
    )


_MOST_NAMED = 4


def _labels_for_rates(
    parts: Mapping[str, _Table], table: _Table, arguments: str
) -> Iterator[Missing]:
    """The same of each system, whose rate needs labels of its own outputs."""
    for half in (_WIDE, _NARROW):
        more = {name: part.for_rate(half) - part.n_labels for name, part in parts.items()}
        more = {name: n for name, n in more.items() if n > 0}
        if more:
            break
    else:
        return
    listed = [f"{n} of {name}" for name, n in list(more.items())[:_MOST_NAMED]]
    last = f"{len(more) - _MOST_NAMED} more systems" if len(more) > _MOST_NAMED else listed.pop()
    words = f"{', '.join(listed)} and {last}" if listed else last
    labels = "more human labels" if table.n_labels else "human labels"
    yield Missing(
        f"the rate of each system to within {100 * half:.0f} points",
        f"{labels} of its own outputs drawn at random, about {words}: "
        f"algeval next {arguments} --n {sum(more.values())} -o to_label.csv",
    )


def _labels_for_difference(table: _Table) -> Iterator[Missing]:
    """Prompts labelled for both systems that would show a difference of ten points."""
    if not table.results.pairs_prompts:
        return
    differing, both = table.differing(), table.labelled_for_all()
    wanted = connor(max(differing, _WIDE), _WIDE, _Z, _Z_POWER)
    n = len(set.intersection(*table.results.answered_prompts))
    who = "as judges say" if table.n_judges else "as people say" if both else "as systems may"
    words = f"if the two differ on {differing:.0%} of them, {who}"
    here = wanted if 2 * wanted < n else ceil(wanted * n / (wanted + n))  # all settle their own
    more = here - both
    if more <= 0 or both == n:
        return
    needs = f"about {more} {'more prompts' if both else 'prompts'} labelled for both, {words}"
    if 2 * wanted >= n:
        beyond = f", more than the {n} there are" if wanted > n else ""
        needs += f"; on more prompts like these about {wanted} prompts labelled for both{beyond}"
    yield Missing("a difference of 10 points between the two systems", needs)


def _small_groups(results: Results, groups: dict[str, str]) -> bool:
    """Whether some group of a column has few human labels."""
    labelled: dict[str, int] = dict.fromkeys(groups.values(), 0)
    for item, label in results.human.items():
        if label is not None and item in groups:
            labelled[groups[item]] += 1
    return 1 < len(labelled) <= 12 and min(labelled.values()) < _FEWEST_OF_A_GROUP


def _ranks(arguments: str, of: str) -> Answer:
    return Answer(f"which ranks may {of} have?", f"algeval leaderboard {arguments}")


def _answers_of_pairs(results: Results, arguments: str) -> Iterator[Answer]:
    if results.names_winners:
        yield _ranks(arguments, f"each of {how_many(len(results.systems), 'system')}")
    n = results.n_labelled
    if n and results.judged:
        yield Answer(
            f"how good is each judge, by {how_many(n, 'human label')}?",
            f"algeval judges {arguments}",
        )
    if len(results.judged) > 2:
        yield Answer(
            "which answer of each pair is better, by all judges?",
            f"algeval aggregate {arguments} -o labels.csv",
        )
    if len(results.judged) > 1:
        yield Answer(
            "how many judges must be wrong, whatever the truth?", f"algeval threshold {arguments}"
        )


_FEWEST_TURNED = 30
"""Pairs in both orders that show whether a judge prefers a side."""


def _judged_in_either_order(results: Results) -> int:
    """How many pairs stand in the rows with their two systems in either order."""
    systems, reading = results.reading.named("system"), results.reading
    if len(systems) != 2 or results.layout != "pairwise":
        return 0
    ids = [name for name in reading.item if name not in systems]
    columns = [reading.columns[name] for name in (*ids, *systems)]
    cells = ([(*column.texts, "")[code] for code in column.codes.tolist()] for column in columns)
    met = {*zip(*cells, strict=True)}
    return sum((*rest, b, a) in met for *rest, a, b in met if a < b)


def _missing_of_pairs(results: Results) -> Iterator[Missing]:
    if not results.human:
        yield Missing(
            "whether judges pick as people do", "human answers on some 60 pairs drawn at random"
        )
    if not (results.reading.named("swap") or _judged_in_either_order(results) >= _FEWEST_TURNED):
        yield Missing(
            "whether the side an answer stands on decides",
            f"some {_FEWEST_TURNED} pairs judged both ways round, and a column that says which (--swap)",
        )
