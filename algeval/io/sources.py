"""What people have, as data a method reads: the one door of every public function above."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import (
    Any,
    Literal,
    cast,
)

from algeval.data import KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.names import Axes
from algeval.data.read import votes_of
from algeval.data.reading import Data, Source, refuse_scores, scores_refused
from algeval.data.votes import GroupedSketch, LabelledSketch
from algeval.errors import DataError, option, parameter
from algeval.io.answers import (
    UNSTATED,
    LoadOptions,
    ReadOptions,
    Rules,
    ScoreOptions,
    VoteOptions,
    answered,
    as_number,
    is_at_most,
    look_like_scores,
    people_of,
    takes,
)
from algeval.io.counting import (
    LARGE,
    LOOKED_AT,
    Enough,
    count_large,
    count_results,
    counted_frame,
    holds_people,
    open_large,
    rows_of,
)
from algeval.io.formats import Opened, is_document, is_there
from algeval.io.items import (
    KeySource,
    Labels,
    attribute_columns,
    index_of,
    is_waves,
    judge_columns,
    key_source,
    refuse_files_beside,
    refuse_two_questions,
    rows_by_index,
    values_of,
    waves_of,
)
from algeval.io.journal import is_journal
from algeval.io.layout import ColumnRoles, export_of, find_layout, needed_columns, shown
from algeval.io.reading import (
    Document,
    counts_of,
    has_more_columns,
    has_reader,
    open_source,
    read_sketch,
    refuse_export,
    says_columns,
    scores_in,
    scores_of_table,
    votes_of_table,
    with_attributes,
)
from algeval.io.results import PlainTable, Results, questions_error, results_of, where_to_cut
from algeval.io.summaries import Counted, CountsError, grid_as_votes, guard, read_summaries
from algeval.io.tables import MemoryTable, Table, is_path, is_relation, open_frame
from algeval.result.numbers import did_you_mean, how_many


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading a source gives: the data, and one sentence per thing that was done or assumed."""

    data: Data | Scores
    notes: tuple[str, ...]
    results: Results | None = None  # the table the data are part of, where it is one of results
    counted: Counted | None = None  # a table of counts


Kind = Literal["votes", "scores", "data", "data or scores"]
"""What is read: "data" may be a document of algeval too, "data or scores" what the numbers look like."""


def read(
    source: Any, options: ReadOptions, kind: Kind = "data", enough: Enough | None = None
) -> Reading:
    """Data in a source, and notes; `enough` says which counts will do of a large table or lazy frame."""
    if kind == "scores":
        return Reading(*_scores(source, options))
    if isinstance(source, Votes):
        return Reading(*_unread(source, options, "Votes"))
    if kind == "votes":
        refuse_scores(source)
    in_memory = isinstance(source, Scores | Sketch | KeyedSketch | Summary) and kind != "votes"
    if in_memory or (is_path(source) and is_document(source)):
        return _document(source, options, kind)
    counted = _table_of_counts(source, options)
    if counted is not None:
        if kind == "votes":
            raise _no_votes(counted)
        return Reading(counted.data, (counted.sentence, *counted.notes), counted=counted)
    if options.count is not None:
        return Reading(*counts_of(source, options))
    source = grid_as_votes(source, options)
    reading = _read_votes(source, options, kind, enough)
    if not _is_of_a_tool(source, options):
        guard(reading.data, source, options)
    return reading


def _table_of_counts(source: Any, options: ReadOptions) -> Counted | None:
    """Counts in a source, or what is asked of them; None where a reader of a tool's files takes it."""
    try:
        counted = read_summaries(source, options)
    except CountsError:
        if _is_of_a_tool(source, options):
            return None
        raise
    return None if counted is None or _is_of_a_tool(source, options) else counted


def _no_votes(counted: Counted) -> DataError:
    error = DataError(
        f"source must be a table of votes; got counts, which name no items ({counted.sentence}); use "
        f"read_counts or load, or pass {answered('rows', 'items')} if these are votes"
    )
    error.reading = counted
    return error


def _is_of_a_tool(source: Any, options: ReadOptions) -> bool:
    """Whether a reader of a tool's files takes a source."""
    return is_path(source) and options.rows is None and has_reader(source, options)


def _read_votes(source: Any, options: ReadOptions, kind: Kind, enough: Enough | None) -> Reading:
    """Votes of a table, or counts of a large one."""
    looks = kind == "data or scores" and not options.stated().keys() & LABELLING
    opened = None
    if enough is not None:
        opened = None if enough.of_wide_frames else open_large(source, options)
        made = _counted(source, options, enough, opened, looks=looks)
        if made is not None:
            return made
    if isinstance(source, Results):
        return _of_results(_changed(source, options), kind)
    return _of_source(source, options, kind, opened, looks=looks)


