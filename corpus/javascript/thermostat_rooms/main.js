'use strict';

// Rooms with thermostats and a heating; properties check and convert what is written to them.

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** Temperatures are kept in tenths of a degree, so that sums stay exact. */
class Temperature {
  static #scales = {
    C: [(tenths) => tenths / 10, (degrees) => degrees * 10],
    F: [(tenths) => (tenths * 9) / 50 + 32, (degrees) => ((degrees - 32) * 50) / 9],
  };

  static parse(text) {
    const [, digits, scale] = /^(-?\d+(?:\.\d+)?)\s*([CF])$/.exec(text) ?? [];
    if (digits === undefined) throw new TypeError(`not a temperature: ${text}`);
    return new Temperature(Math.round(Temperature.#scales[scale][1](Number(digits))));
  }

  constructor(tenths) {
    this.tenths = tenths;
  }

  in(scale) {
    const [read] = Temperature.#scales[scale];
    return `${read(this.tenths).toFixed(1)} ${scale}`;
  }

  valueOf() {
    return this.tenths;
  }
}

class Room {
  #target = new Temperature(200);
  #schedule = [];
  #open = false;

  constructor(name, { tenths = 180, leak = 10 } = {}) {
    this.name = name;
    this.now = new Temperature(tenths);
    this.leak = leak;
    this.heating = false;
    this.minutesHeated = 0;
  }

  get target() {
    return this.#open ? new Temperature(80) : this.#target;
  }

  set target(value) {
    const wanted = typeof value === 'string' ? Temperature.parse(value) : value;
    this.#target = new Temperature(clamp(Number(wanted), 50, 280));
  }

  /** Raises the target that was set, also while the window is open. */
  raise(degrees) {
    this.target = new Temperature(this.#target + degrees * 10);
  }

  set window(state) {
    if (!['open', 'closed'].includes(state)) throw new TypeError(`a window cannot be ${state}`);
    this.#open = state === 'open';
  }

  get window() {
    return this.#open ? 'open' : 'closed';
  }

  at(minute, setting) {
    this.#schedule.push({ minute, setting });
    return this;
  }

  pass(minute, outside) {
    for (const { setting } of this.#schedule.filter((entry) => entry.minute === minute)) {
      Object.assign(this, setting);
    }
    this.#switchHeating();
    const loss = Math.round(((this.now - outside) * this.leak * (this.#open ? 5 : 1)) / 1000);
    const gain = this.heating ? 6 : 0;
    this.now = new Temperature(this.now - loss + gain);
    this.minutesHeated += Number(this.heating);
  }

  /** On below the target by half a degree or more, off above it by as much, else as it was. */
  #switchHeating() {
    const difference = this.now - this.target;
    if (difference <= -5) this.heating = true;
    else if (difference >= 5) this.heating = false;
  }
}

class House {
  #rooms = new Map();
  #outside = new Temperature(0);

  get outside() {
    return this.#outside;
  }

  set outside(text) {
    this.#outside = Temperature.parse(text);
  }

  add(...rooms) {
    for (const room of rooms) {
      this.#rooms.set(room.name, room);
      Object.defineProperty(this, room.name, { get: () => room, enumerable: true });
    }
    return this;
  }

  run(minutes, every, show) {
    for (let minute = 0; minute < minutes; minute++) {
      this.#rooms.forEach((room) => room.pass(minute, this.outside));
      if ((minute + 1) % every === 0) show(minute + 1, [...this.#rooms.values()]);
    }
  }

  get coldest() {
    return [...this.#rooms.values()].reduce((a, b) => (b.now < a.now ? b : a)).name;
  }

  boost(degrees) {
    this.#rooms.forEach((room) => room.raise(degrees));
  }
}

const house = new House().add(new Room('bath', { tenths: 195 }), new Room('attic', { leak: 25 }));
house.outside = '23 F';
house.bath.target = '22.5 C';
house.attic.target = '99 C';
house.attic.at(20, { target: '61 F' }).at(40, { window: 'open' });
house.attic.at(50, { window: 'closed', target: '21 C' });

house.run(60, 15, (minute, rooms) => {
  const states = rooms.map(({ name, now, target, heating }) => {
    return `${name} ${now.in('C')} -> ${target.in('C')}${heating ? ' on' : ''}`;
  });
  console.log(`${minute}: ${states.join(', ')}`);
});
console.log(house.outside.in('C'), house.bath.now.in('F'), house.coldest, house.attic.window);
console.log(Object.keys(house).map((key) => house[key].minutesHeated).join(' '));
for (const [key, value] of [['window', 'ajar'], ['target', 'warm']]) {
  try {
    house.bath[key] = value;
  } catch ({ message }) {
    console.log(message);
  }
}
