"use strict";

const FREE = Symbol("free");
const HELD = Symbol("held");
const SOLD = Symbol("sold");
const SIGNS = { [FREE]: ".", [HELD]: "h", [SOLD]: "#" };

class BookingError extends Error {}

class Seat {
  state = FREE;
  holder = null;

  constructor(row, number) {
    this.row = row;
    this.number = number;
  }

  get name() {
    return `${String.fromCharCode(65 + this.row)}${this.number + 1}`;
  }

  hold(holder) {
    if (this.state !== FREE) throw new BookingError(`${this.name} is ${this.state.description}`);
    this.state = HELD;
    this.holder = holder;
  }

  release() {
    this.state = FREE;
    this.holder = null;
  }

  sell() {
    this.state = SOLD;
  }
}

class Hall {
  constructor(rows, width) {
    this.width = width;
    const makeRow = (_, row) => Array.from({ length: width }, (_, number) => new Seat(row, number));
    this.rows = Array.from({ length: rows }, makeRow);
  }

  *[Symbol.iterator]() {
    for (const row of this.rows) yield* row;
  }

  seat(name) {
    const seat = this.rows[name.charCodeAt(0) - 65]?.[Number(name.slice(1)) - 1];
    if (seat === undefined) throw new BookingError(`no seat ${name}`);
    return seat;
  }

  /** All runs of free neighbouring seats of the given length. */
  *blocks(size) {
    for (const row of this.rows) {
      for (let start = 0; start + size <= this.width; start++) {
        const block = row.slice(start, start + size);
        if (block.every(({ state }) => state === FREE)) yield block;
      }
    }
  }

  /** Lower is better: the middle of the hall's width, a few rows from the front, no lonely seat. */
  penalty(block) {
    const middle = (this.width - 1) / 2;
    const centre = (block[0].number + block.at(-1).number) / 2;
    return Math.abs(centre - middle) + 2 * Math.abs(block[0].row - 1) + 3 * this.lonelySeats(block);
  }

  lonelySeats(block) {
    const row = this.rows[block[0].row];
    const free = (number) => row[number]?.state === FREE;
    const [left, right] = [block[0].number - 1, block.at(-1).number + 1];
    return Number(free(left) && !free(left - 1)) + Number(free(right) && !free(right + 1));
  }

  best(size) {
    if (size > this.width) throw new BookingError(`a row has ${this.width} seats`);
    let best = null;
    let lowest = Infinity;
    for (const block of this.blocks(size)) {
      const penalty = this.penalty(block);
      if (penalty < lowest) [best, lowest] = [block, penalty];
    }
    if (best === null) throw new BookingError(`no ${size} seats together`);
    return best;
  }

  toString() {
    return this.rows.map((row) => row.map(({ state }) => SIGNS[state]).join("")).join("/");
  }
}

class BoxOffice {
  #hall;

  constructor(hall) {
    this.#hall = hall;
  }

  /** Holds all the seats, or none. */
  hold(customer, wanted) {
    const named = Array.isArray(wanted);
    const seats = named ? wanted.map((name) => this.#hall.seat(name)) : this.#hall.best(wanted);
    const held = [];
    try {
      for (const seat of seats) {
        seat.hold(customer);
        held.push(seat);
      }
    } catch (error) {
      held.forEach((seat) => seat.release());
      throw error;
    }
    return seats.map(({ name }) => name);
  }

  #heldBy(customer) {
    return [...this.#hall].filter(({ state, holder }) => state === HELD && holder === customer);
  }

  pay(customer) {
    const seats = this.#heldBy(customer);
    if (seats.length === 0) throw new BookingError(`${customer} holds nothing`);
    seats.forEach((seat) => seat.sell());
    return seats.length;
  }

  cancel(customer) {
    this.#heldBy(customer).forEach((seat) => seat.release());
  }
}

const hall = new Hall(3, 6);
const office = new BoxOffice(hall);
const steps = [
  () => office.hold("ada", 2),
  () => office.hold("bo", ["A1", "B2"]),
  () => office.hold("cy", ["C6", "C5", "B4"]),
  () => office.pay("ada"),
  () => office.hold("di", 3),
  () => office.pay("cy"),
  () => office.hold("ed", 5),
  () => office.hold("flo", 6),
  () => office.hold("gus", ["D1"]),
];
for (const step of steps) {
  let outcome;
  try {
    outcome = step();
  } catch (error) {
    if (!(error instanceof BookingError)) throw error;
    outcome = `! ${error.message}`;
  }
  console.log(String(outcome).padEnd(24), `${hall}`);
}
