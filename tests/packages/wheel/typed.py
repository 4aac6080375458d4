"""A script of a user, with types."""

from outflank import AsyncEngine, Engine, GameRead, Row, Value, read
def best(engine: Engine, game: str) -> tuple[str, float, int]:
    value: Value = engine.hint(game, time=1.5, only=["f5"], on_progress=lambda values: print(values[0]["move"]))[0]
    return value["move"], value["value"], value["plies"]
def lost(rows: list[Row]) -> float:
    return sum(row["loss"] or 0 for row in rows if row["mistake"])
def names(games: list[GameRead]) -> list[str]:
    return [game["black"] or "?" for game in games or read("f5d6")]
async def later() -> int:
    async with AsyncEngine(threads=2, network="large") as engine:
        engine.configure(hash=8)
        return (await engine.hint("f5", nodes=100))[0]["plies"]
