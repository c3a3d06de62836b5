'use strict';

const filters = {
  upper: (value) => String(value).toUpperCase(),
  title: (value) => String(value).replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  money: (value) => `$${Number(value).toFixed(2)}`,
  default: (value, fallback) => (value === undefined || value === '' ? fallback : value),
  join: (value, separator = ',') => [...value].join(`${separator} `),
  limit(value, size) {
    const text = String(value);
    return text.length > Number(size) ? text.slice(0, Number(size)).trimEnd() + '…' : text;
  },
};

/** Applies one filter written as `name` or `name:argument`. */
exports.applyFilter = function applyFilter(value, call) {
  const [name, argument] = call.split(':').map((part) => part.trim());
  if (!Object.hasOwn(filters, name)) throw new SyntaxError(`unknown filter "${name}"`);
  const filter = filters[name];
  return filter(value, argument);
};

exports.register = function register(name, filter) {
  filters[name] = filter;
};
