"""One file per method: what it assumes, how it is fitted, how it predicts."""
