"""XBoard through python-chess: its protocol layer with a board of our own."""

import asyncio
import logging
import sys

import chess
import chess.engine
from othello import Game

logging.getLogger("chess.engine").setLevel(logging.ERROR)


class Board(chess.Board):
    """As much of a board as the protocol layer asks for. Moves are drops; a pass is the null move."""

    uci_variant = xboard_variant = "othello"

    def __init__(self, *_args, **_options):
        super().__init__()
        self.game = Game()

    @property
    def white_to_move(self):
        return self.game.side == "b"

    def root(self):
        return Board()

    def fen(self, **_options):
        return self.game.fen()

    def push(self, move):
        self.game.play(chess.square_name(move.to_square) if move else "pass")
        self.move_stack.append(move)
        self.turn = self.white_to_move

    def pop(self):
        move = self.move_stack.pop()
        self.game = Game()
        for played in self.move_stack:
            self.game.play(chess.square_name(played.to_square) if played else "pass")
        self.turn = self.white_to_move
        return move

    def copy(self, **_options):
        other = Board()
        for move in self.move_stack:
            other.push(move)
        return other

    def xboard(self, move, chess960=None):
        return f"D@{chess.square_name(move.to_square)}" if move else "@@@@"

    def parse_xboard(self, text):
        if text == "@@@@":
            return chess.Move.null()
        square = chess.parse_square(text.removeprefix("D@"))
        return chess.Move(square, square, drop=chess.QUEEN)

    def push_xboard(self, text):
        move = self.parse_xboard(text)
        self.push(move)
        return move

    def parse_uci(self, text):
        raise ValueError(text)


async def play_game(command, limit_of, ponder):
    players = [(await chess.engine.popen_xboard(command))[1] for _ in range(2)]
    board, number, info = Board(), 0, {}
    while not board.game.is_over():
        player = players[number % 2]
        result = await player.play(board, limit_of(board), game="one", ponder=ponder, info=chess.engine.INFO_ALL)
        info = {**info, **result.info}
        assert result.move is not None, board.game.moves
        board.push(result.move)
        number += 1
    print(f"a game{', pondering' if ponder else ''}: {board.game.score()}, {len(board.game.moves)} plies")
    for player in players:
        await player.quit()


async def analyse(command):
    _, engine = await chess.engine.popen_xboard(command)
    print(f"{engine.id}, options {sorted(engine.options)}")
    await engine.configure({"memory": 16, "Margin": 5})
    await engine.ping()
    board = Board()
    for move in ["D@f5", "D@d6"]:
        board.push_xboard(move)
    info = await engine.analyse(board, chess.engine.Limit(time=0.5))
    print(f"analysis for 0.5 s: {info}")
    assert info["depth"] > 3
    info = await engine.analyse(board, chess.engine.Limit(depth=8))
    assert info["depth"] >= 8
    for limit in [chess.engine.Limit(depth=5), chess.engine.Limit(time=0.05), chess.engine.Limit(white_clock=20, black_clock=20, white_inc=1, black_inc=1)]:
        result = await engine.play(board, limit)
        print(f"{limit}: {board.xboard(result.move)}")
    await engine.quit()


async def main():
    command = [sys.argv[1], "xboard"]
    await analyse(command)
    await play_game(command, lambda _: chess.engine.Limit(time=0.05), ponder=False)
    await play_game(command, lambda _: chess.engine.Limit(depth=4), ponder=True)


asyncio.run(main())
