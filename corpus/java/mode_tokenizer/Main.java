import java.util.ArrayList;
import java.util.List;

/** Splits lines of a small configuration language into tokens. */
public class Main {

    enum Kind { WORD, NUMBER, TEXT, SYMBOL }

    record Token(Kind kind, String text, int column) {
        @Override
        public String toString() {
            return kind.name().charAt(0) + ":" + text + "@" + column;
        }
    }

    static class TokenError extends RuntimeException {
        TokenError(String message, int column) {
            super(message + " at column " + column);
        }
    }

    /** One mode of the tokenizer: takes a character and names the mode for the next one. */
    @FunctionalInterface
    interface Mode {
        Mode accept(char c);
    }

    static class Tokenizer {
        private static final char END = '\n';

        private final List<Token> tokens = new ArrayList<>();
        private final StringBuilder pending = new StringBuilder();
        private int column;
        private int start;

        List<Token> run(String line) {
            Mode mode = this::between;
            for (column = 1; column <= line.length(); column++) {
                mode = mode.accept(line.charAt(column - 1));
            }
            mode.accept(END);
            return tokens;
        }

        private Mode between(char c) {
            if (Character.isWhitespace(c)) {
                return this::between;
            }
            start = column;
            if (c == '#') {
                return this::inComment;
            }
            if (c == '"') {
                return this::inText;
            }
            if (Character.isLetter(c)) {
                pending.append(c);
                return this::inWord;
            }
            if (Character.isDigit(c)) {
                pending.append(c);
                return this::inNumber;
            }
            pending.append(c);
            return finish(Kind.SYMBOL);
        }

        private Mode inWord(char c) {
            if (Character.isLetterOrDigit(c) || c == '_') {
                pending.append(c);
                return this::inWord;
            }
            return finish(Kind.WORD).accept(c);
        }

        private Mode inNumber(char c) {
            if (Character.isDigit(c)) {
                pending.append(c);
                return this::inNumber;
            }
            if (Character.isLetter(c)) {
                throw new TokenError("letter in a number", column);
            }
            return finish(Kind.NUMBER).accept(c);
        }

        private Mode inText(char c) {
            if (c == END) {
                throw new TokenError("text without end", start);
            }
            if (c == '\\') {
                return this::afterBackslash;
            }
            if (c == '"') {
                return finish(Kind.TEXT);
            }
            pending.append(c);
            return this::inText;
        }

        private Mode afterBackslash(char c) {
            if (c == END) {
                return inText(c);
            }
            pending.append(c == 't' ? '\t' : c);
            return this::inText;
        }

        private Mode inComment(char c) {
            return this::inComment;
        }

        private Mode finish(Kind kind) {
            tokens.add(new Token(kind, pending.toString(), start));
            pending.setLength(0);
            return this::between;
        }
    }

    public static void main(String[] args) {
        String[] lines = {
            "port = 8080 # default",
            "name=\"main \\\"hall\\\"\"",
            "retry_2 [3,10]",
        };
        for (String line : lines) {
            try {
                System.out.println(new Tokenizer().run(line));
            } catch (TokenError error) {
                System.out.println(error.getMessage());
            }
        }
    }
}
