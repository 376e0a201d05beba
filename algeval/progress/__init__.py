"""How far long work is: loops say it, and a terminal or a notebook shows it where somebody asked.

`show_progress` is for all; the other names are for loops inside the package.
"""

from algeval.progress.showing import paused as paused
from algeval.progress.showing import show_progress
from algeval.progress.steps import Board as Board
from algeval.progress.steps import board as board
from algeval.progress.steps import counted as counted
from algeval.progress.steps import listening as listening
from algeval.progress.steps import stages as stages
from algeval.progress.steps import steps as steps
from algeval.progress.steps import watched as watched
from algeval.progress.steps import within as within

__all__ = ["show_progress"]
