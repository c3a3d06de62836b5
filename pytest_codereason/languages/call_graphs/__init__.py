"""Call graphs: resolved from the text of a program, sorted by kind, and compared with answers."""
