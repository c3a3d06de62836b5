import { DEFAULTS, type Settings } from "./settings.ts";

type Change<K extends keyof Settings = keyof Settings> = { key: K; from: Settings[K]; to: Settings[K] };
type Watcher = (change: Change) => void;

class Store {
    private state: Readonly<Settings> = Object.freeze({ ...DEFAULTS });
    private watchers: Watcher[] = [];
    private past: Readonly<Settings>[] = [];

    get<K extends keyof Settings>(key: K): Settings[K] {
        return this.state[key];
    }

    set<K extends keyof Settings>(key: K, to: Settings[K]): boolean {
        const from = this.state[key];
        if (Object.is(from, to)) return false;
        this.past.push(this.state);
        this.state = Object.freeze({ ...this.state, [key]: to });
        this.tell({ key, from, to });
        return true;
    }

    watch(watcher: Watcher): this {
        this.watchers.push(watcher);
        return this;
    }

    undo(): boolean {
        const before = this.past.pop();
        if (!before) return false;
        const after = this.state;
        this.state = before;
        for (const key of Object.keys(before) as (keyof Settings)[]) {
            if (before[key] !== after[key]) this.tell({ key, from: after[key], to: before[key] });
        }
        return true;
    }

    private tell(change: Change): void {
        this.watchers.forEach((watch) => watch(change));
    }

    reset(): void {
        this.state = DEFAULTS;
    }
}

function visit(store: Store, page: string, most = 2): void {
    const pages = [page, ...store.get("recent").filter((each) => each !== page)];
    store.set("recent", pages.slice(0, most));
}

const store = new Store();
const history: string[] = [];
store.watch(({ key, from, to }) => history.push(`${key}: ${JSON.stringify(from)} to ${JSON.stringify(to)}`));
console.log(store.set("volume", 5), store.set("volume", 7), store.set("theme", "dark"));
for (const page of ["home", "news", "home", "mail"]) visit(store, page);
console.log(store.get("recent").join(","), store.undo(), store.get("recent").join(","));
while (store.undo());
console.log(store.get("volume"), store.get("theme"), history.length);
console.log(history.slice(0, 3).join("\n"));
(DEFAULTS as { volume: number }).volume = 6;
console.log(store.get("volume"));
