const relations = require('./units');

const identity = (x) => x;
const compose = (...steps) => steps.reduce((before, after) => (x) => after(before(x)), identity);
const scale = (factor) => (x) => x * factor;
const shift = (offset) => (x) => x + offset;

/** A graph whose nodes are units and whose edges are conversions in both directions. */
function buildGraph(rows) {
  const graph = new Map();
  const link = (from, to, convert) => {
    if (!graph.has(from)) graph.set(from, new Map());
    graph.get(from).set(to, convert);
  };
  for (const [from, to, factor, offset = 0] of rows) {
    link(from, to, compose(scale(factor), shift(offset)));
    link(to, from, compose(shift(-offset), scale(1 / factor)));
  }
  return graph;
}

function findPath(graph, start, goal) {
  const cameFrom = new Map([[start, null]]);
  const queue = [start];
  while (queue.length > 0) {
    const unit = queue.shift();
    if (unit === goal) return unwind(cameFrom, goal);
    for (const next of graph.get(unit)?.keys() ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, unit);
      queue.push(next);
    }
  }
  return null;
}

function unwind(cameFrom, unit) {
  const previous = cameFrom.get(unit);
  return previous === null ? [unit] : [...unwind(cameFrom, previous), unit];
}

/** `converter(graph)(from)(to)` is a function of numbers; converters are made once. */
const converter = (graph) => (from) => {
  const made = new Map();
  return (to) => {
    if (!made.has(to)) made.set(to, makeConverter(graph, from, to));
    return made.get(to);
  };
};

function makeConverter(graph, from, to) {
  const path = findPath(graph, from, to);
  if (path === null) throw new TypeError(`cannot convert ${from} to ${to}`);
  const steps = path.slice(1).map((unit, i) => graph.get(path[i]).get(unit));
  return compose(...steps);
}

function roundTo(digits, value) {
  const power = 10 ** digits;
  return Math.round(value * power) / power;
}

/** A time as hours, minutes and seconds, as on a clock. */
function clock(convert, amount, unit) {
  const seconds = Math.round(convert(unit)('second')(amount));
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}

function plural(count, unit) {
  const irregular = { foot: 'feet', inch: 'inches', celsius: 'celsius', fahrenheit: 'fahrenheit' };
  if (count === 1 || unit.length <= 2) return unit;
  return irregular[unit] ?? `${unit}s`;
}

/** Answers a question such as "3 mile in km". */
function answer(convert, question) {
  const match = /^(-?\d+(?:\.\d+)?) (\w+) in (\w+)$/.exec(question);
  if (match === null) return `? ${question}`;
  const [, amount, from, to] = match;
  if (to === 'clock') return clock(convert, Number(amount), from);
  const result = roundTo(4, convert(from)(to)(Number(amount)));
  return `${amount} ${plural(Number(amount), from)} = ${result} ${plural(result, to)}`;
}

function dimensions(graph) {
  const seen = new Set();
  const groups = [];
  for (const unit of graph.keys()) {
    if (seen.has(unit)) continue;
    const group = [...graph.keys()].filter((other) => findPath(graph, unit, other));
    group.forEach((other) => seen.add(other));
    groups.push(group);
  }
  return groups;
}

const graph = buildGraph(relations);
const convert = converter(graph);

['3 mile in km', '1 foot in cm', '100 celsius in fahrenheit', '0 fahrenheit in kelvin', '2.5 hour in second']
  .map((question) => answer(convert, question))
  .forEach((line) => console.log(line));
console.log(answer(convert, '8 ounce in kg'));
console.log(findPath(graph, 'mile', 'km').join(' > '));
console.log(dimensions(graph).map((group) => group.length).join(' '));
try {
  answer(convert, '1 mile in pound');
} catch ({ name, message }) {
  console.log(`${name}: ${message}`);
}
