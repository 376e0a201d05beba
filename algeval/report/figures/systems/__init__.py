"""Figures of the systems that judges judge: rates, differences, ratings, and the labels they take."""
