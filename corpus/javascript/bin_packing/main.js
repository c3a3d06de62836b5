"use strict";

class Bin {
  items = [];

  constructor(capacity) {
    this.capacity = capacity;
  }

  get used() {
    return this.items.reduce((sum, { size }) => sum + size, 0);
  }

  get free() {
    return this.capacity - this.used;
  }

  add(item) {
    this.items.push(item);
    return this;
  }

  fits({ size }) {
    return size <= this.free;
  }
}

function minBy(list, measure) {
  const lower = (best, entry) => (measure(entry) < measure(best) ? entry : best);
  return list.reduce(lower, list[0]);
}

/** How a bin is chosen among those that are open; undefined asks for a new one. */
const choosers = {
  next: (bins, item) => bins.slice(-1).find((bin) => bin.fits(item)),
  first: (bins, item) => bins.find((bin) => bin.fits(item)),
  best(bins, item) {
    return minBy(bins.filter((bin) => bin.fits(item)), (bin) => bin.free);
  },
  worst(bins, item) {
    return minBy(bins.filter((bin) => bin.fits(item)), (bin) => -bin.free);
  },
};

const bySizeDown = (a, b) => b.size - a.size || a.name.localeCompare(b.name);

function pack(items, capacity, { choose = "first", sorted = false } = {}) {
  const tooBig = items.find(({ size }) => size > capacity);
  if (tooBig) throw new RangeError(`${tooBig.name} (${tooBig.size}) exceeds ${capacity}`);
  if (!Object.hasOwn(choosers, choose)) throw new TypeError(`no chooser ${choose}`);
  const bins = [];
  for (const item of sorted ? [...items].sort(bySizeDown) : items) {
    let bin = choosers[choose](bins, item);
    if (!bin) bins.push((bin = new Bin(capacity)));
    bin.add(item);
  }
  return bins;
}

function lowerBound(items, capacity) {
  const total = items.reduce((sum, { size }) => sum + size, 0);
  const large = items.filter(({ size }) => size * 2 > capacity).length;
  return Math.max(Math.ceil(total / capacity), large);
}

/** The fewest bins, by branch and bound; empty bins are alike, so only one of them is tried. */
function packExactly(items, capacity) {
  const order = [...items].sort(bySizeDown);
  let best = pack(items, capacity, { sorted: true });
  if (items.length > 24) return best; // trying all ways would take too long
  const goal = lowerBound(items, capacity);
  const place = (index, bins) => {
    if (best.length === goal || bins.length >= best.length) return;
    if (index === order.length) {
      best = bins.map((bin) => bin.items.reduce((copy, item) => copy.add(item), new Bin(capacity)));
      return;
    }
    for (const bin of bins.filter((candidate) => candidate.fits(order[index]))) {
      bin.add(order[index]);
      place(index + 1, bins);
      bin.items.pop();
    }
    place(index + 1, [...bins, new Bin(capacity).add(order[index])]);
  };
  place(0, []);
  return best;
}

function showBins(bins) {
  return bins.map((bin) => `[${bin.items.map(({ name }) => name).join("")}:${bin.free}]`).join(" ");
}

function fillRate(bins) {
  const room = bins.reduce((sum, bin) => sum + bin.capacity, 0);
  const used = bins.reduce((sum, bin) => sum + bin.used, 0);
  return room === 0 ? "-" : `${Math.round((100 * used) / room)}%`;
}

const parcels = [4, 8, 1, 4, 2, 1, 7, 3, 6, 4].map((size, i) => ({ name: "abcdefghij"[i], size }));

for (const choose of ["next", "first", "best"]) {
  const bins = pack(parcels, 10, { choose });
  console.log(choose.padEnd(6), bins.length, showBins(bins), fillRate(bins));
}
console.log("sorted", showBins(pack(parcels, 10, { sorted: true })));

const awkward = [6, 4, 2, 7, 4, 3, 2].map((size, i) => ({ name: "tuvwxyz"[i], size }));
console.log("greedy", showBins(pack(awkward, 14, { sorted: true })), "bound", lowerBound(awkward, 14));
console.log("exact ", showBins(packExactly(awkward, 14)), fillRate(packExactly([], 15)));
try {
  pack([{ name: "piano", size: 11 }], 10);
} catch ({ message }) {
  console.log(message);
}