def _counted(
    source: Any, options: ReadOptions, enough: Enough, opened: Opened | None, *, looks: bool
) -> Reading | None:
    """Counts of a large table or lazy frame; None where it is to be read."""
    if opened is None:
        wide = enough.of_wide_frames
        counts = counted_frame(source, options, scores=looks, wide=wide)
        return None if counts is None else Reading(*counts)
    made = count_results(opened, options, name_of(source)) if enough.of_results else None
    if made is not None:
        return Reading(made[0], made[2], made[1])
    if enough.of_people and holds_people(opened, options, name_of(source)):
        return None
    counted = count_large(opened, options, enough, scores=looks)
    return None if counted is None else Reading(*counted)


def _of_source(
    source: Any, options: ReadOptions, kind: Kind, opened: Opened | None, *, looks: bool
) -> Reading:
    """Votes or scores of a table that is not in memory as such, plain or one of results."""
    roles, rules = ColumnRoles.of(options), Rules.of(options)
    human = people_of(options)
    plain = PlainTable()
    lazy = _first_rows(source)
    needed = None
    first = None if lazy is None else results_of(lazy, options, name_of(source))
    if lazy is not None and not isinstance(first, Results):
        human = first.human if first is not None and human is None else human
        column = human if isinstance(human, str) else None
        needed = None if looks else partial(needed_columns, roles=roles.with_key(column))
    table, roles = open_source(source, roles, options, needed, opened)
    _refuse_cuts(options, roles)
    if (of_tool := _of_a_tool(table, options, source, roles)) is not None:
        return _of_results(of_tool, kind)
    if not roles.from_reader and options.layout is None and needed is None:
        export = has_more_columns(table) or (export_of(table.names) and says_columns(options))
        if not roles.anything and not export:
            refuse_export(table)
        picked = results_of(table, options, name_of(source), source, always=bool(export))
        if isinstance(picked, Results):
            return _of_results(picked, kind)
        plain = picked
        human = picked.human if human is None else human
    truth = key_source(table, human, None if roles.from_reader else source)
    try:
        reading = _of_votes(table, roles, rules, truth, options, looks=looks)
    except DataError as error:
        complaint = None if error.questions else plain.complaint
        if complaint is None or _has_judges(table, roles.with_key(truth.taken), rules):
            unlike = str(error).startswith("judges must share answers") and not options.stated()
            other = _as_results(table, options, source) if unlike else None
            if other is None:
                raise
            return _of_results(other, kind)
        raise complaint from None
    texts, votes = plain.texts, reading.data
    if not texts or not isinstance(votes, Votes) or len(texts[0].cells) != votes.n_items:
        return reading
    shown = tuple(f"left out {t.name!r}: " for t in texts)  # with an item
    own, all_notes = (
        tuple(n for n in notes if not n.startswith(shown)) for notes in (votes.notes, reading.notes)
    )
    return replace(reading, data=replace(votes, notes=own, texts=texts), notes=all_notes)


def _refuse_cuts(options: ReadOptions, roles: ColumnRoles) -> None:
    """Refuse a cut of each column where no results table is read."""
    apart = isinstance(options.cut, Mapping) or is_at_most(options.cut)
    if apart and (roles.from_reader or options.layout is not None):
        raise DataError(
            f"{option('cut')} must be one number for this file; got {options.cut!r}, which only a results "
            "table takes; give one"
        )


def _of_a_tool(
    table: Table, options: ReadOptions, source: Any, roles: ColumnRoles
) -> Results | None:
    """Results of a tool's file in which people label what machines judge, or whose roles are stated."""
    unnamed = people_of(options) is None
    if not roles.from_reader or not (unnamed or options.columns is not None):
        return None
    people = table.people if isinstance(table, MemoryTable) else frozenset()
    labelled = unnamed and people - set(map(str, options.judges or ()))
    always = bool(labelled) or options.columns is not None
    try:
        picked = results_of(table, _read_by_a_tool(options), name_of(source), always=True)
    except DataError:
        if always:
            raise
        return None  # its votes are read as the tool says they are
    return picked if isinstance(picked, Results) and (always or picked.said) else None


def _as_results(table: Table, options: ReadOptions, source: Any) -> Results | None:
    """A table that the reader of votes refuses as one of results, with people or judges that say pass."""
    try:
        picked = results_of(table, options, name_of(source), source, always=True)
    except DataError:
        return None
    if not isinstance(picked, Results) or not picked.judged:
        return None
    speak = all(picked.reading.columns[j].speaks for j in picked.judged)
    return picked if picked.said or speak else None


def _has_judges(table: Table, roles: ColumnRoles, rules: Rules) -> bool:
    """Whether the reader of votes knows a table's judges, so that what it says is of their votes."""
    try:
        layout = find_layout(table, roles)
        if layout.kind == "wide":
            refuse_two_questions(judge_columns(table, layout, rules)[0], rules)
    except DataError:
        return roles.anything
    return True


