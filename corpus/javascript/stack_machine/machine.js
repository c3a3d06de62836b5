class Machine {
  constructor({ code, functions }, { budget = 10_000 } = {}) {
    if (!(budget > 0)) throw new RangeError("a budget must be positive");
    this.code = code;
    this.functions = functions;
    this.budget = budget;
    this.stack = [];
    this.frames = [{ variables: {}, back: null }];
    this.at = 0;
    this.steps = 0;
    this.output = [];
  }

  get variables() {
    return this.frames.at(-1).variables;
  }

  binary(operate) {
    const right = this.stack.pop();
    this.stack.push(Number(operate(this.stack.pop(), right)));
  }

  run() {
    while (this.at !== null) {
      if (this.steps >= this.budget) throw new RangeError("out of budget");
      this.steps += 1;
      const [op, argument] = this.code[this.at++];
      instructions[op](this, argument);
    }
    return this.output;
  }
}

const instructions = {
  PUSH: (machine, value) => machine.stack.push(value),
  LOAD(machine, name) {
    if (!Object.hasOwn(machine.variables, name)) throw new ReferenceError(`${name} has no value`);
    machine.stack.push(machine.variables[name]);
  },
  STORE: (machine, name) => (machine.variables[name] = machine.stack.pop()),
  ADD: (machine) => machine.binary((a, b) => a + b),
  SUB: (machine) => machine.binary((a, b) => a - b),
  MUL: (machine) => machine.binary((a, b) => a * b),
  MOD: (machine) => machine.binary((a, b) => a % b),
  LESS: (machine) => machine.binary((a, b) => a < b),
  SAME: (machine) => machine.binary((a, b) => a === b),
  JUMP: (machine, target) => (machine.at = target),
  JUMPZ(machine, target) {
    if (machine.stack.pop() === 0) machine.at = target;
  },
  CALL(machine, name) {
    const callee = machine.functions.get(name);
    if (!callee) throw new ReferenceError(`no function ${name}`);
    const values = machine.stack.splice(machine.stack.length - callee.parameters.length);
    const variables = Object.fromEntries(callee.parameters.map((parameter, i) => [parameter, values[i]]));
    machine.frames.push({ variables, back: machine.at });
    machine.at = callee.start;
  },
  RETURN: (machine) => (machine.at = machine.frames.pop().back),
  PRINT: (machine) => machine.output.push(machine.stack.pop()),
  HALT: (machine) => (machine.at = null),
};

module.exports = { Machine };
