// What a reader chose, in the address of the page, so that a link shows the same answers and the same card.

const FACET = "is.";

const startState = (answers) => ({
  chosen: new Map(Object.entries(answers.start).map(([name, values]) => [name, new Set(values)])),
  words: "",
  sort: WORST,
  reversed: false,
  by: "kind",
  card: null,
});

const isStateInAddress = () => location.hash.startsWith("#?");

const readAddress = (answers, orders) => {
  const state = startState(answers);
  if (!isStateInAddress()) return state;
  state.chosen = new Map();
  const fields = new URLSearchParams(location.hash.slice(2));
  for (const [name, value] of fields) {
    const facet = name.startsWith(FACET) ? name.slice(FACET.length) : "";
    if (answers.byName.has(facet)) state.chosen.set(facet, (state.chosen.get(facet) || new Set()).add(value));
  }
  state.words = fields.get("find") || "";
  if (orders.list().some(([name]) => name === fields.get("sort"))) state.sort = fields.get("sort");
  state.reversed = fields.has("reversed");
  if (answers.byName.has(fields.get("by"))) state.by = fields.get("by");
  state.card = fields.has("answer") ? answers.find(fields.get("answer")) : null;
  return state;
};

const formatAddress = (answers, state) => {
  const fields = new URLSearchParams();
  for (const [name, values] of state.chosen) for (const value of values) fields.append(FACET + name, value);
  if (state.words) fields.append("find", state.words);
  if (state.sort !== WORST) fields.append("sort", state.sort);
  if (state.reversed) fields.append("reversed", "");
  if (state.by !== "kind") fields.append("by", state.by);
  if (state.card !== null) fields.append("answer", answers.key(state.card));
  return `#?${fields}`;
};
