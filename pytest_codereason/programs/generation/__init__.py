"""Makes generated programs, and computes their output. A printer of a language writes them later.

A program is made from numbers. Hypothesis draws the numbers for fuzzing (:mod:`pytest_codereason.strategies`).
A seed draws the numbers for the source ``ladder``.
"""
