// Reversi on a small board; strategies play against each other.

const SIZE = 6;
const DIRECTIONS = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

const opponentOf = (colour) => (colour === "b" ? "w" : "b");

class Board {
  #discs;

  constructor(discs = new Map()) {
    this.#discs = discs;
  }

  static initial() {
    const board = new Board();
    const low = SIZE / 2 - 1;
    board.#put(low, low, "w").#put(low + 1, low + 1, "w");
    return board.#put(low + 1, low, "b").#put(low, low + 1, "b");
  }

  #put(x, y, colour) {
    this.#discs.set(y * SIZE + x, colour);
    return this;
  }

  at(x, y) {
    const inside = x >= 0 && x < SIZE && y >= 0 && y < SIZE;
    return inside ? this.#discs.get(y * SIZE + x) ?? "." : null;
  }

  /** The discs that would be turned in one direction: a run of the other colour that is closed in. */
  #run(x, y, [dx, dy], colour) {
    const run = [];
    let [cx, cy] = [x + dx, y + dy];
    while (this.at(cx, cy) === opponentOf(colour)) {
      run.push([cx, cy]);
      [cx, cy] = [cx + dx, cy + dy];
    }
    return this.at(cx, cy) === colour ? run : [];
  }

  flips(x, y, colour) {
    if (this.at(x, y) !== ".") return [];
    return DIRECTIONS.flatMap((direction) => this.#run(x, y, direction, colour));
  }

  moves(colour) {
    const moves = [];
    for (let y = 0; y < SIZE; y++) {
      for (let x = 0; x < SIZE; x++) {
        const gain = this.flips(x, y, colour).length;
        if (gain > 0) moves.push({ x, y, gain });
      }
    }
    return moves;
  }

  play({ x, y }, colour) {
    const flips = this.flips(x, y, colour);
    if (flips.length === 0) throw new RangeError(`${colour} cannot play ${x}/${y}`);
    const next = new Board(new Map(this.#discs)).#put(x, y, colour);
    return flips.reduce((board, [fx, fy]) => board.#put(fx, fy, colour), next);
  }

  count(colour) {
    return [...this.#discs.values()].filter((disc) => disc === colour).length;
  }

  toString() {
    const line = (y) => Array.from({ length: SIZE }, (_, x) => this.at(x, y)).join("");
    return Array.from({ length: SIZE }, (_, y) => line(y)).join("/");
  }
}

const best = (moves, value) => moves.reduce((top, move) => (value(move) > value(top) ? move : top));

const border = (n) => n === 0 || n === SIZE - 1;
const fieldValue = ({ x, y }) => (border(x) && border(y) ? 10 : border(x) || border(y) ? 3 : 0);

const strategies = {
  greedy: (board, moves) => best(moves, ({ gain }) => gain),
  corners: (board, moves) => best(moves, fieldValue),
  mobile(board, moves, colour) {
    const replies = (move) => board.play(move, colour).moves(opponentOf(colour)).length;
    return best(moves, (move) => fieldValue(move) - replies(move));
  },
  timid: (board, moves) => best(moves, ({ gain }) => -gain),
};

function* game(black, white) {
  let board = Board.initial();
  let colour = "b";
  let passes = 0;
  while (passes < 2) {
    const moves = board.moves(colour);
    if (moves.length === 0) {
      passes += 1;
      yield { colour, pass: true, board };
    } else {
      passes = 0;
      const name = colour === "b" ? black : white;
      if (!Object.hasOwn(strategies, name)) throw new TypeError(`no strategy ${name}`);
      const choose = strategies[name];
      const move = choose(board, moves, colour);
      board = board.play(move, colour);
      yield { colour, move, board };
    }
    colour = opponentOf(colour);
  }
}

function result(black, white) {
  let last;
  let passes = 0;
  for (const step of game(black, white)) {
    last = step.board;
    if (step.pass) passes += 1;
  }
  return { board: last, black: last.count("b"), white: last.count("w"), passes: passes - 2 };
}

const notation = (move) => (move ? "abcdef"[move.x] + (move.y + 1) : " passes");

console.log(Board.initial().moves("b").map(notation).join(" "));
const opening = [];
for (const { colour, move, board } of game("greedy", "corners")) {
  opening.push(colour + notation(move));
  if (opening.length === 6) {
    console.log(opening.join(" "), `${board}`);
    break;
  }
}
for (const pair of [["greedy", "corners"], ["corners", "mobile"], ["mobile", "greedy"]]) {
  const { board, black, white, passes } = result(...pair);
  const end = black + white === SIZE * SIZE ? "full" : `${board}`;
  console.log(pair.join(" - "), `${black}:${white}`, `passes ${passes}`, end);
}
try {
  Board.initial().play({ x: 0, y: 0 }, "w");
} catch ({ message }) {
  console.log(message);
}
