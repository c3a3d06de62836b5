<?php

declare(strict_types=1);

final class Missing extends RuntimeException
{
}

/** Makes objects when they are first needed, and wires their constructors by type. */
final class Container
{
    private array $factories = [];
    private array $shared = [];
    private array $making = [];

    public function bind(string $id, ?Closure $factory = null): static
    {
        $this->factories[$id] = $factory ?? fn (Container $container) => $container->build($id);
        return $this;
    }

    public function alias(string $id, string $target): static
    {
        return $this->bind($id, fn (Container $container) => $container->get($target));
    }

    public function value(string $id, mixed $value): static
    {
        $this->shared[$id] = $value;
        return $this;
    }

    /** Wraps what an id gives; can be used several times. */
    public function decorate(string $id, Closure $wrapper): static
    {
        $inner = $this->factories[$id] ?? throw new Missing("nothing to decorate: $id");
        return $this->bind($id, fn (Container $container) => $wrapper($inner($container), $container));
    }

    public function get(string $id): mixed
    {
        if (array_key_exists($id, $this->shared)) {
            return $this->shared[$id];
        }
        if (isset($this->making[$id])) {
            $circle = [...array_keys($this->making), $id];
            throw new LogicException('circle: ' . implode(' > ', $circle));
        }
        $this->making[$id] = true;
        try {
            return $this->shared[$id] = $this->make($id);
        } finally {
            unset($this->making[$id]);
        }
    }

    public function has(string $id): bool
    {
        return array_key_exists($id, $this->shared) || isset($this->factories[$id]) || class_exists($id);
    }

    public function __get(string $name): mixed
    {
        return $this->get($name);
    }

    private function make(string $id): mixed
    {
        if (isset($this->factories[$id])) {
            return $this->factories[$id]($this);
        }
        return class_exists($id) ? $this->build($id) : throw new Missing($id);
    }

    private function build(string $class): object
    {
        $constructor = (new ReflectionClass($class))->getConstructor();
        $arguments = array_map($this->argument(...), $constructor?->getParameters() ?? []);
        return new $class(...$arguments);
    }

    private function argument(ReflectionParameter $parameter): mixed
    {
        $type = (string) $parameter->getType();
        if (class_exists($type) || interface_exists($type)) {
            return $this->get($type);
        }
        $name = $parameter->getName();
        if ($parameter->isDefaultValueAvailable() && !array_key_exists($name, $this->shared)) {
            return $parameter->getDefaultValue();
        }
        return $this->get($name);
    }
}

interface Clock
{
    public function hour(): int;
}

final class FixedClock implements Clock
{
    public function __construct(private readonly int $startHour = 9)
    {
    }

    public function hour(): int
    {
        return $this->startHour;
    }
}

final class Greeter
{
    public function __construct(private readonly Clock $clock, private readonly string $town)
    {
    }

    public function greet(): string
    {
        return ($this->clock->hour() < 12 ? 'good morning ' : 'good day ') . $this->town;
    }
}

final class Egg
{
    public function __construct(public readonly Hen $hen)
    {
    }
}

final class Hen
{
    public function __construct(public readonly Egg $egg)
    {
    }
}

$container = (new Container())->alias(Clock::class, FixedClock::class)->value('town', 'Graz');
echo $container->get(Greeter::class)->greet(), "\n";
echo $container->get(Clock::class) === $container->get(FixedClock::class) ? 'same' : 'other', " clock\n";
$container->bind('motto', fn () => 'less is more')
    ->decorate('motto', fn (string $text) => ucfirst($text))
    ->decorate('motto', fn (string $text, Container $c) => "$text, {$c->town}");
echo $container->motto, "\n";
foreach ([Egg::class, 'printer'] as $id) {
    try {
        $container->get($id);
    } catch (LogicException | Missing $problem) {
        echo $problem::class, ': ', $problem->getMessage(), "\n";
    }
}
