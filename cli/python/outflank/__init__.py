"""Outflank, an Othello engine: values of moves, exact endgames, analysis of games.

A position is 64 squares from a1 row by row (``X`` black, ``O`` white, ``-`` empty) and the side to move, or the moves from the
start without passes, such as ``"f5d6c3"`` or ``["f5", "d6", "c3"]``.
"""

import json
import operator
import os
import re
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Optional, Union

__all__ = ["Engine", "EngineError", "program"]

Row = dict[str, Any]
Game = Union[str, Iterable[str]]

_START = "---------------------------OX------XO---------------------------X"
#: The largest depth. At this depth every position is solved.
_SOLVING_DEPTH = 60
_MAX_THREADS = 256
_MAX_HASH_MIB = 1 << 20
_NETWORKS = ("small", "large")
_BOARD = re.compile("[-xo]{64}[xo]", re.IGNORECASE)
_ERROR = "status Error: "
_CLOSED = "the engine was closed"


class EngineError(Exception):
    """The engine refused a request or ended."""


def program() -> str:
    """Returns the path of the program in this package."""
    return str(Path(__file__).parent / "bin" / ("outflank.exe" if os.name == "nt" else "outflank"))


def main() -> None:
    """Runs the program with the arguments of this process."""
    words = [program(), *sys.argv[1:]]
    sys.exit(subprocess.call(words) if os.name == "nt" else os.execv(words[0], words))


