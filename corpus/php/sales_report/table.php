<?php

declare(strict_types=1);

namespace Table;

/** @return array<string, list<array>> */
function group_by(array $rows, callable $key): array
{
    $groups = [];
    foreach ($rows as $row) {
        $groups[$key($row)][] = $row;
    }
    return $groups;
}

function sum_of(array $rows, callable $value): int|float
{
    return array_sum(array_map($value, $rows));
}

/** Sets columns to their widest cell; columns of numbers stand to the right. */
function render(array $head, array $rows): string
{
    $text = '';
    $columns = array_map(fn (int $i) => array_column([$head, ...$rows], $i), array_keys($head));
    $widths = array_map(fn (array $cells) => max(array_map('strlen', $cells)), $columns);
    $numeric = array_map(fn (array $cells) => is_column_of_numbers(array_slice($cells, 1)), $columns);
    foreach ([$head, ...$rows] as $cells) {
        $padded = [];
        foreach ($cells as $i => $cell) {
            $padded[] = str_pad($cell, $widths[$i], ' ', $numeric[$i] ? STR_PAD_LEFT : STR_PAD_RIGHT);
        }
        $text .= rtrim(implode('  ', $padded)) . "\n";
    }
    return $text;
}

function is_column_of_numbers(array $cells): bool
{
    return $cells !== [] && array_filter($cells, 'is_numeric') === $cells;
}
