"""The command line: the table of commands, and what runs them."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import algeval
from algeval._lazy import submodule
from algeval.cli.output import (
    VARIABLE,
    open_closed_streams,
    os_sentence,
    say,
    say_error,
    typed_sentence,
    usage_sentence,
)
from algeval.errors import AlgevalError, DataError, spelled_as_typed
from algeval.progress import show_progress
from algeval.result.numbers import did_you_mean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["cli", "main"]


# --- The one table of commands: the question each answers, in a line, and examples that run.
#
# Reading it loads no command, so that `algeval --help` and completion are fast.


class Entry(NamedTuple):
    """A command: what it answers, in at most 60 characters, and command lines that show it.

    `module` is where it lives, in `algeval.cli`; empty for what the group of entry points
    `algeval.commands` holds.
    """

    module: str
    line: str
    examples: tuple[str, ...]


_TABLE = """
What is in my results?
  report: Pass rates, judges, what to do next: a screen, or a page.
    algeval report --example support-bot
    algeval report votes.csv -o report.html
    algeval report votes.csv --human gold --good a
  columns: What each column of a results table is read as.
    algeval columns votes.csv
    algeval columns votes.csv --save roles.toml
How good are the systems?
  rate: Pass rate with a confidence interval, from few labels.
    algeval rate votes.csv --good a
    algeval rate votes.csv --good a --human gold
  versus: Is system A better than system B?
    algeval versus --example support-bot
    algeval versus a.csv b.csv --good b
    algeval versus a.csv b.csv --good b --human gold
  slices: Pass rate by topic or language; which one regressed.
    algeval slices --example support-bot
    algeval slices --example support-bot --by tokens --compare v1,v2
  next: Which items people should label next.
    algeval next votes.csv --n 5 -o label.csv
    algeval next a.csv --other b.csv --goal difference --n 5
  label: Label in the browser, blind; stop when it is enough.
    algeval label --example support-bot --offline page.html
    algeval label --example support-bot --status  # exit code 1
  leaderboard: Rank systems from judged pairs, with honest ranges.
    algeval leaderboard pairs.csv
    algeval leaderboard pairs.csv --ties half --order first
How good are the judges?
  judges: How good each judge is, by human labels; the best ones.
    algeval judges --example support-bot
    algeval judges votes.csv --human gold --compare gpt4,claude
  drift: A judge updated: what changed, and for the better?
    algeval drift a.csv b.csv --to-label label.csv
    algeval drift a.csv b.csv --human label.csv
    algeval drift votes.csv --before gpt4 --after claude  # exit code 1
  watch: Verdicts as they come: has the pass rate moved?
    algeval watch --file verdicts.txt --baseline 0.9
    algeval watch --file verdicts.txt --baseline 450/500 --state watch.json
  aggregate: Consensus label of each item, accuracy of each judge.
    algeval aggregate --example mt-bench --no-intervals
    algeval aggregate --example acs --method dawid-skene
    algeval aggregate votes.csv --human gold -o labels.csv
  compare: All methods side by side, scored by human labels.
    algeval compare --example mt-bench
    algeval compare votes.csv --human gold --methods majority,recommended
  diagnose: Do judges err independently? Which method to use?
    algeval diagnose --example mt-bench
  confounders: What else do scores measure, such as length?
    algeval confounders scores.csv --human gold
    algeval confounders scores.csv --human gold --attributes length
  figure: Draw votes, accuracies, agreement and more.
    algeval figure accuracies --example acs -o accuracies.svg
How many labels do I need?
  plan: How many human labels to pay for, before you do.
    algeval plan --rate 0.7 --half-width 0.05 --rho2 0.24 --items 2000
    algeval plan --margin 0.03 --discordance 0.1
    algeval plan --budget 1500 --accuracy 0.8 --margin 0.01 --label-accuracy 0.8
What do votes prove, unlabelled?
  alarm: Can every judge be this good? If not: a proof.
    algeval alarm --example mt-bench --at-least 0.5
    algeval alarm --example mt-bench-summary --at-least 0.7  # exit code 1
  threshold: How good can all judges be at once, at most?
    algeval threshold --example mt-bench
  panel: How many judges must miss a required accuracy?
    algeval panel --example mt-bench --at-least 0.7  # exit code 1
  bounds: The range of every accuracy and label share.
    algeval bounds --example mt-bench
    algeval bounds --example mt-bench-summary --at-least 0.6
  evaluations: Every set of accuracies that fits the counts.
    algeval evaluations --example mt-bench-summary --q 6,15,4 --most 3
  program: An alarm as an LP or MPS file, for a solver of your own.
    algeval program --example mt-bench-summary --at-least 2/3 -o alarm.lp
    algeval program --example mt-bench --at-least 0.7 --solve  # exit code 1
