"use strict";

/** A binary heap; `before(a, b)` tells whether a must leave before b. */
module.exports = class Heap {
  #items = [];

  constructor(before) {
    this.before = before;
  }

  get size() {
    return this.#items.length;
  }

  peek() {
    return this.#items[0];
  }

  push(item) {
    let at = this.#items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.before(item, this.#items[parent])) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop() {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (this.#items.length === 0) return top;
    this.#items[0] = last;
    this.#sink(0);
    return top;
  }

  #sink(at) {
    for (;;) {
      let first = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.size && this.before(this.#items[child], this.#items[first])) first = child;
      }
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #swap(i, j) {
    [this.#items[i], this.#items[j]] = [this.#items[j], this.#items[i]];
  }
};
