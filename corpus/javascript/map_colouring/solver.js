'use strict';

/**
 * A solver for constraint problems: variables with domains, and constraints, which are asked
 * as soon as all their variables have a value.
 */
class Problem {
  #domains = new Map();
  #constraints = [];
  steps = 0;

  variable(name, domain) {
    if (this.#domains.has(name)) throw new Error(`variable ${name} again`);
    this.#domains.set(name, [...domain]);
    return this;
  }

  constrain(names, test) {
    const unknown = names.find((name) => !this.#domains.has(name));
    if (unknown !== undefined) throw new Error(`no variable ${unknown}`);
    this.#constraints.push({ names, test });
    return this;
  }

  different(...names) {
    names.forEach((one, i) => {
      for (const other of names.slice(i + 1)) this.constrain([one, other], (a, b) => a !== b);
    });
    return this;
  }

  /** Values that agree with all constraints whose other variables are assigned. */
  #open(name, assignment) {
    return this.#domains.get(name).filter((value) => {
      const trial = { ...assignment, [name]: value };
      return this.#constraints
        .filter(({ names }) => names.includes(name) && names.every((other) => Object.hasOwn(trial, other)))
        .every(({ names, test }) => test(...names.map((other) => trial[other])));
    });
  }

  /** The variable with the fewest open values is decided first. */
  #hardest(assignment) {
    let choice = null;
    for (const name of this.#domains.keys()) {
      if (Object.hasOwn(assignment, name)) continue;
      const values = this.#open(name, assignment);
      if (choice === null || values.length < choice.values.length) choice = { name, values };
    }
    return choice;
  }

  *solutions(assignment = {}) {
    const choice = this.#hardest(assignment);
    if (choice === null) {
      yield assignment;
      return;
    }
    for (const value of choice.values) {
      this.steps += 1;
      yield* this.solutions({ ...assignment, [choice.name]: value });
    }
  }

  first() {
    for (const solution of this.solutions()) return solution;
    return null;
  }

  count() {
    let total = 0;
    for (const _ of this.solutions()) total += 1;
    return total;
  }

  toString() {
    return `${this.#domains.size} variables, ${this.#constraints.length} constraints`;
  }
}

module.exports = Problem;
