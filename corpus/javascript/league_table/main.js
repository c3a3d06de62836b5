'use strict';

/** Comparators that are asked one after the other until one decides. */
const inOrder = (...comparators) => (a, b) => {
  for (const compare of comparators) {
    const result = compare(a, b);
    if (result !== 0) return result;
  }
  return 0;
};

const descending = (measure) => (a, b) => measure(b) - measure(a);
const ascending = (measure) => (a, b) => (measure(a) < measure(b) ? -1 : Number(measure(a) > measure(b)));

function parseResult(line) {
  const [home, own, other, away] = line.match(/^(\w+) (\d+):(\d+) (\w+)$/).slice(1);
  return { home, away, goals: [Number(own), Number(other)] };
}

const sides = ({ home, away, goals: [own, other] }) => [
  { team: home, rival: away, scored: own, conceded: other, isAway: false },
  { team: away, rival: home, scored: other, conceded: own, isAway: true },
];

const pointsFor = ({ scored, conceded }) => (scored > conceded ? 3 : scored === conceded ? 1 : 0);

function summarise(results) {
  const rows = new Map();
  for (const side of results.flatMap(sides)) {
    if (!rows.has(side.team)) {
      rows.set(side.team, { team: side.team, played: 0, points: 0, scored: 0, conceded: 0, awayGoals: 0 });
    }
    const row = rows.get(side.team);
    row.played += 1;
    row.points += pointsFor(side);
    row.scored += side.scored;
    row.conceded += side.conceded;
    if (side.isAway) row.awayGoals += side.scored;
  }
  return [...rows.values()];
}

const difference = ({ scored, conceded }) => scored - conceded;

const generally = inOrder(
  descending(({ points }) => points),
  descending(difference),
  descending(({ scored }) => scored),
);

/** Splits rows that a comparator cannot tell apart into groups of their own. */
function groupTies(rows, compare) {
  return [...rows].sort(compare).reduce((groups, row) => {
    const last = groups.at(-1);
    if (last && compare(last[0], row) === 0) last.push(row);
    else groups.push([row]);
    return groups;
  }, []);
}

/** Teams that are level are ranked by the matches among themselves, then by name. */
function breakTie(group, results) {
  if (group.length === 1) return group;
  const names = new Set(group.map(({ team }) => team));
  const among = summarise(results.filter(({ home, away }) => names.has(home) && names.has(away)));
  const record = new Map(among.map((row) => [row.team, row]));
  const inside = (measure) => ({ team }) => (record.has(team) ? measure(record.get(team)) : 0);
  return [...group].sort(
    inOrder(
      descending(inside(({ points }) => points)),
      descending(inside(difference)),
      descending(inside(({ awayGoals }) => awayGoals)),
      ascending(({ team }) => team),
    ),
  );
}

function rank(results) {
  return groupTies(summarise(results), generally).flatMap((group) => breakTie(group, results));
}

function formOf(team, results, last = 3) {
  const letters = { 3: 'W', 1: 'D', 0: 'L' };
  if (last <= 0) return '-';
  const own = results.flatMap(sides).filter((side) => side.team === team);
  return own.slice(-last).map((side) => letters[pointsFor(side)]).join('');
}

function printTable(rows, results) {
  rows.forEach(({ team, played, points, scored, conceded }, i) => {
    const goals = `${scored}:${conceded}`.padStart(5);
    const cells = [`${i + 1}. ${team.padEnd(6)}`, played, goals, String(points).padStart(2)];
    console.log(...cells, formOf(team, results));
  });
}

function promoted(rows, places, { minimum = 0 } = {}) {
  return rows.slice(0, places).filter(({ points }) => points >= minimum).map(({ team }) => team);
}

const results = `Ants 2:1 Bees
Cats 0:0 Dogs
Bees 1:0 Ants
Dogs 1:1 Cats
Ants 3:3 Cats
Bees 2:2 Dogs
Cats 1:0 Bees
Dogs 2:1 Ants
Ants 1:0 Dogs
Cats 0:1 Ants
Bees 1:0 Cats
Dogs 0:1 Bees`.split('\n').map(parseResult);

printTable(rank(results.slice(0, 4)), results.slice(0, 4));
console.log('--');
printTable(rank(results), results);
console.log('up:', promoted(rank(results), 3, { minimum: 6 }).join(', '));
