"""Where programs come from: one file each."""
