"""The core types, and the only place where input is checked."""

from algeval.data.evaluation import Evaluation
from algeval.data.names import NOT_ANSWERED
from algeval.data.scores import Misaligned, Scores, misaligned, misread_by_position
from algeval.data.sketch import KeyedSketch, Sketch, Summary
from algeval.data.specification import Condition, Specification
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
