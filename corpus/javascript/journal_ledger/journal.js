const { Account, toCents } = require('./accounts');

class LedgerError extends Error {
  get kind() {
    return 'refused';
  }
}

class Unbalanced extends LedgerError {
  constructor(cents) {
    super(`off by ${(cents / 100).toFixed(2)}`);
  }

  get kind() {
    return 'unbalanced';
  }
}

class UnknownAccount extends LedgerError {
  get kind() {
    return 'unknown account';
  }
}

class Journal {
  #accounts = new Map();
  #entries = [];

  open(name, kind) {
    if (this.#accounts.has(name)) throw new LedgerError(`${name} is open already`);
    this.#accounts.set(name, new Account(name, kind));
    return this;
  }

  #find(name) {
    const account = this.#accounts.get(name);
    if (!account) throw new UnknownAccount(name);
    return account;
  }

  /** Posts all lines of an entry, or none of them. */
  post(text, amounts) {
    const lines = Object.entries(amounts).map(([name, amount]) => [this.#find(name), toCents(amount)]);
    const difference = lines.reduce((sum, [, cents]) => sum + cents, 0);
    if (difference !== 0) throw new Unbalanced(difference);
    for (const [account, cents] of lines) account.apply(cents);
    this.#entries.push({ text, lines, reversed: false });
  }

  /** Reverses the latest entry with this text by an entry of its own. */
  undo(text) {
    const entry = this.#entries.findLast((candidate) => candidate.text === text && !candidate.reversed);
    if (!entry) throw new LedgerError(`nothing to undo for "${text}"`);
    entry.reversed = true;
    const lines = entry.lines.map(([account, cents]) => [account, -cents]);
    lines.forEach(([account, cents]) => account.apply(cents));
    this.#entries.push({ text: `undo ${text}`, lines, reversed: false });
  }

  get size() {
    return this.#entries.length;
  }

  get profit() {
    const total = (kind) =>
      [...this.#accounts.values()].filter((a) => a.kind === kind).reduce((sum, a) => sum + a.balance, 0);
    return total('income') - total('expense');
  }

  *accounts() {
    yield* this.#accounts.values();
  }

  trialBalance() {
    return [...this.accounts()].map((a) => (a.isDebit ? a.balance : -a.balance)).reduce((x, y) => x + y, 0);
  }
}

module.exports = { Journal, LedgerError };
