"use strict";

// A lift as a state machine: each state is an object of its own class.

class State {
  constructor(lift) {
    this.lift = lift;
  }

  enter() {}

  /** One unit of time passes; returns the next state. */
  tick() {
    return this;
  }
}

class Idle extends State {
  label = "idle";

  tick() {
    const { lift } = this;
    if (lift.calls.size === 0) return this;
    if (lift.calls.has(lift.floor)) return new Open(lift);
    lift.direction = Math.sign(lift.nearestCall() - lift.floor);
    return new Moving(lift).tick();
  }
}

class Moving extends State {
  tick() {
    const { lift } = this;
    lift.floor += lift.direction;
    lift.travelled += 1;
    if (lift.calls.has(lift.floor)) return new Open(lift);
    return this;
  }

  get label() {
    return this.lift.direction > 0 ? "up" : "down";
  }
}

class Open extends State {
  label = "open";
  #left = 2;

  enter() {
    this.lift.calls.delete(this.lift.floor);
    this.lift.stops.push(this.lift.floor);
  }

  hold() {
    this.#left = 2;
  }

  tick() {
    this.#left -= 1;
    return this.#left > 0 ? this : new Closed(this.lift);
  }
}

class Closed extends State {
  label = "closed";

  tick() {
    const { lift } = this;
    if (lift.calls.has(lift.floor)) return new Open(lift);
    if (lift.callsAhead().length === 0) lift.direction *= -1;
    return lift.callsAhead().length > 0 ? new Moving(lift).tick() : new Idle(lift);
  }
}

class Stuck extends State {
  label = "stuck";

  enter() {
    this.lift.calls.clear();
  }
}

class Lift {
  constructor(floors, floor = 0) {
    this.floors = floors;
    this.floor = floor;
    this.calls = new Set();
    this.direction = 1;
    this.travelled = 0;
    this.stops = [];
    this.state = new Idle(this);
  }

  call(floor) {
    if (floor < 0 || floor >= this.floors) throw new RangeError(`no floor ${floor}`);
    if (this.state instanceof Open && floor === this.floor) this.state.hold();
    else this.calls.add(floor);
  }

  callsAhead() {
    return [...this.calls].filter((floor) => (floor - this.floor) * this.direction > 0);
  }

  nearestCall() {
    const distance = (floor) => Math.abs(floor - this.floor);
    return [...this.calls].reduce((best, floor) => (distance(floor) < distance(best) ? floor : best));
  }

  change(state) {
    if (state === this.state) return;
    this.state = state;
    state.enter();
  }

  tick() {
    this.change(this.state.tick());
    return `${this.floor}:${this.state.label}`;
  }

  emergency() {
    this.change(new Stuck(this));
  }
}

function simulate(lift, schedule, ticks) {
  const log = [];
  for (let time = 0; time < ticks; time++) {
    for (const floor of schedule[time] ?? []) lift.call(floor);
    log.push(lift.tick());
  }
  return log;
}

const lift = new Lift(8, 2);
const log = simulate(lift, { 0: [5], 1: [1, 3], 4: [3, 7], 9: [5] }, 26);
for (let i = 0; i < log.length; i += 9) console.log(log.slice(i, i + 9).join(" "));
console.log("stops", lift.stops.join(), "travelled", lift.travelled);
try {
  lift.call(8);
} catch (error) {
  console.log(error.message);
}
