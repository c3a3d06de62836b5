"""Makes programs from numbers, in no language: builds them, tidies them, and works out their output.

Hypothesis draws the numbers for fuzzing (:mod:`pytest_codereason.strategies`), a seed draws them for the source
``ladder``.
"""
