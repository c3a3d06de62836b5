"""The stages, which change what a question shows: one file each."""
