"""The browser app."""
