"""What is done to programs before a question shows them."""
