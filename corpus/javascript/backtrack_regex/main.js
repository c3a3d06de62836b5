'use strict';

/*
 * Regular expressions by continuations. A matcher is a function (text, at, next) that calls
 * `next` with the place where it has stopped; the match succeeds if `next` returns a result.
 */

const empty = (text, at, next) => next(at);

const literal = (accepts) => (text, at, next) =>
  at < text.length && accepts(text[at]) ? next(at + 1) : null;

const sequence = (first, second) => (text, at, next) =>
  first(text, at, (middle) => second(text, middle, next));

const alternative = (one, other) => (text, at, next) => one(text, at, next) ?? other(text, at, next);

function repeat(inner, { min, max, greedy }) {
  const from = (count) => (text, at, next) => {
    const more = () => {
      if (count >= max) return null;
      // A round that takes nothing would go on for ever.
      return inner(text, at, (end) => (end === at && count >= min ? null : from(count + 1)(text, end, next)));
    };
    const enough = () => (count >= min ? next(at) : null);
    return greedy ? more() ?? enough() : enough() ?? more();
  };
  return from(0);
}

const assertion = (holds) => (text, at, next) => (holds(text, at) ? next(at) : null);
const atStart = assertion((_, at) => at === 0);
const atEnd = assertion((text, at) => at === text.length);
const isWord = (char) => char !== undefined && /\w/.test(char);
const atWordEdge = assertion((text, at) => isWord(text[at - 1]) !== isWord(text[at]));

function capture(inner, number, groups) {
  return (text, at, next) =>
    inner(text, at, (end) => {
      const before = groups[number];
      groups[number] = text.slice(at, end);
      const result = next(end);
      if (result === null) groups[number] = before;
      return result;
    });
}

const CLASSES = { d: /\d/, w: /\w/, s: /\s/ };

class Compiler {
  constructor(pattern) {
    this.pattern = pattern;
    this.at = 0;
    this.groups = [];
  }

  take(sign) {
    if (this.pattern[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  expect(sign) {
    if (!this.take(sign)) throw new SyntaxError(`missing ${sign} in ${this.pattern}`);
  }

  choice() {
    const first = this.chain();
    return this.take('|') ? alternative(first, this.choice()) : first;
  }

  chain() {
    let matcher = empty;
    while (this.at < this.pattern.length && !'|)'.includes(this.pattern[this.at])) {
      matcher = sequence(matcher, this.repeated());
    }
    return matcher;
  }

  repeated() {
    const atom = this.atom();
    const bounds = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[this.pattern[this.at]];
    if (!bounds) return atom;
    this.at += 1;
    const [min, max] = bounds;
    return repeat(atom, { min, max, greedy: !this.take('?') });
  }

  atom() {
    if (this.take('^')) return atStart;
    if (this.take('$')) return atEnd;
    if (this.take('.')) return literal(() => true);
    if (this.take('[')) return this.set();
    if (this.take('\\')) return this.escaped();
    if (this.take('(')) {
      const number = this.groups.push(undefined) - 1;
      const inner = this.choice();
      this.expect(')');
      return capture(inner, number, this.groups);
    }
    const sign = this.pattern[this.at++];
    if ('*+?'.includes(sign)) throw new SyntaxError(`nothing to repeat in ${this.pattern}`);
    return literal((char) => char === sign);
  }

  escaped() {
    const sign = this.pattern[this.at++];
    if (sign === 'b') return atWordEdge;
    return literal((char) => (sign in CLASSES ? CLASSES[sign].test(char) : char === sign));
  }

  set() {
    const negated = this.take('^');
    const ranges = [];
    while (this.at < this.pattern.length && this.pattern[this.at] !== ']') {
      const low = this.pattern[this.at++];
      ranges.push([low, this.take('-') ? this.pattern[this.at++] : low]);
    }
    this.expect(']');
    return literal((char) => ranges.some(([low, high]) => low <= char && char <= high) !== negated);
  }
}

function compile(pattern) {
  const compiler = new Compiler(pattern);
  const matcher = compiler.choice();
  if (compiler.at < pattern.length) throw new SyntaxError(`unexpected ) in ${pattern}`);
  return function search(text) {
    for (let start = 0; start <= text.length; start++) {
      compiler.groups.fill(undefined);
      const end = matcher(text, start, (at) => at);
      if (end !== null) return { start, match: text.slice(start, end), groups: [...compiler.groups] };
    }
    return null;
  };
}

const cases = [
  ['a+b', 'xaaab'], ['(cat|cart)s?$', 'carts'], ['<.*?>', '<b><i>'], ['^([^=]+)=(\\d*)$', 'size=12'],
  ['(a|ab)(c|bcd)', 'abcd'], ['(x*)*y', 'xxz'], ['[a-f]+[0-9]', 'zzfab7'], ['', 'any'],
];
for (const [pattern, text] of cases) {
  const found = compile(pattern)(text);
  console.log(pattern || '(empty)', found ? `${found.start} "${found.match}" [${found.groups}]` : 'no match');
}
for (const pattern of ['a|*', '(a', 'a)', '[a-']) {
  try {
    console.log(compile(pattern)('a'));
  } catch ({ message }) {
    console.log(message);
  }
}
