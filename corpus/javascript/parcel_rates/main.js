const { rules, subtotal } = require('./rules');

class RuleEngine {
  #rules;
  #listeners = [];

  constructor(rules) {
    this.#rules = rules
      .map((rule, index) => ({ ...rule, index }))
      .sort((a, b) => b.priority - a.priority || a.index - b.index);
  }

  onFire(listener) {
    this.#listeners.push(listener);
    return this;
  }

  without(...names) {
    const unknown = names.find((name) => !this.#rules.some((rule) => rule.name === name));
    if (unknown !== undefined) throw new Error(`no rule ${unknown}`);
    return new RuleEngine(this.#rules.filter(({ name }) => !names.includes(name)));
  }

  run(facts, result) {
    for (const { name, when, then, last = false } of this.#rules) {
      if (!when(facts, result)) continue;
      then(result, facts);
      this.#listeners.forEach((listener) => listener(name, facts));
      if (last) break;
    }
    return result;
  }
}

const usage = {};
const engine = new RuleEngine(rules).onFire((name) => {
  usage[name] = (usage[name] ?? 0) + 1;
});

const quoteFor = (parcel, using = engine) => using.run(parcel, { items: [], refused: null });

const money = (cents) => (cents / 100).toFixed(2);

function print(label, quote) {
  if (quote.refused) return console.log(`${label}: ${quote.refused}`);
  const items = quote.items.map((item) => `${item.label} ${money(item.amount)}`);
  return console.log(`${label}: ${money(subtotal(quote))} = ${items.join(' + ')}`);
}

/** The parcel that is cheapest to send; refused ones cannot be it. */
function cheapest(parcels) {
  const priced = Object.entries(parcels)
    .map(([label, parcel]) => [label, quoteFor(parcel)])
    .filter(([, { refused }]) => !refused);
  return priced.reduce((best, next) => (subtotal(next[1]) < subtotal(best[1]) ? next : best))[0];
}

function parcel(grams, size, extra = {}) {
  if (!(grams > 0)) throw new RangeError(`a parcel cannot weigh ${grams} g`);
  return { grams, size, zone: 1, ...extra };
}

const parcels = {
  letter: parcel(200, [30, 20, 5]),
  books: parcel(5000, [40, 30, 20], { zone: 3, express: true }),
  ski: parcel(4200, [190, 20, 10], { value: 900 }),
  vase: parcel(1001, [60, 40, 40], { customer: 'staff', express: true, value: 501 }),
  pen: parcel(50, [20, 5, 5], { customer: 'gold' }),
  anvil: parcel(10001, [40, 30, 30]),
  sofa: parcel(9000, [101, 60, 40]),
  crate: parcel(10000, [100, 60, 40], { zone: 2 }),
};

function printAll(parcels, { brief = false } = {}) {
  if (brief) return console.log('cheapest:', cheapest(parcels));
  return Object.entries(parcels).forEach(([label, candidate]) => print(label, quoteFor(candidate)));
}

printAll(parcels);
print('ski, no extras', quoteFor(parcels.ski, engine.without('bulky', 'insured')));
console.log(Object.entries(usage).map(([name, times]) => `${name} ${times}`).join(', '));
