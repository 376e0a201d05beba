"""Consensus labels and judge quality under models of how votes arise."""
