"""The names of TypeScript's functions in call graphs."""

from __future__ import annotations

from pytest_codereason.core.language.naming import GraphExample
from pytest_codereason.languages.javascript.naming import JavaScriptNaming

_FILE = """\
interface Named {
    name: string;
}

class Greeter implements Named {
    readonly name: string;

    constructor(name: string) {
        this.name = name;
    }

    greet(shout: boolean): string {
        const text = build(this);
        return shout ? text.toUpperCase() : polite(text);
    }
}

function build(named: Named): string {
    return "Hello " + named.name;
}

const polite = (text: string): string => text + ", nice to meet you";

function run<T>(action: (shout: boolean) => T): T {
    return action(true);
}

const greeter = new Greeter("Ada");
console.log(run((shout) => greeter.greet(shout)));
"""


class TypeScriptNaming(JavaScriptNaming):
    """``main.Stack.push``: the file, what encloses the function, the function. Types are left out."""

    example = GraphExample(
        files={"main.ts": _FILE},
        entry="main.ts",
        edges={
            "main": ("main.Greeter.constructor", "main.run"),
            "main.<arrow1>": ("main.Greeter.greet",),
            "main.Greeter.greet": ("main.build",),
            "main.run": ("main.<arrow1>",),
        },
    )
    rule = JavaScriptNaming.rule.replace('.js"', '.ts"') + " The signatures of an overloaded function are no functions."
