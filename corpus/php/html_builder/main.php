<?php

declare(strict_types=1);

/**
 * Builds HTML by calls such as Html::p('text')->class('big').
 *
 * @method static self div(mixed ...$children)
 */
final class Html implements Stringable
{
    private const EMPTY_TAGS = ['br', 'img', 'input', 'hr'];

    /** @var array<string, string|true> */
    private array $attributes = [];

    private function __construct(private readonly string $tag, private array $children)
    {
        if (in_array($tag, self::EMPTY_TAGS, true) && $children !== []) {
            throw new LogicException("$tag has no content");
        }
    }

    public static function __callStatic(string $tag, array $children): self
    {
        return new self($tag, $children);
    }

    /** Sets an attribute; several values for one are joined by blanks. */
    public function __call(string $name, array $values): self
    {
        $key = strtolower(preg_replace('/(?<=[a-z])[A-Z]/', '-$0', $name));
        $copy = clone $this;
        if ($values === [] || $values === [true]) {
            $copy->attributes[$key] = true;
        } elseif ($values === [false] || $values === [null]) {
            unset($copy->attributes[$key]);
        } else {
            $before = is_string($this->attributes[$key] ?? null) ? [$this->attributes[$key]] : [];
            $copy->attributes[$key] = implode(' ', [...$before, ...$values]);
        }
        return $copy;
    }

    public function __invoke(mixed ...$children): self
    {
        $copy = clone $this;
        array_push($copy->children, ...$children);
        return $copy;
    }

    public function __get(string $name): string|bool|null
    {
        return $this->attributes[$name] ?? null;
    }

    public function __toString(): string
    {
        $open = "<$this->tag{$this->attributeText()}>";
        if (in_array($this->tag, self::EMPTY_TAGS, true)) {
            return $open;
        }
        return $open . self::join($this->children) . "</$this->tag>";
    }

    private function attributeText(): string
    {
        $text = '';
        foreach ($this->attributes as $name => $value) {
            $text .= $value === true ? " $name" : sprintf(' %s="%s"', $name, htmlspecialchars($value));
        }
        return $text;
    }

    private static function join(iterable $children): string
    {
        $html = '';
        foreach ($children as $child) {
            $html .= match (true) {
                $child instanceof self => (string) $child,
                $child instanceof Closure => self::join([$child()]),
                is_iterable($child) => self::join($child),
                $child === null, is_bool($child) => '',
                default => htmlspecialchars((string) $child),
            };
        }
        return $html;
    }
}

/** One row for each item, with striped backgrounds. */
function rows(array $items): Generator
{
    $odd = true;
    foreach ($items as $name => $price) {
        yield Html::tr(Html::td($name), Html::td($price)->class('num'))->class($odd ? 'odd' : 'even');
        $odd = !$odd;
    }
}

$button = Html::button('Buy ', 2)->type('submit')->dataItemId(17);
echo $button, "\n", $button->disabled()->class('big')->class('red'), "\n", $button->disabled(false), "\n";
echo Html::table(rows(['Tea & milk' => 3.5, 'Pie' => 4])), "\n";
$list = Html::ul();
foreach (['one', null, 'two'] as $word) {
    $list = $list($word !== null ? Html::li($word) : null);
}
echo $list, Html::p('2 < 3', Html::br(), fn () => ['x', [true, 'y']])->title('"q"'), "\n";
try {
    echo Html::img('text');
} catch (LogicException $refused) {
    echo $refused->getMessage(), "\n";
}
