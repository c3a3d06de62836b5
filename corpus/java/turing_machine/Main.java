import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Runs tables of a machine with a tape that is endless on both sides. */
public class Main {

    private static final String INCREMENT = """
        right 0 -> 0 R right
        right 1 -> 1 R right
        right _ -> _ L carry
        carry 1 -> 0 L carry
        carry 0 -> 1 S done
        carry _ -> 1 S done
        """;

    private static final String PALINDROME = """
        start a -> _ R seenA
        start b -> _ R seenB
        start _ -> _ S yes
        seenA a -> a R seenA
        seenA b -> b R seenA
        seenA _ -> _ L wantA
        seenB a -> a R seenB
        seenB b -> b R seenB
        seenB _ -> _ L wantB
        wantA a -> _ L back
        wantA b -> b S no
        wantA _ -> _ S yes
        wantB b -> _ L back
        wantB a -> a S no
        wantB _ -> _ S yes
        back a -> a L back
        back b -> b L back
        back _ -> _ R start
        """;

    record Situation(String state, char symbol) {}

    record Step(char write, int move, String next) {}

    static final class Program {
        private final Map<Situation, Step> table = new HashMap<>();
        private final String first;

        Program(String source) {
            source.lines().forEach(this::addRule);
            first = source.substring(0, source.indexOf(' '));
        }

        private void addRule(String line) {
            String[] words = line.split(" +");
            Situation situation = new Situation(words[0], words[1].charAt(0));
            Step step = new Step(words[3].charAt(0), direction(words[4]), words[5]);
            if (table.put(situation, step) != null) {
                throw new IllegalArgumentException("two rules for " + situation);
            }
        }

        private static int direction(String letter) {
            return switch (letter) {
                case "L" -> -1;
                case "R" -> 1;
                case "S" -> 0;
                default -> throw new IllegalArgumentException("no direction " + letter);
            };
        }
    }

    static final class Tape {
        private final TreeMap<Integer, Character> cells = new TreeMap<>();

        Tape(String input) {
            for (int i = 0; i < input.length(); i++) {
                write(i, input.charAt(i));
            }
        }

        char read(int place) {
            return cells.getOrDefault(place, '_');
        }

        void write(int place, char symbol) {
            if (symbol == '_') {
                cells.remove(place);
            } else {
                cells.put(place, symbol);
            }
        }

        int written() {
            return cells.size();
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            if (!cells.isEmpty()) {
                for (int place = cells.firstKey(); place <= cells.lastKey(); place++) {
                    text.append(read(place));
                }
            }
            return text.toString();
        }
    }

    static String run(Program program, String input, int most) {
        Tape tape = new Tape(input);
        String state = program.first;
        int head = 0;
        for (int steps = 0; steps < most; steps++) {
            Step step = program.table.get(new Situation(state, tape.read(head)));
            if (step == null) {
                return state + " [" + tape + "] after " + steps;
            }
            tape.write(head, step.write());
            head += step.move();
            state = step.next();
        }
        return "still running";
    }

    public static void main(String[] args) {
        Program increment = new Program(INCREMENT);
        System.out.println(run(increment, "1011", 100));
        System.out.println(run(increment, "111", 100));
        System.out.println(run(increment, "111", 8));
        Program palindrome = new Program(PALINDROME);
        for (String word : new String[] {"abba", "aba", "abab"}) {
            System.out.println(word + ": " + run(palindrome, word, 100));
        }
    }
}
