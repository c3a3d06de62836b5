"""Inverse questions: which call makes a line run, or not run, or run so many times?"""
