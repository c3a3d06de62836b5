<?php
// What is noted of a program whose moments are traced: every line that runs, and what variables hold before some of them.

namespace Codereason;

use function array_key_exists, count, debug_backtrace, in_array, is_array, is_float, is_int, is_object, is_string,
    spl_object_id, strlen;

final class Ledger
{
    private const INCLUDES = ['include', 'include_once', 'require', 'require_once'];
    /** What stands for a value: it is too long or no plain data; the variable has none. */
    private const TOO_LARGE = -1, UNBOUND = -2;
    /** Characters of all events, so that a whole trace stays below what a job may write. */
    private const MOST_CODE = 500_000;
    private const NOTHING =
        '{"edges":[],"moments":{"frames":[],"events":[],"whole":false,"raised":null,"written":[],"visits":[]}}';

    /**
     * @param array<string, mixed> $known what the tracer says of the program
     * @param array<string, int> $own the numbers of its files
     * @return array<string, mixed>
     */
    public static function open(array $known, array $own, string $call): array
    {
        return [
            'own' => $own,
            'marks' => $known['marks'],
            'most' => $known['most'],
            'names' => $known['probes'],
            'broken' => '',
            'foreign' => false,
            'whole' => true,
            'begun' => 0,
            'open' => [], // of each file its frame
            'numbers' => [], // of frames, in the order of their first lines
            'files' => [], // of each frame
            'last' => [], // the last mark of each frame
            'top' => -1, // the last mark outside of functions
            'frames' => [], // of each event
            'events' => [], // their marks
            'raised' => null,
            'visits' => \array_fill(0, count($known['probes']), 0),
            'seen' => \array_fill(0, count($known['probes']), ''),
            'texts' => [],
            'room' => $known['most']['texts'],
        ];
    }

    /** A file of the program begins: its code has a new frame. @param array<string, mixed> $ledger */
    public static function begin(array &$ledger, string $path): void
    {
        $ledger['open'][$ledger['own'][$path]] = 0;
        $trace = debug_backtrace(\DEBUG_BACKTRACE_IGNORE_ARGS);
        foreach ($trace as $at => $frame) {
            $around = $trace[$at + 1] ?? [];
            if (($frame['file'] ?? '') === $path && in_array($around['function'] ?? '', self::INCLUDES, true) && !isset($around['class'])) {
                $ledger['whole'] = false; // it loads itself, and nobody could tell the two apart
            }
        }
    }

    /**
     * @param array<string, mixed> $ledger
     * @return bool|int|null of a line whether its variables are to be looked at, of a frame its number
     */
    public static function note(array &$ledger, int $number, mixed $given): bool|int|null
    {
        $kind = $ledger['marks']['kind'][$number];
        if ($kind === 'frame') {
            return ++$ledger['begun'];
        }
        if (!$ledger['whole']) {
            return null;
        }
        if ($kind === 'line') {
            return self::line($ledger, $number, is_array($given) ? $given[1] : 0);
        }
        if ($kind === 'look') {
            self::look($ledger, $ledger['marks']['probe'][$number], $given[1]);
        } elseif ($ledger['raised'] === null) {
            $place = $ledger['numbers'][$given[1]] ?? -1;
            $ledger['raised'] = [$given[2], $place < 0 ? -1 : $ledger['last'][$place]];
        }
        return null;
    }

    /** @param array<string, mixed> $ledger */
    private static function line(array &$ledger, int $number, int $frame): bool
    {
        $ledger['raised'] = null;
        if (count($ledger['events']) >= $ledger['most']['events']) {
            return $ledger['whole'] = false;
        }
        $marks = $ledger['marks'];
        $file = $marks['file'][$number];
        if ($marks['outside'][$number]) {
            $ledger['open'][$file] = $frame = $ledger['open'][$file] ?: ++$ledger['begun'];
            $ledger['top'] = $number;
        }
        $place = $ledger['numbers'][$frame] ?? -1;
        if ($place < 0) {
            $place = $ledger['numbers'][$frame] = count($ledger['files']);
            $ledger['files'][] = $file;
        }
        $ledger['last'][$place] = $number;
        $ledger['frames'][] = $place;
        $ledger['events'][] = $number;
        $probe = $marks['probe'][$number];
        return $probe >= 0 && $ledger['visits'][$probe] < $ledger['most']['visits'];
    }

