"""What a trace costs: processor time traced, divided by processor time untraced, start-up apart.

Two programs in each language: recursive Fibonacci, which does nothing but call, and an ordinary one, which reads
records, groups and sorts them, and writes a report. Prints ratios and never fails on a clock.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import median

import pytest

from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.core.language.tracing import Witnessed
from pytest_codereason.sandbox import Sandbox
from tests.benchmarks.extent import limit

pytestmark = pytest.mark.benchmark

ROUNDS = limit(3, 1)
PATIENT = Limits(wall_s=120, cpu_s=100)

FIBONACCI = {
    "python": "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(29)\n",
    "javascript": "function fib(n) {\n  return n < 2 ? n : fib(n - 1) + fib(n - 2);\n}\nfib(36);\n",
    "java": "class Main {\n    static int fib(int n) {\n        return n < 2 ? n : fib(n - 1) + fib(n - 2);\n    }\n"
    "    public static void main(String[] a) { fib(40); }\n}\n",
}
ORDINARY = {
    "python": """\
import json, re

class Account:
    def __init__(self, name):
        self.name, self.balance, self.moves = name, 0, []

    def post(self, amount, text):
        self.moves.append((amount, text.strip().lower()))
        self.balance += amount

    def describe(self):
        words = {}
        for _, text in self.moves:
            for word in re.findall(r'[a-z]+', text):
                words[word] = words.get(word, 0) + 1
        common = sorted(words, key=lambda word: (-words[word], word))[:3]
        return f'{self.name:>10} {self.balance:>9} {", ".join(common)}'

def read(lines):
    for line in lines:
        name, amount, text = line.split(';', 2)
        yield name, int(amount), text

def book(lines):
    accounts = {}
    for name, amount, text in read(lines):
        if name not in accounts:
            accounts[name] = Account(name)
        accounts[name].post(amount, text)
    return accounts

def report(accounts):
    ranked = sorted(accounts.values(), key=lambda account: account.balance)
    return '\\n'.join(account.describe() for account in ranked)

lines = [f'n{i % 97};{(i * 7919) % 1000 - 400}; Paid for item {i % 13} of the order and freight' for i in range(40000)]
for _ in range(5):
    text = report(book(lines))
    json.loads(json.dumps(text.split('\\n')))
""",
    "javascript": """\
class Account {
  constructor(name) { this.name = name; this.balance = 0; this.moves = []; }
  post(amount, text) {
    this.moves.push([amount, text.trim().toLowerCase()]);
    this.balance += amount;
  }
  describe() {
    const words = new Map();
    for (const [, text] of this.moves) {
      for (const word of text.match(/[a-z]+/g)) words.set(word, (words.get(word) ?? 0) + 1);
    }
    const common = [...words].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 3);
    return `${this.name.padStart(10)} ${String(this.balance).padStart(9)} ${common.map(([word]) => word).join(', ')}`;
  }
}

function* read(lines) {
  for (const line of lines) {
    const [name, amount, text] = line.split(';');
    yield { name, amount: Number(amount), text };
  }
}

function book(lines) {
  const accounts = new Map();
  for (const { name, amount, text } of read(lines)) {
    if (!accounts.has(name)) accounts.set(name, new Account(name));
    accounts.get(name).post(amount, text);
  }
  return accounts;
}

const report = (accounts) =>
  [...accounts.values()].sort((a, b) => a.balance - b.balance).map((account) => account.describe()).join('\\n');

const lines = Array.from({ length: 40000 }, (_, i) =>
  `n${i % 97};${(i * 7919) % 1000 - 400}; Paid for item ${i % 13} of the order and the freight `);
for (let i = 0; i < 12; i++) JSON.parse(JSON.stringify(report(book(lines)).split('\\n')));
""",
    "java": """\
import java.util.*;
import java.util.stream.*;

class Main {
    record Move(int amount, String text) {}

    static class Account {
        final String name;
        int balance;
        final List<Move> moves = new ArrayList<>();

        Account(String name) { this.name = name; }

        void post(int amount, String text) {
            moves.add(new Move(amount, text.strip().toLowerCase()));
            balance += amount;
        }

        String describe() {
            Map<String, Integer> words = new HashMap<>();
            for (Move move : moves) {
                for (String word : move.text().split("[^a-z]+")) words.merge(word, 1, Integer::sum);
            }
            List<String> common = words.keySet().stream()
                .sorted(Comparator.comparing((String word) -> -words.get(word)).thenComparing(word -> word))
                .limit(3).toList();
            return String.format("%10s %9d %s", name, balance, String.join(", ", common));
        }
    }

    static Map<String, Account> book(List<String> lines) {
        Map<String, Account> accounts = new LinkedHashMap<>();
        for (String line : lines) {
            String[] parts = line.split(";", 3);
            accounts.computeIfAbsent(parts[0], Account::new).post(Integer.parseInt(parts[1]), parts[2]);
        }
        return accounts;
    }

    static String report(Map<String, Account> accounts) {
        return accounts.values().stream().sorted(Comparator.comparingInt(account -> account.balance))
            .map(Account::describe).collect(Collectors.joining("\\n"));
    }

    public static void main(String[] a) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 40000; i++) {
            lines.add("n" + i % 97 + ";" + (i * 7919 % 1000 - 400) + "; Paid for item " + i % 13 + " of the order ");
        }
        for (int i = 0; i < 12; i++) report(book(lines));
    }
}
""",
}
TARGETS = {"python": (8, 2), "javascript": (5, 1.5), "java": (5, 1.5)}
#: The program that does nothing.
EMPTY = {"java": "class Main {\n    public static void main(String[] a) {}\n}\n"}


def measure(sandbox: Sandbox, language: str, source: str, witnessed: Witnessed) -> float:
    """Seconds of processor time, less those of an empty program."""
    run = replace(Run.from_source(language=language, source=source, limits=PATIENT), witnessed=witnessed)
    empty = replace(
        Run.from_source(language=language, source=EMPTY.get(language, ""), limits=PATIENT), witnessed=witnessed
    )
    execution, start = sandbox.run(run), sandbox.run(empty)
    assert execution.returned, (execution.words, execution.message, execution.stderr)
    return execution.cpu_s - start.cpu_s


@pytest.mark.parametrize("language", TARGETS)
def test_cost_of_a_trace(language: str, sandbox: Sandbox) -> None:
    for name, sources, target in zip(("calls only", "ordinary"), (FIBONACCI, ORDINARY), TARGETS[language], strict=True):
        kinds: tuple[Witnessed, ...] = ("", "calls", "lines") if name == "ordinary" else ("", "calls")
        seconds: dict[Witnessed, list[float]] = {witnessed: [] for witnessed in kinds}
        for _ in range(ROUNDS):  # in turns, because the machine's speed changes
            for witnessed, times in seconds.items():
                times.append(measure(sandbox, language, sources[language], witnessed))
        plain, *traced = (median(times) for times in seconds.values())
        ratios = ", ".join(f"{kind} {time / plain:.2f} times" for kind, time in zip(kinds[1:], traced, strict=True))
        print(f"\n{language}, {name}: {plain:.2f} s untraced; {ratios} (target of calls {target})")
