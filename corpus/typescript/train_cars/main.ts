/** A train as a list of cars that are coupled to each other. */
class Car<T> {
    next: Car<T> | null = null;
    readonly load: T;

    constructor(load: T) {
        this.load = load;
    }
}

class Train<T> implements Iterable<T> {
    static from<V>(loads: Iterable<V>): Train<V> {
        const train = new Train<V>();
        for (const load of loads) train.couple(load);
        return train;
    }

    private first: Car<T> | null = null;
    private last: Car<T> | null = null;
    private count: number = 0;

    get length(): number {
        return this.count;
    }

    couple(load: T): Train<T> {
        const car = new Car(load);
        if (this.last === null) this.first = car;
        else this.last.next = car;
        this.last = car;
        this.count += 1;
        return this;
    }

    uncouple(test: (load: T) => boolean): T[] {
        const gone: T[] = [];
        let before: Car<T> | null = null;
        for (let car = this.first; car !== null; car = car.next) {
            if (!test(car.load)) {
                before = car;
                continue;
            }
            gone.push(car.load);
            if (before === null) this.first = car.next;
            else before.next = car.next;
            if (car === this.last) this.last = before;
            this.count--;
        }
        return gone;
    }

    reverse(): this {
        let [turned, rest]: [Car<T> | null, Car<T> | null] = [null, this.first];
        this.last = this.first;
        while (rest) {
            const next: Car<T> | null = rest.next;
            rest.next = turned;
            [turned, rest] = [rest, next];
        }
        this.first = turned;
        return this;
    }

    *[Symbol.iterator](): IterableIterator<T> {
        for (let car = this.first; car; car = car.next) yield car.load;
    }

    at(place: number): T | undefined {
        return [...this][place];
    }

    toString(mark = "-"): string {
        return [...this].join(mark) || "(no cars)";
    }
}

const isHeavy = (load: string): boolean => load === load.toUpperCase();

const train = Train.from(["coal", "IRON", "milk", "STONE"]);
console.log(`${train}`, train.length);
console.log(train.reverse().toString("+"));
console.log(train.uncouple(isHeavy).join(","), String(train), train.length);
console.log(train.couple("wool").toString());
console.log(train.uncouple(() => true).length, train.toString(), Train.from("ab").length);
