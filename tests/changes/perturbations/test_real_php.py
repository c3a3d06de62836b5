# ruff: noqa: E501 - programs of another language stand here
"""A library of PHP under every perturbation: a parser of PHP that reads, prints and runs over its own source as before."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.changes.perturbations.trees import perturb_files
from tests.examples import take_every

pytestmark = pytest.mark.slow

#: Where Debian's packages of PHP lie; the test is of ``php-parser``.
LIBRARY = Path(os.environ.get("CODEREASON_PHP", "/usr/share/php"))
#: The first has all that the other has.
COMPOSITIONS = ["dead-code+comments+conditions+rename", "psc-all"]

#: Parses the files it is given, and prints the tree of each and the code made of it; what a library prints is dropped.
READS = r"""<?php
spl_autoload_register(function ($name) use ($argv) { @include $argv[1] . '/' . strtr($name, '\\', '/') . '.php'; });
$out = fopen('php://stderr', 'w');
ob_start(fn($text) => '', 4096);
$parser = (new PhpParser\ParserFactory)->create(PhpParser\ParserFactory::PREFER_PHP7);
foreach (array_slice($argv, 2) as $path) {
    $tree = $parser->parse(file_get_contents($path));
    fwrite($out, md5((new PhpParser\NodeDumper)->dump($tree)));
    $walk = new PhpParser\NodeTraverser;
    $walk->addVisitor(new PhpParser\NodeVisitor\NameResolver);
    $tree = $walk->traverse($tree);
    fwrite($out, ' ' . md5((new PhpParser\PrettyPrinter\Standard)->prettyPrintFile($tree)) . ' ' . md5(json_encode($tree)) . "\n");
    $evaluated = [];
    foreach ((new PhpParser\NodeFinder)->findInstanceOf($tree, PhpParser\Node\Expr::class) as $node) {
        try { $evaluated[] = (new PhpParser\ConstExprEvaluator)->evaluateSilently($node); } catch (Throwable $e) { $evaluated[] = get_class($e); }
    }
    fwrite($out, count($evaluated) . ' ' . md5(serialize($evaluated)) . "\n");
}
"""


@pytest.mark.skipif(not (LIBRARY / "PhpParser").is_dir(), reason=f"{LIBRARY} has no PhpParser (Debian's php-parser)")
@pytest.mark.skipif(shutil.which("php") is None, reason="php is needed")
def test_a_parser_reads_its_own_source(tmp_path: Path) -> None:
    files = sorted((LIBRARY / "PhpParser").rglob("*.php"))
    driver = tmp_path / "reads.php"
    driver.write_text(READS)
    some = [str(path) for path in files if path.stat().st_size < 40_000][::12]

    def read(root: Path) -> str:
        command = ["php", "-d", "memory_limit=1G", "-d", "error_reporting=0", str(driver), str(root), *some]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=200).stderr

    expected = read(LIBRARY)
    assert len(expected.splitlines()) == 2 * len(some)
    for number, text in enumerate(COMPOSITIONS[:: take_every(2)]):
        root = tmp_path / str(number)
        counts = perturb_files("php", LIBRARY, files, root, text)
        print(f"{text}: {len(files)} files, {dict(counts)}")
        assert counts["emitted"] > 0.9 * len(files)
        assert read(root) == expected, text
