"""Sentences, numbers and tables as readers see them."""
