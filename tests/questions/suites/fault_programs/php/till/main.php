<?php
function addUp(array $prices): int {
    $total = 0;
    for ($index = 0; $index < count($prices); $index++) {
        $total = $total + $prices[$index];
    }
    return $total;
}

function reduce(int $total, bool $member = false): int {
    if ($total >= 100 && $member) {
        return $total - intdiv($total, 10);
    }
    return $total;
}

function listCheap(array $prices, int $limit): array {
    // A price at the limit is cheap.
    $cheap = [];
    foreach ($prices as $price) {
        if ($price <= $limit) {
            $cheap[] = $price;
        }
    }
    return $cheap;
}

$baskets = [[40, 60], [10, 20, 30], [99]];
foreach ($baskets as $basket) {
    echo reduce(addUp($basket), true), " ", reduce(addUp($basket)), " ", implode(",", listCheap($basket, 30)), "\n";
}
