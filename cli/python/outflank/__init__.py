"""Outflank, an Othello engine: values of moves, exact endgames, analysis of games.

A position is 64 squares from a1 row by row (``X`` black, ``O`` white, ``-`` empty) and the side to move, or the moves from the
start without passes, such as ``"f5d6c3"`` or ``["f5", "d6", "c3"]``.
"""

import asyncio
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
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Callable, Literal, Optional, TypedDict, TypeVar, Union, cast

__all__ = [
    "AsyncEngine", "Engine", "EngineError", "Game", "GameRead", "Network", "Row", "StoppedError", "Value", "program", "read",
]  # fmt: skip

Game = Union[str, Iterable[str]]
Network = Literal["small", "large"]
Side = Literal["black", "white"]


class Value(TypedDict):
    """A move and its value."""

    #: ``pa`` for a pass.
    move: str
    #: Discs for the side to move.
    value: float
    #: The value is a search without forward pruning, or with it, or the winner or the score is proven.
    proof: Literal["heuristic", "selective", "outcome", "exact"]
    #: Depth in plies. All empty squares if the winner or the score is proven.
    plies: int
    #: Confidence of the forward pruning in percent, 100 without it.
    confidence: int
    #: The score is proven.
    exact: bool
    #: Depth and confidence as NBoard shows them: ``14@73%``.
    depth: str
    #: The expected moves.
    pv: list[str]


class Row(TypedDict):
    """A move of an analyzed game. ``None`` stands for an unknown value."""

    ply: int
    side: Side
    move: str
    #: Discs for Black after the move, and before it.
    value: Optional[float]
    best_value: Optional[float]
    #: The best move.
    best: Optional[str]
    #: Discs that the move lost.
    loss: Optional[float]
    #: A loss that is almost certain, ``None`` if it is not exact and less than a disc.
    at_least: Optional[float]
    #: Both values are proven.
    exact: bool
    #: A win became a draw or a loss, a draw became a loss.
    changed: Optional[Literal["WD", "WL", "DL"]]
    mistake: bool
    grave: bool
    #: Empty squares before the move.
    empties: int
    #: Of a mistake, with ``reasons``: see ``outflank analyze``. Absent otherwise.
    explanation: dict[str, Any]


class GameRead(TypedDict):
    """A game or a position that was read. A tag is ``None`` if it is unknown."""

    #: Number in the text, from 1, and first line. ``None`` in formats without lines.
    record: int
    line: Optional[int]
    #: First and last position.
    start: str
    position: str
    #: Moves without passes.
    moves: str
    black: Optional[str]
    white: Optional[str]
    date: Optional[str]
    place: Optional[str]
    #: Disc difference for Black.
    result: Optional[float]
    #: Comments, each with the number of moves before it.
    comments: Optional[list[list[Union[int, str]]]]
    #: Parts of the text that the game does not contain: kinds, each with the first part.
    not_kept: Optional[list[list[str]]]


_Result = TypeVar("_Result")
_Progress = Callable[[list[Value]], object]

_START = "---------------------------OX------XO---------------------------X"
#: The largest depth. At this depth every position is solved.
_SOLVING_DEPTH = 60
_MAX_THREADS = 256
_MAX_HASH_MIB = 1 << 20
_MAX_NODES = (1 << 63) - 1
_MAX_MOVES = 64
_DEFAULT_DEPTH = 12
#: The largest depth of a level.
_LEVEL_DEPTH = 24
_NETWORKS = ("small", "large")
_BOARD = re.compile("[-xo]{64}[xo]", re.IGNORECASE)
_ERROR = "status Error: "
_CLOSED = "the engine was closed"
_WITHOUT_RESULT = "the request was stopped before it had a result"


try:
    __version__ = version("outflank")
except PackageNotFoundError:
    __version__ = "unknown"


class EngineError(Exception):
    """The engine refused a request or ended."""


