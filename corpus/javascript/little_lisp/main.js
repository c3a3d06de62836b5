'use strict';

const { LispError, Name, read, write } = require('./reader');

const isTrue = (value) => value !== false && !(Array.isArray(value) && value.length === 0);

const library = {
  '+': (...values) => values.reduce((a, b) => a + b, 0),
  '-': (first, ...rest) => (rest.length ? rest.reduce((a, b) => a - b, first) : -first),
  '*': (...values) => values.reduce((a, b) => a * b, 1),
  '<': (...values) => values.every((value, i) => i === 0 || values[i - 1] < value),
  '=': (a, b) => a === b,
  list: (...items) => items,
  first: ([head]) => head,
  rest: ([, ...tail]) => tail,
  cons: (head, tail) => [head, ...tail],
  map: (f, items) => items.map((item) => f(item)),
  fold: (f, start, items) => items.reduce((result, item) => f(result, item), start),
  error(message) {
    throw new LispError(message);
  },
};

// Scopes are objects whose prototype is the scope around them.
const newScope = (outer, entries = {}) => Object.assign(Object.create(outer), entries);

const specialForms = {
  quote: ([form]) => form,
  if: ([test, yes, no], scope) => {
    if (isTrue(evaluate(test, scope))) return evaluate(yes, scope);
    return no === undefined ? false : evaluate(no, scope);
  },
  define([target, ...body], scope) {
    if (Array.isArray(target)) {
      const [name, ...parameters] = target;
      scope[name.text] = makeFunction(parameters, body, scope);
      return name;
    }
    scope[target.text] = evaluate(body[0], scope);
    return target;
  },
  lambda: ([parameters, ...body], scope) => makeFunction(parameters, body, scope),
  let([bindings, ...body], scope) {
    const values = bindings.map(([name, form]) => [name.text, evaluate(form, scope)]);
    return evaluateAll(body, newScope(scope, Object.fromEntries(values)));
  },
  and: (forms, scope) => forms.reduce((value, form) => (isTrue(value) ? evaluate(form, scope) : value), true),
  'set!'([name, form], scope) {
    let owner = scope;
    while (owner && !Object.hasOwn(owner, name.text)) owner = Object.getPrototypeOf(owner);
    if (!owner) throw new LispError(`${name.text} is not defined`);
    return (owner[name.text] = evaluate(form, scope));
  },
};

function makeFunction(parameters, body, scope) {
  return (...values) => {
    if (values.length !== parameters.length) {
      throw new LispError(`expected ${parameters.length} values, got ${values.length}`);
    }
    const entries = Object.fromEntries(parameters.map(({ text }, i) => [text, values[i]]));
    return evaluateAll(body, newScope(scope, entries));
  };
}

const evaluateAll = (forms, scope) => forms.reduce((_, form) => evaluate(form, scope), false);

function evaluate(form, scope) {
  if (form instanceof Name) {
    if (!(form.text in scope)) throw new LispError(`${form.text} is not defined`);
    return scope[form.text];
  }
  if (!Array.isArray(form) || form.length === 0) return form;
  const [head, ...rest] = form;
  const special = head instanceof Name && Object.hasOwn(specialForms, head.text);
  if (special) return specialForms[head.text](rest, scope);
  const callee = evaluate(head, scope);
  if (typeof callee !== 'function') throw new LispError(`${write(callee)} is no function`);
  return callee(...rest.map((argument) => evaluate(argument, scope)));
}

function runAll(source) {
  const scope = newScope(Object.assign(Object.create(null), library, { true: true, false: false }));
  try {
    for (const form of read(source)) {
      const value = evaluate(form, scope);
      if (!(value instanceof Name)) console.log(write(value));
    }
  } catch (error) {
    if (!(error instanceof LispError)) throw error;
    console.log('error:', error.message);
  }
}

runAll(`(define (fact n) (if (< n 2) 1 (* n (fact (- n 1)))))
(fact 10) ; a comment
(define (counter) (let ((n 0)) (lambda () (set! n (+ n 1)))))
(define tick (counter))
(list (tick) (tick) ((counter)))
(map (lambda (x) (cons x '(a "b"))) (list 1 2))
(and 1 (if '() 2) (error "not reached"))`);
const sources = ['(+ 1 (twice 2))', "(fold * 1 '(2 3 4)) (fact)", '((lambda (x) x) 1 2)', '(list 1 (2'];
for (const source of sources) runAll(source);
