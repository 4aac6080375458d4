"""Answers and errors of the package."""

import json, os, outflank, signal, threading
with outflank.Engine(hash=16) as engine:
    rows = engine.analyse("e6f4e3f6g5d6e7f5c5", depth=4)
    hints = engine.hint("f5d6c3", depth=6, moves=3)
    errors = []
    def fails(ask, *words, **options):
        try:
            ask(*words, **options)
            errors.append("no error")
        except (outflank.EngineError, TypeError, ValueError, KeyboardInterrupt) as error:
            errors.append(f"{type(error).__name__}: {error}")
    for ask in (engine.hint, engine.analyse, engine.play):
        fails(ask, "f5f6a1")
    fails(engine.hint, "nowhere")
    fails(engine.hint, 3)
    fails(engine.hint, "", moves=0)
    fails(engine.hint, "", dept=3)
    fails(engine.play, "", depth=61)
    fails(engine.analyse, "f5", depth=0)
    fails(engine.analyse, "f5", exact="x")
    fails(engine.analyse, "-" * 64 + "X")
    fails(outflank.Engine, threads=0)
    fails(outflank.Engine, threads=257)
    fails(outflank.Engine, hash=0)
    fails(outflank.Engine, network="huge")
    fails(outflank.Engine, thread=4)
    # Killed or interrupted during a request, it answers the next one.
    threading.Timer(1, lambda: engine._pipes["nboard"].process.kill()).start()
    fails(engine.hint, "", depth=60)
    if os.name != "nt":
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
        fails(engine.analyse, "f5d6c3", depth=60)
    over = [engine.play("e6f4e3f6g5d6e7f5c5"), engine.hint("e6f4e3f6g5d6e7f5c5"), len(engine.analyse(["f5", "d6"], depth=1))]
    over += [engine.solve("e6f4e3f6g5d6e7f5c5"), engine.analyse("")]
    with outflank.Engine(network="large") as large:
        over.append(engine.hint("f5", depth=4)[0]["value"] != large.hint("f5", depth=4)[0]["value"])
fails(engine.hint, "")
print(json.dumps([rows, hints, errors, over]))
