import type { Counted, KeyOf } from "./types";

/** Things in the order in which they came, with their counts. */
export class Shelf<T> {
    private readonly places = new Map<string, Counted<T>>();
    private readonly key: KeyOf<T>;

    constructor(key: KeyOf<T>) {
        this.key = key;
    }

    put(thing: T, count: number = 1): void {
        const place = this.places.get(this.key(thing));
        if (place) place.count += count;
        else this.places.set(this.key(thing), { thing, count });
    }

    take(key: string): boolean {
        const place = this.places.get(key);
        if (!place || place.count === 0) return false;
        place.count--;
        return true;
    }

    each(visit: (thing: T, count: number) => void): void {
        for (const { thing, count } of this.places.values()) {
            if (count > 0) visit(thing, count);
        }
    }

    find(test: (thing: T) => boolean): T[] {
        const found: T[] = [];
        this.each((thing) => {
            if (test(thing)) found.push(thing);
        });
        return found;
    }

    get size(): number {
        return this.places.size;
    }
}
