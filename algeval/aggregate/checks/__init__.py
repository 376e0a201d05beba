"""What is asked before and after a method: agreement, identifiability, scores, fit."""
