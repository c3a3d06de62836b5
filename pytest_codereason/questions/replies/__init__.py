"""Finds the answer in a model's reply. Each file reads one thing that can stand in a reply, in linear time.

``final_text`` drops the reasoning and the marks of a chat (``marks``), ``look`` gives the rest its plain look, and
``questions`` stops at another question. ``blocks`` and ``tags`` find what is marked. ``assertions`` (with ``forms``),
``sentences`` (with ``words``) and ``boxes`` find what is stated, and ``tails`` says whether a statement ends with its
value. ``literals`` and ``calls`` find where literals and arguments begin and end. ``values`` and ``arguments`` choose
the answer. ``reasoning`` measures traces. No file knows a language by name: each asks the language.
"""
