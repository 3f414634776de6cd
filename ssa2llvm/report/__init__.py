"""Graphs, explanations and pages for people."""