What follows exactly, by algebra?
  decode: Exact accuracies of three judges, errors independent.
    algeval decode --example acs
    algeval decode --example acs --show-algebra
    algeval decode votes.csv --judges gpt4,claude,gemini
  prove: Does an identity hold on every test?
    algeval prove "Delta_ij = P_A*P_B*d_i*d_j"
    algeval prove --only S16,S22
  replicate: Compute the papers' numbers again.
    algeval replicate --only 001-S16,001-S22
    algeval replicate 001 --only 001-n4 --json
Files and the shell
  examples: List the examples that come along.
    algeval examples
  sketch: Write counts of votes: smaller, and without items.
    algeval sketch --example mt-bench -o counts.json
    algeval sketch votes.csv --human gold
  merge: Add the counts of parts that were counted apart.
    algeval sketch --example mt-bench -o one.json
    algeval merge one.json one.json -o two.json
  simulate: Write votes of made-up judges.
    algeval simulate --items 200 --judges 4 --accuracy 0.8
    algeval simulate --labels a,b,tie --seed 1 -o simulated.csv
  verify: Check a certificate.
    algeval alarm --example mt-bench --at-least 0.5 --save proof
    algeval verify proof/certificate.json proof/sketch.json
  skill: A guide for coding agents, as SKILL.md.
    algeval skill
    algeval skill -o SKILL.md
  completion: Let the Tab key complete commands and options.
    eval "$(algeval completion bash)"  # a line for ~/.bashrc
"""
"""Questions, their commands in the order of the help, and examples of these.

