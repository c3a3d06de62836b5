"""What the engine keeps on disk: answers, run folders with their seals, and what processes tell each other."""
