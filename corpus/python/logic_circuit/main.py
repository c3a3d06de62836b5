"""Logic circuits whose wires tell their listeners when they change."""

from collections import deque
from functools import partial

LOW, HIGH = 0, 1


class Wire:
    def __init__(self, name, value=LOW):
        self.name, self.value = name, value
        self.listeners = []

    def listen(self, listener):
        self.listeners.append(listener)

    def drive(self, value):
        if value != self.value:
            self.value = value
            for listener in self.listeners:
                listener()


class Circuit:
    """Gates answer after a delay; the agenda holds what will happen and when."""

    def __init__(self, most_events=500):
        self.now = 0
        self.most_events = most_events
        self.agenda = {}
        self.wires = {}
        self.trace = []

    def wire(self, name):
        if name not in self.wires:
            self.wires[name] = Wire(name)
        return self.wires[name]

    def gate(self, kind, inputs, output, delay=1):
        if kind not in GATES:
            raise ValueError(f"no gate is called {kind}")
        function, arity = GATES[kind]
        if arity and len(inputs) != arity:
            raise ValueError(f"{kind} takes {arity} wires, not {len(inputs)}")
        sources = [self.wire(name) for name in inputs]
        target = self.wire(output)

        def react():
            value = int(function([source.value for source in sources]))
            self.after(delay, partial(target.drive, value))

        for source in sources:
            source.listen(react)
        react()  # the inputs have values from the start

    def after(self, delay, action):
        if delay < 0:
            raise ValueError("nothing happens in the past")
        self.agenda.setdefault(self.now + delay, deque()).append(action)

    def settle(self):
        """Runs until nothing changes any more; the time that took."""
        start, events = self.now, 0
        while self.agenda:
            self.now = min(self.agenda)
            actions = self.agenda[self.now]
            while actions:
                actions.popleft()()
                events += 1
                if events > self.most_events:
                    raise RuntimeError(f"still busy at {self.now}")
            del self.agenda[self.now]
        return self.now - start

    def watch(self, *names):
        for name in names:
            wire = self.wire(name)
            wire.listen(lambda wire=wire: self.trace.append(f"{self.now}:{wire.name}={wire.value}"))

    def set(self, **values):
        for name, value in values.items():
            self.wires[name].drive(value)
        return self.settle()

    def read(self, *names):
        return "".join(str(self.wires[name].value) for name in names)


def majority(values):
    return 2 * sum(values) > len(values)


GATES = {
    "and": (all, None),
    "or": (any, None),
    "not": (lambda values: 1 - values[0], 1),
    "xor": (lambda values: sum(values) % 2, None),
    "nor": (lambda values: not any(values), None),
    "vote": (majority, None),
}


def full_adder(circuit, a, b, carry, total, carry_out):
    circuit.gate("xor", [a, b, carry], total, delay=2)
    circuit.gate("vote", [a, b, carry], carry_out, delay=2)


def ripple_adder(bits):
    circuit = Circuit()
    for bit in range(bits):
        full_adder(circuit, f"a{bit}", f"b{bit}", f"c{bit}", f"s{bit}", f"c{bit + 1}")
    circuit.settle()
    return circuit


def add(circuit, bits, left, right):
    values = {f"a{bit}": left >> bit & 1 for bit in range(bits)}
    values |= {f"b{bit}": right >> bit & 1 for bit in range(bits)}
    time = circuit.set(**values)
    result = circuit.read(f"c{bits}", *(f"s{bit}" for bit in reversed(range(bits))))
    return int(result, 2), time


def latch():
    circuit = Circuit()
    circuit.gate("nor", ["reset", "off"], "on")
    circuit.gate("nor", ["set", "on"], "off")
    circuit.set(set=HIGH)
    return circuit


def multiplexer(circuit, choice, zero, one, output):
    circuit.gate("not", [choice], f"not_{choice}")
    circuit.gate("and", [zero, f"not_{choice}"], "_zero")
    circuit.gate("and", [one, choice], "_one")
    circuit.gate("or", ["_zero", "_one"], output)


def main():
    adder = ripple_adder(4)
    for left, right in [(3, 4), (15, 1), (9, 9), (9, 9)]:
        total, time = add(adder, 4, left, right)
        print(f"{left} + {right} = {total} after {time}")
    memory = latch()
    memory.watch("on", "off")
    states = [memory.read("on", "off")]
    for values in ({"set": LOW}, {"reset": HIGH}, {"reset": LOW}, {"set": HIGH}):
        memory.set(**values)
        states.append(memory.read("on", "off"))
    print("latch:", *states, "|", *memory.trace)
    ring = Circuit(most_events=50)
    ring.gate("not", ["x"], "x")
    try:
        ring.settle()
    except RuntimeError as error:
        print("ring:", error)
    try:
        ring.gate("not", ["x", "y"], "z")
    except ValueError as error:
        print(error)


if __name__ == "__main__":
    main()
