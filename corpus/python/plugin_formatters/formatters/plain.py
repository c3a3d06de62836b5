from .base import Formatter


class Text(Formatter, name="text", aliases=["txt"]):
    gap = "  "

    def lines(self, columns, cells):
        widths = [max(map(len, column)) for column in zip(columns, *cells)]
        for row in (columns, *cells):
            padded = (self.pad(cell, width) for cell, width in zip(row, widths))
            yield self.gap.join(padded).rstrip()

    def pad(self, cell, width):
        is_number = cell.replace(".", "", 1).isdigit()
        return cell.rjust(width) if is_number else cell.ljust(width)


class Tree(Formatter, name="tree"):
    def lines(self, columns, cells):
        for first, *rest in cells:
            yield first
            for position, (column, cell) in enumerate(zip(columns[1:], rest), start=2):
                yield f"{'`-' if position == len(columns) else '|-'} {column}: {cell}"
