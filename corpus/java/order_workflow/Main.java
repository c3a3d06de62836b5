import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The life of an order in a mail-order firm. */
public class Main {

    enum Status {
        DRAFT, PLACED, PAID, SHIPPED, DELIVERED, CANCELLED;

        private static final Map<Status, Set<Status>> NEXT = new EnumMap<>(Status.class);

        static {
            allow(DRAFT, PLACED, CANCELLED);
            allow(PLACED, PAID, CANCELLED);
            allow(PAID, SHIPPED, CANCELLED);
            allow(SHIPPED, DELIVERED);
        }

        private static void allow(Status from, Status first, Status... more) {
            NEXT.put(from, EnumSet.of(first, more));
        }

        boolean leadsTo(Status other) {
            return NEXT.getOrDefault(this, Set.of()).contains(other);
        }

        boolean isFinal() {
            return !NEXT.containsKey(this);
        }
    }

    static class Refusal extends RuntimeException {
        Refusal(String reason) {
            super(reason);
        }
    }

    static class Order {
        private final int number;
        private final int amount;
        private Status status = Status.DRAFT;
        private int paid;
        private final List<Status> history = new ArrayList<>(List.of(Status.DRAFT));

        Order(int number, int amount) {
            if (amount < 0) {
                throw new IllegalArgumentException("order " + number + " costs less than nothing");
            }
            this.number = number;
            this.amount = amount;
        }

        int due() {
            return amount - paid;
        }
    }

    static class Workflow {
        private final Map<Status, List<Consumer<Order>>> guards = new EnumMap<>(Status.class);
        private final Map<Status, List<Consumer<Order>>> hooks = new EnumMap<>(Status.class);

        Workflow before(Status status, Consumer<Order> guard) {
            guards.computeIfAbsent(status, key -> new ArrayList<>()).add(guard);
            return this;
        }

        Workflow after(Status status, Consumer<Order> hook) {
            hooks.computeIfAbsent(status, key -> new ArrayList<>()).add(hook);
            return this;
        }

        void advance(Order order, Status target) {
            if (!order.status.leadsTo(target)) {
                throw new Refusal(order.status + " does not lead to " + target);
            }
            guards.getOrDefault(target, List.of()).forEach(guard -> guard.accept(order));
            order.status = target;
            order.history.add(target);
            hooks.getOrDefault(target, List.of()).forEach(hook -> hook.accept(order));
        }

        boolean attempt(Order order, Status target) {
            try {
                advance(order, target);
                return true;
            } catch (Refusal refusal) {
                System.out.println("order " + order.number + ": " + refusal.getMessage());
                return false;
            }
        }

        /** Goes on until a step is refused, in the order of the statuses. */
        Status advanceFar(Order order) {
            for (Status target : EnumSet.range(Status.PLACED, Status.DELIVERED)) {
                if (order.status.leadsTo(target) && !attempt(order, target)) {
                    break;
                }
            }
            return order.status;
        }
    }

    static void requirePayment(Order order) {
        if (order.due() > 0) {
            throw new Refusal(order.due() + " due");
        }
    }

    static void refund(Order order) {
        if (order.paid > 0) {
            System.out.println("order " + order.number + ": refund " + order.paid);
            order.paid = 0;
        }
    }

    static boolean close(Order order, Workflow workflow) {
        return order.status.isFinal() || workflow.attempt(order, Status.CANCELLED);
    }

    public static void main(String[] args) {
        Workflow workflow = new Workflow()
            .before(Status.PAID, Main::requirePayment)
            .after(Status.CANCELLED, Main::refund);
        Order lamp = new Order(1, 4000);
        System.out.println(workflow.advanceFar(lamp));
        lamp.paid += 3999;
        workflow.attempt(lamp, Status.PAID);
        workflow.attempt(lamp, Status.CANCELLED);
        Order desk = new Order(2, 15000);
        desk.paid = 15000;
        System.out.println(workflow.advanceFar(desk) + " by way of " + desk.history);
        workflow.attempt(desk, Status.CANCELLED);
        System.out.println("due " + lamp.due() + " and " + desk.due());
    }
}
