"""What a run may cost and how long it may take, before and while it asks."""
