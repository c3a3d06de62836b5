"""A small Lisp: whole numbers, lists, closures, and tail calls that do not grow the stack."""

import operator
from collections import ChainMap
from functools import reduce


class LispError(Exception):
    pass


def read(text):
    """Yields the expressions of a text."""
    tokens = text.replace("(", " ( ").replace(")", " ) ").replace("'", " ' ").split()
    while tokens:
        yield read_one(tokens)


def read_one(tokens):
    if not tokens:
        raise LispError("unexpected end")
    token = tokens.pop(0)
    if token == "'":
        return ["quote", read_one(tokens)]
    if token == "(":
        items = []
        while tokens and tokens[0] != ")":
            items.append(read_one(tokens))
        if not tokens:
            raise LispError("missing )")
        tokens.pop(0)
        return items
    if token == ")":
        raise LispError("unexpected )")
    return int(token) if token.removeprefix("-").isdecimal() else token


def show(value):
    match value:
        case True:
            return "#t"
        case False:
            return "#f"
        case list():
            return f"({' '.join(map(show, value))})"
        case Closure():
            return f"<closure of {len(value.names)}>"
        case _:
            return str(value)


class Closure:
    def __init__(self, names, body, scope):
        self.names, self.body, self.scope = names, body, scope

    def bind(self, values):
        if len(values) != len(self.names):
            raise LispError(f"{len(values)} values for {len(self.names)} names")
        return self.scope.new_child(dict(zip(self.names, values)))

    def __call__(self, *values):
        """For functions of Python, such as map, that call a closure."""
        return evaluate(self.body, self.bind(values))


def is_true(value):
    return value is not False and value != []


def evaluate(expression, scope):
    while True:
        match expression:
            case str(name):
                if name not in scope:
                    raise LispError(f"no name {name}")
                return scope[name]
            case int(number):
                return number
            case ["quote", value]:
                return value
            case ["if", test, then, otherwise]:
                expression = then if is_true(evaluate(test, scope)) else otherwise
            case ["define", str(name), value]:
                scope[name] = evaluate(value, scope)
                return name
            case ["lambda", list(names), body]:
                return Closure(names, body, scope)
            case ["let", list(pairs), body]:
                values = {name: evaluate(value, scope) for name, value in pairs}
                expression, scope = body, scope.new_child(values)
            case [first, *rest]:
                function = evaluate(first, scope)
                values = [evaluate(value, scope) for value in rest]
                if not isinstance(function, Closure):
                    return call_builtin(function, values)
                # The loop goes on with the body instead of a recursive call.
                expression, scope = function.body, function.bind(values)
            case _:
                raise LispError(f"cannot evaluate {show(expression)}")


def call_builtin(function, values):
    if not callable(function):
        raise LispError(f"{show(function)} is no function")
    try:
        return function(*values)
    except (TypeError, IndexError) as error:
        raise LispError(str(error)) from error


def subtract(first, *rest):
    return first - sum(rest) if rest else -first


BUILTINS = {
    "+": lambda *values: sum(values),
    "*": lambda *values: reduce(operator.mul, values, 1),
    "-": subtract,
    "<": operator.lt,
    "=": operator.eq,
    "list": lambda *values: list(values),
    "first": lambda values: values[0],
    "rest": lambda values: values[1:],
    "cons": lambda value, values: [value, *values],
    "append": lambda *lists: sum(lists, []),
    "map": lambda function, values: list(map(function, values)),
    "fold": lambda function, start, values: reduce(function, values, start),
}

PROGRAM = """
(define count (lambda (n total) (if (= n 0) total (count (- n 1) (+ total n)))))
(count 5000 0)
(define adder (lambda (n) (lambda (x) (+ x n))))
(map (adder 10) '(1 2 -3))
(let ((x 2) (y 3)) (let ((x y)) (list x y (* x y))))
(fold (lambda (acc x) (cons x acc)) '() '(a (b c) 7))
(define even (lambda (n) (if (< n 1) (= n 0) (even (- n 2)))))
(list (even 10) (even 7) (if '() 1 2) adder)
(first (rest '(1)))
(adder 1 2)
(undefined 1)
"""

if __name__ == "__main__":
    scope = ChainMap({}, BUILTINS)
    for form in read(PROGRAM):
        try:
            print(show(evaluate(form, scope)))
        except LispError as error:
            print("error:", error)
    try:
        list(read("(list (1 2)"))
    except LispError as error:
        print("error:", error)
