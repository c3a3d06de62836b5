'use strict';

// A simulation of a bank by events: customers arrive, wait, are served by tellers, and leave.

class Random {
  constructor(seed) {
    this.state = seed;
  }

  next() {
    this.state = (this.state * 48271) % 2147483647;
    return this.state / 2147483647;
  }

  between(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }
}

class Event {
  constructor(time) {
    this.time = time;
  }

  fire() {}
}

class Arrival extends Event {
  constructor(time, customer) {
    super(time);
    this.customer = customer;
  }

  fire(bank) {
    bank.scheduleArrival(this.time);
    this.customer.arrived = this.time;
    if (bank.queue.length >= bank.options.room) bank.turnAway();
    else {
      bank.queue.push(this.customer);
      bank.longest = Math.max(bank.longest, bank.queue.length);
      bank.serve(this.time);
    }
  }
}

class Departure extends Event {
  constructor(time, teller) {
    super(time);
    this.teller = teller;
  }

  fire(bank) {
    this.teller.customer = null;
    bank.serve(this.time);
  }
}

class Break extends Event {
  constructor(time, teller, length) {
    super(time);
    this.teller = teller;
    this.length = length;
  }

  fire(bank) {
    if (this.teller.absentUntil > this.time) return; // on a break already
    // Whoever is being served is served to the end.
    this.teller.absentUntil = this.time + this.length;
    bank.schedule(new Return(this.teller.absentUntil, this.teller));
  }
}

class Return extends Event {
  constructor(time, teller) {
    super(time);
    this.teller = teller;
  }

  fire(bank) {
    bank.serve(this.time);
  }
}

class Bank {
  queue = [];
  longest = 0;
  served = [];
  lost = 0;
  #agenda = [];
  #customers = 0;

  constructor(tellers, options) {
    if (tellers.length === 0) throw new RangeError('a bank needs a teller');
    this.tellers = tellers.map((name) => ({ name, customer: null, absentUntil: 0, busy: 0 }));
    this.options = { closing: 60, room: Infinity, gap: [1, 5], service: [4, 9], seed: 1, ...options };
    this.random = new Random(this.options.seed);
    this.scheduleArrival(0);
  }

  schedule(event) {
    const later = this.#agenda.findIndex(({ time }) => time > event.time);
    this.#agenda.splice(later < 0 ? this.#agenda.length : later, 0, event);
  }

  scheduleArrival(now) {
    const time = now + this.random.between(...this.options.gap);
    if (time >= this.options.closing) return;
    this.schedule(new Arrival(time, { number: ++this.#customers }));
  }

  serve(now) {
    for (const teller of this.tellers) {
      if (teller.customer !== null || teller.absentUntil > now || this.queue.length === 0) continue;
      const customer = this.queue.shift();
      const duration = this.random.between(...this.options.service);
      teller.customer = customer;
      teller.busy += duration;
      this.served.push({ ...customer, waited: now - customer.arrived });
      this.schedule(new Departure(now + duration, teller));
    }
  }

  turnAway() {
    this.lost += 1;
  }

  run() {
    let now = 0;
    while (this.#agenda.length > 0) {
      const event = this.#agenda.shift();
      now = event.time;
      event.fire(this);
    }
    return now;
  }
}

function report(name, bank) {
  const end = bank.run();
  const waits = bank.served.map(({ waited }) => waited);
  const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
  console.log(`${name}: served ${waits.length}, lost ${bank.lost}, end ${end}, queue ${bank.longest}`);
  const busy = bank.tellers.map((teller) => teller.busy).join(' ');
  console.log(`  wait ${mean.toFixed(1)} (max ${Math.max(...waits)}), busy ${busy}`);
}

report('one teller', new Bank(['ann'], { room: 3 }));
report('two tellers', new Bank(['ann', 'bob'], {}));
const resting = new Bank(['ann', 'bob'], { seed: 99, gap: [2, 4] });
resting.schedule(new Break(15, resting.tellers[0], 20));
report('with a break', resting);
