"""Readers: any votes file or frame becomes `Votes`; shipped examples."""
