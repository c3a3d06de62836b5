/** Compiles nested lists such as ["set", "x", ["+", "x", 1]] to a flat list of instructions. */

const OPERATORS = { "+": "ADD", "-": "SUB", "*": "MUL", "<": "LESS", "==": "SAME", "%": "MOD" };

class Compiler {
  code = [];
  functions = new Map();

  emit(op, argument) {
    return this.code.push([op, argument]) - 1;
  }

  /** Lets an earlier jump lead to the place that is compiled next. */
  land(jump) {
    this.code[jump][1] = this.code.length;
  }

  compile(node) {
    if (typeof node === "number") return this.emit("PUSH", node);
    if (typeof node === "string") return this.emit("LOAD", node);
    const [head, ...rest] = node;
    const form = this[`$${head}`];
    if (form) return form.apply(this, rest);
    rest.forEach((operand) => this.compile(operand));
    return Object.hasOwn(OPERATORS, head) ? this.emit(OPERATORS[head]) : this.emit("CALL", head);
  }

  $do(...statements) {
    statements.forEach((statement) => this.compile(statement));
  }

  $set(name, value) {
    this.compile(value);
    this.emit("STORE", name);
  }

  $print(value) {
    this.compile(value);
    this.emit("PRINT");
  }

  $if(condition, consequent, alternative = ["do"]) {
    this.compile(condition);
    const toAlternative = this.emit("JUMPZ");
    this.compile(consequent);
    const toEnd = this.emit("JUMP");
    this.land(toAlternative);
    this.compile(alternative);
    this.land(toEnd);
  }

  $while(condition, body) {
    const start = this.code.length;
    this.compile(condition);
    const toEnd = this.emit("JUMPZ");
    this.compile(body);
    this.emit("JUMP", start);
    this.land(toEnd);
  }

  $return(value) {
    this.compile(value);
    this.emit("RETURN");
  }

  $def(name, parameters, body) {
    const around = this.emit("JUMP");
    this.functions.set(name, { start: this.code.length, parameters });
    this.compile(body);
    this.compile(["return", 0]);
    this.land(around);
  }
}

exports.compile = function compile(program) {
  const compiler = new Compiler();
  compiler.compile(program);
  compiler.emit("HALT");
  return compiler;
};
