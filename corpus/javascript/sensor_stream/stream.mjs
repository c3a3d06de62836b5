/** A stream of values that arrive over time; every stage is an async generator. */
export class Stream {
  #source;

  constructor(source) {
    this.#source = source;
  }

  /** A stream that is fed from outside, with `push` and `end`. */
  static manual() {
    const waiting = [];
    const values = [];
    let ended = false;
    const next = () => new Promise((resolve) => waiting.push(resolve));
    const deliver = () => waiting.splice(0).forEach((resolve) => resolve());
    async function* source() {
      for (;;) {
        while (values.length > 0) yield values.shift();
        if (ended) return;
        await next();
      }
    }
    return {
      stream: new Stream(source()),
      push(value) {
        values.push(value);
        deliver();
      },
      end() {
        ended = true;
        deliver();
      },
    };
  }

  [Symbol.asyncIterator]() {
    return this.#source[Symbol.asyncIterator]?.() ?? this.#source[Symbol.iterator]();
  }

  pipe(stage, ...options) {
    return new Stream(stage(this, ...options));
  }

  map(change) {
    return this.pipe(async function* (values) {
      for await (const value of values) yield change(value);
    });
  }

  filter(test) {
    return this.pipe(async function* (values) {
      for await (const value of values) if (await test(value)) yield value;
    });
  }

  /** Lists of `size` values; the last one may be shorter. */
  batch(size) {
    return this.pipe(async function* (values) {
      let batch = [];
      for await (const value of values) {
        batch.push(value);
        if (batch.length === size) {
          yield batch;
          batch = [];
        }
      }
      if (batch.length > 0) yield batch;
    });
  }

  take(count) {
    return this.pipe(async function* (values) {
      if (count <= 0) return;
      let left = count;
      for await (const value of values) {
        yield value;
        if (--left === 0) return;
      }
    });
  }

  async reduce(combine, start) {
    let result = start;
    for await (const value of this) result = combine(result, value);
    return result;
  }

  toArray() {
    return this.reduce((list, value) => [...list, value], []);
  }
}
