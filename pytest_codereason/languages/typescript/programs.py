"""Small programs in TypeScript, with the results of running them."""

from pytest_codereason.core import Example

PROGRAMS = (
    Example(
        files={
            "main.ts": "interface Halved {\n    n: number;\n    half: [number];\n}\n\n"
            "function f(n: number): Halved {\n    return { n, half: [n / 2] };\n}\n"
        },
        entry="main.ts",
        call="f(3)",
        value="{ n: 3, half: [1.5] }",
    ),
    Example(
        files={
            "main.ts": "import { price, type Price } from './shop/prices';\n"
            "export const f = async (n: number): Promise<Price> => n * price;\n",
            "shop/prices.ts": "import withTax from '../tax.ts';\nexport type Price = number;\n"
            "export const price: Price = withTax(10);\n",
            "tax.ts": "export default (price: number) => price + 2;\n",
        },
        entry="main.ts",
        call="f(3)",
        value="36",
    ),
    Example(
        files={
            "main.ts": "import { Stack } from './stack/index.js';\n\n"
            "const words = new Stack<string>();\nwords.push('one');\nwords.push('two');\n"
            "console.log(words.pop()!, words.size as number);\n",
            "stack/index.ts": "export class Stack<T> {\n    private items: T[] = [];\n\n"
            "    get size(): number {\n        return this.items.length;\n    }\n\n"
            "    push(item: T): void;\n    push(...items: T[]): void;\n"
            "    push(...items: T[]): void {\n        this.items.push(...items);\n    }\n\n"
            "    pop(): T | undefined {\n        return this.items.pop();\n    }\n}\n",
        },
        entry="main.ts",
        stdout="two 1\n",
    ),
    Example(
        files={"main.cts": "const { sep } = require('node:path') as { sep: string };\nconsole.log(sep);\n"},
        entry="main.cts",
        stdout="/\n",
    ),
)
