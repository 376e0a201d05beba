"""Plans before labels are paid: for a rate, a difference, a panel of judges, labels per item."""

from algeval.rates.planning.plan import plan
from algeval.rates.planning.results import JudgePlan, LabelPlan, PanelSize, RepeatPlan, Repeats, Way

__all__ = ["JudgePlan", "LabelPlan", "PanelSize", "RepeatPlan", "Repeats", "Way", "plan"]
