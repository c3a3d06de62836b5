"""Tests of fault operators."""
