import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.TreeSet;

/** Puts the targets of a build into an order in which every target comes after what it needs. */
public class Main implements Iterable<String> {

    static class CycleFound extends RuntimeException {
        private final List<String> path;

        CycleFound(List<String> path) {
            super(String.join(" > ", path));
            this.path = path;
        }

        int length() {
            return path.size() - 1;
        }
    }

    private final Map<String, TreeSet<String>> needs = new TreeMap<>();

    Main target(String name, String... required) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a target without a name");
        }
        needs.computeIfAbsent(name, key -> new TreeSet<>()).addAll(Arrays.asList(required));
        for (String other : required) {
            needs.computeIfAbsent(other, key -> new TreeSet<>());
        }
        return this;
    }

    /** Hands out targets that are ready, always the alphabetically first one. */
    private class ReadyFirst implements Iterator<String> {
        private final Map<String, Integer> waiting = new TreeMap<>();
        private final TreeSet<String> ready = new TreeSet<>();

        ReadyFirst() {
            needs.forEach((name, required) -> {
                waiting.put(name, required.size());
                if (required.isEmpty()) {
                    ready.add(name);
                }
            });
        }

        @Override
        public boolean hasNext() {
            if (ready.isEmpty() && !waiting.isEmpty()) {
                throw new CycleFound(trace(waiting.keySet().iterator().next()));
            }
            return !ready.isEmpty();
        }

        @Override
        public String next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            String name = ready.pollFirst();
            waiting.remove(name);
            for (String other : waiting.keySet()) {
                if (needs.get(other).contains(name)) {
                    settle(other);
                }
            }
            return name;
        }

        private void settle(String name) {
            if (waiting.merge(name, -1, Integer::sum) == 0) {
                ready.add(name);
            }
        }

        /** Follows unfinished requirements until a target comes up again. */
        private List<String> trace(String start) {
            List<String> path = new ArrayList<>();
            String name = start;
            while (!path.contains(name)) {
                path.add(name);
                name = firstUnfinished(name);
            }
            List<String> cycle = new ArrayList<>(path.subList(path.indexOf(name), path.size()));
            cycle.add(name);
            return cycle;
        }

        private String firstUnfinished(String name) {
            return needs.get(name).stream().filter(waiting::containsKey).findFirst().orElseThrow();
        }
    }

    @Override
    public Iterator<String> iterator() {
        return new ReadyFirst();
    }

    static void show(Main build) {
        List<String> done = new ArrayList<>();
        try {
            for (String name : build) {
                done.add(name);
            }
            System.out.println("order " + done);
        } catch (CycleFound cycle) {
            System.out.println("after " + done + " a cycle: " + cycle.getMessage());
        }
    }

    public static void main(String[] args) {
        Main build = new Main()
            .target("app", "lib", "icons")
            .target("lib", "codec", "base")
            .target("codec", "base")
            .target("docs", "app");
        show(build);
        build.target("base", "config").target("config", "lib");
        show(build);
    }
}
