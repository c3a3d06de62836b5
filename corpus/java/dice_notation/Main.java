import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rolls and weighs dice in the notation of role-playing games: {@code 4d6k3+2}. */
public class Main {

    private static final Pattern TERM = Pattern.compile("([+-]?)(\\d*)(?:d(\\d+)(?:k(\\d+))?)?");

    /** Whole numbers from 1 to a limit that look random but are the same in every run. */
    static class Shaker implements IntUnaryOperator {
        private long state;

        Shaker(long seed) {
            state = seed;
        }

        void reseed(long seed) {
            state = seed;
        }

        @Override
        public int applyAsInt(int sides) {
            state = (state * 1_103_515_245L + 12_345) % 2_147_483_648L;
            return (int) (state / 65_536 % sides) + 1;
        }
    }

    static abstract class Term {
        final int sign;

        Term(int sign) {
            this.sign = sign;
        }

        final int value(IntUnaryOperator die) {
            return sign * size(die);
        }

        abstract int size(IntUnaryOperator die);
    }

    static class Constant extends Term {
        private final int amount;

        Constant(int sign, int amount) {
            super(sign);
            this.amount = amount;
        }

        @Override
        int size(IntUnaryOperator die) {
            return amount;
        }
    }

    static class Roll extends Term {
        private final int count;
        private final int sides;

        Roll(int sign, int count, int sides) {
            super(sign);
            if (sides < 2) {
                throw new IllegalArgumentException("a die with " + sides + " sides");
            }
            this.count = count;
            this.sides = sides;
        }

        @Override
        int size(IntUnaryOperator die) {
            return Arrays.stream(throwAll(die)).sum();
        }

        protected int[] throwAll(IntUnaryOperator die) {
            int[] eyes = new int[count];
            Arrays.setAll(eyes, i -> die.applyAsInt(sides));
            return eyes;
        }
    }

    static class KeepHighest extends Roll {
        private final int kept;

        KeepHighest(int sign, int count, int sides, int kept) {
            super(sign, count, sides);
            if (kept < 1) {
                throw new IllegalArgumentException("no die is kept");
            }
            this.kept = Math.min(kept, count);
        }

        @Override
        protected int[] throwAll(IntUnaryOperator die) {
            int[] eyes = super.throwAll(die);
            Arrays.sort(eyes);
            return Arrays.copyOfRange(eyes, eyes.length - kept, eyes.length);
        }
    }

    static List<Term> parse(String notation) {
        Matcher matcher = TERM.matcher(notation);
        List<Term> terms = new ArrayList<>();
        int at = 0;
        while (at < notation.length()) {
            matcher.region(at, notation.length());
            if (!matcher.lookingAt() || matcher.group(2).isEmpty() && matcher.group(3) == null) {
                throw new IllegalArgumentException("unreadable at " + at + ": " + notation);
            }
            terms.add(term(matcher));
            at = matcher.end();
        }
        return terms;
    }

    private static Term term(Matcher matcher) {
        int sign = matcher.group(1).equals("-") ? -1 : 1;
        int number = matcher.group(2).isEmpty() ? 1 : Integer.parseInt(matcher.group(2));
        if (matcher.group(3) == null) {
            return new Constant(sign, number);
        }
        int sides = Integer.parseInt(matcher.group(3));
        return matcher.group(4) == null
            ? new Roll(sign, number, sides)
            : new KeepHighest(sign, number, sides, Integer.parseInt(matcher.group(4)));
    }

    static int total(String notation, IntUnaryOperator die) {
        return parse(notation).stream().mapToInt(term -> term.value(die)).sum();
    }

    static String range(String notation) {
        List<Term> terms = parse(notation);
        int least = 0;
        int most = 0;
        for (Term term : terms) {
            int low = term.value(sides -> 1);
            int high = term.value(sides -> sides);
            least += Math.min(low, high);
            most += Math.max(low, high);
        }
        return least + " to " + most;
    }

    public static void main(String[] args) {
        Shaker shaker = new Shaker(2024);
        for (String notation : new String[] {"2d6+3", "4d6k3", "20-d8", "12"}) {
            System.out.println(notation + ": " + range(notation) + ", rolled " + total(notation, shaker));
        }
        try {
            parse("3d6+x");
        } catch (IllegalArgumentException unreadable) {
            System.out.println(unreadable.getMessage());
        }
    }
}
