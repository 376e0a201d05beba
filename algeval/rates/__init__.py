"""From judges to the systems they judge: rates, comparisons, leaderboards, what to label next."""
