<?php

declare(strict_types=1);

class AuctionError extends Exception
{
    public function __construct(string $message, public readonly string $bidder, ?Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}

final class Overdrawn extends AuctionError
{
}

final class TooLate extends AuctionError
{
}

/** Money that bidders have put down before. */
final class Deposits
{
    public function __construct(private array $amounts)
    {
    }

    public function block(string $bidder, int $amount): void
    {
        $free = $this->of($bidder);
        if ($amount > $free) {
            throw new UnderflowException("$amount of $free");
        }
        $this->amounts[$bidder] = $free - $amount;
    }

    public function release(string $bidder, int $amount): void
    {
        $this->amounts[$bidder] = $this->of($bidder) + $amount;
    }

    public function of(string $bidder): int
    {
        return $this->amounts[$bidder] ?? 0;
    }
}

/** Bids stay secret until the end; the winner pays what the second one offered. */
class Auction
{
    /** @var array<string, int> */
    protected array $bids = [];
    private bool $open = true;

    public function __construct(
        public readonly string $item,
        private readonly int $reserve,
        protected readonly Deposits $deposits,
    ) {
    }

    public function bid(string $bidder, int $amount): void
    {
        if (!$this->open) {
            throw new TooLate('closed', $bidder);
        }
        $before = $this->bids[$bidder] ?? 0;
        try {
            $this->deposits->release($bidder, $before);
            $this->deposits->block($bidder, $amount);
        } catch (UnderflowException $cause) {
            $this->deposits->block($bidder, $before);
            throw new Overdrawn("$this->item: cannot cover", $bidder, $cause);
        }
        $this->bids[$bidder] = $amount;
    }

    public function withdraw(string $bidder): bool
    {
        if (!$this->open || !isset($this->bids[$bidder])) {
            return false;
        }
        $this->deposits->release($bidder, $this->bids[$bidder]);
        unset($this->bids[$bidder]);
        return true;
    }

    public function close(): ?array
    {
        if (!$this->open) {
            return null;
        }
        $this->open = false;
        $valid = array_filter($this->bids, fn (int $amount) => $amount >= $this->reserve);
        $result = $valid === [] ? null : $this->settle($valid);
        foreach ($this->bids as $bidder => $amount) {
            $this->deposits->release($bidder, $amount - ($bidder === ($result[0] ?? '') ? $result[1] : 0));
        }
        return $result;
    }

    /** @return array{string, int} the winner and the price */
    private function settle(array $valid): array
    {
        $winner = array_search(max($valid), $valid, true);
        unset($valid[$winner]);
        return [$winner, $this->price($this->bids[$winner], max([$this->reserve, ...array_values($valid)]))];
    }

    protected function price(int $highest, int $second): int
    {
        return $second;
    }
}

final class FirstPriceAuction extends Auction
{
    protected function price(int $highest, int $second): int
    {
        return $highest;
    }
}

function run(Auction $auction, array $bids): void
{
    foreach ($bids as [$bidder, $amount]) {
        try {
            $auction->bid($bidder, $amount);
        } catch (Overdrawn $error) {
            echo "  {$error->getMessage()}: $error->bidder, {$error->getPrevious()->getMessage()}\n";
        }
    }
    $result = $auction->close();
    echo $auction->item, ': ', $result === null ? 'not sold' : "$result[0] pays $result[1]", "\n";
}

$deposits = new Deposits(['ida' => 500, 'jon' => 300, 'kim' => 450]);
run(new Auction('vase', 100, $deposits), [['ida', 250], ['jon', 301], ['kim', 220], ['jon', 250]]);
run(new FirstPriceAuction('clock', 50, $deposits), [['kim', 400], ['kim', 451], ['ida', 260]]);
run(new Auction('chair', 80, $deposits), [['jon', 79]]);
run(new Auction('stool', 30, $deposits), [['jon', 300], ['ida', 300]]);
foreach (['ida', 'jon', 'kim'] as $bidder) {
    echo $bidder, ' has ', $deposits->of($bidder), "\n";
}
