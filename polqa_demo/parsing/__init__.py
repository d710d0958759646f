"""How files of others are read for a score: in this process, or in one of their own that can be ended."""
