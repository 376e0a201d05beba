"""Readers of the files that evaluation tools write: each turns one tool's files into votes."""

from algeval.io.readers.registry import READERS, Reader

__all__ = ["READERS", "Reader"]
