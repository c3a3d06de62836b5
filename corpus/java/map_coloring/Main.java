import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A solver that tries values for variables and takes them back, here used to colour a map. */
public class Main {

    interface Constraint<T> {
        List<String> scope();

        /** Whether values that are set so far can still be completed. */
        boolean holds(Map<String, T> values);
    }

    static final class Solver<T> {
        private final Map<String, List<T>> domains = new LinkedHashMap<>();
        private final List<Constraint<T>> constraints = new ArrayList<>();
        private int tried;

        Solver<T> variable(String name, List<T> domain) {
            domains.put(name, domain);
            return this;
        }

        Solver<T> require(Constraint<T> constraint) {
            constraints.add(constraint);
            return this;
        }

        Solver<T> require(String name, Predicate<T> test) {
            return require(new Constraint<>() {
                public List<String> scope() {
                    return List.of(name);
                }

                public boolean holds(Map<String, T> values) {
                    return !values.containsKey(name) || test.test(values.get(name));
                }
            });
        }

        Map<String, T> solve() {
            Map<String, T> values = new TreeMap<>();
            tried = 0;
            return extend(values) ? values : Map.of();
        }

        private boolean extend(Map<String, T> values) {
            if (values.size() == domains.size()) {
                return true;
            }
            String name = pick(values);
            for (T value : domains.get(name)) {
                tried++;
                values.put(name, value);
                if (consistent(name, values) && extend(values)) {
                    return true;
                }
                values.remove(name);
            }
            return false;
        }

        /** The open variable that the most constraints speak of. */
        private String pick(Map<String, T> values) {
            return domains.keySet().stream()
                .filter(name -> !values.containsKey(name))
                .max(Comparator.comparingLong(this::degree).thenComparing(Comparator.reverseOrder()))
                .orElseThrow();
        }

        private long degree(String name) {
            return constraints.stream().filter(constraint -> constraint.scope().contains(name)).count();
        }

        private boolean consistent(String name, Map<String, T> values) {
            for (Constraint<T> constraint : constraints) {
                if (constraint.scope().contains(name) && !constraint.holds(values)) {
                    return false;
                }
            }
            return true;
        }
    }

    record Different(String one, String other) implements Constraint<String> {
        public List<String> scope() {
            return List.of(one, other);
        }

        public boolean holds(Map<String, String> values) {
            String first = values.get(one);
            return first == null || !first.equals(values.get(other));
        }
    }

    record AtMost(int count, String color, List<String> scope) implements Constraint<String> {
        public boolean holds(Map<String, String> values) {
            return scope.stream().filter(name -> color.equals(values.get(name))).count() <= count;
        }
    }

    static Solver<String> map(List<String> colors) {
        String borders = "A-B A-C B-C B-D C-D C-E D-E E-F";
        Solver<String> solver = new Solver<>();
        for (String region : "A B C D E F".split(" ")) {
            solver.variable(region, colors);
        }
        for (String border : borders.split(" ")) {
            solver.require(new Different(border.substring(0, 1), border.substring(2)));
        }
        return solver;
    }

    static void report(String title, Solver<String> solver) {
        Map<String, String> solution = solver.solve();
        String found = solution.isEmpty() ? "impossible" : solution.toString();
        System.out.println(title + ": " + found + ", " + solver.tried + " tried");
    }

    public static void main(String[] args) {
        List<String> three = List.of("red", "blue", "gold");
        report("free", map(three));
        report("little red", map(three).require(new AtMost(1, "red", List.of("A", "B", "C", "D", "E", "F"))));
        report("two colours", map(three.subList(0, 2)));
    }
}
