"""Text of programs and for people: edits, changes that carry facts along, encodings, wording."""
