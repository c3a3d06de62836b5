/** Cuts a formula into tokens lazily, and works it out while it reads them. */
type Token =
    | { type: "number"; value: number }
    | { type: "sign"; value: Sign }
    | { type: "bracket"; value: "(" | ")" };
const SIGNS = ["+", "-", "*", "/"] as const;
type Sign = (typeof SIGNS)[number];

function isSign(text: string): text is Sign {
    return (SIGNS as readonly string[]).includes(text);
}

function* cut(text: string): Generator<Token, void, undefined> {
    let at = 0;
    while (at < text.length) {
        const letter = text[at]!;
        if (/\d/.test(letter)) {
            const [digits] = /^\d+(\.\d+)?/.exec(text.slice(at))!;
            at += digits.length;
            yield { type: "number", value: Number(digits) };
            continue;
        }
        at++;
        if (isSign(letter)) yield { type: "sign", value: letter };
        else if (letter === "(" || letter === ")") yield { type: "bracket", value: letter };
        else if (letter.trim()) throw new SyntaxError(`unknown: ${letter}`);
    }
}

class Reader {
    private next: Token | undefined;
    private readonly tokens: Iterator<Token, void>;

    constructor(text: string) {
        this.tokens = cut(text);
        this.advance();
    }

    private advance(): Token | undefined {
        const taken = this.next;
        const step = this.tokens.next();
        this.next = step.done ? undefined : step.value;
        return taken;
    }

    sum(): number {
        let value = this.product();
        while (this.next?.type === "sign" && (this.next.value === "+" || this.next.value === "-")) {
            const sign = this.advance()!.value;
            const right = this.product();
            value = sign === "+" ? value + right : value - right;
        }
        return value;
    }

    product(): number {
        let value = this.atom();
        while (this.next?.type === "sign" && (this.next.value === "*" || this.next.value === "/")) {
            const sign = this.advance()!.value;
            const right = this.atom();
            value = sign === "*" ? value * right : value / right;
        }
        return value;
    }

    atom(): number {
        const token = this.advance();
        if (token?.type === "number") return token.value;
        if (token?.type === "sign" && token.value === "-") return -this.atom();
        if (token?.value === "(") {
            const value = this.sum();
            this.advance();
            return value;
        }
        throw new SyntaxError(token ? `a number, not ${token.value}` : "more was expected");
    }
}

function describe(token: Token): string {
    return `${token.type}:${token.value}`;
}

for (const formula of ["1 + 2 * 3", "(1 + 2) * 3", "-(4 - 10) / 4", "2 - 3 - 4", "2 +", "2 $ 3"]) {
    try {
        console.log(`${formula} = ${new Reader(formula).sum()}`);
    } catch (error) {
        console.log(`${formula}: ${(error as Error).message}`);
    }
}
