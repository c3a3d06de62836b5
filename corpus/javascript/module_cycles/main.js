// Looks at the imports between modules: circles, layers, and what a change would touch.

/** Reads lines such as "app: ui, store"; a module without imports may be left out. */
function parseImports(text) {
  const graph = {};
  text.split("\n").forEach((line) => {
    if (line.trim() === "" || line.startsWith("#")) return;
    const [name, list = ""] = line.split(":").map((part) => part.trim());
    graph[name] = list.split(",").map((part) => part.trim()).filter(Boolean);
  });
  for (const name of Object.values(graph).flat()) graph[name] ??= [];
  return graph;
}

/** Strongly connected components by Tarjan, those that others depend on first. */
function components(graph) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];

  function visit(name) {
    index.set(name, index.size);
    low.set(name, index.get(name));
    stack.push(name);
    for (const next of graph[name]) {
      if (!index.has(next)) {
        visit(next);
        low.set(name, Math.min(low.get(name), low.get(next)));
      } else if (stack.includes(next)) {
        low.set(name, Math.min(low.get(name), index.get(next)));
      }
    }
    if (low.get(name) === index.get(name)) found.push(stack.splice(stack.indexOf(name)).sort());
  }

  for (const name of Object.keys(graph)) if (!index.has(name)) visit(name);
  return found;
}

const isCircle = (graph, members) => members.length > 1 || graph[members[0]].includes(members[0]);

/** The graph of the components, each named by its members. */
function condense(graph) {
  const groups = components(graph);
  const groupOf = new Map(groups.flatMap((members) => members.map((name) => [name, members.join("+")])));
  const condensed = {};
  for (const members of groups) {
    const own = members.join("+");
    const targets = members.flatMap((name) => graph[name]).map((name) => groupOf.get(name));
    condensed[own] = [...new Set(targets)].filter((target) => target !== own);
  }
  return condensed;
}

function layers(graph) {
  const acyclic = condense(graph);
  const depth = {};
  const measure = (name) => (depth[name] ??= Math.max(-1, ...acyclic[name].map(measure)) + 1);
  Object.keys(acyclic).forEach(measure);
  const result = [];
  for (const [name, level] of Object.entries(depth)) (result[level] ??= []).push(name);
  return result.map((names) => names.sort());
}

function invert(graph) {
  const inverse = Object.fromEntries(Object.keys(graph).map((name) => [name, []]));
  Object.entries(graph).forEach(([name, imports]) => imports.forEach((target) => inverse[target].push(name)));
  return inverse;
}

function reach(graph, start, seen = new Set()) {
  for (const next of graph[start]) {
    if (seen.has(next)) continue;
    seen.add(next);
    reach(graph, next, seen);
  }
  return seen;
}

function affectedBy(graph, name) {
  if (!Object.hasOwn(graph, name)) throw new RangeError(`no module ${name}`);
  return [...reach(invert(graph), name)].sort();
}

/** A shortest circle through a module, as the way round; null if it is in none. */
function shortestCircle(graph, start) {
  const queue = [[start]];
  const seen = new Set();
  for (const path of queue) {
    for (const next of graph[path.at(-1)]) {
      if (next === start) return [...path, start];
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push([...path, next]);
    }
  }
  return null;
}

function unstable(graph) {
  const inverse = invert(graph);
  return Object.keys(graph).filter((name) => graph[name].length > inverse[name].length);
}

function checkLayers(graph, order) {
  const level = (name) => order.indexOf(name);
  const wrong = [];
  for (const [name, imports] of Object.entries(graph)) {
    if (level(name) < 0) continue;
    for (const target of imports) if (level(target) > level(name)) wrong.push(`${name} > ${target}`);
  }
  return wrong;
}

const graph = parseImports(`app: ui, store, log
ui: widgets, theme
widgets: theme, events
events: ui
store: model, cache
model: store, text
cache: cache, text`);

const groups = components(graph);
console.log(groups.map((members) => members.join("+")).join(" "));
const circles = groups.filter((members) => isCircle(graph, members));
console.log("circles:", circles.length);
if (circles.length === 0) console.log("unstable:", unstable(graph).join(" "));
layers(graph).forEach((names, level) => console.log(level, names.join(" ")));
for (const name of ["ui", "cache", "app"]) {
  console.log(name, shortestCircle(graph, name)?.join(" > ") ?? "in no circle");
}
console.log("text affects", affectedBy(graph, "text").join(" "));
console.log("wrong way:", checkLayers(graph, ["text", "model", "store", "events", "ui", "app"]).join(", "));
