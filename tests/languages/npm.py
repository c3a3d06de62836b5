# ruff: noqa: E501 - programs of another language stand here
"""Packages of npm, and a program that calls all they export."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

#: Each with the folder of what it runs, the pattern of these files, and its entry.
PACKAGES = {
    "underscore@1.13.7": ("", "*.cjs", "underscore-node.cjs"),
    "ramda@0.30.1": ("src", "**/*.js", "src/index.js"),
    "lodash@4.17.21": ("", "lodash.js", "lodash.js"),
}

#: Calls every function of a module 25 times and prints what came, as one line a function; what is printed else is dropped.
CALLS = r"""
const write = process.stdout.write.bind(process.stdout);
console.log = () => {};
let seed = 1;
const draw = (n) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % n;
Math.random = () => draw(1000) / 1000;
Date.now = () => 1e12;
const values = () => [0, 1, 2, -1, 3.7, NaN, '', 'abc', 'Foo Bar-baz', 'a.b', [1, 2, 3], [3, 1, 2, 2], [[1, [2]], 4],
  ['b', 'a'], [{ a: 1, b: { c: 2 } }, { a: 2 }], { a: 1, b: 2, c: [1] }, null, undefined, true, (x) => x,
  (a, b) => a - b, (a, b) => a + b, (x) => x % 2 == 0, /[a-c]+/g, new Date(0), new Map([[1, 2]]), new Set([1])];
function show(value, depth = 0) {
  if (typeof value === 'function') return 'function ' + value.length;
  if (value === null || typeof value !== 'object') return Object.is(value, -0) ? '-0' : String(value) + ':' + typeof value;
  if (depth > 3) return '...';
  if (Array.isArray(value)) return '[' + value.slice(0, 40).map((item) => show(item, depth + 1)) + ']';
  if (value instanceof Date || value instanceof RegExp) return String(value);
  return '{' + Object.keys(value).slice(0, 40).map((key) => key + '=' + show(value[key], depth + 1)) + '}';
}
function call(f, args) {
  try {
    const found = f(...args);
    return typeof found === 'function' ? 'function ' + found.length : show(found);
  } catch (error) { return 'throws ' + error.constructor.name; }
}
// These run for ever, wait, build what is as long as a number says, or give back the global object.
const left = /^(delay|defer|debounce|throttle|runInContext|noConflict|repeat|pad|padStart|padEnd|times|range|rangeRight|uniqueId|now|until|unfold|toString|template|xprod|mixin)$/;
const library = require(process.argv[1]);
for (const name of Object.keys(library).sort()) {
  if (typeof library[name] !== 'function' || left.test(name)) continue;
  seed = 7;
  const came = [];
  for (let i = 0; i < 25; i++) {
    const all = values(), count = draw(4);
    came.push(call(library[name], Array.from({ length: count }, () => all[draw(all.length)])));
  }
  write(name + ' ' + came.map((text) => text.includes('=>') ? 'source' : text).join(' | ') + '\n');
}
process.exit(0);
"""


def fetch_package(package: str, into: Path) -> Path:
    """The folder of a package, unpacked."""
    return fetch_packages([package], into)[0]


def fetch_packages(packages: Sequence[str], into: Path) -> list[Path]:
    """The folders of some packages, unpacked."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("npm and node are needed for packages of npm")
    command = ["npm", "pack", "--silent", *packages]
    process = subprocess.run(command, cwd=into, capture_output=True, text=True, check=False)
    if process.returncode != 0:
        pytest.skip(f"npm does not give {' and '.join(packages)}: {process.stderr.strip()[-200:]}")
    archives = [into / name for name in process.stdout.split()[-len(packages) :]]
    for archive in archives:
        shutil.unpack_archive(archive, archive.with_suffix(""))
    return [archive.with_suffix("") / "package" for archive in archives]
