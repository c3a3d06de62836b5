import java.util.function.IntPredicate;

/** Patterns put together from functions; each hands the places it reaches to a continuation. */
public class Main {

    /** Tries to match from a place on; asks the rest whether it can go on from where it ends. */
    @FunctionalInterface
    interface Pattern {
        boolean match(String text, int at, IntPredicate rest);

        default Pattern then(Pattern next) {
            return (text, at, rest) -> match(text, at, middle -> next.match(text, middle, rest));
        }

        default Pattern or(Pattern other) {
            return (text, at, rest) -> match(text, at, rest) || other.match(text, at, rest);
        }

        /** As often as possible first, then less often, down to {@code least}. */
        default Pattern repeat(int least, int most) {
            return new Repetition(this, least, most);
        }

        default Pattern many() {
            return repeat(0, Integer.MAX_VALUE);
        }

        default boolean matches(String text) {
            return match(text, 0, end -> end == text.length());
        }

        default String find(String text) {
            int[] end = new int[1];
            for (int start = 0; start <= text.length(); start++) {
                if (match(text, start, place -> note(end, place))) {
                    return text.substring(start, end[0]);
                }
            }
            return null;
        }

        private static boolean note(int[] end, int place) {
            end[0] = place;
            return true;
        }
    }

    private record Repetition(Pattern item, int least, int most) implements Pattern {
        Repetition {
            if (least > most) {
                throw new IllegalArgumentException("at least " + least + " but at most " + most);
            }
        }

        @Override
        public boolean match(String text, int at, IntPredicate rest) {
            return attempt(text, at, 0, rest);
        }

        private boolean attempt(String text, int at, int count, IntPredicate rest) {
            boolean more = count < most
                && item.match(text, at, end -> end > at && attempt(text, end, count + 1, rest));
            return more || count >= least && rest.test(at);
        }
    }

    static Pattern one(IntPredicate wanted) {
        return (text, at, rest) ->
            at < text.length() && wanted.test(text.charAt(at)) && rest.test(at + 1);
    }

    static Pattern word(String letters) {
        return (text, at, rest) -> text.startsWith(letters, at) && rest.test(at + letters.length());
    }

    static Pattern anyOf(String letters) {
        return one(letter -> letters.indexOf(letter) >= 0);
    }

    static Pattern digit() {
        return one(Character::isDigit);
    }

    static Pattern letter() {
        return one(Character::isLetter);
    }

    /** Matches nothing, but only where the given pattern does not match. */
    static Pattern not(Pattern pattern) {
        return (text, at, rest) -> !pattern.match(text, at, end -> true) && rest.test(at);
    }

    static Pattern optional(Pattern pattern) {
        return pattern.repeat(0, 1);
    }

    /** A pattern that can speak of itself: balanced brackets of one kind. */
    static Pattern balanced(char open, char close) {
        return new Pattern() {
            private final Pattern inside = one(c -> c != open && c != close).or(this).many();
            private final Pattern whole = word("" + open).then(inside).then(word("" + close));

            @Override
            public boolean match(String text, int at, IntPredicate rest) {
                return whole.match(text, at, rest);
            }
        };
    }

    public static void main(String[] args) {
        Pattern time = digit().repeat(1, 2).then(word(":")).then(anyOf("012345")).then(digit());
        System.out.println(time.find("tea at 17:45 or 9:70") + " " + time.matches("9:70"));
        Pattern name = letter().then(letter().or(digit()).many());
        Pattern call = name.then(balanced('(', ')'));
        System.out.println(call.find("x = f2(a, g(b)) + (1)"));
        System.out.println(call.find("f(a"));
        Pattern doubled = anyOf("ab").many().then(word("ab")).then(word("!").repeat(2, 3));
        for (String text : new String[] {"ab!!", "bbabab!!!", "ab!", "aab!!!!"}) {
            System.out.println(text + " " + doubled.matches(text));
        }
        Pattern comment = word("#").then(not(word("!"))).then(one(c -> c != ' ').many());
        System.out.println(comment.find("#!sh #note end"));
    }
}
