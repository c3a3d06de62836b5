package transit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stops and the rides between neighbours; every line runs in both directions. */
public final class Network {

    record Ride(String line, String to, int minutes) {}

    private final Map<String, List<Ride>> rides = new HashMap<>();

    /** Adds a line with the same riding time between all its neighbouring stops. */
    public Network line(String name, int minutes, String... stops) {
        if (stops.length < 2) {
            throw new IllegalArgumentException("line " + name + " goes nowhere");
        }
        for (int i = 1; i < stops.length; i++) {
            connect(name, stops[i - 1], stops[i], minutes);
            connect(name, stops[i], stops[i - 1], minutes);
        }
        return this;
    }

    private void connect(String line, String from, String to, int minutes) {
        rides.computeIfAbsent(from, stop -> new ArrayList<>()).add(new Ride(line, to, minutes));
    }

    List<Ride> from(String stop) {
        return rides.getOrDefault(stop, List.of());
    }

    public List<String> stops() {
        return rides.keySet().stream().sorted().toList();
    }

    public boolean knows(String stop) {
        return rides.containsKey(stop);
    }
}
