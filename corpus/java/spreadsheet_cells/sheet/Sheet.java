package sheet;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

public final class Sheet {
    private final Map<String, String> contents = new HashMap<>();
    private final Map<String, Double> known = new HashMap<>();
    private final Set<String> busy = new HashSet<>();
    private int computed;

    public void set(String name, String content) {
        contents.put(name, content);
        known.clear();
    }

    double value(String name) {
        String content = contents.getOrDefault(name, "0");
        if (!content.startsWith("=")) {
            return Double.parseDouble(content);
        }
        return known.containsKey(name) ? known.get(name) : compute(name, content);
    }

    private double compute(String name, String content) {
        if (!busy.add(name)) {
            throw new CellError("LOOP");
        }
        try {
            known.put(name, new Formula(content, this::value).value());
            computed++;
            return known.get(name);
        } finally {
            busy.remove(name);
        }
    }

    public String show(String name) {
        try {
            return Double.toString(value(name));
        } catch (CellError error) {
            return error.getMessage();
        }
    }

    public int computed() {
        return computed;
    }
}
