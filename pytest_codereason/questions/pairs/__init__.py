"""Pairs of programs that do the same for every call of a domain, or do not."""
