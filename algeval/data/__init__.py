"""The core types, and the only place where input is checked."""

from algeval.data.alignment import Misaligned, misaligned, misread_by_position
from algeval.data.evaluation import Evaluation
from algeval.data.names import NOT_ANSWERED
from algeval.data.scores import Scores
from algeval.data.sketch import KeyedSketch, Sketch
from algeval.data.specification import Condition, Specification
from algeval.data.summary import Summary
from algeval.data.votes import Votes

__all__ = [
    "NOT_ANSWERED",
    "Condition",
    "Evaluation",
    "KeyedSketch",
    "Misaligned",
    "Scores",
    "Sketch",
    "Specification",
    "Summary",
    "Votes",
    "misaligned",
    "misread_by_position",
]
