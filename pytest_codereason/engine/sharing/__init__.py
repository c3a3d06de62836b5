"""Which questions are asked, and which process asks which."""
