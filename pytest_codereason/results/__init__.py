"""The typed results of runs: what was recorded, what was measured, and which gates hold."""
