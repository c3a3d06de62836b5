"""Verdicts about runs: what a gate says, what it measures, and whether it passes. Nothing here knows pytest."""
