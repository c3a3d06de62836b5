/** Floor tiles of several shapes: what they cover, and how many a floor needs. */
interface Square {
    readonly kind: "square";
    readonly side: number;
}

interface Rectangle {
    readonly kind: "rectangle";
    readonly width: number;
    readonly height: number;
}

interface Hexagon {
    readonly kind: "hexagon";
    readonly edge: number;
}

type Tile = Square | Rectangle | Hexagon;
type Measure = { tile: Tile; area: number; needed: number };

function assertNever(tile: never): never {
    throw new Error(`no such tile: ${JSON.stringify(tile)}`);
}

function area(tile: Tile): number {
    switch (tile.kind) {
        case "square":
            return tile.side ** 2;
        case "rectangle":
            return tile.width * tile.height;
        case "hexagon":
            return ((3 * Math.sqrt(3)) / 2) * tile.edge ** 2;
        default:
            return assertNever(tile);
    }
}

const isAngular = (tile: Tile): tile is Square | Rectangle => tile.kind !== "hexagon";

function outline(tile: Tile): number {
    if (tile.kind === "hexagon") return 6 * tile.edge;
    return tile.kind === "square" ? 4 * tile.side : 2 * (tile.width + tile.height);
}

/** A tenth more than the floor needs, because tiles break. */
function needed(floor: number, tile: Tile, spare = 0.1): number {
    return Math.ceil((floor * (1 + spare)) / area(tile));
}

function measure(floor: number, tiles: readonly Tile[]): Measure[] {
    return tiles
        .map((tile): Measure => ({ tile, area: area(tile), needed: needed(floor, tile) }))
        .sort((a, b) => a.needed - b.needed);
}

function label({ tile, area: covered, needed: count }: Measure): string {
    const name = isAngular(tile) ? tile.kind : `${tile.kind} of ${outline(tile)} around`;
    return `${count} x ${name} (${covered.toFixed(2)})`;
}

const tiles: Tile[] = [
    { kind: "square", side: 3 },
    { kind: "rectangle", width: 2, height: 5 },
    { kind: "hexagon", edge: 2 },
];
for (const line of measure(100, tiles).map(label)) {
    console.log(line);
}
console.log(needed(9, tiles[0]!, 0));
