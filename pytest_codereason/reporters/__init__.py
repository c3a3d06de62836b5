"""Words and ink for the numbers of a run: one reporter a file, and what reporters share."""
