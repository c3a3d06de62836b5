"""One pytest session: its options, the collected questions, who asks them, and who reports.

``evaluation.py`` holds the hooks. ``controller.py`` works in the process that the user started: it checks the run
before, and judges and reports it after. ``interviewer.py`` asks, in every process that runs items.
"""
