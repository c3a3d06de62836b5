/** Rules of the price list: `when` decides whether a rule applies, `then` changes the quote. */

const add = (label, amount) => (quote) => quote.items.push({ label, amount });

const share = (label, percent) => (quote) =>
  add(label, Math.round((subtotal(quote) * percent) / 100))(quote);

const subtotal = ({ items }) => items.reduce((sum, { amount }) => sum + amount, 0);

const girth = ({ size: [a, b, c] }) => a + 2 * (b + c);

const isLarge = (parcel) => girth(parcel) > 300;

const refuse = (reason) => (quote) => {
  quote.refused = reason;
};

const forZone = (quote, { zone }) => add('zone', 300 * (zone - 1))(quote);

const topUp = (quote) => add('minimum', 350 - subtotal(quote))(quote);

const isStaff = ({ customer }) => customer === 'staff';

const WEIGHTS = [
  { upTo: 1000, price: 390 },
  { upTo: 5000, price: 590 },
  { upTo: 10000, price: 890 },
];

const always = () => true;

module.exports = {
  subtotal,
  rules: [
    { name: 'heavy', priority: 9, when: ({ grams }) => grams > 10000, then: refuse('too heavy'), last: true },
    { name: 'large', priority: 9, when: isLarge, then: refuse('too large'), last: true },
    {
      name: 'weight',
      priority: 8,
      when: always,
      then(quote, { grams }) {
        const { price, upTo } = WEIGHTS.find((step) => grams <= step.upTo);
        add(`up to ${upTo / 1000} kg`, price)(quote);
      },
    },
    { name: 'bulky', priority: 7, when: ({ size }) => Math.max(...size) > 120, then: add('bulky', 400) },
    { name: 'abroad', priority: 6, when: ({ zone }) => zone > 1, then: forZone },
    { name: 'insured', priority: 5, when: ({ value = 0 }) => value > 500, then: share('insurance', 10) },
    { name: 'express', priority: 4, when: ({ express }) => express, then: share('express', 50) },
    { name: 'staff', priority: 4, when: isStaff, then: share('staff', -25), last: true },
    { name: 'bonus', priority: 3, when: ({ customer }) => customer === 'gold', then: add('bonus', -100) },
    { name: 'minimum', priority: 1, when: (_, quote) => subtotal(quote) < 350, then: topUp },
  ],
};
