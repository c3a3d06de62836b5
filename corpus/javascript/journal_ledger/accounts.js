const DEBIT_KINDS = new Set(['asset', 'expense']);
const CREDIT_KINDS = new Set(['liability', 'equity', 'income']);

/** An account; amounts are kept in cents, debits positive. */
class Account {
  #cents = 0;

  constructor(name, kind) {
    if (!DEBIT_KINDS.has(kind) && !CREDIT_KINDS.has(kind)) throw new TypeError(`no kind ${kind}`);
    this.name = name;
    this.kind = kind;
  }

  apply(cents) {
    this.#cents += cents;
  }

  get isDebit() {
    return DEBIT_KINDS.has(this.kind);
  }

  /** The balance as its owner expects to read it: positive on the usual side. */
  get balance() {
    const sign = this.isDebit ? 1 : -1;
    return (sign * this.#cents) / 100 || 0;
  }

  get side() {
    if (this.#cents === 0) return '-';
    return this.#cents > 0 ? 'Dr' : 'Cr';
  }
}

const toCents = (amount) => Math.round(amount * 100);

module.exports = { Account, toCents };
