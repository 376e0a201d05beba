"""What knows rows and not judges: programs, the solver, exact refutations, trees, certificates."""
