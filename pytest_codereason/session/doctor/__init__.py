"""What this machine can do for a run, one part a file. Nothing is installed, and nothing is changed."""
