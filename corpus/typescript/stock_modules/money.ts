import type { Price } from "./types";

export const total = (prices: readonly Price[]): Price => prices.reduce((sum, price) => sum + price, 0);

export function format(price: Price): string {
    const cents = String(price % 100).padStart(2, "0");
    return `${Math.floor(price / 100)}.${cents}`;
}
