"""What users ask: alarms, thresholds, panels, ranges, and what is built on them."""