def _of_votes(
    table: Table,
    roles: ColumnRoles,
    rules: Rules,
    truth: KeySource,
    options: ReadOptions,
    *,
    looks: bool,
) -> Reading:
    """Votes of a plain table, or scores where it `looks` like them."""
    roles = roles.with_key(truth.taken)
    n = scores_in(table, layout := find_layout(table, roles), rules) if looks else 0
    if not n:
        votes, notes = votes_of_table(table, roles, rules, truth)
        unnamed = people_of(options) is None
        n_labelled = 0 if votes.key is None else int((votes.key >= 0).sum())
        said = _people_note(n_labelled, truth.column) if unnamed and truth.column else ()
        return Reading(replace(votes, notes=(*votes.notes, *said)), (*notes, *said))
    scores, all_notes = scores_of_table(table, roles, layout, truth, options.missing)
    note = f"read as scores: {n} different numbers; {option('cut')} makes votes of them"
    return Reading(scores, (*all_notes[:-1], note, all_notes[-1]))


def _people_note(n: int, column: str) -> tuple[str, ...]:
    """Note on a column of labels that nobody named, but was recognised."""
    return (
        f"{how_many(n, 'item')} labelled by people ({column!r}): evidence for the rate, and what judges are "
        "scored by",
    )


def _first_rows(source: Any) -> Table | None:
    """The first rows of a lazy frame, None of anything else."""
    if is_path(source) or isinstance(source, list | tuple | Mapping) or is_relation(source):
        return None
    frame = open_frame(source)
    if frame is None or not frame.is_lazy:
        return None
    return MemoryTable(frame.cells(frame.names, LOOKED_AT))


def name_of(source: Any) -> str:
    """How sentences call a source: the name of its file, else its kind."""
    if isinstance(source, Results):
        return source.name
    if is_path(source):
        return Path(source).name
    if isinstance(source, list | tuple) and source and is_path(source[0]):
        return f"{Path(source[0]).name} and {len(source) - 1} more"
    return "the table"


def _of_results(results: Results, kind: Kind) -> Reading:
    """Votes of a results table, or its scores where that is what it holds and both will do."""
    if kind == "data or scores" and results.holds_scores:
        scores = results.scores
        if scores is not None:
            n = len({text for texts, _ in results.scored.values() for text in texts})
            note = f"read as scores: {n} different numbers; {option('cut')} makes votes of them"
            return Reading(scores, (*results.table_notes, *results.notes, note), results)
    votes = results.votes
    return Reading(votes, votes.notes, results)


def _changed(results: Results, options: ReadOptions) -> Results:
    """Results of some judges only, where these are named."""
    stated = options.stated()
    others = [name for name in stated if name != "judges"]
    if others:
        raise DataError(
            f"Results must be passed without reading options; got {option(others[0], reads=True)}; "
            "give it to read_results"
        )
    if options.judges is None:
        return results
    names = [str(name) for name in options.judges]
    unknown = [name for name in names if name not in results.judged]
    if unknown:
        raise DataError(
            f"judges must be those of the results, {list(results.judged)}; got {unknown[0]!r}; "
            f"{did_you_mean(unknown[0], results.judged)}"
        )
    return replace(results, judged={name: results.judged[name] for name in names})


LABELLING = {"labels", "exact_labels", "map", "cut", "swap"}
"""Options that say what the labels are, so that numbers are no scores."""


def _unread(data: Any, options: ReadOptions, name: str) -> tuple[Any, tuple[str, ...]]:
    """Votes or scores in memory, those of some judges where these are named."""
    others = [stated for stated in options.stated() if stated not in ("judges", "attributes")]
    if others:
        raise DataError(
            f"{name} must be passed without reading options; got {option(others[0], reads=True)}; "
            f"leave it out or build new {name}"
        )
    judges = options.judges
    return (data if judges is None else data.select(judges)), (f"source is {name} already",)


def _document(source: Any, options: ReadOptions, kind: Kind) -> Reading:
    """Counts or scores in memory, or a document of algeval, which know their judges."""
    if kind == "votes":
        raise DataError(
            f"source must be a table of votes; got {str(source)!r}, a document written by algeval; read it "
            "with read_sketch or load"
        )
    data = read_sketch(source) if is_path(source) else source
    name = Path(source).name if is_path(source) else ""
    stated = next((name for name in options.stated() if name != "good"), None)
    if stated is not None:
        raise DataError(
            f"{name or 'a sketch, summary or scores'} must be loaded without reading options; got "
            f"{option(stated, reads=True)}; it already knows its judges"
        )
    return Reading(data, (f"{name} read as a {type(data).__name__} document",) if name else ())


