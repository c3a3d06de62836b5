package mail;

/** Changes a value before it is written. */
@FunctionalInterface
public interface Filter {
    String apply(String value);

    /** This filter applied to what the first one gives. */
    default Filter after(Filter first) {
        return value -> apply(first.apply(value));
    }

    static Filter wrap(String mark) {
        return value -> mark + value + mark;
    }
}
