"""Noughts and crosses: a perfect player, and a careless one who takes the first free square."""

from functools import lru_cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
EMPTY = "." * 9


def other(side):
    return "O" if side == "X" else "X"


def winner(board):
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return board[a]
    return None


def free_squares(board):
    return [square for square, mark in enumerate(board) if mark == "."]


def put(board, square, side):
    if board[square] != ".":
        raise ValueError(f"square {square} is taken")
    return board[:square] + side + board[square + 1 :]


@lru_cache(maxsize=None)
def value(board, side):
    """What ``side``, who moves next, gets at best: a win in fewer moves counts more."""
    won = winner(board)
    if won:
        score = 1 + len(free_squares(board))
        return score if won == side else -score
    moves = free_squares(board)
    if not moves:
        return 0
    return max(-value(put(board, square, side), other(side)) for square in moves)


def perfect(board, side):
    def outcome(square):
        return -value(put(board, square, side), other(side))

    # max() keeps the first of equals, which is the lowest square.
    return max(free_squares(board), key=outcome)


def careless(board, side):
    """Blocks nothing, sees nothing."""
    return free_squares(board)[0]


def spiteful(board, side):
    """Takes the square that the opponent would like best."""
    return perfect(board, other(side))


def play(players, board=EMPTY):
    side = "X"
    moves = []
    while winner(board) is None and free_squares(board):
        square = players[side](board, side)
        board = put(board, square, side)
        moves.append(square)
        side = other(side)
    return board, moves


def show(board):
    return " / ".join(board[start : start + 3] for start in range(0, 9, 3))


def main():
    pairings = [(perfect, perfect), (careless, perfect), (perfect, careless), (careless, careless)]
    for first, second in pairings:
        board, moves = play({"X": first, "O": second})
        result = winner(board)
        print(f"{first.__name__} against {second.__name__}: {show(board)}")
        print("  ", f"{result} wins" if result else "a draw", "after", len(moves), "moves")
    print("value of a corner opening:", value(put(EMPTY, 0, "X"), "O"))


if __name__ == "__main__":
    main()
