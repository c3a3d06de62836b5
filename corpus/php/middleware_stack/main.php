<?php

declare(strict_types=1);

final class Request
{
    /** @param array<string, string> $headers */
    public function __construct(
        public readonly string $path,
        public readonly array $headers = [],
        public readonly array $attributes = [],
    ) {
    }

    public function with(string $name, mixed $value): self
    {
        return new self($this->path, $this->headers, [$name => $value] + $this->attributes);
    }
}

final class Response
{
    public array $headers = [];

    public function __construct(public readonly int $status, public string $body)
    {
    }

    public function __toString(): string
    {
        ksort($this->headers);
        $text = "$this->status $this->body";
        foreach ($this->headers as $name => $value) {
            $text .= " [$name: $value]";
        }
        return $text;
    }
}

/** One layer around the application. */
interface Middleware
{
    /** @param callable(Request): Response $next */
    public function process(Request $request, callable $next): Response;
}

final class CatchErrors implements Middleware
{
    public function process(Request $request, callable $next): Response
    {
        try {
            return $next($request);
        } catch (DomainException $error) {
            return new Response(400, $error->getMessage());
        } catch (Exception) {
            return new Response(500, 'sorry');
        }
    }
}

final class Authenticate implements Middleware
{
    public function __construct(private readonly array $tokens, private readonly string $guarded)
    {
    }

    public function process(Request $request, callable $next): Response
    {
        $user = $this->tokens[$request->headers['token'] ?? ''] ?? null;
        if ($user === null && str_starts_with($request->path, $this->guarded)) {
            return new Response(401, 'who are you?');
        }
        return $next($user === null ? $request : $request->with('user', $user));
    }
}

final class Cache implements Middleware
{
    private array $known = [];

    public function process(Request $request, callable $next): Response
    {
        if (isset($request->attributes['user'])) {
            return $next($request);
        }
        $hit = isset($this->known[$request->path]);
        $response = $this->known[$request->path] ?? $next($request);
        if ($response->status < 300) {
            $this->known[$request->path] = clone $response;
        }
        $response = clone $response;
        $response->headers['cache'] = $hit ? 'hit' : 'miss';
        return $response;
    }

    public function forget(): void
    {
        $this->known = [];
    }
}

/** Puts the layers around the application, the first one outermost. */
function stack(callable $application, Middleware ...$layers): callable
{
    return array_reduce(
        array_reverse($layers),
        fn (callable $next, Middleware $layer) => fn (Request $request) => $layer->process($request, $next),
        $application,
    );
}

$calls = 0;
$application = function (Request $request) use (&$calls): Response {
    $calls++;
    return match ($request->path) {
        '/news' => new Response(200, "news $calls"),
        '/admin' => new Response(200, "hello {$request->attributes['user']}"),
        '/pay' => throw new DomainException('card refused'),
        '/broken' => throw new LogicException('a secret'),
        default => new Response(404, 'no such page'),
    };
};
$handle = stack($application, new CatchErrors(), new Authenticate(['t-1' => 'root'], '/admin'), new Cache());
foreach (['/news', '/news', '/admin', '/pay', '/broken', '/lost', '/lost'] as $path) {
    echo $path, ' ', $handle(new Request($path)), "\n";
}
echo '/admin ', $handle(new Request('/admin', ['token' => 't-1'])), "\n";
echo '/news ', $handle(new Request('/news', ['token' => 't-1'])), " after $calls calls\n";
