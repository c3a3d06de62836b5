// Which answers a reader wants to see: each facet with chosen values leaves out the others, and so does each word.

const NEVER = 200; // more than all facets together can add

const findWords = (answers, words) =>
  words
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) =>
      answers.lowered().map(({ codes, lower }) => {
        const hits = new Uint8Array(lower.length);
        for (let code = 0; code < lower.length; code += 1) hits[code] = lower[code].includes(word) ? 1 : 0;
        return { codes, hits };
      }),
    );

// For every answer whether it fits, and for every facet how many answers each value would leave if it were chosen.
const filterAnswers = (answers, chosen, words) => {
  const failures = new Uint8Array(answers.count),
    last = new Uint8Array(answers.count);
  answers.facets.forEach((facet, place) => {
    const names = chosen.get(facet.name);
    if (!names) return;
    const allowed = Uint8Array.from(facet.values, (value) => names.has(String(value)));
    for (let row = 0; row < answers.count; row += 1) {
      if (!allowed[facet.codes ? facet.codes[row] : 0]) {
        failures[row] += 1;
        last[row] = place;
      }
    }
  });
  for (const columns of findWords(answers, words)) {
    const hit = new Uint8Array(answers.count);
    for (const { codes, hits } of columns) {
      for (let row = 0; row < answers.count; row += 1) hit[row] |= hits[codes[row]];
    }
    for (let row = 0; row < answers.count; row += 1) if (!hit[row]) failures[row] = NEVER;
  }
  return { failures, last };
};

// How many of the answers that fit have each value of a facet; those that fail by this facet alone count as well.
const countValues = (answers, facet, { failures, last }) => {
  const counts = new Int32Array(facet.values.length),
    place = answers.facets.indexOf(facet);
  for (let row = 0; row < answers.count; row += 1) {
    if (failures[row] === 0 || (failures[row] === 1 && last[row] === place)) {
      counts[facet.codes ? facet.codes[row] : 0] += 1;
    }
  }
  return counts;
};

// The rows that fit, in the given order.
const collectRows = (answers, order, { failures }) => {
  const rows = new Uint32Array(answers.count);
  let count = 0;
  for (let place = 0; place < order.length; place += 1) {
    if (failures[order[place]]) continue;
    rows[count] = order[place];
    count += 1;
  }
  return rows.subarray(0, count);
};
