<?php

declare(strict_types=1);

/** Water, sand and stone in a box: a small world in which things fall. */
final class World
{
    private const EMPTY = '.';
    private const SAND = 'o';
    private const WATER = '~';
    private const STONE = '#';

    /** @var list<list<string>> */
    private array $cells;
    private readonly int $width;
    private readonly int $height;
    private int $steps = 0;

    public function __construct(string ...$rows)
    {
        $this->cells = array_map(str_split(...), $rows);
        $this->height = count($rows);
        $this->width = strlen($rows[0]);
        foreach ($rows as $number => $row) {
            if (strlen($row) !== $this->width) {
                throw new LengthException("row $number is not $this->width wide");
            }
        }
    }

    /** Lets everything move once; says whether anything did. */
    public function step(): bool
    {
        $moved = false;
        $this->steps++;
        // From the bottom up, so that nothing falls twice in one step.
        for ($y = $this->height - 2; $y >= 0; $y--) {
            foreach ($this->columns() as $x) {
                $moved = $this->move($x, $y) || $moved;
            }
        }
        return $moved;
    }

    public function settle(int $most = 100): int
    {
        $count = 0;
        while ($count < $most && $this->step()) {
            $count++;
        }
        return $count;
    }

    /** Every second step looks from right to left, so that no side is favoured. */
    private function columns(): array
    {
        $columns = range(0, $this->width - 1);
        return $this->steps % 2 === 0 ? array_reverse($columns) : $columns;
    }

    private function move(int $x, int $y): bool
    {
        $grain = $this->cells[$y][$x];
        foreach ($this->wishes($grain, $x, $y) as [$toX, $toY]) {
            if ($this->yields($grain, $toX, $toY)) {
                [$this->cells[$y][$x], $this->cells[$toY][$toX]] = [$this->cells[$toY][$toX], $grain];
                return true;
            }
        }
        return false;
    }

    private function wishes(string $grain, int $x, int $y): array
    {
        $below = [[$x, $y + 1], [$x - 1, $y + 1], [$x + 1, $y + 1]];
        return match ($grain) {
            self::SAND, self::WATER => $below,
            default => [],
        };
    }

    /** Sand sinks in water; otherwise only empty cells give way. */
    private function yields(string $grain, int $x, int $y): bool
    {
        $there = $this->cells[$y][$x] ?? self::STONE;
        return $there === self::EMPTY || ($grain === self::SAND && $there === self::WATER);
    }

    public function pour(string $grain, int $x, int $times): int
    {
        $poured = 0;
        while ($poured < $times && $this->cells[0][$x] === self::EMPTY) {
            $this->cells[0][$x] = $grain;
            $poured++;
            $this->settle();
        }
        return $poured;
    }

    public function count(string $grain): int
    {
        return array_sum(array_map(fn (array $row) => count(array_keys($row, $grain, true)), $this->cells));
    }

    public function __toString(): string
    {
        return implode("\n", array_map(implode(...), $this->cells)) . "\n";
    }
}

$hill = new World('..o..', '..o..', '..o..', '.....', '.###.');
echo $hill->settle(), " steps\n", $hill;
$basin = new World('#.....#', '#.....#', '#.....#', '#######');
echo 'poured ', $basin->pour('~', 3, 4), ' and ', $basin->pour('o', 3, 3), "\n", $basin;
$shaft = new World('#.#', '#.#', '###');
echo 'only ', $shaft->pour('o', 1, 5), ' of 5 fit', "\n", $shaft;
