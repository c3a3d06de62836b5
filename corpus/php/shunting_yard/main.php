<?php

declare(strict_types=1);

namespace Calculator;

/** An operator with its binding strength; unary ones take one operand. */
final class Operator
{
    public function __construct(
        public readonly string $sign,
        public readonly int $strength,
        private readonly \Closure $apply,
        public readonly bool $rightFirst = false,
        public readonly int $operands = 2,
    ) {
    }

    public function __invoke(float ...$operands): float
    {
        return ($this->apply)(...$operands);
    }

    public function yieldsTo(self $top): bool
    {
        return $top->strength > $this->strength
            || ($top->strength === $this->strength && !$this->rightFirst);
    }
}

final class Parser
{
    /** @var array<string, Operator> */
    private array $binary = [];
    private array $output = [];
    private array $stack = [];

    public function __construct(private readonly Operator $minus)
    {
    }

    public function with(Operator $operator): self
    {
        $this->binary[$operator->sign] = $operator;
        return $this;
    }

    /** @return list<float|Operator|string> the expression with operators behind their operands */
    public function postfix(string $text): array
    {
        $this->output = $this->stack = [];
        $wantsOperand = true;
        preg_match_all('/\d+(?:\.\d+)?|[a-z]+|\S/', $text, $tokens);
        foreach ($tokens[0] as $token) {
            if ($token === '(') {
                $this->expect($wantsOperand, true, $token);
                $this->stack[] = '(';
            } elseif ($token === ')') {
                $this->expect($wantsOperand, false, $token);
                $this->unwind();
            } elseif ($token === '-' && $wantsOperand) {
                $this->stack[] = $this->minus;
            } elseif (isset($this->binary[$token])) {
                $this->expect($wantsOperand, false, $token);
                $this->push($this->binary[$token]);
                $wantsOperand = true;
            } else {
                $this->expect($wantsOperand, true, $token);
                $this->output[] = is_numeric($token) ? (float) $token : $token;
                $wantsOperand = false;
            }
        }
        $this->expect($wantsOperand, false, 'end');
        while ($this->stack !== []) {
            $top = array_pop($this->stack);
            $this->output[] = $top === '(' ? throw new \ParseError('( is not closed') : $top;
        }
        return $this->output;
    }

    private function expect(bool $wantsOperand, bool $wanted, string $token): void
    {
        if ($wantsOperand !== $wanted) {
            throw new \ParseError("unexpected $token");
        }
    }

    private function push(Operator $operator): void
    {
        while (end($this->stack) instanceof Operator && $operator->yieldsTo(end($this->stack))) {
            $this->output[] = array_pop($this->stack);
        }
        $this->stack[] = $operator;
    }

    private function unwind(): void
    {
        while (($top = array_pop($this->stack)) !== '(') {
            $this->output[] = $top ?? throw new \ParseError('unexpected )');
        }
    }
}

function evaluate(array $postfix, array $variables): float
{
    $values = [];
    foreach ($postfix as $step) {
        $values[] = match (true) {
            $step instanceof Operator => $step(...array_splice($values, -$step->operands)),
            is_string($step) => $variables[$step] ?? throw new \DomainException("unknown $step"),
            default => $step,
        };
    }
    return $values[0];
}

/** @return list<string> the different names in an expression, in their order */
function names(array $postfix): array
{
    return array_values(array_unique(array_filter($postfix, 'is_string')));
}

$parser = (new Parser(new Operator('~', 3, fn (float $a) => -$a, true, 1)))
    ->with(new Operator('+', 1, fn (float $a, float $b) => $a + $b))
    ->with(new Operator('-', 1, fn (float $a, float $b) => $a - $b))
    ->with(new Operator('*', 2, fn (float $a, float $b) => $a * $b))
    ->with(new Operator('/', 2, fn (float $a, float $b) => $b == 0 ? NAN : $a / $b))
    ->with(new Operator('^', 4, fn (float $a, float $b) => $a ** $b, true));
$texts = ['1 + 2 * 3', '(8 - 3 - 1) / x', '-2^2', '2^3^2', '2 * -x', '1 / 0', '2 (3)', '(1 + 2', 'y'];
foreach ($texts as $text) {
    try {
        $postfix = $parser->postfix($text);
        $shown = array_map(fn ($step) => $step instanceof Operator ? $step->sign : $step, $postfix);
        $value = evaluate($postfix, ['x' => 4.0]);
        echo "$text: ", implode(' ', $shown), " = $value\n";
    } catch (\ParseError | \DomainException $problem) {
        echo "$text: {$problem->getMessage()}\n";
    }
}
