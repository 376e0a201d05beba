"""Numerical work on scores without names or checks: arrays in, arrays out."""
