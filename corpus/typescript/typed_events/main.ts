/** A bus whose listeners know what each event carries. */
interface Events {
    opened: { door: string };
    closed: { door: string; by?: string };
    counted: number;
}

type Listener<K extends keyof Events> = (payload: Events[K]) => void;
type Registry = { [K in keyof Events]?: Set<Listener<K>> };

class Bus {
    #listeners: Registry = {};
    #sent = 0;

    on<K extends keyof Events>(name: K, listener: Listener<K>): () => void {
        const known = (this.#listeners[name] ??= new Set<never>() as never) as Set<Listener<K>>;
        known.add(listener);
        return () => {
            known.delete(listener);
        };
    }

    once<K extends keyof Events>(name: K, listener: Listener<K>): void {
        const stop = this.on(name, (payload) => {
            stop();
            listener(payload);
        });
    }

    emit<K extends keyof Events>(name: K, payload: Events[K]): number {
        const known = this.#listeners[name] as Set<Listener<K>> | undefined;
        let reached = 0;
        for (const listener of [...(known ?? [])]) {
            listener(payload);
            reached++;
        }
        this.#sent += 1;
        return reached;
    }

    get sent(): number {
        return this.#sent;
    }

    clear(): void {
        this.#listeners = {};
    }
}

class Doors {
    private open = new Set<string>();

    constructor(bus: Bus) {
        bus.on("opened", ({ door }) => this.open.add(door));
        bus.on("closed", (event) => this.open.delete(event.door));
    }

    list(): string {
        return this.open.size ? [...this.open].sort().join(",") : "none";
    }
}

const bus = new Bus();
const doors = new Doors(bus);
const log: string[] = [];
const stopLog = bus.on("closed", ({ door, by = "the wind" }) => log.push(`${door} by ${by}`));
bus.once("counted", (n) => log.push(`first count ${n}`));

console.log(bus.emit("opened", { door: "north" }), bus.emit("opened", { door: "east" }));
console.log(doors.list());
console.log(bus.emit("closed", { door: "east" }), bus.emit("counted", 1), bus.emit("counted", 2));
stopLog();
console.log(bus.emit("closed", { door: "north", by: "Ada" }), doors.list(), bus.sent);
console.log(log.join("; "));
