import java.util.ArrayList;
import java.util.List;

public class Main {
    static int addUp(int[] prices) {
        int total = 0;
        for (int index = 0; index < prices.length; index++) {
            total = total + prices[index];
        }
        return total;
    }

    static int reduce(int total, boolean member) {
        if (total >= 100 && member) {
            return total - total / 10;
        }
        return total;
    }

    static List<Integer> listCheap(int[] prices, int limit) {
        // A price at the limit is cheap.
        List<Integer> cheap = new ArrayList<>();
        for (int price : prices) {
            if (price <= limit) {
                cheap.add(price);
            }
        }
        return cheap;
    }

    public static void main(String[] arguments) {
        int[][] baskets = {{40, 60}, {10, 20, 30}, {99}};
        for (int[] basket : baskets) {
            System.out.println(reduce(addUp(basket), true) + " " + reduce(addUp(basket), false) + " "
                + listCheap(basket, 30));
        }
    }
}
