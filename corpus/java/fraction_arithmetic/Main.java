import java.util.ArrayList;
import java.util.List;

/** Exact fractions, and what can be done with them. */
public class Main {

    static final class Fraction extends Number implements Comparable<Fraction> {
        static final Fraction ZERO = of(0);
        static final Fraction ONE = of(1);

        private final long top;
        private final long bottom;

        private Fraction(long top, long bottom) {
            this.top = top;
            this.bottom = bottom;
        }

        static Fraction of(long whole) {
            return new Fraction(whole, 1);
        }

        static Fraction of(long top, long bottom) {
            if (bottom == 0) {
                throw new ArithmeticException("division by zero");
            }
            long common = divisor(Math.abs(top), Math.abs(bottom));
            long sign = bottom < 0 ? -1 : 1;
            return new Fraction(sign * top / common, sign * bottom / common);
        }

        /** Reads {@code 3/4}, {@code -2} or a decimal number such as {@code 0.125}. */
        static Fraction of(String text) {
            int slash = text.indexOf('/');
            if (slash >= 0) {
                return of(text.substring(0, slash)).over(of(text.substring(slash + 1)));
            }
            int point = text.indexOf('.');
            if (point < 0) {
                return of(Long.parseLong(text));
            }
            long scale = (long) Math.pow(10, text.length() - point - 1);
            return of(Long.parseLong(text.replace(".", "")), scale);
        }

        private static long divisor(long a, long b) {
            return b == 0 ? a : divisor(b, a % b);
        }

        Fraction plus(Fraction other) {
            return of(top * other.bottom + other.top * bottom, bottom * other.bottom);
        }

        Fraction plus(long whole) {
            return plus(of(whole));
        }

        Fraction minus(Fraction other) {
            return plus(other.negated());
        }

        Fraction negated() {
            return new Fraction(-top, bottom);
        }

        Fraction times(Fraction other) {
            return of(top * other.top, bottom * other.bottom);
        }

        Fraction over(Fraction other) {
            return times(other.inverse());
        }

        Fraction inverse() {
            return of(bottom, top);
        }

        long floor() {
            return Math.floorDiv(top, bottom);
        }

        /** The whole numbers of the continued fraction. */
        List<Long> terms() {
            List<Long> terms = new ArrayList<>();
            Fraction rest = this;
            while (true) {
                terms.add(rest.floor());
                rest = rest.minus(of(rest.floor()));
                if (rest.equals(ZERO)) {
                    return terms;
                }
                rest = rest.inverse();
            }
        }

        /** Different unit fractions with this sum, greedily the largest first. */
        List<Fraction> egyptian() {
            if (compareTo(ZERO) < 0 || compareTo(ONE) >= 0) {
                throw new ArithmeticException(this + " is not below one");
            }
            List<Fraction> parts = new ArrayList<>();
            Fraction rest = this;
            while (rest.top > 0) {
                Fraction part = of(1, (rest.bottom + rest.top - 1) / rest.top);
                parts.add(part);
                rest = rest.minus(part);
            }
            return parts;
        }

        @Override
        public int compareTo(Fraction other) {
            return Long.compare(top * other.bottom, other.top * bottom);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Fraction fraction && compareTo(fraction) == 0;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(31 * top + bottom);
        }

        @Override
        public int intValue() {
            return (int) longValue();
        }

        @Override
        public long longValue() {
            return top / bottom;
        }

        @Override
        public float floatValue() {
            return (float) doubleValue();
        }

        @Override
        public double doubleValue() {
            return (double) top / bottom;
        }

        @Override
        public String toString() {
            return bottom == 1 ? Long.toString(top) : top + "/" + bottom;
        }
    }

    static Fraction fromTerms(List<Long> terms) {
        Fraction value = Fraction.of(terms.get(terms.size() - 1));
        for (int i = terms.size() - 2; i >= 0; i--) {
            value = value.inverse().plus(terms.get(i));
        }
        return value;
    }

    public static void main(String[] args) {
        Fraction half = Fraction.of("0.5");
        System.out.println(half.plus(Fraction.of(1, 3)) + " " + half.minus(Fraction.of("3/4")));
        System.out.println(Fraction.of(6, -4) + " floor " + Fraction.of(6, -4).floor() + " " + half.plus(2));
        System.out.println(Fraction.of("3.1416").terms() + " " + fromTerms(List.of(3L, 7L, 16L)));
        System.out.println(Fraction.of("5/7").egyptian() + " " + Fraction.of(5, 7).doubleValue());
        System.out.println(half.equals(Fraction.of("2/4")) + " " + half.compareTo(Fraction.of("0.49")));
    }
}
