"""How each order answers: order 1, pairs of judges, and whole decision tuples."""
