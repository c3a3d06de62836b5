"""Asks a model in batches, which outlive the process that sends them."""
