"""Builds questions: texts written beforehand, facts completed by running programs, the program as it is shown."""
