"""Outcomes as tables, JSON and explanations."""
