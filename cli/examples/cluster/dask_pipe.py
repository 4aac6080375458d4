"""Pipes the lines of a file through a command on a Dask cluster.

    python dask_pipe.py --input games.txt --output out.jsonl -- outflank analyze - --depth 14

Without --scheduler, it starts a cluster of processes on this machine. The command must write one line for each line that
it reads, in order. The chunks of a lost worker are given to another one.
"""

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

from dask.distributed import Client, LocalCluster, as_completed


def pipe(command, lines):
    """Returns the lines that the command writes for `lines`."""
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True)
    out = done.stdout.splitlines()
    # Status 1: a line could not be read, and its answer reports it.
    if done.returncode not in (0, 1) or len(out) != len(lines):
        raise RuntimeError(f"{len(out)} lines for {len(lines)}, status {done.returncode}: {done.stderr[-500:]}")
    return out


def run(client, command, lines, chunk, on_chunk=lambda done: None):
    """Returns all answers in the order of the lines."""
    chunks = [lines[at : at + chunk] for at in range(0, len(lines), chunk)]
    futures = {
        client.submit(pipe, command, part, pure=False, retries=3): index for index, part in enumerate(chunks)
    }
    answers = [None] * len(chunks)
    for number, (future, result) in enumerate(as_completed(futures, with_results=True), 1):
        answers[futures[future]] = result
        on_chunk(number)
    return [line for part in answers for line in part]


def kill_one(client, log=print):
    """Kills the process of a worker, as if its machine had failed."""
    pids = client.run(os.getpid)
    worker, pid = sorted(pids.items())[0]
    log(f"killing worker {worker}, process {pid}")
    os.kill(pid, signal.SIGKILL)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--input", required=True)
    words.add_argument("--output", required=True)
    words.add_argument("--workers", type=int, default=os.cpu_count())
    words.add_argument("--chunk", type=int, default=100, help="lines in a task")
    words.add_argument("--scheduler", help="address of a running cluster")
    words.add_argument("--kill-one", action="store_true", help="kill a worker after a tenth of the work, as a test")
    words.add_argument("command", nargs="+")
    options = words.parse_args()

    lines = Path(options.input).read_text().splitlines()
    cluster = None
    if not options.scheduler:
        cluster = LocalCluster(n_workers=options.workers, threads_per_worker=1, processes=True, dashboard_address=None)
    client = Client(options.scheduler or cluster)
    chunks = -(-len(lines) // options.chunk)

    def on_chunk(done):
        if options.kill_one and done == max(1, chunks // 10):
            kill_one(client, lambda text: print(text, file=sys.stderr))

    answers = run(client, options.command, lines, options.chunk, on_chunk)
    # The file appears under its name when it is complete.
    new = Path(options.output + ".new")
    new.write_text("".join(line + "\n" for line in answers))
    new.rename(options.output)
    client.close()
    if cluster:
        cluster.close()


if __name__ == "__main__":
    main()
