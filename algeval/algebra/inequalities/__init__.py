"""Polynomial inequalities on products of simplices: proved with exact certificates, or refuted."""
