"""`panel`: how many judges must fall short."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import heappop, heappush
from itertools import combinations
from typing import Any

import numpy as np

from algeval.data import Specification
from algeval.data.reading import Data
from algeval.door import reads
from algeval.errors import DataError, TooLargeError
from algeval.logic.exam import (
    Exam,
    System,
    hard_words,
    order_words,
    orders_down_from,
    read_exam,
    read_specification,
    spelled_as,
    system_of,
)
from algeval.logic.orders.base import Order, certified, decide, refuted, restricted, shown
from algeval.logic.orders.order1 import Order1, find_key, has_box, interval, tables_in_time
from algeval.logic.policy import (
    CONFLICTS_SHARE,
    GROUP_WORK,
    GROWING_WORK,
    KEYS_SHARE,
    LEVEL_SHARE,
    MOST_PAIRS,
    MOST_PANEL_ROWS,
    NEAR_WORK,
    PAIRS_SHARE,
    SAFE,
    SHRUNK_BELOW,
    STEP_SHARE,
    WITHOUT_CLOCK,
)
from algeval.logic.proof import (
    Blame,
    Clock,
    Conflict,
    Evidence,
    Outcome,
    Program,
    Row,
    grow_blame,
    propose_integers,
    question_clock,
)
from algeval.logic.questions.asking import highest_that_fits, order_of
from algeval.logic.results import Panel
from algeval.progress import within
from algeval.result import Status, percent
from algeval.result.base import with_reading
from algeval.result.numbers import how_many

# --- The largest panel at any order: conflicts found from small to large, and a set that hits them
# all.
#
# Sets of judges that cannot meet the conditions together are found from small to large: single
# judges, pairs, then whatever still stands in the way of the largest panel the known conflicts
# allow. A refutation names few judges, so what it does not name is left out of the conflict. The
# fewest judges that meet every certified conflict is the bound; a blame tree proves it.


@dataclass(frozen=True, slots=True, eq=False)
class PanelFound:
    """The largest panel known with its witness, and how many judges are proved to fall short."""

    panel: tuple[int, ...] = ()
    witness: Evidence | None = None
    violators: int = 0
    evidence: Evidence | None = None
    failing: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    late: bool = False
    """Whether time ran out before all pairs were compared."""
    near: tuple[tuple[int, ...], Fraction] | None = None
    """Judges left undecided together, and the level they do not exceed even if items are divisible."""


def smallest_hitting(
    n_judges: int, conflicts: Sequence[Conflict], clock: Clock | None = None
) -> frozenset[int] | None:
    """Fewest judges that meet every conflict, as the solver proposes."""
    rows = [Row(("hit",), dict.fromkeys(c.order, 1), False, 1) for c in conflicts]
    program = Program(rows, [0] * n_judges, [1] * n_judges)
    values = propose_integers(
        program, objective=dict.fromkeys(range(n_judges), -1.0), clock=clock
    ).values
    return None if values is None else frozenset(i for i, v in enumerate(values) if v)


def search(
    order: Order, spec: Specification, clock: Clock, *, enough: int | None = None
) -> PanelFound:
    """Largest panel found.

    enough : stop at a panel of this size.
    """
    return _Search(order, spec, clock).run(enough)


class _Search:
    def __init__(self, order: Order, spec: Specification, clock: Clock) -> None:
        self.order, self.exam, self.spec, self.clock = order, order.exam, spec, clock
        self.searching = clock.part(share=CONFLICTS_SHARE)
        self.known: list[Conflict] = []
        self.undecided: list[Conflict] = []

    def run(self, enough: int | None) -> PanelFound:
        """Look for conflicts until the panel they leave has a witness, or time runs out."""
        if not self.searching.over and not self.order.counted_in_time(self.searching):
            return PanelFound(late=True)
        everyone = list(range(self.exam.n_judges))
        all_of_them = Outcome()
        if not self.searching.over:
            all_of_them = self.decide(everyone, self.searching.part(share=LEVEL_SHARE))
        witness = self._shown(everyone, all_of_them)
        if witness is not None:
            return PanelFound(tuple(everyone), witness)
        for i in everyone:
            result = None if self.searching.over else self.conflict([i])
            self.known += [] if result is None else [result]
        failing = tuple(c.order[0] for c in self.known)
        able = [i for i in range(self.exam.n_judges) if i not in failing]
        self._compare_pairs(able)
        pairs = [(c.order[0], c.order[1]) for c in self.known if len(c.order) == 2]
        whole = _as_conflict(everyone, all_of_them)
        if whole is not None and not self.known:
            self.known.append(self._shrunk(whole))
        panel, witness = self._largest(enough)
        near = None
        if witness is None and enough is None:
            near = self._near()
            panel, witness = self._grow(able, pairs)
        blame = Blame(self.exam.n_judges, lambda _: None, Clock(None), self.known)
        most = self.exam.n_judges - len(panel)
        violators, evidence = grow_blame(blame, self.exam.judges, most)
        return PanelFound(panel, witness, violators, evidence, failing, tuple(pairs), near=near)

    def _compare_pairs(self, able: Sequence[int]) -> None:
        """Add every pair that cannot meet the conditions, but for those seen to meet them."""
        met = None if self.searching.over else self.order.pairs_met(self.spec, self.searching)
        for pair in combinations(able, 2):
            if self.searching.over:
                break
            result = None if met is not None and met[pair] else self.conflict(list(pair))
            self.known += [] if result is None else [result]

    # one group of judges

    def decide(self, group: Sequence[int], clock: Clock) -> Outcome:
        """Settle whether a group can meet the conditions, from their own answers."""
        return decide(self.order.select(group), restricted(self.spec, self.exam, group), clock)

    def conflict(self, group: Sequence[int]) -> Conflict | None:
        """Group as a certified conflict, or None."""
        return _as_conflict(group, self.decide(group, self.searching.part(GROUP_WORK)))

    def _shrunk(self, conflict: Conflict) -> Conflict:
        """Leave out the judges that a refutation does not name, then others one by one."""
        names = [self.exam.judges[i] for i in conflict.order]
        named = [conflict.order[index] for index in sorted(_named(conflict.evidence, names))]
        smaller = self.conflict(named) if 0 < len(named) < len(conflict.order) else None
        best = smaller or conflict
        for judge in best.order if len(best.order) <= SHRUNK_BELOW else ():
            rest = [i for i in best.order if i != judge]
            if rest and not self.searching.over:
                best = self.conflict(rest) or best
        return best

    # the largest panel

    def _largest(self, enough: int | None) -> tuple[tuple[int, ...], Evidence | None]:
        everyone = frozenset(range(self.exam.n_judges))
        while not self.searching.over:
            conflicts = [*self.known, *self.undecided]
            left_out = smallest_hitting(self.exam.n_judges, conflicts, self.searching)
            if left_out is None or left_out == everyone:
                break
            group = sorted(everyone - left_out)
            if enough is not None and len(group) > enough:
                group = self._part(group, enough)
            if enough is not None and len(group) < enough:
                break
            outcome = self.decide(group, self.searching.part(GROUP_WORK))
            witness = self._shown(group, outcome)
            if witness is not None:
                return tuple(group), witness
            result = _as_conflict(group, outcome)
            if result is None:
                self.undecided.append(Conflict(frozenset(group), tuple(group), {}))
            else:
                self.known.append(self._shrunk(result))
        return (), None

    def _near(self) -> tuple[tuple[int, ...], Fraction] | None:
        """Judges in no conflict that was proved, and what they do not exceed if items are divisible."""
        clock = self.clock.part(NEAR_WORK, share=LEVEL_SHARE)
        left_out = None
        if self.spec.level is not None and not clock.over:
            left_out = smallest_hitting(self.exam.n_judges, self.known, clock)
        if left_out is None or len(left_out) == self.exam.n_judges:
            return None
        group = tuple(i for i in range(self.exam.n_judges) if i not in left_out)
        bound = self.order.select(group).bound(clock)
        return None if bound is None else (group, bound[0])

    def _part(self, group: list[int], size: int) -> list[int]:
        """As many judges as are asked for, those in the fewest conflicts."""
        busy = {i: sum(i in c.members for c in self.known) for i in group}
        return sorted(sorted(group, key=lambda i: busy[i])[:size])

    def _grow(
        self, able: Sequence[int], pairs: Sequence[tuple[int, int]]
    ) -> tuple[tuple[int, ...], Evidence | None]:
        """Add judge after judge while a witness is found, those in the fewest pairs first."""
        self.searching = self.clock.part()
        against: dict[int, set[int]] = {i: set() for i in able}
        for i, j in pairs:
            against[i].add(j)
            against[j].add(i)
        results: list[tuple[list[int], Outcome]] = []
        for i in sorted(able, key=lambda i: len(against[i])):
            if self.searching.over:
                break
            group = results[-1][0] if results else []
            if not against[i] & set(group):
                outcome = self.decide(
                    [*group, i], self.searching.part(GROWING_WORK, share=LEVEL_SHARE)
                )
                if outcome.possible:
                    results.append(([*group, i], outcome))
        while results:
            group, outcome = results.pop()
            witness = self._shown(group, outcome)
            if witness is not None:
                return tuple(group), witness
        return (), None

    def _shown(self, group: Sequence[int], outcome: Outcome) -> Evidence | None:
        if outcome.witness is None:
            return None
        return shown(self.order, group, self.spec, outcome.witness, self.clock.part())


def _as_conflict(group: Sequence[int], outcome: Outcome) -> Conflict | None:
    if outcome.refutation is None:
        return None
    return Conflict(frozenset(group), tuple(group), outcome.refutation)


def _named(evidence: Mapping[str, Any], names: Sequence[str]) -> set[int]:
    """Places of the judges whose conditions a refutation uses."""
    results: set[int] = set()
    if evidence["kind"] == "together":
        evidence = evidence["evidence"]
    if evidence["kind"] == "conflicts":
        return {names.index(name) for c in evidence["conflicts"] for name in c["judges"]}
    if evidence["kind"] == "chains":
        sides = [case[side] for case in evidence["cases"] for side in ("at_least", "at_most")]
        whole = [(who, *(step[0] for step in steps)) for who, _, steps in sides]
        return {names.index(name) for chain in whole for name in chain}
    for leaf in _leaves(evidence.get("tree", evidence)):
        if leaf["kind"] == "cap":
            results |= {names.index(name) for name in leaf["judges"] if name is not None}
        elif leaf["kind"] == "weights":
            for table in (leaf["weights"], leaf.get("correct", ())):
                results |= {i for i, row in enumerate(table) if any(y != "0" for y in row)}
        else:
            kinds = ("condition", "cap", "rounded")
            results |= {row[2] for row, _ in leaf["rows"] if row[0] in kinds and row[2] is not None}
    return results


def _leaves(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if "split" in here:
            waiting += [here["low"], here["high"]]
        else:
            yield here


# --- The largest panel at order 1, where only accuracies from below and bounds on the key are
# asked.
#
# With two labels every judge allows an interval of answer keys, and the largest panel is the depth of the
# intervals. With more, an integer program proposes the panel; conflicts and a blame tree prove it.


def largest_panel(order: Order1, spec: Specification, clock: Clock) -> PanelFound:
    """Largest panel at order 1, with the evidence that no larger one will do."""
    exam = order.exam
    system = system_of(exam, read_specification(exam, spec))
    everyone = range(exam.n_judges)
    able = []
    for i in everyone:
        if i % WITHOUT_CLOCK == WITHOUT_CLOCK - 1 and clock.over:
            return PanelFound(late=True)
        if find_key(system.select([i]), clock)[0] is not None:
            able.append(i)
    pairs, complete = pairwise_conflicts(system, able, clock.part(share=PAIRS_SHARE))
    if _bounded(system) and not has_box(system):  # these rest on a solver's word until proved
        pairs = [pair for pair in pairs if _conflict(order, spec, pair, clock) is not None]
    if system.n_labels == 2:
        result = _two_labels(order, system, clock)
    else:
        result = _many_labels(order, spec, system, able, pairs, clock)
    names = set(able)
    failing = tuple(i for i in everyone if i not in names)
    return replace(result, failing=failing, pairs=tuple(pairs), late=not complete)


def _shown_on(
    order: Order1, system: System, panel: Sequence[int], key: tuple[int, ...], clock: Clock
) -> PanelFound:
    """Panel with tables in which its judges, at least, meet their levels at this key.

    Where time runs out before the tables are laid out no panel is shown.
    """
    exam, members = order.exam, set(panel)
    free = (exam.n_items,) * exam.n_labels
    caps = tuple(system.caps[i] if i in members else free for i in range(exam.n_judges))
    tables = tables_in_time(exam, replace(system, caps=caps), key, clock)
    if tables is None:
        return PanelFound()
    names = [exam.judges[i] for i in panel]
    return PanelFound(tuple(panel), order.at_key(key, tables) | {"judges": names})


# two labels


def _two_labels(order: Order1, system: System, clock: Clock) -> PanelFound:
    exam = order.exam
    ends = {i: end for i in range(exam.n_judges) if (end := interval(system, i)) is not None}
    chains = _chains(ends)
    names = [[exam.judges[i] for i in chain] for chain in chains]
    evidence = {"kind": "conflicts", "chains": names}
    violators = exam.n_judges - len(chains)
    if not ends:
        return PanelFound(violators=violators, evidence=evidence)
    first = _deepest(list(ends.values()))
    panel = [i for i, (a, b) in ends.items() if a <= first <= b]
    result = _shown_on(order, system, panel, (first, exam.n_items - first), clock)
    return replace(result, violators=violators, evidence=evidence if violators else None)


def _deepest(ends: Sequence[tuple[int, int]]) -> int:
    """Start of an interval that lies in the most intervals, the first listed of these."""
    starts, stops = sorted(a for a, _ in ends), sorted(b for _, b in ends)
    return max((a for a, _ in ends), key=lambda q: bisect_right(starts, q) - bisect_left(stops, q))


def _chains(ends: dict[int, tuple[int, int]]) -> list[list[int]]:
    """Colour intervals into as few chains of disjoint ones as there is depth."""
    chains: list[list[int]] = []
    busy: list[tuple[int, int]] = []
    for i in sorted(ends, key=lambda i: ends[i]):
        low, high = ends[i]
        if busy and busy[0][0] < low:
            _, chain = heappop(busy)
            chains[chain].append(i)
        else:
            chain = len(chains)
            chains.append([i])
        heappush(busy, (high, chain))
    return chains


# more labels


def _many_labels(
    order: Order1,
    spec: Specification,
    system: System,
    able: list[int],
    pairs: Sequence[tuple[int, int]],
    clock: Clock,
) -> PanelFound:
    result = _largest(order, system, able, clock)

    def conflict(among: frozenset[int]) -> Conflict | None:
        rest = sorted(among)
        group = next(
            ([i] for i in rest if i not in able),
            next(([i, j] for i, j in pairs if i in among and j in among), rest),
        )
        return _conflict(order, spec, group, clock)

    n_judges = order.exam.n_judges
    blame = Blame(n_judges, conflict, clock)
    violators, evidence = grow_blame(blame, order.exam.judges, n_judges - len(result.panel))
    return replace(result, violators=violators, evidence=evidence)


def _conflict(
    order: Order1, spec: Specification, group: Sequence[int], clock: Clock
) -> Conflict | None:
    """Certified set of judges within the group that cannot meet it together.

    It names one judge at least, also where no answer key is allowed at all.
    """
    outcome = decide(order.select(group), restricted(spec, order.exam, group), clock)
    if outcome.refutation is None:
        return None
    members = [group[index] for index in outcome.judges] or list(group[:1])
    if len(members) < len(group):
        outcome = decide(order.select(members), restricted(spec, order.exam, members), clock)
    if outcome.refutation is None:
        return None
    return Conflict(frozenset(members), tuple(members), outcome.refutation)


def _largest(order: Order1, system: System, able: list[int], clock: Clock) -> PanelFound:
    everyone, _ = find_key(system.select(able), clock)
    if able and everyone is not None:
        return _shown_on(order, system, able, everyone, clock)
    for key in _proposed_keys(system, able, clock.part(share=KEYS_SHARE)):
        panel = [i for i in able if system.select([i]).admits(key)]
        if panel:
            return _shown_on(order, system, panel, key, clock)
    return PanelFound()


def _proposed_keys(system: System, able: list[int], clock: Clock) -> Iterator[tuple[int, ...]]:
    """Yield answer keys that many judges may admit: the solver's, then the best of single judges'."""
    small = len(able) * system.n_labels <= MOST_PANEL_ROWS
    if small and not clock.over:
        program, objective = _panel_program(system, able)
        proposal = propose_integers(program, objective=objective, clock=clock)
        if not proposal.finished:
            clock.note_time()
        if able and proposal.values is not None:
            yield tuple(proposal.values[: system.n_labels])
    best: tuple[int, tuple[int, ...]] | None = None
    for i in able:
        key, _ = find_key(system.select([i]), clock)
        if key is not None:
            size = sum(system.excess(j, key) <= system.excused[j] for j in able)
            best = max(best or (0, key), (size, key), key=lambda found: found[0])
        if small or clock.over:
            break
    if best is not None:
        yield best[1]


def _panel_program(system: System, able: list[int]) -> tuple[Program, dict[int, float]]:
    """Columns q[t]; then per judge z (it is on the panel) and its items above its caps per label."""
    R, Q = system.n_labels, system.n_items
    rows = [Row(("size",), dict.fromkeys(range(R), 1), True, Q)]
    lower, upper = list(system.low), list(system.high)
    objective: dict[int, float] = {}
    for i in able:
        z = len(lower)
        objective[z] = 1.0
        excused = system.excused[i]
        lower += [0] * (1 + (R if excused else 0))
        upper += [1] + ([excused] * R if excused else [])
        for t, cap in enumerate(system.caps[i]):
            terms = {t: -1, z: -(Q - cap)} | ({z + 1 + t: 1} if excused else {})
            rows.append(Row(("member", i, t), terms, False, -Q))
        if excused:
            above = {z + 1 + t: -1 for t in range(R)}
            rows.append(Row(("excused", i), above, False, -excused))
    return Program(rows, lower, upper), objective


def pairwise_conflicts(
    system: System, able: Sequence[int], clock: Clock
) -> tuple[list[tuple[int, int]], bool]:
    """Pairs of judges, each able alone, that cannot both meet their levels.

    At most `MOST_PAIRS` of them; and whether time sufficed. Two judges share an answer key
    exactly when, for every way to split the labels between them, their caps and the items they
    are not held to suffice (intersection of two polymatroids).
    """
    pairs: list[tuple[int, int]] = []
    against = _asked_in_turn if _bounded(system) else _too_few
    for index, conflicting in against(system, able, clock):
        if conflicting is None:
            return pairs, False
        pairs += [(able[index], j) for j in conflicting]
        if len(pairs) > MOST_PAIRS:
            return pairs[:MOST_PAIRS], True
    return pairs, True


Against = Iterator[tuple[int, Sequence[int] | None]]
"""The place of a judge, and which of the later ones exclude it (None: time ran out)."""


def _too_few(system: System, able: Sequence[int], clock: Clock) -> Against:
    """Compare each judge with all later ones at once: caps and excused items that do not reach Q."""
    exact = object if system.n_items * (system.n_labels + 2) > SAFE else np.int64
    caps = np.array([system.caps[i] for i in able], exact).reshape(len(able), system.n_labels)
    excused = np.array([system.excused[i] for i in able], exact)
    for index in range(len(able)):
        if index % WITHOUT_CLOCK == WITHOUT_CLOCK - 1 and clock.over:
            yield index, None
        reach = np.minimum(caps[index], caps[index + 1 :]).sum(1) + excused[index + 1 :]
        later = np.flatnonzero(reach + excused[index] < system.n_items) + index + 1
        yield index, [able[j] for j in later.tolist()]


def _asked_in_turn(system: System, able: Sequence[int], clock: Clock) -> Against:
    """Look for a key of each two judges, where the key itself is bounded."""
    for index, i in enumerate(able):
        results = []
        for j in able[index + 1 :]:
            key, certain = find_key(system.select([i, j]), clock)
            if key is None and not certain and clock.over:
                yield index, None
            if key is None and certain:
                results.append(j)
            if j % WITHOUT_CLOCK == WITHOUT_CLOCK - 1 and clock.over:
                yield index, None
        yield index, results


def _bounded(system: System) -> bool:
    return any(system.low) or any(high < system.n_items for high in system.high)


# --- How many judges must fall short, and the largest panel that might not.


@reads
def panel(
    data: Data,
    at_least: object = 0.6,
    *,
    order: int | str | None = None,
    missing: str = "excluded",
    require_labels: bool = False,
    time_limit: float | None = None,
) -> Panel:
    """How many judges must fall short of a specification, whatever the answer key.

    Use it after an alarm: it says how many judges the alarm is about, and which judges could all
    be as good as asked.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    at_least : number, text or Specification
        The accuracy asked of every judge on every label, or a whole specification.
    order : int, "full" or None
        How many judges' joint answers to use; None is the highest the data supports. What lower
        orders prove holds there too, and is taken where it is more.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.
    require_labels : bool
        Whether every label must occur in the answer key.
    time_limit : float or None
        Seconds after which what is proved so far is returned. By default work is counted, a minute or two of
        it, so that the answer is the same on any machine; `math.inf` for no limit.

    Returns
    -------
    Panel
        Status `ok` when `min_violators` and the largest panel add up to all judges; otherwise
        both stand, but may be improved: `time_limit`, `too_large` (order 1: the proof would need
        too many cases) or `undetermined` (other orders: some group of judges was not settled).

    Raises
    ------
    DataError
        If the data, the order or the specification breaks a rule.
    TooLargeError
        At orders 2 and full, if the program would have too many unknowns.

    Notes
    -----
    Two labels: every judge allows an interval of answer keys, and the largest panel is the depth of
    the intervals. More labels: an integer program, proved by conflicts and a blame tree. Orders 2
    and full: pairs of judges first, then whatever stands in the way of the largest panel they leave.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> three = {"x": {"a": 0, "b": 2}, "y": {"a": 1, "b": 1}, "z": {"a": 2, "b": 0}}
    >>> panel(Summary.from_counts(three), at_least=1).min_violators
    2
    """
    clock = question_clock(time_limit)
    exam = read_exam(data, missing)
    spec = Specification.of(at_least, require_labels=require_labels)
    if spec.min_judges is not None:
        raise DataError(
            f"a panel must be asked for without min_judges; got {spec.min_judges}; leave it out, the "
            "panel is the answer to how many"
        )
    spec, read = spelled_as(spec, exam.labels)
    spec.check_names(exam.judges, exam.labels)
    chosen = highest_that_fits(data, exam, order, clock)
    with within("counting judges that must miss it", time_limit):
        outcome, proved_by = _best(data, chosen, spec, clock)
    exact = outcome.violators + len(outcome.panel) == exam.n_judges
    witness = refutation = None
    if outcome.witness is not None:
        at_least_these = spec.by_at_least(len(outcome.panel))
        witness = certified(chosen, at_least_these, Outcome(witness=outcome.witness))
    if outcome.violators and outcome.evidence is not None:
        one_more = spec.by_at_least(exam.n_judges - outcome.violators + 1)
        refutation = refuted(proved_by, one_more, outcome.evidence)
    result = Panel(
        status=_status(clock, chosen.name, exact=exact, late=outcome.late),
        message=_sentence(exam, spec, outcome, chosen.name, exact=exact) + read,
        specification=spec,
        min_violators=outcome.violators,
        largest_panel=tuple(exam.judges[i] for i in outcome.panel),
        exact=exact,
        certificate=refutation,
        witness=witness,
        failing=tuple(exam.judges[i] for i in outcome.failing),
        pairwise=tuple((exam.judges[i], exam.judges[j]) for i, j in outcome.pairs),
        time_limit=time_limit,
        **exam.echo(chosen.name),
    )
    return with_reading(result, data)


def decide_panel(order: Order, spec: Specification, clock: Clock) -> Outcome:
    """Settle whether at least `spec.min_judges` judges can meet the conditions together."""
    n_judges = order.exam.n_judges
    needed = spec.min_judges or n_judges
    result = _find(order, Specification(spec.conditions), clock, enough=needed)
    if len(result.panel) >= needed and result.witness is not None:
        return Outcome(witness=result.witness)
    if result.violators >= n_judges - needed + 1 and result.evidence is not None:
        return Outcome(refutation=result.evidence)
    return Outcome()


def _find(
    order: Order, spec: Specification, clock: Clock, *, enough: int | None = None
) -> PanelFound:
    """Largest panel at one order."""
    if isinstance(order, Order1) and read_specification(order.exam, spec).simple:
        return largest_panel(order, spec, clock)
    return search(order, spec, clock, enough=enough)


def _best(data: Data, order: Order, spec: Specification, clock: Clock) -> tuple[PanelFound, Order]:
    """Largest panel at an order, and the order that proves how many fall short.

    Where an order leaves something open, each lower one is asked whether it proves more.
    """
    part = clock.part() if order.name == 1 else clock.part(share=STEP_SHARE)
    pairs, proved_by = _find(order, spec, part), order
    n_judges = order.exam.n_judges
    for name in orders_down_from(data, order.name)[1:]:
        if pairs.violators + len(pairs.panel) == n_judges:
            break
        lower = order_of(data, order.exam, name)
        part = clock.part() if name == 1 else clock.part(share=STEP_SHARE)
        try:
            more = _find(lower, spec, part)
        except TooLargeError:  # it could only have proved more
            continue
        if more.violators > pairs.violators:
            kept = replace(pairs, violators=more.violators, evidence=more.evidence)
            pairs, proved_by = kept, lower
    return pairs, proved_by


def _status(clock: Clock, order: int | str, *, exact: bool, late: bool) -> Status:
    if exact and not late:
        return Status.OK
    if clock.out_of_time or clock.over or late:
        return Status.TIME_LIMIT
    return Status.TOO_LARGE if order == 1 else Status.UNDETERMINED


def _sentence(
    exam: Exam, spec: Specification, panel_: PanelFound, order: int | str, *, exact: bool
) -> str:
    n, size, words = exam.n_judges, len(panel_.panel), f"{spec.short()} ({order_words(order)})"
    if panel_.violators == 0 and exact:
        who = "the one judge" if n == 1 else f"all {n} judges"
        return f"Some answer key lets {who} meet this: {words}."
    miss = "misses" if panel_.violators == 1 else "miss"
    text = f"At least {panel_.violators} of {how_many(n, 'judge')} {miss} this: {words}."
    found_panel = (
        f"The largest set found that could meet it together has {how_many(size, 'judge')}."
    )
    return text if exact else f"{text} {found_panel}{_why_open(exam, spec, panel_, order)}"


def _why_open(exam: Exam, spec: Specification, panel_: PanelFound, order: int | str) -> str:
    """Why a larger panel was neither shown nor refuted."""
    if panel_.near is None or spec.level is None:
        return hard_words(exam, order)
    (group, bound), level = panel_.near, spec.level[0]
    if len(group) > exam.n_judges - panel_.violators:
        return hard_words(exam, order)
    who = "all judges" if len(group) == exam.n_judges else f"{len(group)} of the judges"
    if bound < level:
        return (
            f" No answer key lets {who} exceed {percent(bound)} even if items are divisible between "
            "labels, so more time should show that more miss it."
        )
    return hard_words(exam, order, f"For {who} the level", (level, bound))
