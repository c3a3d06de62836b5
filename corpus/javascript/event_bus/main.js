"use strict";

// Topics are words with dots between them: "order.paid". In a pattern, "*" stands for
// exactly one word and "#", as the last word, for any number of words, also for none.

function compilePattern(pattern) {
  const words = pattern.split(".");
  if (words.includes("")) throw new SyntaxError(`empty word in "${pattern}"`);
  const open = words.at(-1) === "#";
  if (open) words.pop();
  return (topic) => {
    const parts = topic.split(".");
    if (open ? parts.length < words.length : parts.length !== words.length) return false;
    return words.every((word, i) => word === "*" || word === parts[i]);
  };
}

class EventBus {
  #listeners = [];
  #depth = 0;

  constructor({ maxDepth = 3 } = {}) {
    this.maxDepth = maxDepth;
    this.emit = this.emit.bind(this); // may be handed on as a plain function
  }

  /** Adds a listener; what it returns removes the listener again. */
  on(pattern, handler, { priority = 0 } = {}) {
    if (typeof handler !== "function") throw new TypeError(`no handler for ${pattern}`);
    const listener = { matches: compilePattern(pattern), handler, priority };
    const later = this.#listeners.findIndex((other) => other.priority < priority);
    this.#listeners.splice(later < 0 ? this.#listeners.length : later, 0, listener);
    return () => this.#remove(listener);
  }

  once(pattern, handler, options) {
    const off = this.on(
      pattern,
      (...args) => {
        // A running emission may still hold a listener that is gone.
        return off() ? handler(...args) : undefined;
      },
      options,
    );
    return off;
  }

  #remove(listener) {
    const index = this.#listeners.indexOf(listener);
    if (index >= 0) this.#listeners.splice(index, 1);
    return index >= 0;
  }

  /** @returns {number} how many listeners took the event */
  emit(topic, payload) {
    if (this.#depth >= this.maxDepth) throw new RangeError(`too deep at ${topic}`);
    this.#depth++;
    try {
      let taken = 0;
      for (const { matches, handler } of [...this.#listeners]) {
        if (!matches(topic)) continue;
        taken++;
        if (handler(payload, topic) === EventBus.STOP) break;
      }
      return taken;
    } finally {
      this.#depth--;
    }
  }

  get size() {
    return this.#listeners.length;
  }

  clear() {
    this.#listeners.length = 0;
  }

  static STOP = Symbol("stop");
}

class Stock {
  levels = { tea: 2 };

  constructor(bus) {
    this.bus = bus;
    bus.on("order.*", this.reserve.bind(this));
  }

  reserve({ item }) {
    this.levels[item] = (this.levels[item] ?? 0) - 1;
    if (this.levels[item] < 0) this.bus.emit(`stock.${item}.short`, { item, by: -this.levels[item] });
  }
}

const bus = new EventBus();
const stock = new Stock(bus);
const log = (label) => (payload, topic) => console.log(`${label}: ${topic} ${JSON.stringify(payload)}`);

bus.on("stock.#", log("buyer"));
bus.once("order.placed", log("first order"));
const stopAudit = bus.on("#", log("audit"), { priority: 5 });
bus.on("order.blocked", () => EventBus.STOP, { priority: 1 });

console.log("taken", bus.emit("order.placed", { item: "tea" }));
console.log("removed", stopAudit(), stopAudit());
const { emit } = bus;
const items = ["tea", "tea", "cup"];
console.log("taken", items.map((item) => emit("order.placed", { item })));
console.log("taken", emit("order.blocked", { item: "pot" }), "of", bus.size);
bus.on("loop", () => emit("loop"));
try {
  emit("loop");
} catch (error) {
  console.log(error.message);
}
console.log(stock.levels, emit("stock", null));
