"""The evaluations consistent with the counts: listed, counted, drawn, tested, and their axioms."""
