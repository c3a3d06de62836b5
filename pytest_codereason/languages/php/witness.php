<?php
// Runs beside a traced PHP program. The tracer has written calls of the witness into the program's files.
// Any code can call the witness. So it believes only who knows the secret of a place in the program: secrets are drawn
// here, written into what PHP compiles, and never on the disk, where the files lie as they are. What is noted is held by
// the variables of a generator. Nothing in PHP leads to these, whoever has the generator.

namespace Codereason;

use function count, debug_backtrace, file_exists, file_get_contents, fopen, fclose, fwrite, gc_disable, gc_enable,
    gc_enabled, get_include_path, get_included_files, getcwd, in_array, is_array, is_dir, is_int, json_decode, md5_file, preg_match,
    random_int, realpath, restore_error_handler, set_error_handler, str_contains, str_starts_with, stream_wrapper_register, strlen, substr, unlink;

final class Witness
{
    private const INCLUDES = ['include', 'include_once', 'require', 'require_once'];
    /** What a text may have that loads others: what they hold is out of sight. */
    private const LOADS = '/\b(?:include|require)(?:_once)?\b|\beval\b/i';
    private const SCHEME = 'codereason://';
    /** What the tracer disables: the first two replace what reads files, the third runs code in the middle of the witness. */
    private const REFUSED = ['stream_wrapper_unregister', 'stream_wrapper_restore', 'pcntl_async_signals'];

    /** The generator that holds what is noted. A static variable cannot be set from outside. */
    private static function notes(): \Generator
    {
        static $notes = null;
        return $notes ??= self::keep();
    }

    /** Tells the generator something while nothing can interrupt it: a collector would run destructors of the program. */
    private static function tell(mixed $given): mixed
    {
        $collects = gc_enabled();
        if ($collects) {
            gc_disable();
        }
        $said = self::notes()->send($given);
        if ($collects) {
            gc_enable();
        }
        return $said;
    }

    /** Begins before the program does. */
    public static function start(): void
    {
        foreach (self::REFUSED as $name) {
            eval("function $name() { Codereason\\Witness::refuse('$name'); }");
        }
        stream_wrapper_register('codereason', Source::class);
        self::notes()->current();
    }

    /** What is included first. */
    public static function begin(string $program): string
    {
        return self::tell(['begin', realpath($program), '', false]);
    }

    /** The body of a function begins. */
    public static function enter(int $secret): bool
    {
        self::tell($secret);
        return false;
    }

    /** The body of a generator goes on. */
    public static function again(int $secret, mixed $value): mixed
    {
        self::tell($secret);
        return $value;
    }

    /** A line is about to run. Whether its variables are to be looked at. */
    public static function line(int $secret, int $frame = 0): bool
    {
        return self::tell($frame ? [$secret, $frame] : $secret) === true;
    }

    /** A function begins. The number of this call of it. */
    public static function frame(int $secret): int
    {
        return (int) self::tell($secret);
    }

    /** @param array<string, mixed> $variables those of the function whose line is about to run */
    public static function look(int $secret, array $variables): bool
    {
        self::tell([$secret, $variables]);
        return false;
    }

    /** An exception leaves a function. */
    public static function raise(int $secret, int $frame, \Throwable $thrown): void
    {
        self::tell([$secret, $frame, \spl_object_id($thrown)]);
    }

    /** What is included instead of a file, so that its text has calls of the witness. */
    public static function load(int $secret, string $name, string $folder, bool $once): string
    {
        return self::tell([$secret, $name, $folder, $once]) ?? $name;
    }

    /** A text that is evaluated: it must not load others. */
    public static function text(string $text): string
    {
        if (preg_match(self::LOADS, $text)) {
            self::tell(['broken', 'the program evaluates a text that loads another']);
        }
        return $text;
    }

    /** Says that a program is not traced. */
    public static function refuse(string $name): never
    {
        self::tell(['broken', "the program uses $name"]);
        throw new \Error("$name() cannot be used under trace");
    }

    /** Hands a text to what PHP reads it from. */
    public static function serve(Source $source): void
    {
        self::tell($source);
    }

    /** Writes the line with what came of the program. */
    public static function finish(string $line, ?\Throwable $thrown): void
    {
        self::tell(['finish', $line, $thrown]);
    }

