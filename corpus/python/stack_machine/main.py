"""A machine with a stack, variables and calls; each instruction is a method."""

from assembler import AssemblyError, assemble

FACTORIAL = """
    push 6, call factorial, print, halt
factorial:          ; n -> n!
    dup, push 2, less, jumpif one
    dup, push 1, sub, call factorial, mul, return
one:
    pop, push 1, return
"""

COLLATZ = """
    push 27, store n
loop:
    load steps, push 1, add, store steps
    load n, push 2, mod, jumpif odd
    load n, push 2, div, jump next
odd:
    load n, push 3, mul, push 1, add
next:
    dup, store n
    push 1, sub, jumpif loop
    load steps, print
"""

BROKEN = ["again:\njump again", "push 1, push 0, div", "push 1, add", "jump off", "push -3, turn"]


class Trap(Exception):
    pass


class Machine:
    def __init__(self, program, budget=4000):
        self.program = program
        self.budget = budget
        self.stack, self.calls, self.output = [], [], []
        self.variables = {}
        self.counter = 0
        self.deepest = 0

    def run(self):
        while self.counter < len(self.program):
            if self.budget == 0:
                raise Trap(f"out of steps at {self.counter}")
            self.budget -= 1
            name, operand = self.program[self.counter]
            self.counter += 1
            method = getattr(self, f"op_{name}", None)
            if method is None:
                raise Trap(f"no instruction {name}")
            if method(*() if operand is None else (operand,)) is False:
                break
        return self.output

    def take(self):
        if not self.stack:
            raise Trap(f"empty stack at {self.counter - 1}")
        return self.stack.pop()

    def op_push(self, value):
        self.stack.append(value)

    def op_pop(self):
        self.take()

    def op_dup(self):
        value = self.take()
        self.stack += [value, value]

    def op_swap(self):
        upper, lower = self.take(), self.take()
        self.stack += [upper, lower]

    def op_load(self, name):
        self.stack.append(self.variables.get(name, 0))

    def op_store(self, name):
        self.variables[name] = self.take()

    def binary(function):
        def operate(self):
            right, left = self.take(), self.take()
            try:
                self.stack.append(function(left, right))
            except ZeroDivisionError:
                raise Trap(f"division by zero at {self.counter - 1}") from None

        return operate

    op_add = binary(lambda left, right: left + right)
    op_sub = binary(lambda left, right: left - right)
    op_mul = binary(lambda left, right: left * right)
    op_div = binary(lambda left, right: left // right)
    op_mod = binary(lambda left, right: left % right)
    op_less = binary(lambda left, right: int(left < right))
    del binary

    def op_jump(self, address):
        self.counter = address

    def op_jumpif(self, address):
        if self.take():
            self.op_jump(address)

    def op_call(self, address):
        self.calls.append(self.counter)
        self.deepest = max(self.deepest, len(self.calls))
        self.op_jump(address)

    def op_return(self):
        if not self.calls:
            raise Trap("return without a call")
        self.counter = self.calls.pop()

    def op_print(self):
        self.output.append(self.take())

    def op_halt(self):
        return False


def try_program(text):
    try:
        machine = Machine(assemble(text))
        return f"{machine.run()}, depth {machine.deepest}, {machine.budget} steps left"
    except AssemblyError as error:
        return f"not assembled: {error}"
    except Trap as trap:
        return f"trap: {trap}"


if __name__ == "__main__":
    for source in (FACTORIAL, COLLATZ, *BROKEN):
        print(try_program(source))
