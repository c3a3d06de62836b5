import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds modules that depend on each other in a circle. */
public class Main {

    static final class Graph {
        private final SortedMap<String, SortedSet<String>> uses = new TreeMap<>();

        Graph add(String line) {
            String[] sides = line.split("->");
            String user = sides[0].trim();
            module(user);
            if (sides.length > 1) {
                for (String used : sides[1].trim().split("\\s*,\\s*")) {
                    module(used);
                    uses.get(user).add(used);
                }
            }
            return this;
        }

        private void module(String name) {
            if (!name.matches("[a-z.]+")) {
                throw new IllegalArgumentException("no name of a module: " + name);
            }
            uses.putIfAbsent(name, new TreeSet<>());
        }

        List<List<String>> components() {
            return new Search(this).run();
        }

        boolean inCircle(List<String> component) {
            String first = component.get(0);
            return component.size() > 1 || uses.get(first).contains(first);
        }

        /** Modules as layers: each uses only modules of its own or of lower layers. */
        Map<String, Integer> layers() {
            Map<String, Integer> layers = new TreeMap<>();
            for (List<String> component : components()) {
                int layer = 0;
                for (String name : component) {
                    for (String used : uses.get(name)) {
                        layer = Math.max(layer, component.contains(used) ? 0 : layers.get(used) + 1);
                    }
                }
                for (String name : component) {
                    layers.put(name, layer);
                }
            }
            return layers;
        }
    }

    /** Tarjan's search; components come out after all components that they use. */
    private static final class Search {
        private final Graph graph;
        private final Map<String, Integer> number = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final List<List<String>> result = new ArrayList<>();

        Search(Graph graph) {
            this.graph = graph;
        }

        List<List<String>> run() {
            for (String name : graph.uses.keySet()) {
                if (!number.containsKey(name)) {
                    visit(name);
                }
            }
            return result;
        }

        private void visit(String name) {
            number.put(name, number.size());
            lowest.put(name, number.get(name));
            open.push(name);
            for (String used : graph.uses.get(name)) {
                if (!number.containsKey(used)) {
                    visit(used);
                    lower(name, lowest.get(used));
                } else if (open.contains(used)) {
                    lower(name, number.get(used));
                }
            }
            if (lowest.get(name).equals(number.get(name))) {
                result.add(close(name));
            }
        }

        private void lower(String name, int reached) {
            lowest.merge(name, reached, Math::min);
        }

        private List<String> close(String root) {
            List<String> component = new ArrayList<>();
            do {
                component.add(open.pop());
            } while (!component.contains(root));
            Collections.sort(component);
            return component;
        }
    }

    public static void main(String[] args) {
        Graph graph = new Graph()
            .add("app -> ui, store")
            .add("ui -> theme, events")
            .add("events -> log, ui")
            .add("store -> log, db")
            .add("db -> db.pool")
            .add("db.pool -> db.pool, log")
            .add("theme");
        for (List<String> component : graph.components()) {
            System.out.println(String.join(" ", component) + (graph.inCircle(component) ? " (circle)" : ""));
        }
    }
}
