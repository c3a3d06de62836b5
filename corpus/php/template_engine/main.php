<?php

declare(strict_types=1);

/** Renders templates with {{ values }}, {% for %} loops and {% if %} parts. */
final class Template
{
    private array $pieces;
    private int $at = 0;

    /** @var array<string, callable-string|Closure> */
    private static array $filters = [
        'upper' => 'strtoupper',
        'trim' => 'trim',
        'count' => 'count',
    ];

    public function __construct(string $source)
    {
        $this->pieces = preg_split('/(\{\{.*?\}\}|\{%.*?%\})/', $source, -1, PREG_SPLIT_DELIM_CAPTURE);
    }

    public static function filter(string $name, Closure $filter): void
    {
        self::$filters[$name] = $filter;
    }

    public static function fromLines(string ...$lines): self
    {
        return new self(implode("\n", $lines) . "\n");
    }

    public function render(array $values): string
    {
        $this->at = 0;
        return $this->block($values, null);
    }

    /** Renders up to the tag that ends the block, and stands behind it afterwards. */
    private function block(array $values, ?string $end): string
    {
        $text = '';
        while ($this->at < count($this->pieces)) {
            $piece = $this->pieces[$this->at++];
            $kind = substr($piece, 0, 2);
            if ($kind === '{{') {
                $text .= htmlspecialchars((string) $this->evaluate(trim($piece, '{} '), $values));
            } elseif ($kind === '{%') {
                $words = explode(' ', trim($piece, '{%} '));
                if ($words[0] === $end) {
                    return $text;
                }
                $text .= match ($words[0]) {
                    'for' => $this->loop($words[1], $words[3], $values),
                    'if' => $this->condition($words, $values),
                    default => throw new RuntimeException("unexpected tag $words[0]"),
                };
            } else {
                $text .= $piece;
            }
        }
        return $end === null ? $text : throw new RuntimeException("missing $end");
    }

    private function loop(string $name, string $path, array $values): string
    {
        $start = $this->at;
        $text = '';
        $items = $this->evaluate($path, $values) ?? [];
        foreach (array_values($items) as $index => $item) {
            $this->at = $start;
            $text .= $this->block([$name => $item, 'index' => $index + 1] + $values, 'endfor');
        }
        if ($items === []) {
            $this->skip('for', 'endfor');
        }
        return $text;
    }

    private function condition(array $words, array $values): string
    {
        $negated = $words[1] === 'not';
        $holds = (bool) $this->evaluate($words[$negated ? 2 : 1], $values);
        if ($holds === $negated) {
            $this->skip('if', 'endif');
            return '';
        }
        return $this->block($values, 'endif');
    }

    private function skip(string $begin, string $end): void
    {
        for ($depth = 1; $depth > 0; $this->at++) {
            $piece = $this->pieces[$this->at] ?? throw new RuntimeException("missing $end");
            $word = str_starts_with($piece, '{%') ? explode(' ', trim($piece, '{%} '))[0] : '';
            $depth += match ($word) {
                $begin => 1,
                $end => -1,
                default => 0,
            };
        }
    }

    private function evaluate(string $expression, array $values): mixed
    {
        $parts = explode('|', $expression);
        $value = $values;
        foreach (explode('.', array_shift($parts)) as $key) {
            $value = $value[$key] ?? null;
        }
        foreach ($parts as $name) {
            $filter = self::$filters[$name] ?? throw new RuntimeException("no filter $name");
            $value = $filter($value);
        }
        return $value;
    }
}

Template::filter('euro', fn (int $cents): string => number_format($cents / 100, 2) . ' EUR');
$template = new Template(
    "{{ shop.name|upper }} ({{ orders|count }})\n"
    . "{% for order in orders %}{{ index }}. {{ order.item }}: {{ order.price|euro }}"
    . "{% if order.gift %} *{% for word in order.gift %} {{ word }}{% endfor %}{% endif %}\n{% endfor %}"
    . "{% if not orders %}nothing ordered\n{% endif %}"
);
echo $template->render(['shop' => ['name' => 'Bits & Bobs'], 'orders' => [
    ['item' => 'mug <blue>', 'price' => 1250],
    ['item' => 'kite', 'price' => 999, 'gift' => ['for', 'Ann']],
]]);
echo $template->render(['shop' => ['name' => 'Empty'], 'orders' => []]);
try {
    (new Template('{% for x in y %}{{ x }}'))->render(['y' => [1]]);
} catch (RuntimeException $error) {
    echo $error->getMessage(), "\n";
}
