/** Sizes that are given in many ways: as a number, as a text, or as both sides. */
interface Size {
    width: number;
    height: number;
}

type Given = number | string | Partial<Size>;

function size(side: number): Size;
function size(text: string): Size;
function size(width: number, height: number): Size;
function size(parts: Partial<Size>, rest?: number): Size;
function size(first: Given, second?: number): Size {
    if (typeof first === "number") return square(first, second);
    if (typeof first === "string") return read(first);
    const { width = second ?? 1, height = second ?? 1 } = first;
    return { width, height };
}

function square(side: number, other: number = side): Size {
    return { width: side, height: other };
}

function read(text: string): Size {
    const [width, height = width] = text.split("x").map(Number) as [number, number?];
    return size(width, height!);
}

class Canvas {
    private sizes: Size[] = [];

    add(given: Size): this;
    add(width: number, height: number): this;
    add(given: Size | number, height?: number): this {
        this.sizes.push(typeof given === "number" ? square(given, height) : given);
        return this;
    }

    area(): number;
    area(index: number): number | undefined;
    area(index?: number): number | undefined {
        const areas = this.sizes.map(({ width, height }) => width * height);
        return index === undefined ? areas.reduce((sum, one) => sum + one, 0) : areas[index];
    }

    get count(): number {
        return this.sizes.length;
    }
}

function grow({ width, height }: Size, by = 2): Size {
    return { width: width * by, height: height * by };
}

const show = ({ width, height }: Size): string => `${width}x${height}`;

const sizes = [size(3), size("4x5"), size("6"), size(7, 8), size({ height: 9 }), size({}, 2)];
console.log(sizes.map(show).join(" "));
const canvas = new Canvas().add(2, 3).add(size("10x1")).add(grow(size(2)));
console.log(canvas.area(), canvas.area(1), canvas.area(5));
canvas.add(0.5, 8);
console.log(canvas.area());
