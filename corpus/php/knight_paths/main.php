<?php

declare(strict_types=1);

namespace Chess;

/** A square of the board, such as c3. */
final class Square
{
    private function __construct(public readonly int $file, public readonly int $rank)
    {
    }

    public static function named(string $name): self
    {
        $square = strlen($name) === 2 ? self::at(ord($name[0]) - ord('a'), (int) $name[1] - 1) : null;
        return $square ?? throw new \OutOfBoundsException("no square $name");
    }

    public static function at(int $file, int $rank): ?self
    {
        $onBoard = $file >= 0 && $file < 8 && $rank >= 0 && $rank < 8;
        return $onBoard ? new self($file, $rank) : null;
    }

    public function moved(int $files, int $ranks): ?self
    {
        return self::at($this->file + $files, $this->rank + $ranks);
    }

    public function name(): string
    {
        return chr(ord('a') + $this->file) . ($this->rank + 1);
    }

    public function isDark(): bool
    {
        return ($this->file + $this->rank) % 2 === 0;
    }
}

/** Something that moves from square to square; blocked squares are never entered. */
abstract class Piece
{
    /** @var array<string, true> */
    private array $blocked;

    public function __construct(string ...$blocked)
    {
        $this->blocked = array_fill_keys($blocked, true);
    }

    /** @return iterable<?Square> */
    abstract protected function reach(Square $from): iterable;

    protected function free(?Square $square): bool
    {
        return $square !== null && !isset($this->blocked[$square->name()]);
    }

    /** @return list<string> */
    public function moves(Square $from): array
    {
        $names = [];
        foreach ($this->reach($from) as $square) {
            if ($this->free($square)) {
                $names[] = $square->name();
            }
        }
        sort($names);
        return $names;
    }

    /** @return list<string> the squares of a shortest way, both ends included */
    public function way(string $from, string $to): array
    {
        $cameFrom = [$from => null];
        $queue = new \SplQueue();
        $queue[] = $from;
        while (!$queue->isEmpty()) {
            $name = $queue->dequeue();
            if ($name === $to) {
                return $this->trace($cameFrom, $to);
            }
            foreach ($this->moves(Square::named($name)) as $next) {
                if (!array_key_exists($next, $cameFrom)) {
                    $cameFrom[$next] = $name;
                    $queue[] = $next;
                }
            }
        }
        return [];
    }

    private function trace(array $cameFrom, string $last): array
    {
        $before = $cameFrom[$last];
        return $before === null ? [$last] : [...$this->trace($cameFrom, $before), $last];
    }
}

final class Knight extends Piece
{
    protected function reach(Square $from): iterable
    {
        foreach ([1, 2] as $files) {
            foreach ([-1, 1] as $side) {
                yield $from->moved($side * $files, 3 - $files);
                yield $from->moved($side * $files, $files - 3);
            }
        }
    }
}

final class Bishop extends Piece
{
    protected function reach(Square $from): iterable
    {
        foreach ([[1, 1], [1, -1], [-1, 1], [-1, -1]] as [$files, $ranks]) {
            $square = $from->moved($files, $ranks);
            while ($this->free($square)) {
                yield $square;
                $square = $square->moved($files, $ranks);
            }
        }
    }
}

$knight = new Knight();
echo implode(' ', $knight->moves(Square::named('b1'))), "\n";
echo implode('-', $knight->way('a1', 'h8')), "\n";
$guarded = new Knight('b3', 'c2');
echo $guarded->way('a1', 'a2') === [] ? 'shut in' : 'free', "\n";
$bishop = new Bishop('e4', 'f2');
echo implode(' ', $bishop->moves(Square::named('g1'))), "\n";
echo implode(' ', $bishop->moves(Square::named('c2'))), "\n";
echo implode('-', $bishop->way('c2', 'h1')), "\n";
try {
    $knight->moves(Square::named('j9'));
} catch (\OutOfBoundsException $outside) {
    echo $outside->getMessage(), "\n";
}
