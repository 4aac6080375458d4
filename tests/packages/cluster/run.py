"""Searches positions (10,000 by default) in four processes, one of which is killed, and in one process, and compares the results.

    run.py OUTFLANK [POSITIONS]
"""

import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path += [str(HERE.parent / "clients"), str(ROOT / "cli/examples/cluster")]

from dask_pipe import kill_one, run  # noqa: E402
from othello import Game  # noqa: E402


def positions(count, seed=1):
    """Returns positions of games with random moves, and about one invalid line in 500 positions."""
    draw = random.Random(seed)
    lines = []
    while len(lines) < count:
        game = Game()
        while not game.is_over() and len(lines) < count:
            game.play(draw.choice(game.legal() or ["pass"]))
            squares = "".join(
                {"b": "X", "w": "O"}.get(game.discs.get(x + y), "-") for y in "12345678" for x in "abcdefgh"
            )
            if draw.random() < 0.9:
                lines.append(f"{squares} {'X' if game.side == 'b' else 'O'};")
            if draw.random() < 0.002:
                lines.append("invalid")
    return lines[:count]


def main():
    from dask.distributed import Client, LocalCluster

    outflank = sys.argv[1]
    lines = positions(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
    command = [outflank, "analyze", "-", "--depth", "4", "--hash", "1"]
    with tempfile.TemporaryDirectory() as folder:
        source, alone = Path(folder, "positions.txt"), Path(folder, "alone.jsonl")
        source.write_text("".join(line + "\n" for line in lines))
        began = time.time()
        with source.open() as stdin, alone.open("w") as stdout:
            status = subprocess.run(command, stdin=stdin, stdout=stdout).returncode
        seconds = time.time() - began
        assert status == (1 if "invalid" in lines else 0), status
        expected = alone.read_text().splitlines()
    assert len(expected) == len(lines), (len(expected), len(lines))
    print(f"one process: {len(lines)} positions in {seconds:.1f} s, {len(lines) / seconds:.0f} per second")

    killed = []
    with LocalCluster(n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            assert len(set(client.run(os.getpid).values())) == 4

            def on_chunk(done):
                if done == 10:
                    kill_one(client, killed.append)

            began = time.time()
            answers = run(client, command, lines, 100, on_chunk)
            seconds = time.time() - began
    assert killed, "no worker was killed"
    print(f"{killed[0]}; four processes: {seconds:.1f} s, {len(lines) / seconds:.0f} per second")
    assert len(answers) == len(expected), (len(answers), len(expected))
    # Each call counts its records.
    plain = [[re.sub(r'"record":\d+,', "", line) for line in lines] for lines in (answers, expected)]
    for number, (answer, line) in enumerate(zip(*plain), 1):
        assert answer == line, f"line {number}:\n{answer}\n{line}"
    print(f"{len(answers)} lines are equal")


if __name__ == "__main__":
    main()