def _scores(source: Any, options: ReadOptions) -> tuple[Scores, tuple[str, ...]]:
    if isinstance(source, Votes):
        raise DataError(
            "source must be a table of scores; got Votes, which hold labels; pass what they were read from"
        )
    if is_path(source) and is_document(source):
        raise DataError(
            f"source must be a table of scores; got {str(source)!r}, a document written by algeval; read "
            "it with read_sketch or load"
        )
    if isinstance(source, Results):
        if source.scores is None:
            raise DataError(
                f"{source.name} must have a column of scores; got verdicts of {list(source.judged)}; "
                "ask for votes"
            )
        source = source.scores
    if isinstance(source, Scores):
        scores, notes = _unread(source, options, "Scores")
        joined = options.attributes
    else:
        scores, notes, joined = _scores_of(source, options)
    if joined is None:
        return scores, notes
    scores, more = with_attributes(scores, joined)
    return scores, (*notes, *more)


def _people_beside(
    table: Table, options: ReadOptions, source: Any
) -> tuple[str | None, Results | None]:
    """Column of people beside scores, that nobody named; of several people the results they are part of."""
    try:
        picked = results_of(table, options, name_of(source), source)
    except DataError:
        return None, None
    if isinstance(picked, PlainTable):
        return picked.human, None
    if not picked.said or picked.layout != "wide" or not set(picked.said) <= {*table.names}:
        return None, None
    return None, picked.as_scores()


def _scores_of(source: Any, options: ReadOptions) -> tuple[Scores, tuple[str, ...], Any]:
    """Scores of a table, notes, and the table of attributes that is to be joined."""
    table, roles = open_source(source, ColumnRoles.of(options), options)
    own, joined = attribute_columns(options.attributes, table.names)
    human, together = people_of(options), None
    if human is None and not roles.from_reader and not roles.anything and own is None:
        human, together = _people_beside(table, options, source)
    if together is not None and together.scores is not None:
        return together.scores, (*together.table_notes, *together.notes), joined
    try:
        truth = key_source(table, human, source)
        keyed = roles.with_attributes(own).with_key(truth.taken)
        layout = find_layout(table, keyed)
        scores, notes = scores_of_table(table, keyed, layout, truth, options.missing)
    except DataError:  # of a results table only its scores are
        plain = not roles.from_reader and options.layout is None and options.attributes is None
        picked = results_of(table, options, name_of(source), source) if plain else None
        if not isinstance(picked, Results) or picked.judged or picked.scores is None:
            raise
        return picked.scores, (*picked.table_notes, *picked.notes), joined
    if people_of(options) is None and isinstance(human, str) and scores.key is not None:
        n = sum(label is not None for label in scores.key)
        notes = (*notes, *_people_note(n, human))
    return scores, notes, joined


# --- The public readers.


def _votes_or(
    source: Any, options: ReadOptions, kind: Kind = "data", enough: Enough | None = None
) -> Reading:
    """What reading gives where data alone are wanted: of a table of ids and votes without the readers."""
    votes = None if options.stated() else votes_of(source)
    return read(source, options, kind, enough) if votes is None else Reading(votes, votes.notes)


@takes(VoteOptions)
def read_results(source: Any, options: ReadOptions) -> Results:
    """Read a results table: what people have after running judges, with every column in its role.

    Outputs and their ids, prompts, texts, judges, human answers, systems, trials, covariates, slices. Each
    column has a role and a reason; where two readings would change an answer, it asks.

    Parameters
    ----------
    source : path, data frame, DuckDB relation, list of dicts or {column: cells}
        A row per output, or a row per verdict.
    {options}

    Returns
    -------
    Results
        `str` of it prints the roles; every function of votes takes it.

    Raises
    ------
    DataError
        If the table can be read in more than one way: `questions` holds what to answer, and how.

    Examples
    --------
    >>> rows = {"id": ["a", "b", "c"], "gpt4o": ["pass", "fail", "pass"], "human": ["pass", "", "fail"]}
    >>> results = read_results(rows)
    >>> print(results.headline())
    the table: 3 outputs (id); 1 judge; 2 human answers (67%); 'pass' is the good label
    """
    if isinstance(source, Results):
        return _changed(source, options)
    _refuse_others(source)
    counted = _table_of_counts(source, options)
    if counted is not None:
        raise _no_votes(counted)
    source = grid_as_votes(source, options)
    table, roles = open_source(source, ColumnRoles.of(options), options)
    if not roles.from_reader and not roles.anything and not says_columns(options):
        refuse_export(table)
    options = options if not roles.from_reader else _read_by_a_tool(options)
    framed = None if roles.from_reader else source  # whose rows are not those of a tool
    results = results_of(table, options, name_of(source), framed, always=True)
    assert isinstance(results, Results)  # wanted always
    question = results.polarity
    if question is not None:
        raise questions_error(results.name, [question], results.reading)
    return results


def _read_by_a_tool(options: ReadOptions) -> ReadOptions:
    """Options with the columns that a reader of a tool's files makes."""
    return replace(options, item="item", judge="judge", answer="answer")


