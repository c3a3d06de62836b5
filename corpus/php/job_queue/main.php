<?php

declare(strict_types=1);

final class Retry extends RuntimeException
{
    public function __construct(string $reason, public readonly int $delay = 1)
    {
        parent::__construct($reason);
    }
}

abstract class Job
{
    public int $attempts = 0;

    public function __construct(public readonly string $name)
    {
    }

    abstract public function run(int $now): string;

    public function most(): int
    {
        return 3;
    }
}

/** Works from a certain moment on. */
final class Download extends Job
{
    public function __construct(string $name, private readonly int $availableFrom)
    {
        parent::__construct($name);
    }

    public function run(int $now): string
    {
        if ($now < $this->availableFrom) {
            throw new Retry('not there yet', 2 ** $this->attempts);
        }
        return 'fetched';
    }
}

final class Report extends Job
{
    public function __construct(string $name, private readonly Closure $write)
    {
        parent::__construct($name);
    }

    public function run(int $now): string
    {
        return ($this->write)();
    }

    public function most(): int
    {
        return 1;
    }
}

/** Hands out jobs by time, then by priority, then in the order of arrival. */
final class Schedule extends SplPriorityQueue
{
    private int $arrivals = 0;

    public function compare(mixed $first, mixed $second): int
    {
        return [-$first[0], $first[1], -$first[2]] <=> [-$second[0], $second[1], -$second[2]];
    }

    public function plan(Job $job, int $time, int $priority): void
    {
        $this->insert([$job, $priority], [$time, $priority, ++$this->arrivals]);
    }
}

final class Worker
{
    private Schedule $schedule;
    private int $now = 0;
    private array $states;

    public function __construct()
    {
        $this->schedule = new Schedule();
        $this->schedule->setExtractFlags(SplPriorityQueue::EXTR_BOTH);
        $this->states = ['done' => 0, 'failed' => 0];
    }

    public function add(Job $job, int $priority = 0, int $delay = 0): static
    {
        $this->schedule->plan($job, $this->now + $delay, $priority);
        return $this;
    }

    public function work(): void
    {
        while (!$this->schedule->isEmpty()) {
            ['data' => [$job, $priority], 'priority' => [$time]] = $this->schedule->extract();
            $this->now = max($this->now, $time);
            echo $this->now, ' ', $job->name, ': ', $this->attempt($job, $priority), "\n";
            $this->now++;
        }
    }

    private function attempt(Job $job, int $priority): string
    {
        $state = 'failed';
        try {
            $job->attempts++;
            $result = $job->run($this->now);
            $state = 'done';
            return $result;
        } catch (Retry $retry) {
            if ($job->attempts >= $job->most()) {
                return "given up, {$retry->getMessage()}";
            }
            $state = null;
            $this->schedule->plan($job, $this->now + $retry->delay, $priority);
            return "again in $retry->delay";
        } catch (Throwable $error) {
            return 'error, ' . $error->getMessage();
        } finally {
            if ($state !== null) {
                $this->states[$state]++;
            }
        }
    }

    public function states(): array
    {
        return $this->states;
    }
}

$worker = (new Worker())
    ->add(new Report('sums', fn () => (string) array_sum([1, 2, 3])))
    ->add(new Download('map', 4), 1)
    ->add(new Report('broken', fn () => (string) intdiv(1, 0)), 2)
    ->add(new Download('film', 100), 0, 3)
    ->add(new Report('late', fn () => 'written'), 9, 20);
$worker->work();
echo json_encode($worker->states()), "\n";
