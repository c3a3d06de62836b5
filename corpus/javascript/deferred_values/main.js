'use strict';

/*
 * Deferred values with a queue of their own: nothing happens before `drain` is called.
 * The states and rules are those of promises, kept short.
 */

const queue = [];

function drain() {
  let jobs = 0;
  while (queue.length > 0) {
    const job = queue.shift();
    job();
    jobs += 1;
  }
  return jobs;
}

class Deferred {
  #state = 'pending';
  #value = undefined;
  #reactions = [];

  constructor(start) {
    let called = false;
    const onlyOnce = (settle) => (value) => {
      if (called) return;
      called = true;
      settle(value);
    };
    const reject = onlyOnce((reason) => this.#settle('rejected', reason));
    const resolve = onlyOnce((value) => this.#follow(value));
    try {
      start(resolve, reject);
    } catch (error) {
      reject(error);
    }
  }

  #follow(value) {
    if (value === this) this.#settle('rejected', new TypeError('waits for itself'));
    else if (typeof value?.then === 'function') {
      const fail = (reason) => this.#settle('rejected', reason);
      queue.push(() => value.then((inner) => this.#follow(inner), fail));
    } else this.#settle('fulfilled', value);
  }

  #settle(state, value) {
    this.#state = state;
    this.#value = value;
    for (const reaction of this.#reactions.splice(0)) queue.push(reaction);
  }

  then(onFulfilled, onRejected) {
    return new Deferred((resolve, reject) => {
      const react = () => {
        const handler = this.#state === 'fulfilled' ? onFulfilled : onRejected;
        const passOn = this.#state === 'fulfilled' ? resolve : reject;
        if (!handler) return passOn(this.#value);
        try {
          resolve(handler(this.#value));
        } catch (error) {
          reject(error);
        }
      };
      if (this.#state === 'pending') this.#reactions.push(react);
      else queue.push(react);
    });
  }

  catch(onRejected) {
    return this.then(undefined, onRejected);
  }

  finally(action) {
    return this.then(
      (value) => Deferred.of(action()).then(() => value),
      (reason) => Deferred.of(action()).then(() => Deferred.fail(reason)),
    );
  }

  static of(value) {
    return new Deferred((resolve) => resolve(value));
  }

  static fail(reason) {
    return new Deferred((_, reject) => reject(reason));
  }

  static all(list) {
    return new Deferred((resolve, reject) => {
      const values = [];
      let open = list.length;
      if (open === 0) resolve(values);
      list.forEach((entry, i) => {
        Deferred.of(entry).then((value) => {
          values[i] = value;
          if (--open === 0) resolve(values);
        }, reject);
      });
    });
  }
}

const log = [];
const note = (label) => (value) => {
  log.push(`${label}=${value instanceof Error ? value.message : value}`);
  return value;
};

let open;
const gate = new Deferred((resolve) => (open = resolve));
gate.then(note('gate')).then((text) => text.length).then(note('length'));
Deferred.of(2).then((n) => Deferred.of(n * 21)).then(note('nested'));
Deferred.fail(new Error('rain')).then(note('never')).catch(note('caught')).finally(() => log.push('finally'));
new Deferred(() => { throw new RangeError('thrown'); }).then(null, note('early'));

console.log('before', log.length, 'jobs', drain());
console.log(log.splice(0).join(', '));

open('opened');
open('again');
Deferred.all([1, Deferred.of(2), gate]).then((values) => note('all')(values.join('+')));
Deferred.all([Deferred.fail(new Error('first')), 5]).catch(note('all failed'));
const own = Deferred.of(null).then(() => own);
own.catch(note('own'));
console.log('after', log.length, 'jobs', drain(), 'left', drain());
console.log(log.join(', '));
