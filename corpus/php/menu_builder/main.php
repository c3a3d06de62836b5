<?php

declare(strict_types=1);

/** A menu of a restaurant that is gone through with PHP's recursive iterators. */
abstract class Entry
{
    public function __construct(public readonly string $name)
    {
    }

    abstract public function price(): int;

    public function accept(callable $filter): bool
    {
        return $filter($this);
    }
}

final class Dish extends Entry
{
    public function __construct(string $name, private readonly int $cents, public readonly array $tags = [])
    {
        parent::__construct($name);
    }

    public function price(): int
    {
        return $this->cents;
    }
}

class Section extends Entry implements RecursiveIterator
{
    private int $position = 0;
    /** @var list<Entry> */
    protected array $entries;

    public function __construct(string $name, Entry ...$entries)
    {
        parent::__construct($name);
        $this->entries = $entries;
    }

    public function price(): int
    {
        return array_sum(array_map(fn (Entry $entry) => $entry->price(), $this->entries));
    }

    public function cheapest(): ?Entry
    {
        $entries = $this->entries;
        usort($entries, fn (Entry $a, Entry $b) => $a->price() <=> $b->price());
        return $entries[0] ?? null;
    }

    public function current(): Entry
    {
        return $this->entries[$this->position];
    }

    public function key(): string
    {
        return $this->current()->name;
    }

    public function next(): void
    {
        $this->position++;
    }

    public function rewind(): void
    {
        $this->position = 0;
    }

    public function valid(): bool
    {
        return $this->position < count($this->entries);
    }

    public function hasChildren(): bool
    {
        return $this->current() instanceof Section;
    }

    public function getChildren(): ?RecursiveIterator
    {
        $child = $this->current();
        return $child instanceof Section ? $child : null;
    }
}

/** Several entries that are cheaper together. */
final class Combination extends Section
{
    private const DISCOUNT = 10;

    public function price(): int
    {
        $full = parent::price();
        return $full - intdiv($full * self::DISCOUNT, 100);
    }
}

/** Keeps dishes that a test accepts, and all sections. */
final class Selection extends RecursiveFilterIterator
{
    public function __construct(RecursiveIterator $menu, private readonly Closure $test)
    {
        parent::__construct($menu);
    }

    public function accept(): bool
    {
        $entry = $this->current();
        return $entry instanceof Section || $entry->accept($this->test);
    }

    public function getChildren(): self
    {
        return new self($this->getInnerIterator()->getChildren(), $this->test);
    }
}

function show(RecursiveIterator $menu): void
{
    $walk = new RecursiveIteratorIterator($menu, RecursiveIteratorIterator::SELF_FIRST);
    foreach ($walk as $name => $entry) {
        echo str_repeat('  ', $walk->getDepth()), $name, ' ', number_format($entry->price() / 100, 2), "\n";
    }
}

$menu = new Section(
    'Menu',
    new Section('Soups', new Dish('Lentil', 550, ['vegan']), new Dish('Goulash', 780)),
    new Combination('Lunch', new Dish('Salad', 425, ['vegan']), new Dish('Pie', 960)),
    new Dish('Tea', 290, ['vegan']),
);
show($menu);
echo "--\n";
show(new Selection($menu, fn (Entry $entry) => $entry instanceof Dish && in_array('vegan', $entry->tags)));
