package library;

/** Rules that depend on who borrows. */
public abstract class Reader {
    private final String name;

    Reader(String name) {
        this.name = name;
    }

    abstract int days();

    abstract int most();

    abstract int fine(int daysLate);

    @Override
    public String toString() {
        return name;
    }

    public static final class Adult extends Reader {
        public Adult(String name) {
            super(name);
        }

        @Override
        int days() {
            return 28;
        }

        @Override
        int most() {
            return 5;
        }

        @Override
        int fine(int daysLate) {
            return Math.min(1000, 25 * daysLate);
        }
    }

    public static final class Child extends Reader {
        public Child(String name) {
            super(name);
        }

        @Override
        int days() {
            return 14;
        }

        @Override
        int most() {
            return 2;
        }

        @Override
        int fine(int daysLate) {
            return daysLate > 7 ? 50 : 0;
        }
    }
}
