import { Num, num, sum, product, power } from './nodes.mjs';

export class Derivative {
  constructor(name) {
    this.name = name;
  }

  number() {
    return num(0);
  }

  variable({ name }) {
    return num(name === this.name ? 1 : 0);
  }

  sum({ left, right }) {
    return sum(left.accept(this), right.accept(this));
  }

  product({ left, right }) {
    return sum(product(left.accept(this), right), product(left, right.accept(this)));
  }

  power({ base, exponent }) {
    return product(exponent, power(base, exponent - 1), base.accept(this));
  }
}

const isNumber = (node, value) => node instanceof Num && (value === undefined || node.value === value);

export const simplifier = {
  number: (node) => node,
  variable: (node) => node,
  sum(node) {
    const [left, right] = [node.left, node.right].map((part) => part.accept(this));
    if (isNumber(left) && isNumber(right)) return num(left.value + right.value);
    if (isNumber(left, 0)) return right;
    if (isNumber(right, 0)) return left;
    return sum(left, right);
  },
  product(node) {
    const [left, right] = [node.left, node.right].map((part) => part.accept(this));
    if (isNumber(left) && isNumber(right)) return num(left.value * right.value);
    if (isNumber(left, 0) || isNumber(right, 0)) return num(0);
    if (isNumber(left, 1)) return right;
    if (isNumber(right, 1)) return left;
    // Numbers go to the front, so that they can be multiplied there.
    if (isNumber(right)) return product(right, left).accept(this);
    if (isNumber(left) && right.kind === 'product' && isNumber(right.left)) {
      return product(left.value * right.left.value, right.right).accept(this);
    }
    return product(left, right);
  },
  power(node) {
    const base = node.base.accept(this);
    if (node.exponent === 0) return num(1);
    if (node.exponent === 1) return base;
    return isNumber(base) ? num(base.value ** node.exponent) : power(base, node.exponent);
  },
};

const LEVELS = { sum: 1, product: 2, power: 3, variable: 4, number: 4 };

export const printer = {
  inside(node, level) {
    const text = node.accept(this);
    return LEVELS[node.kind] < level ? `(${text})` : text;
  },
  number: ({ value }) => (value < 0 ? `(${value})` : String(value)),
  variable: ({ name }) => name,
  sum: ({ left, right }) => `${left.accept(printer)} + ${right.accept(printer)}`,
  product({ left, right }) {
    return `${this.inside(left, 2)}*${this.inside(right, 2)}`;
  },
  power({ base, exponent }) {
    return `${this.inside(base, 4)}^${exponent}`;
  },
};

export const evaluator = (values) => ({
  number: ({ value }) => value,
  variable: ({ name }) => values[name] ?? NaN,
  sum(node) {
    return node.left.accept(this) + node.right.accept(this);
  },
  product(node) {
    return node.left.accept(this) * node.right.accept(this);
  },
  power(node) {
    return node.base.accept(this) ** node.exponent;
  },
});
