"""Estimates and intervals."""
