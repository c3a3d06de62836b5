"""Shows the numbers of a run in words and charts: one reporter a file, and what reporters share."""
