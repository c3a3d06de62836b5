/** Readings of a station that arrive one by one, are repaired, and are put into windows. */
interface Reading {
    hour: number;
    celsius: number | null;
}

type Window_ = { from: number; mean: number; readings: number };

async function* station(values: readonly (number | null)[]): AsyncGenerator<Reading> {
    for (const [hour, celsius] of values.entries()) {
        await Promise.resolve();
        yield { hour, celsius };
    }
}

async function* repair(readings: AsyncIterable<Reading>): AsyncGenerator<Reading & { celsius: number }> {
    let last: number | undefined;
    for await (const { hour, celsius } of readings) {
        const known = celsius ?? last;
        if (known === undefined) continue;
        last = known;
        yield { hour, celsius: known };
    }
}

async function* windows(
    readings: AsyncIterable<Reading & { celsius: number }>,
    length: number,
): AsyncGenerator<Window_> {
    let held: { hour: number; celsius: number }[] = [];
    for await (const reading of readings) {
        held.push(reading);
        if (held.length === length) {
            yield close(held);
            held = [];
        }
    }
    if (held.length > 0) yield close(held);
}

function close(held: readonly { hour: number; celsius: number }[]): Window_ {
    const sum = held.reduce((total, { celsius }) => total + celsius, 0);
    return { from: held[0]!.hour, mean: sum / held.length, readings: held.length };
}

async function collect<T, U = T>(items: AsyncIterable<T>, change?: (item: T) => U): Promise<(T | U)[]> {
    const all: (T | U)[] = [];
    for await (const item of items) all.push(change ? change(item) : item);
    return all;
}

const warmest = (found: readonly Window_[]): Window_ =>
    found.reduce((best, one) => (one.mean > best.mean ? one : best));

function coldest(found: readonly Window_[]): Window_ {
    return found.reduce((best, one) => (one.mean < best.mean ? one : best));
}

async function main(): Promise<void> {
    const values = [null, 4, 6, null, 9, 12, 3, null];
    const found = (await collect(windows(repair(station(values)), 3))) as Window_[];
    for (const { from, mean, readings } of found) {
        console.log(`from ${from}: ${mean.toFixed(2)} (${readings})`);
    }
    console.log(warmest(found).from);
    console.log((await collect(station([1, null]), (reading) => reading.celsius ?? "?")).join(" "));
}

void main();
