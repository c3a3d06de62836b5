import java.util.ArrayList;
import java.util.List;

public class Main {

    enum Align {
        LEFT {
            @Override
            String fit(String text, int width) {
                return text + blanks(width - text.length());
            }
        },
        RIGHT {
            @Override
            String fit(String text, int width) {
                return blanks(width - text.length()) + text;
            }
        },
        CENTER {
            @Override
            String fit(String text, int width) {
                int spare = width - text.length();
                int before = spare / 2;
                return blanks(before) + text + blanks(spare - before);
            }
        },
        JUSTIFY {
            @Override
            String fit(String text, int width) {
                String[] words = text.split(" ");
                int gaps = words.length - 1;
                if (gaps == 0) {
                    return LEFT.fit(text, width);
                }
                int spare = width - text.length();
                StringBuilder line = new StringBuilder(words[0]);
                for (int gap = 0; gap < gaps; gap++) {
                    // The first gaps take what cannot be shared out evenly.
                    int extra = spare / gaps + (gap < spare % gaps ? 1 : 0);
                    line.append(blanks(1 + extra)).append(words[gap + 1]);
                }
                return line.toString();
            }
        };

        abstract String fit(String text, int width);
    }

    static String blanks(int count) {
        return " ".repeat(Math.max(0, count));
    }

    /** Breaks a paragraph into lines of at most {@code width} characters. */
    static List<String> wrap(String paragraph, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : paragraph.split("\\s+")) {
            for (String piece : chop(word, width)) {
                if (line.length() > 0 && line.length() + 1 + piece.length() > width) {
                    lines.add(line.toString());
                    line.setLength(0);
                }
                if (line.length() > 0) {
                    line.append(' ');
                }
                line.append(piece);
            }
        }
        if (line.length() > 0) {
            lines.add(line.toString());
        }
        return lines;
    }

    private static List<String> chop(String word, int width) {
        if (word.length() <= width) {
            return List.of(word);
        }
        return chopLong(word, width);
    }

    private static List<String> chopLong(String word, int width) {
        List<String> pieces = new ArrayList<>();
        for (int start = 0; start < word.length(); start += width) {
            pieces.add(word.substring(start, Math.min(word.length(), start + width)));
        }
        return pieces;
    }

    static List<String> block(String paragraph, int width, Align align) {
        List<String> lines = wrap(paragraph, width);
        List<String> fitted = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            boolean last = i == lines.size() - 1;
            Align used = last && align == Align.JUSTIFY ? Align.LEFT : align;
            fitted.add(used.fit(lines.get(i), width));
        }
        return fitted;
    }

    /** Sets blocks side by side; a short block is filled with empty lines below. */
    @SafeVarargs
    static List<String> beside(int width, List<String>... blocks) {
        int height = 0;
        for (List<String> block : blocks) {
            height = Math.max(height, block.size());
        }
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < height; row++) {
            StringBuilder joined = new StringBuilder("|");
            for (List<String> block : blocks) {
                joined.append(row < block.size() ? block.get(row) : blanks(width)).append('|');
            }
            rows.add(joined.toString());
        }
        return rows;
    }

    public static void main(String[] args) {
        String left = "The quick brown fox jumps over the lazy dog";
        String middle = "Pack my box with five dozen jugs";
        beside(12, block(left, 12, Align.JUSTIFY), block(middle, 12, Align.RIGHT))
            .forEach(System.out::println);
        for (String line : block("Short and sweet", 9, Align.LEFT)) {
            System.out.println("[" + line + "]");
        }
    }
}
