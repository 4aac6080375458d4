"""Runs the program: ``python -m outflank``."""

from . import main

main()
