/** A price in cents. */
export type Price = number;

export interface Goods {
    readonly name: string;
    readonly price: Price;
    readonly tags: readonly string[];
}

export interface Counted<T> {
    thing: T;
    count: number;
}

export type KeyOf<T> = (thing: T) => string;
