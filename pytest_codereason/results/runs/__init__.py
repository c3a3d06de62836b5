"""Runs: their description, their folders and shards, and what speaks for a stored run."""
