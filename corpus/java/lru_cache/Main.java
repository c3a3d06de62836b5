import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

public class Main {

    /** Keeps loaded values until their weight is too much, then forgets the least recently used. */
    static class Cache<K, V> {

        private class Entries extends LinkedHashMap<K, V> {
            Entries() {
                super(16, 0.75f, true);
            }

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                if (weight > limit && size() > 1) {
                    evicted(eldest.getValue());
                    return true;
                }
                return false;
            }
        }

        private final Entries entries = new Entries();
        private final Function<? super K, ? extends V> loader;
        private final ToIntFunction<? super V> weigher;
        private final int limit;
        private int weight;
        private int hits;
        private int misses;

        Cache(int limit, Function<? super K, ? extends V> loader, ToIntFunction<? super V> weigher) {
            this.limit = limit;
            this.loader = loader;
            this.weigher = weigher;
        }

        V get(K key) {
            V known = entries.get(key);
            if (known != null) {
                hits++;
                return known;
            }
            misses++;
            V loaded = loader.apply(key);
            weight += weigher.applyAsInt(loaded);
            entries.put(key, loaded);
            return loaded;
        }

        private void evicted(V value) {
            weight -= weigher.applyAsInt(value);
        }

        boolean invalidate(K key) {
            V removed = entries.remove(key);
            if (removed == null) {
                return false;
            }
            evicted(removed);
            return true;
        }

        double hitRate() {
            int asked = hits + misses;
            return asked == 0 ? 0 : (double) hits / asked;
        }

        @Override
        public String toString() {
            return entries.keySet() + " weight " + weight;
        }
    }

    /** Stands for an expensive page: the number of divisors decides its length. */
    static String render(int page) {
        StringBuilder text = new StringBuilder();
        for (int divisor = 1; divisor <= page; divisor++) {
            if (page % divisor == 0) {
                text.append('#');
            }
        }
        return text.toString();
    }

    public static void main(String[] args) {
        Cache<Integer, String> pages = new Cache<>(10, Main::render, String::length);
        for (int page : new int[] {4, 7, 6, 4, 9, 7, 4}) {
            pages.get(page);
            System.out.println(page + ": " + pages);
        }
        pages.get(12);
        System.out.println("12: " + pages);
        System.out.printf("rate %.2f%n", pages.hitRate());
    }
}
