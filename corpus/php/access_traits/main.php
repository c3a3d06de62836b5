<?php

declare(strict_types=1);

trait Timestamps
{
    private static int $tick = 0;
    private array $times = [];

    protected function stamp(string $event): void
    {
        $this->times[$event] = ++self::$tick;
    }

    public function history(): string
    {
        asort($this->times);
        $events = array_map(fn ($event, $time) => "$event@$time", array_keys($this->times), $this->times);
        return implode(' ', $events);
    }
}

trait Publishing
{
    private bool $public = false;

    abstract public function owner(): string;

    public function publish(): static
    {
        $this->public = true;
        $this->stamp('publish');
        return $this;
    }

    public function allows(string $user): bool
    {
        return $this->public || $user === $this->owner();
    }
}

trait Sharing
{
    /** @var array<string, true> */
    private array $guests = [];

    public function shareWith(string ...$users): static
    {
        foreach ($users as $user) {
            $this->guests[$user] = true;
        }
        $this->stamp('share');
        return $this;
    }

    public function revoke(string $user): static
    {
        unset($this->guests[$user]);
        return $this;
    }

    public function allows(string $user): bool
    {
        return isset($this->guests[$user]) || isset($this->guests['*']);
    }
}

abstract class Item
{
    use Timestamps;

    private static array $made = [];

    public function __construct(public readonly string $title, private readonly string $owner)
    {
        $this->stamp('create');
        self::$made[static::class] = (self::$made[static::class] ?? 0) + 1;
    }

    public function owner(): string
    {
        return $this->owner;
    }

    public static function made(): int
    {
        return self::$made[static::class] ?? 0;
    }

    abstract public function allows(string $user): bool;
}

final class Album extends Item
{
    use Publishing, Sharing {
        Publishing::allows insteadof Sharing;
        Publishing::allows as private allowedToAll;
        Sharing::allows as private allowedToGuest;
        shareWith as protected addGuests;
    }

    public function invite(string ...$users): static
    {
        return $this->addGuests(...array_filter($users, fn (string $user) => $user !== $this->owner()));
    }

    public function allows(string $user): bool
    {
        return $this->allowedToAll($user) || $this->allowedToGuest($user);
    }
}

final class Diary extends Item
{
    use Sharing {
        allows as private invited;
    }

    public function allows(string $user): bool
    {
        return $user !== '*' && ($user === $this->owner() || $this->invited($user));
    }
}

final class Poster extends Item
{
    use Publishing;
}

$items = [
    (new Album('Alps', 'ann'))->invite('bob', 'ann'),
    (new Diary('Winter', 'ann'))->shareWith('cleo'),
    (new Poster('Concert', 'bob'))->publish(),
    new Poster('Draft', 'bob'),
];
foreach ($items as $item) {
    $readers = array_filter(['ann', 'bob', 'cleo', '*'], $item->allows(...));
    echo $item::class, " $item->title: ", implode(', ', $readers), ' / ', $item->history(), "\n";
}
echo Album::made(), ' ', Poster::made(), ' ', Item::made(), "\n";
