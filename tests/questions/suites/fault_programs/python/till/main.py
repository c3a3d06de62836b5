def add_up(prices):
    total = 0
    for index in range(len(prices)):
        total = total + prices[index]
    return total


def reduce(total, member=False):
    if total >= 100 and member:
        return total - total // 10
    return total


def list_cheap(prices, limit):
    # A price at the limit is cheap.
    cheap = []
    for price in prices:
        if price <= limit:
            cheap.append(price)
    return cheap


baskets = [[40, 60], [10, 20, 30], [99]]
for basket in baskets:
    print(reduce(add_up(basket), True), reduce(add_up(basket)), list_cheap(basket, 30))
