package bus;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Passes each published event to all handlers of its class or of a class above. */
public final class EventBus {

    private record Handler<E>(Class<E> type, Consumer<? super E> action) {
        boolean takes(Object event) {
            return type.isInstance(event);
        }

        void handle(Object event) {
            action.accept(type.cast(event));
        }
    }

    private final List<Handler<?>> handlers = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private int unheard;

    public <E> Subscription on(Class<E> type, Consumer<? super E> action) {
        Handler<E> handler = new Handler<>(type, action);
        handlers.add(handler);
        return () -> remove(handler);
    }

    private void remove(Handler<?> handler) {
        handlers.removeIf(other -> other == handler);
    }

    /** Tells all handlers; one that fails does not keep the others from hearing. */
    public void publish(Object event) {
        boolean heard = false;
        for (Handler<?> handler : List.copyOf(handlers)) {
            if (handler.takes(event)) {
                heard = true;
                attempt(handler, event);
            }
        }
        if (!heard) {
            unheard++;
        }
    }

    private void attempt(Handler<?> handler, Object event) {
        try {
            handler.handle(event);
        } catch (RuntimeException failure) {
            failures.add(failure.getMessage());
        }
    }

    public List<String> failures() {
        return failures;
    }

    public int unheard() {
        return unheard;
    }
}
