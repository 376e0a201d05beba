"""`label`: a labelling of a results table, in the browser or a terminal, until it is stopped."""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Sequence
from typing import Any

from algeval.data.names import check_number, check_whole
from algeval.errors import DataError, option, parameter
from algeval.io.formats import is_there
from algeval.io.results import Results
from algeval.io.sources import read_results
from algeval.io.tables import is_path
from algeval.label.choosing import Plan, Settings, Share, labels_of, plan_of
from algeval.label.sitting import Labelling, Sitting, begin, journal_path

Names = str | Sequence[str] | None


def label(
    source: Any,
    human: Any = None,
    who: Names = None,
    goal: str = "rate",
    *,
    good: object = None,
    labels: Sequence[str] | None = None,
    question: str | None = None,
    by: str | None = None,
    systems: Sequence[str] | None = None,
    against: object = None,
    width: object = None,
    level: float = 0.95,
    seed: int = 0,
    overlap: float = 0.0,
    part: tuple[int, int] = (1, 1),
    show: Names = (),
    journal: str | os.PathLike[str] | None = None,
    terminal: bool = False,
    browser: bool = True,
    port: int = 0,
    answer: Callable[[str], str | None] | None = None,
) -> Labelling:
    """Label items one at a time, blind, and see at once whether it is enough.

    A page on this machine shows an item, takes a label by a key, and keeps it on the disk before it shows the
    next. Items come at random, no judge's verdict is shown, and the interval beside them holds whenever you
    stop. It returns when the page is closed with "Stop", or by Ctrl-C.

    Parameters
    ----------
    source : Results, path or table
        A results table with texts to read; judges help the interval, and need not be there.
    human : str, or list of files or tables, optional
        The column or the files of labels that there are already; those items are not shown again.
    who : str or list of str, optional
        Who labels; by default the name of the user.
    goal : "rate", "difference", "judges", "slices" or "labels"
        A rate (of each system), which of two systems is better, which judge is the best, the rate of each
        slice, or better consensus labels, for which items are picked and no rate is made.
    good : str, optional
        The label that is counted; by default the one named like a pass.
    labels : list of str, optional
        What may be answered, two to nine; by default the labels of the judges, or pass and fail.
    question : str, optional
        What is asked of every item.
    by : str, optional
        The column of slices, by goal "slices".
    systems : two names, optional
        By goal "difference"; by default the two there are.
    against : number, optional
        Stop when the rate is known to be above or below it.
    width : number, optional
        Stop when the interval is no wider; by default .2 where `against` is not named.
    level : float
        Chance that no interval ever shown misses.
    seed : int
        Of the order; the same for all people of a labelling.
    overlap : float
        The share of items that everybody labels, for their agreement.
    part : (k, m)
        Of several people on machines of their own, the k-th of m parts of the items.
    show : str or list of str, optional
        Columns to show beside the texts; "system" shows whose output it is.
    journal : path, optional
        Where labels are kept; by default beside the table, as NAME.labels.jsonl.
    terminal : bool
        In this terminal, and not in a browser.
    browser : bool
        Whether to open the browser, too; else the address is only printed.
    port : int
        By default any that is free.
    answer : function of an item, optional
        For a simulation with the truth known: the label of an item, or None for one that cannot be told. It
        is asked, and no person, until the rule says stop.

    Returns
    -------
    Labelling
        ok: the answer is decided; undetermined: it is not yet.

    Raises
    ------
    DataError
        If the table has nothing to read or to label, a journal is of another table, or Flask is not there.

    Notes
    -----
    `rate`, `versus`, `judges` and `report` take the journal as `human`. Hedged betting without replacement
    (Waudby-Smith and Ramdas 2024), helped by the judges as `LabelStream` is.

    Examples
    --------
    >>> import algeval as ae
    >>> ae.label("results.csv", who="anna")  # doctest: +SKIP
    >>> ae.label("results.csv", answer=truth.get)  # doctest: +SKIP
    """
    sitting = sitting_of(
        source,
        human,
        who,
        settings={
            "goal": goal,
            "good": good,
            "labels": labels,
            "by": by,
            "systems": systems,
            "against": against,
            "width": width,
            "level": level,
            "seed": seed,
        },
        share=share_of(overlap, part),
        show=show,
        journal=journal,
    )
    if answer is not None:
        _simulated(sitting, answer)
    elif terminal:
        from algeval.label.terminal import run

        run(sitting, question)
    else:
        from algeval.label.server import serve

        serve(sitting, question, browser=browser, port=check_whole("port", port, least=0))
    return sitting.result()


