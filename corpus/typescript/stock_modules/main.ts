import { Shelf } from "./shelf";
import { format, total } from "./money.ts";
import type { Goods, Price } from "./types";

const catalogue: Record<string, Goods> = {
    tea: { name: "tea", price: 350, tags: ["drink", "dry"] },
    rice: { name: "rice", price: 220, tags: ["dry"] },
    milk: { name: "milk", price: 129, tags: ["drink", "fresh"] },
};

const shelf = new Shelf<Goods>((goods) => goods.name);
for (const goods of Object.values(catalogue)) {
    shelf.put(goods, goods.tags.includes("fresh") ? 1 : 3);
}
console.log(shelf.take("milk"), shelf.take("milk"), shelf.take("salt"));
shelf.put(catalogue.tea!, 2);

const prices: Price[] = [];
shelf.each(({ name, price }, count) => {
    prices.push(price * count);
    console.log(`${count} ${name} at ${format(price)}`);
});
console.log(`worth ${format(total(prices))}`);
console.log(shelf.find((goods) => goods.tags.includes("drink")).map((goods) => goods.name).join(" "));