class StoppedError(EngineError):
    """The request was stopped before it had a result."""


def program() -> str:
    """Returns the path of the program in this package."""
    return str(Path(__file__).parent / "bin" / ("outflank.exe" if os.name == "nt" else "outflank"))


def read(games: "Union[str, os.PathLike[str]]") -> list[GameRead]:
    """Returns the games in a text, or in the file or folder of a path: SGF, GGF, PGN, transcripts, positions and other notations,
    also compressed, and the WTHOR base. Invalid games are skipped; if there is no other, the first error is raised."""
    if not isinstance(games, (str, os.PathLike)):
        raise TypeError(f"games: {games!r} is neither text nor a path")
    source, text = ("-", games) if isinstance(games, str) else (os.path.abspath(games), "")
    words = [program(), "read", source]
    done = subprocess.run(words, input=text, capture_output=True, encoding="utf-8", errors="replace")
    rows = [json.loads(line) for line in done.stdout.split("\n")[:-1]]
    names = GameRead.__annotations__
    found = [{name: row.get(name) for name in names} for row in rows if "error" not in row]
    if not found and (rows or done.returncode):
        raise EngineError(rows[0]["error"] if rows else done.stderr.strip().removeprefix("outflank: "))
    return cast("list[GameRead]", found)


def main() -> None:
    """Runs the program with the arguments of this process."""
    words = [program(), *sys.argv[1:]]
    sys.exit(subprocess.call(words) if os.name == "nt" else os.execv(words[0], words))


