"""What is read out of a model's reply."""
