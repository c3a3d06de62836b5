<?php

declare(strict_types=1);

namespace Web;

final class Router
{
    /** @var array<string, array<string, callable>> handlers by pattern and method */
    private array $routes = [];
    private string $prefix = '';

    public function get(string $path, callable $handler): void
    {
        $this->add('GET', $path, $handler);
    }

    public function add(string $method, string $path, callable $handler): void
    {
        $pattern = $this->compile($this->prefix . $path);
        if (isset($this->routes[$pattern][$method])) {
            throw new \LogicException("two routes for $method {$this->prefix}$path");
        }
        $this->routes[$pattern][$method] = $handler;
    }

    public function group(string $prefix, callable $define): void
    {
        $outer = $this->prefix;
        $this->prefix .= $prefix;
        $define($this);
        $this->prefix = $outer;
    }

    public function handle(string $method, string $path): string
    {
        try {
            return $this->dispatch($method, $path);
        } catch (HttpError $error) {
            return $error->line();
        }
    }

    private function dispatch(string $method, string $path): string
    {
        $path = $path === '/' ? $path : rtrim($path, '/');
        foreach ($this->routes as $pattern => $handlers) {
            if (preg_match($pattern, $path, $found)) {
                $handler = $handlers[$method]
                    ?? throw new HttpError(405, 'use ' . implode(' or ', array_keys($handlers)));
                return $handler(...$this->arguments($found));
            }
        }
        throw new HttpError(404, $path);
    }

    /** @return list<string> the methods that a path can be asked with */
    public function methods(string $path): array
    {
        foreach ($this->routes as $pattern => $handlers) {
            if (preg_match($pattern, $path)) {
                return array_keys($handlers);
            }
        }
        return [];
    }

    private function compile(string $path): string
    {
        $regex = preg_replace_callback(
            '/\\\\\{(\w+)(?:\\\\:(int))?\\\\\}/',
            fn (array $part) => isset($part[2]) ? "(?<$part[1]_int>\\d+)" : "(?<$part[1]>[^/]+)",
            preg_quote($path, '~'),
        );
        return "~^$regex$~";
    }

    /** @return array<string, int|string> */
    private function arguments(array $found): array
    {
        $arguments = [];
        foreach ($found as $name => $value) {
            if (is_int($name)) {
                continue;
            }
            if (str_ends_with($name, '_int')) {
                $arguments[substr($name, 0, -4)] = (int) $value;
            } else {
                $arguments[$name] = $value;
            }
        }
        return $arguments;
    }
}