    /** Holds what is noted. It takes no arguments: those could be seen. */
    private static function keep(): \Generator
    {
        $result = fopen('php://fd/' . \getenv('CODEREASON_RESULT'), 'w');
        $seal = self::take('seal');
        $known = json_decode(self::take('trace'), true);
        $kinds = $known['marks']['kind'];
        $secrets = $texts = $numbers = $served = [];
        foreach ($kinds as $number => $kind) {
            do {
                $secrets[$number] = random_int(1, \PHP_INT_MAX);
            } while (isset($numbers[$secrets[$number]]));
            $numbers[$secrets[$number]] = $number;
        }
        $digests = [];
        foreach ($known['files'] as $file) {
            $text = $file['pieces'][0];
            foreach ($file['marks'] as $i => $mark) {
                $text .= $secrets[$mark] . $file['pieces'][$i + 1];
            }
            $name = realpath(__DIR__ . '/' . $file['path']);
            $texts[$name] = $text;
            $digests[$name] = md5_file($name);
        }
        $own = \array_flip(\array_keys($texts));
        $complaint = $known['complaint'];
        $ledger = Ledger::open($known, $own, __DIR__ . '/call.php');
        $broken = $complaint;
        $waiting = null; // what is to be read next: its name and its text
        unset($secrets, $text, $file, $known, $mark, $name);
        $said = null;
        while (true) {
            $given = yield $said;
            $said = null;
            $secret = is_array($given) ? $given[0] : $given;
            $number = is_int($secret) ? $numbers[$secret] ?? -1 : -1;
            if ($number >= 0 && $kinds[$number] !== 'load') {
                $said = Ledger::note($ledger, $number, $given);
                $broken = $broken ?: $ledger['broken'];
                $given = $secret = null; // else the program's objects would live on, and end in here
                continue;
            }
            if ($number >= 0 || ($secret === 'begin' && !$served)) {
                set_error_handler([self::class, 'hush']); // no handler of the program runs here
                $name = self::find($given[1], $given[2]);
                if ($name === false) {
                    $broken = $broken ?: 'the program loads code from a stream';
                }
                // PHP itself says what it says of a file that is not there, or that is there already.
                $loaded = in_array($name, get_included_files(), true);
                if (!$name || ($given[3] && $loaded && isset($served[$name]))) {
                    $said = $name ?: null;
                } elseif (isset($texts[$name])) {
                    if ($loaded && !isset($served[$name])) {
                        $broken = $broken ?: 'the program loads a file past the tracer';
                    } elseif (md5_file($name) !== $digests[$name]) {
                        $broken = $broken ?: 'the program changes its own files';
                    }
                    $served[$name] = true;
                    $waiting = [$name, $texts[$name]];
                    $said = self::SCHEME . $name;
                    Ledger::begin($ledger, $name);
                } else {
                    $text = (string) file_get_contents($name);
                    if (preg_match(self::LOADS, $text)) {
                        $broken = $broken ?: 'the program loads a text that loads another';
                    }
                    $ledger['foreign'] = true;
                    $waiting = [$name, $text];
                    $said = self::SCHEME . $name;
                }
                restore_error_handler();
            } elseif ($secret instanceof Source) {
                // PHP itself must ask, for an include: no function can have this name.
                $trace = debug_backtrace(\DEBUG_BACKTRACE_IGNORE_ARGS, 6);
                $around = $trace[5] ?? [];
                if ($waiting !== null && in_array($around['function'] ?? '', self::INCLUDES, true) && !isset($around['class'])) {
                    $secret->take($waiting[0], $waiting[1]);
                }
                $waiting = $given = $secret = null; // else the program's objects would get other numbers
            } elseif ($secret === 'finish') {
                // Only the harness may end a program: behind it, or at exit after an error.
                $trace = debug_backtrace(\DEBUG_BACKTRACE_IGNORE_ARGS);
                $first = $trace[count($trace) - 1];
                $ends = ($first['class'] ?? '') === Harness::class
                    && ($first['function'] === 'ended' || (in_array($first['function'], ['succeed', 'fail'], true) && $first['file'] === __FILE__));
                $broken = $broken ?: ($ends ? '' : 'the program interferes with its trace');
                foreach (get_included_files() as $name) {
                    $broken = $broken ?: (isset($own[$name]) && !isset($served[$name]) ? 'the program loads a file past the tracer' : '');
                }
                $line = $given[1];
                if ($broken !== $complaint || !str_starts_with($line, '{"rejected"')) { // PHP knows better what is no program
                    $line = $broken
                        ? '{"tampered":' . \json_encode($broken) . '}'
                        : substr($line, 0, -1) . ',"trace":' . Ledger::encode($ledger, $given[2]) . '}';
                }
                fwrite($result, "$seal$line\n");
                fclose($result);
                return;
            } else {
                $broken = $broken ?: ($secret === 'broken' ? $given[1] : 'the program interferes with its trace');
            }
        }
    }

    /** Keeps silent about errors. */
    public static function hush(): bool
    {
        return true;
    }

    /** The text of a file that the program never sees. */
    private static function take(string $name): string
    {
        $text = file_get_contents(__DIR__ . "/$name");
        unlink(__DIR__ . "/$name");
        return $text;
    }

    /** The file that an include would find from a folder; null if there is none, false if it may run code to tell. */
    private static function find(string $name, string $folder): string|null|false
    {
        $places = [''];
        if (!str_starts_with($name, '/')) {
            $relative = preg_match('#^\.\.?/#', $name);
            $places = $relative ? [getcwd() . '/'] : [];
            foreach ($relative ? [] : [...\explode(\PATH_SEPARATOR, get_include_path()), $folder] as $place) {
                $places[] = "$place/";
            }
        }
        if (str_contains($name . \implode($places), ':')) {
            return false;
        }
        foreach ($places as $place) {
            if ($name !== '' && !str_contains($name, "\0") && file_exists($place . $name) && !is_dir($place . $name)) {
                return realpath($place . $name) ?: $place . $name;
            }
        }
        return null;
    }
}

/** What PHP reads a file of the program from. */
final class Source
{
    /** @var resource|null */
    public $context;
    private string $name = '';
    private string $text = '';
    private int $at = 0;

    public function take(string $name, string $text): void
    {
        [$this->name, $this->text] = [$name, $text];
    }

    public function stream_open(string $path, string $mode, int $options, ?string &$opened): bool
    {
        Witness::serve($this);
        $opened = $this->name;
        return $this->name !== '';
    }

    public function stream_read(int $length): string
    {
        $piece = substr($this->text, $this->at, $length);
        $this->at += strlen($piece);
        if ($this->stream_eof()) { // what has been read is in nobody's reach
            [$this->text, $this->at] = ['', 0];
        }
        return $piece;
    }

    public function stream_eof(): bool
    {
        return $this->at >= strlen($this->text);
    }

    /** @return array<never> */
    public function stream_stat(): array
    {
        return [];
    }

    public function stream_set_option(int $option, int $first, ?int $second): bool
    {
        return false;
    }
}
