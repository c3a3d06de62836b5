"use strict";

const Heap = require("./heap");

const roads = `Alm-Bree 7 motorway, Alm-Coll 4, Bree-Dorn 3 toll, Coll-Dorn 9, Coll-Esk 5 ferry,
Dorn-Finn 6 motorway, Esk-Finn 2, Gant-Hove 1`;

function parseRoads(text) {
  const map = new Map();
  const join = (from, road) => map.set(from, [...(map.get(from) ?? []), road]);
  for (const part of text.split(/,\s*/)) {
    const match = /^(\w+)-(\w+) (\d+)(?: (\w+))?$/.exec(part);
    if (match === null) throw new SyntaxError(`no road: ${part}`);
    const [, one, other, length, kind = "road"] = match;
    join(one, { to: other, length: Number(length), kind });
    join(other, { to: one, length: Number(length), kind });
  }
  return map;
}

// What a road costs; Infinity means that it is not used at all.
const profiles = {
  shortest: ({ length }) => length,
  fastest: ({ length, kind }) => ({ motorway: length / 2, ferry: length + 3 })[kind] ?? length,
  cheap: ({ length, kind }) => (kind === "toll" ? Infinity : length),
  bicycle: ({ length, kind }) => (kind === "motorway" ? Infinity : length),
};

function* explore(map, start, cost) {
  const heap = new Heap((a, b) => a.total < b.total || (a.total === b.total && a.hops < b.hops));
  const settled = new Set();
  heap.push({ place: start, total: 0, hops: 0, from: null });
  while (heap.size > 0) {
    const visit = heap.pop();
    if (settled.has(visit.place)) continue;
    settled.add(visit.place);
    yield visit;
    for (const road of map.get(visit.place) ?? []) {
      const total = visit.total + cost(road);
      if (settled.has(road.to) || total === Infinity) continue;
      heap.push({ place: road.to, total, hops: visit.hops + 1, from: visit });
    }
  }
}

function route(map, start, goal, profile = "shortest") {
  if (!Object.hasOwn(profiles, profile)) throw new TypeError(`no profile ${profile}`);
  for (const visit of explore(map, start, profiles[profile])) {
    if (visit.place !== goal) continue;
    const places = [];
    for (let step = visit; step; step = step.from) places.unshift(step.place);
    return { places, total: visit.total };
  }
  return null;
}

/** All places within a distance of the start, the nearest first. */
function within(map, start, limit, profile) {
  const places = [];
  for (const { place, total } of explore(map, start, profiles[profile])) {
    if (total > limit) break;
    if (place !== start) places.push(`${place} ${total}`);
  }
  return places;
}

function tour(map, stops, profile) {
  const legs = stops.slice(1).map((stop, i) => route(map, stops[i], stop, profile));
  return legs.reduce((sum, leg) => sum + (leg?.total ?? NaN), 0);
}

const map = parseRoads(roads);
for (const profile of Object.keys(profiles)) {
  const found = route(map, "Alm", "Finn", profile);
  console.log(profile, found.places.join("-"), found.total);
}
console.log(route(map, "Alm", "Hove"), route(map, "Esk", "Esk").total);
console.log(within(map, "Dorn", 9, "shortest").join(", "));
console.log(tour(map, ["Alm", "Dorn", "Esk"], "cheap"), tour(map, ["Alm", "Gant"], "cheap"));
