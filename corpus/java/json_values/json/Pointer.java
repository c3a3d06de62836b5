package json;

import java.util.List;
import java.util.Map;

public final class Pointer {
    private final String[] steps;

    public Pointer(String path) {
        steps = path.substring(1).split("/");
    }

    public Object resolve(Object document) {
        return follow(document, 0);
    }

    private Object follow(Object value, int step) {
        if (step == steps.length) {
            return value;
        }
        if (value instanceof Map<?, ?> object) {
            return follow(object.get(steps[step]), step + 1);
        }
        if (value instanceof List<?> array && steps[step].matches("\\d+")) {
            int index = Integer.parseInt(steps[step]);
            return index < array.size() ? follow(array.get(index), step + 1) : null;
        }
        return null;
    }
}
