"""What several models need: arguments, chat markup, weights."""
