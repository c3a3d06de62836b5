<?php
// Compiles one program after the other and runs none. A program comes behind a line with its length; what is said
// against it goes back the same way. Each is compiled by a child, because a process cannot forget what it has declared.

final class Source
{
    public static string $text = '';
    public $context;
    private int $at = 0;

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_read(int $count): string
    {
        $read = substr(self::$text, $this->at, $count);
        $this->at += strlen($read);
        return $read;
    }

    public function stream_eof(): bool
    {
        return $this->at >= strlen(self::$text);
    }

    public function stream_stat(): array
    {
        return ['size' => strlen(self::$text)];
    }

    public function stream_set_option(): bool
    {
        return false;
    }
}

function verdict(): string
{
    ob_start();
    try {
        $accepted = opcache_compile_file('source://program');
        $said = ob_get_clean();
        return $accepted ? 'accepted' : $said;
    } catch (Error $error) {
        ob_end_clean();
        return "Parse error: {$error->getMessage()} in source://program on line {$error->getLine()}";
    }
}

if (!function_exists('opcache_compile_file') || !function_exists('pcntl_fork') || opcache_get_status() === false) {
    exit(1);
}
stream_wrapper_register('source', 'Source');
echo "ready\n";
while (($line = fgets(STDIN)) !== false) {
    Source::$text = (int) $line ? stream_get_contents(STDIN, (int) $line) : '';
    [$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $child = pcntl_fork();
    if ($child === 0) {
        pcntl_alarm(30);
        fwrite($there, verdict());
        fclose($there);
        exit;
    }
    fclose($there);
    $said = stream_get_contents($here);
    pcntl_waitpid($child, $status);
    echo strlen($said), "\n", $said;
}
