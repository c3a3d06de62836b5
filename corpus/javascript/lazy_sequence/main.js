"use strict";

/** Sequences that work out only the members somebody asks for. */
class Seq {
  constructor(generate) {
    this[Symbol.iterator] = generate;
  }

  static from = (iterable) => new Seq(() => iterable[Symbol.iterator]());

  static iterate(start, next) {
    return new Seq(function* () {
      for (let value = start; ; value = next(value)) yield value;
    });
  }

  static range(start = 0, end = Infinity, step = 1) {
    return Seq.iterate(start, (n) => n + step).takeWhile((n) => (step > 0 ? n < end : n > end));
  }

  map(change) {
    const source = this;
    return new Seq(function* () {
      let index = 0;
      for (const value of source) yield change(value, index++);
    });
  }

  filter(test) {
    const source = this;
    return new Seq(function* () {
      for (const value of source) if (test(value)) yield value;
    });
  }

  takeWhile(test) {
    const source = this;
    return new Seq(function* () {
      for (const value of source) {
        if (!test(value)) return;
        yield value;
      }
    });
  }

  take(count) {
    const source = this;
    return new Seq(function* () {
      if (count <= 0) return;
      let left = count;
      for (const value of source) {
        yield value;
        if (--left === 0) return;
      }
    });
  }

  zip(other, combine = (a, b) => [a, b]) {
    const source = this;
    return new Seq(function* () {
      const partner = other[Symbol.iterator]();
      for (const value of source) {
        const { done, value: match } = partner.next();
        if (done) return;
        yield combine(value, match);
      }
    });
  }

  /** Members are worked out once, however often the sequence is read; some may be given. */
  memo(...known) {
    const rest = this[Symbol.iterator]();
    return new Seq(function* () {
      for (let i = 0; ; i++) {
        if (i === known.length) {
          const { done, value } = rest.next();
          if (done) return;
          known.push(value);
        }
        yield known[i];
      }
    });
  }

  chunkBy(key) {
    const source = this;
    return new Seq(function* () {
      let chunk = [];
      for (const value of source) {
        if (chunk.length > 0 && key(value) !== key(chunk[0])) {
          yield chunk;
          chunk = [];
        }
        chunk.push(value);
      }
      if (chunk.length > 0) yield chunk;
    });
  }

  first(test = () => true) {
    for (const value of this) if (test(value)) return value;
    return undefined;
  }

  reduce(combine, start) {
    let result = start;
    for (const value of this) result = combine(result, value);
    return result;
  }

  toString() {
    return [...this].join(" ");
  }
}

let divisions = 0;

const divides = (divisor, n) => {
  divisions += 1;
  return n % divisor === 0;
};

// Candidates are divided by the primes that are known already.
const primes = Seq.range(3, Infinity, 2)
  .filter((n) => primes.takeWhile((p) => p * p <= n).first((p) => divides(p, n)) === undefined)
  .memo(2);

const halveOrGrow = (n) => (n % 2 === 0 ? n / 2 : 3 * n + 1);
const collatz = (start) => Seq.iterate(start, halveOrGrow).takeWhile((n) => n !== 1);
const fibonacci = Seq.iterate([0, 1], ([a, b]) => [b, a + b]).map(([a]) => a);
const length = (sequence) => sequence.reduce((count) => count + 1, 0);

console.log(`${primes.take(12)}`, divisions);
console.log(primes.first((p) => p > 100), divisions, primes.first((p) => p > 50), divisions);
console.log(`${fibonacci.filter((n) => n % 2 === 0).take(8)}`);
console.log(`${collatz(6)}`, length(collatz(27)));
console.log([...Seq.from("abc").zip(Seq.range(1), (letter, n) => letter.repeat(n))].join());
console.log([...Seq.from([1, 1, 3, 2, 4, 5]).chunkBy((n) => n % 2)].map((chunk) => chunk.join("")).join("|"));
const pair = fibonacci.take(3);
console.log(`${pair} ${pair}`, `${Seq.range(10, 0, -4)}`, Seq.range(5, 5).first());
