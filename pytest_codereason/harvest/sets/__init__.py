"""Makes the finished set of all programs."""
