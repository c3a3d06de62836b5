/** A cache that forgets the entry that was not used for the longest time. */
class LruCache {
  #entries = new Map(); // oldest first
  #hits = 0;
  #misses = 0;

  constructor(capacity, { onEvict = () => {} } = {}) {
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new TypeError("capacity must be a positive integer");
    }
    this.capacity = capacity;
    this.onEvict = onEvict;
  }

  get(key) {
    if (!this.#entries.has(key)) {
      this.#misses += 1;
      return undefined;
    }
    this.#hits += 1;
    const value = this.#entries.get(key);
    this.#touch(key, value);
    return value;
  }

  set(key, value) {
    this.#touch(key, value);
    while (this.#entries.size > this.capacity) {
      const [oldest, dropped] = this.#entries.entries().next().value;
      this.#entries.delete(oldest);
      this.onEvict(oldest, dropped);
    }
    return this;
  }

  has(key) {
    return this.#entries.has(key);
  }

  resize(capacity) {
    if (capacity < 1) return this.resize(1);
    const kept = [...this.#entries].slice(-capacity);
    this.capacity = capacity;
    this.#entries = new Map(kept);
  }

  #touch(key, value) {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }

  get hitRate() {
    const asked = this.#hits + this.#misses;
    return asked === 0 ? 0 : this.#hits / asked;
  }

  /** The keys, the most recently used one first. */
  *[Symbol.iterator]() {
    yield* [...this.#entries.keys()].reverse();
  }
}

const joinKey = (...args) => args.join("|");

function memoize(compute, { size = 16, key = joinKey } = {}) {
  const cache = new LruCache(size);
  function remembered(...args) {
    const id = key(...args);
    if (cache.has(id)) return cache.get(id);
    cache.get(id); // counts the miss
    const value = compute.apply(this, args);
    cache.set(id, value);
    return value;
  }
  return Object.assign(remembered, { cache });
}

let computed = 0;

const gridKey = (rows, columns) => joinKey(Math.max(rows, columns), Math.min(rows, columns));

// How many ways lead through a grid of streets, going only right or down.
const countWays = memoize(
  (rows, columns) => {
    computed += 1;
    if (rows === 0 || columns === 0) return 1;
    return countWays(rows - 1, columns) + countWays(rows, columns - 1);
  },
  { size: 64, key: gridKey },
);

const pointsKey = (...points) => joinKey(...points.map(({ x, y }) => `${x},${y}`));
const distance = memoize((from, to) => Math.hypot(to.x - from.x, to.y - from.y), { key: pointsKey });

const evicted = [];
const pages = new LruCache(3, { onEvict: (key) => evicted.push(key) });
for (const name of ["home", "news", "shop"]) pages.set(name, name.length);
pages.get("home");
pages.set("help", 4).set("shop", 5);
console.log([...pages], "evicted", evicted);
console.log(pages.get("news"), pages.get("shop"), pages.hitRate.toFixed(2));

console.log("ways", countWays(6, 6), "computed", computed);
console.log("rate", countWays.cache.hitRate.toFixed(3));
const [p, q] = [{ x: 0, y: 3 }, { x: 4, y: 0 }];
console.log(distance(p, q), distance({ ...p }, q), distance(q, p), distance.cache.hitRate.toFixed(2));
try {
  new LruCache(0);
} catch (error) {
  console.log(error.message);
}
