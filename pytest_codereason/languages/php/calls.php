<?php
// What is noted of a program whose calls are traced: who calls whom, and how often each line runs. The caller is read
// from the stack of PHP itself. Every function there that has the name of a file of the program was compiled from what
// the witness has served, so a place on the stack tells the function, except where two without a name share a line.

namespace Codereason;

use function count, debug_backtrace, in_array, json_encode, spl_object_id, str_contains, strrpos, strtolower, substr;

final class Ledger
{
    private const INCLUDES = ['include', 'include_once', 'require', 'require_once'];
    /** The frames between what looks at the stack and the function that says that it begins. */
    private const OWN = 5;
    /** Nearly always so many are enough. */
    private const FEW = 9;

    /**
     * @param array<string, mixed> $known what the tracer says of the program
     * @param array<string, int> $own the numbers of its files
     * @return array<string, mixed>
     */
    public static function open(array $known, array $own, string $call): array
    {
        $entry = 0;
        $paths = [];
        foreach ($known['files'] as $number => $file) {
            $paths[] = $file['name'];
            $entry = $file['name'] === $known['entry'] ? $number : $entry;
        }
        return [
            'own' => $own,
            'call' => $call,
            'entry' => $entry,
            'paths' => $paths,
            'names' => $known['names'],
            'functions' => $known['functions'],
            'classes' => $known['classes'],
            'modules' => $known['modules'],
            'owners' => $known['owners'],
            'twins' => \array_flip($known['twins']),
            'kinds' => $known['marks']['kind'],
            'bodies' => $known['marks']['body'],
            'lines' => $known['marks']['line'],
            'files' => $known['marks']['file'],
            'counts' => [],
            'edges' => [],
            'places' => [], // of functions that share a line: by their depth on the stack
            'broken' => '',
            'foreign' => false,
        ];
    }

    /** A file of the program begins. @param array<string, mixed> $ledger */
    public static function begin(array &$ledger, string $path): void
    {
    }

    /** @param array<string, mixed> $ledger */
    public static function note(array &$ledger, int $number, mixed $given): ?bool
    {
        if ($ledger['kinds'][$number] === 'line') {
            $ledger['counts'][$number] = ($ledger['counts'][$number] ?? 0) + 1;
            return null;
        }
        $body = $ledger['bodies'][$number];
        $trace = debug_backtrace(\DEBUG_BACKTRACE_IGNORE_ARGS, self::FEW);
        if (isset($ledger['twins'][$body])) {
            $ledger['places'][self::place(self::OWN, 1)] = $body;
        }
        if ($ledger['kinds'][$number] === 'enter' && ($at = self::site($ledger, $trace)) >= 0) {
            $caller = self::caller($ledger, $trace, $at);
            if ($caller < 0) {
                $ledger['broken'] = $ledger['broken'] ?: 'nobody can tell who calls a function';
            } else {
                $ledger['edges'][$caller * count($ledger['names']) + $body] = true;
            }
        }
        return null;
    }

    /**
     * The frame that is called from a file of the program, or from the call; -1 if there is none.
     *
     * @param array<string, mixed> $ledger
     * @param array<array<string, mixed>> $trace
     */
    private static function site(array $ledger, array &$trace): int
    {
        for ($all = false; ; $all = true) {
            for ($at = self::OWN; $at < count($trace); $at++) {
                $file = $trace[$at]['file'] ?? '';
                if (isset($ledger['own'][$file]) || $file === $ledger['call']) {
                    $around = $trace[$at + 1] ?? [];
                    if (($around['class'] ?? '') === 'ReflectionAttribute' && $around['function'] === 'newInstance') {
                        continue; // PHP pretends that the attribute calls, where it is written
                    }
                    if ($around || $all) {
                        return $at;
                    }
                    break;
                }
            }
            if ($all || count($trace) < self::FEW) {
                return -1;
            }
            $trace = \array_slice(debug_backtrace(\DEBUG_BACKTRACE_IGNORE_ARGS), 1);
        }
    }

    /**
     * The body that a place on the stack stands in; -1 if that is not clear.
     *
     * @param array<string, mixed> $ledger
     * @param array<array<string, mixed>> $trace
     */
    private static function caller(array $ledger, array $trace, int $at): int
    {
        $file = $trace[$at]['file'];
        if ($file === $ledger['call']) {
            return $ledger['modules'][$ledger['entry']];
        }
        $around = $trace[$at + 1] ?? ['function' => 'include'];
        $file = $ledger['own'][$file];
        if (in_array($around['function'], self::INCLUDES, true) && !isset($around['class'])) {
            return $ledger['modules'][$file];
        }
        $all = $ledger['owners'][$file][$trace[$at]['line']] ?? [];
        $named = !str_contains($around['function'], '{closure');
        $own = $named ? self::last($around['function']) : '';
        $found = [];
        $others = []; // a method of a trait may have another name on the stack
        foreach ($all as $body) {
            if ($ledger['functions'][$body] === $own) {
                $found[] = $body;
            } elseif ($named && $ledger['functions'][$body] !== '') {
                $others[] = $body;
            }
        }
        $found = $found ?: $others;
        if (count($found) > 1 && $named) {
            $class = self::last($around['class'] ?? '');
            $of = [];
            foreach ($found as $body) {
                if ($ledger['classes'][$body] === $class) {
                    $of[] = $body;
                }
            }
            $found = $of ?: $found;
        }
        if (count($found) > 1) {
            $body = $ledger['places'][self::place($at + 1, 2)] ?? -1;
            return in_array($body, $found, true) ? $body : -1;
        }
        return $found[0] ?? -1;
    }

    /** The last part of a name, in lower case. */
    private static function last(string $name): string
    {
        $at = strrpos($name, '\\');
        return strtolower($at === false ? $name : substr($name, $at + 1));
    }

    /** How deep a frame of :func:`note` is on the stack of its fiber, seen from so many calls above. */
    private static function place(int $at, int $above): string
    {
        $trace = debug_backtrace(\DEBUG_BACKTRACE_IGNORE_ARGS);
        $fiber = \Fiber::getCurrent();
        $end = count($trace);
        for ($i = $at + $above; $fiber !== null && $i < $end; $i++) {
            if (($trace[$i]['class'] ?? '') === 'Fiber') {
                $end = $i;
            }
        }
        return ($fiber === null ? 0 : spl_object_id($fiber)) . ':' . ($end - $at - $above);
    }

    /** The trace as JSON. @param array<string, mixed> $ledger */
    public static function encode(array $ledger, ?\Throwable $thrown): string
    {
        $width = count($ledger['names']);
        $edges = [];
        foreach ($ledger['edges'] as $edge => $_) {
            $edges[] = [$ledger['names'][\intdiv($edge, $width)], $ledger['names'][$edge % $width]];
        }
        $lines = [];
        foreach ($ledger['counts'] as $number => $count) {
            $path = $ledger['paths'][$ledger['files'][$number]];
            $line = $ledger['lines'][$number];
            $lines[$path][$line] = ($lines[$path][$line] ?? 0) + $count;
        }
        $counted = [];
        foreach ($lines as $path => $counts) {
            foreach ($counts as $line => $count) {
                $counted[$path][] = [$line, $count];
            }
        }
        return json_encode(['edges' => $edges, 'lines' => (object) $counted]);
    }
}
