"""An engine that is replaced ends its programs, a fork gets an error, and close ends a request of another thread at once."""

import json, os, outflank, random, sys, threading
def processes(engine):
    engine.analyse("f5", depth=1)
    return [pipe.process for pipe in engine._pipes.values()]
engine = outflank.Engine()
old = processes(engine)
engine = outflank.Engine()
results = [[process.returncode is not None for process in old]]
if hasattr(os, "fork"):
    reads, writes = os.pipe()
    if os.fork() == 0:
        try:
            engine.hint("f5")
        except outflank.EngineError as error:
            os.write(writes, str(error).encode())
        engine.close()
        del engine
        sys.exit(0)
    os.wait()
    told = os.read(reads, 1000).decode()
    results.append([told.startswith(f"the engine belongs to process {os.getpid()}: "), len(engine.hint("f5", depth=1))])
engine.close()
rng, errors = random.Random(1), []
for _ in range(40):
    engine = outflank.Engine()
    def work():
        try:
            engine.analyse("f5d6c3", depth=40)
        except outflank.EngineError as error:
            errors.append(str(error))
    worker = threading.Thread(target=work)
    worker.start()
    threading.Event().wait(rng.random() * 0.004)
    engine.close()
    # Without an end of the request, this test does not end.
    worker.join()
results.append([len(errors), *sorted(set(errors))])
print(json.dumps(results))
