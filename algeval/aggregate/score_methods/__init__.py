"""Consensus of scores: one method a file."""
