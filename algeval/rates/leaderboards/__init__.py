"""Leaderboards of systems from judged battles: ratings with clustered errors, and sets of ranks."""

from algeval.rates.leaderboards.leaderboard import leaderboard
from algeval.rates.leaderboards.results import Leaderboard, OrderEffect, Rated

__all__ = ["Leaderboard", "OrderEffect", "Rated", "leaderboard"]
