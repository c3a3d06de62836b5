const COINS = [200, 100, 50, 20, 10];

const euros = (cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

class Slot {
  constructor(name, price, count) {
    this.name = name;
    this.price = price;
    this.count = count;
  }

  get empty() {
    return this.count === 0;
  }
}

class Till {
  constructor(coins) {
    this.coins = new Map(COINS.map((coin) => [coin, coins[coin] ?? 0]));
  }

  put(coin) {
    this.coins.set(coin, this.coins.get(coin) + 1);
  }

  /** The coins for an amount, the largest first; null if the till cannot pay it. */
  plan(amount, from = 0) {
    if (amount === 0) return [];
    if (from === COINS.length) return null;
    const coin = COINS[from];
    const most = Math.min(this.coins.get(coin), Math.floor(amount / coin));
    for (let count = most; count >= 0; count--) {
      const rest = this.plan(amount - count * coin, from + 1);
      if (rest) return [...Array(count).fill(coin), ...rest];
    }
    return null;
  }

  pay(coins) {
    if (coins === null) throw new Error('the till cannot pay');
    for (const coin of coins) this.coins.set(coin, this.coins.get(coin) - 1);
    return coins;
  }
}

// state -> event -> [action, next state]; an action may say that the state stays.
const TRANSITIONS = {
  waiting: {
    coin: ['accept', 'paying'],
    service: ['refill', 'waiting'],
  },
  paying: {
    coin: ['accept', 'paying'],
    choose: ['sell', 'waiting'],
    cancel: ['refund', 'waiting'],
  },
};

class VendingMachine {
  #credit = 0;
  #state = 'waiting';

  constructor(slots, till) {
    this.slots = slots;
    this.till = till;
  }

  handle(event, ...details) {
    const known = TRANSITIONS[this.#state];
    if (!Object.hasOwn(known, event)) return `${event}: not while ${this.#state}`;
    const [action, next] = known[event];
    const { message, stay } = this[action](...details);
    if (!stay) this.#state = next;
    return `${event}: ${message}`;
  }

  accept(coin) {
    if (!COINS.includes(coin)) return { message: `returns ${coin}`, stay: true };
    this.till.put(coin);
    this.#credit += coin;
    return { message: euros(this.#credit) };
  }

  sell(key) {
    if (!Object.hasOwn(this.slots, key)) return { message: `no slot ${key}`, stay: true };
    const slot = this.slots[key];
    if (slot.empty) return { message: `${slot.name} is sold out`, stay: true };
    const missing = slot.price - this.#credit;
    if (missing > 0) return { message: `${slot.name} needs ${euros(missing)} more`, stay: true };
    const change = this.till.plan(-missing);
    if (change === null) return { message: 'exact money only', stay: true };
    slot.count -= 1;
    this.#credit = 0;
    return { message: [slot.name, ...this.till.pay(change)].join(' ') };
  }

  refund() {
    const coins = this.till.pay(this.till.plan(this.#credit));
    this.#credit = 0;
    return { message: `returns ${coins.join(' ')}` };
  }

  refill(key, count) {
    if (!Object.hasOwn(this.slots, key)) return { message: `no slot ${key}` };
    this.slots[key].count += count;
    return { message: `${this.slots[key].name}: ${this.slots[key].count}` };
  }
}

const machine = new VendingMachine(
  { A: new Slot('water', 90, 1), B: new Slot('nuts', 140, 3), C: new Slot('gum', 50, 9) },
  new Till({ 50: 1, 20: 3 }),
);

const events = `choose A|coin 100|choose B|coin 5|choose A|coin 50|cancel|coin 100|choose A|choose D
coin 50|choose C|choose B|cancel|coin 200|choose B|choose C|cancel`;

for (const line of events.split('\n')) {
  const answers = line.split('|').map((text) => {
    const [event, detail] = text.split(' ');
    return machine.handle(event, event === 'coin' ? Number(detail) : detail);
  });
  console.log(answers.join('\n'));
}
