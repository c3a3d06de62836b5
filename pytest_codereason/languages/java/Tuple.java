package org.javatuples;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

public abstract class Tuple implements Iterable<Object>, java.io.Serializable, Comparable<Tuple> {
    private final List<Object> values;

    Tuple(Object... values) {
        this.values = Collections.unmodifiableList(Arrays.asList(values));
    }

    public final int getSize() { return values.size(); }
    public final Object getValue(int position) { return values.get(position); }
    public final Iterator<Object> iterator() { return values.iterator(); }
    public final boolean contains(Object value) { return values.contains(value); }
    public final boolean containsAll(Collection<?> others) { return values.containsAll(others); }
    public final int indexOf(Object value) { return values.indexOf(value); }
    public final int lastIndexOf(Object value) { return values.lastIndexOf(value); }
    public final List<Object> toList() { return values; }
    public final Object[] toArray() { return values.toArray(); }
    @Override public final String toString() { return values.toString(); }
    @Override public final int hashCode() { return 31 + values.hashCode(); }

    @Override public final boolean equals(Object other) {
        return other != null && getClass() == other.getClass() && values.equals(((Tuple) other).values);
    }

    @SuppressWarnings("unchecked")
    @Override public int compareTo(Tuple other) {
        for (int i = 0; i < Math.min(getSize(), other.getSize()); i++) {
            int order = ((Comparable<Object>) values.get(i)).compareTo(other.values.get(i));
            if (order != 0) return order;
        }
        return Integer.compare(getSize(), other.getSize());
    }
}
