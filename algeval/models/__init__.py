"""Probability laws of votes: exact, sampled, and as small exams with whole counts."""
