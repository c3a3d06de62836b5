<?php

declare(strict_types=1);

final class Row
{
    public int $played = 0;
    public int $points = 0;
    public int $scored = 0;
    public int $conceded = 0;
    private array $form = [];

    public function __construct(public readonly string $team)
    {
    }

    public function add(int $scored, int $conceded): void
    {
        $this->played++;
        $this->scored += $scored;
        $this->conceded += $conceded;
        [$points, $letter] = match ($scored <=> $conceded) {
            1 => [3, 'W'],
            0 => [1, 'D'],
            -1 => [0, 'L'],
        };
        $this->points += $points;
        $this->form[] = $letter;
    }

    public function difference(): int
    {
        return $this->scored - $this->conceded;
    }

    public function recent(int $most = 3): string
    {
        return implode('', array_slice($this->form, -$most));
    }
}

final class League
{
    /** @var array<string, Row> */
    private array $rows = [];
    /** @var list<array{string, string, int, int}> */
    private array $matches = [];

    public function result(string $line): void
    {
        if (!preg_match('/^(\w+) (\d+):(\d+) (\w+)$/', $line, $part) || $part[1] === $part[4]) {
            throw new InvalidArgumentException("unreadable: $line");
        }
        [, $home, $homeGoals, $awayGoals, $away] = $part;
        $this->row($home)->add((int) $homeGoals, (int) $awayGoals);
        $this->row($away)->add((int) $awayGoals, (int) $homeGoals);
        $this->matches[] = [$home, $away, (int) $homeGoals, (int) $awayGoals];
    }

    private function row(string $team): Row
    {
        return $this->rows[$team] ??= new Row($team);
    }

    public function deduct(string $team, int $points): void
    {
        $this->row($team)->points -= $points;
    }

    /** @return list<list<Row>> rows from the top; teams that share a place stand in one list */
    public function places(): array
    {
        $rows = array_values($this->rows);
        usort($rows, fn (Row $a, Row $b) => $this->compare($a, $b) ?: strcmp($a->team, $b->team));
        $places = [];
        foreach ($rows as $row) {
            $last = array_key_last($places);
            if ($last !== null && $this->compare($places[$last][0], $row) === 0) {
                $places[$last][] = $row;
            } else {
                $places[] = [$row];
            }
        }
        return $places;
    }

    private function compare(Row $a, Row $b): int
    {
        return [$b->points, $b->difference(), $b->scored] <=> [$a->points, $a->difference(), $a->scored]
            ?: $this->direct($b, $a) <=> $this->direct($a, $b);
    }

    /** Goals of the first team in its matches against the second one. */
    private function direct(Row $first, Row $second): int
    {
        $goals = 0;
        foreach ($this->matches as [$home, $away, $homeGoals, $awayGoals]) {
            $goals += match ([$home, $away]) {
                [$first->team, $second->team] => $homeGoals,
                [$second->team, $first->team] => $awayGoals,
                default => 0,
            };
        }
        return $goals;
    }
}

function show(League $league): void
{
    $place = 1;
    foreach ($league->places() as $rows) {
        foreach ($rows as $row) {
            printf(
                "%d %-5s %d %+d %d %s\n",
                $place, $row->team, $row->played, $row->difference(), $row->points, $row->recent(),
            );
        }
        $place += count($rows);
    }
}

$league = new League();
$results = ['Lynx 2:1 Owls', 'Bears 0:0 Foxes', 'Owls 3:0 Bears', 'Foxes 1:2 Lynx', 'Lynx 0:1 Bears',
    'Owls 1:1 Foxes', 'Foxes 2:2 Bears', 'Lynx lost'];
foreach ($results as $line) {
    try {
        $league->result($line);
    } catch (InvalidArgumentException $problem) {
        echo $problem->getMessage(), "\n";
    }
}
show($league);
$league->deduct('Bears', 2);
$league->result('Foxes 4:0 Owls');
echo "--\n";
show($league);
