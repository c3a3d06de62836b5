'use strict';

/** Sorting as people expect it: "file10" after "file9", accents and capitals of little weight. */

const identity = (value) => value;

const compareNumbers = (a, b) => a - b;
const compareTexts = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

const reverse = (compare) => (a, b) => compare(b, a);
const on = (key, compare = compareTexts) => (a, b) => compare(key(a), key(b));
const then = (...comparators) => (a, b) =>
  comparators.reduce((result, compare) => result || compare(a, b), 0);

const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** "img12b" becomes ["img", 12, "b"]. */
function chunks(text) {
  const parts = fold(text).match(/\d+|\D+/g) ?? [];
  return parts.map((part) => (/\d/.test(part) ? Number(part) : part));
}

function compareChunks(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a[i], b[i]];
    // Numbers come before words.
    if (typeof x !== typeof y) return typeof x === 'number' ? -1 : 1;
    const compare = typeof x === 'string' ? compareTexts : compareNumbers;
    const result = compare(x, y);
    if (result !== 0) return result;
  }
  return compareNumbers(a.length, b.length);
}

const natural = then(on(chunks, compareChunks), compareTexts);

/** Works out every key once, sorts, and throws the keys away. */
function sortBy(list, key = identity, compare = compareTexts) {
  return list
    .map((value, index) => ({ key: key(value), index, value }))
    .sort((a, b) => compare(a.key, b.key) || a.index - b.index)
    .map(({ value }) => value);
}

function mergeSort(list, compare) {
  if (list.length < 2) return list;
  const middle = list.length >> 1;
  const [left, right] = [list.slice(0, middle), list.slice(middle)].map((half) => mergeSort(half, compare));
  const merged = [];
  while (left.length > 0 && right.length > 0) {
    merged.push(compare(right[0], left[0]) < 0 ? right.shift() : left.shift());
  }
  return merged.concat(left, right);
}

function insertionPoint(sorted, value, compare) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(sorted[middle], value) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const insert = (sorted, value, compare) => sorted.splice(insertionPoint(sorted, value, compare), 0, value);

const withoutArticle = (title) => title.replace(/^(the|a|an) /i, '');

function versionParts(version) {
  if (!/^\d+(\.\d+)*$/.test(version)) throw new TypeError(`no version: ${version}`);
  return version.split('.').map(Number);
}

// Orders can be chosen by name, with a leading minus for the opposite.
const orders = {
  plain: compareTexts,
  natural,
  title: on((title) => fold(withoutArticle(title))),
  version: on(versionParts, compareChunks),
  length: on(({ length }) => length, compareNumbers),
};

function orderOf(spec) {
  const steps = spec.split(' ').map((name) => {
    const reversed = name.startsWith('-');
    const key = reversed ? name.slice(1) : name;
    if (!Object.hasOwn(orders, key)) throw new RangeError(`no order ${key}`);
    return reversed ? reverse(orders[key]) : orders[key];
  });
  return then(...steps);
}

const files = ['img12.png', 'img2.png', 'IMG2.png', 'img2', 'ímg1.png', '7.png', 'img02.png', 'notes'];
const titles = ['The Zoo', 'An Apple', 'zebra', 'A Élan', 'Theory'];

const sort = mergeSort; // the sort that is used below
console.log(sort(files, orderOf('natural')).join(' '));
console.log([...files].sort(orderOf('plain')).join(' '));
console.log(sort(titles, orderOf('title')).join(', '));
console.log(sort(['1.10', '1.9.3', '1.9', '0.12'], orderOf('-version')).join(' '));
console.log(sort(['pear', 'fig', 'plum', 'date'], orderOf('length -plain')).join(' '));

let keys = 0;
const counted = (text) => {
  keys += 1;
  return chunks(text);
};
console.log(sortBy(files, counted, compareChunks).slice(0, 4).join(' '), 'keys', keys);

const queue = [];
for (const name of ['b2', 'B2', 'a10', 'b1']) insert(queue, name, on(fold));
console.log(queue.join(' '));
try {
  orderOf('natural colour');
} catch ({ message }) {
  console.log(message);
}
