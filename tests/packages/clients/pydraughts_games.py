"""Hub through pydraughts: a game between two programs, with pondering, and every limit."""

import sys
import threading
import time

from draughts.engine import HubEngine
from othello import HUB_START, Game


def engine():
    started = HubEngine([sys.argv[1], "hub"])
    started.configure({"hash": "16", "selective": True, "margin": "0.01"})
    started.init()
    started.ping()
    return started


def play_game():
    players, game = {"b": engine(), "w": engine()}, Game()
    clocks, last_info = {"b": 3.0, "w": 3.0}, None
    while not game.is_over():
        player, start = players[game.side], time.monotonic()
        move, ponder = player.go(HUB_START, " ".join(game.moves), my_time=clocks[game.side] + 0.1, inc=0.1)
        clocks[game.side] += 0.1 - (time.monotonic() - start)
        assert clocks[game.side] > 0, "lost on time"
        game.play(move)
        if ponder and ponder != "pass":
            assert ponder in game.legal(), (ponder, game.moves)
        last_info = player.info or last_info
    print(f"a game on 3 s + 0.1 s: {game.score()}, clocks left {clocks['b']:.2f} s, {clocks['w']:.2f} s")
    print(f"  last info: {last_info}")
    for player in players.values():
        player.quit()
        player.p.wait(5)


def limits():
    player = engine()
    for limit in [
        {"depth": 6},
        {"nodes": 50_000},
        {"movetime": 0.2},
        {"my_time": 5},
        {"my_time": 5, "moves_left": 9},
        {"my_time": 5, "inc": 1},
    ]:
        start = time.monotonic()
        move, ponder = player.go(HUB_START, "f5 d6 c3", **limit)
        print(f"{limit}: {move}, {ponder} expected, depth {player.info['depth']}, {time.monotonic() - start:.2f} s")
    player.quit()
    player.p.wait(5)


def pondering():
    player = engine()
    for end, name in [(player.ponderhit, "hit"), (player.stop, "miss")]:
        threading.Timer(0.5, end).start()
        start = time.monotonic()
        move, _ = player.go(HUB_START, "f5 d6", movetime=0.3, ponder=True)
        took = time.monotonic() - start
        print(f"pondering, {name} after 0.5 s: {move} after {took:.2f} s")
        assert 0.4 < took < 2
    player.quit()
    player.p.wait(5)


if __name__ == "__main__":
    first = engine()
    print(f"{first.id}, parameters {sorted(first.options)}, variants {first.variants}")
    first.quit()
    play_game()
    limits()
    pondering()
