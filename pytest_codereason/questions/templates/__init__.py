"""Prompt templates, and how they are loaded."""
