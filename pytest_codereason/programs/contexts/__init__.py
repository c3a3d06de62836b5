"""Contexts: functions that have nothing to do with a question, and where the program stands among them."""
