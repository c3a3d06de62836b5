"""Finds repositories, opens them, and walks their files."""
