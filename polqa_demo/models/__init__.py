"""One way to the models of others: where they compute, and in what numbers."""
