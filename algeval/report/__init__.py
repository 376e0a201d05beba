"""Reports a person reads, and the same as JSON."""
