"""What is logically possible, given only how the judges voted."""

from algeval.logic.consistent.axioms import AxiomSet, axioms
from algeval.logic.consistent.count import (
    Cells,
    Multiplicities,
    Tables,
    count_consistent,
    count_keys,
    multiplicities,
)
from algeval.logic.consistent.members import (
    EvaluationSet,
    MemberSet,
    Membership,
    Sample,
    count_after_inequalities,
    count_conceivable,
    evaluations,
    is_consistent,
    members,
    sample_consistent,
)
from algeval.logic.proof import Certificate
from algeval.logic.questions.alarm import (
    Constraint,
    IntegerProgram,
    ProgramSolution,
    Variable,
    alarm,
    check,
    program,
)
from algeval.logic.questions.bounds import PairCorrelations, bounds, if_others, pair_correlations
from algeval.logic.questions.panel import panel
from algeval.logic.questions.reach import Reach, reach
from algeval.logic.questions.threshold import count_keys_meeting, threshold
from algeval.logic.questions.watch import (
    HalfVotes,
    KeySuspicion,
    Monitor,
    half_votes,
    suspect_key,
    windows,
)
from algeval.logic.results import Alarm, Bounds, Panel, Point, Rung, Threshold

__all__ = [
    "Alarm",
    "AxiomSet",
    "Bounds",
    "Cells",
    "Certificate",
    "Constraint",
    "EvaluationSet",
    "HalfVotes",
    "IntegerProgram",
    "KeySuspicion",
    "MemberSet",
    "Membership",
    "Monitor",
    "Multiplicities",
    "PairCorrelations",
    "Panel",
    "Point",
    "ProgramSolution",
    "Reach",
    "Rung",
    "Sample",
    "Tables",
    "Threshold",
    "Variable",
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
    "program",
    "reach",
    "sample_consistent",
    "suspect_key",
    "threshold",
    "windows",
]
