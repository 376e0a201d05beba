"""Label where it counts, and stop when it is enough: choosing, showing, recording, stopping."""

from algeval._callable import make_callable
from algeval.label.front import label
from algeval.label.sitting import Labelling

__all__ = ["Labelling", "label"]

make_callable(__name__, "label")
