"""Programs in which symbols or words have another meaning than usual."""
