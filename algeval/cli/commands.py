"""The one table of commands: the question each answers, in a line, and examples that run.

Reading it loads no command, so that `algeval --help` and completion are fast.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COMMANDS", "GROUPS", "Entry", "epilog"]


class Entry(NamedTuple):
    """A command.

    Attributes
    ----------
    module : str
        Where it lives, in `algeval.cli`.
    line : str
        What it answers, in at most 60 characters.
    examples : tuple of str
        Command lines that run in an empty folder, one after the other, and exit with 0 or what their
        comment says; those with votes.csv, scores.csv, pairs.csv, a.csv or b.csv need such a file.
    """

    module: str
    line: str
    examples: tuple[str, ...]


GROUPS: dict[str, dict[str, Entry]] = {
    "What do the votes alone say?": {
        "report": Entry(
            "report",
            "Everything on one screen, or on a page to send.",
            (
                "algeval report --example mt-bench",
                "algeval report votes.csv -o report.html",
                "algeval report votes.csv --at-least 0.7 --key gold",
            ),
        ),
    },
    "What is impossible, whatever the answer key?": {
        "alarm": Entry(
            "logic",
            "Can all judges be this good? If not: a proof.",
            (
                "algeval alarm --example mt-bench --at-least 0.5",
                "algeval alarm --example mt-bench-summary --at-least 0.7  # exit code 1",
            ),
        ),
        "threshold": Entry(
            "logic",
            "How good can all judges be at once?",
            ("algeval threshold --example mt-bench",),
        ),
        "panel": Entry(
            "logic",
            "How many judges must fall short?",
            ("algeval panel --example mt-bench --at-least 0.7  # exit code 1",),
        ),
        "bounds": Entry(
            "logic",
            "Between which numbers does every accuracy lie?",
            (
                "algeval bounds --example mt-bench",
                "algeval bounds --example mt-bench-summary --at-least 0.6",
            ),
        ),
        "evaluations": Entry(
            "logic",
            "Which evaluations fit the counts, and how many?",
            ("algeval evaluations --example mt-bench-summary --q 6,15,4 --most 3",),
        ),
        "program": Entry(
            "program",
            "An alarm for a solver of your own, as an LP file.",
            (
                "algeval program --example mt-bench-summary --at-least 2/3 -o alarm.lp",
                "algeval program --example mt-bench --at-least 0.7 --solve  # exit code 1",
            ),
        ),
    },
    "What is true if errors are independent?": {
        "decode": Entry(
            "algebra",
            "How good are three judges, exactly?",
            (
                "algeval decode --example acs",
                "algeval decode --example acs --show-algebra",
                "algeval decode votes.csv --judges gpt4,claude,human",
            ),
        ),
        "diagnose": Entry(
            "diagnose",
            "Are errors independent, and which method to use?",
            ("algeval diagnose --example mt-bench",),
        ),
        "prove": Entry(
            "prove",
            "Does an identity hold on every test?",
            (
                'algeval prove "Delta_ij = P_A*P_B*d_i*d_j"',
                "algeval prove --only S16,S22",
            ),
        ),
        "replicate": Entry(
            "prove",
            "Do the papers' numbers hold when computed again?",
            (
                "algeval replicate --only 001-S16,001-S22",
                "algeval replicate 001 --only 001-n4 --json",
            ),
        ),
    },
    "What is likely?": {
        "aggregate": Entry(
            "aggregate",
            "Which label has each item, and how good is each judge?",
            (
                "algeval aggregate --example mt-bench --no-intervals",
                "algeval aggregate --example acs --method dawid-skene",
                "algeval aggregate votes.csv --key gold -o labels.csv",
            ),
        ),
        "compare": Entry(
            "compare",
            "What do all methods say, side by side, and the key?",
            (
                "algeval compare --example mt-bench",
                "algeval compare votes.csv --key gold --methods majority,recommended",
            ),
        ),
        "confounders": Entry(
            "confounders",
            "Do judges who give scores share more than one thing?",
            (
                "algeval confounders scores.csv --key gold",
                "algeval confounders scores.csv --key gold --attributes length",
            ),
        ),
        "figure": Entry(
            "figure",
            "All of this, drawn.",
            ("algeval figure accuracies --example acs -o accuracies.svg",),
        ),
    },
    "What do the votes say about the systems they judge?": {
        "rate": Entry(
            "systems.rate",
            "How often does it pass, with an interval that holds?",
            (
                "algeval rate votes.csv --label a  # exit code 1",
                "algeval rate votes.csv --label a --key gold --gold key",
            ),
        ),
        "versus": Entry(
            "systems.versus",
            "Is one of two systems better?",
            (
                "algeval versus a.csv b.csv --label b  # exit code 1",
                "algeval versus a.csv b.csv --label b --key gold --gold key",
            ),
        ),
        "leaderboard": Entry(
            "systems.leaderboard",
            "Which ranks may each system have, from judged battles?",
            (
                "algeval leaderboard pairs.csv",
                "algeval leaderboard pairs.csv --ties half --order first",
            ),
        ),
        "next": Entry(
            "systems.next",
            "Which items to label next?",
            (
                "algeval next votes.csv --n 5 -o label.csv",
                "algeval next a.csv --other b.csv --goal difference --n 5",
            ),
        ),
    },
    "How many labels should I pay for?": {
        "plan": Entry(
            "plan",
            "How many labels, for a rate, a comparison or a budget?",
            (
                "algeval plan --rate 0.7 --half-width 0.05 --rho2 0.24 --items 2000",
                "algeval plan --margin 0.03 --discordance 0.1",
                "algeval plan --budget 1500 --accuracy 0.8 --margin 0.01 --label-accuracy 0.8",
            ),
        ),
    },
    "Data, certificates and the shell": {
        "sketch": Entry(
            "data",
            "Write counts of votes: all the other commands need.",
            (
                "algeval sketch --example mt-bench -o counts.json",
                "algeval sketch votes.csv --key gold",
            ),
        ),
        "merge": Entry(
            "merge",
            "Add the counts of parts that were counted apart.",
            (
                "algeval sketch --example mt-bench -o one.json",
                "algeval merge one.json one.json -o two.json",
            ),
        ),
        "simulate": Entry(
            "data",
            "Write votes of judges whose errors are independent.",
            (
                "algeval simulate --items 200 --judges 4 --accuracy 0.8",
                "algeval simulate --labels a,b,tie --seed 1 -o simulated.csv",
            ),
        ),
        "examples": Entry("data", "List the examples that come along.", ("algeval examples",)),
        "verify": Entry(
            "verify",
            "Is a certificate valid?",
            (
                "algeval alarm --example mt-bench --at-least 0.5 --save proof",
                "algeval verify proof/certificate.json proof/sketch.json",
            ),
        ),
        "completion": Entry(
            "completion",
            "Let the Tab key complete commands, options and names.",
            ('eval "$(algeval completion bash)"  # a line for ~/.bashrc',),
        ),
    },
}
"""{question: {command: what is known of it}}, in the order of the help."""

COMMANDS: dict[str, Entry] = {name: e for group in GROUPS.values() for name, e in group.items()}


def epilog(name: str) -> str:
    """Return the examples of a command as its help ends with them."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in COMMANDS[name].examples)])
