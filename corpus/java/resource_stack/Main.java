import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Rents rooms and devices for a concert and gives all of them back, whatever happens. */
public class Main {

    private static final List<String> LOG = new ArrayList<>();

    static void log(String line) {
        LOG.add(line);
    }

    interface Rental extends AutoCloseable {
        @Override
        void close();

        default Rental named(String name) {
            Rental self = this;
            return () -> {
                log("return " + name);
                self.close();
            };
        }
    }

    static class Device implements Rental {
        private final String name;
        private final boolean fragile;
        private boolean open = true;

        Device(String name, boolean fragile) {
            this.name = name;
            this.fragile = fragile;
            log("rent " + name);
        }

        void use(int minutes) {
            if (!open) {
                throw new IllegalStateException(name + " is returned already");
            }
            if (fragile && minutes > 30) {
                throw new UnsupportedOperationException(name + " overheats");
            }
            log(name + " for " + minutes);
        }

        @Override
        public void close() {
            if (!open) {
                return;
            }
            open = false;
            if (fragile) {
                throw new IllegalStateException(name + " is scratched");
            }
            log("close " + name);
        }
    }

    /** Several rentals that are given back together, the last one first. */
    static class Bundle implements Rental {
        private final Deque<Rental> rentals = new ArrayDeque<>();

        <R extends Rental> R add(R rental) {
            rentals.push(rental);
            return rental;
        }

        @Override
        public void close() {
            RuntimeException first = null;
            while (!rentals.isEmpty()) {
                try {
                    rentals.pop().close();
                } catch (RuntimeException problem) {
                    first = combine(first, problem);
                }
            }
            if (first != null) {
                throw first;
            }
        }

        private static RuntimeException combine(RuntimeException first, RuntimeException next) {
            if (first == null) {
                return next;
            }
            first.addSuppressed(next);
            return first;
        }

        /** Leaves everything to the caller, who now has to give it back. */
        Bundle moveOut() {
            Bundle other = new Bundle();
            rentals.descendingIterator().forEachRemaining(other::add);
            rentals.clear();
            return other;
        }
    }

    static void concert(int minutes) {
        try (Bundle bundle = new Bundle(); Rental hall = new Bundle().named("hall")) {
            Device piano = bundle.add(new Device("piano", false));
            Device lamp = bundle.add(new Device("lamp", true));
            Device mixer = bundle.add(new Device("mixer", true));
            piano.use(minutes);
            lamp.use(minutes);
            mixer.use(minutes / 2);
        }
    }

    static String report(Throwable problem) {
        StringBuilder text = new StringBuilder(problem.getMessage());
        for (Throwable hidden : problem.getSuppressed()) {
            text.append(" (").append(report(hidden)).append(")");
        }
        return text.toString();
    }

    public static void main(String[] args) {
        for (int minutes : new int[] {30, 45}) {
            try {
                concert(minutes);
            } catch (RuntimeException problem) {
                log("! " + report(problem));
            }
            System.out.println(minutes + ": " + String.join(", ", LOG));
            LOG.clear();
        }
    }
}
