"""Identities and ideals of evaluations: encoded, proved, or refuted by an actual exam."""
