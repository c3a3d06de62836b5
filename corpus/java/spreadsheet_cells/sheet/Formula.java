package sheet;

import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;

final class Formula {
    private final String text;
    private final ToDoubleFunction<String> cells;
    private int at = 1;

    Formula(String text, ToDoubleFunction<String> cells) {
        this.text = text.replace(" ", "");
        this.cells = cells;
    }

    double value() {
        double result = sum();
        if (at < text.length()) {
            throw new CellError("SYNTAX");
        }
        return result;
    }

    private double sum() {
        double total = product();
        while (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
            total += text.charAt(at++) == '+' ? product() : -product();
        }
        return total;
    }

    private double product() {
        double total = operand();
        while (at < text.length() && (text.charAt(at) == '*' || text.charAt(at) == '/')) {
            if (text.charAt(at++) == '*') {
                total *= operand();
            } else {
                total /= divisor();
            }
        }
        return total;
    }

    private double divisor() {
        double by = operand();
        if (by == 0) {
            throw new CellError("DIV0");
        }
        return by;
    }

    private double operand() {
        int begin = at;
        while (at < text.length() && ("" + text.charAt(at)).matches("[A-Z0-9.]")) {
            at++;
        }
        String word = text.substring(begin, at);
        if (at < text.length() && text.charAt(at) == '(') {
            return range(word);
        }
        if (word.isEmpty()) {
            throw new CellError("SYNTAX");
        }
        return Character.isDigit(word.charAt(0)) ? Double.parseDouble(word) : cells.applyAsDouble(word);
    }

    private double range(String function) {
        int close = text.indexOf(')', at);
        if (close < 0) {
            throw new CellError("SYNTAX");
        }
        String[] corners = text.substring(at + 1, close).split(":");
        at = close + 1;
        return switch (function) {
            case "SUM" -> fold(corners[0], corners[1], 0, Double::sum);
            case "MAX" -> fold(corners[0], corners[1], Double.NEGATIVE_INFINITY, Math::max);
            default -> throw new CellError("NAME");
        };
    }

    private double fold(String from, String to, double start, DoubleBinaryOperator step) {
        double result = start;
        for (char column = from.charAt(0); column <= to.charAt(0); column++) {
            for (char row = from.charAt(1); row <= to.charAt(1); row++) {
                result = step.applyAsDouble(result, cells.applyAsDouble("" + column + row));
            }
        }
        return result;
    }
}
