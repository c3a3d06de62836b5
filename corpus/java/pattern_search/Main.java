import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterators;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Finds a word in a text without ever going back in the text. */
public class Main {

    /** The table of Knuth, Morris and Pratt for one word. */
    static class Word {
        private final String letters;
        private final int[] border;

        Word(String letters) {
            if (letters.isEmpty()) {
                throw new IllegalArgumentException("empty word");
            }
            this.letters = letters;
            this.border = new int[letters.length() + 1];
            fill();
        }

        /** border[n]: length of the longest proper prefix of the first n letters that also ends them. */
        private void fill() {
            border[0] = -1;
            int length = -1;
            for (int i = 0; i < letters.length(); i++) {
                while (length >= 0 && !matches(length, letters.charAt(i))) {
                    length = border[length];
                }
                border[i + 1] = ++length;
            }
        }

        protected boolean matches(int position, char letter) {
            return letters.charAt(position) == letter;
        }

        int length() {
            return letters.length();
        }

        int advance(int matched, char letter) {
            int length = matched == length() ? border[matched] : matched;
            while (length >= 0 && !matches(length, letter)) {
                length = border[length];
            }
            return length + 1;
        }

        /** The shortest piece that, repeated, makes the whole word. */
        String period() {
            int step = length() - border[length()];
            return letters.substring(0, length() % step == 0 ? step : length());
        }
    }

    static class CaselessWord extends Word {
        CaselessWord(String letters) {
            super(letters);
        }

        @Override
        protected boolean matches(int position, char letter) {
            return super.matches(position, letter)
                || Character.toLowerCase(letter) == Character.toLowerCase(super.letters.charAt(position));
        }
    }

    /** Places of a word, found one at a time when asked for. */
    static class Matches implements Iterator<Integer> {
        private final Word word;
        private final String text;
        private final boolean overlapping;
        private int read;
        private int matched;
        private int next = -1;

        Matches(Word word, String text, boolean overlapping) {
            this.word = word;
            this.text = text;
            this.overlapping = overlapping;
        }

        @Override
        public boolean hasNext() {
            while (next < 0 && read < text.length()) {
                matched = word.advance(matched, text.charAt(read++));
                if (matched == word.length()) {
                    next = read - matched;
                    matched = overlapping ? matched : 0;
                }
            }
            return next >= 0;
        }

        @Override
        public Integer next() {
            if (!hasNext()) {
                throw new NoSuchElementException("no further match");
            }
            int place = next;
            next = -1;
            return place;
        }
    }

    static List<Integer> findAll(Word word, String text, boolean overlapping) {
        Iterator<Integer> matches = new Matches(word, text, overlapping);
        var split = Spliterators.spliteratorUnknownSize(matches, 0);
        return StreamSupport.stream(split, false).collect(Collectors.toList());
    }

    public static void main(String[] args) {
        Word ana = new Word("ana");
        System.out.println(findAll(ana, "bananas and ananas", true));
        System.out.println(findAll(ana, "bananas and ananas", false));
        System.out.println(findAll(new CaselessWord("To be"), "to BE or not To be", true));
        System.out.println(Arrays.toString(new Word("abcabcab").border));
    }
}
