/** Rules of the price list: `when` decides whether a rule applies, `then` changes the quote. */

const add = (label, amount) => (quote) => quote.items.push({ label, amount });

const share = (label, percent) => (quote) =>
  add(label, Math.round((subtotal(quote) * percent) / 100))(quote);

const subtotal = ({ items }) => items.reduce((sum, { amount }) => sum + amount, 0);

const girth = ({ size: [a, b, c] }) => a + 2 * (b + c);

const refuse = (reason) => (quote) => {
  quote.refused = reason;
};

const WEIGHTS = [
  { upTo: 1000, price: 390 },
  { upTo: 5000, price: 590 },
  { upTo: 10000, price: 890 },
];

const rules = {
  heavy: { priority: 9, when: ({ grams }) => grams > 10000, then: refuse('too heavy'), last: true },
  large: { priority: 9, when: (parcel) => girth(parcel) > 300, then: refuse('too large'), last: true },
  weight: {
    priority: 8,
    when: () => true,
    then(quote, { grams }) {
      const { price, upTo } = WEIGHTS.find((step) => grams <= step.upTo);
      add(`up to ${upTo / 1000} kg`, price)(quote);
    },
  },
  bulky: { priority: 7, when: ({ size }) => Math.max(...size) > 120, then: add('bulky', 400) },
  abroad: {
    priority: 6,
    when: ({ zone }) => zone > 1,
    then: (quote, { zone }) => add('zone', 300 * (zone - 1))(quote),
  },
  insured: { priority: 5, when: ({ value = 0 }) => value > 500, then: share('insurance', 10) },
  express: { priority: 4, when: ({ express }) => express, then: share('express', 50) },
  staff: { priority: 4, when: ({ customer }) => customer === 'staff', then: share('staff', -25), last: true },
  bonus: { priority: 3, when: ({ customer }) => customer === 'gold', then: add('bonus', -100) },
  minimum: {
    priority: 1,
    when: (_, quote) => subtotal(quote) < 350,
    then: (quote) => add('minimum', 350 - subtotal(quote))(quote),
  },
};

module.exports = { subtotal, rules: Object.entries(rules).map(([name, rule]) => ({ name, ...rule })) };
