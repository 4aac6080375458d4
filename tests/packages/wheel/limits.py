"""Limits, progress and stops; each result is true."""

import asyncio, json, outflank, pathlib, tempfile, threading
results = []
def stopped(ask, *words, **options):
    try:
        ask(*words, **options)
    except outflank.StoppedError:
        return True
with outflank.Engine() as engine:
    seen = []
    values = engine.hint("f5d6c3", depth=60, moves=2, on_progress=lambda values: (seen.append(values), engine.stop()))
    results += [len(seen) == 1 and len(values) == 2 and values[0]["plies"] >= seen[0][0]["plies"]]
    results += [engine.hint("f5d6c3", time=0.05)[0]["plies"] < 57, engine.play("f5d6c3", nodes=1) in engine.legal_moves("f5d6c3")]
    results += [sorted(row["move"] for row in engine.hint("f5d6c3", depth=2, moves=9, only="g5 f4")) == ["f4", "g5"]]
    results += [[row["depth"] for row in engine.hint("f5", depth=4)] == ["4"]]
    for ask in (lambda: engine.solve(""), lambda: engine.analyse("f5d6c3", depth=60)):
        thread = threading.Thread(target=lambda: results.append(stopped(ask)))
        thread.start()
        while thread.is_alive():
            engine.stop()
            thread.join(0.01)
    results += [len(engine.analyse("f5d6", nodes=100)) == 2, len(engine.analyse("f5d6", time=0.01)) == 2]
    game = "(;GM[Othello]TY[8]B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5];)"
    results += [engine.result(game) == 64, engine.legal_moves(game) == [], engine.position("").endswith(" X")]
    wrong = [{"only": "a1"}, {"only": ""}, {"time": 0}, {"time": float("nan")}, {"time": "x"}, {"nodes": 0}]
    wrong += [{"nodes": 1 << 64}, {"moves": 65}, {"on_progress": 5}]
    for options in wrong:
        try:
            engine.hint("f5", **options)
        except (outflank.EngineError, TypeError, ValueError) as error:
            results += [str(error).removeprefix("set ").startswith(next(iter(options)))]
    over = "e6f4e3f6g5d6e7f5c5"
    results += [engine.play("f5", level=1) in engine.legal_moves("f5"), engine.play(over, level="club") is None]
    results += [engine.play("-OOOOOOX" + "O" * 56 + "X", level="engine") == "a1"]
    for options in ({"level": "king"}, {"level": ""}, {"level": "club", "depth": 4}):
        try:
            engine.play("f5", **options)
        except (outflank.EngineError, ValueError) as error:
            results += [str(error).removeprefix("set ").startswith("level: ")]
    value = engine.hint("f5", depth=4)[0]["value"]
    engine.configure(threads=2, network="large")
    results += [engine.hint("f5", depth=4)[0]["value"] != value]
    for options in ({"threads": 0}, {"network": "huge"}):
        try:
            engine.configure(**options)
        except ValueError as error:
            results += [str(error).startswith(next(iter(options)))]
    try:
        engine.position("\ud800")
    except outflank.EngineError as error:
        results += ["begins neither" in str(error)]
text = "(;GM[2]PB[Ann];B[f5];W[d6])(;GM[2];B[f5];W[a1])"
path = pathlib.Path(tempfile.mkdtemp(), "a b.sgf")
path.write_text(text)
results += [[[game["black"], game["white"], game["moves"]] for game in outflank.read(games)] == [["Ann", None, "f5d6"]] for games in (text, path)]
for games in ("", "f5a1", path.with_name("missing"), 5):
    try:
        outflank.read(games)
    except (outflank.EngineError, TypeError) as error:
        results += [any(words in str(error) for words in ("no games", "a1 flips nothing", "No such file", "games: 5"))]
async def main():
    async with outflank.AsyncEngine() as engine:
        loop, begun = asyncio.get_running_loop(), asyncio.Event()
        endless = asyncio.create_task(engine.hint("", depth=60, on_progress=lambda values: begun.set()))
        queued = asyncio.create_task(engine.analyse("f5d6", depth=2))
        await begun.wait()
        endless.cancel()
        results.append(len(await queued) == 2 and endless.cancelled())
        try:
            await engine.hint("", depth=60, on_progress=lambda values: 1 / 0)
        except ZeroDivisionError:
            results.append(len(await engine.hint("f5", depth=2)) == 1)
        engine.configure(hash=1)
        results.append(len(await engine.hint("f5", depth=2)) == 1)
asyncio.run(main())
print(json.dumps(results))
