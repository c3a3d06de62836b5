import { Fraction, ZERO } from './fraction.mjs';

const TEASPOONS = { tsp: 1, tbsp: 3, cup: 48 };
const LINE = /^(?<amount>\d+(?: \d+\/\d+|\/\d+)?) (?:(?<unit>tsp|tbsp|cup)s? )?(?<what>.+)$/;

function parseIngredient(line) {
  const parts = LINE.exec(line)?.groups;
  if (!parts) return { what: line, free: true };
  return { amount: Fraction.parse(parts.amount), unit: parts.unit ?? null, what: parts.what };
}

/** Writes an amount in the largest spoon or cup of which there is at least a quarter. */
function chooseUnit(amount, unit) {
  if (unit === null) return [amount, null];
  const teaspoons = amount.times(TEASPOONS[unit]);
  for (const [candidate, size] of Object.entries(TEASPOONS).reverse()) {
    const converted = teaspoons.over(size);
    if (converted.compare(new Fraction(1, 4)) >= 0) return [converted, candidate];
  }
  return [teaspoons, 'tsp'];
}

function format({ amount, unit, what, free }) {
  if (free) return what;
  const many = amount.compare(new Fraction(1)) > 0;
  const words = [amount, unit && (many ? `${unit}s` : unit), what];
  return words.filter(Boolean).join(' ');
}

function scale(recipe, servings) {
  if (!(servings > 0)) throw new RangeError(`cannot cook for ${servings}`);
  const factor = new Fraction(servings, recipe.servings);
  return recipe.lines.map(parseIngredient).map((ingredient) => {
    if (ingredient.free) return ingredient;
    const [amount, unit] = chooseUnit(ingredient.amount.times(factor), ingredient.unit);
    return { ...ingredient, amount, unit };
  });
}

/** What to buy for several recipes: spoons and cups are added up, pieces apart from them. */
function shoppingList(...portions) {
  const totals = new Map();
  for (const { amount, unit, what, free } of portions.flat()) {
    if (free) continue;
    const key = `${what}/${unit ? 'volume' : 'pieces'}`;
    const entry = totals.get(key) ?? { what, unit: unit && 'tsp', amount: ZERO };
    entry.amount = entry.amount.plus(unit ? amount.times(TEASPOONS[unit]) : amount);
    totals.set(key, entry);
  }
  return [...totals.values()].map((entry) => {
    const [amount, unit] = chooseUnit(entry.amount, entry.unit);
    return format({ ...entry, amount, unit });
  });
}

const pancakes = {
  servings: 4,
  lines: ['1 1/2 cups flour', '2 tbsp sugar', '3 eggs', '1/2 tsp salt', '1 cup milk', 'some butter'],
};
const sauce = { servings: 6, lines: ['2 cups milk', '2/3 cup sugar', '5 eggs', '1 tsp vanilla'] };

const portion = scale(pancakes, 6);
portion.forEach((ingredient) => console.log(format(ingredient)));
console.log('--');
console.log(shoppingList(portion, scale(sauce, 2)).join('\n'));
try {
  Fraction.parse('1/0');
} catch (error) {
  console.log(error.name, error.message);
}
