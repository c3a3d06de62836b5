'use strict';

// A board game that is played many times with dice from a small generator of numbers.

/** A linear congruential generator: the same seed gives the same throws. */
function createDice(seed, sides = 6) {
  let state = seed >>> 0;
  return function roll() {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 1 + Math.floor((state / 2 ** 32) * sides);
  };
}

const loaded = (dice, least) => () => Math.max(least, dice());

function createBoard(size, jumps) {
  const target = new Map(Object.entries(jumps).map(([from, to]) => [Number(from), to]));
  const canJump = (field) => field >= 1 && field < size;
  for (const [from, to] of target) {
    if (!canJump(from) || !canJump(to) || target.has(to)) throw new RangeError(`bad jump ${from} > ${to}`);
  }
  return {
    size,
    /** Where a piece comes to stand; who would go too far stays. */
    land(from, steps) {
      const field = from + steps;
      if (field > size) return { field: from, event: 'stays' };
      if (!target.has(field)) return { field, event: field === size ? 'wins' : 'moves' };
      const end = target.get(field);
      return { field: end, event: end > field ? 'climbs' : 'slides' };
    },
  };
}

function* playGame(board, players, { again = 6 } = {}) {
  const positions = new Map(players.map(({ name }) => [name, 0]));
  for (let round = 1; ; round++) {
    for (const { name, dice } of players) {
      let throws = 0;
      let rolled;
      do {
        rolled = dice();
        const { field, event } = board.land(positions.get(name), rolled);
        positions.set(name, field);
        yield { round, name, rolled, field, event };
        if (event === 'wins') return name;
      } while (rolled === again && ++throws < 3);
    }
  }
}

function play(board, players, watch = () => {}) {
  const game = playGame(board, players);
  for (;;) {
    const { done, value } = game.next();
    if (done) return value;
    watch(value);
  }
}

function createStatistics() {
  const events = {};
  const lengths = [];
  let longest = 0;
  return {
    watch({ event, round }) {
      events[event] = (events[event] ?? 0) + 1;
      longest = Math.max(longest, round);
    },
    endGame() {
      lengths.push(longest);
      longest = 0;
    },
    get shortest() {
      return Math.min(...lengths);
    },
    get mean() {
      return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    },
    get median() {
      const sorted = [...lengths].sort((a, b) => a - b);
      const middle = sorted.length >> 1;
      return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    },
    share: (event) => (events[event] ?? 0) / Object.values(events).reduce((a, b) => a + b),
  };
}

const board = createBoard(30, { 4: 14, 9: 20, 17: 6, 21: 3, 24: 29, 28: 10 });
const players = [
  { name: 'red', dice: createDice(7) },
  { name: 'blue', dice: createDice(2024) },
];

const diary = [];
const winner = play(board, players, ({ name, rolled, field, event }) => {
  if (event !== 'moves') diary.push(`${name} ${rolled} ${event} ${field}`);
});
console.log(diary.join(', '), '->', winner);

const wins = { red: 0, blue: 0 };
const statistics = createStatistics();
for (let game = 0; game < 200; game++) {
  wins[play(board, players, statistics.watch)] += 1;
  statistics.endGame();
}
const { mean, median } = statistics;
console.log(`wins ${wins.red}:${wins.blue}, rounds ${mean.toFixed(2)}, median ${median}`);
console.log(`stays ${(100 * statistics.share('stays')).toFixed(1)}%`);

const cheat = { name: 'cheat', dice: loaded(createDice(5), 3) };
const results = Array.from({ length: 100 }, () => play(board, [players[0], cheat]));
console.log('cheat wins', results.filter((name) => name === 'cheat').length);
try {
  createBoard(10, { 3: 7, 7: 2 });
} catch ({ message }) {
  console.log(message);
}