@takes(VoteOptions)
def read_votes(source: Any, options: ReadOptions) -> Votes:
    """Read votes from CSV, TSV, JSON lines, Parquet or Excel, a tool's files, any data frame, or records.

    Use it for every table of votes that fits in memory; `count` counts larger ones where they lie.
    The layout is found by looking at column names and content, and every guess can be overridden;
    `read_votes_with_notes` says what was guessed.

    Parameters
    ----------
    source : path, data frame, DuckDB relation, list of dicts, {column: cells}, 2-d array or Votes
        A path may name a file, a folder or a pattern of files; a list may hold several paths. A table is
        wide (a row per item, a column per judge) or long (a row per vote). The columns of an array, or of a
        list of lists, are the judges "judge 1", "judge 2", ...
    {options}

    Returns
    -------
    Votes
        Numbers have one spelling, so 1 and 1.0 are the same answer "1".

    Raises
    ------
    DataError
        If the source cannot be read as votes; one sentence says why and what to do.

    Examples
    --------
    >>> rows = [{"item": 1, "gpt4": "a", "claude": "b"}, {"item": 2, "gpt4": "b", "claude": None}]
    >>> read_votes(rows).codes.tolist()
    [[0, 1], [1, -1]]
    """
    return cast(Votes, _votes_or(source, options, "votes").data)


@takes(VoteOptions)
def read_votes_with_notes(source: Any, options: ReadOptions) -> tuple[Votes, tuple[str, ...]]:
    """Read votes as `read_votes` does, and return with them one sentence per thing done.

    Parameters and errors are those of `read_votes`. The notes say which format and layout were
    found, which columns were left out, what was cut, and how many votes are missing.

    Examples
    --------
    >>> votes, notes = read_votes_with_notes({"gpt4": ["a", "b"], "claude": ["a", "a"]})
    >>> notes[1]
    'wide layout (auto-detected): no item column, row numbers are the ids'
    """
    reading = _votes_or(source, options, "votes")
    return cast(Votes, reading.data), reading.notes


@takes(ScoreOptions)
def read_scores(source: Any, options: ReadOptions) -> Scores:
    """Read scores from whatever `read_votes` reads: CSV to Excel, any data frame, or records.

    Use it for graders that give numbers. ``read_scores(...).cut(x)`` is what ``read_votes(..., cut=x)``
    reads from the same source.

    Parameters
    ----------
    source : path, data frame, DuckDB relation, list of dicts, {column: cells} or Scores
        Wide (a row per item, a column per judge) or long (a row per score). Cells hold numbers or text
        such as "7.5".
    answer : str, optional
        Of a long table, the column of the scores.
    judges : list of str, optional
        Columns (wide) or names (long) to keep, in this order. All other columns of a wide table become
        attributes then, but one whose name says answer key (gold, truth, ...) is left out. Without it
        every column of numbers is a judge whose name does not say otherwise.
    key : str, path, {item: truth} or data frame, optional
        A column of `source`, or a table of items and truths: classes, or numbers on any scale. Numbers
        that are all 0 or 1 are classes. For scoring only.
    {options}

    Returns
    -------
    Scores
        (n_items, n_judges) scores, NaN where the cell was empty or meant no answer.

    Raises
    ------
    DataError
        If a cell of a judge is no finite number, or the source cannot be read; one sentence says where
        and what to do.

    Examples
    --------
    >>> table = {"item": ["q1", "q2"], "gpt4": [7, "2.5"], "claude": [5, ""], "gold": [1, 0]}
    >>> s = read_scores(table, human="gold")
    >>> s.judges, s.values.tolist(), s.key
    (('gpt4', 'claude'), [[7.0, 5.0], [2.5, nan]], ('1', '0'))
    """
    return cast(Scores, read(source, options, "scores").data)


@takes(ScoreOptions)
def read_scores_with_notes(source: Any, options: ReadOptions) -> tuple[Scores, tuple[str, ...]]:
    """Read scores as `read_scores` does, and return with them one sentence per thing done.

    Parameters and errors are those of `read_scores`.

    Examples
    --------
    >>> scores, notes = read_scores_with_notes({"gpt4": [7, 2], "claude": [5, None]})
    >>> notes[-1]
    '1 of 4 scores missing'
    """
    reading = read(source, options, "scores")
    return cast(Scores, reading.data), reading.notes


@takes(LoadOptions)
def load(source: Any, options: ReadOptions) -> Document:
    """Data from a file of any kind: a JSON document by its schema tag, else votes.

    Parameters
    ----------
    source : path, data frame, records, or an object of the data layer (returned as it is)
    count : str, optional
        The column of counts of a table that `read_counts` reads, or `read_keyed_counts` where ``key=``
        names a column too.
    {options}

    Raises
    ------
    DataError
        If the source cannot be read, or options are given for a JSON document.

    Examples
    --------
    >>> load({"gpt4": ["a", "b"], "claude": ["a", "a"]}).n_items
    2
    """
    return _votes_or(source, options).data


