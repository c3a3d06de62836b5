package access;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Rules of one role by folder, and the roles from which it inherits. */
public final class Role {
    private final String name;
    private final List<Role> parents;
    private final Map<String, Set<Action>> grants = new TreeMap<>();
    private final Map<String, Set<Action>> denials = new TreeMap<>();

    Role(String name, List<Role> parents) {
        this.name = name;
        this.parents = parents;
    }

    public Role grant(String folder, Action... actions) {
        for (Action action : actions) {
            rules(grants, folder).addAll(action.implied());
        }
        return this;
    }

    public Role deny(String folder, Action... actions) {
        rules(denials, folder).addAll(List.of(actions));
        return this;
    }

    private static Set<Action> rules(Map<String, Set<Action>> map, String folder) {
        return map.computeIfAbsent(folder, key -> EnumSet.noneOf(Action.class));
    }

    /** The decision of the nearest folder that has one, or nothing. */
    Optional<Boolean> decide(Action action, String path) {
        for (String folder = path; ; folder = above(folder)) {
            if (denials.getOrDefault(folder, Set.of()).contains(action)) {
                return Optional.of(false);
            }
            if (grants.getOrDefault(folder, Set.of()).contains(action)) {
                return Optional.of(true);
            }
            if (folder.equals("/")) {
                return inherited(action, path);
            }
        }
    }

    private Optional<Boolean> inherited(Action action, String path) {
        return parents.stream().flatMap(parent -> parent.decide(action, path).stream()).findFirst();
    }

    private static String above(String folder) {
        int slash = folder.lastIndexOf('/');
        return slash <= 0 ? "/" : folder.substring(0, slash);
    }

    @Override
    public String toString() {
        return name + parents;
    }
}
