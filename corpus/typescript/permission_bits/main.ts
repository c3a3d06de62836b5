/** Permissions as bits, in a form that needs no enum. */
const Permission = { Read: 1, Write: 2, Run: 4, Share: 8 } as const;
type PermissionName = keyof typeof Permission;
type Bits = number & { readonly __brand?: "bits" };

const NAMES = Object.keys(Permission) as PermissionName[];

function bits(...names: PermissionName[]): Bits {
    return names.reduce((all, name) => all | Permission[name], 0 as Bits);
}

function names(mask: Bits): PermissionName[] {
    return NAMES.filter((name) => mask & Permission[name]);
}

checkBits();

function checkBits(): void {
    if (NAMES.length !== new Set(Object.values(Permission)).size) throw new Error("a bit is used twice");
}

class Grants {
    static #count = 0;
    readonly id = ++Grants.#count;
    private readonly own: Map<string, Bits> = new Map();
    private readonly parent: Grants | undefined;

    constructor(parent?: Grants) {
        this.parent = parent;
    }

    allow(who: string, ...what: PermissionName[]): this {
        this.own.set(who, this.direct(who) | bits(...what));
        return this;
    }

    revoke(who: string, ...what: PermissionName[]): this {
        this.own.set(who, this.direct(who) & ~bits(...what));
        return this;
    }

    private direct(who: string): Bits {
        return this.own.get(who) ?? 0;
    }

    of(who: string): Bits {
        const inherited = this.parent ? this.parent.of(who) & ~Permission.Share : 0;
        return this.direct(who) | inherited;
    }

    may(who: string, what: PermissionName): boolean {
        return (this.of(who) & Permission[what]) !== 0;
    }

    static merge(first: Grants, second: Grants): Grants {
        const merged = new Grants();
        for (const grants of [first, second]) {
            for (const [who, mask] of grants.own) merged.allow(who, ...names(mask));
        }
        return merged;
    }
}

const folder = new Grants().allow("ada", "Read", "Write", "Share").allow("bob", "Read");
const file = new Grants(folder).allow("bob", "Run").revoke("ada", "Write");
const show = (grants: Grants, who: string): string =>
    `${grants.id}:${names(grants.of(who)).join("+") || "nothing"}`;
console.log(show(folder, "ada"), show(file, "ada"), show(file, "bob"), show(file, "cy"));
console.log(file.may("ada", "Write"), file.may("ada", "Share"), folder.may("ada", "Share"));
console.log(bits("Read", "Run"), names(10).join("+"), bits());
