"""A small template language: ``{name}``, ``{name|filter}``, ``{% for %}``, ``{% if %}``."""

import re

TOKEN = re.compile(r"(\{%.*?%\}|\{.*?\})")
FILTERS = {}


class TemplateError(Exception):
    pass


def filter_(function):
    FILTERS[function.__name__.rstrip("_")] = function
    return function


@filter_
def upper(value):
    return str(value).upper()


@filter_
def money(value):
    return f"{value / 100:,.2f}"


@filter_
def list_(value):
    *most, last = map(str, value)
    return f"{', '.join(most)} and {last}" if most else last


class Text:
    def __init__(self, text):
        self.text = text

    def render(self, scope):
        yield self.text


class Value:
    def __init__(self, source):
        self.path, *self.filters = (part.strip() for part in source.split("|"))

    def render(self, scope):
        value = look_up(self.path, scope)
        for name in self.filters:
            if name not in FILTERS:
                raise TemplateError(f"no filter {name}")
            value = FILTERS[name](value)
        yield str(value)


class Block:
    def __init__(self):
        self.children = []

    def render(self, scope):
        for child in self.children:
            yield from child.render(scope)


class Loop(Block):
    def __init__(self, source):
        super().__init__()
        words = source.split()
        if len(words) != 3 or words[1] != "in":
            raise TemplateError(f"for {source}?")
        self.name, _, self.path = words

    def render(self, scope):
        items = look_up(self.path, scope)
        for number, item in enumerate(items, start=1):
            loop = {"number": number, "first": number == 1, "last": number == len(items)}
            yield from super().render({**scope, self.name: item, "loop": loop})


class Choice(Block):
    def __init__(self, source):
        super().__init__()
        match source.split():
            case [path]:
                self.wanted, self.path = True, path
            case ["not", path]:
                self.wanted, self.path = False, path
            case _:
                raise TemplateError(f"if {source}?")
        self.otherwise = Block()

    def render(self, scope):
        holds = bool(look_up(self.path, scope)) == self.wanted
        return super().render(scope) if holds else self.otherwise.render(scope)


def look_up(path, scope):
    value = scope
    for name in path.split("."):
        try:
            value = value[name] if isinstance(value, dict) else getattr(value, name)
        except (KeyError, AttributeError):
            raise TemplateError(f"no value {path}") from None
    return value


def parse(template):
    """A stack holds the blocks that are still open, with the word that opened each."""
    root = Block()
    stack = [("", root, root.children)]
    for token in filter(None, TOKEN.split(template)):
        word, _, rest = token[2:-2].strip().partition(" ") if token.startswith("{%") else ("", "", "")
        opener, block, children = stack[-1]
        if word in ("for", "if"):
            new = Loop(rest) if word == "for" else Choice(rest)
            children.append(new)
            stack.append((word, new, new.children))
        elif word == "else" and opener == "if":
            stack[-1] = ("else", block, block.otherwise.children)
        elif word == "end" and opener:
            stack.pop()
        elif word:
            raise TemplateError(f"{word} out of place")
        elif token.startswith("{"):
            children.append(Value(token[1:-1]))
        else:
            children.append(Text(token))
    if len(stack) > 1:
        raise TemplateError(f"{stack[-1][0]} without end")
    return root


def render(template, **scope):
    return "".join(parse(template).render(scope))


BILL = """Dear {customer.name|upper},
{% for item in lines %}{loop.number}. {item.what} {% if item.price %}{item.price|money}{% else %}-{% end %}
{% end %}{% if not paid %}Please pay{% if urgent %} now{% end %}.{% end %}"""

if __name__ == "__main__":
    wares = [{"what": "kettle", "price": 129900}, {"what": "manual", "price": 0}]
    print(render(BILL, customer={"name": "Ms Ray"}, lines=wares, paid=False, urgent=True))
    names = "{% for name in all %}{name}{% if loop.last %}.{% else %}; {% end %}{% end %}"
    print(render(names, all=["ash", "birch", "cedar"]))
    for broken in ["{% if x %}", "{x|round}", "{y.z}", "{% end %}"]:
        try:
            print(render(broken, x=1, y={}))
        except TemplateError as error:
            print(f"{broken} -> {error}")
