"use strict";

class ShapeError extends RangeError {
  constructor(left, right) {
    super(`${left.shape} does not fit ${right.shape}`);
  }
}

class Matrix {
  #rows;

  constructor(rows) {
    this.#rows = rows.map((row) => Float64Array.from(row));
    Object.freeze(this);
  }

  static generate(height, width, cell) {
    const row = (_, y) => Array.from({ length: width }, (_, x) => cell(y, x));
    return new Matrix(Array.from({ length: height }, row));
  }

  static identity(size) {
    return Matrix.generate(size, size, (y, x) => Number(y === x));
  }

  static parse(text) {
    return new Matrix(text.split(";").map((row) => row.trim().split(/\s+/).map(Number)));
  }

  get height() {
    return this.#rows.length;
  }

  get width() {
    return this.#rows[0].length;
  }

  get shape() {
    return `${this.height}x${this.width}`;
  }

  at(y, x) {
    return this.#rows[y][x];
  }

  map(change) {
    return Matrix.generate(this.height, this.width, (y, x) => change(this.at(y, x), y, x));
  }

  plus(other) {
    if (this.shape !== other.shape) throw new ShapeError(this, other);
    return this.map((value, y, x) => value + other.at(y, x));
  }

  times(other) {
    if (typeof other === "number") return this.map((value) => value * other);
    if (this.width !== other.height) throw new ShapeError(this, other);
    return Matrix.generate(this.height, other.width, (y, x) => {
      let sum = 0;
      for (let k = 0; k < this.width; k++) sum += this.at(y, k) * other.at(k, x);
      return sum;
    });
  }

  power(exponent) {
    if (exponent === 0) return Matrix.identity(this.height);
    const half = this.power(exponent >> 1);
    const square = half.times(half);
    return exponent & 1 ? square.times(this) : square;
  }

  get trace() {
    return this.#rows.reduce((sum, row, i) => sum + row[i], 0);
  }

  get transposed() {
    return Matrix.generate(this.width, this.height, (y, x) => this.at(x, y));
  }

  /** The matrix without one row and one column. */
  minor(row, column) {
    const skip = (index, left) => (index < left ? index : index + 1);
    return Matrix.generate(this.height - 1, this.width - 1, (y, x) => this.at(skip(y, row), skip(x, column)));
  }

  get determinant() {
    if (this.height !== this.width) throw new ShapeError(this, this.transposed);
    if (this.height === 1) return this.at(0, 0);
    return this.#rows[0].reduce((sum, value, x) => {
      if (value === 0) return sum;
      const sign = x % 2 === 0 ? 1 : -1;
      return sum + sign * value * this.minor(0, x).determinant;
    }, 0);
  }

  *[Symbol.iterator]() {
    for (const row of this.#rows) yield* row;
  }

  toString() {
    return this.#rows.map((row) => row.join(" ")).join("; ");
  }
}

const show = (label, value) => console.log(`${label} = ${value}`);

const a = Matrix.parse("1 2; 3 4");
const b = Matrix.parse("0 1 2; -1 0 1");
show("a*b", a.times(b));
show("a*2+i", a.times(2).plus(Matrix.identity(2)));
show("fibonacci 30", Matrix.parse("1 1; 1 0").power(30).at(0, 1));
show("b turned", b.transposed);
show("det", Matrix.parse("2 0 1 3; 1 1 0 2; 0 3 1 1; 1 0 0 2").determinant);
show("largest", Math.max(...a.times(b)));
try {
  show("b*b", b.times(b));
} catch (error) {
  if (!(error instanceof ShapeError)) throw error;
  show("b*b", error.message);
}
