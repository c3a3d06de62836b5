"use strict";

// Values that know who depends on them. Reading a signal inside of a computed value or an
// effect makes the reader depend on it.

const readers = []; // whoever is being worked out right now, innermost last
let batchDepth = 0;
const queued = new Set();

function track(node) {
  const reader = readers.at(-1);
  if (!reader) return;
  node.readers.add(reader);
  reader.sources.add(node);
}

function observe(reader, work) {
  for (const source of reader.sources) source.readers.delete(reader);
  reader.sources.clear();
  readers.push(reader);
  try {
    return work();
  } finally {
    readers.pop();
  }
}

function invalidate(node) {
  for (const reader of [...node.readers]) {
    if (reader.run) queued.add(reader);
    else if (!reader.stale) {
      reader.stale = true;
      invalidate(reader);
    }
  }
}

function flush() {
  if (batchDepth > 0) return;
  for (const effect of queued) {
    queued.delete(effect);
    effect.run();
  }
}

function signal(value, { equals = Object.is } = {}) {
  const node = { readers: new Set() };
  const read = () => {
    track(node);
    return value;
  };
  const write = (next) => {
    const fresh = typeof next === "function" ? untracked(() => next(value)) : next;
    if (equals(value, fresh)) return;
    value = fresh;
    invalidate(node);
    flush();
  };
  return [read, write];
}

function computed(work) {
  const node = { readers: new Set(), sources: new Set(), stale: true, value: undefined };
  return () => {
    track(node);
    if (node.stale) {
      if (readers.includes(node)) throw new Error("a value depends on itself");
      node.value = observe(node, work);
      node.stale = false;
    }
    return node.value;
  };
}

function effect(work) {
  if (typeof work !== "function") throw new TypeError("an effect must be a function");
  const node = { sources: new Set(), run: () => observe(node, work) };
  node.run();
  return function stop() {
    for (const source of node.sources) source.readers.delete(node);
    queued.delete(node);
  };
}

function batch(work) {
  batchDepth += 1;
  try {
    work();
  } finally {
    batchDepth -= 1;
    flush();
  }
}

/** Reads without becoming dependent. */
function untracked(work) {
  readers.push(null);
  try {
    return work();
  } finally {
    readers.pop();
  }
}

const [price, setPrice] = signal(20);
const [count, setCount] = signal(2);
const [member, setMember] = signal(false);
const runs = { total: 0 };

const total = computed(() => {
  runs.total += 1;
  return price() * count();
});
const discount = computed(() => (member() ? total() * 0.1 : 0));
const due = computed(() => total() - discount());

const size = computed(() => (price() * count() > 1000 ? "large" : "bulk"));

const stopLabel = effect(() => {
  const label = count() >= 10 ? size() : `${count()} pieces`;
  console.log(`${label}: ${due()}`);
});

setCount(3);
setCount((n) => n);
batch(() => {
  setPrice(10);
  setCount(5);
  setMember(true);
});
console.log("worked out", runs.total, "times");
stopLabel();
setPrice(12);
console.log("silent", due(), runs.total);
setMember(false);
console.log(discount(), due(), runs.total);
const [names, setNames] = signal(["ann"], { equals: (a, b) => a.join() === b.join() });
effect(() => console.log("names", names().join("+")));
setNames(["ann"]);
setNames((list) => [...list, "bo"]);
