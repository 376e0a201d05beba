"""Figures of labels that are still to be paid."""
