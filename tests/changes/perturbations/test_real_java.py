# ruff: noqa: E501 - programs of another language stand here
"""Collections of the JDK under every perturbation: they compile, and a program that uses them prints the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.changes.perturbations.trees import perturb_files
from tests.examples import take_every

pytestmark = pytest.mark.slow

#: Not those that the virtual machine uses before it can box an int, as a condition with ``Objects.equals`` does.
NAMES = (
    *["ArrayDeque", "Base64", "BitSet", "Formatter", "LinkedList", "Optional", "PriorityQueue", "Random", "Scanner"],
    *["StringJoiner", "StringTokenizer", "TimSort", "TreeMap", "TreeSet", "UUID"],
)
#: The first has all that the others have.
COMPOSITIONS = ["comments+dead-code+conditions+rename", "psc-all", "conditions+dead-code"]
USES = """
import java.util.*;
import java.util.stream.*;
class Uses {
    static long seed = 1;
    static int draw(int n) { seed = seed * 6364136223846793005L + 1442695040888963407L; return (int) Long.remainderUnsigned(seed >>> 33, n); }
    public static void main(String[] arguments) {
        Random random = new Random(5);
        List<Collection<Integer>> all = List.of(new ArrayList<>(), new LinkedList<>(), new ArrayDeque<>(), new TreeSet<>(),
            new PriorityQueue<>(), new HashSet<>(), new LinkedHashSet<>(), new TreeSet<>(Comparator.reverseOrder()));
        List<Map<Integer, String>> maps = List.of(new HashMap<>(), new TreeMap<>(), new LinkedHashMap<>(16, .75f, true));
        for (int i = 0; i < 20000; i++) {
            Collection<Integer> c = all.get(draw(all.size()));
            int x = draw(500);
            switch (draw(6)) {
                case 0, 1, 2 -> c.add(x);
                case 3 -> c.remove((Object) x);
                case 4 -> c.removeIf(y -> y % 97 == x % 97);
                default -> { if (c instanceof List<Integer> l) { Collections.sort(l); if (!l.isEmpty()) l.add(l.size() / 2, x); Collections.rotate(l, 3); } }
            }
            Map<Integer, String> m = maps.get(draw(3));
            switch (draw(5)) {
                case 0 -> m.put(x, "v" + i);
                case 1 -> m.remove(x);
                case 2 -> m.merge(x, "a", String::concat);
                case 3 -> m.computeIfAbsent(x, Integer::toHexString);
                default -> m.getOrDefault(x, "");
            }
        }
        for (Collection<Integer> c : all) System.out.println(c + " " + c.stream().mapToInt(y -> y).sum());
        for (Map<Integer, String> m : maps) System.out.println(m);
        TreeMap<Integer, String> tree = (TreeMap<Integer, String>) maps.get(1);
        System.out.println(tree.headMap(100, false).descendingMap() + " " + tree.floorKey(77) + tree.pollFirstEntry());
        BitSet bits = new BitSet();
        for (int i = 0; i < 300; i++) { bits.set(draw(900)); bits.flip(draw(800), 800); }
        System.out.println(bits + " " + bits.cardinality());
        Integer[] boxed = random.ints(3000, 0, 99).boxed().toArray(Integer[]::new);
        Arrays.sort(boxed, Comparator.comparing(y -> y % 10));
        int[] plain = random.ints(2000).toArray();
        Arrays.sort(plain);
        System.out.println(Arrays.hashCode(boxed) + " " + Arrays.hashCode(plain) + " " + Arrays.binarySearch(plain, plain[77]));
        System.out.println(String.format("%5d|%-8s|%08.3f|%x|%,d|%+e|%c|%b|%tY", 42, "ab", 3.14159, 255, 1234567, 12345.678, 'c', true, new Date(0)));
        System.out.println(Base64.getEncoder().encodeToString(new byte[] {1, 2, 3, -4, 5}) + Arrays.toString(Base64.getDecoder().decode("AQID/AU=")));
        System.out.println(new StringJoiner("-", "[", "]").add("a").add("b") + " " + UUID.nameUUIDFromBytes(new byte[] {7}));
        Scanner scanner = new Scanner("12 3.5 word\\nnext line 0x1f");
        System.out.println(scanner.nextInt() + scanner.nextDouble() + scanner.next() + scanner.nextLine() + scanner.nextLine());
        System.out.println(Collections.list(new StringTokenizer("a b,c", " ,", true)) + " " + Optional.of(3).filter(y -> y > 4).isPresent());
        System.out.println(IntStream.range(0, 99).boxed().collect(Collectors.groupingBy(y -> y % 7)));
        try { for (Integer y : (List<Integer>) all.get(0)) all.get(0).add(y); } catch (ConcurrentModificationException e) { System.out.println("changed"); }
    }
}
"""


def sources() -> Path:
    """The archive with the JDK's sources."""
    named = os.environ.get("CODEREASON_JDK_SOURCE")
    java = shutil.which("javac")
    if java is None:
        pytest.skip("javac is needed")
    home = Path(java).resolve().parent.parent
    archive = Path(named) if named else home / "lib" / "src.zip"
    if not archive.exists():
        pytest.skip("the JDK has no sources (Debian's openjdk-17-source, or CODEREASON_JDK_SOURCE names src.zip)")
    return archive


def test_collections_of_the_jdk(tmp_path: Path) -> None:
    with zipfile.ZipFile(sources()) as archive:
        members = [f"java.base/java/util/{name}.java" for name in NAMES[:: take_every(2)]]
        archive.extractall(tmp_path / "jdk", members)
    root = tmp_path / "jdk" / "java.base"
    files = [tmp_path / "jdk" / member for member in members]
    uses = tmp_path / "Uses.java"
    uses.write_text(USES)
    subprocess.run(["javac", "-nowarn", "-d", str(tmp_path), str(uses)], check=True)

    def printed(*options: str) -> str:
        command = ["java", *options, "-cp", str(tmp_path), "Uses"]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=200).stdout

    expected = printed()
    assert len(expected) > 10_000
    for number, text in enumerate([*COMPOSITIONS[:: take_every(3)], "prints"]):
        target = tmp_path / str(number)
        # Prints only compile: the virtual machine uses these classes before there is a ``System.out``.
        call, chosen = ("main()", files[:: take_every(3)]) if text == "prints" else ("", files)
        counts = perturb_files("java", root, chosen, target / "source", text, call)
        print(f"{text}: {dict(counts)}")
        assert counts["emitted"] >= 0.9 * len(chosen)
        options = [
            "-nowarn",
            "-g:none",
            "-proc:none",
            "-XDignore.symbol.file",
            f"--patch-module=java.base={target}/source",
        ]
        paths = [str(path) for path in sorted((target / "source").rglob("*.java"))]
        compiled = subprocess.run(
            ["javac", *options, "-d", str(target / "classes"), *paths], capture_output=True, text=True, check=False
        )
        assert compiled.returncode == 0, compiled.stderr[-3000:]
        if text != "prints":
            assert printed(f"--patch-module=java.base={target / 'classes'}") == expected, text
