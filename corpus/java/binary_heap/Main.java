import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** A priority queue in an array, and what one can sort and merge with it. */
public class Main {

    static class Heap<T> {
        private final List<T> items = new ArrayList<>();
        private final Comparator<? super T> order;

        Heap(Comparator<? super T> order) {
            this.order = order;
        }

        static <C extends Comparable<? super C>> Heap<C> natural(Collection<? extends C> start) {
            Heap<C> heap = new Heap<>(Comparator.naturalOrder());
            heap.items.addAll(start);
            for (int parent = heap.size() / 2 - 1; parent >= 0; parent--) {
                heap.sink(parent);
            }
            return heap;
        }

        int size() {
            return items.size();
        }

        void push(T item) {
            items.add(item);
            rise(size() - 1);
        }

        T peek() {
            if (items.isEmpty()) {
                throw new IllegalStateException("the heap is empty");
            }
            return items.get(0);
        }

        T pop() {
            T top = peek();
            T last = items.remove(size() - 1);
            if (size() > 0) {
                items.set(0, last);
                sink(0);
            }
            return top;
        }

        /** Pops and pushes in one step; cheaper than both. */
        T replaceTop(T item) {
            T top = peek();
            items.set(0, item);
            sink(0);
            return top;
        }

        private void rise(int child) {
            int parent = (child - 1) / 2;
            if (child > 0 && before(child, parent)) {
                swap(child, parent);
                rise(parent);
            }
        }

        private void sink(int parent) {
            int best = parent;
            for (int child = 2 * parent + 1; child <= 2 * parent + 2; child++) {
                if (child < size() && before(child, best)) {
                    best = child;
                }
            }
            if (best != parent) {
                swap(best, parent);
                sink(best);
            }
        }

        private boolean before(int a, int b) {
            return order.compare(items.get(a), items.get(b)) < 0;
        }

        private void swap(int a, int b) {
            T item = items.get(a);
            items.set(a, items.get(b));
            items.set(b, item);
        }
    }

    /** The least {@code most} items in ascending order, with a heap that never grows beyond them. */
    static <T> List<T> least(int most, Iterable<T> items, Comparator<? super T> order) {
        if (most < 0) {
            throw new IllegalArgumentException("fewer items than none");
        }
        Heap<T> worstFirst = new Heap<>(order.reversed());
        for (T item : items) {
            if (worstFirst.size() < most) {
                worstFirst.push(item);
            } else if (most > 0 && order.compare(item, worstFirst.peek()) < 0) {
                worstFirst.replaceTop(item);
            }
        }
        List<T> result = new ArrayList<>();
        while (worstFirst.size() > 0) {
            result.add(0, worstFirst.pop());
        }
        return result;
    }

    static <C extends Comparable<? super C>> List<C> sort(Collection<C> items) {
        Heap<C> heap = Heap.natural(items);
        List<C> sorted = new ArrayList<>();
        while (heap.size() > 0) {
            sorted.add(heap.pop());
        }
        return sorted;
    }

    static int byLength(String one, String other) {
        return Integer.compare(one.length(), other.length());
    }

    public static void main(String[] args) {
        List<Integer> numbers = List.of(42, 7, 19, 3, 88, 7, 51, 26);
        System.out.println(Heap.natural(numbers).items);
        List<String> words = List.of("plum", "fig", "banana", "apple", "cherry", "kiwi", "date");
        System.out.println(least(3, words, Main::byLength));
        System.out.println(least(3, words, Comparator.comparing(String::length).reversed()));
        System.out.println(least(0, words, Comparator.naturalOrder()));
    }
}
