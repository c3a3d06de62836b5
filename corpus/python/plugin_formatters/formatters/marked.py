"""Formats in which some characters must be escaped."""

from .base import Formatter


class Escaping(Formatter):
    special = {}

    def cell(self, value):
        return self.escape(super().cell(value))

    def escape(self, text):
        return text.translate(str.maketrans(self.special))


class Markdown(Escaping, name="markdown", aliases=["md"]):
    special = {"|": "\\|"}

    def lines(self, columns, cells):
        yield self.row(columns)
        yield self.row(["---"] * len(columns))
        yield from map(self.row, cells)

    def row(self, cells):
        return "| " + " | ".join(cells) + " |"


class Csv(Escaping, name="csv"):
    def escape(self, text):
        if any(mark in text for mark in ',"\n'):
            return '"' + text.replace('"', '""') + '"'
        return text

    def cell(self, value):
        return "" if value is None else super().cell(value)

    def lines(self, columns, cells):
        yield ",".join(map(self.escape, columns))
        yield from map(",".join, cells)


class Html(Escaping):
    special = {"<": "&lt;", "&": "&amp;"}

    def lines(self, columns, cells):
        for row in cells:
            yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
