/** Crossing lights as a machine whose table the compiler checks. */
const TABLE = {
    red: { tick: "redAmber", fault: "blinking" },
    redAmber: { tick: "green", fault: "blinking" },
    green: { tick: "amber", fault: "blinking", press: "amber" },
    amber: { tick: "red", fault: "blinking" },
    blinking: { repair: "red" },
} as const;

type State = keyof typeof TABLE;
type Signal = { [S in State]: keyof (typeof TABLE)[S] }[State];
type Hook = (from: State, to: State) => void;

const SECONDS: Record<State, number> = { red: 30, redAmber: 2, green: 25, amber: 3, blinking: 0 };

class Lights {
    private hooks: Partial<Record<State, Hook[]>> = {};
    protected state: State;
    elapsed = 0;

    constructor(state: State = "red") {
        this.state = state;
    }

    get now(): State {
        return this.state;
    }

    entering(state: State, ...hooks: Hook[]): void {
        (this.hooks[state] ||= []).push(...hooks);
    }

    send(signal: Signal): boolean {
        const row: Partial<Record<Signal, State>> = TABLE[this.state];
        const to = row[signal];
        if (to === undefined) return false;
        this.elapsed += signal === "tick" ? SECONDS[this.state] : 0;
        const from = this.state;
        this.state = to;
        this.hooks[to]?.forEach((hook) => hook(from, to));
        return true;
    }

    run(...signals: Signal[]): State {
        signals.forEach((signal) => void this.send(signal));
        return this.state;
    }
}

class CountingLights extends Lights {
    readonly visits = new Map<State, number>();

    override send(signal: Signal): boolean {
        const moved = super.send(signal);
        if (moved) this.visits.set(this.state, (this.visits.get(this.state) ?? 0) + 1);
        return moved;
    }

    most(): State | null {
        const [best] = [...this.visits].sort(([, a], [, b]) => b - a);
        return best ? best[0] : null;
    }
}

const lights = new CountingLights();
const seen: string[] = [];
lights.entering("amber", (from, to) => seen.push(`${from}->${to}`));
lights.entering("blinking", (from) => seen.push(`fault at ${from}`));
console.log(lights.run("tick", "tick", "press", "tick"), lights.elapsed);
console.log(lights.send("repair"), lights.run("tick", "fault"), lights.send("tick"), lights.run("repair"));
console.log([...lights.visits].map(([state, n]) => `${state}:${n}`).join(" "), seen.join(", "));
console.log(new Lights("green").run("tick", "tick", "tick"));
