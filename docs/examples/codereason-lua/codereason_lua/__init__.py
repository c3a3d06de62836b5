from pytest_codereason.languages.frame.language import TableLanguage


class Lua(TableLanguage):
    name = "lua"
    fence = "lua"
    title = "Lua"
    suffixes = (".lua",)
