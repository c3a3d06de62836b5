"""Binary packets whose layout is declared in classes; a metaclass collects fields and numbers."""


class U8:
    size = 1

    def pack(self, value):
        if not 0 <= value < 256:
            raise ValueError(f"{value} does not fit a byte")
        return bytes([value])

    def unpack(self, data):
        return data[0], data[1:]


class U16(U8):
    """The high byte first."""

    size = 2

    def pack(self, value):
        high, low = divmod(value, 256)
        return super().pack(high) + super().pack(low)

    def unpack(self, data):
        high, data = super().unpack(data)
        low, data = super().unpack(data)
        return high * 256 + low, data


class Name:
    """Up to 255 bytes of UTF-8, after their number."""

    size = 1  # at least

    def pack(self, value):
        encoded = value.encode()
        return U8().pack(len(encoded)) + encoded

    def unpack(self, data):
        length, data = U8().unpack(data)
        if length > len(data):
            raise Truncated("a name is cut off")
        return data[:length].decode(), data[length:]


class ListOf:
    size = 1

    def __init__(self, item):
        self.item = item

    def pack(self, values):
        return U8().pack(len(values)) + b"".join(map(self.item.pack, values))

    def unpack(self, data):
        count, data = U8().unpack(data)
        values = []
        for _ in range(count):
            need(data, self.item.size)
            value, data = self.item.unpack(data)
            values.append(value)
        return values, data


class Truncated(ValueError):
    pass


def need(data, size):
    if len(data) < size:
        raise Truncated(f"{size} bytes wanted, {len(data)} left")


class PacketType(type):
    """Gives each packet class its number, and its fields including those of its bases."""

    kinds = {}

    def __new__(meta, name, bases, namespace, number=None):
        own = {key: value for key, value in namespace.items() if hasattr(value, "unpack")}
        for key in own:
            del namespace[key]
        cls = super().__new__(meta, name, bases, namespace)
        inherited = {}
        for base in reversed(bases):
            inherited |= getattr(base, "layout", {})
        cls.layout = inherited | own
        if number is not None:
            if number in meta.kinds:
                raise TypeError(f"{name} and {meta.kinds[number].__name__} are both number {number}")
            cls.number = number
            meta.kinds[number] = cls
        return cls

    def __call__(cls, *values, **named):
        """Makes a packet from values in the order of the layout, or by name."""
        if len(values) > len(cls.layout):
            raise TypeError(f"{cls.__name__}: {len(values)} values for {len(cls.layout)} fields")
        named = dict(zip(cls.layout, values)) | named
        if named.keys() != cls.layout.keys():
            wrong = sorted(named.keys() ^ cls.layout.keys())
            raise TypeError(f"{cls.__name__}: check {', '.join(wrong)}")
        packet = super().__call__()
        vars(packet).update(named)
        return packet

    def __len__(cls):
        return 1 + sum(kind.size for kind in cls.layout.values())


class Packet(metaclass=PacketType):
    def encode(self):
        parts = (kind.pack(getattr(self, name)) for name, kind in self.layout.items())
        return bytes([self.number]) + b"".join(parts)

    @staticmethod
    def decode(data):
        """The first packet of the data, and the data after it."""
        need(data, 1)
        number, data = U8().unpack(data)
        if number not in PacketType.kinds:
            raise ValueError(f"no packet has number {number}")
        cls, values = PacketType.kinds[number], []
        for kind in cls.layout.values():
            need(data, kind.size)
            value, data = kind.unpack(data)
            values.append(value)
        return cls(*values), data

    def __repr__(self):
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.layout)
        return f"{type(self).__name__}({values})"


class Addressed(Packet):
    sender = U8()
    target = U8()


class Hello(Packet, number=1):
    name = Name()
    version = U16()


class Move(Addressed, number=2):
    path = ListOf(U16())


class Chat(Addressed, number=3):
    text = Name()
    mentions = ListOf(Name())


def decode_all(data):
    while data:
        packet, data = Packet.decode(data)
        yield packet


def main():
    packets = Hello("Zoë", 515), Move(1, 2, path=[0, 65535]), Chat(1, 9, "hi", ["bo"])
    stream = b"".join(map(Packet.encode, packets))
    print(stream.hex(" "))
    for packet in decode_all(stream):
        print(packet)
    print(list(Chat.layout), Hello.number)
    for broken in (stream[:3], stream[:6], b"\x07"):
        try:
            print(list(decode_all(broken)))
        except ValueError as error:
            print(type(error).__name__, "-", error)
    try:
        Hello("x", speed=3)
    except TypeError as error:
        print(error)


if __name__ == "__main__":
    main()
