<?php

declare(strict_types=1);

namespace Web;

final class HttpError extends \RuntimeException
{
    public function __construct(public readonly int $status, string $detail)
    {
        parent::__construct($detail);
    }

    public function line(): string
    {
        $name = match (true) {
            $this->status === 404 => 'Not Found',
            $this->status === 405 => 'Method Not Allowed',
            $this->status >= 500 => 'Server Error',
            default => 'Error',
        };
        return "{$this->status} $name: {$this->getMessage()}";
    }
}
