package transit;

import java.util.ArrayDeque;
import java.util.Deque;

/** A way to a stop: the last ride and the route before it, which is null at the start. */
public record Route(Route before, String stop, String line, int minutes, int changes) {

    static Route start(String stop) {
        return new Route(null, stop, "", 0, 0);
    }

    Route then(Network.Ride ride, int penalty) {
        boolean change = before != null && !line.equals(ride.line());
        int more = ride.minutes() + (change ? penalty : 0);
        return new Route(this, ride.to(), ride.line(), minutes + more, changes + (change ? 1 : 0));
    }

    String place() {
        return stop + "/" + line;
    }

    public String describe() {
        Deque<String> stops = new ArrayDeque<>();
        for (Route part = this; part != null; part = part.before) {
            stops.addFirst(part.stop);
        }
        return String.join("-", stops) + ", " + minutes + " min, " + changes + " changes";
    }
}
