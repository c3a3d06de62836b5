"""Logs of other tools, read as runs and written from runs: one format a file."""
