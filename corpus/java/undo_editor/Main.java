import java.util.ArrayDeque;
import java.util.Deque;

/** A line of text that remembers how each change can be taken back. */
public class Main {

    private final StringBuilder text = new StringBuilder();
    private final Deque<Change> done = new ArrayDeque<>();
    private final Deque<Change> undone = new ArrayDeque<>();
    private int cursor;

    abstract class Change {
        private final int cursorBefore = cursor;

        abstract void apply();

        abstract void revert();

        /** Takes a later change into this one, so that both are undone together. */
        boolean absorb(Change later) {
            return false;
        }

        final void undo() {
            revert();
            cursor = cursorBefore;
        }
    }

    class Insertion extends Change {
        private final int place;
        private String inserted;

        Insertion(String inserted) {
            this.place = cursor;
            this.inserted = inserted;
        }

        @Override
        void apply() {
            text.insert(place, inserted);
            cursor = place + inserted.length();
        }

        @Override
        void revert() {
            text.delete(place, place + inserted.length());
        }

        @Override
        boolean absorb(Change later) {
            if (later instanceof Insertion next
                    && next.place == place + inserted.length()
                    && !inserted.endsWith(" ")) {
                inserted += next.inserted;
                return true;
            }
            return false;
        }
    }

    class Deletion extends Change {
        private final int start;
        private final String removed;

        Deletion(int count) {
            start = Math.max(0, cursor - count);
            removed = text.substring(start, cursor);
        }

        @Override
        void apply() {
            text.delete(start, start + removed.length());
            cursor = start;
        }

        @Override
        void revert() {
            text.insert(start, removed);
        }
    }

    private Main perform(Change change) {
        change.apply();
        undone.clear();
        if (done.isEmpty() || !done.peek().absorb(change)) {
            done.push(change);
        }
        return this;
    }

    Main type(String words) {
        if (words.contains("\n")) {
            throw new IllegalArgumentException("more than one line");
        }
        for (char letter : words.toCharArray()) {
            perform(new Insertion(String.valueOf(letter)));
        }
        return this;
    }

    Main backspace(int count) {
        return cursor == 0 ? this : perform(new Deletion(count));
    }

    Main moveTo(int place) {
        if (place < 0 || place > text.length()) {
            throw new IndexOutOfBoundsException("no place " + place);
        }
        cursor = place;
        return this;
    }

    boolean undo() {
        if (done.isEmpty()) {
            return false;
        }
        Change change = done.pop();
        change.undo();
        undone.push(change);
        return true;
    }

    boolean redo() {
        if (undone.isEmpty()) {
            return false;
        }
        Change change = undone.pop();
        change.apply();
        done.push(change);
        return true;
    }

    int changes() {
        return done.size();
    }

    Main show(String title) {
        System.out.println(title + ": " + text.substring(0, cursor) + "|" + text.substring(cursor));
        return this;
    }

    public static void main(String[] args) {
        Main editor = new Main();
        editor.type("dear old friend").show("typed");
        editor.undo();
        editor.show("undone");
        editor.moveTo(5).backspace(3).type("k ").show("changed");
        while (editor.undo()) {
            editor.show("back");
        }
        editor.redo();
        editor.redo();
        editor.show("again");
        editor.moveTo(0).backspace(1).type(">").show("marked");
        System.out.println("redo possible: " + editor.redo());
    }
}
