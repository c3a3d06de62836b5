"use strict";

// Records behind proxies: they check what is written, fill in defaults, and keep a history.

const rules = {
  required: (value) => value !== undefined && value !== "",
  positive: (value) => typeof value === "number" && value > 0,
  short: (value) => value.length <= 40,
  email: (value) => /^[^@\s]+@[^@\s]+$/.test(value),
};

class RuleBroken extends TypeError {
  constructor(path, rule) {
    super(`${path}: ${rule}`);
    this.path = path;
  }
}

/** A record that can only hold values which keep the rules of its fields. */
function guard(target, schema, { log = [], path = "" } = {}) {
  const full = (key) => (path ? `${path}.${key}` : key);
  return new Proxy(target, {
    get(object, key, receiver) {
      if (key === GuardLog) return log;
      const value = Reflect.get(object, key, receiver);
      const inner = schema[key]?.fields;
      if (inner && value !== undefined) return guard(value, inner, { log, path: full(key) });
      if (value === undefined && schema[key]) return resolveDefault(schema[key].default, receiver);
      return value;
    },

    set(object, key, value, receiver) {
      if (!Object.hasOwn(schema, key)) throw new RuleBroken(full(key), "unknown");
      for (const rule of schema[key].rules ?? []) {
        if (!rules[rule](value)) throw new RuleBroken(full(key), rule);
      }
      const before = object[key];
      if (Object.is(before, value)) return true;
      log.push({ path: full(key), before, undo: () => restore(object, key, before) });
      return Reflect.set(object, key, value, receiver);
    },

    deleteProperty(object, key) {
      if (schema[key]?.rules?.includes("required")) throw new RuleBroken(full(key), "required");
      const before = object[key];
      const undo = () => restore(object, key, before);
      if (before !== undefined) log.push({ path: full(key), before, undo });
      return Reflect.deleteProperty(object, key);
    },

    has: (object, key) => key in schema || key in object,

    ownKeys: (object) => Reflect.ownKeys(object).filter((key) => !schema[key]?.hidden),
  });
}

const GuardLog = Symbol("log");

function resolveDefault(standard, record) {
  return typeof standard === "function" ? standard(record) : standard;
}

function restore(object, key, before) {
  if (before === undefined) delete object[key];
  else object[key] = before;
}

const historyOf = (record) => record[GuardLog];

/** Takes the latest changes back, as many as wanted. */
function undo(record, count = 1) {
  const log = historyOf(record);
  const latest = log.splice(Math.max(0, log.length - count));
  for (const entry of latest.reverse()) entry.undo();
  return log.length;
}

/** A list that also understands negative positions; calls of its methods are counted. */
function friendlyList(items) {
  const calls = {};
  const resolve = (list, key) => {
    const negative = typeof key === "string" && /^-\d+$/.test(key);
    return negative ? String(list.length + Number(key)) : key;
  };
  const proxy = new Proxy(items, {
    get(list, key) {
      const value = Reflect.get(list, resolve(list, key));
      if (typeof value !== "function") return value;
      return (...args) => {
        calls[key] = (calls[key] ?? 0) + 1;
        return value.apply(list, args);
      };
    },
    set: (list, key, value) => Reflect.set(list, resolve(list, key), value),
  });
  return [proxy, calls];
}

const schema = {
  name: { rules: ["required"] },
  email: { rules: ["email"], default: ({ name }) => `${name.toLowerCase()}@example.org` },
  pin: { hidden: true },
  address: { fields: { street: { rules: ["short"] }, number: { rules: ["positive"], default: 1 } } },
};

const person = guard({ name: "Ruth", pin: 1234, address: { street: "Elm" } }, schema);
console.log(person.email, person.address.number, "pin" in person, Object.keys(person).join());
person.name = "Ruth Ann";
person.email = "ra@mail.test";
person.address.number = 7;
person.address.number = 7;
delete person.pin;
const attempts = [
  () => (person.address.number = -1),
  () => (person.email = "nowhere"),
  () => (person.shoe = 38),
  () => delete person.name,
];
for (const attempt of attempts) {
  try {
    attempt();
  } catch (error) {
    console.log(error instanceof RuleBroken, error.message);
  }
}
console.log(historyOf(person).map(({ path, before }) => `${path}<${before}`).join(" "));
console.log(undo(person, 3), person.pin, person.address.number, person.email, person.name);

const [days, calls] = friendlyList(["mon", "tue", "wed"]);
days[-1] = "fri";
days.push("sat");
console.log(days[-1], days[-2], days[0], days.map((day) => day[0]).join(""), calls);
