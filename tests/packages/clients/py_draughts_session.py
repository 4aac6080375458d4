"""Hub through py-draughts: its own handshake, ping and reading of a search.

py-draughts waits for ever when two lines arrive at once: it asks the system whether there is more to read while
the second line is already in its own buffer. A relay between it and the program spaces the lines out.
"""

import os
import sys
import tempfile
import time

from draughts.engines.hub import HubEngine
from othello import HUB_START

RELAY = """#!{python}
import subprocess, sys, threading, time
engine = subprocess.Popen([{program!r}, "hub"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

def forward():
    for line in iter(sys.stdin.readline, ""):
        engine.stdin.write(line)
        engine.stdin.flush()
    engine.stdin.close()

threading.Thread(target=forward, daemon=True).start()
for line in engine.stdout:
    print(line, end="", flush=True)
    time.sleep(0.02)
"""


def session(program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "relay")
        with open(path, "w") as script:
            script.write(RELAY.format(python=sys.executable, program=os.path.abspath(program)))
        os.chmod(path, 0o755)
        with HubEngine(path, init_timeout=20) as engine:
            print(f"{engine.info}, parameters {sorted(engine.params)}")
            assert engine.ping()
            engine.new_game()
            for level in ["depth=1", "depth=8", "move-time=0.5"]:
                engine._send(f"pos pos={HUB_START}")
                engine._send(f"level {level}")
                start = time.monotonic()
                engine._send("go think")
                result = engine._read_search_result()
                print(f"{level}: {result} after {time.monotonic() - start:.2f} s")
                assert result.move in {"d3", "c4", "f5", "e6"}
            assert engine.ping()


session(sys.argv[1])
