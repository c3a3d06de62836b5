"use strict";

/*
 * Schemas are functions (value, path) => list of problems, with methods to refine them.
 */

const problem = (path, message) => ({ path: path.join(".") || "value", message });

function schema(check) {
  const self = (value, path = []) => check(value, path);
  return Object.assign(self, {
    /** Adds a test that is made only for values without problems so far. */
    where(test, message) {
      return schema((value, path) => {
        const problems = self(value, path);
        return problems.length > 0 || test(value) ? problems : [problem(path, message)];
      });
    },
    optional: () => schema((value, path) => (value === undefined ? [] : self(value, path))),
    nullable: () => schema((value, path) => (value === null ? [] : self(value, path))),
    or(other) {
      return schema((value, path) => {
        const first = self(value, path);
        if (first.length === 0) return first;
        const second = other(value, path);
        return second.length === 0 ? second : [problem(path, `${first[0].message}, or ${second[0].message}`)];
      });
    },
  });
}

const typed = (type, article = "a") =>
  schema((value, path) => (typeof value === type ? [] : [problem(path, `must be ${article} ${type}`)]));

const string = () => typed("string");
const boolean = () => typed("boolean");
const number = ({ min = -Infinity, max = Infinity } = {}) =>
  typed("number")
    .where((n) => n >= min, `must be at least ${min}`)
    .where((n) => n <= max, `must be at most ${max}`);

const integer = (range) => number(range).where(Number.isInteger, "must be whole");

const oneOf = (...choices) => {
  const message = `must be one of ${choices.join(", ")}`;
  return schema((value, path) => (choices.includes(value) ? [] : [problem(path, message)]));
};

const list = (item, { min = 0 } = {}) =>
  schema((value, path) => {
    if (!Array.isArray(value)) return [problem(path, "must be a list")];
    const own = value.length < min ? [problem(path, `needs ${min} entries`)] : [];
    return [...own, ...value.flatMap((entry, i) => item(entry, [...path, i]))];
  });

const shape = (fields, { open = false } = {}) =>
  schema((value, path) => {
    if (typeof value !== "object" || value === null) return [problem(path, "must be an object")];
    const unknown = Object.keys(value).filter((key) => !open && !Object.hasOwn(fields, key));
    return [
      ...Object.entries(fields).flatMap(([key, field]) => field(value[key], [...path, key])),
      ...unknown.map((key) => problem([...path, key], "is unknown")),
    ];
  });

/** For shapes that contain themselves. */
const lazy = (make) => {
  let made;
  return schema((value, path) => (made ??= make())(value, path));
};

function write(problems, separator) {
  return problems.map(({ path, message }) => `${path} ${message}`).join(separator);
}

function assertValid(check, value) {
  if (typeof check !== "function") throw new TypeError("a schema is a function");
  const problems = check(value);
  if (problems.length > 0) throw new TypeError(write(problems, "; "));
  return value;
}

const category = shape({ name: string(), children: list(lazy(() => category)).optional() });
const size = oneOf("S", "M", "L").or(integer({ min: 30, max: 60 }));
const product = shape({
  name: string().where((text) => text.trim() !== "", "must not be blank"),
  price: number({ min: 0 }),
  sizes: list(size, { min: 1 }),
  category,
  onSale: boolean().optional(),
});
const discounted = product.where(({ onSale, price }) => !onSale || price > 5, "is too cheap for a sale");

const tree = { name: "clothes", children: [{ name: "hats" }, { name: "coats", children: [{ name: 7 }] }] };
const values = [
  { name: "Cap", price: 12.5, sizes: ["M", 58], category: tree.children[0] },
  { name: "Cap", price: 4, sizes: ["S"], category: { name: "hats" }, onSale: true },
  { name: "  ", price: -1, sizes: [], category: null },
  { name: "Coat", price: "9", sizes: ["XL", 30.5, 61, 60], category: tree, colour: "red" },
  "Cap",
];
for (const value of values) {
  console.log(write(discounted(value), "\n  ") || "ok");
}
try {
  assertValid(category, { name: "x", children: {} });
} catch ({ name, message }) {
  console.log(`${name}: ${message}`);
}
