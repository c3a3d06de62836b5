"""Searches for a program that a model gets wrong, or for a change that turns a right answer wrong.

A test asks through ``examiner.py``. ``search.py`` drives Hypothesis in rounds, ``counterexample.py`` holds a failing
example, and ``hooks.py`` ties them to pytest. :class:`Pair` is what a kept counterexample is made of.
"""

from pytest_codereason.fuzzing.pair import Pair

__all__ = ["Pair"]
