import type { Minutes } from "./clock.ts";

export interface Slot {
    readonly from: Minutes;
    readonly to: Minutes;
}

export function overlap(a: Slot, b: Slot): Minutes {
    return Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));
}

/** Slots that touch or overlap become one. */
export function merge(slots: readonly Slot[]): Slot[] {
    const merged: Slot[] = [];
    for (const slot of [...slots].sort((a, b) => a.from - b.from)) {
        const last = merged.at(-1);
        if (last && slot.from <= last.to) merged.splice(-1, 1, { ...last, to: Math.max(last.to, slot.to) });
        else merged.push(slot);
    }
    return merged;
}

export function free(day: Slot, busy: readonly Slot[]): Slot[] {
    const open: Slot[] = [];
    let from: Minutes = day.from;
    for (const slot of busy) {
        if (slot.from > from) open.push({ from, to: Math.min(slot.from, day.to) });
        from = Math.max(from, slot.to);
    }
    if (from < day.to) open.push({ from, to: day.to });
    return open;
}
