<?php

declare(strict_types=1);

namespace Csv;

const SEPARATOR = ';';

/** @return list<array<string, string>> one array a line, with the names of the first line as keys */
function parse(string $text): array
{
    $lines = array_map(fields(...), explode("\n", trim($text)));
    $names = array_shift($lines);
    $rows = [];
    foreach ($lines as $index => $fields) {
        if (count($fields) !== count($names)) {
            $number = $index + 2;
            throw new \UnexpectedValueException("line $number has " . count($fields) . ' fields');
        }
        $rows[] = array_combine($names, $fields);
    }
    return $rows;
}

/** @return list<string> */
function fields(string $line): array
{
    $fields = [''];
    $quoted = false;
    for ($i = 0; $i < strlen($line); $i++) {
        $last = array_key_last($fields);
        $char = $line[$i];
        if ($quoted && $char === '"' && ($line[$i + 1] ?? '') === '"') {
            $fields[$last] .= '"';
            $i++;
        } elseif ($char === '"') {
            $quoted = !$quoted;
        } elseif ($char === SEPARATOR && !$quoted) {
            $fields[] = '';
        } else {
            $fields[$last] .= $char;
        }
    }
    return $quoted ? throw new \UnexpectedValueException("open quote in $line") : $fields;
}

/** The reverse of parse for rows with the same keys. */
function write(array $rows): string
{
    $text = '';
    foreach ([array_keys($rows[0] ?? []), ...$rows] as $fields) {
        $text .= implode(SEPARATOR, array_map(quote(...), $fields)) . "\n";
    }
    return $text;
}

function quote(string $field): string
{
    $needs = strpbrk($field, SEPARATOR . '"') !== false;
    return $needs ? '"' . str_replace('"', '""', $field) . '"' : $field;
}
