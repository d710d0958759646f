"""Training and fitting of what the package ships, and of what was tried and left it; not installed with it."""