def _whole(name: str, value: int, most: Optional[int] = None) -> int:
    """Returns a whole number of 1 or more."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is not a whole number") from None
    if number < 1 or (most is not None and number > most):
        raise ValueError(f"{name}: {value!r} is not {'1 or more' if most is None else f'from 1 to {most}'}")
    return number


def _text(name: str, value: Game) -> str:
    """Returns a position or a game without white space at its ends, with single blanks inside."""
    try:
        return " ".join("".join(value).split())
    except TypeError:
        raise TypeError(f"{name}: {value!r} is neither text nor a list of moves") from None


class _Pipe:
    """A running program that answers lines."""

    def __init__(self, *words: str) -> None:
        self.words, self.errors = words, tempfile.TemporaryFile()
        # In another group, so that an interrupt in a terminal or a notebook does not end it.
        group = {"start_new_session": True, "creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.errors}
        self.process = subprocess.Popen(words, encoding="utf-8", **pipes, **group)

    def kill(self) -> None:
        """Ends the program. A thread that waits for a line gets EOFError."""
        self.process.kill()
        self.process.wait()

    def end(self) -> str:
        """Ends the program and closes its pipes. Returns its errors."""
        self.kill()
        # Lines that the program has not read are lost.
        with suppress(OSError):
            self.process.stdin.close()
        self.process.stdout.close()
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


class _Programs(dict[str, _Pipe]):
    """At most one running program for each command."""

    def __init__(self) -> None:
        self.owner, self.closed = os.getpid(), False
        #: Held during a request.
        self.request = threading.Lock()
        #: Held during a change. A signal handler may close the engine while its thread starts a program.
        self.lock = threading.RLock()

    def is_foreign(self) -> bool:
        """Returns ``True`` in a fork of the process that started the programs."""
        return os.getpid() != self.owner

    def close(self) -> None:
        """Ends all programs. Does nothing in a fork."""
        if self.is_foreign():
            return
        with self.lock:
            self.closed = True
            for pipe in self.values():
                pipe.kill()
        # A running request fails and closes the pipes itself.
        if self.request.acquire(blocking=False):
            self.end()
            self.request.release()

    def end(self) -> None:
        """Ends all programs and closes their pipes."""
        with self.lock:
            while self:
                self.popitem()[1].end()


class Engine:
    """A running engine. Its methods may be called from several threads and wait for each other.

    ``threads`` (1 to 256) search with a transposition table of ``hash`` MiB. ``network`` is ``"small"``, the one of the page and
    of the other clients, or ``"large"``, which GUIs use."""

    def __init__(
        self, *, threads: int = 1, hash: int = 64, network: str = "small", path: Optional[str] = None
    ) -> None:
        if network not in _NETWORKS:
            raise ValueError(f"network: {network!r} is neither 'small' nor 'large'")
        numbers = {"threads": _whole("threads", threads, _MAX_THREADS), "hash": _whole("hash", hash, _MAX_HASH_MIB)}
        self._program = path or program()
        self._options = ("--eval", network, *(word for name, number in numbers.items() for word in (f"--{name}", str(number))))
        self._pipes = _Programs()
        # Ends the programs of an engine that was never closed, such as one that a notebook has replaced.
        weakref.finalize(self, self._pipes.close)
        self.hint("", depth=1)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the programs without waiting for a request. A running request of another thread raises EngineError."""
        self._pipes.close()

    def hint(self, position: Game, *, depth: int = 12, moves: int = 1) -> list[Row]:
        """Returns the best moves, the best one first: ``move`` (``pa`` for a pass), ``value`` (discs for the side to move),
        ``depth``, ``exact`` and ``pv``. Returns an empty list if the game is over."""
        moves, rows = _whole("moves", moves), []
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
        limits = ["--format", "jsonl", "--depth", _whole("depth", depth, _SOLVING_DEPTH)]
        if exact is not None:
            limits += ["--exact", _whole("exact", exact, _SOLVING_DEPTH)]
        game = _text("moves", moves)
        if _BOARD.fullmatch(game.replace(" ", "")):
            raise ValueError("moves: a position without moves has no losses: hint returns its value")
        if not game:
            return []
        with self._running("analyze", "-", *map(str, limits)) as engine:
            engine.say(game)
            found = json.loads(engine.line())
        if "error" in found:
            raise EngineError(found["error"])
        return [
            {**loss, "value": after["value"], "best": before["best"], "best_value": before["value"], "empties": before["empties"]}
            for loss, before, after in zip(found["losses"], found["positions"], found["positions"][1:])
        ]

    @contextmanager
    def _running(self, *command: str) -> Iterator[_Pipe]:
        """Starts the program for a command, unless it runs. Ends it after a failure, because replies may be unread."""
        pipes, (name, *_) = self._pipes, command
        # A fork has no threads that could release the locks.
        if pipes.is_foreign():
            raise EngineError(f"the engine belongs to process {pipes.owner}: create an Engine in process {os.getpid()}")
        with pipes.request:
            try:
                yield self._start(name, (self._program, *command, *self._options))
            except EngineError:
                raise
            except BaseException as error:
                with pipes.lock:
                    pipe = pipes.pop(name, None)
                errors = pipe.end() if pipe else ""
                if isinstance(error, (EOFError, OSError)):
                    ended = f"the engine has ended ({error}): {errors or 'no message'}"
                    raise EngineError(_CLOSED if pipes.closed else ended) from error
                raise
            finally:
                if pipes.closed:
                    pipes.end()

    def _start(self, name: str, words: tuple[str, ...]) -> _Pipe:
        """Returns the running program of a command. Starts it, unless it runs with the same words."""
        pipes = self._pipes
        with pipes.lock:
            if name in pipes and pipes[name].words != words:
                pipes.pop(name).end()
            if not pipes.closed and name not in pipes:
                pipes[name] = _Pipe(*words)
            # A signal handler may have closed the engine during the start.
            if pipes.closed:
                raise EngineError(_CLOSED)
            return pipes[name]

    def _ask(self, position: Game, depth: int, command: str, reply: str) -> list[list[str]]:
        """Searches a position. Returns the words of the lines that begin with ``reply``."""
        plies = _whole("depth", depth, _SOLVING_DEPTH)
        plain = _text("position", position).replace(" ", "").lower()
        is_board = _BOARD.fullmatch(plain)
        if not is_board and not re.fullmatch("([a-h][1-8])*", plain):
            raise ValueError(f"neither a position nor moves: {position!r}")
        start = (plain.upper() if is_board else _START).replace("X", "*")
        moves = [] if is_board else [f"move {move}" for move in re.findall("..", plain)]
        game = f"set game (;GM[Othello]PB[]PW[]RE[?]TY[8]BO[8 {start[:64]} {start[64]}];)"
        with self._running("nboard", "--book", "none") as engine:
            engine.say("nboard 2", game, f"set depth {plies}", *moves, "ping 1")
            engine.until("pong 1")
            engine.say(command)
            lines = engine.until(f".* is waiting|status the game is over|{_ERROR}.*")
        return [line.split() for line in lines if line.startswith(f"{reply} ")]
