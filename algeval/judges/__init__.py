"""How good the judges are by people's labels, which may be best, what is surely wrong, and bias.

Names load on first use.
"""

from typing import TYPE_CHECKING

from algeval._lazy import homes, on_first_use

if TYPE_CHECKING:
    from algeval.judges.bias import JudgeBias as JudgeBias
    from algeval.judges.bias import judge_bias as judge_bias
    from algeval.judges.card import BestJudges as BestJudges
    from algeval.judges.card import JudgeCard as JudgeCard
    from algeval.judges.card import JudgeComparison as JudgeComparison
    from algeval.judges.card import JudgeRow as JudgeRow
    from algeval.judges.card import judge_card as judge_card
    from algeval.judges.drifting import Drift as Drift
    from algeval.judges.drifting import DriftRow as DriftRow
    from algeval.judges.drifting import drift as drift
    from algeval.judges.intervals import Interval as Interval
    from algeval.judges.needed import LabelsNeeded as LabelsNeeded
    from algeval.judges.needed import PairNeeded as PairNeeded
    from algeval.judges.needed import WidthNeeded as WidthNeeded
    from algeval.judges.people import AltTest as AltTest
    from algeval.judges.people import AltTestPerson as AltTestPerson
    from algeval.judges.people import AltTestRow as AltTestRow
    from algeval.judges.people import HumanAgreement as HumanAgreement
    from algeval.judges.people import HumanGap as HumanGap
    from algeval.judges.slicing import SliceChange as SliceChange
    from algeval.judges.slicing import SliceRow as SliceRow
    from algeval.judges.slicing import Slices as Slices
    from algeval.judges.slicing import slices as slices
    from algeval.judges.stream import StreamAnswer as StreamAnswer
    from algeval.judges.stream import VerdictStream as VerdictStream
    from algeval.judges.wrong import FloorCertificate as FloorCertificate
    from algeval.judges.wrong import SelfConsistency as SelfConsistency
    from algeval.judges.wrong import self_consistency as self_consistency

_HOME = homes(
    {
        "bias": "JudgeBias judge_bias",
        "card": "BestJudges JudgeCard JudgeComparison JudgeRow judge_card",
        "drifting": "Drift DriftRow drift",
        "intervals": "Interval",
        "needed": "LabelsNeeded PairNeeded WidthNeeded",
        "people": "AltTest AltTestPerson AltTestRow HumanAgreement HumanGap",
        "slicing": "SliceChange SliceRow Slices slices",
        "stream": "StreamAnswer VerdictStream",
        "wrong": "FloorCertificate SelfConsistency self_consistency",
    }
)

__all__ = [*_HOME]  # noqa: PLE0604

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(__name__, _HOME)