    /**
     * Notes what variables hold.
     *
     * @param array<string, mixed> $ledger
     * @param array<string, mixed> $held
     */
    private static function look(array &$ledger, int $probe, array $held): void
    {
        if ($ledger['visits'][$probe]++ >= $ledger['most']['visits']) {
            return;
        }
        $values = $same = [];
        $names = $ledger['names'][$probe];
        foreach ($names as $i => $name) {
            $bound = array_key_exists($name, $held);
            $values[] = $bound ? self::text($ledger, $held[$name]) : self::UNBOUND;
            $first = $i;
            for ($j = $i - 1; $bound && $j >= 0; $j--) {
                if ($values[$j] !== self::UNBOUND && self::same($held, $name, $names[$j])) {
                    $first = $j;
                }
            }
            $same[] = $first;
        }
        $before = $ledger['seen'][$probe] === '' ? '' : ',';
        $ledger['seen'][$probe] .= $before . '[[' . \implode(',', $values) . '],[' . \implode(',', $same) . ']]';
    }

    /** Whether two variables hold one object, or are one variable. An array is copied when it is given to another. */
    private static function same(array $held, string $one, string $other): bool
    {
        if (!is_array($held[$one]) || !is_array($held[$other])) {
            return $held[$one] === $held[$other];
        }
        $first = \ReflectionReference::fromArrayElement($held, $one)?->getId();
        return $first !== null && $first === \ReflectionReference::fromArrayElement($held, $other)?->getId();
    }

    /** The place of a value among those that are written, or TOO_LARGE. @param array<string, mixed> $ledger */
    private static function text(array &$ledger, mixed $value): int
    {
        $most = $ledger['most']['text'];
        $text = self::short($value, $most) ? Harness::encoded($value, 0) : '';
        if ($text === '' || strlen($text) > $most) {
            return self::TOO_LARGE;
        }
        if (!isset($ledger['texts'][$text])) {
            if (strlen($text) > $ledger['room']) {
                return self::TOO_LARGE;
            }
            $ledger['room'] -= strlen($text);
            $ledger['texts'][$text] = count($ledger['texts']);
        }
        return $ledger['texts'][$text];
    }

    /** Whether a value is plain data and may be short, as far as its sizes say. One that holds itself is never short. */
    private static function short(mixed $value, int $left): bool
    {
        $waiting = [[$value, 0]];
        for ($size = 1; $size > 0; ) {
            [$one, $depth] = $waiting[--$size];
            $left -= is_string($one) ? 1 + strlen($one) : (is_array($one) ? 1 + count($one) : 1);
            if ($left < 0 || $depth > 99 || is_object($one) || \is_resource($one) || \gettype($one) === 'resource (closed)') {
                return false;
            }
            foreach (is_array($one) ? $one : [] as $key => $item) {
                $left -= is_string($key) ? strlen($key) : 0;
                $waiting[$size++] = [$item, $depth + 1];
            }
        }
        return true;
    }

    /**
     * The mark of the line from which an exception came that nobody caught; -1 if that is not sure.
     *
     * @param array<string, mixed> $ledger
     */
    private static function source(array $ledger, ?\Throwable $thrown): int
    {
        if ($thrown === null || $ledger['events'] === []) {
            return -1;
        }
        $raised = $ledger['raised'];
        $mark = $raised === null ? $ledger['top'] : ($raised[0] === spl_object_id($thrown) ? $raised[1] : -1);
        $last = $ledger['events'][count($ledger['events']) - 1];
        foreach ([$mark, $ledger['marks']['arrow'][$last] ? $last : -1] as $mark) {
            // Where it was made is no proof, but another place would speak against the mark.
            if (
                $mark >= 0 && !$ledger['marks']['cleaning'][$mark]
                && $ledger['marks']['line'][$mark] === $thrown->getLine()
                && $ledger['marks']['file'][$mark] === ($ledger['own'][$thrown->getFile()] ?? -1)
            ) {
                return $mark;
            }
        }
        return -1;
    }

    /** The trace as JSON. @param array<string, mixed> $ledger */
    public static function encode(array $ledger, ?\Throwable $thrown): string
    {
        $frames = \implode(',', $ledger['files']);
        $events = [];
        [$frame, $line] = [-1, 0];
        foreach ($ledger['events'] as $i => $mark) {
            $at = $ledger['marks']['line'][$mark];
            $place = $ledger['frames'][$i];
            $events[] = $place === $frame ? $at - $line : "[$place,$at]";
            [$frame, $line] = [$place, $at];
        }
        $events = \implode(',', $events);
        if (!$ledger['whole'] || $ledger['foreign'] || strlen($frames) + strlen($events) > self::MOST_CODE) {
            return self::NOTHING;
        }
        $mark = self::source($ledger, $thrown);
        $raised = $mark < 0 ? 'null' : "[{$ledger['marks']['file'][$mark]},{$ledger['marks']['line'][$mark]}]";
        $written = \implode(',', \array_keys($ledger['texts']));
        $visits = \implode(',', \array_map(fn($seen) => "[$seen]", $ledger['seen']));
        return '{"edges":[],"moments":{"frames":[' . $frames . '],"events":[' . $events . '],"whole":true,"raised":'
            . $raised . ',"written":[' . $written . '],"visits":[' . $visits . ']}}';
    }
}
