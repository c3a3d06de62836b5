function addUp(prices: number[]): number {
  let total = 0;
  for (let index = 0; index < prices.length; index++) {
    total = total + prices[index];
  }
  return total;
}

function reduce(total: number, member: boolean = false): number {
  if (total >= 100 && member) {
    return total - Math.floor(total / 10);
  }
  return total;
}

function listCheap(prices: number[], limit: number): number[] {
  // A price at the limit is cheap.
  const cheap: number[] = [];
  for (const price of prices) {
    if (price <= limit) {
      cheap.push(price);
    }
  }
  return cheap;
}

const baskets = [[40, 60], [10, 20, 30], [99]];
for (const basket of baskets) {
  console.log(reduce(addUp(basket), true), reduce(addUp(basket)), listCheap(basket, 30).join(","));
}