@takes(LoadOptions)
def load_with_notes(source: Any, options: ReadOptions) -> tuple[Document, tuple[str, ...]]:
    """Load as `load` does, and return one sentence per thing done.

    Examples
    --------
    >>> load_with_notes(Sketch.from_counts({"ab": 2}))[1]
    ()
    """
    reading = _votes_or(source, options)
    return reading.data, reading.notes


@takes(LoadOptions)
def read_votes_or_scores(source: Any, options: ReadOptions) -> Document:
    """Read a table as `Scores` where it looks like scores, else as `load` does.

    A table is one of scores if every judge gave numbers, and all together more than 20 different ones,
    or more than 11 of which some are no whole numbers: what commands refuse to take for labels. With
    ``cut=``, ``labels=``, ``exact_labels=`` or ``map=``, which say what the labels are, it is one of votes.

    Parameters
    ----------
    source : path, data frame, records, or an object of the data layer (returned as it is)
    {options}

    Raises
    ------
    DataError
        If the source cannot be read.

    Examples
    --------
    >>> table = {"gpt4": [k / 10 for k in range(20)], "claude": [k * k / 200 for k in range(20)]}
    >>> read_votes_or_scores(table)
    Scores(20 items, 2 judges, 0 missing, no key)
    >>> read_votes_or_scores(table, cut=1.5).n_labels
    2
    """
    return _votes_or(source, options, "data or scores").data


@takes(LoadOptions)
def read_votes_or_scores_with_notes(
    source: Any, options: ReadOptions
) -> tuple[Document, tuple[str, ...]]:
    """Read as `read_votes_or_scores` does, and return one sentence per thing done.

    Examples
    --------
    >>> read_votes_or_scores_with_notes({"gpt4": [k / 9 for k in range(30)]})[1][-2]
    'read as scores: 30 different numbers; cut= makes votes of them'
    """
    reading = _votes_or(source, options, "data or scores")
    return reading.data, reading.notes


def is_single_table(source: Any) -> bool:
    """Whether a source is one table, and no list or mapping of several."""
    if isinstance(source, Votes | Sketch | KeyedSketch | Summary | Scores):
        return False
    if isinstance(source, Mapping):
        return not any(
            isinstance(entry, str | os.PathLike | Mapping | Votes | Results)
            or hasattr(entry, "columns")
            for entry in source.values()
        )
    if isinstance(source, list | tuple):
        return (
            bool(source)
            and all(isinstance(row, Mapping) for row in source)
            and all(not isinstance(cell, list | tuple) for row in source for cell in row.values())
        )
    return True


# --- What functions of data are called with, as data.


def read_data(data: Source, *, items: bool = False) -> Data:
    """Data as they are, and anything but a table of ids and votes alone as `load` reads it without options.

    A large file or a lazy frame is counted where it lies unless the votes of each of the `items` are needed.
    """
    if isinstance(data, Votes | Sketch | KeyedSketch | Summary):
        return data
    if isinstance(data, Scores):
        raise scores_uncut(data)
    _refuse_others(data)
    result = read(data, UNSTATED, enough=None if items else Enough()).data
    if isinstance(result, Scores):
        raise where_to_cut(result, name_of(data))
    if not isinstance(result, KeyedSketch | Summary):
        _refuse_numbers(result)
    return result


def scores_uncut(data: Scores) -> DataError:
    """Complaint about scores in memory where labels are needed, with the question where they are cut."""
    questions = where_to_cut(data, "the table").questions
    error = DataError(
        f"{scores_refused()}. {questions[0].question} Likely {questions[0].answers[0]}"
    )
    error.questions = questions
    return error


READING = {field.name for field in dataclasses.fields(VoteOptions)}
"""The words of `read_results`."""


def as_named(
    source: Any, words: Mapping[str, Any], settings: Mapping[str, Any], own: Container[str]
) -> Results:
    """Results table that words on reading and the columns a function takes itself make of a source."""
    columns = {name: settings.get(name) for name in ("system", "prompt", "human") if name in own}
    columns = {n: c for n, c in columns.items() if c is not None and names_columns(c, source)}
    return read_results(source, **words, **columns)


_ANY_COUNTS = Enough()


def read_with_table(
    data: Any, human: Any, enough: Enough = _ANY_COUNTS
) -> tuple[Any, Any, Results | None]:
    """Data, "key" where people's labels came with them, and the results table they are part of.

    `enough` says which counts will do of a large table.
    """
    in_memory = isinstance(data, Votes | Sketch | KeyedSketch | Summary | Scores)
    in_memory |= is_path(data) and is_document(data)
    is_labelling = any(is_path(part) and is_journal(part) for part in waves_of(human))
    if is_labelling and not in_memory:  # what people picked needs the systems of each pair
        results = data if isinstance(data, Results) else None
        results = results or read(data, ReadOptions(), "data or scores", Enough()).results
        if results is not None and results.layout == "pairwise":
            results = results.with_people(human)
            return results.votes, "key", results
    if in_memory or (isinstance(data, Results) and human is not None):
        return *read_labelled(data, human), None
    if human is not None and not names_columns(human, data):
        together = _with_own_people(data, human) if values_of(human) is None else None
        if together is not None:
            held = read(together, UNSTATED, "data or scores").data
            own = isinstance(held, Votes) and held.key is not None
            return held, "key" if own else None, together
        return *read_labelled(data, human), None
    if not isinstance(data, Results):
        _refuse_others(data, _DATA, "votes")
    options = ReadOptions() if human is None else ReadOptions(human=human)
    reading = read(data, options, "data or scores", enough)
    if isinstance(reading.data, GroupedSketch):
        return *read_labelled(reading.data, None), reading.results
    held, results = reading.data, reading.results
    own = isinstance(held, Votes) and held.key is not None
    if isinstance(held, Scores) and held.key_kind == "class":  # else a cut says what is good
        own = results is not None and results.good is not None
    return held, "key" if own else None, results


