"""Exact matrices of fractions: arithmetic, elimination, and a pinch of linear recurrences."""

from fractions import Fraction
from functools import reduce
from operator import mul


class ShapeError(ArithmeticError):
    pass


class Matrix:
    def __init__(self, rows):
        self.rows = [[Fraction(cell) for cell in row] for row in rows]
        if len({len(row) for row in self.rows}) != 1:
            raise ShapeError("rows of different length")

    @classmethod
    def identity(cls, size):
        return cls([[row == column for column in range(size)] for row in range(size)])

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    @property
    def transposed(self):
        return Matrix(zip(*self.rows))

    def __getitem__(self, place):
        row, column = place
        return self.rows[row][column]

    def __eq__(self, other):
        return isinstance(other, Matrix) and self.rows == other.rows

    def __add__(self, other):
        if self.shape != other.shape:
            raise ShapeError(f"cannot add {other.shape} to {self.shape}")
        return Matrix([[a + b for a, b in zip(*pair)] for pair in zip(self.rows, other.rows)])

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    def __mul__(self, factor):
        return Matrix([[cell * factor for cell in row] for row in self.rows])

    __rmul__ = __mul__

    def __matmul__(self, other):
        if self.shape[1] != other.shape[0]:
            raise ShapeError(f"cannot multiply {self.shape} with {other.shape}")
        columns = other.transposed.rows
        return Matrix([[sum(map(mul, row, column)) for column in columns] for row in self.rows])

    def __pow__(self, exponent):
        """By repeated squaring; a negative exponent takes the inverse."""
        if self.shape[0] != self.shape[1]:
            raise ShapeError("only square matrices have powers")
        if exponent < 0:
            return self.inverse() ** -exponent
        result, square = Matrix.identity(len(self.rows)), self
        while exponent:
            if exponent & 1:
                result = result @ square
            square = square @ square
            exponent >>= 1
        return result

    def determinant(self):
        if self.shape[0] != self.shape[1]:
            raise ShapeError("only square matrices have a determinant")
        rows, sign = [list(row) for row in self.rows], 1
        for step in range(len(rows)):
            pivot = next((row for row in range(step, len(rows)) if rows[row][step]), None)
            if pivot is None:
                return Fraction(0)
            if pivot != step:
                rows[step], rows[pivot] = rows[pivot], rows[step]
                sign = -sign
            for below in rows[step + 1 :]:
                factor = below[step] / rows[step][step]
                for column in range(step, len(rows)):
                    below[column] -= factor * rows[step][column]
        return reduce(mul, (rows[step][step] for step in range(len(rows))), Fraction(sign))

    def minor(self, row, column):
        kept = [cells[:column] + cells[column + 1 :] for cells in self.rows[:row] + self.rows[row + 1 :]]
        return Matrix(kept).determinant() if kept else Fraction(1)

    def inverse(self):
        whole = self.determinant()
        if whole == 0:
            raise ZeroDivisionError("the matrix has no inverse")
        size = len(self.rows)
        cofactors = [[(-1) ** (r + c) * self.minor(r, c) for c in range(size)] for r in range(size)]
        return Matrix(cofactors).transposed * (1 / whole)

    def __str__(self):
        return "; ".join(" ".join(map(str, row)) for row in self.rows)


def main():
    a = Matrix([[2, 1], [7, 4]])
    b = Matrix([[0, 1, 2], [3, 0, 1], [1, 1, 0]])
    print("sum:", a + 3 * Matrix.identity(2))
    print("product:", a @ Matrix([[1, 0, 5], [2, -1, 0]]))
    print("determinants:", a.determinant(), b.determinant())
    print("inverse:", b**-1)
    print("check:", b @ b.inverse() == Matrix.identity(3))
    print("fibonacci:", (Matrix([[1, 1], [1, 0]]) ** 60)[0, 1])
    for left, right in [(a, b), (Matrix([[1, 2]]), Matrix([[3, 4]]))]:
        try:
            print(left @ right)
        except ShapeError as error:
            print("error:", error)
    try:
        Matrix([[1, 2], [2, 4]]).inverse()
    except ZeroDivisionError as error:
        print("error:", error)


if __name__ == "__main__":
    main()
