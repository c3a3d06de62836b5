<?php

declare(strict_types=1);

/** Breaks a paragraph so that the lines together look most even. */
final class Paragraph
{
    /** @var list<string> */
    private readonly array $words;
    /** @var array<int, array{int, int}> cost and end of the first line, by first word */
    private array $best = [];

    public function __construct(string $text, private readonly int $width)
    {
        $this->words = preg_split('/\s+/', trim($text), -1, PREG_SPLIT_NO_EMPTY);
        foreach ($this->words as $word) {
            if (strlen($word) > $width) {
                throw new LengthException("$word is longer than $width");
            }
        }
    }

    /** @return list<string> */
    public function lines(?callable $align = null): array
    {
        $align ??= fn (array $words) => implode(' ', $words);
        $lines = [];
        $first = 0;
        while ($first < count($this->words)) {
            [, $end] = $this->solve($first);
            $words = array_slice($this->words, $first, $end - $first);
            $lines[] = $align($words, $this->width, $end === count($this->words));
            $first = $end;
        }
        return $lines;
    }

    public function cost(): int
    {
        return $this->words === [] ? 0 : $this->solve(0)[0];
    }

    /** @return array{int, int} */
    private function solve(int $first): array
    {
        return $this->best[$first] ??= $this->choose($first);
    }

    private function choose(int $first): array
    {
        $count = count($this->words);
        $best = [PHP_INT_MAX, $first];
        $used = -1;
        for ($end = $first + 1; $end <= $count; $end++) {
            $used += 1 + strlen($this->words[$end - 1]);
            if ($used > $this->width) {
                break;
            }
            $cost = $end === $count ? 0 : ($this->width - $used) ** 2 + $this->solve($end)[0];
            if ($cost <= $best[0]) {
                $best = [$cost, $end];
            }
        }
        return $best;
    }
}

/** Widens the gaps, those at the right end first. */
function justify(array $words, int $width, bool $last): string
{
    $gaps = count($words) - 1;
    if ($last || $gaps === 0) {
        return implode(' ', $words);
    }
    $spare = $width - strlen(implode('', $words));
    $line = '';
    foreach ($words as $index => $word) {
        $line .= $word;
        if ($index < $gaps) {
            $wider = $gaps - $index <= $spare % $gaps ? 1 : 0;
            $line .= str_repeat(' ', intdiv($spare, $gaps) + $wider);
        }
    }
    return $line;
}

function center(array $words, int $width): string
{
    return rtrim(str_pad(implode(' ', $words), $width, ' ', STR_PAD_BOTH));
}

$paragraph = new Paragraph('The cat sat on a mat   watching seven lazy birds outside the window', 14);
echo 'cost ', $paragraph->cost(), "\n";
foreach ($paragraph->lines(justify(...)) as $line) {
    echo "|$line|\n";
}
echo implode("\n", (new Paragraph('to be or not to be', 9))->lines()), "\n";
try {
    new Paragraph('an extraordinary day', 10);
} catch (LengthException $tooLong) {
    echo $tooLong->getMessage(), "\n";
}