def _simulated(sitting: Sitting, answer: Callable[[str], str | None]) -> None:
    """Label with a function until the rule says stop, or nothing is left."""
    who = sitting.people[0]
    while not sitting.live.stop and (view := sitting.view(who)).item is not None:
        said = answer(view.item)
        sitting.act(who, "unsure" if said is None else "label", label=said)


def share_of(overlap: object, part: tuple[int, int]) -> Share:
    """Part of the items that the people of this sitting label."""
    share = check_number("overlap", overlap, least=0, most=1)
    k, m = part
    if not (1 <= k <= m):
        raise DataError(
            f"part must be K of M parts, from 1 to M; got {k}/{m}; write 1/2 on one machine"
        )
    return Share((int(k), int(m)), float(share))


def plan_from(source: Any, human: Any, settings: dict[str, Any]) -> Plan:
    """Plan of a labelling of a table."""
    results = source if isinstance(source, Results) else _read(source, human)
    before = {item: said for item, said in results.human.items() if said is not None}
    if isinstance(human, str) and human not in results.said and not is_there(human):
        before = {}
    own = dict(settings)
    names, good = labels_of(results, own["labels"], own["good"])
    before = {item: said for item, said in before.items() if said in names}
    systems = own["systems"]
    if own["goal"] == "difference" and systems is None:
        systems = tuple(results.by_system)
    against = own["against"]
    low = -1 if own["goal"] == "difference" else 0
    checked = Settings(
        goal=own["goal"],
        labels=names,
        good=good,
        by=own["by"],
        systems=tuple(systems or ()),
        seed=check_whole("seed", own["seed"], least=0),
        level=check_number("level", own["level"], least=0, most=1, strict=True),
        against=None if against is None else check_number("against", against, least=low, most=1),
        width=None
        if own["width"] is None
        else check_number("width", own["width"], least=0, most=2),
    )
    return plan_of(results, checked, before)


def _read(source: Any, human: Any) -> Results:
    """Results table; a column that is not there yet is one to be made."""
    if human is None:
        return read_results(source)
    try:
        return read_results(source, human=human)
    except DataError:
        results = read_results(source)
        if not isinstance(human, str) or human in results.reading.columns or is_there(human):
            raise
        return results


def sitting_of(
    source: Any,
    human: Any,
    who: Names,
    *,
    settings: dict[str, Any],
    share: Share,
    show: Names = (),
    journal: str | os.PathLike[str] | None = None,
) -> Sitting:
    """Sitting on the journal of a table."""
    people = names_of(who) or (_user(),)
    if journal is None:
        if not is_path(source):
            raise DataError(
                f"{parameter('journal')} must name a file for the labels where the table is none; got "
                "none; pass journal='NAME.labels.jsonl'"
            )
        journal = journal_path(source)
    plan = plan_from(source, human, settings)
    columns = plan.results.reading.columns
    wanted = names_of(show)
    for name in wanted:
        if name != "system" and name not in columns:
            raise DataError(
                f"{option('show')} must name columns, or system; got {name!r}; the columns are "
                f"{list(columns)}"
            )
        if name in plan.results.roles and plan.results.roles[name] in (
            "judge",
            "human",
            "reason",
            "score",
        ):
            raise DataError(
                f"{option('show')} must leave judges and people out, as labels are given blind; "
                f"got {name!r}; leave it out"
            )
    if not plan.results.reading.named("prompt", "text") and not wanted:
        roles = plan.results.roles
        wanted = tuple(
            name
            for name in columns
            if roles.get(name) in ("ignored", "slice", "covariate")
            and len(columns[name].texts) > len(plan.results.items) / 2  # groups are nothing to read
        )
    if not plan.results.reading.named("prompt", "text") and not wanted:
        raise DataError(
            f"{plan.results.name} must have texts to read; got none in {list(columns)}; name columns of them "
            f"with {option('text')}"
        )
    return begin(plan, journal, people, share=share, show=wanted)


def names_of(names: Names) -> tuple[str, ...]:
    """Names as a tuple, from one or several."""
    if names is None:
        return ()
    parts = names.split(",") if isinstance(names, str) else list(names)
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "me"
