<?php

declare(strict_types=1);

require __DIR__ . '/Model.php';

/**
 * @property string $name
 * @property string $email
 */
class Customer extends Model
{
    protected static array $fields = ['name', 'email'];

    public function orders(): array
    {
        return Order::where('customer', $this->id);
    }

    protected function setEmail(string $email): string
    {
        if (!str_contains($email, '@')) {
            throw new InvalidArgumentException("no address: $email");
        }
        return strtolower($email);
    }
}

class Order extends Model
{
    protected static array $fields = ['customer', 'cents', 'state'];

    protected static function defaults(): array
    {
        return ['state' => 'new'] + parent::defaults();
    }

    protected function getTotal(): string
    {
        return number_format($this->cents / 100, 2);
    }

    protected function beforeDelete(): bool
    {
        return $this->state !== 'paid';
    }
}

$ada = Customer::create(['name' => 'Ada', 'email' => 'Ada@Example.ORG']);
$bob = Customer::create(['name' => 'Bob']);
$first = Order::create(['customer' => $ada->id, 'cents' => 1999]);
$second = Order::create(['customer' => $ada->id, 'cents' => 500, 'state' => 'paid']);
echo $ada, "\n", $bob, "\n";
$first->cents += 1;
echo $first->total, ' changed: ', implode(',', array_keys($first->changes())), "\n";
echo Order::find(1)->total, "\n";
$first->save();
echo Order::find(1)->total, ' ', count($ada->orders()), " orders\n";
echo $second->delete() ? 'deleted' : 'kept', ' ', $first->delete() ? 'deleted' : 'kept', "\n";
echo Order::count(), " left\n";
foreach ([fn () => $bob->phone, fn () => $bob->email = 'bob', fn () => $bob->id = 7] as $attempt) {
    try {
        $attempt();
    } catch (LogicException $refused) {
        echo $refused->getMessage(), "\n";
    }
}
