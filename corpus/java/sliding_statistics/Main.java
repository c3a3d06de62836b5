import java.util.Iterator;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.StringJoiner;
import java.util.function.DoubleUnaryOperator;

/** Statistics over the last few values of a sensor. */
public class Main {

    /** Keeps the last values in a ring; older ones are written over. */
    static final class Window implements Iterable<Double> {
        private final double[] ring;
        private int next;
        private int size;

        Window(int capacity) {
            this.ring = new double[capacity];
        }

        void add(double value) {
            ring[next] = value;
            next = (next + 1) % ring.length;
            size = Math.min(size + 1, ring.length);
        }

        void clear() {
            next = 0;
            size = 0;
        }

        boolean full() {
            return size == ring.length;
        }

        /** From the oldest value to the newest. */
        @Override
        public Iterator<Double> iterator() {
            class Cursor implements Iterator<Double> {
                private int passed;

                @Override
                public boolean hasNext() {
                    return passed < size;
                }

                @Override
                public Double next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    int oldest = next - size + ring.length;
                    return ring[(oldest + passed++) % ring.length];
                }
            }
            return new Cursor();
        }
    }

    static abstract class Statistic {
        abstract double of(Window window);

        String label() {
            return getClass().getSimpleName().toLowerCase(Locale.ROOT);
        }

        Statistic with(String label, DoubleUnaryOperator change) {
            Statistic inner = this;
            return new Statistic() {
                @Override
                double of(Window window) {
                    return change.applyAsDouble(inner.of(window));
                }

                @Override
                String label() {
                    return label;
                }
            };
        }
    }

    static class Mean extends Statistic {
        @Override
        double of(Window window) {
            double sum = 0;
            for (double value : window) {
                sum += value;
            }
            return sum / window.size;
        }
    }

    static class Variance extends Mean {
        @Override
        double of(Window window) {
            double mean = super.of(window);
            double sum = 0;
            for (double value : window) {
                sum += (value - mean) * (value - mean);
            }
            return window.size < 2 ? 0 : sum / (window.size - 1);
        }
    }

    static class Trend extends Statistic {
        @Override
        double of(Window window) {
            int up = 0;
            Double before = null;
            for (Double value : window) {
                up += before == null ? 0 : Integer.signum(value.compareTo(before));
                before = value;
            }
            return up;
        }
    }

    static class Smoothed extends Statistic {
        private final double weight;

        Smoothed(double weight) {
            if (weight <= 0 || weight > 1) {
                throw new IllegalArgumentException("weight " + weight);
            }
            this.weight = weight;
        }

        @Override
        double of(Window window) {
            Iterator<Double> values = window.iterator();
            double level = values.next();
            while (values.hasNext()) {
                level += weight * (values.next() - level);
            }
            return level;
        }
    }

    static String describe(Window window, Statistic... statistics) {
        StringJoiner text = new StringJoiner(", ", window.full() ? "" : "(filling) ", "");
        for (Statistic statistic : statistics) {
            text.add(statistic.label() + String.format(Locale.ROOT, " %.2f", statistic.of(window)));
        }
        return text.toString();
    }

    public static void main(String[] args) {
        Window window = new Window(4);
        Statistic deviation = new Variance().with("deviation", Math::sqrt);
        for (double value : new double[] {3, 5, 4, 8, 8, 1}) {
            window.add(value);
            System.out.println(describe(window, new Mean(), deviation, new Trend(), new Smoothed(0.5)));
        }
    }
}
