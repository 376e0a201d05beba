"""What is logically possible, given only how the judges voted."""

from algeval.logic.consistent.axioms import AxiomSet, axioms
from algeval.logic.consistent.cells import Cells, Tables
from algeval.logic.consistent.counting import Multiplicities, count_consistent, multiplicities
from algeval.logic.consistent.evaluations import (
    EvaluationSet,
    count_after_inequalities,
    count_conceivable,
    evaluations,
)
from algeval.logic.consistent.lattice import count_keys
from algeval.logic.consistent.members import MemberSet, Membership, is_consistent, members
from algeval.logic.consistent.sampling import Sample, sample_consistent
from algeval.logic.proof.certificate import Certificate
from algeval.logic.questions.alarm import alarm
from algeval.logic.questions.bounds import bounds
from algeval.logic.questions.check import check
from algeval.logic.questions.half_votes import HalfVotes, half_votes
from algeval.logic.questions.if_others import if_others
from algeval.logic.questions.integer_program import (
    Constraint,
    IntegerProgram,
    ProgramSolution,
    Variable,
)
from algeval.logic.questions.keys import count_keys_meeting
from algeval.logic.questions.monitor import Monitor
from algeval.logic.questions.pair_correlations import PairCorrelations, pair_correlations
from algeval.logic.questions.panel import panel
from algeval.logic.questions.program import program
from algeval.logic.questions.suspect_key import KeySuspicion, suspect_key
from algeval.logic.questions.threshold import threshold
from algeval.logic.questions.windows import windows
from algeval.logic.results import Alarm, Bounds, Panel, Point, Threshold

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
    "sample_consistent",
    "suspect_key",
    "threshold",
    "windows",
]
