<?php

declare(strict_types=1);

/** Writes numbers with few bits each, one behind the other. */
final class BitWriter
{
    private string $bytes = '';
    private int $current = 0;
    private int $filled = 0;

    public function write(int $value, int $bits): static
    {
        if ($value < 0 || $value >= 1 << $bits) {
            throw new OverflowException("$value needs more than $bits bits");
        }
        for ($bit = $bits - 1; $bit >= 0; $bit--) {
            $this->current = $this->current << 1 | $value >> $bit & 1;
            if (++$this->filled === 8) {
                $this->flush();
            }
        }
        return $this;
    }

    /** Numbers of any size: groups of four bits, each with a mark whether more follow. */
    public function writeVariable(int $value): static
    {
        $groups = str_split(strrev(decbin($value)), 4);
        foreach ($groups as $index => $group) {
            $more = $index < count($groups) - 1;
            $this->write((int) $more, 1)->write(bindec(strrev($group)), 4);
        }
        return $this;
    }

    private function flush(): void
    {
        $this->bytes .= chr($this->current);
        $this->current = $this->filled = 0;
    }

    public function finish(): string
    {
        if ($this->filled > 0) {
            $this->current <<= 8 - $this->filled;
            $this->flush();
        }
        return $this->bytes;
    }
}

final class BitReader
{
    private int $position = 0;

    public function __construct(private readonly string $bytes)
    {
    }

    public function read(int $bits): int
    {
        if ($this->position + $bits > 8 * strlen($this->bytes)) {
            throw new UnderflowException("no $bits bits left at $this->position");
        }
        $value = 0;
        while ($bits-- > 0) {
            $byte = ord($this->bytes[intdiv($this->position, 8)]);
            $value = $value << 1 | $byte >> 7 - $this->position++ % 8 & 1;
        }
        return $value;
    }

    public function readVariable(): int
    {
        $value = 0;
        $shift = 0;
        do {
            $more = $this->read(1);
            $value |= $this->read(4) << $shift;
            $shift += 4;
        } while ($more === 1);
        return $value;
    }

    public function skip(int $bits): void
    {
        $this->position += $bits;
    }
}

/** A reading of a weather station in 16 bits and a station number. */
final class Reading
{
    private const WINDS = ['calm', 'light', 'fresh', 'storm'];

    public function __construct(
        public readonly int $station,
        public readonly float $celsius,
        public readonly int $humidity,
        public readonly string $wind,
    ) {
    }

    public function pack(BitWriter $writer): void
    {
        $wind = array_search($this->wind, self::WINDS, true);
        if ($wind === false) {
            throw new InvalidArgumentException("no wind $this->wind");
        }
        $writer->write((int) round(($this->celsius + 40) * 5), 9)
            ->write(intdiv($this->humidity, 4), 5)
            ->write($wind, 2)
            ->writeVariable($this->station);
    }

    public static function unpack(BitReader $reader): self
    {
        $celsius = $reader->read(9) / 5 - 40;
        $humidity = $reader->read(5) * 4;
        $wind = self::WINDS[$reader->read(2)];
        return new self($reader->readVariable(), $celsius, $humidity, $wind);
    }

    public function __toString(): string
    {
        return sprintf('#%d %.1fC %d%% %s', $this->station, $this->celsius, $this->humidity, $this->wind);
    }
}

$writer = new BitWriter();
$readings = [new Reading(5, 21.36, 43, 'fresh'), new Reading(300, -12.5, 100, 'calm')];
foreach ($readings as $reading) {
    $reading->pack($writer);
}
$packed = $writer->finish();
echo bin2hex($packed), ' ', strlen($packed), " bytes\n";
$reader = new BitReader($packed);
echo Reading::unpack($reader), "\n", Reading::unpack($reader), "\n";
try {
    Reading::unpack($reader);
} catch (UnderflowException $end) {
    echo $end->getMessage(), "\n";
}
try {
    (new Reading(1, 63.0, 0, 'calm'))->pack(new BitWriter());
} catch (OverflowException $tooHot) {
    echo $tooHot->getMessage(), "\n";
}
echo bin2hex((new BitWriter())->write(1, 1)->write(2, 3)->write(255, 8)->finish()), "\n";
