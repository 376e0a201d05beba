"""How far long work is: loops say it, and a terminal or a notebook shows it where somebody asked."""

from algeval.progress.showing import paused, show_progress
from algeval.progress.steps import Board, board, counted, listening, stages, steps, watched, within

__all__ = [
    "Board",
    "board",
    "counted",
    "listening",
    "paused",
    "show_progress",
    "stages",
    "steps",
    "watched",
    "within",
]
