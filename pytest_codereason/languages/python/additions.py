"""What a writer may add to a file of Python: definitions of its own, stubs of imports, and calls."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from pytest_codereason.core.text.python_trees import NO_TREE, parse
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.additions import FilePart, list_added, refuse
from pytest_codereason.languages.python.kept import KeptNames
from pytest_codereason.languages.python.scopes import list_bound, walk_scopes

#: The forms that an addition may have. None says that a name means another thing elsewhere.
_STATEMENTS = (
    *(ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Assert, ast.Pass, ast.Import, ast.ImportFrom),
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.Break, ast.Continue, ast.With, ast.AsyncWith, ast.Try, ast.Raise),
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Return),
)
#: The functions and types of the language that a driver may use. None leads to a frame, a module or a text that is run.
_BUILTINS = frozenset(
    """abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter float
    format frozenset hash hex int isinstance issubclass iter len list map max min next object oct ord pow print property
    range repr reversed round set slice sorted staticmethod str sum super tuple zip Ellipsis NotImplemented __name__
    """.split()
) | {name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)}
#: The names that a program finds without a definition.
_LANGUAGE = frozenset(dir(builtins)) - {"_"}
#: What a driver may take of other modules: values for arguments, and ways to wait for a result.
_MODULES = {
    module: frozenset(names.split())
    for module, names in {
        "__future__": "annotations",
        "abc": "ABC abstractmethod",
        "asyncio": "Event Lock Queue create_task gather run sleep wait_for",
        "collections": "ChainMap Counter OrderedDict defaultdict deque namedtuple",
        "dataclasses": "asdict astuple dataclass field",
        "datetime": "date datetime time timedelta timezone",
        "decimal": "Decimal",
        "enum": "Enum Flag IntEnum IntFlag auto",
        "fractions": "Fraction",
        "io": "BytesIO StringIO",
        "itertools": "chain count cycle islice repeat",
        "json": "dumps loads",
        "math": "ceil cos e floor inf isclose isnan nan pi sin sqrt tau",
        "pathlib": "PurePath PurePosixPath",
        "random": "Random",
        "re": "compile",
        "string": "ascii_letters ascii_lowercase ascii_uppercase digits punctuation",
        "textwrap": "dedent",
        "types": "SimpleNamespace",
        "typing": "Any Callable Dict Generic Iterable Iterator List Literal Mapping NamedTuple Optional Protocol "
        "Sequence Set Tuple TypeVar TypedDict Union",
        "uuid": "UUID",
    }.items()
}
#: Special methods that a stub may have, and special names that may be read.
_METHODS = frozenset(
    """__init__ __post_init__ __repr__ __str__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __len__ __iter__
    __next__ __bool__ __contains__ __getitem__ __setitem__ __call__ __enter__ __exit__ __aenter__ __aexit__ __aiter__
    __anext__ __add__ __sub__ __mul__ __truediv__ __neg__ __int__ __float__ __name__ __slots__""".split()
)
#: Attributes of frames, generators, code and tracebacks.
_INNER = re.compile(r"__\w*|(?:f|gi|cr|ag|tb|co|func|im)_\w+|mro")
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def check_additions(before: str, after: str) -> None:
    """Refuses a program that does more than add definitions of its own, stubs and calls to a file.

    Raises:
        Refused: says which line does something else.
        DoesNotParse: a text is no program.
    """
    try:
        kept, whole = parse(before).body, parse(after).body
        free = _list_free(symtable.symtable(before, "before", "exec"))
    except NO_TREE as error:
        raise DoesNotParse(str(error)) from error
    places = list_added([*map(_make_piece, kept)], [*map(_make_piece, whole)])
    added = [whole[place] for place in places]
    stays = [node for place, node in enumerate(whole) if place not in places]
    _Check(kept, stays, added, free).check()


def _make_piece(node: ast.stmt) -> FilePart:
    for inner in ast.walk(node):
        body = inner.body if isinstance(inner, _Definition) else []
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body[:1] = [] if len(body) > 1 else [ast.Pass()]  # a text that documents counts as a comment
    documents = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    starts = isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)
    return FilePart(ast.dump(node), documents or starts or isinstance(node, ast.Import | ast.ImportFrom))


def _list_free(table: symtable.SymbolTable) -> set[str]:
    """The names that some part of a program takes from outside."""
    top = table.get_type() == "module"
    names = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (symbol.is_global() or top) and not symbol.is_local()
    }
    return names.union(*map(_list_free, table.get_children()))


class _Check:
    """The look at all additions of a program."""

    def __init__(
        self, before: Sequence[ast.stmt], stays: Sequence[ast.stmt], added: Sequence[ast.stmt], free: set[str]
    ) -> None:
        self._added = added
        self._first = dict(pair for node in before for pair in _list_imports(node))
        self._imported = dict(pair for node in [*stays, *added] for pair in _list_imports(node))
        stubbed = self._first.keys() - self._imported.keys()
        defined = {name for node in before for name in list_bound([node])} - self._first.keys()
        needed = free - ({*free} if "*" in stubbed else stubbed)
        #: names that already mean something to the file
        self._taken = defined | needed | _LANGUAGE
        #: names of the driver alone, at the top of the program
        self._mine = frozenset(list_bound(added)) - self._taken - self._imported.keys()
        self._defined = defined
        self._definitions = {node.name for one in before for node in ast.walk(one) if isinstance(node, _Definition)}
        self._kept = KeptNames(
            added,
            own=frozenset(self._definitions & defined),
            definitions=self._definitions,
            stubs=frozenset(stubbed),
            outside=self._imported.keys() | _BUILTINS,
        )

    def check(self) -> None:
        for statement in self._added:
            for name in list_bound([statement]):
                if name in self._taken or name in self._imported:
                    raise refuse(statement.lineno, f"gives the name {name} another meaning")
            for name, path in _list_imports(statement):
                if name in self._taken and self._first.get(name) != path:
                    raise refuse(statement.lineno, f"gives the name {name} another meaning")
            asked = {id(node.func) for node in ast.walk(statement) if _asks_for_type(node)}
            for node, names in walk_scopes(statement, self._mine):
                if kept := self._kept.find(node, names):
                    raise refuse(
                        getattr(node, "lineno", statement.lineno), f"keeps {kept} in a place that the file may call"
                    )
                if id(node) not in asked and (what := self._find_objection(node, names)):
                    raise refuse(getattr(node, "lineno", statement.lineno), what)

    def _find_objection(self, node: ast.AST, mine: frozenset[str]) -> str:
        """What a driver has no need of; empty if there is nothing. ``mine``: its own names that are seen there."""
        match node:
            case ast.Import(names=names):
                other = [alias.name for alias in names if not self._knows(alias.name)]
                return f"imports {other[0]}" if other else ""
            case ast.ImportFrom(module=module, names=names, level=level):
                known = self._knows(str(module)) and not level and "*" not in [alias.name for alias in names]
                return "" if known else f"imports from {module}"
            case ast.Name(id=name, ctx=ast.Load()):
                return "" if name in mine or self._may_read(name) else f"names {name}"
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Load()) if path := self._find_import(
                name, mine
            ):
                return "" if path not in _MODULES or attr in _MODULES[path] else f"names {path}.{attr}"
            case ast.Attribute(attr=attr, ctx=ctx, value=value):
                if _INNER.fullmatch(attr) and attr not in _METHODS:
                    return f"reaches for {attr}"
                special = attr in self._definitions or attr in _METHODS
                foreign = isinstance(value, ast.Name) and value.id not in mine
                return f"patches {attr}" if not isinstance(ctx, ast.Load) and (special or foreign) else ""
            case ast.ClassDef(name=name, keywords=[_, *_]):
                return f"makes the class {name} in a way of its own"
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.arg(arg=name):
                return f"defines {name}" if _is_special(name) else ""
            case ast.Name(id=name):
                return f"defines {name}" if _is_special(name) else ""
            case ast.NamedExpr() | ast.stmt() if not isinstance(node, _STATEMENTS):
                return f"has a form that no driver needs: {ast.unparse(node).partition(chr(10))[0][:40]}"
        return ""

    def _knows(self, module: str) -> bool:
        return module in _MODULES or any(path.startswith(module) for path in self._first.values())

    def _find_import(self, name: str, mine: frozenset[str]) -> str:
        return "" if name in mine else self._imported.get(name, "")

    def _may_read(self, name: str) -> bool:
        if path := self._imported.get(name):
            module, _, member = path.rpartition(".")
            return path in _MODULES or member in _MODULES.get(module, ())
        return name in self._defined or name in _BUILTINS


def _is_special(name: str) -> bool:
    return name.startswith("__") and name not in _METHODS


def _asks_for_type(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a call is ``type(value)``. With more arguments it makes a class."""
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[only], keywords=[]):
            return not isinstance(only, ast.Starred)
    return False


def _list_imports(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """The names that imports bind, each with the path of what it stands for."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0], alias.name
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)
