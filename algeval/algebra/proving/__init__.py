"""Claims about evaluations: read, encoded, proved, or refuted by an actual exam."""
