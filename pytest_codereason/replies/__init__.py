"""Reads what a model replied. Each thing that can stand in a reply is read by one file, in linear time.

``spoken`` drops the reasoning, ``blocks`` and ``tags`` find what is marked, ``literals`` and ``calls`` find where
literals and arguments begin and end. ``values`` and ``arguments`` say which of them is the answer.
No file knows a language by name: what depends on the language is asked of the language.
"""
