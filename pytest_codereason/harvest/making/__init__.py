"""Makes programs of files, and validates them."""
