"""What ``codereason`` can do without a pytest run: one file a command.

A module here has ``add(commands)``, which declares the command and sets ``run``, a function of the
parsed arguments that returns the exit code.
"""
