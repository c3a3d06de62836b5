/** Wraps functions without losing the types of their parameters. */
type Any = (...given: never[]) => unknown;
type Wrapped<F extends Any> = (...given: Parameters<F>) => ReturnType<F>;

interface Memo<F extends Any> extends Wrapped<F> {
    readonly hits: () => number;
    forget(): void;
}

function memo<F extends Any>(
    work: F,
    key: (...given: Parameters<F>) => string = (...given) => given.join(),
): Memo<F> {
    const known = new Map<string, ReturnType<F>>();
    let hits = 0;
    const wrapped = (...given: Parameters<F>): ReturnType<F> => {
        const place = key(...given);
        if (known.has(place)) {
            hits++;
            return known.get(place)!;
        }
        const value = work(...given) as ReturnType<F>;
        known.set(place, value);
        return value;
    };
    return Object.assign(wrapped, { hits: () => hits, forget: () => known.clear() });
}

function retry<F extends Any>(times: number, work: F): Wrapped<F> {
    return (...given) => {
        for (let left = times; ; left--) {
            try {
                return work(...given) as ReturnType<F>;
            } catch (error: unknown) {
                if (left <= 1) throw error;
            }
        }
    };
}

const pipe =
    <A, B, C>(first: (a: A) => B, second: (b: B) => C) =>
    (a: A): C =>
        second(first(a));

const constant =
    <T,>(value: T) =>
    (): T =>
        value;

function curry<A, B, C>(work: (a: A, b: B) => C): (a: A) => (b: B) => C {
    return (a) => (b) => work(a, b);
}

const paths = memo((rows: number, columns: number): number =>
    rows === 1 || columns === 1 ? 1 : paths(rows - 1, columns) + paths(rows, columns - 1),
);
let calls = 0;
const shaky = retry(3, (limit: number): string => {
    if (++calls < limit) throw new RangeError(`only ${calls}`);
    return `after ${calls}`;
});

console.log(paths(5, 6), paths.hits());
console.log(shaky(2));
calls = 0;
try {
    shaky(9);
} catch (error) {
    console.log(error instanceof RangeError ? error.message : "other");
}
const describe = pipe((n: number) => n * 2, (n) => `twice is ${n}`);
console.log(describe(21), curry(Math.max)(4)(9));
paths.forget();
console.log(paths(2, 2), paths.hits());
