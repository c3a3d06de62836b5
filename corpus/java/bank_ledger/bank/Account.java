package bank;

/** Money of one owner, in cents. An overdraft limit says how far the balance may go below zero. */
public final class Account {
    private final String name;
    private final long overdraft;
    private long balance;

    Account(String name, long overdraft) {
        this.name = name;
        this.overdraft = overdraft;
    }

    public String name() {
        return name;
    }

    public long balance() {
        return balance;
    }

    boolean covers(long amount) {
        return balance + overdraft >= amount;
    }

    void add(long amount) {
        balance += amount;
    }

    public String format() {
        return cents(balance);
    }

    /** An amount of cents as text, {@code -3.05}. */
    public static String cents(long amount) {
        String sign = amount < 0 ? "-" : "";
        long size = Math.abs(amount);
        return sign + size / 100 + "." + (size % 100 < 10 ? "0" : "") + size % 100;
    }
}
