<?php

declare(strict_types=1);

require __DIR__ . '/pricing.php';
require __DIR__ . '/cart.php';

use function Pricing\euros;
use Pricing\{BulkDiscount, FreeShipping, Voucher};
use Shop\{Cart, Product};

$pen = new Product('pen', 120);
$book = new Product('book', 1995);
$lamp = new Product('lamp', 3450);

$cart = new Cart(
    bulk: new BulkDiscount(10, 15),
    voucher: new Voucher('SPRING', 500, 3000),
    shipping: new FreeShipping(5000),
);
$cart->add($pen, 4)->add($book)->add($pen, 6);
print_bill('before', $cart);
$cart->redeem('SUMMER');
$cart->redeem('SPRING');
$cart->add($lamp);
print_bill('after', $cart);

function print_bill(string $title, Cart $cart): void
{
    $lines = array_map(
        fn (string $label, int $cents) => $label . ' ' . euros($cents),
        array_keys($cart->bill()),
        array_values($cart->bill()),
    );
    echo $title, ': ', implode(', ', $lines), "\n";
}
