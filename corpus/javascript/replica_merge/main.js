"use strict";

// Values that several devices change on their own and merge later, in any order, with one result.

class Replicated {
  constructor(device) {
    this.device = device;
  }

  /** A copy for another device, which must not have one yet. */
  fork(device) {
    return this.constructor.restore(device, this.state);
  }

  static restore(device, state) {
    return Object.assign(new this(device), { state: structuredClone(state) });
  }

  equals(other) {
    return JSON.stringify(this.value) === JSON.stringify(other.value);
  }

  merge(other) {
    this.state = this.join(this.state, other.state);
    return this;
  }
}

const joinMaps = (one, other, join) => {
  const result = { ...one };
  for (const [key, value] of Object.entries(other)) {
    result[key] = Object.hasOwn(result, key) ? join(result[key], value) : value;
  }
  return result;
};

class Counter extends Replicated {
  state = { up: {}, down: {} };

  add(n) {
    const side = this.state[n >= 0 ? "up" : "down"];
    side[this.device] = (side[this.device] ?? 0) + Math.abs(n);
    return this;
  }

  join(one, other) {
    return { up: joinMaps(one.up, other.up, Math.max), down: joinMaps(one.down, other.down, Math.max) };
  }

  get value() {
    const total = (side) => Object.values(side).reduce((a, b) => a + b, 0);
    return total(this.state.up) - total(this.state.down);
  }
}

/** The latest writing wins; of two at the same time, the one of the greater device. */
class Register extends Replicated {
  state = { value: null, time: 0, by: "" };

  set(value, time) {
    return this.merge({ state: { value, time, by: this.device } });
  }

  join(one, other) {
    if (one.time !== other.time) return one.time > other.time ? one : other;
    return one.by >= other.by ? one : other;
  }

  get value() {
    return this.state.value;
  }
}

/** A set in which adding wins over removing at the same time: each adding has a tag of its own. */
class TagSet extends Replicated {
  state = { added: {}, removed: {} };
  #count = 0;

  add(item) {
    const tag = `${this.device}/${++this.#count}`;
    this.state.added[item] = { ...this.state.added[item], [tag]: true };
    return this;
  }

  remove(item) {
    Object.assign(this.state.removed, this.state.added[item]);
    return this;
  }

  has(item) {
    return Object.keys(this.state.added[item] ?? {}).some((tag) => !(tag in this.state.removed));
  }

  join(one, other) {
    const both = (a, b) => ({ ...a, ...b });
    return { added: joinMaps(one.added, other.added, both), removed: both(one.removed, other.removed) };
  }

  get value() {
    return Object.keys(this.state.added).filter((item) => this.has(item)).sort();
  }
}

/** An object whose fields are replicated values of their own kinds. */
class Document extends Replicated {
  constructor(device, kinds = { likes: Counter, title: Register, tags: TagSet }) {
    super(device);
    this.fields = Object.fromEntries(Object.entries(kinds).map(([name, Kind]) => [name, new Kind(device)]));
  }

  fork(device) {
    const copy = new Document(device, {});
    for (const [name, field] of Object.entries(this.fields)) copy.fields[name] = field.fork(device);
    return copy;
  }

  merge(other) {
    for (const [name, field] of Object.entries(this.fields)) {
      if (!(name in other.fields)) throw new TypeError(`the other document has no ${name}`);
      field.merge(other.fields[name]);
    }
    return this;
  }

  get value() {
    const values = Object.entries(this.fields).map(([name, { value }]) => [name, value]);
    return JSON.stringify(Object.fromEntries(values));
  }
}

/** Everybody hears from everybody once, in the given order. */
function gossip(...documents) {
  documents.forEach((one) => documents.filter((other) => other !== one).forEach((other) => one.merge(other)));
  return new Set(documents.map(({ value }) => value)).size === 1;
}

const phone = new Document("phone");
phone.fields.likes.add(2);
phone.fields.title.set("Trip", 1);
phone.fields.tags.add("sea").add("old");
const laptop = phone.fork("laptop");
const tablet = phone.fork("tablet");

phone.fields.likes.add(3);
phone.fields.tags.remove("sea").remove("old");
phone.fields.title.set("Our trip", 5);
laptop.fields.likes.add(-1).add(1);
laptop.fields.tags.add("sea").add("sun");
laptop.fields.title.set("Trip 2", 5);
tablet.fields.title.set("late", 4);
tablet.fields.likes.add(10);

console.log("phone ", phone.value);
console.log("laptop", laptop.value);
console.log("agreed", gossip(phone, laptop, tablet), phone.value);
console.log("again ", laptop.merge(phone).merge(tablet).value === phone.value);
tablet.fields.tags.remove("sea").remove("moon");
laptop.fields.title.set("too early", 3);
console.log("agreed", gossip(tablet, laptop), laptop.value);
console.log("behind", phone.fields.tags.has("sea"), laptop.fields.tags.has("sea"), phone.fields.likes.value);
