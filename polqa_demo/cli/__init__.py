"""The command line; `main` is what the installed command and `python -m polqa_demo` run."""

from polqa_demo.cli.entry import app, main

__all__ = ["app", "main"]
