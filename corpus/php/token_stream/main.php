<?php

declare(strict_types=1);

/** Reads a file of settings for a game as a stream of tokens. */
enum Kind: string
{
    case Space = '\s+|#[^\n]*';
    case Number = '-?\d+(?:\.\d+)?';
    case Text = '"(?:\\\\.|[^"\\\\])*"';
    case Name = '[A-Za-z_]\w*';
    case Sign = '[{}=,\[\]]';

    public function value(string $text): string|int|float
    {
        return match ($this) {
            self::Number => str_contains($text, '.') ? (float) $text : (int) $text,
            self::Text => preg_replace('/\\\\(.)/s', '$1', substr($text, 1, -1)),
            default => $text,
        };
    }
}

final class Token
{
    public function __construct(
        public readonly Kind $kind,
        public readonly string|int|float $value,
        public readonly int $line,
    ) {
    }

    public function __toString(): string
    {
        return strtolower($this->kind->name) . " $this->value in line $this->line";
    }

    public function is(string $sign): bool
    {
        return $this->kind === Kind::Sign && $this->value === $sign;
    }
}

/** @return Generator<int, Token, void, int> gives the number of lines at the end */
function tokenize(string $source): Generator
{
    $at = 0;
    $line = 1;
    while ($at < strlen($source)) {
        [$kind, $text] = longest($source, $at)
            ?? throw new UnexpectedValueException("line $line: $source[$at]");
        if ($kind !== Kind::Space) {
            yield new Token($kind, $kind->value($text), $line);
        }
        $line += substr_count($text, "\n");
        $at += strlen($text);
    }
    return $line;
}

/** @return ?array{Kind, string} */
function longest(string $source, int $at): ?array
{
    $best = null;
    foreach (Kind::cases() as $kind) {
        if (preg_match("/{$kind->value}/A", $source, $found, 0, $at)) {
            $best = strlen($found[0]) > strlen($best[1] ?? '') ? [$kind, $found[0]] : $best;
        }
    }
    return $best;
}

final class Reader
{
    private Generator $tokens;

    public function read(string $source): array
    {
        $this->tokens = tokenize($source);
        $settings = [];
        while ($this->tokens->valid()) {
            $this->setting($settings);
        }
        $settings['lines'] = $this->tokens->getReturn();
        return $settings;
    }

    /** setting = name "=" value | name "{" setting* "}" */
    private function setting(array &$target): void
    {
        $name = $this->take();
        if ($name->kind !== Kind::Name) {
            throw new UnexpectedValueException("line $name->line: name expected");
        }
        $next = $this->take();
        if ($next->is('=')) {
            $target[$name->value] = $this->value($this->take());
        } elseif ($next->is('{')) {
            if (!is_array($target[$name->value] ?? null)) {
                $target[$name->value] = [];
            }
            while (!$this->tokens->current()?->is('}')) {
                $this->setting($target[$name->value]);
            }
            $this->take();
        } else {
            throw new UnexpectedValueException("line $next->line: = or { expected");
        }
    }

    private function value(Token $token): mixed
    {
        if (!$token->is('[')) {
            return $token->kind === Kind::Sign
                ? throw new UnexpectedValueException("line $token->line: value expected")
                : $token->value;
        }
        $items = [];
        while (!($next = $this->take())->is(']')) {
            $items[] = $this->value($next->is(',') ? $this->take() : $next);
        }
        return $items;
    }

    private function take(): Token
    {
        $token = $this->tokens->current() ?? throw new UnexpectedValueException('the text ends too early');
        $this->tokens->next();
        return $token;
    }
}

$source = <<<'GAME'
    title = "Cave \"of\" echoes"   # shown at the start
    player { lives = 3 speed = -1.5 }
    player { keys = [red, "old key", [1, 2]] }
    GAME;
echo json_encode((new Reader())->read($source)), "\n";
foreach (["a = 1\nb ; 2", "level {\n x = 1", "a =\n= b\n7 = x", 'x y'] as $broken) {
    try {
        echo json_encode((new Reader())->read($broken)), "\n";
    } catch (UnexpectedValueException $problem) {
        echo $problem->getMessage(), "\n";
    }
}
