"""Outcomes as tables, JSON, explanations and pages."""
