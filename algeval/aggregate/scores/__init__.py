"""Consensus of scores: one family of methods a file, with its kernels."""
