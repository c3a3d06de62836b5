"""What a language can do, as abstract types, and the plain values that they exchange."""
