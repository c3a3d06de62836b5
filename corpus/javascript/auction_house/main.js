'use strict';

/** Base of all auctions: takes bids, then decides once. */
class Auction {
  #closed = false;
  bids = [];

  constructor(lot, reserve = 0) {
    if (new.target === Auction) throw new TypeError('choose a kind of auction');
    this.lot = lot;
    this.reserve = reserve;
  }

  accepts(bid) {
    return !this.#closed && bid.amount > 0;
  }

  bid(bidder, amount) {
    const bid = { bidder, amount, order: this.bids.length };
    const accepted = this.accepts(bid);
    if (accepted) this.bids.push(bid);
    return accepted;
  }

  get ranking() {
    return [...this.bids].sort((a, b) => b.amount - a.amount || a.order - b.order);
  }

  winner() {
    const [best] = this.ranking;
    return best && best.amount >= this.reserve ? best : null;
  }

  price() {
    throw new Error(`${this.kind} has no price rule`);
  }

  close() {
    this.#closed = true;
    const best = this.winner();
    if (!best) return { lot: this.lot, sold: false };
    return { lot: this.lot, sold: true, to: best.bidder, price: this.price(best) };
  }

  get kind() {
    return 'auction';
  }
}

/** Bids are open, and each must top the one before by a step. */
class EnglishAuction extends Auction {
  constructor(lot, reserve, step = 10) {
    super(lot, reserve);
    this.step = step;
  }

  get highest() {
    return this.bids.at(-1)?.amount ?? 0;
  }

  accepts(bid) {
    const own = this.bids.at(-1)?.bidder === bid.bidder;
    return super.accepts(bid) && !own && bid.amount >= this.highest + this.step;
  }

  price({ amount }) {
    return amount;
  }

  get kind() {
    return 'english';
  }
}

/** Bids are secret, one for each bidder. */
class SealedAuction extends Auction {
  accepts(bid) {
    return super.accepts(bid) && !this.bids.some(({ bidder }) => bidder === bid.bidder);
  }

  price({ amount }) {
    return amount;
  }

  get kind() {
    return `sealed ${super.kind}`;
  }
}

/** The winner pays what the second one offered. */
class SecondPriceAuction extends SealedAuction {
  price() {
    const second = this.ranking[1]?.amount ?? 0;
    return Math.max(second, this.reserve);
  }

  get kind() {
    return `second-price ${super.kind}`;
  }
}

class DutchAuction extends Auction {
  constructor(lot, start, step, reserve) {
    super(lot, reserve);
    this.asking = start;
    this.step = step;
  }

  /** Lowers the asking price until somebody is willing to pay it. */
  run(limits) {
    while (this.asking > 0 && this.asking >= this.reserve && this.bids.length === 0) {
      const taker = Object.keys(limits).find((bidder) => limits[bidder] >= this.asking);
      if (taker !== undefined) this.bid(taker, this.asking);
      else this.asking -= this.step;
    }
    return this.close();
  }

  accepts(bid) {
    return super.accepts(bid) && bid.amount === this.asking;
  }

  price() {
    return this.asking;
  }
}

const report = ({ lot, sold, to, price }, kind) =>
  console.log(sold ? `${lot} (${kind}): ${to} pays ${price}` : `${lot} (${kind}): not sold`);

const offers = [['ina', 50], ['jon', 55], ['ina', 70], ['ina', 90], ['jon', 80], ['kim', 90], ['jon', -5]];
const auctions = [
  new EnglishAuction('clock', 60),
  new SealedAuction('lamp'),
  new SecondPriceAuction('chair', 20),
  new SecondPriceAuction('vase', 85),
];

for (const auction of auctions) {
  const taken = offers.map(([bidder, amount]) => auction.bid(bidder, amount));
  console.log(taken.map((accepted) => (accepted ? '+' : '-')).join(''), auction.ranking.length);
  report(auction.close(), auction.kind);
}
console.log('late bid:', auctions[0].bid('kim', 500));
const tulips = new DutchAuction('tulips', 100, 15, 40);
report(tulips.run({ ina: 60, jon: 72, kim: 71 }), tulips.kind);
report(new DutchAuction('weeds', 50, 20, 30).run({ ina: 25 }), 'dutch');
try {
  new Auction('nothing');
} catch ({ message }) {
  console.log(message);
}
