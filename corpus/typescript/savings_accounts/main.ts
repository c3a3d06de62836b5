/** Accounts of several kinds that share their book-keeping. */
abstract class Account {
    static opened = 0;
    readonly number: number;
    readonly owner: string;
    protected cents = 0;
    #book: [what: string, cents: number][] = [];

    constructor(owner: string, opening: number = 0) {
        this.number = ++Account.opened;
        this.owner = owner;
        if (opening) this.pay(opening, "opening");
    }

    abstract fee(cents: number): number;

    protected get limit(): number {
        return 0;
    }

    get balance(): number {
        return this.cents / 100;
    }

    set balance(amount: number) {
        this.pay(amount - this.balance, "set");
    }

    pay(amount: number, what = "pay"): void {
        this.enter(what, Math.round(amount * 100));
    }

    draw(amount: number): boolean {
        const cents = Math.round(amount * 100);
        const whole = cents + this.fee(cents);
        if (this.cents - whole < -this.limit) return false;
        this.enter("draw", -whole);
        return true;
    }

    private enter(what: string, cents: number): void {
        this.cents += cents;
        this.#book.push([what, cents]);
    }

    statement(): string {
        return this.#book.map(([what, cents]) => `${what} ${cents}`).join(", ");
    }
}

class Current extends Account {
    override fee(_: number): number {
        return 25;
    }

    protected override get limit(): number {
        return 10_000;
    }
}

class Savings extends Account {
    private readonly rate: number;

    constructor(owner: string, opening: number, rate: number) {
        super(owner, opening);
        this.rate = rate;
    }

    fee(cents: number): number {
        return cents > 50_000 ? Math.ceil(cents / 100) : 0;
    }

    year(): void {
        this.pay(this.balance * this.rate, "interest");
    }

    close(): void {
        this.cents = 0;
    }
}

const current = new Current("Ada", 20);
const savings = new Savings("Bob", 1000, 0.025);
console.log(current.draw(100), current.draw(25), current.balance);
savings.year();
console.log(savings.draw(600), savings.balance, savings.draw(500));
current.balance = 5;
console.log(current.statement());
console.log(savings.statement());
console.log(Account.opened, [current, savings].map((one: Account) => `${one.number}${one.owner}`).join(" "));
