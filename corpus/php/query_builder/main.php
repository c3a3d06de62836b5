<?php

declare(strict_types=1);

/** Filters and sorts rows in memory by a chain of calls such as whereTown('Bern'). */
final class Query
{
    private array $tests = [];
    private array $order = [];
    private ?int $limit = null;
    private int $offset = 0;

    private const COMPARISONS = ['Above', 'Below', 'Like', 'In'];

    public function __construct(private readonly array $rows)
    {
    }

    public function __call(string $method, array $arguments): static
    {
        if (preg_match('/^(or)?where(\w+)$/i', $method, $part)) {
            [$column, $comparison] = $this->divide($part[2]);
            return $this->condition($part[1] !== '', $this->test($column, $comparison, $arguments));
        }
        if (preg_match('/^orderBy(\w+?)(Desc)?$/', $method, $part)) {
            $this->order[] = [lcfirst($part[1]), isset($part[2]) ? -1 : 1];
            return $this;
        }
        throw new BadMethodCallException("no method $method");
    }

    /** @return array{string, string} the column and how it is compared */
    private function divide(string $words): array
    {
        foreach (self::COMPARISONS as $comparison) {
            if (str_ends_with($words, $comparison) && $words !== $comparison) {
                return [lcfirst(substr($words, 0, -strlen($comparison))), $comparison];
            }
        }
        return [lcfirst($words), ''];
    }

    private function test(string $column, string $comparison, array $arguments): Closure
    {
        $wanted = $arguments[0] ?? null;
        return match ($comparison) {
            'Above' => fn (array $row) => $row[$column] > $wanted,
            'Below' => fn (array $row) => $row[$column] < $wanted,
            'Like' => fn (array $row) => fnmatch(strtolower($wanted), strtolower($row[$column])),
            'In' => fn (array $row) => in_array($row[$column], $arguments, true),
            default => fn (array $row) => $row[$column] === $wanted,
        };
    }

    private function condition(bool $alternative, Closure $test): static
    {
        if ($alternative && $this->tests !== []) {
            $before = array_pop($this->tests);
            $test = fn (array $row) => $before($row) || $test($row);
        }
        $this->tests[] = $test;
        return $this;
    }

    public function page(int $number, int $size): static
    {
        if ($number < 1 || $size < 1) {
            throw new OutOfRangeException("page $number of size $size");
        }
        $this->offset = ($number - 1) * $size;
        $this->limit = $size;
        return $this;
    }

    public function get(): array
    {
        $rows = array_filter($this->rows, $this->accepts(...));
        usort($rows, $this->compare(...));
        return array_slice($rows, $this->offset, $this->limit);
    }

    public function pluck(string $column): array
    {
        return array_column($this->get(), $column);
    }

    public function average(string $column): ?float
    {
        $values = $this->pluck($column);
        return $values === [] ? null : array_sum($values) / count($values);
    }

    private function accepts(array $row): bool
    {
        foreach ($this->tests as $test) {
            if (!$test($row)) {
                return false;
            }
        }
        return true;
    }

    private function compare(array $a, array $b): int
    {
        foreach ($this->order as [$column, $direction]) {
            $result = $direction * ($a[$column] <=> $b[$column]);
            if ($result !== 0) {
                return $result;
            }
        }
        return 0;
    }
}

$rows = [];
foreach (['Ida Bern 31', 'Jan Basel 45', 'Kai Bern 28', 'Lea Chur 45', 'Max Basel 19'] as $line) {
    $rows[] = array_combine(['name', 'town', 'age'], sscanf($line, '%s %s %d'));
}
$people = fn () => new Query($rows);
echo implode(' ', $people()->whereTown('Bern')->orWhereTown('Chur')->whereAgeAbove(28)->pluck('name')), "\n";
echo implode(' ', $people()->orderByAgeDesc()->orderByName()->page(1, 3)->pluck('name')), "\n";
echo implode(' ', $people()->orderByAgeDesc()->orderByName()->page(2, 3)->pluck('name')), "\n";
echo implode(' ', $people()->whereNameLike('*A*')->whereTownIn('Bern', 'Basel')->pluck('name')), "\n";
echo implode(' ', $people()->whereAgeBelow(31)->pluck('age')), "\n";
try {
    $people()->groupByTown();
} catch (BadMethodCallException $unknown) {
    echo $unknown->getMessage(), "\n";
}
