'use strict';

const Problem = require('./solver');

const borders = {
  Vale: ['Moor', 'Fens', 'Isle'],
  Moor: ['Vale', 'Fens', 'Crag'],
  Fens: ['Vale', 'Moor', 'Crag', 'Port'],
  Crag: ['Moor', 'Fens', 'Port'],
  Port: ['Fens', 'Crag'],
  Isle: ['Vale'],
};

function colouring(colours) {
  const problem = new Problem();
  for (const region of Object.keys(borders)) problem.variable(region, colours);
  for (const [region, others] of Object.entries(borders)) {
    others.filter((other) => region < other).forEach((other) => problem.different(region, other));
  }
  return problem;
}

function queens(size) {
  const problem = new Problem();
  const rows = Array.from({ length: size }, (_, i) => i);
  rows.forEach((row) => problem.variable(`q${row}`, rows));
  for (const row of rows) {
    for (const below of rows.slice(row + 1)) {
      const safe = (a, b) => a !== b && Math.abs(a - b) !== below - row;
      problem.constrain([`q${row}`, `q${below}`], safe);
    }
  }
  return problem;
}

function shifts() {
  const days = ['mon', 'tue', 'wed'];
  const problem = new Problem();
  for (const day of days) problem.variable(day, ['Ann', 'Bob', 'Cem']);
  return problem
    .constrain(['mon'], (who) => who !== 'Bob')
    .constrain(['mon', 'tue'], (monday, tuesday) => !(monday === 'Cem' && tuesday === 'Cem'))
    .constrain(['tue', 'wed'], (tuesday, wednesday) => tuesday !== wednesday)
    .constrain(days, (...people) => people.includes('Bob'));
}

const write = (solution) =>
  solution === null ? 'impossible' : Object.entries(solution).map((pair) => pair.join('=')).join(' ');

const map = colouring(['red', 'green', 'blue']);
console.log(write(map.first()), `(${map.steps} steps)`);
console.log('two colours:', write(colouring(['red', 'green']).first()));
console.log('colourings:', map.count());
console.log('queens:', [4, 5, 6].map((size) => queens(size).count()).join(' '));
console.log('six:', Object.values(queens(6).first()).join(''));
const plan = shifts();
console.log('shifts:', write(plan.first()), 'of', plan.count());
