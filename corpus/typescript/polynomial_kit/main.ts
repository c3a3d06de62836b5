/** Polynomials with whole coefficients, the lowest power first. */
type Coefficients = readonly number[];

class Polynomial {
    static readonly ZERO = new Polynomial([]);

    static parse(text: string): Polynomial {
        const found: number[] = [];
        for (const [, sign, factor, x, power] of text.matchAll(/([+-]?)(\d*)(x?)(?:\^(\d+))?/g)) {
            if (!factor && !x) continue;
            const at = x ? Number(power ?? 1) : 0;
            const value = Number(factor || 1) * (sign === "-" ? -1 : 1);
            found[at] = (found[at] ?? 0) + value;
        }
        return new Polynomial(Array.from(found, (value) => value ?? 0));
    }

    readonly coefficients: Coefficients;

    constructor(coefficients: Coefficients) {
        let length = coefficients.length;
        while (length > 0 && coefficients[length - 1] === 0) length--;
        this.coefficients = coefficients.slice(0, length);
    }

    get degree(): number {
        return this.coefficients.length - 1;
    }

    at(x: number): number {
        return this.coefficients.reduceRight<number>((sum, value) => sum * x + value, 0);
    }

    plus(other: Polynomial, factor: 1 | -1 = 1): Polynomial {
        const [mine, theirs] = [this.coefficients, other.coefficients];
        const length = Math.max(mine.length, theirs.length);
        return new Polynomial(Array.from({ length }, (_, i) => (mine[i] ?? 0) + factor * (theirs[i] ?? 0)));
    }

    times(other: Polynomial): Polynomial {
        const product: number[] = new Array<number>(Math.max(0, this.degree + other.degree + 1)).fill(0);
        this.coefficients.forEach((a, i) => {
            other.coefficients.forEach((b, j) => {
                product[i + j]! += a * b;
            });
        });
        return new Polynomial(product);
    }

    derive(): Polynomial {
        return new Polynomial(this.coefficients.slice(1).map((value, i) => value * (i + 1)));
    }

    equals(other: Polynomial): boolean {
        return this.plus(other, -1).degree < 0;
    }

    toString(): string {
        const terms = this.coefficients
            .map((value, power): [number, number] => [value, power])
            .filter(([value]) => value !== 0)
            .reverse()
            .map(([value, power], i) => term(value, power, i === 0));
        return terms.join("") || "0";
    }
}

function term(value: number, power: number, first: boolean): string {
    const sign = value < 0 ? "-" : first ? "" : "+";
    const size = Math.abs(value);
    const letters = power === 0 ? "" : power === 1 ? "x" : `x^${power}`;
    return sign + (size === 1 && letters ? "" : size) + letters;
}

const p = Polynomial.parse("2x^3-x+4");
const q = Polynomial.parse("x-1");
console.log(`${p} | ${q} | ${p.times(q)} | ${p.plus(q)}`);
console.log(`${p.derive()}`, p.at(2), q.at(1), p.degree);
console.log(String(q.plus(q, -1)), Polynomial.ZERO.degree, `${q.times(Polynomial.ZERO)}`);
console.log(`${q.times(q).times(q)}`);