def saved_counts(data: Any) -> Any:
    """What a path to counts or votes that algeval wrote holds; anything else as it is."""
    return read_sketch(data) if is_path(data) and is_document(data) else data


def read_labelled(data: Any, human: Any, *, items: bool = False) -> tuple[Any, Any]:
    """Votes and people's labels of them, which are "key" where they are the key of the votes.

    A results table has its own. What belongs together by the index of one data frame, or by being a column
    of it, can be seen only before the votes are read. Everything else is returned as it is. `items`: whether
    counts of a large table do not do.
    """
    data = saved_counts(data)
    if isinstance(data, KeyedSketch) and human == "key":
        data = GroupedSketch.of_keyed(data)
    if isinstance(data, GroupedSketch):
        counts = data.labelled(human)
        return counts, "key" if isinstance(counts, LabelledSketch) else None
    if data is None or isinstance(data, Votes | Sketch | KeyedSketch | Summary | Scores):
        return data, human
    is_key = isinstance(human, str) and human == "key"
    if isinstance(data, Results):
        return _labelled_results(data, human)
    if names_columns(human, data):
        return read(data, ReadOptions(human=human), "data").data, "key"
    if human is None or is_key:
        return _own_labels(data, items=items, is_key=is_key)
    if values_of(human) is None:
        alone = votes_of(data)  # no people beside them
        together = None if alone is not None else _with_own_people(data, human)
        if together is not None:
            return read(together, UNSTATED, "data or scores").data, "key"
        return data if alone is None else alone, human
    if isinstance(data, str | os.PathLike):
        return data, human
    _refuse_others(data)
    votes = read(data, ReadOptions(key=Labels(human, "human")), "votes").data
    _refuse_numbers(cast(Votes, votes))
    return votes, "key"


def _own_labels(data: Any, *, items: bool, is_key: bool) -> tuple[Any, Any]:
    """Votes of a table, and "key" where it has labels of people; counts by them of a large one."""
    if is_path(data) and not items:
        enough = Enough(of_results=True, of_people=True)
        picked = read(data, UNSTATED, "data or scores", enough).data
    else:
        _refuse_others(data)
        counts = None if items else Enough()
        picked = _votes_or(data, UNSTATED, "data or scores", counts).data
    if isinstance(picked, GroupedSketch):
        return read_labelled(picked, None)
    own = isinstance(picked, Votes | Scores) and picked.key is not None
    return picked, "key" if own or is_key else None


def _labelled_results(data: Results, human: Any) -> tuple[Any, Any]:
    """Votes or scores of results and people's labels of them, which are "key" where they came with them."""
    own = human is None or data.has_people(human)
    joins = not own and not (isinstance(human, str) and human == "key")
    if joins and (data.is_graded or (data.said and values_of(human) is None)):
        data, own = data.with_people(human), True
    held = data.scores if data.holds_scores else None
    labelled = data.said and (human is not None or data.human)  # of one system there may be none
    people = ("key" if labelled else None) if own else human
    return data.votes if held is None else held, people


def _with_own_people(data: Any, human: Any) -> Results | None:
    """Results of a table with labels of people, and those of `human`; None of another."""
    if not is_single_table(data) or _first_rows(data) is not None:
        return None
    try:
        opened = open_large(data, UNSTATED) if is_path(data) else None
        large = opened is not None and rows_of(opened) > LARGE
        if large and opened is not None and not holds_people(opened, UNSTATED, name_of(data)):
            return None
        table, roles = open_source(data, ColumnRoles(), UNSTATED)
        picked = None if roles.from_reader else results_of(table, UNSTATED, name_of(data), data)
        if picked is None or (isinstance(picked, PlainTable) and picked.human is None):
            return None
        results = picked if isinstance(picked, Results) else read_results(data)
    except DataError:
        return None  # what is wrong is said by whoever reads the table
    return results.with_people(human) if results.said or not results.voting else None


