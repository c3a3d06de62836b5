import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** A sorted set in a tree that keeps itself flat. */
public class Main<T extends Comparable<T>> implements Iterable<T> {

    private static class Node<T> {
        final T value;
        Node<T> left;
        Node<T> right;
        int height = 1;

        Node(T value) {
            this.value = value;
        }
    }

    private Node<T> root;
    private int size;
    private int rotations;

    boolean add(T value) {
        int before = size;
        root = insert(root, value);
        return size > before;
    }

    private Node<T> insert(Node<T> node, T value) {
        if (node == null) {
            size++;
            return new Node<>(value);
        }
        int order = value.compareTo(node.value);
        if (order == 0) {
            return node;
        }
        if (order < 0) {
            node.left = insert(node.left, value);
        } else {
            node.right = insert(node.right, value);
        }
        return balance(node);
    }

    private Node<T> balance(Node<T> node) {
        update(node);
        int lean = lean(node);
        if (lean > 1) {
            if (lean(node.left) < 0) {
                node.left = rotateLeft(node.left);
            }
            return rotateRight(node);
        }
        if (lean < -1) {
            if (lean(node.right) > 0) {
                node.right = rotateRight(node.right);
            }
            return rotateLeft(node);
        }
        return node;
    }

    private Node<T> rotateRight(Node<T> node) {
        Node<T> top = node.left;
        node.left = top.right;
        top.right = node;
        return turned(node, top);
    }

    private Node<T> rotateLeft(Node<T> node) {
        Node<T> top = node.right;
        node.right = top.left;
        top.left = node;
        return turned(node, top);
    }

    private Node<T> turned(Node<T> below, Node<T> top) {
        rotations++;
        update(below);
        update(top);
        return top;
    }

    private static void update(Node<?> node) {
        node.height = 1 + Math.max(height(node.left), height(node.right));
    }

    private static int lean(Node<?> node) {
        return height(node.left) - height(node.right);
    }

    private static int height(Node<?> node) {
        return node == null ? 0 : node.height;
    }

    /** The smallest value that is not below the given one, or null. */
    T ceiling(T limit) {
        T best = null;
        Node<T> node = root;
        while (node != null) {
            if (node.value.compareTo(limit) >= 0) {
                best = node.value;
                node = node.left;
            } else {
                node = node.right;
            }
        }
        return best;
    }

    /** Walks with a stack of the nodes whose left side is done. */
    private class Ascending implements Iterator<T> {
        private final Deque<Node<T>> waiting = new ArrayDeque<>();

        Ascending() {
            descend(root);
        }

        private void descend(Node<T> node) {
            for (Node<T> next = node; next != null; next = next.left) {
                waiting.push(next);
            }
        }

        @Override
        public boolean hasNext() {
            return !waiting.isEmpty();
        }

        @Override
        public T next() {
            Node<T> node = waiting.pop();
            descend(node.right);
            return node.value;
        }
    }

    @Override
    public Iterator<T> iterator() {
        return new Ascending();
    }

    public static void main(String[] args) {
        Main<Integer> primes = new Main<>();
        for (int value : new int[] {2, 3, 5, 7, 11, 13, 17, 5}) {
            primes.add(value);
        }
        int sum = 0;
        for (int prime : primes) {
            sum += prime;
        }
        System.out.println(primes.size + " values, sum " + sum + ", root " + primes.root.value);
        System.out.println("height " + primes.root.height + " after " + primes.rotations + " rotations");
        Main<String> names = new Main<>();
        System.out.println(names.add("mia") + " " + names.add("ada") + " " + names.add("mia"));
        names.add("bob");
        System.out.println(String.join("<", names) + " under " + names.root.value);
    }
}
