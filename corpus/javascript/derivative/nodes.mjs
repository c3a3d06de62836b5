/** Nodes of formulas; each accepts a visitor. */

class Node {
  accept(visitor) {
    return visitor[this.kind](this);
  }
}

export class Num extends Node {
  kind = 'number';

  constructor(value) {
    super();
    this.value = value;
  }
}

export class Var extends Node {
  kind = 'variable';

  constructor(name) {
    super();
    this.name = name;
  }
}

class Binary extends Node {
  constructor(left, right) {
    super();
    this.left = left;
    this.right = right;
  }
}

export class Sum extends Binary {
  kind = 'sum';
}

export class Product extends Binary {
  kind = 'product';
}

/** A power with a constant exponent. */
export class Power extends Node {
  kind = 'power';

  constructor(base, exponent) {
    super();
    this.base = base;
    this.exponent = exponent;
  }
}

const lift = (value) => (typeof value === 'number' ? new Num(value) : value);

export const num = (value) => new Num(value);
export const sum = (...terms) => terms.map(lift).reduce((a, b) => new Sum(a, b));
export const product = (...factors) => factors.map(lift).reduce((a, b) => new Product(a, b));
export const negative = (node) => product(-1, node);
export const power = (base, exponent) => new Power(lift(base), exponent);
