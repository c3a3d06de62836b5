"""Programming languages: one file each."""
