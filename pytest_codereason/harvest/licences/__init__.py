"""Tells the licence of each file."""
