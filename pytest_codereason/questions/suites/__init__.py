"""Suite files, read and turned into questions."""
