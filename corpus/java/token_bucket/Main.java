import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Limits how often clients may call a service; time comes from a clock that tests can set. */
public class Main {

    static final class ManualClock implements LongSupplier {
        private long now;

        @Override
        public long getAsLong() {
            return now;
        }

        ManualClock advance(long milliseconds) {
            if (milliseconds < 0) {
                throw new IllegalArgumentException("time does not run backwards");
            }
            now += milliseconds;
            return this;
        }
    }

    interface Limiter {
        boolean allow(int cost);

        /** Milliseconds until such a call may pass, or -1 if it never may. */
        long waitFor(int cost);
    }

    /** Fills steadily up to its capacity; each call takes its cost out. */
    static class TokenBucket implements Limiter {
        private final int capacity;
        private final long interval;
        private final LongSupplier clock;
        private int tokens;
        private long filledAt;

        TokenBucket(int capacity, long interval, LongSupplier clock) {
            this.capacity = capacity;
            this.interval = interval;
            this.clock = clock;
            this.tokens = capacity;
            this.filledAt = clock.getAsLong();
        }

        private void refill() {
            long due = (clock.getAsLong() - filledAt) / interval;
            filledAt += due * interval;
            tokens = (int) Math.min(capacity, tokens + due);
        }

        int level() {
            refill();
            return tokens;
        }

        @Override
        public boolean allow(int cost) {
            refill();
            if (cost > tokens) {
                return false;
            }
            tokens -= cost;
            return true;
        }

        @Override
        public long waitFor(int cost) {
            if (cost > capacity) {
                return -1;
            }
            refill();
            long missing = Math.max(0, cost - tokens);
            return missing == 0 ? 0 : filledAt + missing * interval - clock.getAsLong();
        }
    }

    /** Closes for a while after several refusals in a row. */
    static class Strict implements Limiter {
        private static final int PATIENCE = 3;

        private final Limiter inner;
        private final LongSupplier clock;
        private final long penalty;
        private int refusals;
        private long closedUntil;

        Strict(Limiter inner, LongSupplier clock, long penalty) {
            this.inner = inner;
            this.clock = clock;
            this.penalty = penalty;
        }

        @Override
        public boolean allow(int cost) {
            if (clock.getAsLong() < closedUntil) {
                return false;
            }
            if (inner.allow(cost)) {
                refusals = 0;
                return true;
            }
            if (++refusals == PATIENCE) {
                refusals = 0;
                closedUntil = clock.getAsLong() + penalty;
            }
            return false;
        }

        @Override
        public long waitFor(int cost) {
            long closed = Math.max(0, closedUntil - clock.getAsLong());
            long needed = inner.waitFor(cost);
            return needed < 0 ? needed : Math.max(closed, needed);
        }
    }

    private final Map<String, Limiter> byClient = new LinkedHashMap<>();
    private final ManualClock clock = new ManualClock();

    private Limiter create(String client) {
        Limiter bucket = new TokenBucket(3, 100, clock);
        return client.startsWith("guest") ? new Strict(bucket, clock, 1000) : bucket;
    }

    void call(String client, int cost) {
        Limiter limiter = byClient.computeIfAbsent(client, this::create);
        String answer = limiter.allow(cost) ? "passes" : "waits " + limiter.waitFor(cost);
        System.out.println(clock.getAsLong() + " " + client + " " + answer);
    }

    public static void main(String[] args) {
        Main service = new Main();
        service.call("ann", 2);
        service.call("ann", 2);
        service.clock.advance(150);
        service.call("ann", 2);
        service.call("ann", 1);
        service.call("guest7", 3);
        for (int i = 0; i < 3; i++) {
            service.clock.advance(20);
            service.call("guest7", 1);
        }
        service.clock.advance(999);
        service.call("guest7", 1);
        service.clock.advance(1);
        service.call("guest7", 4);
        service.call("guest7", 3);
    }
}
