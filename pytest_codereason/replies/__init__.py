"""Finds the answer in a model's reply. Each file reads one thing that can stand in a reply, in linear time.

``spoken`` drops the reasoning. ``blocks`` and ``tags`` find what is marked. ``literals`` and ``calls`` find where
literals and arguments begin and end. ``labels`` takes labels off lines. ``values`` and ``arguments`` choose the
answer. ``reasoning`` measures traces. No file knows a language by name: each asks the language.
"""
