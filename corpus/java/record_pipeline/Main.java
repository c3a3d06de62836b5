import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Passes readings of weather stations through a chain of small stages. */
public class Main {

    record Reading(String station, int minute, double degrees) {}

    /** Takes items and passes on any number of results. */
    @FunctionalInterface
    interface Stage<I, O> {
        void accept(I item, Consumer<? super O> next);

        /** Called once when there are no more items. */
        default void finish(Consumer<? super O> next) {
        }

        default <R> Stage<I, R> then(Stage<? super O, R> second) {
            Stage<I, O> first = this;
            return new Stage<>() {
                @Override
                public void accept(I item, Consumer<? super R> next) {
                    first.accept(item, middle -> second.accept(middle, next));
                }

                @Override
                public void finish(Consumer<? super R> next) {
                    first.finish(middle -> second.accept(middle, next));
                    second.finish(next);
                }
            };
        }

        default List<O> run(Iterable<? extends I> items) {
            List<O> results = new ArrayList<>();
            for (I item : items) {
                accept(item, results::add);
            }
            finish(results::add);
            return results;
        }
    }

    static <I, O> Stage<I, O> map(Function<? super I, ? extends O> function) {
        return (item, next) -> next.accept(function.apply(item));
    }

    static <T> Stage<T, T> keep(Predicate<? super T> test) {
        return (item, next) -> {
            if (test.test(item)) {
                next.accept(item);
            }
        };
    }

    static <T> Stage<T, T> distinct() {
        Set<T> seen = new HashSet<>();
        return (item, next) -> {
            if (seen.add(item)) {
                next.accept(item);
            }
        };
    }

    /** Joins neighbours into groups; a group that is not full at the end is passed on too. */
    static class Windows<T> implements Stage<T, List<T>> {
        private final int size;
        private List<T> current = new ArrayList<>();

        Windows(int size) {
            if (size < 1) {
                throw new IllegalArgumentException("windows of " + size);
            }
            this.size = size;
        }

        @Override
        public void accept(T item, Consumer<? super List<T>> next) {
            current.add(item);
            if (current.size() == size) {
                flush(next);
            }
        }

        @Override
        public void finish(Consumer<? super List<T>> next) {
            if (!current.isEmpty()) {
                flush(next);
            }
        }

        private void flush(Consumer<? super List<T>> next) {
            next.accept(current);
            current = new ArrayList<>();
        }
    }

    /** Compares each item with the one before that has the same key. */
    static <T, K, R> Stage<T, R> pairs(Function<T, K> key, BiFunction<T, T, R> join) {
        Map<K, T> last = new TreeMap<>();
        return (item, next) -> {
            T before = last.put(key.apply(item), item);
            if (before != null) {
                next.accept(join.apply(before, item));
            }
        };
    }

    static Reading parse(String line) {
        String[] fields = line.split(",");
        if (fields.length != 3) {
            throw new IllegalArgumentException("three fields expected: " + line);
        }
        return new Reading(fields[0], Integer.parseInt(fields[1]), Double.parseDouble(fields[2]));
    }

    static boolean plausible(Reading reading) {
        return reading.degrees() >= -60 && reading.degrees() <= 60;
    }

    static String trend(Reading before, Reading now) {
        double perHour = 60 * (now.degrees() - before.degrees()) / (now.minute() - before.minute());
        String word = Math.abs(perHour) < 0.5 ? "steady" : perHour > 0 ? "rising" : "falling";
        return String.format("%s %s %.1f", now.station(), word, perHour);
    }

    public static void main(String[] args) {
        List<String> lines = List.of(
            "north,0,10.0", "south,0,15.5", "north,30,10.5", "south,20,99.9",
            "south,60,15.1", "north,90,7.5", "south,75,16.0");
        Stage<String, Reading> readings = Main.<String, Reading>map(Main::parse).then(keep(Main::plausible));
        System.out.println(readings.then(map(Reading::minute)).then(new Windows<>(4)).run(lines));
        readings.then(pairs(Reading::station, Main::trend)).run(lines).forEach(System.out::println);
    }
}
