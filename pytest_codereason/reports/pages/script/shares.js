// Shares of right answers. Answers of several suites, models or conditions that are kept apart have none.

// For each value of a facet the facets, of those that are kept apart, of which its rows have several values.
const findPooled = (answers, facet, rows) => {
  const pooled = facet.values.map(() => []);
  for (const apart of answers.facets) {
    if (!apart.apart || !apart.codes) continue;
    const first = new Int32Array(facet.values.length).fill(-1),
      isSeveral = new Uint8Array(facet.values.length);
    for (let place = 0; place < rows.length; place += 1) {
      const group = answers.code(facet, rows[place]),
        code = apart.codes[rows[place]];
      if (first[group] < 0) first[group] = code;
      else if (first[group] !== code) isSeveral[group] = 1;
    }
    isSeveral.forEach((several, group) => several && pooled[group].push(apart));
  }
  return pooled;
};

// How many of the rows have each outcome.
const countOutcomes = (answers, rows) => {
  const outcomes = answers.byName.get("outcome"),
    counts = new Int32Array(outcomes.values.length);
  for (let place = 0; place < rows.length; place += 1) counts[answers.code(outcomes, rows[place])] += 1;
  return counts;
};

const addUp = (counts, chosen) => counts.reduce((sum, count, outcome) => sum + count * chosen[outcome], 0);

// "17 answers, 8 of them skipped; 100.0 % of the other 9 are right".
const describeAnswers = (answers, rows) => {
  const counts = countOutcomes(answers, rows),
    scored = addUp(counts, answers.isScored);
  const all = pluralise(answers.count, "answer");
  const parts = [rows.length === answers.count ? all : `${formatCount(rows.length)} of ${all}`];
  for (const [outcome, word] of [
    ["skipped", "skipped"],
    ["error", "unanswered"],
  ]) {
    const many = counts[answers.outcomes.indexOf(outcome)];
    if (many) parts.push(`${formatCount(many)} of them ${word}`);
  }
  const said = parts.join(", ");
  if (!scored) return said;
  const everything = { values: [null], codes: null };
  const [pooled] = findPooled(answers, everything, rows);
  if (pooled.length) return `${said}; to see how many are right, choose one ${pooled.map((each) => each.title).join(", one ")}`;
  const of = scored === rows.length ? "" : ` of the other ${formatCount(scored)}`;
  return `${said}; ${formatShare(addUp(counts, answers.isRight), scored)}${of} right`;
};
