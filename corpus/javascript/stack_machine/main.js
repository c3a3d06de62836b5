const { compile } = require("./compiler");
const { Machine } = require("./machine");

const recur = ["return", ["gcd", "b", ["%", "a", "b"]]];
const gcd = ["def", "gcd", ["a", "b"], ["if", ["==", "b", 0], ["return", "a"], recur]];
const triple = ["do", ["print", "n"], ["set", "n", ["*", "n", 3]]];
const programs = {
  loop: ["do", ["set", "n", 1], ["while", ["<", "n", 50], triple]],
  gcd: ["do", gcd, ["print", ["gcd", 84, 36]], ["print", ["+", 1, ["gcd", 5, ["+", 5, 5]]]]],
  nothing: ["do", ["def", "idle", [], ["do"]], ["print", ["idle"]]],
  endless: ["while", 1, ["set", "x", 0]],
  unknown: ["print", "z"],
};

function listing({ code }) {
  return code.map(([op, argument], i) => `${i} ${op} ${argument ?? ""}`.trimEnd()).join("; ");
}

console.log(listing(compile(["if", ["<", "x", 2], ["print", "x"]])));
for (const [name, program] of Object.entries(programs)) {
  const machine = new Machine(compile(program), { budget: 500 });
  try {
    console.log(name, machine.run().join(" "), `(${machine.steps} steps)`);
  } catch ({ message }) {
    console.log(name, "fails:", message);
  }
}
