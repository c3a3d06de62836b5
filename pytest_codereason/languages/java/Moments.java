package codereason;

import java.io.IOException;
import java.io.InputStream;
import java.lang.StackWalker.StackFrame;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;

/**
 * Notes every line that a traced program runs, and what variables hold before some of them. {@link MomentNotes} puts the
 * calls of it into the program.
 *
 * <p>A program may call all of this, too. So nobody's word is taken: the machine's own stack must say that the call is the
 * very one that was put there, by the class, the method and the place of the instruction in it. Then its arguments are those
 * that stand there.
 */
public final class Moments {
    /** What stands for a value: it is too long or no plain data; the variable has none. */
    private static final int TOO_LARGE = -1, UNBOUND = -2;
    /** Characters of all events, so that a whole trace stays below what a job may write. */
    private static final int MOST_CODE = 500_000;
    private static final String NOT_WHOLE =
            "{\"edges\":[],\"moments\":{\"frames\":[],\"events\":[],\"whole\":false,\"raised\":null,\"written\":[],\"visits\":[]}}";
    private static final String FORGED = "the program interferes with its trace";
    private static final String FULL = "the stack was full, so that lines may have run which nobody noted";
    private static final String GONE = "the machine had no room to note a line";
    /** The classes of values that hold others, and that run no code of the program while one looks at what they hold. */
    private static final Set<Class<?>> PLAIN = Set.of(ArrayList.class, LinkedList.class, ArrayDeque.class, Vector.class,
            Stack.class, PriorityQueue.class, HashSet.class, LinkedHashSet.class, TreeSet.class, HashMap.class,
            LinkedHashMap.class, TreeMap.class, Arrays.asList().getClass(), List.of().getClass(), List.of(0).getClass(),
            Set.of().getClass(), Set.of(0).getClass(), Map.of().getClass(), Map.of(0, 0).getClass(),
            Collections.emptyList().getClass(), Collections.emptySet().getClass(), Collections.emptyMap().getClass(),
            Collections.singletonList(0).getClass(), Collections.singleton(0).getClass(), Optional.class);
    private static final Set<Class<?>> SIMPLE = Set.of(Boolean.class, Byte.class, Short.class, Character.class, Integer.class,
            Long.class, Float.class, Double.class);

    /** One call that was put into the program; {@code bound} says of each name of its probe whether it has a value there. */
    private record Mark(String kind, Class<?> type, String method, String descriptor, int file, int line, int compiled,
            int probe, String bound, int[] places) {}

