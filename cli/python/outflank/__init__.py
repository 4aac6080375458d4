"""Outflank, an Othello engine: values of moves, exact endgames, analysis of games.

A position is 64 squares from a1 row by row (``X`` black, ``O`` white, ``-`` empty) and the side to move, or the moves from the
start without passes, such as ``"f5d6c3"``.
"""

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Optional

__all__ = ["Engine", "EngineError", "program"]

Row = dict[str, Any]

_START = "---------------------------OX------XO---------------------------X"
#: Depth at which every position is solved.
_SOLVING_DEPTH = 60


class EngineError(Exception):
    """The engine refused a request or ended."""


def program() -> str:
    """Returns the path of the program in this package."""
    return str(Path(__file__).parent / "bin" / ("outflank.exe" if os.name == "nt" else "outflank"))


def main() -> None:
    """Runs the program with the arguments of this process."""
    sys.exit(subprocess.call([program(), *sys.argv[1:]]))


class _Pipe:
    """A running program that answers lines."""

    def __init__(self, *arguments: str) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(arguments, encoding="utf-8", **pipes)

    def say(self, *lines: str) -> None:
        try:
            self.process.stdin.write("".join(f"{line}\n" for line in lines))
            self.process.stdin.flush()
        except OSError as error:
            raise EngineError(f"the engine has ended: {error}") from error

    def line(self) -> str:
        line = self.process.stdout.readline()
        if not line:
            raise EngineError(f"the engine has ended with status {self.process.wait()}")
        return line.rstrip("\n")


class Engine:
    """A running engine. Its methods may be called from several threads and wait for each other."""

    def __init__(self, *, threads: int = 1, hash: int = 128, path: Optional[str] = None) -> None:
        self._program, self._options = path or program(), ("--threads", str(threads), "--hash", str(hash))
        self._lock = threading.Lock()
        self._nboard = _Pipe(self._program, "nboard", *self._options)
        self._nboard.say("nboard 2")
        #: Programs that analyze games, by their limits.
        self._analyses: dict[tuple[str, ...], _Pipe] = {}

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the programs."""
        for pipe in [self._nboard, *self._analyses.values()]:
            pipe.process.kill()
            pipe.process.communicate()

    def hint(self, position: str, *, depth: int = 12, moves: int = 1) -> list[Row]:
        """Returns the best moves, the best one first: ``move`` (``pa`` for a pass), ``value`` (discs for the side to move),
        ``depth``, ``exact`` and ``pv``. Returns an empty list if the game is over."""
        rows: list[Row] = []
        for _, pv, value, _, level in self._ask(position, depth, f"hint {moves}", "search"):
            line = re.findall("..", pv.lower())
            # A repeated move or another depth starts the next iteration.
            if any(row["move"] == line[0] or row["depth"] != level for row in rows):
                rows = []
            rows.append({"move": line[0], "value": float(value), "depth": level, "exact": level == "100%", "pv": line})
        return rows

    def solve(self, position: str) -> Optional[Row]:
        """Returns the best move with its exact score, ``None`` if the game is over."""
        return next(iter(self.hint(position, depth=_SOLVING_DEPTH)), None)

    def play(self, position: str, *, depth: int = 12) -> Optional[str]:
        """Returns the move of the engine, ``pa`` for a pass, ``None`` if the game is over."""
        replies = self._ask(position, depth, "go", "===")
        return replies[0][1][:2].lower() if replies else None

    def analyse(self, moves: str, *, depth: int = 12, exact: Optional[int] = None) -> list[Row]:
        """Returns a row for each move of a game: ``ply``, ``move``, ``side``, ``value`` and ``best_value`` (discs for Black, after
        the move and before it), ``best``, ``empties``, and the other fields of ``losses`` of ``outflank analyze``."""
        limits = ("--depth", str(depth), *(() if exact is None else ("--exact", str(exact))))
        with self._lock:
            if limits not in self._analyses:
                self._analyses[limits] = _Pipe(self._program, "analyze", "-", *limits, *self._options)
            self._analyses[limits].say(" ".join(moves.split()))
            game = json.loads(self._analyses[limits].line())
        if "error" in game:
            raise EngineError(game["error"])
        return [
            {**loss, "value": after["value"], "best": before["best"], "best_value": before["value"], "empties": before["empties"]}
            for loss, before, after in zip(game["losses"], game["positions"], game["positions"][1:])
        ]

    def _ask(self, position: str, depth: int, command: str, reply: str) -> list[list[str]]:
        """Searches a position. Returns the words of the lines that begin with ``reply``."""
        plain = "".join(position.split()).lower()
        is_board = re.fullmatch("[-xo]{64}[xo]", plain)
        if not is_board and not re.fullmatch("([a-h][1-8])*", plain):
            raise ValueError(f"neither a position nor moves: {position!r}")
        start = (plain.upper() if is_board else _START).replace("X", "*")
        moves = [] if is_board else [f"move {move}" for move in re.findall("..", plain)]
        game = f"set game (;GM[Othello]PB[]PW[]RE[?]TY[8]BO[8 {start[:64]} {start[64]}];)"
        with self._lock:
            self._nboard.say(game, f"set depth {depth}", *moves, "ping 1")
            for line in self._until("pong 1"):
                if line.startswith("status Error: "):
                    raise EngineError(line[14:])
            self._nboard.say(command)
            lines = self._until(" is waiting", "status the game is over")
        return [line.split() for line in lines if line.startswith(f"{reply} ")]

    def _until(self, *ends: str) -> list[str]:
        """Returns the lines up to one with one of these ends."""
        lines = [self._nboard.line()]
        while not lines[-1].endswith(ends):
            lines.append(self._nboard.line())
        return lines
