"""What answers: one file each."""
