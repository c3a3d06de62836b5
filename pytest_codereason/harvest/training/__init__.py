"""What a model can learn from questions whose answers are known: conversations, adapters, rewards."""
