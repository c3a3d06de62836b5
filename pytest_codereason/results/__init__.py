"""Records of a run as tables and numbers."""
