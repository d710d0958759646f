"""The small adapters that are shipped, reproducibly."""
