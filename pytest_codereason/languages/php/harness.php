<?php
// Runs program.php, then call.php in its scope, and writes what came of it as one line of JSON. The file "entry" has the
// path of another program than program.php. The program is included at the top, where it is a script like any other;
// what stands in the class is out of its reach but for reflection. Under trace, the witness stands behind all this.

namespace Codereason;

// By name: else a program's functions in this namespace would stand before the built-in ones.
use function array_is_list, bin2hex, chdir, class_exists, dirname, dl, error_get_last, extension_loaded, fclose, file_get_contents,
    fopen, fwrite, get_debug_type, getenv, ini_get, is_array, is_bool, is_file, is_float, is_int, is_string, json_encode,
    pack, preg_match, putenv, register_shutdown_function, str_replace, str_starts_with, substr, unlink;

/** Thrown where a value has no literal in the language. */
final class NotALiteral extends \Exception
{
}

final class Harness
{
    private const MAX_DEPTH = 100;
    private const MAX_MESSAGE = 10_000;
    private const FATAL = E_ERROR | E_CORE_ERROR | E_COMPILE_ERROR | E_PARSE | E_USER_ERROR | E_RECOVERABLE_ERROR;
    private const EXTENSIONS = ['ctype', 'iconv', 'mbstring'];
    public const CALLED = __DIR__ . '/call.php';

    private const FOLDER = __DIR__ . '/program/';

    /** @var resource|true|null where the line goes, until it has gone; true if the witness knows */
    private static $result;

    private static bool $traced = false;

    /** What stands before the line, which the program cannot know. */
    private static string $seal = '';

    public static function open(): void
    {
        self::$traced = class_exists(Witness::class, false);
        if (self::$traced) { // the witness alone has the seal, and writes the line
            Witness::start();
            self::$result = true;
            register_shutdown_function([self::class, 'ended']); // no closure: the witness holds one object already
        } else {
            self::$result = fopen('php://fd/' . getenv('CODEREASON_RESULT'), 'w');
            if (is_file(__DIR__ . '/seal')) {
                self::$seal = file_get_contents(__DIR__ . '/seal');
                unlink(__DIR__ . '/seal');
            }
            register_shutdown_function(self::ended(...));
        }
        putenv('CODEREASON_RESULT');
        unset($_SERVER['CODEREASON_RESULT'], $_ENV['CODEREASON_RESULT']);
        self::extend();
    }

    /** What programs take for granted is built in, or lies beside the interpreter, or is not installed. */
    private static function extend(): void
    {
        foreach (self::EXTENSIONS as $name) {
            if (!extension_loaded($name) && is_file(ini_get('extension_dir') . "/$name.so")) {
                dl($name);
            }
        }
    }

    /** The path of the program. Relative paths in a program with a name of its own count from its folder. */
    public static function program(): string
    {
        $path = __DIR__ . '/program.php';
        if (is_file(__DIR__ . '/entry')) {
            $path = __DIR__ . '/' . file_get_contents(__DIR__ . '/entry');
            chdir(dirname($path));
        }
        $GLOBALS['argv'][0] = $_SERVER['argv'][0] = $path;
        foreach (['PHP_SELF', 'SCRIPT_NAME', 'SCRIPT_FILENAME', 'PATH_TRANSLATED'] as $name) {
            $_SERVER[$name] = $path;
        }
        return self::$traced ? Witness::begin($path) : $path;
    }

    /** Whether a file is one of the program's, or the call. */
    private static function compiled(string $file): bool
    {
        return $file === __DIR__ . '/program.php' || $file === self::CALLED || str_starts_with($file, self::FOLDER);
    }

    public static function succeed(mixed $value): never
    {
        $last = error_get_last();
        if ($last !== null && preg_match('/errno=2[78] /', $last['message'])) {
            // Too large a file, or no room for one, is no exception here: the program never noticed.
            self::finish(['error' => '"Error"', 'message' => self::said($last['message']), 'limit' => '"file"']);
        }
        self::finish(['value' => self::encoded($value, 0)]);
    }

