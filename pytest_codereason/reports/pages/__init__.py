"""Pages that open from disk without a network: their style, their script, and the answers that a reader explores."""
