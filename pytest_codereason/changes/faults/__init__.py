"""Fault operators: how one line of a program is made wrong, one file each, for all languages."""
