"""Finds the folders for data and caches on this machine, and fetches public files into them."""
