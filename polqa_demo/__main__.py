"""`python -m polqa_demo`."""

from polqa_demo.cli import main

main()
