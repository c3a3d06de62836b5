"""Records as typed columns, checked where they are read."""
