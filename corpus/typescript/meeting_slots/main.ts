import { type Slot, free, merge, overlap } from "./slots.ts";
import * as clock from "./clock.ts";

class Calendar {
    private readonly taken: Slot[] = [];
    constructor(slots: Iterable<readonly [string, string]>) {
        for (const [from, to] of slots) this.book(clock.read(from), clock.read(to));
    }

    book(from: clock.Minutes, to: clock.Minutes): boolean {
        const slot: Slot = { from, to };
        if (from >= to || this.taken.some((other) => overlap(other, slot) > 0)) return false;
        this.taken.push(slot);
        return true;
    }

    get slots(): readonly Slot[] {
        return merge(this.taken);
    }

    cancel(at: clock.Minutes): void {
        const found = this.taken.findIndex(({ from, to }) => from <= at && at < to);
        if (found >= 0) this.taken.splice(found, 1);
    }
}

const DAY: Slot = { from: clock.read("9:00"), to: clock.read("17:00") };
const ada = new Calendar([["9:00", "10:30"], ["12:00", "13:00"], ["10:30", "11:00"]]);
const bob = new Calendar([["11:30", "12:30"], ["16:00", "18:00"]]);

const show = ({ from, to }: Slot): string => `${clock.write(from)}-${clock.write(to)}`;

function common(length: number, ...calendars: Calendar[]): string[] {
    const busy = merge(calendars.flatMap((one) => one.slots));
    return free(DAY, busy)
        .filter(({ from, to }) => to - from >= length)
        .map(show);
}

console.log(ada.slots.map(show).join(" "));
console.log(ada.book(clock.read("12:30"), clock.read("14:00")), bob.book(600, 600), bob.book(540, 570));
console.log(common(30, ada, bob).join(" "));
console.log(common(60, ada, bob).join(" "), "|", common(500, ada).join(" "));
