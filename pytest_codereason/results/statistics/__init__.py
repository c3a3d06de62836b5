"""Intervals, trends and estimators over arrays of numbers. Nothing here knows a record or pytest."""
