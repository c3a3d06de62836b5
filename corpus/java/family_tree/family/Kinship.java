package family;

import java.util.Map;
import java.util.TreeMap;

/** Names the relation of two people by their nearest common ancestor. */
public final class Kinship {
    private final Registry registry;

    public Kinship(Registry registry) {
        this.registry = registry;
    }

    public String describe(String first, String second) {
        Map<String, Integer> up = ancestors(registry.get(first));
        Map<String, Integer> over = ancestors(registry.get(second));
        int a = -1;
        int b = -1;
        for (String name : up.keySet()) {
            if (over.containsKey(name) && (a < 0 || up.get(name) + over.get(name) < a + b)) {
                a = up.get(name);
                b = over.get(name);
            }
        }
        return a < 0 ? "not related" : label(a, b);
    }

    private String label(int a, int b) {
        if (a == 0 && b == 0) {
            return "the same";
        }
        if (a == 0 || b == 0) {
            return direct(Math.max(a, b));
        }
        int near = Math.min(a, b);
        int removed = Math.abs(a - b);
        if (near == 1) {
            return removed == 0 ? "siblings" : "aunt or uncle, " + removed + " up";
        }
        return "cousins of degree " + (near - 1) + (removed > 0 ? ", " + removed + " removed" : "");
    }

    private String direct(int steps) {
        return steps == 1 ? "parent and child" : "ancestor, " + steps + " steps";
    }

    /** How many generations up each ancestor is, the person itself being 0 up. */
    private Map<String, Integer> ancestors(Person person) {
        Map<String, Integer> steps = new TreeMap<>();
        climb(person, 0, steps);
        return steps;
    }

    private void climb(Person person, int step, Map<String, Integer> steps) {
        steps.merge(person.name(), step, Math::min);
        person.parents().forEach(parent -> climb(parent, step + 1, steps));
    }
}
