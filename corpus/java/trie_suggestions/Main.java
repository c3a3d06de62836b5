import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;

/** Words in a tree of letters, for suggestions while somebody types. */
public class Main implements Iterable<String> {

    private static final class Node {
        private final TreeMap<Character, Node> next = new TreeMap<>();
        private int uses;

        Node child(char letter) {
            return next.computeIfAbsent(letter, key -> new Node());
        }

        boolean isEmpty() {
            return uses == 0 && next.isEmpty();
        }
    }

    private final Node root = new Node();

    Main addAll(String... words) {
        for (String word : words) {
            if (word.isEmpty()) {
                throw new IllegalArgumentException("an empty word");
            }
            Node node = root;
            for (char letter : word.toCharArray()) {
                node = node.child(letter);
            }
            node.uses++;
        }
        return this;
    }

    private Node find(String prefix) {
        Node node = root;
        for (int i = 0; i < prefix.length() && node != null; i++) {
            node = node.next.get(prefix.charAt(i));
        }
        return node;
    }

    /** Removes a word however often it was used, and branches that lead nowhere. */
    boolean remove(String word) {
        return remove(root, word, 0);
    }

    private boolean remove(Node node, String word, int depth) {
        if (depth == word.length()) {
            boolean known = node.uses > 0;
            node.uses = 0;
            return known;
        }
        Node child = node.next.get(word.charAt(depth));
        if (child == null || !remove(child, word, depth + 1)) {
            return false;
        }
        if (child.isEmpty()) {
            node.next.remove(word.charAt(depth));
        }
        return true;
    }

    String suggest(String prefix) {
        String best = null;
        int most = 0;
        for (String word : startingWith(prefix)) {
            int uses = find(word).uses;
            if (uses > most) {
                best = word;
                most = uses;
            }
        }
        return best == null ? prefix : best;
    }

    /** The letters that all words with this prefix share. */
    String complete(String prefix) {
        Node node = find(prefix);
        StringBuilder word = new StringBuilder(prefix);
        while (node != null && node.uses == 0 && node.next.size() == 1) {
            Map.Entry<Character, Node> only = node.next.firstEntry();
            word.append(only.getKey());
            node = only.getValue();
        }
        return word.toString();
    }

    Iterable<String> startingWith(String prefix) {
        return () -> walk(prefix);
    }

    private Iterator<String> walk(String prefix) {
        return new Iterator<>() {
            private final Deque<Map.Entry<String, Node>> open = new ArrayDeque<>();

            {
                Node start = find(prefix);
                if (start != null) {
                    open.push(Map.entry(prefix, start));
                }
                settle();
            }

            /** Goes on until a word lies on top. */
            private void settle() {
                while (!open.isEmpty() && open.peek().getValue().uses == 0) {
                    expand(open.pop());
                }
            }

            private void expand(Map.Entry<String, Node> entry) {
                entry.getValue().next.descendingMap()
                    .forEach((letter, node) -> open.push(Map.entry(entry.getKey() + letter, node)));
            }

            @Override
            public boolean hasNext() {
                return !open.isEmpty();
            }

            @Override
            public String next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                Map.Entry<String, Node> entry = open.pop();
                expand(entry);
                settle();
                return entry.getKey();
            }
        };
    }

    @Override
    public Iterator<String> iterator() {
        return walk("");
    }

    public static void main(String[] args) {
        Main words = new Main().addAll("stone", "storm", "story", "story", "stop", "sun", "star", "stone");
        System.out.println(String.join(" ", words.startingWith("sto")));
        System.out.println(words.suggest("st") + " " + words.suggest("sta") + " " + words.suggest("sky"));
        System.out.println(words.complete("s") + " " + words.complete("stor") + " " + words.complete("su"));
        System.out.println(words.remove("storm") + " " + words.remove("st") + " " + words.complete("stor"));
    }
}
