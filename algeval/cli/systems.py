"""The commands on the systems that judges judge."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from algeval.cli.options import (
    COUNTED,
    LabelFiles,
    Source,
    counts_for_labels,
    former,
    opt,
    output_options,
    plot_option,
    print_notes,
    print_result,
    save_plot,
    source_options,
    table_options,
    time_limit_option,
    under_new_names,
)
from algeval.cli.output import Output, is_stream, kept_stream, print_json, say
from algeval.data import KeyedSketch, Scores
from algeval.data.reading import n_labelled
from algeval.data.votes import GroupedSketch
from algeval.errors import DataError, without_options
from algeval.io.formats import is_there
from algeval.result import Result
from algeval.result.numbers import as_float, did_you_mean

# --- `algeval leaderboard`: systems rated from judged battles, and the ranks each may have.


@click.command()
@click.argument("pairs", type=click.Path())
@opt("--cluster", "What was sampled independently. [default: prompt]", "COLUMN")
@opt(
    "--ties",
    "A parameter of their own, half a win for each, or a threshold.",
    kind=("davidson", "half", "rao-kupper"),
    default="davidson",
)
@opt(
    "--order",
    "Correct for the order shown: the first system was shown first, or the one a column names.",
    "first|COLUMN",
)
@former("--gold", "--human")
@opt("--level", "Confidence level of the intervals.", "P", default="0.95")
@opt("--seed", "Random seed.", "N", int, 0, rare=True)
@opt("--first", "The system shown first, as model_a.", "COLUMN")
@opt("--second", "The other, as model_b.", "COLUMN")
@opt("--winner", "Who won: a name, first, second or tie.", "COLUMN")
@plot_option
@output_options()
@table_options(shown=("human", "judges", "judge", "item"))
def leaderboard(
    *,
    pairs: str,
    level: str,
    seed: int,
    plot: str | None,
    out: Output,
    reading: dict[str, Any],
    **choices: Any,
) -> int:
    """Rate systems from judged battles, and say which ranks each may have.

    PAIRS is a table with a row per vote: two systems, who won, and where there is one the prompt.
    Intervals rest on prompts, whose votes hang together; rank sets hold for all systems at once.
    Exit code 1 when no battles link some systems to the others.
    """
    from algeval.rates.leaderboards import leaderboard as ask

    stated = {name: value for name, value in reading.items() if value is not None}
    human = stated.get("human")
    if isinstance(human, list) and len(human) == 1:
        stated["human"] = human[0]
    choices = under_new_names(choices | {"human": stated.pop("human", None)}, gold="human")
    settings = choices | stated | {"level": as_float(level, "level"), "random": seed}
    kept = kept_stream(pairs) if pairs == "-" or is_stream(pairs) else nullcontext(pairs)
    with kept as path:
        result = ask(path, **settings)
    save_plot(result, plot)
    if not out.give(result, source=pairs):
        name = "standard input" if pairs == "-" else Path(pairs).name
        say(f"{name}: {result.summary()}", names=(pairs, *result.systems))
    return 0 if result.status.ok else 1


# --- Options that the commands about systems share.


F = TypeVar("F", bound=Callable[..., Any])


def former_labels(command: F) -> F:
    """Add --label and --gold, the old names of --good and --human."""
    for option in (former("--gold", "--human"), former("--label", "--good")):
        command = option(command)
    return command


SHOWN = ("item", "judges", "human", "columns", "good")
"""Reading options that the help of a command with a rate shows."""


def target_option(words: str, *choices: str) -> Callable[[F], F]:
    """Add --target: these items, or more like them; the first choice is the default."""
    return opt("--target", words, kind=choices, default=choices[0])


_TARGET = "About these items alone, or more like them: auto once half of them are labelled."


def method_option(*methods: str) -> Callable[[F], F]:
    """Add --method, of the interval."""
    words = "How the interval is computed; choose before looking at the data."
    return opt("--method", words, kind=("auto", *methods), default="auto")


_CLUSTER = (
    "Items that belong together, as answers to one prompt: a column, or a table of item, cluster."
)
cluster_option = opt("--cluster", _CLUSTER, "COLUMN|FILE", "file")
_BELIEVED = "Also show what follows if every judge is right on this share of its answers."
believed_option = opt("--at-least", _BELIEVED, "X", rare=True)
level_option = opt("--level", "Confidence level of the interval.", kind=float, default=0.95)


# --- `algeval next`: which items to label next.


@click.command("next")
@opt("--n", "How many items to draw.", "N", int, default=50)
@former_labels
@cluster_option
@opt("--goal", "What the labels are for.", kind=("rate", "difference", "labels"), default="rate")
@opt("--other", "Votes on a second system.", "FILE", "file")
@opt("--outputs", "What the system put out: a table of item, output.", "FILE", "file")
@opt("--other-outputs", "What the second put out.", "FILE", "file", rare=True)
@opt(
    "--strategy",
    "Spread evenly, or by the judges' uncertainty once 50 labels have calibrated it.",
    kind=("spread", "uncertain"),
    default="spread",
)
@opt("--random --seed random", "Random seed.", kind=int, default=0)
@output_options(words="Write a file to fill in (.csv), or the result")
@partial(source_options, others=("other",), shown=SHOWN)
def next(source: Source, *, other: Source | None, out: Output, **settings: Any) -> int:
    """Draw the items that people should label next, and keep the chance that each had.

    Filled in, the file that -o writes is what --human takes, here and in rate and versus; a file that is read
    is never written over. Items that have labels already are not drawn again; labels without a chance
    count for their own items alone.
    """
    from algeval.rates.sampling import next as draw

    second = None if other is None else other.joint("next")
    settings = settings | {"good": settings.pop("label"), "human": settings.pop("gold")}
    votes: Any = source.joint("next")
    results, of_two = source.results, settings["goal"] == "difference" and other is None
    if of_two and results is not None and results.layout == "pairwise":
        votes = results
    elif of_two and results is not None and len(results.by_system) == 2:
        votes, source = results, source.by_system()
    if results is not None and results.pooled and (settings["goal"], other) == ("rate", None):
        votes = results
    result = draw(votes, other=second, **settings)
    if getattr(result, "systems", None):
        source = source.by_system()
    print_result(source, result, out)
    if not out.as_json:
        source.say(_after_labelling(source, settings["goal"], other, out))
    return 0


def _after_labelling(source: Source, goal: str, other: Source | None, out: Output) -> str:
    """What to do with the file of what was drawn."""
    if out.path is None:
        return "Next: -o to_label.csv writes the file to fill in, and says what takes it."
    path = shlex.quote(out.path)
    ask = {"rate": "rate", "difference": "versus", "labels": "aggregate"}[goal]
    results = source.results
    if results is not None and results.layout == "pairwise":
        ask = "leaderboard" if goal != "labels" else ask
    learn = " --learn" if goal == "labels" else ""
    sides = "truth_a and truth_b" if other is not None else "truth"
    # the file that was written holds all labels of one that was read
    both = without_options(
        source.arguments, ("--human",), lambda value: all(map(is_there, value.split(",")))
    )
    both += "" if other is None else f" {other.arguments}"
    return (
        f"Next: write what people say into {sides} of {path}, a line each, and ask\n"
        f"  algeval {ask} {both} --human {path}{learn}"
    )


# --- `algeval versus`: whether one system is better than another.


@click.command()
@former_labels
@opt("--human-a", "Human labels of the first system's outputs, of two files.", "FILE", "file")
@opt("--human-b", "Human labels of the second's.", "FILE", "file")
@former("--gold-a", "--human-a")
@former("--gold-b", "--human-b")
@cluster_option
@target_option(_TARGET, "auto", "items", "population")
@opt(
    "--drawn",
    "How the labelled items were drawn. [default: random, unless there are chances]",
    kind=("random", "differing", "unequal"),
)
@opt("--inclusion", "The chance with which each item was drawn.", "FILE", "file", rare=True)
@opt(
    "--outputs-a",
    "What the first system put out: a table of item, output.",
    "FILE",
    "file",
    rare=True,
)
@opt("--outputs-b", "What the second put out.", "FILE", "file", rare=True)
@believed_option
@method_option("strata", "ppi")
@level_option
@opt("--names", "Names of the systems. [default: A, B, ...]", "A,B", "names")
@opt("--random --seed random", "Seed of posterior draws.", kind=int, default=0, rare=True)
@opt("--require", "Exit with 1 unless this system is shown to be better.", "SYSTEM|first|second")
@opt("--margin", "With --require: shown to be not worse by more than X will do.", "X", default="0")
@plot_option
@output_options()
@partial(source_options, apart=True, shown=("judges", "human", "system", "prompt", "good"))
def versus(
    source: Source,
    *,
    sources: list[Source],
    require: str | None,
    plot: str | None,
    out: Output,
    **settings: Any,
) -> int:
    """Compare systems: those of a column of one results table, or a file of judges' VOTES on each.

    With human labels of both, an interval and a verdict; without, no verdict, however many judges agree, and
    exit code 1. Once half of the outputs are labelled both are about more items like these; what is true of
    these alone is a clause. Items are joined by id, and the options on reading hold for all files. Of three
    systems or more every pair is compared, all verdicts right at once, and each system has the ranks it may
    have. Files without an item in common are compared unpaired.
    """
    from algeval.rates.systems import versus as ask

    votes: Any = [system.joint("versus") for system in sources]
    n_systems = len(votes)
    settings |= {"good": settings.pop("label"), "human": settings.pop("gold")}
    settings = under_new_names(settings, gold_a="human_a", gold_b="human_b")
    results = source.results
    if len(votes) == 1 and results is not None and len(results.by_system) > 1:
        votes, n_systems, source = [results], len(results.by_system), source.by_system()
    counted = len(votes) == 1 and isinstance(votes[0], GroupedSketch) and votes[0].has("system")
    if len(votes) == 1 and _holds_pairs(source):
        raise click.UsageError(
            f"{source.name} has verdicts on pairs of systems; rank these with "
            f"algeval leaderboard {source.arguments}"
        )
    if n_systems < 2 and not counted:
        raise click.UsageError(
            "name a votes file of each system, two or more, or a table with a column of systems (--system)"
        )
    if n_systems > 2 and require is not None:
        raise click.UsageError(_TWO)
    if len(votes) > 2:
        result: Result = ask(votes, **settings)
    else:
        result = ask(*votes, **settings)
    compared: Any = result
    needed = None if require is None else _required(require, compared.names)
    save_plot(result, plot)
    print_result(source, result, out)
    met = needed is None or needed in compared.not_worse
    return 0 if result.status.ok and met else 1


def _holds_pairs(source: Source) -> bool:
    """Whether verdicts are on pairs of systems, of which a label names a side."""
    results = source.results
    return results is not None and results.layout == "pairwise"


_TWO = "--require needs two systems; leave it out, or name two files"


def _required(name: str, names: Sequence[str]) -> str:
    """System that must be better: by its name, or as the first or the second of the two."""
    if len(names) != 2:
        raise click.UsageError(_TWO)
    systems = dict(zip(("first", "second"), names, strict=True)) | {own: own for own in names}
    if name not in systems:
        raise DataError(
            f"--require must be a system, {names[0]} or {names[1]}, or first or second; got {name!r}; "
            f"{did_you_mean(name, systems)}"
        )
    return systems[name]


# --- `algeval judges`: how good each judge is by people's labels.


@click.command()
@former("--gold", "--human")
@cluster_option
@opt("--inclusion", "The chance with which each labelled item was drawn.", "FILE", "file")
@opt("--compare", "Compare two judges on the same labels.", "A,B", "names")
@opt("--guarantee", "A set of best judges that holds at every number of labels.", kind=bool)
@opt(
    "--by",
    "Whether verdicts depend on columns, given what is true: NAME,... or all.",
    "COLUMNS",
    "names",
)
@opt(
    "--alt-test",
    "Whether judges may stand in for a person, who may be better by X: 0.2 experts, 0.1 crowd.",
    "X",
    rare=True,
)
@opt(
    "--labels-needed",
    "How many more labels: the two best judges told apart, intervals to within X.",
    "X",
    rare=True,
)
@opt("--floor", "How many verdicts are wrong whatever the truth; needs no labels.", kind=bool)
@opt("--save", "Write certificates of --floor there.", "FOLDER", "file")
@level_option
@plot_option
@output_options()
@partial(source_options, key_note="")
def judges(
    source: Source,
    *,
    gold: LabelFiles | None,
    compare: list[str] | None,
    guarantee: bool,
    by: list[str] | None,
    alt_test: str | None,
    labels_needed: str | None,
    floor: bool,
    save: str | None,
    plot: str | None,
    out: Output,
    **settings: Any,
) -> int:
    """How good each judge is by human labels: accuracy, recall, precision, kappa, with intervals.

    The judge that always says the commonest label stands beside them, and the judges that may be best are
    named. Labels must be of items drawn at random, or with chances that --inclusion gives. Without labels,
    or with --floor: how many verdicts are wrong whatever the truth. With --by: whether verdicts depend on
    length, system or another column. With --alt-test, where several people answered: whether judges may stand
    in for a person. Exit code 1 when people gave some label to no item.
    """
    from algeval.judges import judge_card

    _check_judges(
        compare,
        save=save,
        plot=plot,
        floor=floor,
        other=(by, alt_test, labels_needed) != (None, None, None),
    )
    if by is not None:
        return _by_columns(source, by, gold, settings, out)
    if source.counted is not None and len(source.counted.tables) > 1:
        return _cards_of_tables(source, source.counted.tables, out)
    data = source.joint("judges")
    unlabelled = gold is None and compare is None and not guarantee and not n_labelled(data)
    if floor or (unlabelled and plot is None and alt_test is None):
        return _floor(source, data, gold, save, out)
    several = _several_people(source, gold)
    people = gold if source.people is None else source.people
    card = judge_card(data if several is None else several, human=people, **settings)
    if several is not None:  # what reading did is among the notes of the command
        warnings = tuple(line for line in card.warnings if line not in card.reading)
        card = replace(card, reading=(), warnings=warnings)
    if alt_test is not None:
        from algeval.rates.inputs import exact_share

        test = card.alt_test(eps=exact_share(alt_test, "alt_test"))
        print_result(source.by_system(), test, out)
        return 0 if test.status.ok else 1
    if labels_needed is not None:
        from algeval.data.names import check_number

        width = as_float(labels_needed, "labels_needed")
        check_number("labels_needed", width, least=0, most=0.5, strict=True)
        print_result(source.by_system(), card.labels_needed(width), out)
        return 0
    best = card.best(guarantee=True) if guarantee else None
    pair = None if compare is None else card.compare(*compare)
    print_result(source.by_system(), card, out)
    save_plot(card, plot)
    if not out.as_json:
        for line in (best, pair):
            if line is not None:
                source.say(str(line))
    return 0 if card.status.ok else 1


def _check_judges(
    compare: list[str] | None, *, save: str | None, plot: str | None, floor: bool, other: bool
) -> None:
    """Refuse options that belong to another question than the one asked."""
    if compare is not None and len(compare) != 2:
        raise click.UsageError(f"--compare needs two judges; got {','.join(compare)}; write A,B")
    if save is not None and not floor:
        raise click.UsageError("--save writes the certificates of --floor; add it")
    if plot is not None and (floor or other):
        raise click.UsageError(
            "--plot draws the card; leave out --by, --floor, --alt-test and --labels-needed"
        )


def _several_people(source: Source, gold: LabelFiles | None) -> Any:
    """The table, where it has a column for each of several people."""
    table = source.results
    own = table is not None and gold in (None, "key") and len(table.said) > 1
    return table if own else None


def _by_columns(
    source: Source, by: list[str], gold: LabelFiles | None, settings: dict[str, Any], out: Output
) -> int:
    """Whether verdicts depend on columns of a results table, given what is true."""
    from algeval.judges import judge_bias

    table = source.results
    if table is None and source.again is not None:
        table = source.again()
    if table is None:
        raise click.UsageError("--by names columns of a results table; got counts; name the table")
    kept = {name: settings[name] for name in ("cluster", "level")}
    result = judge_bias(table, by, human=gold, **kept)
    print_result(source, result, out)
    return 0 if result.status.ok else 1


def _cards_of_tables(source: Source, tables: Mapping[str, KeyedSketch], out: Output) -> int:
    """A card of each grader, of confusion tables that do not say which items they share."""
    from algeval.judges import judge_card

    cards = {who: judge_card(keyed, human="key") for who, keyed in tables.items()}
    if out.as_json:
        documents = {who: card.to_dict() for who, card in cards.items()}
        print_json({"source": source.name, "read": source.read, "cards": documents})
        return 0
    for line in (f"{source.name}: a card of each grader", *(c.summary() for c in cards.values())):
        source.say(line)
    print_notes(source)
    return 0


def _floor(
    source: Source, data: Any, gold: LabelFiles | None, save: str | None, out: Output
) -> int:
    """Wrong verdicts whatever the truth, each number checked by the verifier before it is printed."""
    from algeval.certificates import check
    from algeval.certificates import save as save_all
    from algeval.data.reading import as_counts
    from algeval.judges import self_consistency

    repeated = source.results is not None and bool(source.results.runs)
    result = self_consistency(source.results if repeated and gold is None else data, human=gold)
    counts = as_counts(result.data)
    proofs = {name: c for name, c in result.certificates.items() if "repeats of" not in name}
    check(proofs, counts)
    for repeat in result.repeats:
        check({"proof": result.certificates[f"repeats of {repeat.judge}"]}, repeat.votes)
    print_result(source, result, out)
    if not out.as_json:
        names = (re.sub("[^A-Za-z0-9.]+", "-", name).strip("-")[:60] for name in proofs)
        files = {
            f"{k}-{name}": c
            for k, (name, c) in enumerate(zip(names, proofs.values(), strict=True), 1)
        }
        for line in save_all(save, files, counts):
            source.say(line)
        if gold is None and not n_labelled(data):
            source.say(
                "How good each judge is, human labels say: algeval next draws items to label."
            )
    return 0


# --- `algeval slices`: the pass rate of each group of outputs, and which group regressed.


@click.command()
@former_labels
@opt("--by", "Columns of groups or numbers, or all. [default: all groups]", "COLUMNS", "names")
@opt(
    "--compare system",
    "The old and the new system, by name. [default: the two there are]",
    "OLD,NEW",
    "names",
)
@cluster_option
@opt(
    "--inclusion",
    "The chance with which each labelled output was drawn.",
    "FILE",
    "file",
    rare=True,
)
@target_option("Rates of outputs like these, or of these alone.", "population", "items")
@level_option
@opt(
    "--show-width", "Interval from which no rate is named.", "X", kind=float, default=0.5, rare=True
)
@plot_option
@output_options()
@partial(source_options, key_note="", shown=("judges", "human", "system", "prompt", "good"))
def slices(
    source: Source,
    *,
    gold: LabelFiles | None,
    label: str | None,
    plot: str | None,
    out: Output,
    **settings: Any,
) -> int:
    """Pass rate of each topic, language, ... by human labels; of two systems, which slice regressed.

    A table with a column of systems has a row for each, and two systems are compared on the prompts that
    both answered. Where labels are too few no rate is named, but how many more would do. Without labels: how
    many verdicts are wrong in each slice, whatever the truth. Exit code 1 when no slice has enough labels.
    """
    from algeval.judges import slices as ask

    table: Any = source.results
    if isinstance(source.held, GroupedSketch):
        table = source.held
    elif table is None and source.again is not None:
        table = source.again()
    if table is None:
        raise click.UsageError(
            "slices needs a results table with a column of groups; got none; name one"
        )
    result = ask(table, human=gold, good=label, **settings)
    print_result(source.by_system() if result.systems else source, result, out)
    save_plot(result, plot)
    return 0 if result.status.ok else 1


# --- `algeval rate`: how often a system passes.


@click.command()
@former_labels
@opt(
    "--drawn",
    "How the labelled items were chosen.",
    kind=("random", "unequal", "elsewhere"),
    default="random",
)
@target_option(_TARGET, "auto", "items", "population")
@opt("--against", "The rate to compare with.", "X", default="1/2")
@opt("--inclusion", "The chance with which each item was drawn.", "FILE", "file", rare=True)
@opt(
    "--predictor",
    "What the judges predict: verdict, share, score, a method of aggregate, or a table of item, number.",
    "NAME|FILE",
    rare=True,
)
@cluster_option
@opt("--tie", "The label of a tie, which counts one half.", "LABEL", rare=True)
@opt(
    "--human-accuracy",
    "How often people see passes, and fails, as such, as 0.98,0.7: the rate is then of passes.",
    "X,Y",
    rare=True,
)
@believed_option
@level_option
@method_option("strata", "ppi", "profile", "wilson", "exact")
@opt("--models", "Also fit statistical models, a row each.", kind=bool, rare=True)
@opt(
    "--require",
    "Exit with 1 unless the whole interval is on this side of --against.",
    kind=("above", "below"),
)
@time_limit_option(
    "Seconds for the rows that use no labels; closed forms are always there." + COUNTED, rare=True
)
@plot_option
@output_options()
@partial(source_options, numbers="scores", counts=counts_for_labels, shown=SHOWN)
def rate(
    source: Source, *, require: str | None, plot: str | None, out: Output, **settings: Any
) -> int:
    """How often outputs pass: the rate of a label, with a valid confidence interval.

    Where some items have human labels (a column of the table, or --human FILE) the interval comes from
    them, narrowed by the judges. Without, a table says what each assumption about the judges leaves
    possible. Exit code 1 when neither gives an answer, or --require is not met.
    """
    from algeval.rates.inputs import pass_label
    from algeval.rates.rating import rate as ask

    settings |= {"good": settings.pop("label"), "human": settings.pop("gold")}
    held = source.held
    labels = getattr(held, "labels", ())
    if settings["good"] is None and _holds_pairs(source) and labels and not pass_label(labels):
        raise click.UsageError(
            f"{source.name} has verdicts on pairs of systems, and a rate is of one label; rank the systems "
            f"with algeval leaderboard {source.arguments}, or count a side with --good "
            f"{shlex.quote(labels[0])}"
        )
    if isinstance(held, Scores) and source.cut is not None:
        held = held.cut(source.cut)
    systems = {} if source.results is None else source.results.by_system
    own = settings["human"] in (None, "key")
    if isinstance(held, Scores) and own and (held.key_kind == "number" or len(systems) > 1):
        _need_words(held, source.name)
    if len(systems) > 1 and own:
        return _rate_each(source, systems, require, plot, out, settings)
    result = ask(held, **settings)
    save_plot(result, plot)
    print_result(source, result, out)
    met = require is None or result.verdict == require
    return 0 if result.status.ok and met else 1


def _need_words(scores: Scores, name: str) -> None:
    """Ask where scores are cut, once for all systems, unless people say in words which outputs are good."""
    from algeval.io.results import where_to_cut

    if scores.key is None or scores.key_kind == "number":
        raise where_to_cut(scores, name)


def _rate_each(
    source: Source,
    systems: dict[str, Any],
    require: str | None,
    plot: str | None,
    out: Output,
    settings: dict[str, Any],
) -> int:
    """Rate of each system of a results table."""
    from algeval.rates.rating import SystemRates
    from algeval.rates.rating import rate as ask

    if plot is not None:
        raise click.UsageError(
            f"--plot draws a single rate; got {len(systems)} systems; use algeval versus --plot"
        )
    rates = {}
    for name, results in systems.items():
        votes = results.scores if isinstance(source.held, Scores) else results.votes
        human = "key" if votes.key is not None and results.n_labelled else None
        rates[name] = ask(votes, **(settings | {"human": human}))
    together = SystemRates.of(rates)
    met = require is None or all(rated.verdict == require for rated in rates.values())
    print_result(source.by_system(), together, out)
    if not out.as_json:
        source.say(f"Which is better: algeval versus {source.arguments}")
    return 0 if together.status.ok and met else 1
