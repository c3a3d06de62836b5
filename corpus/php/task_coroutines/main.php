<?php

declare(strict_types=1);

/** What a task asks of the scheduler by yielding it. */
abstract class Request
{
    abstract public function serve(Task $task, Scheduler $scheduler): void;
}

final class Sleep extends Request
{
    public function __construct(private readonly int $ticks)
    {
    }

    public function serve(Task $task, Scheduler $scheduler): void
    {
        $scheduler->wake($task, $this->ticks);
    }
}

final class Spawn extends Request
{
    public function __construct(private readonly string $name, private readonly Generator $body)
    {
    }

    public function serve(Task $task, Scheduler $scheduler): void
    {
        $task->answer = $scheduler->start($this->name, $this->body);
        $scheduler->wake($task);
    }
}

final class Join extends Request
{
    public function __construct(private readonly Task $other)
    {
    }

    public function serve(Task $task, Scheduler $scheduler): void
    {
        $this->other->onEnd(function (mixed $result) use ($task, $scheduler): void {
            $task->answer = $result;
            $scheduler->wake($task);
        });
    }
}

final class Task
{
    public mixed $answer = null;
    private bool $begun = false;
    private bool $ended = false;
    private mixed $result = null;
    private array $listeners = [];

    public function __construct(public readonly string $name, private readonly Generator $body)
    {
    }

    /** Runs to the next request; null at the end. */
    public function advance(): ?Request
    {
        $request = $this->begun ? $this->body->send($this->answer) : $this->body->current();
        $this->begun = true;
        if ($this->body->valid()) {
            $this->answer = null;
            return $request;
        }
        $this->end($this->body->getReturn());
        return null;
    }

    public function end(mixed $result): void
    {
        $this->ended = true;
        $this->result = $result;
        foreach ($this->listeners as $listener) {
            $listener($result);
        }
    }

    public function onEnd(callable $listener): void
    {
        if ($this->ended) {
            $listener($this->result);
        } else {
            $this->listeners[] = $listener;
        }
    }
}

final class Scheduler
{
    /** @var array<int, list<Task>> tasks by the tick at which they go on */
    private array $agenda = [];
    public int $tick = 0;

    public function start(string $name, Generator $body): Task
    {
        $task = new Task($name, $body);
        $this->wake($task);
        return $task;
    }

    public function wake(Task $task, int $after = 0): void
    {
        $this->agenda[$this->tick + $after][] = $task;
    }

    public function pending(): int
    {
        return array_sum(array_map('count', $this->agenda));
    }

    public function run(): int
    {
        $steps = 0;
        while ($this->agenda !== []) {
            $this->tick = min(array_keys($this->agenda));
            $task = array_shift($this->agenda[$this->tick]);
            if ($this->agenda[$this->tick] === []) {
                unset($this->agenda[$this->tick]);
            }
            $steps++;
            $this->step($task);
        }
        return $steps;
    }

    private function step(Task $task): void
    {
        try {
            $task->advance()?->serve($task, $this);
        } catch (RuntimeException $failure) {
            $this->say("$task->name fails: {$failure->getMessage()}");
            $task->end(null);
        }
    }

    public function say(string $text): void
    {
        echo $this->tick, ' ', $text, "\n";
    }
}

$scheduler = new Scheduler();
$cook = function (string $dish, int $ticks) use ($scheduler): Generator {
    $scheduler->say("start $dish");
    yield new Sleep($ticks);
    return $ticks > 5 ? throw new RuntimeException('burnt') : "$dish ready";
};
$scheduler->start('chef', (function () use ($cook, $scheduler): Generator {
    $soup = yield new Spawn('soup', $cook('soup', 3));
    $roast = yield new Spawn('roast', $cook('roast', 6));
    yield new Sleep(1);
    $rice = yield new Spawn('rice', $cook('rice', 1));
    $scheduler->say(yield new Join($soup));
    $scheduler->say(yield new Join($rice));
    $scheduler->say((yield new Join($roast)) ?? 'no roast');
})());
echo $scheduler->run(), " steps\n";
