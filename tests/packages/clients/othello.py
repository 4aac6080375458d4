"""The rules of Othello, as plain as can be: the judge of the games that clients play."""

DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class Game:
    """Discs by square name, whose turn it is, and the moves so far."""

    def __init__(self):
        self.discs = {"d4": "w", "e5": "w", "e4": "b", "d5": "b"}
        self.side = "b"
        self.moves = []

    def flips(self, square, side):
        if square in self.discs:
            return []
        found = []
        for dx, dy in DIRECTIONS:
            line, x, y = [], ord(square[0]) + dx, int(square[1]) + dy
            while self.discs.get(f"{chr(x)}{y}", side) != side:
                line.append(f"{chr(x)}{y}")
                x, y = x + dx, y + dy
            if self.discs.get(f"{chr(x)}{y}") == side:
                found += line
        return found

    def legal(self, side=None):
        side = side or self.side
        return [x + y for y in "12345678" for x in "abcdefgh" if self.flips(x + y, side)]

    def is_over(self):
        return not self.legal("b") and not self.legal("w")

    def play(self, move):
        if move == "pass":
            assert not self.legal() and not self.is_over(), f"no pass here: {self.moves}"
        else:
            flips = self.flips(move, self.side)
            assert flips, f"{move} is illegal after {self.moves}"
            for square in flips + [move]:
                self.discs[square] = self.side
        self.side = "w" if self.side == "b" else "b"
        self.moves.append(move)

    def score(self):
        values = list(self.discs.values())
        return f"{values.count('b')}-{values.count('w')}"

    def fen(self):
        """In the manner of XBoard: ranks from 8 down, capitals for Black, who is chess's White."""
        ranks = []
        for y in "87654321":
            rank = "".join({"b": "D", "w": "d"}.get(self.discs.get(x + y), "1") for x in "abcdefgh")
            for n in range(8, 1, -1):
                rank = rank.replace("1" * n, str(n))
            ranks.append(rank)
        return "/".join(ranks) + (" w" if self.side == "b" else " b") + " - - 0 1"

    def copy(self):
        other = Game()
        other.discs, other.side, other.moves = dict(self.discs), self.side, list(self.moves)
        return other


HUB_START = "B" + "".join(
    Game().discs.get(x + y, "e") for y in "12345678" for x in "abcdefgh"
)
