"""Mistakes that mypy must find: one in each line that prints."""

from outflank import AsyncEngine, Engine
from typed import best

print(best(Engine(network="huge"), ""))
print(Engine().hint("")[0]["mvoe"])
print(Engine().analyse("f5")[0]["loss"] + 1)
print(AsyncEngine(thread=2))
