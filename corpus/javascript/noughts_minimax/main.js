// Noughts and crosses, played perfectly. A board is a text of nine signs, row by row.

const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8],
  [0, 3, 6], [1, 4, 7], [2, 5, 8],
  [0, 4, 8], [2, 4, 6],
];
const EMPTY = '.........';

const count = (board, sign) => board.split(sign).length - 1;
const toMove = (board) => (count(board, 'x') === count(board, 'o') ? 'x' : 'o');
const moves = (board) => [...board].flatMap((sign, i) => (sign === '.' ? [i] : []));
const place = (board, at, sign) => board.slice(0, at) + sign + board.slice(at + 1);

function winner(board) {
  const line = LINES.find(([a, b, c]) => board[a] !== '.' && board[a] === board[b] && board[b] === board[c]);
  return line ? board[line[0]] : null;
}

const isOver = (board) => winner(board) !== null || !board.includes('.');

/** From the view of x: positive if x has won; quick wins count more. */
function score(board) {
  const left = count(board, '.');
  switch (winner(board)) {
    case 'x':
      return 1 + left;
    case 'o':
      return -1 - left;
    default:
      return 0;
  }
}

function remember(evaluate) {
  const known = new Map();
  return (board) => {
    if (!known.has(board)) known.set(board, evaluate(board));
    return known.get(board);
  };
}

let positions = 0;

const maximise = remember((board) => {
  positions += 1;
  if (isOver(board)) return score(board);
  return Math.max(...moves(board).map((at) => minimise(place(board, at, 'x'))));
});

const minimise = remember((board) => {
  positions += 1;
  if (isOver(board)) return score(board);
  return Math.min(...moves(board).map((at) => maximise(place(board, at, 'o'))));
});

const players = {
  perfect(board) {
    const sign = toMove(board);
    const [evaluate, direction] = sign === 'x' ? [minimise, 1] : [maximise, -1];
    const value = (at) => direction * evaluate(place(board, at, sign));
    return moves(board).reduce((best, at) => (value(at) > value(best) ? at : best));
  },

  /** Wins or blocks if that is possible in one move, else takes a favourite field. */
  hasty(board) {
    const own = toMove(board);
    const rival = own === 'x' ? 'o' : 'x';
    for (const sign of [own, rival]) {
      const at = moves(board).find((move) => winner(place(board, move, sign)) === sign);
      if (at !== undefined) return at;
    }
    return [4, 0, 2, 6, 8, 1, 3, 5, 7].find((at) => board[at] === '.');
  },

  first: (board) => moves(board)[0],
};

function play(x, o, board = EMPTY) {
  if (Array.isArray(board)) return play(x, o, replay(board));
  if (isOver(board)) return board;
  const sign = toMove(board);
  const name = sign === 'x' ? x : o;
  if (!Object.hasOwn(players, name)) throw new TypeError(`no player ${name}`);
  const at = players[name](board);
  if (board[at] !== '.') throw new RangeError(`${name} cannot take ${at} in ${show(board)}`);
  return play(x, o, place(board, at, sign));
}

const replay = (fields) => fields.reduce((board, at) => place(board, at, toMove(board)), EMPTY);

function threats(board, sign) {
  return LINES.filter((line) => {
    const signs = line.map((at) => board[at]).sort().join('');
    return signs === `.${sign}${sign}`;
  }).length;
}

function show(board) {
  return board.match(/.../g).join('/');
}

const isFork = (board, at, sign) => threats(place(board, at, sign), sign) >= 2;

console.log('value of the empty board', maximise(EMPTY), 'positions', positions);
for (const pair of [['perfect', 'perfect'], ['perfect', 'first'], ['first', 'hasty'], ['hasty', 'perfect']]) {
  const board = play(...pair);
  console.log(pair.join(' - '), show(board), winner(board) ?? 'draw');
}
const puzzle = 'x...o...x';
const forks = moves(puzzle).filter((at) => isFork(puzzle, at, 'x'));
console.log(show(puzzle), 'o should take', players.perfect(puzzle), 'forks', forks);
