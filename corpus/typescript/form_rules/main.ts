/** Rules for forms, built out of small rules. */
type Rule<T> = (value: T) => string[];
type Rules<F> = { [K in keyof F]?: Rule<F[K]> };

const rule =
    <T>(test: (value: T) => boolean, complaint: string): Rule<T> =>
    (value) =>
        test(value) ? [] : [complaint];

function all<T>(...rules: Rule<T>[]): Rule<T> {
    return (value) => rules.flatMap((one) => one(value));
}

function first<T>(...rules: Rule<T>[]): Rule<T> {
    return (value) => {
        for (const one of rules) {
            const found = one(value);
            if (found.length) return found;
        }
        return [];
    };
}

const longer = (least: number): Rule<string> =>
    rule((text) => text.length >= least, `at least ${least} letters`);
const between = (low: number, high: number): Rule<number> =>
    rule((n: number) => n >= low && n <= high, `from ${low} to ${high}`);

function optional<T>(inner: Rule<T>): Rule<T | undefined> {
    return (value) => (value === undefined ? [] : inner(value));
}

function check<F extends object>(form: F, rules: Rules<F>): Map<keyof F, string[]> {
    const found = new Map<keyof F, string[]>();
    for (const key of Object.keys(rules) as (keyof F)[]) {
        const complaints = rules[key]!(form[key]);
        if (complaints.length > 0) found.set(key, complaints);
    }
    return found;
}

interface Member {
    name: string;
    age: number;
    code?: string;
}

const MEMBER = {
    name: all(longer(2), rule<string>((name) => name.trim() === name, "no blanks around")),
    age: between(16, 99),
    code: optional(first(longer(4), rule((code) => /^\d+$/.test(code), "digits only"))),
} satisfies Rules<Member>;

const none: Rule<unknown> = () => [];

const members: Member[] = [
    { name: "Ada", age: 36 },
    { name: " ", age: 15, code: "12a" },
    { name: " Bo ", age: 99, code: "12ab" },
    { name: "Cy", age: 16, code: "2024" },
];
for (const member of members) {
    const found = check(member, MEMBER);
    const lines = [...found].map(([key, complaints]) => `${key}: ${complaints.join(" and ")}`);
    console.log(lines.length ? lines.join("; ") : "fine");
}
