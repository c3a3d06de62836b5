"""What is checked and counted before the first question: options, models, sizes."""
