"""What several tasks share: the axes of prompting, the lines that are shown, guesses by chance, defences, audits."""
