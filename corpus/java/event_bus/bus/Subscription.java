package bus;

/** The right of a handler to hear events. */
@FunctionalInterface
public interface Subscription {
    void cancel();

    /** One subscription that cancels both, this one first. */
    default Subscription and(Subscription other) {
        return () -> {
            cancel();
            other.cancel();
        };
    }
}
