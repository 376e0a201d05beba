"""Numbers in, numbers out: intervals of a rate from labels, with the judges' verdicts or without."""
