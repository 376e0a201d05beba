"""The same labelling in a terminal, for machines without a browser."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from algeval.label.sitting import Sitting, View, agreement_text, bar_text, question_of
from algeval.result import visible

if TYPE_CHECKING:
    from rich.console import Console

HELP = "0 cannot tell, s later, u undo, n note, q stop"
MOST_LINES = 60  # chosen: lines of a text that are shown before it is cut


def run(sitting: Sitting, question: str | None = None, read: Callable[[str], str] = input) -> None:
    """Label until "q" or the end of the input, one person after another at each label.

    read : what a line is read with.
    """
    from rich.console import Console

    console = Console(highlight=False)
    who, note = sitting.people[0], ""
    if len(sitting.people) > 1:
        who = _person(sitting, read)
    while True:
        view = sitting.view(who)
        if view.item is None:
            console.print("All items that are yours have a label.")
            return
        _show(sitting, view, question, console)
        began = time.monotonic()
        try:
            key = read("> ").strip()
        except (EOFError, KeyboardInterrupt):
            return
        if key == "q":
            return
        if key == "n":
            note = read("note: ").strip()
            continue
        note = _done(sitting, who, key, note, time.monotonic() - began, console.print)


def _show(sitting: Sitting, view: View, question: str | None, console: Console) -> None:
    """Print an item, the answer so far, the question and the keys."""
    from rich.markdown import Markdown
    from rich.panel import Panel
    from rich.text import Text

    own, answer = sitting.plan.settings, sitting.live
    console.rule(f"{view.number}")
    for cell in view.cells:
        lines = cell.plain.split("\n")
        body = "\n".join(lines[:MOST_LINES])
        if len(lines) > MOST_LINES:
            body += f"\n... {len(lines) - MOST_LINES} more lines"
        if cell.left_out:
            body += f"\n... {cell.left_out} more characters"
        is_plain = cell.kind != "markdown"
        shown = Text(body) if is_plain else Markdown(body, hyperlinks=False)
        console.print(Panel(shown, title=Text(visible(cell.name)), title_align="left"))
    keys = "  ".join(f"{k + 1} {name}" for k, name in enumerate(own.labels))
    bars = [bar_text(bar, own.goal, sitting.plan.counted) for bar in answer.bars]
    for line in [*bars, *agreement_text(sitting.humans)]:
        console.print(Text(visible(line)))
    console.print(Text(visible(answer.sentence)), style="green" if answer.stop else "")
    console.print(Text(visible(question_of(sitting.plan, question))), style="bold")
    console.print(Text(visible(f"{keys}   ({HELP})")))


def _person(sitting: Sitting, read: Callable[[str], str]) -> str:
    """Who labels here, of several people."""
    while True:
        name = read(f"Who labels ({', '.join(sitting.people)})? ").strip()
        if name in sitting.people:
            return name


def _done(
    sitting: Sitting, who: str, key: str, note: str, seconds: float, say: Callable[[str], object]
) -> str:
    """Do what a key says; the note that is left for the next."""
    labels = sitting.plan.settings.labels
    try:
        if key.isdecimal() and 1 <= int(key) <= len(labels):
            sitting.act(who, "label", label=labels[int(key) - 1], note=note, seconds=seconds)
        elif key in ("0", "s"):
            sitting.act(who, "unsure" if key == "0" else "skip", note=note, seconds=seconds)
        elif key == "u":
            sitting.undo(who)
        else:
            say(f"A key is 1 to {len(labels)}, or {HELP}.")
            return note
    except OSError as error:
        say(
            f"NOT SAVED: {error.strerror or error}. The item stays; mend that, then label it again."
        )
        return note
    return ""
