<?php

declare(strict_types=1);

/** Chooses the form of a sentence by a number, in several languages. */
final class Translator
{
    /** @var array<string, Closure(int): int> the number of the form for a count */
    private array $rules;

    /** @var array<string, array<string, string>> */
    private array $catalogue = [];

    public function __construct(private readonly string $language, private readonly string $fallback = 'en')
    {
        $two = fn (int $n): int => $n === 1 ? 0 : 1;
        $this->rules = [
            'en' => $two,
            'de' => $two,
            'fr' => fn (int $n): int => $n < 2 ? 0 : 1,
            'ja' => fn (int $n): int => 0,
            'pl' => self::slavic(fn (int $n): bool => $n === 1),
            'ru' => self::slavic(fn (int $n): bool => $n % 10 === 1 && $n % 100 !== 11),
        ];
    }

    /** Three forms: for one, for a few (2 to 4, but not 12 to 14), for many. */
    private static function slavic(Closure $isOne): Closure
    {
        return function (int $n) use ($isOne): int {
            if ($isOne($n)) {
                return 0;
            }
            $few = $n % 10 >= 2 && $n % 10 <= 4 && ($n % 100 < 12 || $n % 100 > 14);
            return $few ? 1 : 2;
        };
    }

    public function load(string $language, array $messages): self
    {
        $this->catalogue[$language] = $messages + ($this->catalogue[$language] ?? []);
        return $this;
    }

    public function has(string $key): bool
    {
        return isset($this->catalogue[$this->language][$key]);
    }

    public function say(string $key, array $values = []): string
    {
        foreach (array_unique([$this->language, $this->parent(), $this->fallback]) as $language) {
            $message = $this->catalogue[$language][$key] ?? null;
            if ($message !== null) {
                return $this->fill($this->form($message, $language, $values['count'] ?? null), $values);
            }
        }
        return "[$key]";
    }

    private function parent(): string
    {
        return strstr($this->language, '-', true) ?: $this->language;
    }

    /** "{0}none|one|many": a form for an exact count goes before the rule. */
    private function form(string $message, string $language, ?int $count): string
    {
        $forms = explode('|', $message);
        if ($count === null || count($forms) === 1) {
            return $forms[0];
        }
        $plain = [];
        foreach ($forms as $form) {
            if (preg_match('/^\{(\d+)\}(.*)$/', $form, $exact)) {
                if ((int) $exact[1] === $count) {
                    return $exact[2];
                }
            } else {
                $plain[] = $form;
            }
        }
        $rule = $this->rules[strtok($language, '-')] ?? fn (): int => 0;
        return $plain[min($rule(abs($count)), count($plain) - 1)];
    }

    private function fill(string $form, array $values): string
    {
        $names = array_map(fn (string $name): string => ":$name", array_keys($values));
        $texts = array_map(fn ($value): string => is_int($value) ? $this->number($value) : $value, $values);
        return strtr($form, array_combine($names, array_values($texts)));
    }

    private function number(int $value): string
    {
        $separator = match ($this->parent()) {
            'en', 'ja' => ',',
            'de' => '.',
            default => ' ',
        };
        return number_format($value, 0, '', $separator);
    }
}

$messages = [
    'en' => ['files' => '{0}no files|:count file|:count files', 'hello' => 'Hello :name'],
    'fr' => ['files' => ':count fichier|:count fichiers'],
    'pl' => ['files' => ':count plik|:count pliki|:count plików'],
    'ru' => ['files' => ':count file-odin|:count file-malo|:count file-mnogo'],
    'de-AT' => ['hello' => 'Servus :name'],
    'de' => ['files' => ':count Datei|:count Dateien', 'hello' => 'Hallo :name', 'bye' => 'Tschau'],
];
foreach (['en', 'fr', 'pl', 'ru', 'de-AT'] as $language) {
    $translator = new Translator($language);
    foreach ($messages as $code => $texts) {
        $translator->load($code, $texts);
    }
    $said = array_map(fn (int $n) => $translator->say('files', ['count' => $n]), [0, 1, 2, 12, 21, 1024]);
    echo "$language: ", implode(', ', $said), '; ', $translator->say('hello', ['name' => 'Zoe']), "\n";
}
echo $translator->say('bye'), ' ', $translator->say('thanks'), "\n";
