import java.util.Map;
import java.util.TreeMap;

/** Reads formulas such as {@code Ca(OH)2} and weighs them. */
public class Main {

    private static final Map<String, Double> WEIGHTS = Map.of(
        "H", 1.008, "C", 12.011, "N", 14.007, "O", 15.999,
        "Na", 22.990, "S", 32.06, "Ca", 40.078, "Cu", 63.546);

    static class FormulaError extends IllegalArgumentException {
        FormulaError(String problem, int position) {
            super(problem + " at " + position);
        }
    }

    static class Parser {
        private final String text;
        private int position;

        Parser(String text) {
            this.text = text;
        }

        /** formula = part ("." part)*, where the dot adds crystal water or the like. */
        Map<String, Integer> formula() {
            Map<String, Integer> atoms = new TreeMap<>();
            do {
                int factor = number();
                merge(atoms, groups(), factor);
            } while (accept('.'));
            if (position < text.length()) {
                throw new FormulaError("unexpected " + text.charAt(position), position);
            }
            return atoms;
        }

        /** groups = ((element | "(" groups ")") number)+ */
        private Map<String, Integer> groups() {
            Map<String, Integer> atoms = new TreeMap<>();
            int begin = position;
            while (position < text.length()) {
                if (accept('(')) {
                    Map<String, Integer> inner = groups();
                    expect(')');
                    merge(atoms, inner, number());
                } else if (Character.isUpperCase(text.charAt(position))) {
                    String element = element();
                    merge(atoms, Map.of(element, 1), number());
                } else {
                    break;
                }
            }
            if (position == begin) {
                throw new FormulaError("element expected", position);
            }
            return atoms;
        }

        private String element() {
            int end = position + 1;
            while (end < text.length() && Character.isLowerCase(text.charAt(end))) {
                end++;
            }
            String symbol = text.substring(position, end);
            if (!WEIGHTS.containsKey(symbol)) {
                throw new FormulaError("unknown element " + symbol, position);
            }
            position = end;
            return symbol;
        }

        private int number() {
            int value = 0;
            while (position < text.length() && Character.isDigit(text.charAt(position))) {
                value = 10 * value + Character.digit(text.charAt(position), 10);
                position++;
            }
            return value == 0 ? 1 : value;
        }

        private boolean accept(char wanted) {
            boolean there = position < text.length() && text.charAt(position) == wanted;
            if (there) {
                position++;
            }
            return there;
        }

        private void expect(char wanted) {
            if (!accept(wanted)) {
                throw new FormulaError("missing " + wanted, position);
            }
        }

        private static void merge(Map<String, Integer> target, Map<String, Integer> part, int factor) {
            part.forEach((element, count) -> target.merge(element, count * factor, Integer::sum));
        }
    }

    static double weigh(Map<String, Integer> atoms) {
        double total = 0;
        for (var entry : atoms.entrySet()) {
            total += WEIGHTS.get(entry.getKey()) * entry.getValue();
        }
        return total;
    }

    static double share(String element, Map<String, Integer> atoms) {
        if (!atoms.containsKey(element)) {
            return 0;
        }
        return 100 * atoms.get(element) * WEIGHTS.get(element) / weigh(atoms);
    }

    public static void main(String[] args) {
        for (String formula : new String[] {"C2H5OH", "Ca(OH)2", "CuSO4.5H2O", "Na(", "H2Q", "NH4)2"}) {
            try {
                Map<String, Integer> atoms = new Parser(formula).formula();
                System.out.printf("%s %s %.2f%n", formula, atoms, weigh(atoms));
            } catch (FormulaError error) {
                System.out.println(formula + ": " + error.getMessage());
            }
        }
    }
}