Examples run in an empty folder, one after the other, and exit with 0 or what their comment says; those with
votes.csv, scores.csv, pairs.csv, a.csv, b.csv or verdicts.txt need such a file.
"""
_MODULES = {
    **dict.fromkeys(("rate", "versus", "slices", "judges", "leaderboard", "next"), "systems"),
    **dict.fromkeys(("drift", "watch"), "drifting"),
    **dict.fromkeys(("label", "skill"), "labelling"),
    "completion": "options",
    "replicate": "",
}
"""Where commands live that are not in `questions`."""


def _groups() -> dict[str, dict[str, Entry]]:
    groups: dict[str, dict[str, Entry]] = {}
    for line in _TABLE.strip().splitlines():
        text = line.strip()
        if not line.startswith(" "):
            group = groups[text] = {}
        elif not line.startswith("    "):
            name, _, words = text.partition(": ")
            group[name] = Entry(_MODULES.get(name, "questions"), words, ())
        else:
            group[name] = group[name]._replace(examples=(*group[name].examples, text))
    return groups


GROUPS = _groups()
"""{question: {command: its entry}}, in the order of the help."""

COMMANDS: dict[str, Entry] = {name: e for group in GROUPS.values() for name, e in group.items()}

FRONT = ("report", "columns", "rate", "versus", "judges", "label", "next", "leaderboard")
"""Commands that `algeval --help` shows with a line each; the others are named by question."""


def _typed(parameters: list[click.Parameter]) -> dict[str, str]:
    """{parameter: option} of a command, by the first long name."""
    options = [p for p in parameters if isinstance(p, click.Option) and p.name]
    return {str(p.name): next((o for o in p.opts if o[:2] == "--"), p.opts[0]) for p in options}


# --- The group of all commands: a help by question, near misses, and nothing loaded before it is
# used.


class Commands(click.Group):
    """A group whose commands are imported only when they are asked for."""

    def invoke(self, ctx: click.Context) -> Any:
        """Exit code; how far it is goes from the terminal before anybody says that it stopped."""
        with show_progress():
            code = super().invoke(ctx)
        former = ctx.meta.get("algeval.former")
        if former:
            names = ", ".join(f"{old} is now {new}" for old, new in former.items())
            each = "the old name works" if len(former) == 1 else "the old names work"
            say_error(f"{names}; {each} for one release")
        return code

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Command with its examples."""
        if cmd_name not in COMMANDS:
            return None
        home = COMMANDS[cmd_name].module
        command: click.Command
        if home:
            command = getattr(submodule("algeval.cli", home), cmd_name)
        else:
            from algeval.cli.options import extension

            command = extension("algeval.commands", cmd_name)
        from algeval.cli.options import Reading

        command.context_class = Reading
        command.params.sort(key=_rank)
        command.epilog = _epilog(cmd_name, _more_help(cmd_name, command))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Command of these arguments, or the question which one was meant."""
        name = args[0]
        file = Path(name).suffix and Path(name).is_file()
        folder = Path(name).is_dir() and any(map(Path.is_file, Path(name).iterdir()))
        if name not in COMMANDS and name[:1] != "-" and (file or folder):
            args = ["report", *args]  # a file alone is to be reported on
            name = args[0]
        if name == "help" and not ctx.resilient_parsing:  # as of git and others
            say(_help_on(ctx, args[1] if args[1:] else ""))
            ctx.exit()
        if name in COMMANDS or name.startswith("-") or ctx.resilient_parsing:
            resolved = super().resolve_command(ctx, args)
            if resolved[1] is not None:
                ctx.with_resource(spelled_as_typed(_typed(resolved[1].params)))
            return resolved
        near = did_you_mean(name, COMMANDS, "see algeval --help")
        raise click.UsageError(f"no command is called {name!r}; {near}")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands most people need, a line each, and the names of the others by question."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].line) for name in FRONT])
        rest = {
            question: [name for name in group if name not in FRONT]
            for question, group in GROUPS.items()
        }
        with formatter.section("More commands (a line on each: algeval help more)"):
            formatter.write_dl([(q, ", ".join(names)) for q, names in rest.items() if names], 36)
        with formatter.section("More help"):
            formatter.write_dl(
                [
                    ("algeval COMMAND --help", "the options most people need, and examples"),
                    ("algeval help COMMAND", "all options of a command"),
                    ("algeval help reading", "how a table is read, and how to change that"),
                    ("algeval help names", "what P_iA, g_i, Delta_ij ... mean in a statement"),
                ]
            )

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write both ways to call it."""
        formatter.write_usage(ctx.command_path, "FILE | COMMAND [OPTIONS] [ARGS]...")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command, or an option, without loading any."""
        from click.shell_completion import CompletionItem

        items = [
            CompletionItem(name, help=entry.line)
            for name, entry in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return items + super(click.Group, self).shell_complete(ctx, incomplete)


# --- Fuller help, where `--help` of a command shows the options most people need.


_FIRST = ("read_human", "read_good", "n", "half_width")
"""Options that come first in the help of commands that show them."""


def _rank(parameter: click.Parameter) -> int:
    """Rank of a parameter in the help of its command, where the first options come first."""
    return _FIRST.index(parameter.name) if parameter.name in _FIRST else len(_FIRST)


def _epilog(name: str, more: list[str]) -> str:
    """What help of a command ends with: examples, and where there is more."""
    examples = (f"  {line}" for line in COMMANDS[name].examples)
    return "\n".join(["\b", "Examples:", *examples, *more])


def _more_help(name: str, command: click.Command) -> list[str]:
    """Lines at the end of a command's help on the options that it leaves out."""
    from algeval.cli.options import Further

    left = [p.about for p in command.params if isinstance(p, Further)]
    own = left.count("command")
    lines = []
    if own:
        lines.append(f"{own} more option{'s' * (own > 1)}: algeval help {name}")
    if "reading" in left:
        lines.append("How a table is read, and how to change that: algeval help reading")
    return ["", "\b", *lines] if lines else []


def full_help(name: str, context: click.Context) -> str:
    """Help of a command with all its own options."""
    command = cli.get_command(context, name)
    assert command is not None  # a name of the table
    command.epilog = _epilog(name, [])
    with click.Context(command, parent=context, info_name=name) as child:
        child.meta["algeval.full"] = True
        return command.get_help(child)


def _all_commands(width: int) -> str:
    """Every command, a heading a question."""
    formatter = click.HelpFormatter(max_width=width)
    widest = max(map(len, COMMANDS))
    for question, group in GROUPS.items():
        formatter.write_text(question)
        with formatter.indentation():
            formatter.write_dl([(name.ljust(widest), e.line) for name, e in group.items()])
    return formatter.getvalue().rstrip()


def _names_in_words(width: int) -> str:
    """Names in statements and what they mean."""
    from algeval.algebra.language import NAMES_IN_WORDS

    formatter = click.HelpFormatter(max_width=width)
    formatter.write_text(
        "Names in a statement of `algeval prove`, of judges i, j, k and labels A, B:"
    )
    formatter.write_dl([(", ".join(kind.names), kind.meaning) for kind in NAMES_IN_WORDS], 24)
    formatter.write_text(
        "Judges and labels have the names of --judges and --labels; --define NAME=EXPRESSION adds "
        "names. The first label is the positive one. Names longer than a letter stand in braces: "
        "P_{gpt4,pass}."
    )
    return formatter.getvalue().rstrip()


