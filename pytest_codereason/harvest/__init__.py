"""Turns code of repositories into programs whose call graph is known."""
