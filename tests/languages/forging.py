"""Programs that try to write their own trace."""

from __future__ import annotations

from pathlib import Path

#: Around each attack: a function that runs, and one that never does.
AROUND = {
    "python": "def a(): pass\ndef b(): pass\na()\n{attack}\n",
    "java": "import java.lang.invoke.*; import java.lang.reflect.*; import java.util.*;\n"
    "class Main { static void a() {} static void b() {}\n"
    "static void fill(boolean[] all) { for (int w = (int) Math.sqrt(all.length), i = w + 1; i < all.length; i++)"
    " all[i] |= i % w > 0; }\n"
    "public static void main(String[] arguments) throws Throwable { a(); {attack}\n} }\n",
    "php": "<?php\nfunction a() {}\nfunction b() {}\na();\n{attack}\n",
    "javascript": "function a() {}\nfunction b() {}\na();\n{attack}\n",
}


def read_attacks() -> list[tuple[str, str, str]]:
    """Each language, the name of an attack, and its text."""
    attacks = []
    for language in AROUND:
        text = Path(__file__).with_name("forgeries").joinpath(f"{language}.txt").read_text("utf-8")
        for part in text.removeprefix("=== ").split("\n=== "):
            name, _, source = part.partition("\n")
            attacks.append((language, name, source))
    return attacks
