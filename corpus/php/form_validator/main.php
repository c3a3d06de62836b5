<?php

declare(strict_types=1);

/** Checks the fields of a form by rules such as "required|length:3,20". */
final class Validator
{
    /** @var array<string, Closure(mixed, string...): bool> */
    private array $tests;

    private const MESSAGES = [
        'required' => '%s is required',
        'length' => '%s has the wrong length',
        'whole' => '%s is not a whole number',
        'between' => '%s is out of range',
        'email' => '%s is no address',
        'same' => '%s differs from %s',
        'oneOf' => '%s is not offered',
    ];

    private array $values = [];

    public function __construct()
    {
        $this->tests = [
            'required' => fn ($value) => $value !== '',
            'length' => $this->hasLength(...),
            'whole' => fn ($value) => preg_match('/^-?\d+$/', $value) === 1,
            'between' => fn ($value, $low, $high) => $low <= (int) $value && (int) $value <= $high,
            'email' => self::isAddress(...),
            'same' => fn ($value, $other) => $value === ($this->values[$other] ?? ''),
            'oneOf' => fn ($value, ...$offers) => in_array($value, $offers, true),
        ];
    }

    public function extend(string $name, callable $test): static
    {
        $this->tests[$name] = $test(...);
        return $this;
    }

    /**
     * @param array<string, string> $rules
     * @return array<string, string> the first complaint about each field that has one
     */
    public function validate(array $values, array $rules): array
    {
        $this->values = array_map('trim', $values);
        $complaints = [];
        foreach ($rules as $field => $line) {
            $complaint = $this->check($field, explode('|', $line));
            if ($complaint !== null) {
                $complaints[$field] = $complaint;
            }
        }
        return $complaints;
    }

    private function check(string $field, array $rules): ?string
    {
        $value = $this->values[$field] ?? '';
        if ($value === '' && !in_array('required', $rules, true)) {
            return null;
        }
        foreach ($rules as $rule) {
            [$name, $list] = explode(':', $rule) + [1 => ''];
            $arguments = $list === '' ? [] : explode(',', $list);
            $test = $this->tests[$name] ?? throw new InvalidArgumentException("no rule $name");
            if (!$test($value, ...$arguments)) {
                return vsprintf(self::MESSAGES[$name] ?? '%s is wrong', [$field, ...$arguments]);
            }
        }
        return null;
    }

    private function hasLength(string $value, string $least, string $most = '255'): bool
    {
        $length = strlen($value);
        return $length >= (int) $least && $length <= (int) $most;
    }

    private static function isAddress(string $value): bool
    {
        [$name, $host] = explode('@', $value) + ['', ''];
        return substr_count($value, '@') === 1 && $name !== '' && str_contains(trim($host, '.'), '.');
    }
}

$rules = [
    'name' => 'required|length:3,20',
    'email' => 'required|email',
    'age' => 'whole|between:16,99',
    'size' => 'oneOf:S,M,L',
    'password' => 'required|length:8',
    'repeated' => 'same:password',
];
$validator = new Validator();
$forms = [
    ['name' => 'Ada ', 'email' => 'ada@mail.org', 'age' => '16', 'password' => 'longenough',
        'repeated' => 'longenough'],
    ['name' => 'Al', 'email' => 'al@host', 'age' => '100', 'size' => 'XL', 'password' => 'short',
        'repeated' => 'shorter'],
    ['name' => '   ', 'email' => 'x@y@z.de', 'age' => 'ten'],
];
foreach ($forms as $number => $form) {
    $complaints = $validator->validate($form, $rules);
    echo $number + 1, ': ', $complaints === [] ? 'fine' : implode('; ', $complaints), "\n";
}
