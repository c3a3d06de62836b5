"""What several tasks share: the axes of prompting, guesses by chance, defences against misleading text."""
