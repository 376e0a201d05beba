"""What is logically possible, given only how the judges voted."""

from algeval.logic.alarm import alarm
from algeval.logic.answer_key import KeySuspicion, suspect_key
from algeval.logic.axioms import AxiomSet, axioms
from algeval.logic.bounds import bounds
from algeval.logic.certificate import Certificate
from algeval.logic.check import check
from algeval.logic.counting import Multiplicities, count_consistent, multiplicities
from algeval.logic.counting_inputs import Cells, Tables
from algeval.logic.evaluations import (
    count_after_inequalities,
    count_conceivable,
    count_keys,
    evaluations,
)
from algeval.logic.half_votes import HalfVotes, half_votes
from algeval.logic.if_others import if_others
from algeval.logic.keys import count_keys_meeting
from algeval.logic.members import MemberSet, Membership, is_consistent, members
from algeval.logic.monitoring import Monitor
from algeval.logic.pair_correlation import PairCorrelations, pair_correlations
from algeval.logic.panel import panel
from algeval.logic.results import Alarm, Bounds, EvaluationSet, Panel, Point, Threshold
from algeval.logic.sampling import Sample, sample_consistent
from algeval.logic.sequences import windows
from algeval.logic.threshold import threshold

__all__ = [
    "Alarm",
    "AxiomSet",
    "Bounds",
    "Cells",
    "Certificate",
    "EvaluationSet",
    "HalfVotes",
    "KeySuspicion",
    "MemberSet",
    "Membership",
    "Monitor",
    "Multiplicities",
    "PairCorrelations",
    "Panel",
    "Point",
    "Sample",
    "Tables",
    "Threshold",
    "alarm",
    "axioms",
    "bounds",
    "check",
    "count_after_inequalities",
    "count_conceivable",
    "count_consistent",
    "count_keys",
    "count_keys_meeting",
    "evaluations",
    "half_votes",
    "if_others",
    "is_consistent",
    "members",
    "multiplicities",
    "pair_correlations",
    "panel",
    "sample_consistent",
    "suspect_key",
    "threshold",
    "windows",
]
