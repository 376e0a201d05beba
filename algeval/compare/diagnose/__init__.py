"""Which assumptions hold on these votes, and which method is advised."""
