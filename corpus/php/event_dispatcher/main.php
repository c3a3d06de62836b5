<?php

declare(strict_types=1);

abstract class Event
{
    private bool $stopped = false;

    public function stop(): void
    {
        $this->stopped = true;
    }

    public function isStopped(): bool
    {
        return $this->stopped;
    }
}

class UserEvent extends Event
{
    public function __construct(public readonly string $user)
    {
    }
}

final class LoginFailed extends UserEvent
{
}

final class PasswordChanged extends UserEvent
{
    public bool $mailed = false;
}

final class Dispatcher
{
    /** @var array<class-string, list<array{int, int, callable}>> */
    private array $listeners = [];
    private int $registered = 0;

    public function listen(string $event, callable $listener, int $priority = 0): int
    {
        $this->listeners[$event][] = [$priority, ++$this->registered, $listener];
        return $this->registered;
    }

    public function forget(int $number): bool
    {
        foreach ($this->listeners as $event => $list) {
            foreach ($list as $index => [, $registered]) {
                if ($registered === $number) {
                    unset($this->listeners[$event][$index]);
                    return true;
                }
            }
        }
        return false;
    }

    public function dispatch(Event $event): Event
    {
        foreach ($this->listenersFor($event) as [, , $listener]) {
            if ($event->isStopped()) {
                break;
            }
            $listener($event);
        }
        return $event;
    }

    private function listenersFor(Event $event): array
    {
        $found = [];
        foreach ($this->listeners as $type => $list) {
            if ($event instanceof $type) {
                array_push($found, ...$list);
            }
        }
        usort($found, fn (array $a, array $b) => [$b[0], $a[1]] <=> [$a[0], $b[1]]);
        return $found;
    }
}

/** Locks a user out after too many failures in a row. */
final class Lockout
{
    private array $failures = [];

    public function __construct(private readonly int $most)
    {
    }

    public function __invoke(LoginFailed $event): void
    {
        $count = $this->failures[$event->user] = ($this->failures[$event->user] ?? 0) + 1;
        if ($count >= $this->most) {
            echo "  {$event->user} locked\n";
            $event->stop();
        }
    }

    public function reset(UserEvent $event): void
    {
        unset($this->failures[$event->user]);
    }
}

final class Mailer
{
    public static function onChange(PasswordChanged $event): void
    {
        $event->mailed = true;
        echo "  mail to {$event->user}\n";
    }
}

$dispatcher = new Dispatcher();
$lockout = new Lockout(3);
$dispatcher->listen(UserEvent::class, function (UserEvent $event): void {
    echo '  audit ', $event::class, "\n";
}, -10);
$dispatcher->listen(LoginFailed::class, $lockout, 5);
$dispatcher->listen(LoginFailed::class, fn (LoginFailed $event) => print("  wait, {$event->user}\n"));
$dispatcher->listen(PasswordChanged::class, $lockout->reset(...));
$dispatcher->listen(PasswordChanged::class, [Mailer::class, 'onChange']);

foreach ([new LoginFailed('eva'), new LoginFailed('eva'), new PasswordChanged('eva')] as $event) {
    $dispatcher->dispatch($event);
}
for ($try = 1; $try <= 3; $try++) {
    $dispatcher->dispatch(new LoginFailed('eva'));
}
