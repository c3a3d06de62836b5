<?php

declare(strict_types=1);

final class Money implements Stringable
{
    private function __construct(private readonly int $cents, public readonly string $currency)
    {
    }

    public static function of(string $amount, string $currency = 'EUR'): self
    {
        if (!preg_match('/^(-?)(\d+)(?:\.(\d\d))?$/', $amount, $part)) {
            throw new InvalidArgumentException("no amount: $amount");
        }
        $cents = 100 * (int) $part[2] + (int) ($part[3] ?? 0);
        return new self($part[1] === '-' ? -$cents : $cents, $currency);
    }

    public function plus(self $other): self
    {
        if ($other->currency !== $this->currency) {
            throw new DomainException("$other->currency with $this->currency");
        }
        return new self($this->cents + $other->cents, $this->currency);
    }

    public function negated(): self
    {
        return new self(-$this->cents, $this->currency);
    }

    public function isNegative(): bool
    {
        return $this->cents < 0;
    }

    public function isZero(): bool
    {
        return $this->cents === 0;
    }

    /**
     * Shares an amount without losing a cent.
     *
     * @return list<self>
     */
    public function split(int ...$weights): array
    {
        $total = array_sum($weights);
        $shares = array_map(fn (int $weight) => intdiv($this->cents * $weight, $total), $weights);
        $left = $this->cents - array_sum($shares);
        for ($i = 0; $left !== 0; $i++) {
            $step = $left <=> 0;
            $shares[$i] += $step;
            $left -= $step;
        }
        return array_map(fn (int $cents) => new self($cents, $this->currency), $shares);
    }

    public function __toString(): string
    {
        $size = abs($this->cents);
        $sign = $this->cents < 0 ? '-' : '';
        return sprintf('%s%d.%02d %s', $sign, intdiv($size, 100), $size % 100, $this->currency);
    }
}

final class Journal
{
    private array $entries = [];

    public function book(string $text, string $from, string $to, Money $amount): void
    {
        $this->entries[] = [$text, [$from => $amount->negated(), $to => $amount]];
    }

    /** @param array<string, Money> $parts */
    public function bookSplit(string $text, array $parts): void
    {
        $sum = array_reduce($parts, fn (?Money $sum, Money $part) => $sum?->plus($part) ?? $part);
        if ($sum === null || !$sum->isZero()) {
            throw new LogicException("$text does not balance: " . ($sum ?? 'empty'));
        }
        $this->entries[] = [$text, $parts];
    }

    /** Runs all bookings of a function, or none of them. */
    public function together(callable $bookings): bool
    {
        $mark = count($this->entries);
        try {
            $bookings($this);
            return true;
        } catch (LogicException $problem) {
            array_splice($this->entries, $mark);
            echo 'undone: ', $problem->getMessage(), "\n";
            return false;
        }
    }

    public function balance(string $account): Money
    {
        $balance = Money::of('0');
        foreach ($this->entries as [, $parts]) {
            $balance = isset($parts[$account]) ? $balance->plus($parts[$account]) : $balance;
        }
        return $balance;
    }
}

$journal = new Journal();
$journal->book('salary', 'employer', 'bank', Money::of('2150.50'));
$journal->book('rent', 'bank', 'landlord', Money::of('800'));
[$ann, $bob, $cas] = Money::of('100.00')->split(1, 1, 1);
$journal->bookSplit('dinner', ['bank' => Money::of('-100'), 'ann' => $ann, 'bob' => $bob, 'cas' => $cas]);
$done = $journal->together(function (Journal $journal): void {
    $journal->book('gift', 'bank', 'bob', Money::of('20'));
    $journal->bookSplit('wrong', ['bank' => Money::of('-5.00'), 'ann' => Money::of('4.99')]);
});
echo $done ? 'kept' : 'not kept', "\n";
foreach (['bank', 'ann', 'bob', 'cas', 'employer'] as $account) {
    echo $account, ' ', $journal->balance($account), "\n";
}
echo implode(' | ', Money::of('-0.05')->split(2, 1)), "\n";
