<?php

declare(strict_types=1);

/** A page of a site; pages below it hang in a tree. */
final class Page
{
    /** @var list<Page> */
    private array $children = [];
    private ?Page $parent = null;

    public function __construct(
        public readonly string $title,
        public readonly int $words = 0,
        Page ...$children,
    ) {
        foreach ($children as $child) {
            $child->parent = $this;
            $this->children[] = $child;
        }
    }

    /** All pages from here down, each before the pages below it. */
    public function walk(int $depth = 0): Generator
    {
        yield $depth => $this;
        foreach ($this->children as $child) {
            yield from $child->walk($depth + 1);
        }
    }

    /** Level by level, from the top. */
    public function levels(): Generator
    {
        $level = [$this];
        while ($level !== []) {
            yield $level;
            $level = array_merge(...array_map(fn (Page $page) => $page->children, $level));
        }
    }

    public function leaves(): Generator
    {
        foreach ($this->walk() as $page) {
            if ($page->children === []) {
                yield $page;
            }
        }
    }

    /** From this page up to the top. */
    public function ancestors(): Generator
    {
        for ($page = $this; $page !== null; $page = $page->parent) {
            yield $page;
        }
    }

    public function path(): string
    {
        $slugs = [];
        foreach ($this->ancestors() as $page) {
            if ($page->parent !== null) {
                array_unshift($slugs, str_replace(' ', '-', strtolower($page->title)));
            }
        }
        return '/' . implode('/', $slugs);
    }

    public function find(string $title): ?Page
    {
        foreach ($this->walk() as $page) {
            if ($page->title === $title) {
                return $page;
            }
        }
        return null;
    }

    public function total(): int
    {
        return $this->words + array_sum(array_map(fn (Page $page) => $page->total(), $this->children));
    }

    public function moveTo(Page $parent): void
    {
        foreach ($parent->ancestors() as $above) {
            if ($above === $this) {
                throw new LogicException("$this->title cannot move below itself");
            }
        }
        if ($this->parent !== null) {
            $siblings = array_filter($this->parent->children, fn (Page $page) => $page !== $this);
            $this->parent->children = array_values($siblings);
        }
        $this->parent = $parent;
        $parent->children[] = $this;
    }

    public function __toString(): string
    {
        return $this->title;
    }
}

$site = new Page(
    'Home',
    100,
    new Page('Shop', 40, new Page('Garden Tools', 210), new Page('Seeds', 180, new Page('Tomatoes', 75))),
    new Page('About', 320),
);
foreach ($site->walk() as $depth => $page) {
    echo str_repeat('  ', $depth), $page, ' ', $page->total(), "\n";
}
$site->find('Seeds')->moveTo($site->find('About'));
foreach ($site->levels() as $number => $level) {
    echo $number, ': ', implode(', ', $level), "\n";
}
echo $site->path(), ' ', $site->find('Tomatoes')->path(), "\n";
try {
    $site->find('About')->moveTo($site->find('Tomatoes'));
} catch (LogicException $refused) {
    echo $refused->getMessage(), "\n";
}
