"""Records whose fields check what is put into them, by descriptors."""

MISSING = object()


class Invalid(ValueError):
    def __init__(self, field, reason):
        super().__init__(f"{field}: {reason}")
        self.field = field


class Field:
    """A descriptor that keeps its value in the instance, under a name of its own."""

    def __init__(self, default=MISSING):
        self.default = default

    def __set_name__(self, owner, name):
        self.name = name
        self.key = f"_{name}"

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = getattr(instance, self.key, self.default)
        if value is MISSING:
            raise AttributeError(f"{self.name} has no value yet")
        return value

    def __set__(self, instance, value):
        setattr(instance, self.key, self.check(value))
        instance.touched.append(self.name)

    def check(self, value):
        return value

    def fail(self, reason):
        raise Invalid(self.name, reason)


class Text(Field):
    def __init__(self, longest=20, **options):
        super().__init__(**options)
        self.longest = longest

    def check(self, value):
        if not isinstance(value, str):
            self.fail("is no text")
        value = " ".join(value.split())
        if not value:
            self.fail("is empty")
        if len(value) > self.longest:
            self.fail(f"is longer than {self.longest}")
        return value


class Number(Field):
    def __init__(self, low=None, high=None, **options):
        super().__init__(**options)
        self.low, self.high = low, high

    def check(self, value):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.fail("is no number")
        if self.low is not None and value < self.low:
            self.fail(f"is below {self.low}")
        if self.high is not None and value > self.high:
            self.fail(f"is above {self.high}")
        return value


class Choice(Field):
    def __init__(self, *choices):
        super().__init__(default=choices[0])
        self.choices = choices

    def check(self, value):
        if value not in self.choices:
            self.fail(f"is none of {', '.join(self.choices)}")
        return value


class Derived:
    """A read-only value that is computed once, until a field is set again."""

    def __init__(self, function):
        self.function = function
        self.name = function.__name__

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        stamp, value = instance.cache.get(self.name, (None, None))
        if stamp != len(instance.touched):
            value = self.function(instance)
            instance.cache[self.name] = len(instance.touched), value
        return value

    def __set__(self, instance, value):
        raise AttributeError(f"{self.name} follows from other fields")


class Record:
    def __init__(self, **values):
        self.touched, self.cache = [], {}
        problems = []
        for name, field in self.fields().items():
            if name in values:
                try:
                    setattr(self, name, values.pop(name))
                except Invalid as error:
                    problems.append(str(error))
            elif field.default is MISSING:
                problems.append(f"{name}: is missing")
        problems += [f"{name}: no such field" for name in values]
        if problems:
            raise Invalid(type(self).__name__, "; ".join(problems))

    @classmethod
    def fields(cls):
        found = {}
        for base in reversed(cls.__mro__):
            found |= {name: field for name, field in vars(base).items() if isinstance(field, Field)}
        return found


class Parcel(Record):
    sender = Text()
    weight = Number(low=0, high=30)
    speed = Choice("normal", "fast")

    @Derived
    def price(self):
        print("  (computing the price)")
        return round((4 + 0.5 * self.weight) * (2 if self.speed == "fast" else 1), 2)


class InsuredParcel(Parcel):
    value = Number(low=1, default=100)


def main():
    parcel = InsuredParcel(sender="  Ida   Holm ", weight=30)
    print(repr(parcel.sender), parcel.value, parcel.speed)
    print(parcel.price, parcel.price)
    parcel.speed = "fast"
    print(parcel.price)
    attempts = [("weight", 30.5), ("weight", True), ("speed", "slow"), ("sender", " "), ("price", 1)]
    for name, value in attempts:
        try:
            setattr(parcel, name, value)
        except (Invalid, AttributeError) as error:
            print(error)
    print(parcel.weight, parcel.touched)
    try:
        InsuredParcel(weight=-1, colour="red")
    except Invalid as error:
        print(error)
    print(list(InsuredParcel.fields()), Parcel.weight.high)


if __name__ == "__main__":
    main()