def _whole(name: str, value: int, most: int) -> int:
    """Returns a whole number from 1 to ``most``."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is not a whole number") from None
    if not 1 <= number <= most:
        raise ValueError(f"{name}: {value!r} is not from 1 to {most}")
    return number


def _text(name: str, value: Game) -> str:
    """Returns a position or a game without white space at its ends, with single blanks inside."""
    try:
        return " ".join("".join(value).split())
    except TypeError:
        raise TypeError(f"{name}: {value!r} is neither text nor a list of moves") from None


def _position(position: Game) -> tuple[str, list[str]]:
    """Returns the 64 squares and the side to move of the start, as GGF has them, and the moves from it."""
    plain = _text("position", position).replace(" ", "").lower()
    is_board = _BOARD.fullmatch(plain)
    if not is_board and not re.fullmatch("([a-h][1-8])*", plain):
        raise ValueError(f"neither a position nor moves: {position!r}")
    start = plain.upper() if is_board else _START
    return start.replace("X", "*"), [] if is_board else re.findall("..", plain)


def _squares(name: str, value: Game) -> str:
    """Returns moves with blanks between them."""
    squares = re.findall("..", _text(name, value).replace(" ", "").replace(",", ""))
    for square in squares:
        if not re.fullmatch("[a-h][1-8]", square.lower()):
            raise ValueError(f"{name}: {square!r} is not a square")
    if not squares:
        raise ValueError(f"{name}: no moves")
    return " ".join(squares).lower()


def _seconds(time: Optional[float]) -> Optional[float]:
    if time is not None and not isinstance(time, (int, float)):
        raise TypeError(f"time: {time!r} is not a number of seconds")
    if time is not None and not 0 < time <= 1e9:
        raise ValueError(f"time: {time!r} is not a number of seconds above 0")
    return time


def _value(pv: str, value: str, level: str, empties: int) -> Value:
    """Returns the value that a line of the engine states."""
    match = re.fullmatch(r"(\d+)(?:@(\d+)%)?", level)
    plies, confidence = (int(match[1]), int(match[2] or 100)) if match else (empties, 100)
    line = re.findall("..", pv.lower())
    proof: Literal["heuristic", "selective", "outcome", "exact"] = "exact" if level == "100%" else "outcome"
    if match:
        proof = "heuristic" if confidence == 100 else "selective"
    return {
        "move": line[0], "value": float(value), "proof": proof, "plies": plies, "confidence": confidence,
        "exact": proof == "exact", "depth": level, "pv": line,
    }  # fmt: skip


class _Pipe:
    """A running program that answers lines."""

    def __init__(self, *words: str) -> None:
        self.words, self.errors = words, tempfile.TemporaryFile()
        # In another group, so that an interrupt in a terminal or a notebook does not end it.
        group: dict[str, Any] = {"start_new_session": True, "creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.errors}
        self.process: Any = subprocess.Popen(words, encoding="utf-8", errors="replace", **pipes, **group)

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
        line: str = self.process.stdout.readline()
        if not line.endswith("\n"):
            raise EOFError(f"status {self.process.wait()}")
        return line.rstrip("\n")

    def until(self, end: str, heard: Callable[[list[str]], object] = lambda _: None) -> list[str]:
        """Returns the lines up to one that matches ``end``. Calls ``heard`` with the lines so far after each line."""
        lines = [self.line()]
        while not re.fullmatch(end, lines[-1]):
            heard(lines)
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
        self, *, threads: int = 1, hash: int = 64, network: Network = "small", path: Optional[str] = None
    ) -> None:
        self._program = path or program()
        self._options: tuple[str, ...] = ("--eval", "small", "--threads", "1", "--hash", "64")
        self.configure(threads=threads, hash=hash, network=network)
        self._pipes = _Programs()
        #: The program that runs a request that can be stopped, and whether it was stopped.
        self._asked: Optional[_Pipe] = None
        self._is_stopped, self._pings, self._stopping = False, 0, threading.RLock()
        # Ends the programs of an engine that was never closed, such as one that a notebook has replaced.
        weakref.finalize(self, self._pipes.close)
        self.hint("", depth=1)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def configure(
        self, *, threads: Optional[int] = None, hash: Optional[int] = None, network: Optional[Network] = None
    ) -> None:
        """Changes options for the requests that begin later. They start the programs again, with an empty table."""
        if network not in (None, *_NETWORKS):
            raise ValueError(f"network: {network!r} is neither 'small' nor 'large'")
        changed: dict[str, Any] = {
            "--eval": network,
            "--threads": None if threads is None else _whole("threads", threads, _MAX_THREADS),
            "--hash": None if hash is None else _whole("hash", hash, _MAX_HASH_MIB),
        }
        old = dict(zip(self._options[::2], self._options[1::2]))
        options = {name: old[name] if value is None else str(value) for name, value in changed.items()}
        self._options = tuple(word for option in options.items() for word in option)

    def close(self) -> None:
        """Ends the programs without waiting for a request. A running request of another thread raises EngineError."""
        self._pipes.close()

    def stop(self) -> None:
        """Ends the running request of another thread, or of the callback that calls this. ``hint`` returns the values so far, the
        other methods raise StoppedError."""
        with self._stopping:
            self._is_stopped = True
            pipe = self._asked
            if pipe and "nboard" in pipe.words:
                self._pings += 1
                with suppress(OSError):
                    pipe.say(f"ping {self._pings}")
            elif pipe:
                pipe.kill()

    def hint(
        self, position: Game, *, depth: Optional[int] = None, moves: int = 1, time: Optional[float] = None,
        nodes: Optional[int] = None, only: Optional[Game] = None, on_progress: Optional[_Progress] = None,
    ) -> list[Value]:  # fmt: skip
        """Returns the values of the best moves, the best one first. Returns an empty list if the game is over.

        The search ends at ``depth`` plies, after ``time`` seconds or ``nodes`` positions, whatever comes first; at 12 plies without
        a limit. ``only`` lists the moves to value. ``on_progress`` gets the values of deeper and deeper searches."""
        if on_progress is not None and not callable(on_progress):
            raise TypeError(f"on_progress: {on_progress!r} is not a function")
        start, played = _position(position)
        plies = _DEFAULT_DEPTH if depth is None and time is None and nodes is None else _SOLVING_DEPTH
        limits = (
            f"set depth {plies if depth is None else _whole('depth', depth, _SOLVING_DEPTH)}",
            f"set time {_seconds(time) or 'none'}",
            f"set nodes {'none' if nodes is None else _whole('nodes', nodes, _MAX_NODES)}",
            f"set only {'none' if only is None else _squares('only', only)}",
        )
        empties, count = start[:64].count("-") - len(played), _whole("moves", moves, _MAX_MOVES)

        def values(lines: list[str]) -> list[Value]:
            rows: list[Value] = []
            for _, pv, value, _, level in (line.split() for line in lines if line.startswith("search ")):
                row = _value(pv, value, level, empties)
                # A repeated move or another depth starts the next iteration.
                if any(other["move"] == row["move"] or other["depth"] != level for other in rows):
                    rows = []
                rows.append(row)
            return rows

        def heard(lines: list[str]) -> None:
            if on_progress and lines[-1].startswith("nodestats ") and lines[-2:-1] and lines[-2].startswith("search "):
                on_progress(values(lines))

        return values(self._lines(start, played, limits, f"hint {count}", heard))

    def _lines(
        self, start: str, played: list[str], settings: Iterable[str], command: str,
        heard: Callable[[list[str]], object] = lambda _: None,
    ) -> list[str]:  # fmt: skip
        """Returns the lines that answer a command about a position."""
        game = f"set game (;GM[Othello]PB[]PW[]RE[?]TY[8]BO[8 {start[:64]} {start[64]}];)"
        with self._running("nboard", "--book", "none") as engine:
            self._pings += 1
            engine.say("nboard 2", game, *(f"move {move}" for move in played), *settings, f"ping {self._pings}")
            engine.until(f"pong {self._pings}")
            with self._stopping:
                if self._is_stopped:
                    raise StoppedError(_WITHOUT_RESULT)
                engine.say(command)
                self._asked = engine
            lines = engine.until(f".* is waiting|status the game is over|{_ERROR}.*", heard)
            # The next request resets the stop.
            if self._is_stopped and not any(line.startswith(("search ", "=== ")) for line in lines):
                raise StoppedError(_WITHOUT_RESULT)
            return lines

    def solve(self, position: Game, *, on_progress: Optional[_Progress] = None) -> Optional[Value]:
        """Returns the best move with its exact score, ``None`` if the game is over."""
        best = next(iter(self.hint(position, depth=_SOLVING_DEPTH, on_progress=on_progress)), None)
        if best and not best["exact"]:
            raise StoppedError("the request was stopped before the score was proven")
        return best

    def play(
        self, position: Game, *, depth: Optional[int] = None, time: Optional[float] = None, nodes: Optional[int] = None,
        level: Union[str, int, None] = None,
    ) -> Optional[str]:  # fmt: skip
        """Returns the move of the engine, ``pa`` for a pass, ``None`` if the game is over. ``level`` is the name or number of a
        weaker player, who has its own depth instead of the limits: see ``outflank play``."""
        if level is not None:
            if (depth, time, nodes) != (None, None, None):
                raise ValueError("level: depth, time and nodes must be absent, because a level has its own depth")
            if not re.fullmatch(r"\w+", str(level)):
                raise ValueError(f"level: {level!r} is neither a name nor a number")
            lines = self._lines(*_position(position), (f"set depth {_LEVEL_DEPTH}", f"set level {level}"), "go")
            moves = [line.split()[1].split("/")[0].lower() for line in lines if line.startswith("=== ")]
            return next(iter(moves), None)
        best = next(iter(self.hint(position, depth=depth, time=time, nodes=nodes)), None)
        return best and best["move"]

    def analyse(
        self, moves: Game, *, depth: int = _DEFAULT_DEPTH, exact: Optional[int] = None, time: Optional[float] = None,
        nodes: Optional[int] = None, reasons: bool = False,
    ) -> list[Row]:  # fmt: skip
        """Returns a row for each move of a game. Positions with at most ``exact`` empty squares are solved; ``time`` and ``nodes``
        limit the search of each position. With ``reasons``, mistakes have an ``explanation``."""
        limits = ["--format", "jsonl", "--depth", str(_whole("depth", depth, _SOLVING_DEPTH))]
        if exact is not None:
            limits += ["--exact", str(_whole("exact", exact, _SOLVING_DEPTH))]
        if _seconds(time) is not None:
            limits += ["--time", str(time)]
        if nodes is not None:
            limits += ["--nodes", str(_whole("nodes", nodes, _MAX_NODES))]
        if reasons:
            limits.append("--reasons")
        game = _text("moves", moves)
        if _BOARD.fullmatch(game.replace(" ", "")):
            raise ValueError("moves: a position without moves has no losses: hint returns its value")
        if not game:
            return []
        found = self._answer(game, "analyze", "-", *limits)
        rows = [
            {**loss, "value": after["value"], "best": before["best"], "best_value": before["value"], "empties": before["empties"]}
            for loss, before, after in zip(found["losses"], found["positions"], found["positions"][1:])
        ]
        return cast("list[Row]", rows)

    def position(self, game: Game) -> str:
        """Returns the position at the end of a game: 64 squares, a blank and the side to move. The game may have any notation
        that ``outflank analyze`` reads from a line, such as GGF or SGF."""
        return str(self._look(game)["position"])

    def legal_moves(self, game: Game) -> list[str]:
        """Returns the legal moves at the end of a game: ``["pa"]`` for a forced pass, an empty list if the game is over."""
        return sorted(row["move"].replace("pass", "pa") for row in self._look(game)["moves"])

    def result(self, game: Game) -> Optional[int]:
        """Returns the disc difference of a finished game for Black, with the empty squares for the winner. ``None`` before the
        end."""
        found = self._look(game)
        black, white = (found["position"][:64].count(letter) for letter in "XO")
        empty = 64 - black - white
        return None if found["moves"] else black - white + (empty if black > white else -empty if white > black else 0)

    def _look(self, game: Game) -> Any:
        """Returns the position at the end of a game and its moves."""
        return self._answer(_text("game", game) or _START, "hint", "-", "--json", "--depth", "1", "--count", "64")

    def _answer(self, line: str, *command: str) -> Any:
        """Returns the line of JSON that a command prints for a line."""
        with self._running(*command) as engine:
            with self._stopping:
                self._asked = engine
            engine.say(line)
            found = json.loads(engine.line())
        if "error" in found:
            raise EngineError(found["error"])
        return found

    @contextmanager
    def _running(self, *command: str) -> Iterator[_Pipe]:
        """Starts the program for a command, unless it runs. Ends it after a failure, because replies may be unread."""
        pipes, (name, *_) = self._pipes, command
        # A fork has no threads that could release the locks.
        if pipes.is_foreign():
            raise EngineError(f"the engine belongs to process {pipes.owner}: create an Engine in process {os.getpid()}")
        with pipes.request:
            with self._stopping:
                self._is_stopped = False
            try:
                yield self._start(name, (self._program, *command, *self._options))
            except EngineError:
                raise
            except BaseException as error:
                with pipes.lock:
                    pipe = pipes.pop(name, None)
                errors = pipe.end() if pipe else ""
                if self._is_stopped and isinstance(error, (EOFError, OSError)) and not pipes.closed:
                    raise StoppedError(_WITHOUT_RESULT) from error
                if isinstance(error, (EOFError, OSError)):
                    ended = f"the engine has ended ({error}): {errors or 'no message'}"
                    raise EngineError(_CLOSED if pipes.closed else ended) from error
                raise
            finally:
                with self._stopping:
                    self._asked = None
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


class AsyncEngine:
    """An :class:`Engine` for ``asyncio``: ``async with AsyncEngine() as engine``. It takes the same options, and its methods are
    coroutines with the same parameters. A cancelled request is stopped."""

    def __init__(
        self, *, threads: int = 1, hash: int = 64, network: Network = "small", path: Optional[str] = None
    ) -> None:
        self._options: dict[str, Any] = {"threads": threads, "hash": hash, "network": network, "path": path}
        self._engine: Optional[Engine] = None

    async def __aenter__(self) -> "AsyncEngine":
        self._engine, self._lock = await asyncio.to_thread(lambda: Engine(**self._options)), asyncio.Lock()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._engine:
            self._engine.close()

    def stop(self) -> None:
        if self._engine:
            self._engine.stop()

    def configure(
        self, *, threads: Optional[int] = None, hash: Optional[int] = None, network: Optional[Network] = None
    ) -> None:
        self._running().configure(threads=threads, hash=hash, network=network)

    async def hint(
        self, position: Game, *, depth: Optional[int] = None, moves: int = 1, time: Optional[float] = None,
        nodes: Optional[int] = None, only: Optional[Game] = None, on_progress: Optional[_Progress] = None,
    ) -> list[Value]:  # fmt: skip
        called = self._called(on_progress)
        return await self._run(
            lambda engine: engine.hint(
                position, depth=depth, moves=moves, time=time, nodes=nodes, only=only, on_progress=called
            )
        )

    async def solve(self, position: Game, *, on_progress: Optional[_Progress] = None) -> Optional[Value]:
        called = self._called(on_progress)
        return await self._run(lambda engine: engine.solve(position, on_progress=called))

    async def play(
        self, position: Game, *, depth: Optional[int] = None, time: Optional[float] = None, nodes: Optional[int] = None,
        level: Union[str, int, None] = None,
    ) -> Optional[str]:  # fmt: skip
        return await self._run(lambda engine: engine.play(position, depth=depth, time=time, nodes=nodes, level=level))

    async def analyse(
        self, moves: Game, *, depth: int = _DEFAULT_DEPTH, exact: Optional[int] = None, time: Optional[float] = None,
        nodes: Optional[int] = None, reasons: bool = False,
    ) -> list[Row]:  # fmt: skip
        limits: dict[str, Any] = {"depth": depth, "exact": exact, "time": time, "nodes": nodes}
        return await self._run(lambda engine: engine.analyse(moves, reasons=reasons, **limits))

    async def position(self, game: Game) -> str:
        return await self._run(lambda engine: engine.position(game))

    async def legal_moves(self, game: Game) -> list[str]:
        return await self._run(lambda engine: engine.legal_moves(game))

    async def result(self, game: Game) -> Optional[int]:
        return await self._run(lambda engine: engine.result(game))

    @staticmethod
    def _called(on_progress: Optional[_Progress]) -> Optional[_Progress]:
        """Returns a callback for another thread, which calls back in this one and raises the same errors."""
        if not callable(on_progress):
            return on_progress
        loop, call = asyncio.get_running_loop(), on_progress

        async def called(values: list[Value]) -> None:
            call(values)

        return lambda values: asyncio.run_coroutine_threadsafe(called(values), loop).result()

    def _running(self) -> Engine:
        if self._engine is None:
            raise EngineError("the engine is not running: use `async with`")
        return self._engine

    async def _run(self, ask: Callable[[Engine], _Result]) -> _Result:
        """Runs a request in a thread, after those before it. Stops it if the task is cancelled."""
        engine = self._running()
        async with self._lock:
            request = asyncio.ensure_future(asyncio.to_thread(ask, engine))
            try:
                return await asyncio.shield(request)
            except asyncio.CancelledError:
                # The request may not have begun.
                while not request.done():
                    engine.stop()
                    await asyncio.wait([request], timeout=0.01)
                request.exception()
                raise
