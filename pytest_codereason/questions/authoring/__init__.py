"""Texts that a model or a rule writes before questions are built."""
