<?php

declare(strict_types=1);

require __DIR__ . '/table.php';
require __DIR__ . '/csv.php';

use function Csv\{parse, quote};
use function Table\{group_by, render, sum_of};

const SALES = <<<'CSV'
    town;product;pieces;price
    Bern;tea;4;3.50
    Bern;"jam; red";2;4.20
    Basel;tea;10;3.50
    Basel;"the ""best"" honey";1;12.00
    Bern;tea;1;3.50
    Chur;salt;0;1.10
    CSV;

function value(array $row): float
{
    return (int) $row['pieces'] * (float) $row['price'];
}

$rows = parse(SALES);
$towns = group_by($rows, fn (array $row) => $row['town']);
$values = array_map(fn (array $sales) => sum_of($sales, value(...)), $towns);
arsort($values);
$lines = [];
foreach ($values as $town => $value) {
    $lines[] = [$town, (string) count($towns[$town]), number_format($value, 2, '.', '')];
}
echo render(['town', 'sales', 'value'], $lines);

$products = group_by($rows, fn (array $row) => $row['product']);
ksort($products);
foreach ($products as $product => $sales) {
    echo quote($product), ';', sum_of($sales, fn (array $row) => (int) $row['pieces']), "\n";
}
try {
    parse("a;b\n1;2\n3");
} catch (UnexpectedValueException $problem) {
    echo $problem->getMessage(), "\n";
}
