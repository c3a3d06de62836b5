'use strict';

// Plans the walk of a picker through a warehouse whose aisles are walked in serpentines.

const CART_LIMIT = 60; // kilograms

const catalogue = new Map([
  ['bolt', { shelf: 'A03', weight: 0.5 }],
  ['drill', { shelf: 'C12', weight: 4 }],
  ['hose', { shelf: 'B07', weight: 6 }],
  ['anvil', { shelf: 'C02', weight: 35 }],
  ['paint', { shelf: 'B01', weight: 8 }],
  ['glue', { shelf: 'A11', weight: 1 }],
]);

function parseShelf(code) {
  const match = /^([A-Z])(\d{2})$/.exec(code);
  if (!match) throw new RangeError(`bad shelf code ${code}`);
  return { aisle: match[1], bay: Number(match[2]) };
}

function locate({ sku, quantity }) {
  const item = catalogue.get(sku);
  if (item === undefined) return { sku, quantity, missing: true };
  return { sku, quantity, weight: item.weight * quantity, ...parseShelf(item.shelf) };
}

// Orders often name the same article on several lines.
function mergeLines(lines) {
  const totals = new Map();
  for (const { sku, quantity } of lines) {
    totals.set(sku, (totals.get(sku) ?? 0) + quantity);
  }
  return [...totals].map(([sku, quantity]) => ({ sku, quantity }));
}

function groupByAisle(stops) {
  const aisles = {};
  for (const stop of stops) {
    (aisles[stop.aisle] ??= []).push(stop);
  }
  return aisles;
}

function serpentine(stops) {
  const aisles = groupByAisle(stops);
  return Object.keys(aisles)
    .sort()
    .flatMap((name, index) => {
      const direction = index % 2 === 0 ? 1 : -1;
      return aisles[name].sort((a, b) => direction * (a.bay - b.bay));
    });
}

function splitIntoTrips(stops, limit = CART_LIMIT) {
  const trips = [];
  let load = Infinity; // no trip has begun
  for (const stop of stops) {
    if (load + stop.weight > limit) {
      trips.push([]);
      load = 0;
    }
    trips.at(-1).push(stop);
    load += stop.weight;
  }
  return trips;
}

const distance = (from, to) =>
  from.aisle === to.aisle
    ? Math.abs(from.bay - to.bay)
    : 10 * Math.abs(from.aisle.charCodeAt(0) - to.aisle.charCodeAt(0)) + from.bay + to.bay;

function walkLength(trip) {
  const dock = { aisle: 'A', bay: 0 };
  const path = [dock, ...trip, dock];
  return path.slice(1).reduce((sum, stop, i) => sum + distance(path[i], stop), 0);
}

function describe(trip, number) {
  const stops = trip.map(({ aisle, bay, sku, quantity }) => `${aisle}${bay}:${sku}x${quantity}`);
  const weight = trip.reduce((sum, stop) => sum + stop.weight, 0);
  return `trip ${number}: ${stops.join(' ')} (${weight} kg, ${walkLength(trip)} m)`;
}

function printLabels(trip) {
  trip.forEach((stop, i) => console.log(`  ${i + 1}/${trip.length} ${stop.sku}`));
}

function plan(lines, { labels = false } = {}) {
  const located = mergeLines(lines).map(locate);
  const missing = located.filter((stop) => stop.missing);
  const trips = splitIntoTrips(serpentine(located.filter((stop) => !stop.missing)));
  for (const [number, trip] of trips.entries()) {
    console.log(describe(trip, number + 1));
    if (labels) printLabels(trip);
  }
  if (missing.length > 0) console.log('unknown:', missing.map((stop) => stop.sku).join(', '));
  return trips.length;
}

const count = plan([
  { sku: 'drill', quantity: 1 },
  { sku: 'glue', quantity: 3 },
  { sku: 'anvil', quantity: 1 },
  { sku: 'bolt', quantity: 8 },
  { sku: 'hose', quantity: 1 },
  { sku: 'rope', quantity: 2 },
  { sku: 'bolt', quantity: 4 },
  { sku: 'paint', quantity: 2 },
]);
console.log(`trips: ${count}`);
console.log(`empty order: ${plan([])}`);
