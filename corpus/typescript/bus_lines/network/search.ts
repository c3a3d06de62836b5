import { Network, Stop } from "./index";

export function shortest(network: Network, from: Stop, to: Stop): Stop[] | null {
    const before = new Map<Stop, Stop | null>([[from, null]]);
    const waiting: Stop[] = [from];
    while (waiting.length > 0) {
        const stop = waiting.shift() as Stop;
        if (stop === to) return trace(before, to);
        for (const next of network.next(stop)) {
            if (!before.has(next)) {
                before.set(next, stop);
                waiting.push(next);
            }
        }
    }
    return null;
}

function trace(before: ReadonlyMap<Stop, Stop | null>, to: Stop): Stop[] {
    const above = before.get(to);
    return above ? [...trace(before, above), to] : [to];
}

export function reachable(
    network: Network,
    from: Stop,
    rides: number,
    seen = new Set<Stop>([from]),
): Set<Stop> {
    if (rides > 0) {
        for (const next of network.next(from)) {
            seen.add(next);
            reachable(network, next, rides - 1, seen);
        }
    }
    return seen;
}