    public static function fail(\Throwable $thrown): never
    {
        $message = $thrown->getMessage();
        if ($thrown instanceof \CompileError && self::compiled($thrown->getFile())) {
            self::reject($thrown->getFile(), $thrown->getLine(), $message);
        }
        $error = $thrown instanceof NotALiteral ? 'NotALiteral' : $thrown::class;
        self::finish(['error' => self::said($error), 'message' => self::said($message)], $thrown);
    }

    /** Runs last of all: after an error that nothing can catch, the line is still to be written. */
    private static function ended(): void
    {
        $last = error_get_last();
        if (self::$result === null || $last === null || !($last['type'] & self::FATAL)) {
            return;
        }
        if ($last['type'] & (E_COMPILE_ERROR | E_PARSE) && self::compiled($last['file'])) {
            self::reject($last['file'], $last['line'], $last['message']);
        }
        $memory = preg_match('/^(Allowed memory size|Out of memory)/', $last['message']) ? ['limit' => '"memory"'] : [];
        self::finish(['error' => '"Error"', 'message' => self::said($last['message'])] + $memory);
    }

    private static function reject(string $file, int $line, string $message): never
    {
        $name = str_starts_with($file, self::FOLDER) ? substr($file, \strlen(self::FOLDER)) . ' ' : '';
        $where = $file === self::CALLED ? 'in the call' : "{$name}line $line";
        self::finish(['rejected' => self::said("$where: $message")]);
    }

    /** A message is for people: without the folder of the job, in UTF-8, and not endless. */
    private static function said(string $message): string
    {
        $plain = substr(str_replace(__DIR__ . '/', '', $message), 0, self::MAX_MESSAGE);
        return json_encode($plain, JSON_INVALID_UTF8_SUBSTITUTE);
    }

    /** @param array<string, string> $fields JSON by name */
    private static function finish(array $fields, ?\Throwable $thrown = null): never
    {
        $line = '';
        foreach ($fields as $name => $json) {
            $line .= ($line === '' ? '{' : ',') . "\"$name\":$json";
        }
        [$result, self::$result] = [self::$result, null];
        if ($result === true) {
            Witness::finish("$line}", $thrown);
        } elseif ($result !== null) {
            fwrite($result, self::$seal . "$line}\n");
            fclose($result);
        }
        exit(0);
    }

    /** Integers, booleans, null, lists and text are themselves; the rest is an object that names its kind. */
    public static function encoded(mixed $value, int $depth): string
    {
        return match (true) {
            $value === null => 'null',
            is_bool($value) => $value ? 'true' : 'false',
            is_int($value) => (string) $value,
            is_float($value) => '{"float":"' . bin2hex(pack('E', $value)) . '"}',
            is_string($value) => self::text($value),
            is_array($value) => self::array($value, $depth),
            default => throw new NotALiteral(get_debug_type($value) . ' has no literal'),
        };
    }

    /** @param array<mixed> $value */
    private static function array(array $value, int $depth): string
    {
        if ($depth >= self::MAX_DEPTH) {
            throw new NotALiteral('nested more than ' . self::MAX_DEPTH . ' levels deep, or holds itself');
        }
        $list = array_is_list($value);
        $inside = '';
        foreach ($value as $key => $item) {
            $json = self::encoded($item, $depth + 1);
            $inside .= ($inside === '' ? '' : ',') . ($list ? $json : '[' . self::encoded($key, 0) . ",$json]");
        }
        return $list ? "[$inside]" : "{\"array\":[$inside]}";
    }

    /** A string is bytes: those that are no UTF-8 travel in hexadecimal. */
    private static function text(string $bytes): string
    {
        $json = json_encode($bytes);
        return $json === false ? '{"bytes":"' . bin2hex($bytes) . '"}' : $json;
    }
}

Harness::open();
try {
    include Harness::program();
    Harness::succeed(is_file(Harness::CALLED) ? include Harness::CALLED : null);
} catch (\Throwable $thrown) {
    Harness::fail($thrown);
}
