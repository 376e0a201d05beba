"""What is logically possible, given only how the judges voted."""

from algeval.logic.alarm import alarm
from algeval.logic.answer_key import KeySuspicion, suspect_key
from algeval.logic.bounds import bounds
from algeval.logic.certificate import Certificate
from algeval.logic.check import check
from algeval.logic.evaluations import (
    count_after_inequalities,
    count_conceivable,
    count_keys,
    evaluations,
)
from algeval.logic.half_votes import HalfVotes, half_votes
from algeval.logic.keys import count_keys_meeting
from algeval.logic.monitoring import Monitor
from algeval.logic.panel import panel
from algeval.logic.results import Alarm, Bounds, EvaluationSet, Panel, Point, Threshold
from algeval.logic.sequences import windows
from algeval.logic.threshold import threshold

__all__ = [
    "Alarm",
    "Bounds",
    "Certificate",
    "EvaluationSet",
    "HalfVotes",
    "KeySuspicion",
    "Monitor",
    "Panel",
    "Point",
    "Threshold",
    "alarm",
    "bounds",
    "check",
    "count_after_inequalities",
    "count_conceivable",
    "count_keys",
    "count_keys_meeting",
    "evaluations",
    "half_votes",
    "panel",
    "suspect_key",
    "threshold",
    "windows",
]
