export type Stop = string;

export interface LineOptions {
    twoWay?: boolean;
}

interface Link {
    readonly to: Stop;
    readonly line: string;
}

export class Network {
    protected links: Map<Stop, Link[]> = new Map();

    line(name: string, stops: readonly Stop[], { twoWay = true }: LineOptions = {}): void {
        for (let i = 1; i < stops.length; i++) {
            const [from, to] = [stops[i - 1]!, stops[i]!];
            this.link(from, { to, line: name });
            if (twoWay) this.link(to, { to: from, line: name });
        }
    }

    private link(from: Stop, link: Link): void {
        const known = this.links.get(from);
        if (known) known.push(link);
        else this.links.set(from, [link]);
    }

    next(stop: Stop): Stop[] {
        return (this.links.get(stop) ?? []).map(({ to }) => to);
    }

    /** How often a route changes the line. */
    changes(route: readonly Stop[]): number {
        let changes = 0;
        let before: string | undefined;
        route.slice(1).forEach((to, i) => {
            const line = this.links.get(route[i]!)?.find((link) => link.to === to)?.line;
            if (before !== undefined && line !== before) changes++;
            before = line;
        });
        return changes;
    }

    get stops(): Stop[] {
        return [...this.links.keys()];
    }
}
