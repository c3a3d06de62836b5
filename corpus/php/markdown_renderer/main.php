<?php

declare(strict_types=1);

/** Turns a small part of Markdown into HTML, line by line. */
final class Markdown
{
    private string $html = '';
    private array $paragraph = [];
    private ?string $list = null;
    private bool $inCode = false;
    private array $headings = [];

    public static function render(string $source): string
    {
        return self::read($source)->html;
    }

    /** @return list<string> */
    public static function anchors(string $source): array
    {
        return array_keys(self::read($source)->headings);
    }

    private static function read(string $source): self
    {
        $renderer = new self();
        foreach (explode("\n", $source) as $line) {
            $renderer->line(rtrim($line));
        }
        $renderer->closeAll();
        return $renderer;
    }

    private function line(string $line): void
    {
        if ($line === '```') {
            $this->closeAll($this->inCode);
            $this->html .= $this->inCode ? '' : '<pre>';
            $this->inCode = !$this->inCode;
        } elseif ($this->inCode) {
            $this->html .= htmlspecialchars($line) . "\n";
        } elseif ($line === '') {
            $this->closeAll();
        } elseif (preg_match('/^(#{1,3}) (.+)$/', $line, $part)) {
            $this->closeAll();
            $this->heading(strlen($part[1]), $part[2]);
        } elseif (preg_match('/^(-|\d+\.) (.+)$/', $line, $part)) {
            $this->item($part[1] === '-' ? 'ul' : 'ol', $part[2]);
        } else {
            $this->closeList();
            $this->paragraph[] = $line;
        }
    }

    private function heading(int $level, string $text): void
    {
        $slug = trim(preg_replace('/[^a-z0-9]+/', '-', strtolower($text)), '-');
        $count = $this->headings[$slug] = ($this->headings[$slug] ?? 0) + 1;
        $id = $count > 1 ? "$slug-$count" : $slug;
        $this->html .= "<h$level id=\"$id\">{$this->inline($text)}</h$level>\n";
    }

    private function item(string $kind, string $text): void
    {
        $this->closeParagraph();
        if ($this->list !== $kind) {
            $this->closeList();
            $this->html .= "<$kind>\n";
            $this->list = $kind;
        }
        $this->html .= "<li>{$this->inline($text)}</li>\n";
    }

    private function closeAll(bool $code = false): void
    {
        $this->closeParagraph();
        $this->closeList();
        if ($code) {
            $this->html .= "</pre>\n";
        }
    }

    private function closeParagraph(): void
    {
        if ($this->paragraph !== []) {
            $this->html .= "<p>{$this->inline(implode(' ', $this->paragraph))}</p>\n";
            $this->paragraph = [];
        }
    }

    private function closeList(): void
    {
        if ($this->list !== null) {
            $this->html .= "</$this->list>\n";
            $this->list = null;
        }
    }

    private function inline(string $text): string
    {
        // Every other piece stands between backquotes and is left alone.
        $pieces = explode('`', htmlspecialchars($text));
        foreach ($pieces as $i => &$piece) {
            $piece = $i % 2 === 1 ? "<code>$piece</code>" : $this->emphasize($piece);
        }
        return implode('', $pieces);
    }

    private function emphasize(string $text): string
    {
        return preg_replace(
            ['/\*\*(.+?)\*\*/', '/\*(.+?)\*/', '/\[([^\]]+)\]\(([^)\s]+)\)/'],
            ['<b>$1</b>', '<i>$1</i>', '<a href="$2">$1</a>'],
            $text,
        );
    }
}

echo Markdown::render(<<<'TEXT'
    # Soup & Stew
    Use *fresh* **herbs**
    from [here](shop.html).
    - salt
    - `a*b*c`
    1. stir
    then wait
    ## Soup & stew!
    ```
    if (a < b)
    ```
    TEXT);
