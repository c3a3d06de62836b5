"""The typed results of runs: what was recorded and what was measured."""
