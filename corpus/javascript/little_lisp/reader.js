'use strict';

class LispError extends Error {}

/** A name in a program, as opposed to a text; the same name is always the same object. */
class Name {
  static #known = new Map();

  constructor(text) {
    this.text = text;
  }

  static of(text) {
    if (!Name.#known.has(text)) Name.#known.set(text, new Name(text));
    return Name.#known.get(text);
  }
}

function* tokenize(source) {
  for (const [token] of source.matchAll(/;.*|"[^"]*"|[()']|[^\s()']+/g)) {
    if (!token.startsWith(';')) yield token;
  }
}

function read(source) {
  const tokens = tokenize(source);
  const readForm = (token) => {
    if (token === undefined) throw new LispError('nothing after a quote sign');
    if (token === '(') return readList();
    if (token === ')') throw new LispError('unexpected )');
    if (token === "'") return [Name.of('quote'), readForm(tokens.next().value)];
    if (token.startsWith('"')) return token.slice(1, -1);
    return Number.isNaN(Number(token)) ? Name.of(token) : Number(token);
  };
  const readList = () => {
    const items = [];
    for (;;) {
      const { value: token, done } = tokens.next();
      if (done) throw new LispError('missing )');
      if (token === ')') return items;
      items.push(readForm(token));
    }
  };
  const forms = [];
  for (let step = tokens.next(); !step.done; step = tokens.next()) forms.push(readForm(step.value));
  return forms;
}

function write(value) {
  if (Array.isArray(value)) return `(${value.map(write).join(' ')})`;
  if (value instanceof Name) return value.text;
  if (typeof value === 'function') return '<function>';
  return typeof value === 'string' ? `"${value}"` : String(value);
}

module.exports = { LispError, Name, read, write };
