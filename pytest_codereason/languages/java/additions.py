"""What a writer may add to a file of Java: a method that runs it, classes of its own, and stubs of what it imports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.languages.frame.additions import FilePart, list_added, read_tokens, refuse
from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.java.kept import KeptMethods
from pytest_codereason.languages.java.syntax.escapes import parse_program
from pytest_codereason.languages.java.syntax.grammar import CLASSES, METHODS
from pytest_codereason.languages.java.types import list_library

if TYPE_CHECKING:
    from tree_sitter import Node

_WHOLE = frozenset({"string_literal", "character_literal"})
#: The forms that an addition may have.
_FORMS = frozenset(
    """import_declaration asterisk scoped_identifier scoped_type_identifier class_declaration interface_declaration
    enum_declaration record_declaration class_body interface_body enum_body enum_body_declarations enum_constant
    superclass super_interfaces extends_interfaces type_list modifiers marker_annotation annotation
    annotation_argument_list field_declaration constant_declaration method_declaration constructor_declaration
    compact_constructor_declaration constructor_body explicit_constructor_invocation formal_parameters formal_parameter
    spread_parameter inferred_parameters receiver_parameter throws type_parameters type_parameter type_bound
    type_arguments wildcard generic_type array_type dimensions dimensions_expr integral_type floating_point_type
    boolean_type void_type type_identifier identifier block local_variable_declaration variable_declarator
    expression_statement return_statement if_statement for_statement enhanced_for_statement while_statement do_statement
    break_statement continue_statement switch_expression switch_block switch_block_statement_group switch_rule
    switch_label yield_statement throw_statement try_statement try_with_resources_statement resource_specification
    resource catch_clause catch_formal_parameter catch_type finally_clause assert_statement parenthesized_expression
    method_invocation argument_list object_creation_expression array_creation_expression array_initializer field_access
    array_access cast_expression instanceof_expression binary_expression unary_expression update_expression
    ternary_expression assignment_expression lambda_expression method_reference type_pattern this super true false
    null_literal string_literal string_fragment multiline_string_fragment escape_sequence character_literal
    decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal
    decimal_floating_point_literal hex_floating_point_literal line_comment block_comment""".split()
)
#: The types of the library that a driver may use. None leads to a class as a value, a thread or a file.
_TYPES = frozenset(
    """Override SuppressWarnings FunctionalInterface String StringBuilder CharSequence Integer Long Double Float Short
    Byte Boolean Character Number Math Object Objects Comparable Iterable Runnable AutoCloseable Callable
    List ArrayList LinkedList Arrays Collection Collections Map HashMap LinkedHashMap TreeMap SortedMap NavigableMap
    EnumMap EnumSet BitSet Set HashSet LinkedHashSet TreeSet SortedSet Iterator Comparator Deque ArrayDeque Queue
    PriorityQueue Stack Vector Optional OptionalInt OptionalLong OptionalDouble UUID StringJoiner Locale Random
    BigInteger BigDecimal MathContext RoundingMode Collectors Stream IntStream LongStream DoubleStream LocalDate
    LocalTime LocalDateTime Duration Instant Period DayOfWeek Month ZoneOffset AtomicInteger AtomicLong
    ConcurrentHashMap CompletableFuture TimeUnit Exception RuntimeException Throwable Error""".split()
)
_PACKAGES = re.compile(r"java\.(?:util(?:\.function|\.stream|\.concurrent(?:\.atomic)?)?|math|time)")
#: Methods that lead from a value to its class, to the stack, or out of the program; and the classes of a traced run.
_INNER = re.compile(
    r"get(?:Class|Declar|Enclos|Method|Constructor|Field|StackTrace|Runtime|Protection)\w*|forName|newInstance|invoke|"
    r"setAccessible|setStackTrace|exit|halt|set(?:Out|Err|In|Properties|Property|SecurityManager)|load\w*|"
    r"(?:Codereason|codereason)\w*|Witness|Weaver|Harness|Compiler"
)
_SYSTEM = frozenset({"out", "err", "lineSeparator", "arraycopy", "identityHashCode"})
_NAMED = (
    METHODS
    | CLASSES
    | frozenset(
        """variable_declarator formal_parameter catch_formal_parameter enhanced_for_statement resource enum_constant
    instanceof_expression""".split()
    )
)
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")


class _Member(NamedTuple):
    """A piece of a file with its node."""

    piece: FilePart
    node: Node
    inside: bool  #: whether it stands in a class of the file


def check_additions(before: str, after: str) -> None:
    """Refuses a program that does more than add a method that runs it, definitions of its own and stubs to a file.

    Raises:
        Refused: says which line does something else.
        DoesNotParse: a text is no program.
    """
    file, whole = parse_program(before), parse_program(after)
    known = [*_list_members(file, file.root, None)]
    heads = frozenset(member.piece.text for member in known)
    members = [*_list_members(whole, whole.root, heads)]
    places = list_added([member.piece for member in known], [member.piece for member in members])
    _Check(file, whole, [members[place] for place in places]).check()


def _list_members(tree: Tree, holder: Node, heads: frozenset[object] | None, path: str = "") -> Iterator[_Member]:
    """The pieces of a file: the head of each class, its members, its end. A class with another head is one piece."""
    for node in holder.named_children:
        if "comment" in node.type:
            continue
        if node.type == "enum_body_declarations":
            yield from _list_members(tree, node, heads, path)
            continue
        body = node.child_by_field_name("body") if node.type in CLASSES else None
        head = (path, *(token for part in node.children if part != body for token in _read(tree, part)))
        if body is None or (heads is not None and head not in heads):
            replaceable = node.type in ("package_declaration", "import_declaration")
            yield _Member(FilePart((path, *_read(tree, node)), replaceable), node, bool(path))
            continue
        name = f"{path}.{tree.text(node.child_by_field_name('name') or node)}"
        yield _Member(FilePart(head), node, bool(path))
        yield from _list_members(tree, body, heads, name)
        yield _Member(FilePart((name, "}")), node, bool(path))


def _read(tree: Tree, node: Node) -> tuple[str, ...]:
    """The tokens of a node. Only one class of a file is public, and that may be another one."""
    return tuple(token for token in read_tokens(tree, node, _WHOLE) if token != "public")


class _Check:
    """The look at all additions of a program."""

    def __init__(self, file: Tree, whole: Tree, added: list[_Member]) -> None:
        self._tree, self._added = whole, added
        self._declared = {name for node in walk(file.root) for name in _list_names(file, node)}
        self._used = {file.text(node) for node in file.find_nodes("identifier", "type_identifier")}
        imports = [file.text(node) for node in file.find_nodes("import_declaration")]
        self._foreign = {text.rstrip("; ").rpartition(".")[2] for text in imports if "java." not in text}
        nodes = [node for member in added for node in walk(member.node)]
        self._mine = {name for node in nodes for name in _list_names(whole, node)}
        self._library = frozenset().union(*list_library().values())
        made = {name for node in nodes if node.type in CLASSES for name in _list_names(whole, node)}
        stubs = frozenset(made & (self._foreign | self._used - self._declared))
        self._kept = KeptMethods(file, whole, [member.node for member in added], stubs)

    def check(self) -> None:
        for member in self._added:
            line = member.node.start_point[0] + 1
            if member.inside and (what := self._refuse_member(member.node)):
                raise refuse(line, what)
            for node in walk(member.node):
                if what := self._find_objection(node):
                    raise refuse(node.start_point[0] + 1, what)
                if kept := self._kept.find(node):
                    raise refuse(node.start_point[0] + 1, f"keeps {kept} in a place that the file may call")

    def _refuse_member(self, node: Node) -> str:
        """Why something may not be added to a class of the file, where it could change what a call of it means."""
        head = self._tree.text(node).partition("(")[0].split()
        if node.type not in CLASSES and not (node.type == "method_declaration" and "static" in head):
            return "adds more than a static method to a class of the file"
        text = self._tree.read(node)
        return f"gives the name {text} another meaning" if text in self._used else ""

    def _find_objection(self, node: Node) -> str:
        if not node.is_named:
            return "calls code of another language" if node.type == "native" else ""
        text = self._tree.text(node)
        if node.type not in _FORMS:
            return f"has a form that no driver needs: {text[:40].splitlines()[0]}"
        if node.type == "import_declaration":
            package, _, name = text.removeprefix("import").strip("; ").rpartition(".")
            return "" if _PACKAGES.fullmatch(package) and name in {"*", *_TYPES} | self._library else f"has {text}"
        if node.type in CLASSES and (named := node.child_by_field_name("name")) is not None:
            return self._refuse_class(self._tree.text(named))
        if node.type in ("assignment_expression", "update_expression"):
            target = node.child_by_field_name("left") or node.named_children[0]
            holder = target.child_by_field_name("object") or target
            if holder.type == "identifier" and self._tree.text(holder) not in self._mine:
                return f"assigns to {self._tree.text(target)[:40]}"
        if node.type in ("identifier", "type_identifier"):
            return self._refuse_name(node, text)
        return ""

    def _refuse_class(self, name: str) -> str:
        taken = name in self._declared or (name in self._library and name not in self._foreign)
        return f"gives the name {name} another meaning" if taken else ""

    def _refuse_name(self, node: Node, name: str) -> str:
        outer = node.parent
        if "\\" in name:
            return f"writes {name} with an escape"
        if _INNER.fullmatch(name) and name not in self._declared:
            return f"reaches for {name}"
        if outer is None or outer.type in ("scoped_identifier", "import_declaration"):
            return ""  # of an import, which has been looked at
        if name == "System":
            field = outer.child_by_field_name("field") or outer.child_by_field_name("name")
            known = field is not None and self._tree.text(field) in _SYSTEM
            return "" if known else "names System"
        if name in self._declared or name in _TYPES or name == "var" or _is_member(node):
            return ""
        if not name[:1].isupper():
            return "" if name in self._mine else f"names {name}"
        if name.endswith(("Exception", "Error")):
            return ""
        if name in self._library:
            functional = name in list_library()["java.util.function"] or name in self._foreign
            return "" if functional else f"names {name}"
        types = node.type == "type_identifier" or outer.type in CLASSES or self._is_class(name)
        return "" if name in self._mine and (types or _CONSTANT.fullmatch(name)) else f"names {name}"

    def _is_class(self, name: str) -> bool:
        nodes = (node for member in self._added for node in walk(member.node) if node.type in CLASSES)
        return any(name in _list_names(self._tree, node) for node in nodes)


def _is_member(node: Node) -> bool:
    """Whether a name is that of a method or of a field of something."""
    outer = node.parent
    if outer is None:
        return False
    if outer.type == "method_reference":
        return outer.named_children[-1] == node
    field = {"method_invocation": "name", "field_access": "field", "element_value_pair": "key"}.get(outer.type, "")
    return bool(field) and outer.child_by_field_name(field) == node and node.text != b"this"


def _list_names(tree: Tree, node: Node) -> Iterator[str]:
    """The names that a node itself declares."""
    if node.type in _NAMED and (name := node.child_by_field_name("name")) is not None:
        yield tree.text(name)
    elif node.type == "type_parameter":
        yield tree.text(next(child for child in node.named_children if child.type == "type_identifier"))
    elif node.type == "lambda_expression" and (taken := node.child_by_field_name("parameters")) is not None:
        if taken.type == "identifier":
            yield tree.text(taken)
        elif taken.type == "inferred_parameters":
            yield from (tree.text(child) for child in taken.named_children)
    elif node.type == "type_pattern":
        yield tree.text(node.named_children[-1])
