package access;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

public final class Directory {
    private final Map<String, Role> roles = new HashMap<>();
    private final Map<String, Role> users = new HashMap<>();

    public Role define(String name, List<String> parents) {
        Role role = new Role(name, parents.stream().map(this::role).toList());
        if (roles.putIfAbsent(name, role) != null) {
            throw new IllegalStateException("role " + name + " exists");
        }
        return role;
    }

    private Role role(String name) {
        Role role = roles.get(name);
        if (role == null) {
            throw new IllegalArgumentException("no role " + name);
        }
        return role;
    }

    public void assign(String user, Role role) {
        users.put(user, role);
    }

    public boolean allows(String user, Action action, String path) {
        Role role = users.get(user);
        return role != null && role.decide(action, path).orElse(false);
    }
}
