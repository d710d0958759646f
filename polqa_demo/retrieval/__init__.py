"""Question in, ranking out."""
