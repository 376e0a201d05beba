"""Error correlations: measured, tested for, and what they do to a decoding."""
