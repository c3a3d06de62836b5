"""Turns text into a program of the machine: labels become addresses."""

WITH_OPERAND = frozenset({"push", "load", "store", "jump", "jumpif", "call"})


class AssemblyError(Exception):
    pass


def assemble(text):
    """Two passes: the first finds labels, the second fills them in."""
    labels, instructions = {}, []
    for number, line in enumerate(text.splitlines(), start=1):
        for part in map(str.strip, line.split(";")[0].split(",")):
            if part.endswith(":"):
                label = part[:-1]
                if label in labels:
                    raise AssemblyError(f"line {number}: label {label} again")
                labels[label] = len(instructions)
            elif part:
                instructions.append((number, *part.split()))
    return [resolve(instruction, labels) for instruction in instructions]


def resolve(instruction, labels):
    number, name, *operands = instruction
    if len(operands) != (name in WITH_OPERAND):
        raise AssemblyError(f"line {number}: wrong number of operands")
    if not operands:
        return name, None
    (operand,) = operands
    if operand.removeprefix("-").isdecimal():
        return name, int(operand)
    if name in ("load", "store"):
        return name, operand
    if operand not in labels:
        raise AssemblyError(f"line {number}: no label {operand}")
    return name, labels[operand]
