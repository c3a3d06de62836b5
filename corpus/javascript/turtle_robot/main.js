'use strict';

/**
 * A robot on a small table. Its language has the commands PLACE, MOVE, LEFT, RIGHT, REPORT
 * and DIG, blocks `REPEAT n [ ... ]`, and words that a program defines: `TO name [ ... ]`.
 */

const SIZE = 5;
const HEADINGS = [
  { name: 'north', dx: 0, dy: 1 },
  { name: 'east', dx: 1, dy: 0 },
  { name: 'south', dx: 0, dy: -1 },
  { name: 'west', dx: -1, dy: 0 },
];

const onTable = (x, y) => [x, y].every((n) => Number.isInteger(n) && n >= 0 && n < SIZE);

function parse(source) {
  const words = source.match(/\[|\]|[^\s[\]]+/g) ?? [];
  const block = (closing) => {
    const statements = [];
    while (words.length > 0) {
      const word = words.shift();
      if (word === ']') {
        if (!closing) throw new SyntaxError('] without [');
        return statements;
      }
      statements.push(statement(word));
    }
    if (closing) throw new SyntaxError('[ without ]');
    return statements;
  };
  const body = () => {
    if (words.shift() !== '[') throw new SyntaxError('expected [');
    return block(true);
  };
  const statement = (word) => {
    switch (word) {
      case 'REPEAT':
        return { kind: 'repeat', times: Number(words.shift()), body: body() };
      case 'TO':
        return { kind: 'define', name: words.shift(), body: body() };
      case 'PLACE':
        return { kind: 'call', name: word, args: (words.shift() ?? '').split(',') };
      default:
        return { kind: 'call', name: word, args: [] };
    }
  };
  return block(false);
}

// Commands are called with the robot as `this`.
const commands = {
  PLACE(x, y, name) {
    const heading = HEADINGS.findIndex((candidate) => candidate.name === name);
    if (heading < 0 || !onTable(Number(x), Number(y))) return;
    Object.assign(this, { x: Number(x), y: Number(y), heading, placed: true });
  },
  MOVE() {
    const { dx, dy } = HEADINGS[this.heading];
    const target = [this.x + dx, this.y + dy];
    if (!onTable(...target)) this.bumps += 1;
    else [this.x, this.y] = target;
  },
  LEFT() {
    this.heading = (this.heading + 3) % 4;
  },
  RIGHT() {
    this.heading = (this.heading + 1) % 4;
  },
  REPORT() {
    this.output.push(`${this.x},${this.y},${HEADINGS[this.heading].name}`);
  },
  DIG() {
    this.holes.add(`${this.x},${this.y}`);
  },
};

function execute(robot, statements, depth = 0) {
  if (depth > 50) throw new RangeError('words call each other too deeply');
  const run = {
    repeat({ times, body }) {
      for (let i = 0; i < times; i++) execute(robot, body, depth + 1);
    },
    define({ name, body }) {
      robot.words.set(name, body);
    },
    call({ name, args }) {
      if (robot.words.has(name)) return execute(robot, robot.words.get(name), depth + 1);
      if (!Object.hasOwn(commands, name)) throw new ReferenceError(`unknown word ${name}`);
      if (robot.placed || name === 'PLACE') commands[name].apply(robot, args);
    },
  };
  statements.forEach((statement) => run[statement.kind](statement));
  return robot;
}

function drawTable({ holes }) {
  const row = (y) => Array.from({ length: SIZE }, (_, x) => (holes.has(`${x},${y}`) ? 'o' : '.')).join('');
  return Array.from({ length: SIZE }, (_, i) => row(SIZE - 1 - i)).join('\n');
}

function runProgram(source) {
  const robot = { placed: false, bumps: 0, output: [], words: new Map(), holes: new Set() };
  try {
    execute(robot, parse(source));
  } catch (error) {
    robot.output.push(`${error.name}: ${error.message}`);
  }
  return robot;
}

const programs = [
  'MOVE REPORT PLACE 1,1,north REPEAT 2 [ MOVE RIGHT ] REPORT PLACE 9,9,east REPORT',
  'PLACE 3,4,west TO corner [ REPEAT 4 [ MOVE ] LEFT ] REPEAT 2 [ corner REPORT ]',
  'TO MOVE [ DIG ] PLACE 2,2,south MOVE RIGHT JUMP REPORT',
  'TO again [ LEFT again ] PLACE 0,0,north again',
  'PLACE 0,0,north REPEAT 2 [ MOVE',
];
for (const source of programs) {
  const { output, bumps, holes } = runProgram(source);
  console.log(output.join(' | '), `(bumps ${bumps}, holes ${holes.size})`);
  if (holes.size > 3) console.log(drawTable({ holes }));
}
