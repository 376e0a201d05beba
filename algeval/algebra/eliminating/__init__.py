"""Ideals and relations: Groebner bases, elimination, and the ladder from counts to evaluations."""
