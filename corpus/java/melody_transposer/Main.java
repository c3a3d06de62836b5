import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.UnaryOperator;

public class Main {

    enum Pitch {
        C, C_SHARP, D, D_SHARP, E, F, F_SHARP, G, G_SHARP, A, A_SHARP, B;

        static final int COUNT = values().length;

        static Pitch at(int index) {
            return values()[Math.floorMod(index, COUNT)];
        }

        String sign() {
            return name().replace("_SHARP", "#");
        }
    }

    /** A note with its octave; length counts sixteenths. */
    record Note(Pitch pitch, int octave, int length) {

        int key() {
            return octave * Pitch.COUNT + pitch.ordinal();
        }

        Note shift(int semitones) {
            int key = key() + semitones;
            return new Note(Pitch.at(key), Math.floorDiv(key, Pitch.COUNT), length);
        }

        Note stretch(int numerator, int denominator) {
            int scaled = length * numerator;
            if (scaled % denominator != 0) {
                throw new ArithmeticException("no sixteenths: " + this);
            }
            return new Note(pitch, octave, scaled / denominator);
        }

        @Override
        public String toString() {
            return pitch.sign() + octave + (length == 4 ? "" : "/" + length);
        }
    }

    static class Melody implements Iterable<Note> {
        private final List<Note> notes;

        Melody(List<Note> notes) {
            this.notes = List.copyOf(notes);
        }

        /** Reads notes such as {@code C4 F#4/2}; a quarter, 4 sixteenths, needs no length. */
        static Melody parse(String text) {
            List<Note> notes = new ArrayList<>();
            for (String word : text.split(" ")) {
                String[] parts = word.split("/");
                int digits = parts[0].length() - 1;
                int length = parts.length == 1 ? 4 : Integer.parseInt(parts[1]);
                int octave = parts[0].charAt(digits) - '0';
                notes.add(new Note(pitch(parts[0].substring(0, digits)), octave, length));
            }
            return new Melody(notes);
        }

        private static Pitch pitch(String sign) {
            for (Pitch pitch : Pitch.values()) {
                if (pitch.sign().equals(sign)) {
                    return pitch;
                }
            }
            throw new IllegalArgumentException("no pitch " + sign);
        }

        Melody map(UnaryOperator<Note> change) {
            return new Melody(notes.stream().map(change).toList());
        }

        /** Mirrors all notes at the first one: what went up goes down. */
        Melody invert() {
            int axis = notes.get(0).key();
            return map(note -> note.shift(2 * (axis - note.key())));
        }

        Iterable<Note> backwards() {
            return () -> new Iterator<>() {
                private int left = notes.size();

                @Override
                public boolean hasNext() {
                    return left > 0;
                }

                @Override
                public Note next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    return notes.get(--left);
                }
            };
        }

        @Override
        public Iterator<Note> iterator() {
            return notes.iterator();
        }

        int length() {
            int total = 0;
            for (Note note : this) {
                total += note.length();
            }
            return total;
        }
    }

    static String join(Iterable<Note> notes) {
        List<String> signs = new ArrayList<>();
        notes.forEach(note -> signs.add(note.toString()));
        return String.join(" ", signs);
    }

    public static void main(String[] args) {
        Melody tune = Melody.parse("A4 C5/2 B4/2 G#4 E4/8");
        System.out.println(join(tune) + " = " + tune.length());
        System.out.println(join(tune.map(note -> note.shift(-9))));
        System.out.println(join(tune.invert()));
        System.out.println(join(tune.backwards()));
    }
}
