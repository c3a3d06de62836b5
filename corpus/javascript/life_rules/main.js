// Cellular automata on an endless plane. Rules are written as B3/S23: which numbers of living
// neighbours give birth, and which let a cell survive.

const keyOf = (x, y) => `${x},${y}`;
const placeOf = (key) => key.split(",").map(Number);

function parseRule(text) {
  const match = /^B([0-8]*)\/S([0-8]*)$/.exec(text);
  if (match === null) throw new SyntaxError(`no rule: ${text}`);
  const [births, survivals] = match.slice(1).map((digits) => new Set([...digits].map(Number)));
  if (births.has(0)) throw new RangeError("births without neighbours would fill the plane");
  return (alive, neighbours) => (alive ? survivals : births).has(neighbours);
}

function parsePattern(rows) {
  if (typeof rows === "string") return parseRuns(rows);
  const cells = new Set();
  rows.forEach((row, y) => {
    for (const [x, sign] of [...row].entries()) if (sign === "#") cells.add(keyOf(x, y));
  });
  return cells;
}

/** Reads the run-length form of patterns, such as "bo$2bo$3o!". */
function parseRuns(text) {
  const rows = text.split("!")[0].replace(/(\d+)(.)/g, (_, count, sign) => sign.repeat(Number(count)));
  return parsePattern(rows.replaceAll("o", "#").split("$"));
}

function* neighbours(key) {
  const [x, y] = placeOf(key);
  for (const dy of [-1, 0, 1]) {
    for (const dx of [-1, 0, 1]) {
      if (dx !== 0 || dy !== 0) yield keyOf(x + dx, y + dy);
    }
  }
}

function step(cells, lives) {
  const counts = new Map([...cells].map((key) => [key, 0]));
  for (const cell of cells) {
    for (const key of neighbours(cell)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const next = new Set();
  counts.forEach((count, key) => {
    if (lives(cells.has(key), count)) next.add(key);
  });
  return next;
}

function* generations(cells, rule) {
  const lives = parseRule(rule);
  for (let current = cells; ; current = step(current, lives)) yield current;
}

function bounds(cells) {
  const places = [...cells].map(placeOf);
  const [xs, ys] = [0, 1].map((axis) => places.map((place) => place[axis]));
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** The pattern moved to the corner of the plane, so that equal shapes give equal texts. */
function draw(cells) {
  if (cells.size === 0) return "(empty)";
  const { left, right, top, bottom } = bounds(cells);
  const lines = [];
  for (let y = top; y <= bottom; y++) {
    let line = "";
    for (let x = left; x <= right; x++) line += cells.has(keyOf(x, y)) ? "#" : ".";
    lines.push(line);
  }
  return lines.join("/");
}

/** Follows a pattern until its shape comes back, and tells what kind of life it is. */
function classify(cells, rule, limit = 60) {
  const seen = new Map();
  let time = 0;
  for (const current of generations(cells, rule)) {
    const shape = draw(current);
    const { left, top } = current.size ? bounds(current) : { left: 0, top: 0 };
    const before = seen.get(shape);
    if (before) {
      const period = time - before.time;
      const moved = left !== before.left || top !== before.top;
      if (current.size === 0) return `dies at ${before.time}`;
      if (moved) return `moves by ${left - before.left},${top - before.top} in ${period}`;
      return period === 1 ? `still from ${before.time}` : `repeats with period ${period}`;
    }
    if (time === limit) return `unknown after ${limit}`;
    seen.set(shape, { time, left, top });
    time += 1;
  }
}

const patterns = {
  blinker: ["###"],
  glider: [".#.", "..#", "###"],
  corner: ["##", "#."],
  pair: ["##"],
  pentomino: [".##", "##.", ".#."],
};

for (const [name, rows] of Object.entries(patterns)) {
  console.log(name, "-", classify(parsePattern(rows), "B3/S23", 30));
}
console.log("pair in seeds -", classify(parsePattern(patterns.pair), "B2/S", 6));
let shown = 0;
for (const cells of generations(parsePattern(patterns.glider), "B36/S23")) {
  console.log(shown, draw(cells), cells.size);
  if (++shown > 3) break;
}
try {
  classify(parsePattern(["#"]), "B03/S");
} catch (error) {
  console.log(error.message);
}
