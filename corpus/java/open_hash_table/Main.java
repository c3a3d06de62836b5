import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** A hash table without lists: colliding keys move on to the next free place. */
public class Main {

    /** Stands where a key was removed, so that searches go on behind it. */
    private static final Object REMOVED = new Object();

    private final ToIntFunction<Object> hash;
    private Object[] keys;
    private Object[] values;
    private int size;
    private int removed;

    Main(int capacity, ToIntFunction<Object> hash) {
        this.hash = hash;
        this.keys = new Object[capacity];
        this.values = new Object[capacity];
    }

    Object get(Object key) {
        int place = locate(key);
        return place < 0 ? null : values[place];
    }

    Object put(Object key, Object value) {
        int place = locate(key);
        if (place >= 0) {
            Object before = values[place];
            values[place] = value;
            return before;
        }
        if (4 * (size + removed + 1) > 3 * keys.length) {
            rebuild(size + 1 > keys.length / 2 ? 2 * keys.length : keys.length);
        }
        insert(key, value);
        return null;
    }

    Object remove(Object key) {
        int place = locate(key);
        if (place < 0) {
            return null;
        }
        Object before = values[place];
        keys[place] = REMOVED;
        values[place] = null;
        size--;
        removed++;
        return before;
    }

    private int home(Object key) {
        return Math.floorMod(hash.applyAsInt(key), keys.length);
    }

    private int after(int place) {
        return (place + 1) % keys.length;
    }

    private int locate(Object key) {
        int place = home(key);
        while (keys[place] != null) {
            if (keys[place].equals(key)) {
                return place;
            }
            place = after(place);
        }
        return -1;
    }

    /** Puts a key that is not there into the first free place, or into one that became free. */
    private void insert(Object key, Object value) {
        int place = home(key);
        while (keys[place] != null && keys[place] != REMOVED) {
            place = after(place);
        }
        if (keys[place] == REMOVED) {
            removed--;
        }
        keys[place] = key;
        values[place] = value;
        size++;
    }

    private void rebuild(int capacity) {
        Object[] oldKeys = keys;
        Object[] oldValues = values;
        keys = new Object[capacity];
        values = new Object[capacity];
        size = 0;
        removed = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != null && oldKeys[i] != REMOVED) {
                insert(oldKeys[i], oldValues[i]);
            }
        }
    }

    /** How many places a search for the key looks at. */
    int probes(Object key) {
        int count = 1;
        for (int place = home(key); keys[place] != null && !keys[place].equals(key); place = after(place)) {
            count++;
        }
        return count;
    }

    void clear() {
        keys = new Object[keys.length];
        values = new Object[keys.length];
        size = 0;
        removed = 0;
    }

    @Override
    public String toString() {
        List<String> places = new ArrayList<>();
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] == null) {
                places.add("-");
            } else {
                places.add(keys[i] == REMOVED ? "x" : keys[i] + "=" + values[i]);
            }
        }
        return String.join(" ", places);
    }

    static int firstLetter(Object key) {
        return key.toString().charAt(0) - 'a';
    }

    public static void main(String[] args) {
        Main table = new Main(8, Main::firstLetter);
        for (String name : new String[] {"ann", "cat", "amy", "abe", "hal", "hugo"}) {
            table.put(name, name.length());
        }
        System.out.println(table);
        System.out.println(table.probes("abe") + " probes, amy was " + table.remove("amy"));
        System.out.println(table);
        table.put("bob", 33);
        System.out.println(table.put("abe", 7) + " " + table);
        table.put("eve", 1);
        System.out.println(table);
        System.out.println(table.get("zoe") + " " + table.remove("amy"));
    }
}
