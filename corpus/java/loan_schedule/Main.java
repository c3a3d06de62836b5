import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;

/** Writes down how a loan is paid back month by month, in whole cents. */
public class Main {

    record Payment(int month, long interest, long principal, long balance) {
        long total() {
            return interest + principal;
        }
    }

    static final class Loan implements Iterable<Payment> {
        private final long amount;
        private final int basisPoints;
        private final int months;
        private final Map<Integer, Long> extras = new TreeMap<>();

        Loan(long amount, int basisPoints, int months) {
            if (amount <= 0 || months <= 0) {
                throw new IllegalArgumentException("nothing to pay back");
            }
            this.amount = amount;
            this.basisPoints = basisPoints;
            this.months = months;
        }

        Loan extra(int month, long cents) {
            extras.merge(month, cents, Long::sum);
            return this;
        }

        private long interest(long balance) {
            return divideRounded(balance * basisPoints, 12 * 10_000L);
        }

        /** The smallest rate that pays the loan in time if nothing extra is paid. */
        long rate() {
            long low = 1;
            long high = amount + interest(amount);
            while (low < high) {
                long middle = (low + high) / 2;
                if (paysOff(middle)) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            return low;
        }

        private boolean paysOff(long rate) {
            long balance = amount;
            for (int month = 0; month < months && balance > 0; month++) {
                balance += interest(balance) - rate;
            }
            return balance <= 0;
        }

        @Override
        public Iterator<Payment> iterator() {
            long rate = rate();

            class Schedule implements Iterator<Payment> {
                private long balance = amount;
                private int month;

                @Override
                public boolean hasNext() {
                    return balance > 0;
                }

                @Override
                public Payment next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    month++;
                    long interest = interest(balance);
                    long principal = Math.min(balance, rate - interest + extras.getOrDefault(month, 0L));
                    balance -= principal;
                    return new Payment(month, interest, principal, balance);
                }
            }

            return new Schedule();
        }
    }

    /** Divides numbers that are not negative; halves go up. */
    static long divideRounded(long dividend, long divisor) {
        return (dividend + divisor / 2) / divisor;
    }

    static String euros(long cents) {
        return String.format("%d.%02d", cents / 100, cents % 100);
    }

    static void summarize(String title, Loan loan) {
        long interest = 0;
        Payment last = null;
        for (Payment payment : loan) {
            interest += payment.interest();
            last = payment;
            if (payment.month() <= 2) {
                System.out.println("  " + payment.month() + " " + euros(payment.interest()) + " + "
                    + euros(payment.principal()) + " leaves " + euros(payment.balance()));
            }
        }
        System.out.println(title + ": rate " + euros(loan.rate()) + ", interest " + euros(interest)
            + ", last part " + euros(last.principal()) + " in month " + last.month());
    }

    public static void main(String[] args) {
        summarize("car", new Loan(1_000_000, 600, 24));
        summarize("sofa", new Loan(90_000, 0, 12));
        summarize("car with bonus", new Loan(1_000_000, 600, 24).extra(2, 300_000).extra(2, 5_000));
    }
}
