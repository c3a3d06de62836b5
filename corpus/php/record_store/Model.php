<?php

declare(strict_types=1);

/** A record whose fields are read and written as properties; all records live in memory. */
abstract class Model implements Stringable
{
    protected static array $fields = [];
    private static array $tables = [];
    private static array $lastIds = [];

    private array $stored = [];

    final private function __construct(private ?int $id, private array $values)
    {
    }

    public static function create(array $values): static
    {
        $record = new static(null, static::defaults());
        foreach ($values as $field => $value) {
            $record->$field = $value;
        }
        return $record->save();
    }

    protected static function defaults(): array
    {
        return array_fill_keys(static::$fields, null);
    }

    public static function find(int $id): ?static
    {
        $values = self::$tables[static::class][$id] ?? null;
        if ($values === null) {
            return null;
        }
        $record = new static($id, $values);
        $record->stored = $values;
        return $record;
    }

    /** @return list<static> */
    public static function where(string $field, mixed $value): array
    {
        $rows = self::$tables[static::class] ?? [];
        $matching = array_filter($rows, fn (array $row) => $row[$field] === $value);
        return array_map(static::find(...), array_keys($matching));
    }

    public static function count(): int
    {
        return count(self::$tables[static::class] ?? []);
    }

    public function save(): static
    {
        $this->id ??= self::$lastIds[static::class] = (self::$lastIds[static::class] ?? 0) + 1;
        self::$tables[static::class][$this->id] = $this->stored = $this->values;
        return $this;
    }

    public function delete(): bool
    {
        if ($this->id === null || static::find($this->id) === null || !$this->beforeDelete()) {
            return false;
        }
        unset(self::$tables[static::class][$this->id]);
        $this->id = null;
        return true;
    }

    protected function beforeDelete(): bool
    {
        return true;
    }

    public function changes(): array
    {
        return array_udiff_assoc($this->values, $this->stored, fn (mixed $a, mixed $b) => (int) ($a !== $b));
    }

    public function __get(string $name): mixed
    {
        if ($name === 'id') {
            return $this->id;
        }
        $getter = 'get' . ucfirst($name);
        return method_exists($this, $getter) ? $this->$getter() : $this->values[$this->known($name)];
    }

    public function __set(string $name, mixed $value): void
    {
        $setter = 'set' . ucfirst($name);
        $value = method_exists($this, $setter) ? $this->$setter($value) : $value;
        $this->values[$this->known($name)] = $value;
    }

    private function known(string $name): string
    {
        return in_array($name, static::$fields, true) ? $name : throw new LogicException("no field $name");
    }

    public function __toString(): string
    {
        $filled = array_filter($this->values, fn (mixed $value) => $value !== null);
        return static::class . "#$this->id " . json_encode($filled);
    }
}
