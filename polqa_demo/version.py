"""The version, apart from everything else so that building the package imports nothing."""

__version__ = "0.1.0"
