"""Programs that may be known by heart, asked about with inputs that nobody has published."""
