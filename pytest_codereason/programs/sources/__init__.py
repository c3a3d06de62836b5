"""The sources of programs: one file each."""
