"""Runs items, shows and records how far they are, and ends a session early."""
