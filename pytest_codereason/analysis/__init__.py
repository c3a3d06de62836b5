"""From records to numbers: tables, intervals, gates."""
