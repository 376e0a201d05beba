"""The command line: parse, call, print; no logic.

Exit codes: 0 quiet, 1 an alarm or a failed check, 2 bad input, 70 an internal error.
"""

from algeval.cli.main import main

__all__ = ["main"]
