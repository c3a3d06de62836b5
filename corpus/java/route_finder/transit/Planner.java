package transit;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/** Finds the quickest route; each change of line costs a penalty in minutes. */
public final class Planner {
    private static final Comparator<Route> ORDER =
        Comparator.comparingInt(Route::minutes)
            .thenComparingInt(Route::changes)
            .thenComparing(Route::place);

    private final Network network;
    private final int penalty;

    public Planner(Network network, int penalty) {
        this.network = network;
        this.penalty = penalty;
    }

    public Optional<Route> find(String from, String to) {
        if (!network.knows(from) || !network.knows(to)) {
            return Optional.empty();
        }
        PriorityQueue<Route> open = new PriorityQueue<>(ORDER);
        Set<String> closed = new HashSet<>();
        open.add(Route.start(from));
        while (!open.isEmpty()) {
            Route route = open.poll();
            if (route.stop().equals(to)) {
                return Optional.of(route);
            }
            if (closed.add(route.place())) {
                network.from(route.stop()).forEach(ride -> open.add(route.then(ride, penalty)));
            }
        }
        return Optional.empty();
    }
}
