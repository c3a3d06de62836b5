import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes orders against a small stock and reports what could be promised. */
public class Main {

    /** An order is refused as a whole when one of its lines cannot be served. */
    static class OutOfStock extends Exception {
        final String item;
        final int missing;

        OutOfStock(String item, int missing) {
            super(item + " is short by " + missing);
            this.item = item;
            this.missing = missing;
        }
    }

    record Line(String item, int quantity) {
        Line {
            if (quantity <= 0) {
                throw new IllegalArgumentException("quantity must be positive: " + quantity);
            }
            item = item.trim().toLowerCase();
        }
    }

    record Order(String customer, List<Line> lines) {}

    static class Warehouse {
        private final Map<String, Integer> onHand = new LinkedHashMap<>();
        private final Map<String, Integer> promised = new LinkedHashMap<>();

        void receive(String item, int quantity) {
            onHand.merge(item, quantity, Integer::sum);
        }

        int available(String item) {
            return onHand.getOrDefault(item, 0) - promised.getOrDefault(item, 0);
        }

        /** Promises every line of the order, or none of them. */
        void reserve(Order order) throws OutOfStock {
            int done = 0;
            try {
                for (Line line : order.lines()) {
                    promise(line);
                    done++;
                }
            } catch (OutOfStock shortage) {
                release(order.lines().subList(0, done));
                throw shortage;
            }
        }

        private void promise(Line line) throws OutOfStock {
            int missing = line.quantity() - available(line.item());
            if (missing > 0) {
                throw new OutOfStock(line.item(), missing);
            }
            promised.merge(line.item(), line.quantity(), Integer::sum);
        }

        private void release(List<Line> lines) {
            for (Line line : lines) {
                promised.merge(line.item(), -line.quantity(), Integer::sum);
            }
        }

        /** Goods leave the building: both the stock and the promise shrink. */
        void ship(Order order) {
            for (Line line : order.lines()) {
                onHand.merge(line.item(), -line.quantity(), Integer::sum);
            }
            release(order.lines());
        }

        /** A stocktake replaces the counted quantity, but never below what is promised. */
        void recount(String item, int counted) {
            int floor = promised.getOrDefault(item, 0);
            if (counted < floor) {
                throw new IllegalStateException(item + ": " + floor + " promised, " + counted + " counted");
            }
            onHand.put(item, counted);
        }
    }

    static void place(Warehouse warehouse, Order order) {
        try {
            warehouse.reserve(order);
            System.out.println(order.customer() + ": reserved");
        } catch (OutOfStock shortage) {
            System.out.println(order.customer() + ": " + shortage.getMessage());
        }
    }

    public static void main(String[] args) {
        Warehouse warehouse = new Warehouse();
        warehouse.receive("bolt", 40);
        warehouse.receive("nut", 25);
        warehouse.receive("bolt", 10);

        Order ada = new Order("Ada", List.of(new Line("Bolt", 30), new Line("nut", 20)));
        Order ben = new Order("Ben", List.of(new Line(" bolt ", 20), new Line("nut", 6)));
        Order cleo = new Order("Cleo", List.of(new Line("bolt", 20), new Line("nut", 5)));
        place(warehouse, ada);
        place(warehouse, ben);
        place(warehouse, cleo);
        warehouse.ship(ada);
        for (String item : List.of("bolt", "nut")) {
            System.out.println(item + " free: " + warehouse.available(item));
        }
    }
}
