"""What draws programs and changes: the public names stand in ``pytest_codereason.strategies``."""
