"""What a model is asked to do: one file each."""
