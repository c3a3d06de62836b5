/**
 * A calculator by top-down operator precedence: every token knows how it begins an
 * expression (prefix) and how it continues one (infix).
 */

const prefix = new Map();
const infix = new Map();

function operator(symbol, power, apply, { right = false } = {}) {
  infix.set(symbol, {
    power,
    parse: (left, cursor) => apply(left, cursor.expression(right ? power - 1 : power)),
  });
}

operator('+', 10, (a, b) => a + b);
operator('-', 10, (a, b) => a - b);
operator('*', 20, (a, b) => a * b);
operator('/', 20, divide);
operator('%', 20, (a, b) => ((a % b) + b) % b);
operator('^', 40, (a, b) => a ** b, { right: true });
prefix.set('-', (cursor) => -cursor.expression(30));
prefix.set('+', (cursor) => cursor.expression(30));
prefix.set('(', (cursor) => {
  const value = cursor.expression(0);
  cursor.expect(')');
  return value;
});
infix.set('!', { power: 50, parse: (left) => factorial(left) });

const constants = { pi: Math.PI, ten: 10 };
const functions = {
  max: Math.max,
  min: Math.min,
  sum: (...values) => values.reduce((a, b) => a + b, 0),
  hypot: (a, b) => functions.root(a * a + b * b),
  root: (value) => Math.sqrt(value),
};

function divide(a, b) {
  if (b === 0) throw new CalculationError('division by zero');
  return a / b;
}

function factorial(n) {
  if (!Number.isInteger(n) || n < 0) throw new CalculationError(`${n}! is not defined`);
  return n <= 1 ? 1 : n * factorial(n - 1);
}

class CalculationError extends Error {}

function tokenize(source) {
  const tokens = source.match(/\d+(?:\.\d+)?|[a-z]+|\S/g) ?? [];
  return [...tokens, '<end>'];
}

function createCursor(tokens) {
  let position = 0;
  const cursor = {
    peek: () => tokens[position],
    next: () => tokens[position++],
    expect(token) {
      const found = cursor.next();
      if (found !== token) throw new CalculationError(`expected ${token} but found ${found}`);
    },
    expression(minimum) {
      let left = begin(cursor);
      while ((infix.get(cursor.peek())?.power ?? 0) > minimum) {
        left = infix.get(cursor.next()).parse(left, cursor);
      }
      return left;
    },
  };
  return cursor;
}

function begin(cursor) {
  const token = cursor.next();
  if (/^\d/.test(token)) return Number(token);
  if (Object.hasOwn(functions, token)) return functions[token](...parseArguments(cursor));
  if (Object.hasOwn(constants, token)) return constants[token];
  const handler = prefix.get(token);
  if (!handler) throw new CalculationError(`unexpected ${token}`);
  return handler(cursor);
}

function parseArguments(cursor) {
  const values = [];
  cursor.expect('(');
  do {
    values.push(cursor.expression(0));
  } while (cursor.peek() === ',' && cursor.next());
  cursor.expect(')');
  return values;
}

function calculate(source) {
  const cursor = createCursor(tokenize(source));
  const value = cursor.expression(0);
  cursor.expect('<end>');
  return value;
}

const sources = ['1 + 2 * 3', '2 ^ 3 ^ 2', '-2 ^ 2', '(1 + 2) * -3', '3! - 10 / 4', 'max(2, hypot(3, 4), 1)'];
sources.push('-7 % 3', '4 / (2 - 2)', '2 * ', '2.5!', '8 - 3 - 2', '(1 2)');
for (const source of sources) {
  try {
    console.log(source, '=', calculate(source));
  } catch (error) {
    console.log(source, '->', error.message);
  }
}
