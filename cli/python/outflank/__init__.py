"""Outflank, an Othello engine: values of moves, exact endgames, analysis of games.

A position is 64 squares from a1 row by row (``X`` black, ``O`` white, ``-`` empty) and the side to move, or the moves from the
start without passes, such as ``"f5d6c3"`` or ``["f5", "d6", "c3"]``.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Optional, Union

__all__ = ["Engine", "EngineError", "program"]

Row = dict[str, Any]
Game = Union[str, Iterable[str]]

_START = "---------------------------OX------XO---------------------------X"
#: Depth at which every position is solved.
_SOLVING_DEPTH = 60
_ERROR = "status Error: "


class EngineError(Exception):
    """The engine refused a request or ended."""


def program() -> str:
    """Returns the path of the program in this package."""
    return str(Path(__file__).parent / "bin" / ("outflank.exe" if os.name == "nt" else "outflank"))


def main() -> None:
    """Runs the program with the arguments of this process."""
    words = [program(), *sys.argv[1:]]
    sys.exit(subprocess.call(words) if os.name == "nt" else os.execv(words[0], words))


class _Pipe:
    """A running program that answers lines."""

    def __init__(self, *words: str) -> None:
        self.words, self.errors = words, tempfile.TemporaryFile()
        # In another group, so that an interrupt in a terminal or a notebook does not end it.
        group = {"start_new_session": True, "creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.errors}
        self.process = subprocess.Popen(words, encoding="utf-8", **pipes, **group)

    def end(self) -> str:
        """Ends the program. Returns its errors."""
        self.process.kill()
        self.process.communicate()
        with self.errors:
            self.errors.seek(0)
            return self.errors.read().decode(errors="replace").strip()

    def say(self, *lines: str) -> None:
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def line(self) -> str:
        line = self.process.stdout.readline()
        if not line.endswith("\n"):
            raise EOFError(f"status {self.process.wait()}")
        return line.rstrip("\n")

    def until(self, end: str) -> list[str]:
        """Returns the lines up to one that matches ``end``."""
        lines = [self.line()]
        while not re.fullmatch(end, lines[-1]):
            lines.append(self.line())
        for line in lines:
            if line.startswith(_ERROR):
                raise EngineError(line[len(_ERROR) :])
        return lines


class Engine:
    """A running engine. Its methods may be called from several threads and wait for each other."""

    def __init__(self, *, threads: int = 1, hash: int = 128, path: Optional[str] = None) -> None:
        self._program, self._options = path or program(), ("--threads", str(threads), "--hash", str(hash))
        self._lock, self._closed = threading.Lock(), False
        #: At most one running program for each command.
        self._pipes: dict[str, _Pipe] = {}
        self.hint("", depth=1)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the programs. A running request of another thread raises EngineError."""
        self._closed = True
        for pipe in list(self._pipes.values()):
            pipe.process.kill()
        with self._lock:
            while self._pipes:
                self._pipes.popitem()[1].end()

    def hint(self, position: Game, *, depth: int = 12, moves: int = 1) -> list[Row]:
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

    def solve(self, position: Game) -> Optional[Row]:
        """Returns the best move with its exact score, ``None`` if the game is over."""
        return next(iter(self.hint(position, depth=_SOLVING_DEPTH)), None)

    def play(self, position: Game, *, depth: int = 12) -> Optional[str]:
        """Returns the move of the engine, ``pa`` for a pass, ``None`` if the game is over."""
        replies = self._ask(position, depth, "go", "===")
        return replies[0][1][:2].lower() if replies else None

    def analyse(self, moves: Game, *, depth: int = 12, exact: Optional[int] = None) -> list[Row]:
        """Returns a row for each move of a game: ``ply``, ``move``, ``side``, ``value`` and ``best_value`` (discs for Black, after
        the move and before it), ``best``, ``empties``, and the other fields of ``losses`` of ``outflank analyze``."""
        limits = ("--depth", str(depth), *(() if exact is None else ("--exact", str(exact))))
        with self._running("analyze", "-", *limits) as engine:
            engine.say(" ".join("".join(moves).split()))
            game = json.loads(engine.line())
        if "error" in game:
            raise EngineError(game["error"])
        return [
            {**loss, "value": after["value"], "best": before["best"], "best_value": before["value"], "empties": before["empties"]}
            for loss, before, after in zip(game["losses"], game["positions"], game["positions"][1:])
        ]

    @contextmanager
    def _running(self, *command: str) -> Iterator[_Pipe]:
        """Starts the program for a command, unless it runs. Ends it after a failure, because replies may be unread."""
        words = (self._program, *command, *self._options)
        with self._lock:
            if self._closed:
                raise EngineError("the engine was closed")
            pipe = self._pipes.pop(command[0], None)
            if pipe and pipe.words != words:
                pipe.end()
                pipe = None
            pipe = self._pipes[command[0]] = pipe or _Pipe(*words)
            try:
                yield pipe
            except EngineError:
                raise
            except BaseException as error:
                errors = self._pipes.pop(command[0]).end()
                if isinstance(error, (EOFError, OSError)):
                    raise EngineError(f"the engine has ended ({error}): {errors or 'no message'}") from error
                raise

    def _ask(self, position: Game, depth: int, command: str, reply: str) -> list[list[str]]:
        """Searches a position. Returns the words of the lines that begin with ``reply``."""
        plain = "".join("".join(position).split()).lower()
        is_board = re.fullmatch("[-xo]{64}[xo]", plain)
        if not is_board and not re.fullmatch("([a-h][1-8])*", plain):
            raise ValueError(f"neither a position nor moves: {position!r}")
        start = (plain.upper() if is_board else _START).replace("X", "*")
        moves = [] if is_board else [f"move {move}" for move in re.findall("..", plain)]
        game = f"set game (;GM[Othello]PB[]PW[]RE[?]TY[8]BO[8 {start[:64]} {start[64]}];)"
        with self._running("nboard") as engine:
            engine.say("nboard 2", game, f"set depth {depth}", *moves, "ping 1")
            engine.until("pong 1")
            engine.say(command)
            lines = engine.until(f".* is waiting|status the game is over|{_ERROR}.*")
        return [line.split() for line in lines if line.startswith(f"{reply} ")]
