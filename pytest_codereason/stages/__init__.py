"""What happens to a program between source and task: one file each."""