def names_columns(human: Any, data: Any) -> bool:
    """Whether what is said of people names columns of the votes' table, and no file or labels."""
    names = _column_names(data)
    listed = isinstance(human, list | tuple) and bool(human)
    if listed and all(isinstance(entry, str) for entry in human):
        if names is None or names.isdisjoint(human):
            refuse_files_beside(human)
        return not is_waves(human) if names is None else not names.isdisjoint(human)
    if not isinstance(human, str) or (names is not None and human in names):
        return isinstance(human, str)
    return human != "key" and (not is_there(human) or Path(human).is_dir())


def _column_names(data: Any) -> set[str] | None:
    """Names of the columns of a table in memory; None of others."""
    if isinstance(data, Mapping):
        return set(map(str, data))
    if isinstance(data, list | tuple) and data and isinstance(data[0], Mapping):
        return set(map(str, data[0]))
    if isinstance(data, Results):
        return set(data.reading.decided)
    columns = getattr(data, "column_names", None) or getattr(data, "columns", None)
    return set(map(str, columns)) if isinstance(columns, Iterable) else None


def on_items(by_item: Any, data: Any, votes: Any) -> Any:
    """Series as {item: value} where its index is that of the votes' data frame; anything else as it is."""
    values = values_of(by_item)
    index = index_of(data)
    if values is None or index is None or len(index) != votes.n_items:
        return by_item
    rows = rows_by_index(values, data)
    if rows is None:
        return by_item
    pairs = zip(votes.items, rows, strict=True)
    return {item: value for item, value in pairs if value is not None}


def clusters_on_items(cluster: Any, data: Any, votes: Votes) -> Any:
    """Clusters as {item: cluster} where they are a Series or name a column of the votes' table."""
    for name, codes in votes.groupings:
        if isinstance(cluster, str) and cluster == name:
            own = zip(votes.items, codes.tolist(), strict=True)
            return {item: f"of {item}" if code < 0 else str(code) for item, code in own}
    if (
        isinstance(cluster, str)
        and cluster.strip()
        and not is_there(cluster)
        and "://" not in cluster
    ):
        names = [name for name, _ in votes.groupings]
        listed = f"the columns that group items are {shown(names)}"
        do = (
            f"{did_you_mean(cluster, names, 'choose one')}; {listed}" if names else "check the path"
        )
        raise DataError(
            f"{parameter('cluster')} must be a column, or a file that exists; got {cluster!r}: no file is "
            f"called so, and no column that groups items; {do}"
        )
    return on_items(cluster, data, votes)


def read_score_table(data: Source | Scores, name: str = "data") -> Scores:
    """Scores, read from a table of any numbers, 0 and 1 too, if they are none yet."""
    if not isinstance(data, Votes | Sketch | KeyedSketch | Summary | Scores):
        _refuse_others(data, "Scores", "scores", name)
        return read_scores(data)
    if isinstance(data, Scores):
        return data
    raise DataError(
        f"{name} must be Scores; got {type(data).__name__}; read votes of 0 and 1 with read_scores"
    )


def read_data_or_scores(
    data: Source | Scores, *, as_scores: bool = False, items: bool = True, of_frames: bool = True
) -> Data | Scores:
    """Data as `read_data` reads them, or `Scores` where they look so, or are to be read `as_scores`.

    of_frames : whether items of wide lazy frames are needed, too; without them these are counted.
    """
    if isinstance(data, Votes | Sketch | KeyedSketch | Summary | Scores):
        return data
    _refuse_others(data, "Scores" if as_scores else _DATA, "scores" if as_scores else "votes")
    if as_scores:
        return read_scores(data)
    enough = None if items else Enough()
    if items and not of_frames and not isinstance(data, str | os.PathLike | Mapping | Sequence):
        enough = Enough(of_wide_frames=True)
    return read(data, UNSTATED, "data or scores", enough).data


_DATA = "Votes, a Sketch, a KeyedSketch, a Summary"


def _refuse_others(
    data: object, kinds: str = _DATA, cells: str = "votes", name: str = "data"
) -> None:
    """Refuse what is no table, with all that may be given in its place."""
    table = isinstance(data, str | os.PathLike | Mapping | Sequence)
    framed = hasattr(type(data), "columns") or hasattr(
        data, "columns"
    )  # the names may cost a query
    if table or hasattr(data, "__array__") or framed or _streams(data):
        return
    raise DataError(
        f"{name} must be {kinds}, or a table of {cells} (a path, a data frame, {{judge: ...}}, rows); "
        f"got {type(data).__name__}; pass one of these"
    )


def _streams(data: object) -> bool:
    return any(hasattr(data, name) for name in ("__arrow_c_stream__", "scanner", "column_names"))


def _refuse_numbers(votes: Axes) -> None:
    if look_like_scores(votes.answers):
        n = sum(as_number(answer) is not None for answer in votes.answers)
        raise DataError(
            f"votes must be labels; got {n} different numbers, which look like scores; cut them with "
            "read_votes(data, cut=x), or keep each as a label with read_votes(data, exact_labels=True)"
        )
