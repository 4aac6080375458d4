"""A script of a user, with types."""

from outflank import Engine, Row, Value
def best(engine: Engine, game: str) -> tuple[str, float, int]:
    value: Value = engine.hint(game, time=1.5, only=["f5"], on_progress=lambda values: print(values[0]["move"]))[0]
    return value["move"], value["value"], value["plies"]
def lost(rows: list[Row]) -> float:
    return sum(row["loss"] or 0 for row in rows if row["mistake"])
