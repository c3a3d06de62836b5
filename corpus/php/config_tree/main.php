<?php

declare(strict_types=1);

/** Settings in a tree, reached by paths such as "mail.server.port". */
final class Config implements ArrayAccess, Countable
{
    private array $frozen = [];

    public function __construct(private array $tree = [])
    {
    }

    public function offsetExists(mixed $path): bool
    {
        return $this->find($path) !== null;
    }

    public function offsetGet(mixed $path): mixed
    {
        $value = $this->find($path);
        return is_string($value) ? $this->expand($value, [$path]) : $value;
    }

    public function offsetSet(mixed $path, mixed $value): void
    {
        $this->guard($path);
        $place = &$this->place($path);
        $place = $value;
    }

    public function offsetUnset(mixed $path): void
    {
        $this->guard($path);
        [$above, $key] = $this->divide($path);
        if ($above === '' || is_array($this->find($above))) {
            $place = &$this->place($above);
            unset($place[$key]);
        }
    }

    public function freeze(string $path): void
    {
        $this->frozen[] = $path;
    }

    public function merge(array $other): void
    {
        self::mergeInto($this->tree, $other);
    }

    private static function mergeInto(array &$target, array $other): void
    {
        foreach ($other as $key => $value) {
            if (is_array($value) && is_array($target[$key] ?? null) && !array_is_list($value)) {
                self::mergeInto($target[$key], $value);
            } else {
                $target[$key] = $value;
            }
        }
    }

    private function guard(string $path): void
    {
        foreach ($this->frozen as $frozen) {
            if (str_starts_with("$path.", "$frozen.") || str_starts_with($frozen, "$path.")) {
                throw new LogicException("$frozen is frozen");
            }
        }
    }

    private function find(string $path): mixed
    {
        $value = $this->tree;
        foreach (explode('.', $path) as $key) {
            if (!is_array($value) || !array_key_exists($key, $value)) {
                return null;
            }
            $value = $value[$key];
        }
        return $value;
    }

    /** The place of a path in the tree itself; missing branches grow. */
    private function &place(string $path): mixed
    {
        $place = &$this->tree;
        foreach ($path === '' ? [] : explode('.', $path) as $key) {
            if (!is_array($place)) {
                $place = [];
            }
            $place = &$place[$key];
        }
        return $place;
    }

    private function divide(string $path): array
    {
        $point = strrpos($path, '.');
        return $point === false ? ['', $path] : [substr($path, 0, $point), substr($path, $point + 1)];
    }

    /** @param list<string> $seen the paths that led here */
    private function expand(string $text, array $seen): string
    {
        return preg_replace_callback('/%([\w.]+)%/', function (array $found) use ($seen) {
            if (in_array($found[1], $seen, true)) {
                throw new LogicException('circle: ' . implode(' > ', [...$seen, $found[1]]));
            }
            $value = $this->find($found[1]);
            if ($value === null || is_array($value)) {
                return $found[0];
            }
            return is_string($value) ? $this->expand($value, [...$seen, $found[1]]) : (string) $value;
        }, $text);
    }

    public function count(): int
    {
        return count($this->tree, COUNT_RECURSIVE);
    }
}

$config = new Config(['app' => ['name' => 'Kiosk', 'tags' => ['a', 'b']], 'mail' => ['port' => 25]]);
$title = '%app.name% at %mail.host%:%mail.port%';
$config->merge(['app' => ['tags' => ['c'], 'title' => $title], 'debug' => false]);
$config['mail.host'] = 'mx.%app.domain%';
echo $config['app.title'], "\n";
$config['app.domain'] = 'kiosk.test';
echo $config['app.title'], ' ', implode('+', $config['app.tags']), "\n";
$config->freeze('mail.port');
foreach (['mail.port' => 587, 'mail' => [], 'mail.user' => 'bot'] as $path => $value) {
    try {
        $config[$path] = $value;
        echo "$path set\n";
    } catch (LogicException $refused) {
        echo "$path: {$refused->getMessage()}\n";
    }
}
var_dump(isset($config['app.owner']), isset($config['debug']), $config['debug.level'] ?? 'none');
echo count($config), " keys\n";
