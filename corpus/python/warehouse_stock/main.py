"""Stock of a small warehouse, with reservations for orders that are not shipped yet."""

from dataclasses import dataclass, field


class StockError(Exception):
    """The warehouse cannot do what was asked."""


class UnknownItem(StockError):
    pass


class NotEnough(StockError):
    def __init__(self, sku, wanted, available):
        super().__init__(f"{sku}: wanted {wanted}, available {available}")
        self.missing = wanted - available


@dataclass
class Item:
    sku: str
    on_hand: int
    reorder_level: int
    reserved: dict[str, int] = field(default_factory=dict)

    @property
    def available(self):
        return self.on_hand - sum(self.reserved.values())

    @property
    def is_low(self):
        return self.available < self.reorder_level


class Warehouse:
    def __init__(self):
        self._items = {}

    def receive(self, sku, quantity, reorder_level=0):
        if quantity <= 0:
            raise ValueError("a delivery holds at least one piece")
        item = self._items.setdefault(sku, Item(sku, 0, reorder_level))
        item.on_hand += quantity
        return item

    def find(self, sku):
        try:
            return self._items[sku]
        except KeyError:
            raise UnknownItem(sku) from None

    def reserve(self, order, lines):
        """Reserves all lines of an order, or none of them."""
        if any(quantity <= 0 for _, quantity in lines):
            raise ValueError("a line asks for at least one piece")
        done = []
        try:
            for sku, quantity in lines:
                item = self.find(sku)
                if quantity > item.available:
                    raise NotEnough(sku, quantity, item.available)
                item.reserved[order] = item.reserved.get(order, 0) + quantity
                done.append((item, quantity))
        except StockError:
            for item, quantity in done:
                self._give_back(item, order, quantity)
            raise

    def ship(self, order):
        shipped = 0
        for item in self._items.values():
            quantity = item.reserved.pop(order, 0)
            item.on_hand -= quantity
            shipped += quantity
        return shipped

    def cancel(self, order):
        for item in self._items.values():
            self._give_back(item, order, item.reserved.get(order, 0))

    def low_items(self):
        return sorted(item.sku for item in self._items.values() if item.is_low)

    @staticmethod
    def _give_back(item, order, quantity):
        left = item.reserved.get(order, 0) - quantity
        if left > 0:
            item.reserved[order] = left
        else:
            item.reserved.pop(order, None)


def try_order(warehouse, order, lines):
    try:
        warehouse.reserve(order, lines)
    except NotEnough as problem:
        return f"{order}: short by {problem.missing} ({problem})"
    except UnknownItem as problem:
        return f"{order}: nobody sells {problem}"
    return f"{order}: reserved"


def main():
    warehouse = Warehouse()
    warehouse.receive("bolt", 100, reorder_level=30)
    warehouse.receive("nut", 30, reorder_level=10)
    warehouse.receive("bolt", 20)
    print(try_order(warehouse, "A1", [("bolt", 70), ("nut", 5)]))
    print(try_order(warehouse, "A2", [("bolt", 10), ("nut", 26)]))
    print(try_order(warehouse, "A3", [("bolt", 5), ("washer", 1)]))
    print(try_order(warehouse, "A4", [("nut", 15), ("bolt", 20), ("nut", 10)]))
    for sku in ("bolt", "nut"):
        print(sku, warehouse.find(sku).available, warehouse.find(sku).reserved)
    print("low:", warehouse.low_items())
    print("shipped", warehouse.ship("A1"), "pieces")
    print("bolt on hand:", warehouse.find("bolt").on_hand)


if __name__ == "__main__":
    main()
