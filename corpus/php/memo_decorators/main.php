<?php

declare(strict_types=1);

/** Functions that make functions out of functions. */
function memoize(callable $function, int $most = PHP_INT_MAX): Closure
{
    return function (mixed ...$arguments) use ($function, $most): mixed {
        static $known = [];
        $key = serialize($arguments);
        if (array_key_exists($key, $known)) {
            $value = $known[$key];
            unset($known[$key]);
            return $known[$key] = $value;
        }
        $value = $function(...$arguments);
        $known[$key] = $value;
        if (count($known) > $most) {
            unset($known[array_key_first($known)]);
        }
        return $value;
    };
}

/** Tries again after an exception of a class; the last one is let through. */
function retry(callable $function, int $times, string $on = Exception::class): Closure
{
    return function (mixed ...$arguments) use ($function, $times, $on): mixed {
        for ($try = 1; ; $try++) {
            try {
                return $function(...$arguments);
            } catch (Exception $failure) {
                if (!$failure instanceof $on || $try >= $times) {
                    throw $failure;
                }
            }
        }
    };
}

/** Fixes the first arguments. */
function partial(callable $function, mixed ...$first): Closure
{
    return fn (mixed ...$rest): mixed => $function(...$first, ...$rest);
}

/** Applies functions from left to right. */
function pipe(callable ...$functions): Closure
{
    return fn (mixed $value): mixed => array_reduce(
        $functions,
        fn (mixed $carried, callable $function): mixed => $function($carried),
        $value,
    );
}

function curry(callable $function): Closure
{
    $arity = (new ReflectionFunction($function(...)))->getNumberOfRequiredParameters();
    $collect = function (array $given) use (&$collect, $function, $arity): Closure {
        return function (mixed ...$more) use ($given, &$collect, $function, $arity): mixed {
            $all = [...$given, ...$more];
            return count($all) >= $arity ? $function(...$all) : $collect($all);
        };
    };
    return $collect([]);
}

/** Writes calls into a log that the caller can look at. */
function traced(string $name, callable $function, array &$log): Closure
{
    return function (mixed ...$arguments) use ($name, $function, &$log): mixed {
        $log[] = $name . '(' . implode(',', $arguments) . ')';
        return $function(...$arguments);
    };
}

function once(callable $function): Closure
{
    return function () use ($function): mixed {
        static $done = false, $value = null;
        if (!$done) {
            $done = true;
            $value = $function();
        }
        return $value;
    };
}

function shipping(int $grams, string $zone, bool $fast = false): int
{
    $base = ['home' => 300, 'far' => 900][$zone] ?? throw new DomainException("no zone $zone");
    $steps = intdiv(max(0, $grams - 1), 500);
    return ($base + 120 * $steps) * ($fast ? 2 : 1);
}

$log = [];
$cached = memoize(traced('shipping', shipping(...), $log), 2);
foreach ([[500, 'home'], [501, 'home'], [500, 'home'], [2000, 'far', true], [501, 'home']] as $call) {
    echo $cached(...$call), ' ';
}
echo "\n", implode(' ', $log), "\n";

$paths = memoize(function (int $x, int $y) use (&$paths): int {
    return $x === 0 || $y === 0 ? 1 : $paths($x - 1, $y) + $paths($x, $y - 1);
});
echo $paths(12, 12), "\n";

$attempts = 0;
$shaky = function (string $word) use (&$attempts): string {
    return ++$attempts < 3 ? throw new RuntimeException("failure $attempts") : strtoupper($word);
};
echo retry($shaky, 3)('done'), " after $attempts, ";
try {
    $attempts = 0;
    retry($shaky, 5, LogicException::class)('never');
} catch (RuntimeException $failure) {
    echo $failure->getMessage(), "\n";
}
$slug = pipe('trim', strtolower(...), partial('str_replace', ' ', '-'), fn (string $s) => "/$s");
echo $slug(' Hello Big World '), "\n";
echo curry('shipping')(700)('far'), ' ', curry(shipping(...))(1, 'home'), "\n";
