import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/** Packs a text into bits by a tree in which frequent letters stand near the root. */
public class Main {

    static abstract class Node {
        final int weight;
        final char least;

        Node(int weight, char least) {
            this.weight = weight;
            this.least = least;
        }

        /** Notes the code of every letter below this node. */
        abstract void assign(String prefix, Map<Character, String> codes);

        /** Follows bits from a position; the reader takes the letter and goes on. */
        abstract void read(Reader reader);

        abstract int height();
    }

    static class Leaf extends Node {
        Leaf(char letter, int weight) {
            super(weight, letter);
        }

        @Override
        void assign(String prefix, Map<Character, String> codes) {
            codes.put(least, prefix.isEmpty() ? "0" : prefix);
        }

        @Override
        void read(Reader reader) {
            reader.emit(least);
        }

        @Override
        int height() {
            return 0;
        }
    }

    static class Fork extends Node {
        private final Node zero;
        private final Node one;

        Fork(Node zero, Node one) {
            super(zero.weight + one.weight, (char) Math.min(zero.least, one.least));
            this.zero = zero;
            this.one = one;
        }

        @Override
        void assign(String prefix, Map<Character, String> codes) {
            zero.assign(prefix + '0', codes);
            one.assign(prefix + '1', codes);
        }

        @Override
        void read(Reader reader) {
            (reader.nextBit() == '0' ? zero : one).read(reader);
        }

        @Override
        int height() {
            return 1 + Math.max(zero.height(), one.height());
        }
    }

    static class Reader {
        private final String bits;
        private final StringBuilder text = new StringBuilder();
        private int position;

        Reader(String bits) {
            this.bits = bits;
        }

        char nextBit() {
            if (position == bits.length()) {
                throw new IllegalStateException("bits end within a code");
            }
            return bits.charAt(position++);
        }

        void emit(char letter) {
            text.append(letter);
        }

        String readAll(Node root) {
            while (position < bits.length()) {
                if (root instanceof Leaf) {
                    nextBit(); // No fork takes the one bit of its code.
                }
                root.read(this);
            }
            return text.toString();
        }
    }

    static Node build(String text) {
        Map<Character, Integer> counts = new TreeMap<>();
        for (char letter : text.toCharArray()) {
            counts.merge(letter, 1, Integer::sum);
        }
        Comparator<Node> lightest = Comparator.comparingInt(node -> node.weight);
        PriorityQueue<Node> queue = new PriorityQueue<>(lightest.thenComparing(node -> node.least));
        counts.forEach((letter, count) -> queue.add(new Leaf(letter, count)));
        while (queue.size() > 1) {
            queue.add(new Fork(queue.poll(), queue.poll()));
        }
        return queue.poll();
    }

    static String encode(String text, Map<Character, String> codes) {
        StringBuilder bits = new StringBuilder();
        for (char letter : text.toCharArray()) {
            String code = codes.get(letter);
            if (code == null) {
                throw new IllegalArgumentException("no code for " + letter);
            }
            bits.append(code);
        }
        return bits.toString();
    }

    public static void main(String[] args) {
        String text = "abracadabra";
        Node tree = build(text);
        Map<Character, String> codes = new TreeMap<>();
        tree.assign("", codes);
        String bits = encode(text, codes);
        System.out.println(codes);
        System.out.println(bits + " (" + bits.length() + ")");
        System.out.println(new Reader(bits).readAll(tree));
        try {
            new Reader(bits.substring(0, 2)).readAll(tree);
        } catch (IllegalStateException cut) {
            System.out.println(cut.getMessage());
        }
    }
}
