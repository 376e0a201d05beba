"""A consensus of 50,000 items by 50 judges: CPU seconds and memory of every method, in a process of its own.

Run with ``OPENBLAS_NUM_THREADS=1`` on a machine that does other things: threads that fight for cores cost
many times what they save.
"""

import subprocess
import sys

import pytest

from algeval.aggregate import SCORE_METHODS

MOST_SECONDS, MOST_MEGABYTES = 5.0, 500
SETTINGS = {"care-tensor": ', n_states=2, named_by={"judge": "j0"}'}

PROGRAM = """
import resource, time
import numpy as np
import algeval as ae

rng = np.random.default_rng(0)
trait = rng.normal(size=(50000, 1))
values = 5 + trait * rng.uniform(0.3, 0.9, 50) + rng.normal(size=(50000, 50))
scores = ae.Scores(range(50000), [f"j{{k}}" for k in range(50)], np.round(values, 1))
before = time.process_time()
found = ae.aggregate(scores, "{name}"{more})
used = time.process_time() - before
print(used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, found.status.value)
"""


@pytest.mark.benchmark
@pytest.mark.parametrize("name", [name for name in SCORE_METHODS if name != "recommended"])
def test_fifty_thousand_items_by_fifty_judges(name):
    program = PROGRAM.format(name=name, more=SETTINGS.get(name, ""))
    command = [sys.executable, "-c", program]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    seconds, megabytes = float(told[0]), float(told[1])
    print(f"{name}: {seconds:.1f} s of CPU, {megabytes:.0f} MB in all, {told[2]}")
    assert seconds < MOST_SECONDS
    assert megabytes < MOST_MEGABYTES
