from .cells import Sheet
from .errors import Circle, SheetError

__all__ = ["Circle", "Sheet", "SheetError"]
