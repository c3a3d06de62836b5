"""Writes a call into the code of a Python function, which is made when the body of the function starts.

Python 3.11 only: later versions tell of such starts themselves (``sys.monitoring``). The harness loads this file beside
the witness.
"""

from __future__ import annotations

from opcode import _inline_cache_entries, opmap  # type: ignore[attr-defined]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType

#: The bytes of an instruction.
UNIT = 2
#: An entry of the table of lines: the bit that begins it, and the kind that has no line.
ENTRY, NO_LINE = 0x80, 15 << 3
#: A number in the table of exceptions: the bit that begins an entry, and the bit that says that more bits follow.
FIRST, MORE = 0x80, 0x40


def weave(code: CodeType, hook: Callable[[], object]) -> CodeType:
    """A copy of a function's code that calls ``hook`` first. A generator calls it when its first value is asked for."""
    text = code.co_code
    resume = next(at for at in range(0, len(text), UNIT) if text[at] == opmap["RESUME"])
    start = resume + UNIT  # jumps are relative, and none leads to what is before or leaves from there
    call = write_call(len(code.co_consts))
    return code.replace(
        co_consts=(*code.co_consts, hook),
        co_code=text[:start] + call + text[start:],
        co_stacksize=max(code.co_stacksize, 2),
        co_linetable=insert_without_line(code.co_linetable, start // UNIT, len(call) // UNIT),
        co_exceptiontable=shift_exceptions(code.co_exceptiontable, start // UNIT, len(call) // UNIT),
    )


def write_call(constant: int) -> bytes:
    """The instructions that call a constant without arguments and forget the result."""
    prefix = b"".join(write_instruction("EXTENDED_ARG", constant >> bits & 255) for bits in (16, 8) if constant >> bits)
    return b"".join(
        [
            write_instruction("PUSH_NULL", 0),
            prefix + write_instruction("LOAD_CONST", constant & 255),
            write_instruction("PRECALL", 0),
            write_instruction("CALL", 0),
            write_instruction("POP_TOP", 0),
        ]
    )


def write_instruction(name: str, argument: int) -> bytes:
    """An instruction with the room that the interpreter uses behind it."""
    number = opmap[name]
    return bytes([number, argument]) + bytes(UNIT * _inline_cache_entries[number])


def insert_without_line(table: bytes, start: int, count: int) -> bytes:
    """The table of lines of a code with ``count`` instructions more, which stand on no line."""
    at = passed = 0
    while passed < start:
        passed += (table[at] & 7) + 1
        at += 1
        while at < len(table) and not table[at] & ENTRY:
            at += 1
    lengths = [8] * (count // 8) + [count % 8] * bool(count % 8)
    return table[:at] + bytes(ENTRY | NO_LINE | length - 1 for length in lengths) + table[at:]


def shift_exceptions(table: bytes, start: int, count: int) -> bytes:
    """The table of exceptions of a code with ``count`` instructions more."""
    numbers = list(read_numbers(table))
    shifted = bytearray()
    for first, length, target, depth in zip(*[iter(numbers)] * 4, strict=True):
        shifted += write_number(first + count * (first >= start), FIRST)
        shifted += write_number(length + count * (first < start < first + length), 0)
        shifted += write_number(target + count * (target >= start), 0)
        shifted += write_number(depth, 0)
    return bytes(shifted)


def read_numbers(table: bytes) -> Iterator[int]:
    """The numbers of the table of exceptions."""
    number = 0
    for byte in table:
        number = number << 6 | byte & 63
        if not byte & MORE:
            yield number
            number = 0


def write_number(number: int, mark: int) -> bytes:
    """A number as the table of exceptions has it."""
    groups = [number & 63]
    while number := number >> 6:
        groups.append(number & 63 | MORE)
    groups[-1] |= mark
    return bytes(groups[::-1])
