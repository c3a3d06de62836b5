class SheetError(Exception):
    pass


class Circle(SheetError):
    def __init__(self, names):
        super().__init__("circle " + ">".join(names))
