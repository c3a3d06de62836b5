/** Says what shape a value of JSON has, and where two values differ. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Path = readonly (string | number)[];

interface Difference {
    path: Path;
    left: Json | undefined;
    right: Json | undefined;
}

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
    typeof value === "object" && value !== null && !Array.isArray(value);

function shape(value: Json): string {
    if (value === null) return "null";
    if (Array.isArray(value)) {
        const shapes = new Set(value.map(shape));
        return `[${[...shapes].join("|") || "?"}]`;
    }
    if (isObject(value)) {
        const inside = Object.entries(value).map(([key, inner]) => `${key}:${shape(inner)}`);
        return `{${inside.join(" ")}}`;
    }
    return typeof value;
}

function* compare(left?: Json, right?: Json, path: Path = []): Generator<Difference> {
    if (Array.isArray(left) && Array.isArray(right)) {
        for (let i = 0; i < Math.max(left.length, right.length); i++) {
            yield* compare(left[i], right[i], [...path, i]);
        }
    } else if (isObject(left) && isObject(right)) {
        for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
            yield* compare(left[key], right[key], [...path, key]);
        }
    } else if (left !== right) {
        yield { path, left, right };
    }
}

function write(path: Path): string {
    return path.reduce<string>((text, at) => `${text}${typeof at === "number" ? `[${at}]` : `.${at}`}`, "$");
}

function depth(value: Json): number {
    if (!(value instanceof Object)) return 0;
    return 1 + Math.max(0, ...Object.values(value).map(depth));
}

function asserted(value: unknown): asserts value is Json {
    if (typeof value === "function") throw new TypeError("no JSON");
}

function count(value: Json): number {
    return isObject(value) || Array.isArray(value) ? Object.keys(value).length : 1;
}

const before: unknown = JSON.parse('{"id": 7, "tags": ["a", "b"], "size": {"w": 1, "h": null}}');
const after: Json = { id: 7, tags: ["a", "c", "d"], size: { w: 2 }, extra: true };
asserted(before);
console.log(shape(before), depth(before));
console.log(shape(after), shape([]), shape([1, "x", 2]));
for (const { path, left, right } of compare(before, after)) {
    console.log(`${write(path)}: ${JSON.stringify(left)} -> ${JSON.stringify(right)}`);
}
console.log([...compare(before, before)].length);
