/** Patients by urgency: a binary heap of anything that can be compared. */
type Compare<T> = (a: T, b: T) => number;

class Heap<T> implements Iterable<T> {
    private readonly compare: Compare<T>;
    private items: T[] = [];

    constructor(compare: Compare<T>, ...items: T[]) {
        this.compare = compare;
        items.forEach((item) => this.push(item));
    }

    push(item: T): number {
        let at = this.items.push(item) - 1;
        while (at > 0) {
            const above = (at - 1) >> 1;
            if (this.compare(this.items[above]!, this.items[at]!) <= 0) break;
            this.swap(above, at);
            at = above;
        }
        return this.items.length;
    }

    pop(): T | undefined {
        const [top] = this.items;
        const last = this.items.pop();
        if (this.items.length && last !== undefined) {
            this.items[0] = last;
            this.sink(0);
        }
        return top;
    }

    private sink(at: number): void {
        for (;;) {
            let least = at;
            for (const below of [2 * at + 1, 2 * at + 2]) {
                if (below < this.items.length && this.compare(this.items[below]!, this.items[least]!) < 0) {
                    least = below;
                }
            }
            if (least === at) return;
            this.swap(least, at);
            at = least;
        }
    }

    private swap(i: number, j: number): void {
        [this.items[i], this.items[j]] = [this.items[j]!, this.items[i]!];
    }

    *[Symbol.iterator](): Iterator<T> {
        while (this.items.length) yield this.pop()!;
    }

    peek(): T | undefined {
        return this.items[0];
    }
}

interface Patient {
    readonly name: string;
    readonly urgency: 1 | 2 | 3;
    readonly arrived: number;
}

const byNeed: Compare<Patient> = (a, b) => b.urgency - a.urgency || a.arrived - b.arrived;

let clock = 0;
const arrive = (name: string, urgency: Patient["urgency"]): Patient => ({ name, urgency, arrived: clock++ });

const ward = new Heap<Patient>(byNeed, arrive("Abe", 1), arrive("Bea", 3), arrive("Cid", 2));
console.log(ward.push(arrive("Dee", 3)), ward.pop()?.name);
ward.push(arrive("Eve", 1));
console.log([...ward].map((patient) => patient.name).join(" "), ward.pop());
const words = new Heap<string>((a, b) => a.length - b.length, "cherry", "fig", "grapes!");
console.log(words.pop(), words.pop());
