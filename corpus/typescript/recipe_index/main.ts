/** Finds recipes by the words in them, best match first. */
interface Recipe {
    readonly title: string;
    readonly steps: string;
    readonly minutes?: number;
}

type Hit = readonly [title: string, score: number];

const COMMON: ReadonlySet<string> = new Set(["the", "and", "with", "a", "in"]);

function* words(text: string): Iterable<string> {
    for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) {
        if (!COMMON.has(word!)) yield stem(word!);
    }
}

function stem(word: string): string {
    return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word;
}

class Index {
    private readonly places = new Map<string, Map<number, number>>();
    private readonly recipes: Recipe[] = [];

    add(...recipes: readonly Recipe[]): this {
        for (const recipe of recipes) {
            const number = this.recipes.push(recipe) - 1;
            this.count(number, recipe.title, 3);
            this.count(number, recipe.steps);
        }
        return this;
    }

    private count(number: number, text: string, weight: number = 1): void {
        for (const word of words(text)) {
            if (!this.places.has(word)) this.places.set(word, new Map());
            const counts = this.places.get(word)!;
            counts.set(number, (counts.get(number) ?? 0) + weight);
        }
    }

    search(query: string, { most = 3, quick = false }: { most?: number; quick?: boolean } = {}): Hit[] {
        const scores: { [number: number]: number } = {};
        for (const word of new Set(words(query))) {
            this.places.get(word)?.forEach((count, number) => {
                scores[number] = (scores[number] ?? 0) + count;
            });
        }
        return Object.entries(scores)
            .map(([number, score]) => [this.recipes[+number]!, score] as const)
            .filter(([{ minutes = 60 }]) => !quick || minutes <= 20)
            .sort(([a, x], [b, y]) => y - x || a.title.localeCompare(b.title))
            .slice(0, most)
            .map(([{ title }, score]): Hit => [title, score]);
    }

    get vocabulary(): string[] {
        return [...this.places.keys()];
    }
}

const index = new Index().add(
    { title: "Bean soup", steps: "Soak the beans and boil the beans with onions.", minutes: 90 },
    { title: "Onion tart", steps: "Bake onions in a crust.", minutes: 50 },
    { title: "Toast and beans", steps: "Warm the beans.", minutes: 10 },
);
const show = (hits: readonly Hit[]): string =>
    hits.map(([title, score]) => `${title}=${score}`).join(", ") || "nothing";
console.log(show(index.search("bean")));
console.log(show(index.search("Onions with beans", { most: 2 })));
console.log(show(index.search("soup tart", { quick: true })));
console.log(show(index.search("warm crust", { most: 1 })));
