<?php

declare(strict_types=1);

enum Priority: int
{
    case Low = 1;
    case Normal = 2;
    case Urgent = 3;

    public static function fromText(string $text): self
    {
        foreach (self::cases() as $case) {
            if (stripos($text, $case->name) !== false) {
                return $case;
            }
        }
        return self::Normal;
    }

    public function hours(): int
    {
        return intdiv(48, $this->value ** 2);
    }

    public function raised(): self
    {
        return self::tryFrom($this->value + 1) ?? $this;
    }
}

enum Status: string
{
    case Open = 'open';
    case Waiting = 'waiting for answer';
    case Solved = 'solved';
    case Closed = 'closed';

    public function can(string $action): bool
    {
        return match ($this) {
            self::Open => in_array($action, ['ask', 'solve', 'escalate'], true),
            self::Waiting => in_array($action, ['reply', 'solve'], true),
            self::Solved => in_array($action, ['reply', 'close'], true),
            self::Closed => false,
        };
    }

    public function isActive(): bool
    {
        return $this === self::Open || $this === self::Waiting;
    }
}

/**
 * A ticket whose actions are called as methods: $ticket->solve().
 *
 * @method self ask()
 * @method self reply()
 */
final class Ticket
{
    public Status $status = Status::Open;
    public Priority $priority;
    private int $due;
    private array $log = [];

    public function __construct(public readonly string $title, private int $now = 0)
    {
        $this->priority = Priority::fromText($title);
        $this->due = $now + $this->priority->hours();
    }

    public function after(int $hours): self
    {
        $this->now += $hours;
        return $this;
    }

    public function __call(string $action, array $arguments): self
    {
        if (!$this->status->can($action)) {
            $this->log[] = "no $action while {$this->status->value}";
            return $this;
        }
        $this->status = match ($action) {
            'ask' => Status::Waiting,
            'reply', 'escalate' => Status::Open,
            'solve' => Status::Solved,
            'close' => Status::Closed,
        };
        if ($action === 'reply' || $action === 'escalate') {
            $this->restart($action === 'escalate' ? $this->priority->raised() : $this->priority);
        }
        $this->log[] = $action . ($arguments === [] ? '' : ' (' . implode(', ', $arguments) . ')');
        return $this;
    }

    private function restart(Priority $priority): void
    {
        $this->priority = $priority;
        $this->due = $this->now + $priority->hours();
    }

    public function isLate(): bool
    {
        return $this->status === Status::Open && $this->now > $this->due;
    }

    public function summary(): string
    {
        $state = "{$this->status->value}, {$this->priority->name}" . ($this->isLate() ? ', late' : '');
        return "{$this->title}: $state; " . implode(', ', $this->log);
    }
}

$tickets = [
    (new Ticket('Printer on fire, urgent'))->after(5)->ask('which one?')->after(9)->reply()->after(6),
    (new Ticket('Low paper'))->after(48)->escalate()->escalate()->escalate()->after(5),
    (new Ticket('New chair'))->close()->solve('ordered')->close()->reply(),
    (new Ticket('Password'))->after(12),
];
foreach ($tickets as $ticket) {
    echo $ticket->summary(), "\n";
}
usort($tickets, function (Ticket $a, Ticket $b): int {
    return $b->priority->value <=> $a->priority->value ?: strcmp($a->title, $b->title);
});
echo implode(' > ', array_map(fn (Ticket $ticket) => $ticket->title, $tickets)), "\n";
