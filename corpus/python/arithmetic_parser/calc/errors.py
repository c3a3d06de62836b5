class CalcError(Exception):
    """The text is no arithmetic, or has no value."""
