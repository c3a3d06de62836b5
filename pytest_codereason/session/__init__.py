"""One pytest session: options, collected questions, the interviewer that asks, the controller that reports.

``evaluation.py`` holds the hooks; ``controller.py`` works in the process the user started, ``interviewer.py`` in
every process that runs items.
"""
