<?php

declare(strict_types=1);

/** A day of the calendar, counted from 1 March of the year 0. */
final class Day
{
    private function __construct(public readonly int $number)
    {
    }

    public static function of(int $year, int $month, int $day): self
    {
        if ($month < 1 || $month > 12 || $day < 1 || $day > self::monthLength($year, $month)) {
            throw new RangeException("no day $year-$month-$day");
        }
        // Years that begin in March have their leap day at the end.
        $shifted = $month > 2 ? $year : $year - 1;
        $months = ($month + 9) % 12;
        $days = 365 * $shifted + intdiv($shifted, 4) - intdiv($shifted, 100) + intdiv($shifted, 400);
        return new self($days + intdiv(153 * $months + 2, 5) + $day - 1);
    }

    public static function monthLength(int $year, int $month): int
    {
        $leap = ($year % 4 === 0 && $year % 100 !== 0) || $year % 400 === 0;
        return match ($month) {
            2 => $leap ? 29 : 28,
            4, 6, 9, 11 => 30,
            default => 31,
        };
    }

    public static function parse(string $text): self
    {
        return self::of(...array_map('intval', explode('-', $text)));
    }

    public function plus(int $days): self
    {
        return new self($this->number + $days);
    }

    public function until(self $other): int
    {
        return $other->number - $this->number;
    }

    /** 1 for Monday to 7 for Sunday. */
    public function weekday(): int
    {
        return ($this->number + 2) % 7 + 1;
    }

    /** @return array{int, int, int} */
    public function parts(): array
    {
        $year = intdiv($this->number * 10_000 + 14_780, 3_652_425);
        $first = self::of($year, 3, 1)->number;
        if ($first > $this->number) {
            $first = self::of(--$year, 3, 1)->number;
        }
        $rest = $this->number - $first;
        $months = intdiv(5 * $rest + 2, 153);
        $day = $rest - intdiv(153 * $months + 2, 5) + 1;
        return [$year + intdiv($months, 10), ($months + 2) % 12 + 1, $day];
    }

    public function __toString(): string
    {
        return vsprintf('%d-%02d-%02d', $this->parts());
    }
}

interface Recurrence
{
    public function after(Day $day): Day;
}

final class Weekly implements Recurrence
{
    public function __construct(private readonly Day $start, private readonly int $weeks = 1)
    {
    }

    public function after(Day $day): Day
    {
        if ($day->number < $this->start->number) {
            return $this->start;
        }
        $step = 7 * $this->weeks;
        $passed = intdiv($day->number - $this->start->number, $step);
        return $this->start->plus(($passed + 1) * $step);
    }
}

/** A fixed day of each month, or the last one where the month is too short. */
final class Monthly implements Recurrence
{
    public function __construct(private readonly int $wanted)
    {
    }

    public function after(Day $day): Day
    {
        [$year, $month] = $day->parts();
        $here = $this->in($year, $month);
        if ($here->number > $day->number) {
            return $here;
        }
        return $month === 12 ? $this->in($year + 1, 1) : $this->in($year, $month + 1);
    }

    private function in(int $year, int $month): Day
    {
        return Day::of($year, $month, min($this->wanted, Day::monthLength($year, $month)));
    }
}

/** Moves what falls on a weekend to the Monday behind it. */
final class Workdays implements Recurrence
{
    public function __construct(private readonly Recurrence $inner)
    {
    }

    public function after(Day $day): Day
    {
        // A Saturday may lie up to two days before the Monday that counts.
        $probe = $day->plus(-2);
        do {
            $probe = $this->inner->after($probe);
            $moved = $probe->weekday() <= 5 ? $probe : $probe->plus(8 - $probe->weekday());
        } while ($moved->number <= $day->number);
        return $moved;
    }
}

function series(Recurrence $recurrence, string $from, int $count): string
{
    $days = [];
    for ($day = Day::parse($from); count($days) < $count;) {
        $days[] = $day = $recurrence->after($day);
    }
    return implode(' ', $days);
}

echo series(new Weekly(Day::parse('2024-02-15'), 2), '2024-02-01', 3), "\n";
echo series(new Monthly(31), '2023-12-30', 4), "\n";
echo series(new Workdays(new Monthly(1)), '2024-05-31', 4), "\n";
echo Day::parse('2000-02-29')->weekday(), ' ', Day::parse('1999-12-31')->plus(60), "\n";
try {
    Day::parse('2023-02-29');
} catch (RangeException $problem) {
    echo $problem->getMessage(), "\n";
}
