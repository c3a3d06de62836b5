<?php

declare(strict_types=1);

/**
 * A chain of steps over any iterable; nothing is computed before somebody asks.
 *
 * @implements IteratorAggregate<int, mixed>
 */
final class Lazy implements IteratorAggregate, Countable
{
    private function __construct(private readonly Closure $source)
    {
    }

    public static function of(iterable $items): self
    {
        return new self(function () use ($items) {
            foreach ($items as $item) {
                yield $item;
            }
        });
    }

    public static function countFrom(int $start, int $step = 1): self
    {
        return new self(function () use ($start, $step) {
            for ($n = $start; ; $n += $step) {
                yield $n;
            }
        });
    }

    public function getIterator(): Generator
    {
        return ($this->source)();
    }

    public function map(callable $function): self
    {
        return new self(function () use ($function) {
            foreach ($this as $item) {
                yield $function($item);
            }
        });
    }

    public function filter(?callable $test = null): self
    {
        $test ??= fn ($item) => (bool) $item;
        return new self(function () use ($test) {
            foreach ($this as $item) {
                if ($test($item)) {
                    yield $item;
                }
            }
        });
    }

    public function take(int $most): self
    {
        return new self(function () use ($most) {
            if ($most <= 0) {
                return;
            }
            foreach ($this as $item) {
                yield $item;
                if (--$most === 0) {
                    return;
                }
            }
        });
    }

    public function flatten(): self
    {
        return new self(function () {
            foreach ($this as $item) {
                if (is_iterable($item)) {
                    yield from self::of($item)->flatten();
                } else {
                    yield $item;
                }
            }
        });
    }

    /** Neighbours for which the test holds stay in one group. */
    public function chunkWhile(callable $together): self
    {
        return new self(function () use ($together) {
            $group = [];
            foreach ($this as $item) {
                if ($group !== [] && !$together(end($group), $item)) {
                    yield $group;
                    $group = [];
                }
                $group[] = $item;
            }
            if ($group !== []) {
                yield $group;
            }
        });
    }

    public function fold(mixed $start, callable $step): mixed
    {
        foreach ($this as $item) {
            $start = $step($start, $item);
        }
        return $start;
    }

    public function count(): int
    {
        return $this->fold(0, fn (int $n) => $n + 1);
    }

    public function toArray(): array
    {
        return iterator_to_array($this, false);
    }
}

$seen = 0;
$squares = Lazy::countFrom(1)->map(function (int $n) use (&$seen) {
    $seen++;
    return $n * $n;
});
$odd = $squares->filter(fn (int $n) => $n % 2 === 1)->take(4);
echo 'before: ', $seen, "\n";
echo implode(' ', $odd->toArray()), " seen $seen\n";
echo 'again ', $odd->fold(0, fn (int $sum, int $n) => $sum + $n), " seen $seen\n";
echo implode(',', Lazy::of([1, [2, [3, []], 4], [[5]]])->flatten()->toArray()), "\n";
$runs = Lazy::of([1, 2, 3, 7, 8, 12])->chunkWhile(fn (int $a, int $b) => $b === $a + 1);
foreach ($runs->map(fn (array $run) => $run[0] . (count($run) > 1 ? '-' . end($run) : '')) as $run) {
    echo $run, ' ';
}
echo "\n", Lazy::of(['a', '', 'b', null])->filter()->fold('', fn (string $all, string $s) => "$s$all"), "\n";
