from collections import Counter
from dataclasses import replace
from pathlib import Path

from codereason_lua.runner import LuaRunner
from codereason_lua.syntax import LuaCode
from pytest_codereason.core.language.capabilities import Tracer
from pytest_codereason.core.language.tracing import Body
from pytest_codereason.errors import DoesNotParse

WITNESS = Path(__file__).with_name("witness.lua").read_text()


class LuaTracer(Tracer):
    def harness(self, files, entry, call, witnessed):
        lines = Counter(body.line for body in self.list_bodies(files, entry)[1:])
        if len(files) > 1 or max(lines.values(), default=0) > 1:
            raise DoesNotParse("functions are told apart by their lines: one file, and one function a line")
        plain = LuaRunner().harness(files, entry, call)
        return replace(plain, files={**plain.files, "trace": "", "witness.lua": WITNESS})

    def list_bodies(self, files, entry):
        source, module = files[entry], entry.removesuffix(".lua")
        functions = [
            Body(f"{module}.{f.name.replace(':', '.')}", entry, source.count("\n", 0, f.span.start) + 1)
            for f in LuaCode(source).functions
        ]
        return [Body(module, entry, 1, callable=False), *functions]

    def read(self, payload, files, entry):
        file, *functions = self.list_bodies(files, entry)
        names = {0: file.name} | {body.line: body.name for body in functions}
        last = files[entry].count("\n") + 2  # where the harness puts the call
        edges = [(names.get(a, file.name if a >= last else None), names.get(b)) for a, b in payload["edges"]]
        return super().read({"edges": [edge for edge in edges if None not in edge]}, files, entry)
