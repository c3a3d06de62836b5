import java.util.LinkedHashMap;
import java.util.Map;

public class Main {

    private final Map<String, Slot> slots = new LinkedHashMap<>();
    private State state = new Waiting();
    private int takings;

    private static final class Slot {
        final int price;
        int left;

        Slot(int price, int left) {
            this.price = price;
            this.left = left;
        }
    }

    /** Inner classes, so that every state works on the machine around it. */
    private abstract class State {
        String insert(int coin) {
            return "coin returned";
        }

        String choose(String product) {
            return "insert coins first";
        }

        String cancel() {
            return "nothing to return";
        }

        void become(State next) {
            state = next;
        }
    }

    private class Waiting extends State {
        @Override
        String insert(int coin) {
            become(new Collecting(0));
            return state.insert(coin);
        }
    }

    private class Collecting extends State {
        private int credit;

        Collecting(int credit) {
            this.credit = credit;
        }

        @Override
        String insert(int coin) {
            if (!accepts(coin)) {
                String refusal = super.insert(coin);
                if (credit == 0) {
                    become(new Waiting());
                }
                return refusal;
            }
            credit += coin;
            return "credit " + credit;
        }

        @Override
        String choose(String product) {
            Slot slot = slots.get(product);
            if (slot == null || slot.left == 0) {
                return product + " is not available";
            }
            if (credit < slot.price) {
                return (slot.price - credit) + " missing";
            }
            slot.left--;
            takings += slot.price;
            int change = credit - slot.price;
            become(empty() ? new SoldOut() : new Waiting());
            return product + pay(change);
        }

        @Override
        String cancel() {
            become(new Waiting());
            return "returned" + pay(credit);
        }
    }

    private class SoldOut extends State {
        @Override
        String choose(String product) {
            return "sold out";
        }
    }

    private static boolean accepts(int coin) {
        return switch (coin) {
            case 10, 20, 50, 100, 200 -> true;
            default -> false;
        };
    }

    private boolean empty() {
        return slots.values().stream().allMatch(slot -> slot.left == 0);
    }

    /** Pays with the largest coins that fit. */
    private static String pay(int amount) {
        StringBuilder coins = new StringBuilder();
        for (int coin : new int[] {200, 100, 50, 20, 10}) {
            while (amount >= coin) {
                coins.append(" +").append(coin);
                amount -= coin;
            }
        }
        return coins.toString();
    }

    void stock(String product, int price, int count) {
        slots.put(product, new Slot(price, count));
    }

    void refill(String product, int count) {
        slots.get(product).left += count;
        if (state instanceof SoldOut) {
            state = new Waiting();
        }
    }

    public static void main(String[] args) {
        Main machine = new Main();
        machine.stock("cocoa", 120, 1);
        machine.stock("tea", 90, 1);
        System.out.println(machine.state.choose("tea"));
        System.out.println(machine.state.insert(100) + ", " + machine.state.choose("cocoa"));
        System.out.println(machine.state.insert(5) + ", " + machine.state.insert(100));
        System.out.println(machine.state.choose("cocoa"));
        System.out.println(machine.state.insert(200) + ", " + machine.state.choose("cocoa"));
        System.out.println(machine.state.choose("tea"));
        System.out.println(machine.state.insert(50) + ", " + machine.state.choose("tea"));
        System.out.println("takings " + machine.takings);
    }
}