    private static Mark[] marks;
    private static Set<String> types;
    private static int mostEvents, mostVisits, mostText, room;
    private static final Thread first = Thread.currentThread();
    private static final StackWalker walker =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE); // else Java 22 tells no descriptors
    private static String complaint = "";
    private static boolean whole = true, ended;
    private static int begun;
    /** Of each event: its frame and its mark. Of each frame: its number, in the order of their first lines, and its last mark. */
    private static int[] frames, noted, last;
    private static int count;
    private static final Map<Integer, Integer> numbers = new HashMap<>();
    private static final StringBuilder files = new StringBuilder();
    private static int[] visits;
    private static StringBuilder[] seen;
    /** What is written, and the place of each text there by the type of an array, which is written as a list is. */
    private static final List<String> written = new ArrayList<>();
    private static final Map<String, Integer> texts = new HashMap<>();
    /** An exception that leaves methods, with the mark of the line from which it came, while no other line runs. */
    private static Throwable raised;
    private static Mark source;
    /** The exception that was caught last, be it by a "finally". */
    private static Throwable caught;

    private Moments() {}

    /** Begins, if the moments of the program are to be noted. */
    static boolean begin() throws IOException {
        String[] lines = read("marks");
        if (lines == null) {
            return false;
        }
        String[] most = read("most");
        mostEvents = Integer.parseInt(most[0]);
        mostVisits = Integer.parseInt(most[1]);
        mostText = Integer.parseInt(most[2]);
        room = Integer.parseInt(most[3]);
        int probes = Integer.parseInt(most[4]);
        complaint = most.length > 5 ? most[5] : "";
        // All classes of the program are there before it begins. So it can make none that has the name of one.
        Map<String, Class<?>> known = new HashMap<>();
        marks = new Mark[lines[0].isEmpty() ? 0 : lines.length];
        for (int i = 0; i < marks.length; i++) {
            String[] parts = lines[i].split(" ");
            Class<?> type = known.computeIfAbsent(parts[1], Moments::find);
            int[] places = Arrays.stream(parts, 9, parts.length).mapToInt(Integer::parseInt).toArray();
            marks[i] = new Mark(parts[0], type, parts[2], parts[3], Integer.parseInt(parts[4]), Integer.parseInt(parts[5]),
                    Integer.parseInt(parts[6]), Integer.parseInt(parts[7]), parts[8].substring(1), places);
        }
        types = known.keySet();
        frames = new int[mostEvents];
        noted = new int[mostEvents];
        last = new int[mostEvents];
        visits = new int[probes];
        seen = new StringBuilder[probes];
        Arrays.setAll(seen, probe -> new StringBuilder());
        return true;
    }

    private static String[] read(String name) throws IOException {
        try (InputStream lines = Moments.class.getResourceAsStream(name)) {
            return lines == null ? null : new String(lines.readAllBytes(), StandardCharsets.UTF_8).split("\n");
        }
    }

    private static Class<?> find(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException | LinkageError missing) {
            return Moments.class; // one that cannot be loaded runs no line
        }
    }

    /** Whether the call of this class is the one that was put into the program under this number. */
    private static boolean isWritten(String kind, int number) {
        if (number < 0 || number >= marks.length || !marks[number].kind.equals(kind)) {
            return false;
        }
        Mark mark = marks[number];
        return walker.walk(found -> {
            Iterator<StackFrame> left = found.iterator();
            StackFrame frame = left.next();
            while (frame.getDeclaringClass() == Moments.class) {
                frame = left.next();
            }
            boolean there = false;
            for (int place : mark.places) {
                there |= place == frame.getByteCodeIndex();
            }
            return there && frame.getDeclaringClass() == mark.type && frame.getMethodName().equals(mark.method)
                    && frame.getDescriptor().equals(mark.descriptor);
        });
    }

    /** Whether something is to be noted. Where several threads run lines, nothing is. */
    private static boolean isOpen(String kind, int number) {
        if (Thread.currentThread() != first) {
            whole = false;
        }
        if (!whole || ended || !complaint.isEmpty()) {
            return false;
        }
        if (!isWritten(kind, number)) {
            complaint = FORGED;
        }
        return complaint.isEmpty();
    }

    /** Stands before a condition that is constant, which the compiler would leave out. */
    public static boolean always() {
        return true;
    }

    /** A number for a call of a method. */
    public static int frame() {
        return ++begun;
    }

    /** A line is about to run. */
    public static void line(int frame, int number) {
        boolean done = false;
        try {
            if (isOpen("line", number)) {
                noteLine(frame, number);
            }
            done = true;
        } finally {
            complaint = done || !complaint.isEmpty() ? complaint : GONE;
        }
    }

    /** The same, with what the names of a probe hold, as far as they have a value. */
    public static void look(int frame, int number, Object[] held) {
        boolean done = false;
        try {
            if (isOpen("line", number) && noteLine(frame, number)) {
                noteVisit(marks[number], held);
            }
            done = true;
        } finally {
            complaint = done || !complaint.isEmpty() ? complaint : GONE;
        }
    }

    private static boolean noteLine(int frame, int number) {
        raised = null;
        if (count >= mostEvents) {
            whole = false;
            return false;
        }
        Integer place = numbers.get(frame);
        if (place == null) {
            place = numbers.size();
            numbers.put(frame, place);
            files.append(files.isEmpty() ? "" : ",").append(marks[number].file);
        }
        last[place] = number;
        frames[count] = place;
        noted[count] = number;
        count++;
        return true;
    }

    private static void noteVisit(Mark mark, Object[] held) {
        if (visits[mark.probe]++ >= mostVisits) {
            return;
        }
        StringBuilder values = new StringBuilder(), same = new StringBuilder();
        int[] names = new int[held.length]; // the place of each that has a value
        for (int i = 0, next = 0; i < mark.bound.length(); i++) {
            String comma = i == 0 ? "" : ",";
            int one = i;
            if (mark.bound.charAt(i) == '+') {
                names[next] = i;
                for (int j = next; j-- > 0; ) {
                    one = held[j] == held[next] ? names[j] : one;
                }
                values.append(comma).append(findText(held[next]));
                next++;
            } else {
                values.append(comma).append(UNBOUND);
            }
            same.append(comma).append(one);
        }
        StringBuilder all = seen[mark.probe];
        all.append(all.isEmpty() ? "[[" : ",[[").append(values).append("],[").append(same).append("]]");
    }

    /** The place of a value among those that are written, or that it is too large. */
    private static int findText(Object value) {
        StringBuilder json = new StringBuilder();
        try {
            if (isShort(value)) {
                Harness.write(json, value, 0, false);
            }
        } catch (Harness.NotALiteral none) {
            return TOO_LARGE;
        }
        String text = json.toString();
        if (text.isEmpty() || text.length() > mostText) {
            return TOO_LARGE;
        }
        String key = (value != null && value.getClass().isArray() ? value.getClass().getName() : "") + text;
        if (!texts.containsKey(key)) {
            if (text.length() > room) {
                return TOO_LARGE;
            }
            room -= text.length();
            texts.put(key, written.size());
            written.add(text);
        }
        return texts.get(key);
    }

    /** Whether a value may be short, as far as its sizes say, and is plain data. No code of the program runs to tell. */
    private static boolean isShort(Object value) {
        int left = mostText;
        Deque<Object> waiting = new ArrayDeque<>();
        waiting.push(new Object[] {value});
        while (!waiting.isEmpty() && left >= 0) {
            Object[] row = (Object[]) waiting.pop();
            for (Object one : row) {
                left--;
                if (one instanceof String text) {
                    left -= text.length();
                } else if (one instanceof BigInteger number && one.getClass() == BigInteger.class) {
                    left -= number.bitLength() / 4;
                } else if (one instanceof Object[] items) {
                    left -= items.length;
                    waiting.push(items);
                } else if (one != null && one.getClass().isArray()) {
                    left -= java.lang.reflect.Array.getLength(one);
                } else if (one != null && PLAIN.contains(one.getClass())) {
                    if (one instanceof Optional<?> optional) {
                        waiting.push(optional.stream().toArray());
                    } else {
                        Map<?, ?> map = one instanceof Map<?, ?> found ? found : Map.of();
                        int size = one instanceof Collection<?> found ? found.size() : 2 * map.size();
                        left -= size;
                        if (left >= 0) {
                            waiting.push(one instanceof Collection<?> found ? found.toArray() : map.keySet().toArray());
                            waiting.push(map.values().toArray());
                        }
                    }
                } else if (one != null && !SIMPLE.contains(one.getClass())) {
                    return false;
                }
                if (left < 0) {
                    return false;
                }
            }
        }
        return left >= 0;
    }

    /** An exception leaves a method. */
    public static void raise(Throwable thrown, int frame, int number) {
        if (isOpen("raise", number)) {
            pass(thrown);
            if (raised == null) {
                source = numbers.containsKey(frame) ? marks[last[numbers.get(frame)]] : null;
            } else if (raised != thrown) {
                source = null; // of two with no line between them, nobody knows which one ends the run
            }
            raised = thrown;
        }
    }

    /** An exception is caught, for good or to do something on its way. */
    public static void caught(Throwable thrown, int frame, int number) {
        if (isOpen("caught", number)) {
            pass(thrown);
            caught = thrown;
        }
    }

    /** Where the stack is full, a call of this class may have failed before it began. */
    private static void pass(Throwable thrown) {
        complaint = thrown instanceof StackOverflowError && complaint.isEmpty() ? FULL : complaint;
    }

    /** The call that is traced has ended, by an exception or not. Nothing is noted any more. */
    static void end(Throwable thrown) {
        ended = true;
        if (thrown != null) {
            pass(thrown);
        }
        boolean known = thrown != null && raised == thrown && caught != thrown && source != null;
        source = known && isFrom(thrown, source) ? source : null;
    }

    /** Whether the machine made an exception in a line, as it says in the exception. */
    private static boolean isFrom(Throwable thrown, Mark mark) {
        try {
            if (thrown.getClass().getMethod("getStackTrace").getDeclaringClass() != Throwable.class) {
                return false;
            }
        } catch (ReflectiveOperationException impossible) {
            return false;
        }
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (types.contains(frame.getClassName())) {
                return frame.getClassName().equals(mark.type.getName()) && frame.getLineNumber() == mark.compiled;
            }
        }
        return false;
    }

    /** Why there is no trace; empty if there is one. */
    static String complaint() {
        return complaint;
    }

    /** The trace as JSON. */
    static String encode() {
        StringBuilder events = new StringBuilder();
        int frame = -1, line = 0;
        for (int i = 0; i < count; i++) {
            int at = marks[noted[i]].line;
            events.append(i == 0 ? "" : ",");
            if (frames[i] == frame) {
                events.append(at - line);
            } else {
                events.append('[').append(frames[i]).append(',').append(at).append(']');
            }
            frame = frames[i];
            line = at;
        }
        if (!whole || files.length() + events.length() > MOST_CODE) {
            return NOT_WHOLE;
        }
        StringBuilder all = new StringBuilder();
        for (StringBuilder each : seen) {
            all.append(all.isEmpty() ? "[" : ",[").append(each).append(']');
        }
        String at = raised == null || source == null ? "null" : "[" + source.file + "," + source.line + "]";
        return "{\"edges\":[],\"moments\":{\"frames\":[" + files + "],\"events\":[" + events + "],\"whole\":true,\"raised\":" + at
                + ",\"written\":[" + String.join(",", written) + "],\"visits\":[" + all + "]}}";
    }
}
