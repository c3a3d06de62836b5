"""Changes that keep what a program does: one file each, for all languages."""
