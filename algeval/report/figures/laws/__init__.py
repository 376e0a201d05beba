"""Figures of what laws of votes say, drawn of what was computed from them."""
