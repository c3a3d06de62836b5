"""Moments of a run that can be asked about: what the text says of lines, what the run shows, and which are fair."""
