"use strict";

class CellError extends Error {
  constructor(code, cell) {
    super(`${code} at ${cell}`);
    this.code = code;
  }
}

function columnNumber(letters) {
  return [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0);
}

function columnName(number) {
  if (number === 0) return "";
  const last = (number - 1) % 26;
  return columnName((number - 1 - last) / 26) + String.fromCharCode(65 + last);
}

/** All cells of a range such as A1:B3, row by row. */
function* expandRange(from, to) {
  const [[, left, top], [, right, bottom]] = [from, to].map((cell) => /^([A-Z]+)(\d+)$/.exec(cell));
  for (let row = Number(top); row <= Number(bottom); row++) {
    for (let column = columnNumber(left); column <= columnNumber(right); column++) {
      yield columnName(column) + row;
    }
  }
}

const aggregates = {
  SUM: (values) => values.reduce((a, b) => a + b, 0),
  COUNT: (values) => values.length,
  MAX: (values) => Math.max(...values),
  AVERAGE: (values) => aggregates.SUM(values) / aggregates.COUNT(values),
};

class Sheet {
  constructor() {
    this.sources = new Map();
    this.values = new Map();
    this.active = []; // cells that are being worked out, outermost first
  }

  set(cell, source) {
    this.sources.set(cell, source);
    this.values.clear();
    return this;
  }

  value(cell) {
    if (this.values.has(cell)) return this.values.get(cell);
    if (this.active.includes(cell)) throw new CellError("#CYCLE", cell);
    this.active.push(cell);
    try {
      const value = this.evaluate(this.sources.get(cell) ?? "", cell);
      this.values.set(cell, value);
      return value;
    } finally {
      this.active.pop();
    }
  }

  evaluate(source, cell) {
    if (!source.startsWith("=")) {
      return source.trim() === "" || Number.isNaN(Number(source)) ? source : Number(source);
    }
    const terms = source.slice(1).match(/[A-Z]+\([^)]*\)|[A-Z]+\d+|[\d.]+|\S/g) ?? [];
    return this.sum(terms, cell);
  }

  sum(terms, cell) {
    let total = this.product(terms, cell);
    while (terms[0] === "+" || terms[0] === "-") {
      const sign = terms.shift() === "+" ? 1 : -1;
      total += sign * this.product(terms, cell);
    }
    if (terms.length > 0) throw new CellError("#SYNTAX", cell);
    return total;
  }

  product(terms, cell) {
    let result = this.operand(terms, cell);
    while (terms[0] === "*" || terms[0] === "/") {
      const divides = terms.shift() === "/";
      const factor = this.operand(terms, cell);
      if (divides && factor === 0) throw new CellError("#DIV/0", cell);
      result = divides ? result / factor : result * factor;
    }
    return result;
  }

  operand(terms, cell) {
    const term = terms.shift() ?? "";
    const call = /^([A-Z]+)\(([A-Z]+\d+):([A-Z]+\d+)\)$/.exec(term);
    if (call) return this.aggregate(call, cell);
    if (!/^([A-Z]+\d+|\d+(\.\d+)?)$/.test(term)) throw new CellError("#SYNTAX", cell);
    const value = /^\d/.test(term) ? Number(term) : this.value(term);
    if (value === "") return 0;
    if (typeof value !== "number") throw new CellError("#VALUE", cell);
    return value;
  }

  aggregate([, name, from, to], cell) {
    if (!Object.hasOwn(aggregates, name)) throw new CellError("#NAME", cell);
    const values = [...expandRange(from, to)].map((member) => this.value(member));
    return aggregates[name](values.filter((value) => typeof value === "number"));
  }

  /** What is shown: the value, or the code of an error. */
  show(cell) {
    try {
      return String(this.value(cell));
    } catch (error) {
      if (error instanceof CellError) return error.code;
      throw error;
    }
  }
}

/** The whole sheet as one line. */
function dump(sheet) {
  return [...sheet.sources.keys()].map((cell) => `${cell}=${sheet.show(cell)}`).join(";");
}

const sheet = new Sheet();
const rows = [
  ["Tea", "4", "2.5", "=B1*C1"],
  ["Jam", "3", "4", "=B2*C2-1"],
  ["", "", "=SUM(D1:D2)", "=C3/COUNT(B1:B3)"],
  ["=A1+1", "=B5", "=9/A9", "=NET(A1:A2)"],
];
rows.forEach((row, y) => row.forEach((source, x) => sheet.set(columnName(x + 1) + (y + 1), source)));
sheet.set("B5", "=A5+B4").set("Z9", "=MAX(B1:D2)").set("AA1", "=Z9 - C3 / 2 * 2");

["D1", "D2", "C3", "D3", "A4", "B4", "C4", "D4", "Z9", "AA1"].forEach((cell) => {
  console.log(cell, sheet.show(cell));
});
sheet.set("B1", "40");
console.log(sheet.show("Z9"), sheet.show("D3"), JSON.stringify(sheet.show("Q7")));
console.log([...expandRange("Y1", "AB1")].join());
console.log(dump(new Sheet().set("A1", "7").set("A2", "=A3*").set("A1", "six")));
