from pathlib import Path

from pytest_codereason.core import Runner
from pytest_codereason.core.execution import Harness

HARNESS = Path(__file__).with_name("harness.lua").read_text()


class LuaRunner(Runner):
    def harness(self, files, entry, call):
        others = {path: text for path, text in files.items() if path != entry}
        ending = f"\nreturn function() return {call}\nend" if call else ""
        return Harness(
            interpreter="lua5.4",
            version=("-v",),
            package="lua5.4",
            arguments=("harness.lua",),
            files={**others, "harness.lua": HARNESS, "program.txt": files[entry] + ending},
            sealed=True,  # the line of the result begins with a text that the program cannot know
        )
