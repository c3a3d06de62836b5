<?php

declare(strict_types=1);

namespace Shop;

use Pricing\Rule;

final class Product
{
    public function __construct(public readonly string $name, public readonly int $price)
    {
        $price >= 0 || throw new \InvalidArgumentException("price of $name");
    }
}

final class Cart
{
    private array $lines = [];
    private array $codes = [];
    private array $rules;

    public function __construct(Rule ...$rules)
    {
        $this->rules = $rules;
    }

    public function add(Product $product, int $count = 1): self
    {
        [, $before] = $this->lines[$product->name] ?? [$product, 0];
        $this->lines[$product->name] = [$product, $before + $count];
        return $this;
    }

    public function remove(Product $product, int $count): self
    {
        if (isset($this->lines[$product->name])) {
            $this->lines[$product->name][1] -= $count;
            $this->lines = array_filter($this->lines, fn (array $line) => $line[1] > 0);
        }
        return $this;
    }

    public function redeem(string $code): void
    {
        $this->codes[] = $code;
    }

    public function hasCode(string $code): bool
    {
        return in_array($code, $this->codes, true);
    }

    public function lines(): array
    {
        return $this->lines;
    }

    /** @return array<string, int> labels with their amounts, the total at the end */
    public function bill(): array
    {
        $goods = array_sum(array_map(fn (array $line) => $line[0]->price * $line[1], $this->lines));
        $bill = ['goods' => $goods];
        if ($this->lines === []) {
            return $bill;
        }
        foreach ($this->rules as $label => $rule) {
            $amount = $rule->amount($this, array_sum($bill));
            if ($amount !== 0) {
                $bill[$label] = $amount;
            }
        }
        return $bill + ['total' => array_sum($bill)];
    }
}
