"""One pytest session: options, collected questions, the desk that asks, the head that reports.

``evaluation.py`` holds the hooks; ``head.py`` works in the process the user started, ``desk.py`` in
every process that runs items.
"""
