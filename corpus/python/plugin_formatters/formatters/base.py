class UnknownFormat(LookupError):
    pass


class Formatter:
    """Subclasses are installed under their name, and under aliases, as soon as they are defined."""

    registry = {}
    empty = ""

    def __init_subclass__(cls, name=None, aliases=(), **kwargs):
        super().__init_subclass__(**kwargs)
        if name is None:
            return  # a base for other formats
        for key in (name, *aliases):
            if key in Formatter.registry:
                raise TypeError(f"two formats are called {key}")
            Formatter.registry[key] = cls
        cls.name = name

    def format(self, rows):
        if not rows:
            return self.empty
        columns = list(rows[0])
        cells = [[self.cell(row[column]) for column in columns] for row in rows]
        return "\n".join(self.lines(columns, cells))

    def cell(self, value):
        if value is None:
            return "-"
        return f"{value:.1f}" if isinstance(value, float) else str(value)

    def lines(self, columns, cells):
        raise NotImplementedError


def installed():
    return sorted({formatter.name for formatter in Formatter.registry.values()})


def choose(name):
    try:
        return Formatter.registry[name.lower()]()
    except KeyError:
        raise UnknownFormat(f"no format {name}, there is {', '.join(installed())}") from None
