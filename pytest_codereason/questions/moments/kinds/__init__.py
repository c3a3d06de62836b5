"""The kinds of moments, one a file."""