def _help_on(ctx: click.Context, topic: str) -> str:
    """What `algeval help TOPIC` says."""
    from algeval.cli.options import reading_help

    if topic in ("", "--help", "-h"):
        return ctx.get_help()
    width = ctx.max_content_width or 80
    if topic == "more":
        return _all_commands(width)
    if topic == "reading":
        return reading_help(width)
    if topic == "names":
        return _names_in_words(width)
    if topic in COMMANDS:
        return full_help(topic, ctx)
    near = did_you_mean(topic, [*COMMANDS, "more", "reading", "names"], "see algeval --help")
    raise click.UsageError(
        f"help is about a command, more, reading or names; got {topic!r}; {near}"
    )


# --- The `algeval` command: commands load on first use, and no error shows a traceback.


_INTERNAL_ERROR = 70
_CLOSED_PIPE = 141
_STOPPED = 130
_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=Commands, context_settings=_SETTINGS)
@click.version_option(algeval.__version__, prog_name="algeval")
def cli() -> None:
    """Evaluate LLM judges, classifiers and raters, and the systems they judge, with few human labels.

    \b
      algeval results.csv                    a report on your results table
      algeval columns results.csv            what each of its columns is read as
      algeval report --example support-bot   the same report on an example

    A results table has a row per output and a column per judge; people's labels, where there are any, are a
    column too. CSV, TSV, JSON lines, Parquet and Excel are read, and what algeval writes; "-" is a pipe.
    """  # noqa: D301


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    # tables here are narrow: threads of linear algebra wait for each other longer than they work
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    open_closed_streams()
    with _ended_by_signals():
        sys.exit(run(arguments))


def _code(typed: list[str]) -> int:
    if not os.environ.get("SOURCE_DATE_EPOCH", "0").isdecimal():  # NumPy falls over it
        raise DataError(
            "SOURCE_DATE_EPOCH must be a whole number of seconds; got another; unset it"
        )
    if not typed and VARIABLE not in os.environ:
        say(cli.get_help(cli.make_context("algeval", [], resilient_parsing=True)), err=True)
        return 2
    code: Any = cli.main(args=typed, prog_name="algeval", standalone_mode=False, obj=typed)
    return code if isinstance(code, int) else 0


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        return _code(sys.argv[1:] if arguments is None else arguments)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        return _refused(usage_sentence(error), error.exit_code)
    except SystemExit as stop:
        return _ended(stop)
    except AlgevalError as error:
        typed = sys.argv[1:] if arguments is None else arguments
        return _refused(typed_sentence(str(error), typed), 2)
    except OSError as error:
        return _refused(os_sentence(error), 2)
    except (click.Abort, KeyboardInterrupt):
        return _refused("stopped", _STOPPED)
    except MemoryError:
        sentence = (
            "the data must fit in memory; got more than there is; name a smaller file, or free some"
        )
        return _refused(sentence, 2)
    except Exception as error:
        if os.environ.get("ALGEVAL_TRACEBACK"):
            raise
        kind = type(error).__name__
        return _refused(
            f"internal error ({kind}: {error}); this is a bug: please report the command, the version "
            "(algeval --version) and the traceback (run it again with ALGEVAL_TRACEBACK=1)",
            _INTERNAL_ERROR,
        )


_signalled: list[int] = []
"""The signals that asked this process to end."""


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Context in which Ctrl-C and a polite kill end the command, queries of DuckDB, and files begun.

    Python hears a signal between two steps of its own, and a query is one step; so a thread that is woken
    by the system ends the query.
    """
    own: dict[int, Any] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
    }
    handled = [number for number, usual in own.items() if signal.getsignal(number) == usual]
    if current_thread() is not main_thread() or os.name == "nt":
        yield
        return
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    Thread(target=_end_queries, args=(woken,), daemon=True).start()
    before = signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    for number in handled:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, own[number])
        signal.set_wakeup_fd(before)
        os.close(wakes)


def _stop(number: int, _: FrameType | None) -> None:
    _signalled.append(number)
    raise KeyboardInterrupt


def _end_queries(woken: int) -> None:
    while any(number in (signal.SIGINT, signal.SIGTERM) for number in os.read(woken, 64)):
        if "algeval.io.formats" in sys.modules:
            sys.modules["algeval.io.formats"].interrupt_queries()
    os.close(woken)


def _ended(stop: SystemExit) -> int:
    """Code of click's own end: of a completion, or as the reader of a pipe has gone."""
    if not stop.code:
        return 0
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    return _CLOSED_PIPE  # what a shell says of it; 1 would be an alarm


def _refused(message: str, code: int) -> int:
    """Code of a command that ends so; an error that a signal has brought about is called that."""
    if _signalled:
        message, code = "stopped", 128 + _signalled[0]
    say_error(message)
    return code
