"""Which questions a session has: suite files, items, selections, their order."""
