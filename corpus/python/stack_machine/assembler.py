"""Turns text into a program of the machine: labels become addresses."""


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
    if len(operands) > 1:
        raise AssemblyError(f"line {number}: too many operands")
    if not operands:
        return name, None
    (operand,) = operands
    if operand.lstrip("-").isdigit():
        return name, int(operand)
    if name in ("load", "store"):
        return name, operand
    if operand not in labels:
        raise AssemblyError(f"line {number}: no label {operand}")
    return name, labels[operand]
