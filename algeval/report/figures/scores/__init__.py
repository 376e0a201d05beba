"""Figures of judges who give scores."""
