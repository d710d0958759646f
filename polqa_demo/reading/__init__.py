"""Question and passages in, answer out."""
