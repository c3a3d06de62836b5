/** Steps that may fail, one after another, without exceptions. */
type Outcome<T> = { ok: true; value: T } | { ok: false; reason: string };

class Chain<T> {
    static of<V>(value: V): Chain<V> {
        return new Chain<V>({ ok: true, value });
    }

    static fail<V = never>(reason: string): Chain<V> {
        return new Chain<V>({ ok: false, reason });
    }

    private readonly outcome: Outcome<T>;

    private constructor(outcome: Outcome<T>) {
        this.outcome = outcome;
    }

    map<U>(change: (value: T) => U): Chain<U> {
        return this.then((value) => Chain.of(change(value)));
    }

    then<U>(next: (value: T) => Chain<U>): Chain<U> {
        return this.outcome.ok ? next(this.outcome.value) : Chain.fail<U>(this.outcome.reason);
    }

    keep(test: (value: T) => boolean, reason: string): Chain<T> {
        return this.then((value) => (test(value) ? Chain.of(value) : Chain.fail<T>(reason)));
    }

    recover(other: (reason: string) => T): T {
        return this.outcome.ok ? this.outcome.value : other(this.outcome.reason);
    }

    peek(look: (value: T) => void): this {
        if (this.outcome.ok) look(this.outcome.value);
        return this;
    }
}

interface Order {
    item: string;
    count: number;
}

const STOCK = new Map<string, number>([
    ["lamp", 4],
    ["rug", 1],
]);

function parse(text: string): Chain<Order> {
    const [item, count] = text.split(":") as [string, string?];
    return Chain.of(Number(count))
        .keep(Number.isInteger, `"${text}" has no whole number`)
        .map((n) => ({ item, count: n }));
}

function reserve({ item, count }: Order): Chain<Order> {
    const left = STOCK.get(item);
    if (left === undefined) return Chain.fail(`no ${item} is sold`);
    if (left < count) return Chain.fail(`only ${left} of ${item} left`);
    STOCK.set(item, left - count);
    return Chain.of({ item, count });
}

function handle(text: string): string {
    return parse(text)
        .keep((order) => order.count > 0, "nothing was ordered")
        .then(reserve)
        .map((order) => `${order.count} ${order.item} reserved`)
        .recover((reason) => `refused: ${reason}`);
}

for (const text of ["lamp:3", "lamp:2", "rug:1", "sofa:1", "rug:x", "lamp:0", "lamp:1"]) {
    console.log(handle(text));
}
console.log([...STOCK].map(([item, left]) => `${item}=${left}`).join(" "));
