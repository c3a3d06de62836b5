// The orders in which answers are listed. Each is computed once, because filtering keeps an order.

const WORST = "worst",
  ASKED = "asked";

// Numbers have four decimals at most. So a number and its row fit into one number, and the browser sorts those without
// calling a function for each pair, ten times as fast. A row without a number (null) stands last in both directions.
const sortRows = (values, reversed) => {
  const count = values.length,
    sign = reversed ? -1 : 1,
    joined = new Float64Array(count);
  let largest = 1;
  for (const value of values) if (value !== null && Math.abs(value) > largest) largest = Math.abs(value);
  const scale = Math.min(1e4, Number.MAX_SAFE_INTEGER / 4 / count / largest);
  const last = Math.ceil(largest * scale) + 1;
  for (let row = 0; row < count; row += 1) {
    const value = values[row];
    joined[row] = (value === null ? last : Math.round(sign * value * scale)) * count + row;
  }
  joined.sort();
  const rows = new Uint32Array(count);
  for (let place = 0; place < count; place += 1) rows[place] = ((joined[place] % count) + count) % count;
  return rows;
};

class Orders {
  constructor(answers) {
    this.answers = answers;
    this.known = new Map();
  }

  // The names and titles of all orders.
  list() {
    const numbers = [...this.answers.numbers].map(([name, each]) => [name, each.title]);
    return [[WORST, "worst first"], [ASKED, "question"], ...numbers];
  }

  get(name, reversed) {
    const key = `${name} ${reversed}`;
    if (!this.known.has(key)) this.known.set(key, this.sort(name, reversed));
    return this.known.get(key);
  }

  sort(name, reversed) {
    const { count } = this.answers;
    if (name === ASKED) {
      const rows = Uint32Array.from({ length: count }, (_, row) => row);
      return reversed ? rows.reverse() : rows;
    }
    return sortRows(name === WORST ? this.rankByMiss() : this.answers.numbers.get(name).values, reversed);
  }

  // Misses by their grade, then failures of the infrastructure, then right answers.
  rankByMiss() {
    const { answers } = this,
      outcomes = answers.byName.get("outcome");
    const ranks = new Array(answers.count);
    for (let row = 0; row < answers.count; row += 1) {
      const code = answers.code(outcomes, row);
      ranks[row] = answers.isRight[code] ? 4 : answers.isScored[code] ? (answers.grade(row) ?? 0) : 3;
    }
    return ranks;
  }
}
