<?php

declare(strict_types=1);

namespace Pricing;

use Shop\Cart;

interface Rule
{
    public function amount(Cart $cart, int $subtotal): int;
}

final class BulkDiscount implements Rule
{
    public function __construct(private readonly int $quantity, private readonly int $percent)
    {
    }

    public function amount(Cart $cart, int $subtotal): int
    {
        $sum = 0;
        foreach ($cart->lines() as [$product, $count]) {
            if ($count >= $this->quantity) {
                $sum += intdiv($product->price * $count * $this->percent, 100);
            }
        }
        return -$sum;
    }
}

final class Voucher implements Rule
{
    public function __construct(
        private readonly string $code,
        private readonly int $value,
        private readonly int $least,
    ) {
    }

    public function amount(Cart $cart, int $subtotal): int
    {
        $valid = $cart->hasCode($this->code) && $subtotal >= $this->least;
        return $valid ? -min($this->value, $subtotal) : 0;
    }
}

final class FreeShipping implements Rule
{
    private const COST = 490;

    public function __construct(private readonly int $from)
    {
    }

    public function amount(Cart $cart, int $subtotal): int
    {
        return $subtotal >= $this->from ? 0 : self::COST;
    }
}

function euros(int $cents): string
{
    return ($cents < 0 ? '-' : '') . sprintf('%d.%02d', intdiv(abs($cents), 100), abs($cents) % 100);
}
