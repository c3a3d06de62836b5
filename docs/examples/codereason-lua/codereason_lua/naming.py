from pytest_codereason.core.language.naming import GraphExample, Naming

PROGRAM = """\
local function double(n)
    return 2 * n
end

local Box = {}

function Box.fill(n)
    local twice = double(n)
    return twice
end

print(Box.fill(4))
"""


class LuaNaming(Naming):
    example = GraphExample(
        files={"main.lua": PROGRAM},
        entry="main.lua",
        edges={"main": ("main.Box.fill",), "main.Box.fill": ("main.double",)},
    )
    rule = (
        'A function f of "main.lua" is "main.f", one of a table "main.Table.f". Functions without a name are left out.'
    )

    def tidy(self, text):
        return text.partition("(")[0].replace(":", ".").strip()

    def simplify(self, name):
        return name

    def is_library(self, name, own):
        return name.partition(".")[0] in ("table", "string", "math", "io", "os")
