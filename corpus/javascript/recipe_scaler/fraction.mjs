const gcd = (a, b) => (b === 0 ? Math.abs(a) : gcd(b, a % b));

/** An exact number, always in lowest terms with a positive denominator. */
export class Fraction {
  constructor(top, bottom = 1) {
    if (bottom === 0) throw new RangeError('zero below the line');
    const divisor = gcd(top, bottom) * Math.sign(bottom);
    this.top = top / divisor;
    this.bottom = bottom / divisor;
    Object.freeze(this);
  }

  /** Reads "3", "3/4" and "1 3/4". */
  static parse(text) {
    return text
      .split(' ')
      .map((part) => new Fraction(...part.split('/').map(Number)))
      .reduce((sum, part) => sum.plus(part));
  }

  plus(other) {
    return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
  }

  times(factor) {
    const other = Fraction.from(factor);
    return new Fraction(this.top * other.top, this.bottom * other.bottom);
  }

  over(divisor) {
    const other = Fraction.from(divisor);
    return this.times(new Fraction(other.bottom, other.top));
  }

  minus(other) {
    return this.plus(other.times(-1));
  }

  static from(value) {
    return value instanceof Fraction ? value : new Fraction(value);
  }

  compare(other) {
    return Math.sign(this.top * other.bottom - other.top * this.bottom);
  }

  toString() {
    const whole = Math.trunc(this.top / this.bottom);
    const rest = Math.abs(this.top % this.bottom);
    if (rest === 0) return String(whole);
    return whole === 0 ? `${this.top}/${this.bottom}` : `${whole} ${rest}/${this.bottom}`;
  }
}

export const ZERO = new Fraction(0);
