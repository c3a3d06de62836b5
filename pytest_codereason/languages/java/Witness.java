package codereason;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Notes which body of a traced program enters which. The compiler puts {@link #enter} at the start of each body and {@link
 * #leave} at each of its ends.
 *
 * <p>A program may call both, too. So an edge is noted only if the machine's own stack confirms it. The rest of this class is
 * out of the program's reach, because it lies in a module of its own.
 */
public final class Witness {
    private static final int SMALL = 1 << 11;
    private static final String FORGED = "the program interferes with its trace";
    private static final String UNSURE = "the stack was full, and the tracer lost sight of which function calls which";

    /** The bodies that a thread is in, innermost last. */
    private static final class Stack {
        int[] bodies = new int[1 << 10];
        int size = 1; // the bottom is no body
        boolean unsure; // whether a body may stand here once too often
    }

    private static String[] names = {""};
    /** By number: the file and, after a blank, the line. */
    private static String[] places = {""};
    private static AtomicLongArray counts = new AtomicLongArray(1);
    /** Whether a body has been entered from another. Row by row for programs of few bodies. */
    private static boolean[] seen = new boolean[0];
    private static int width;
    private static final TreeSet<String> edges = new TreeSet<>();
    /** The numbers of bodies, by class, method and descriptor. */
    private static final Map<String, Integer> numbers = new HashMap<>();
    private static final StackWalker walker =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE); // else Java 22 tells no descriptors
    /** Whether an edge was to be noted that is none. */
    private static boolean forged;
    /** Whether a method may have been noted with a wrong caller. */
    private static boolean lost;
    private static final Thread first = Thread.currentThread();
    private static final Stack stack = new Stack();
    private static final ThreadLocal<Stack> stacks = ThreadLocal.withInitial(Stack::new);

    private Witness() {}

    /** Begins, if the program is to be traced. The names of bodies stand on their lines; a blank begins one that no call enters. */
    static boolean begin() throws IOException {
        try (InputStream bodies = Witness.class.getResourceAsStream("bodies")) {
            if (bodies == null) {
                return false;
            }
            names = new String(bodies.readAllBytes(), StandardCharsets.UTF_8).split("\n");
        }
        try (InputStream lines = Witness.class.getResourceAsStream("lines")) {
            places = new String(lines.readAllBytes(), StandardCharsets.UTF_8).split("\n");
        }
        try (InputStream methods = Witness.class.getResourceAsStream("methods")) {
            for (String method : new String(methods.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                numbers.put(method, numbers.size());
            }
        }
        counts = new AtomicLongArray(places.length);
        width = names.length <= SMALL ? names.length : 0;
        seen = new boolean[Math.max(width * width, names.length)];
        return true;
    }

    /** A body is entered. This and {@link #leave} are short enough to become part of what calls them. */
    public static void enter(int body) {
        Stack stack = Thread.currentThread() == first ? Witness.stack : stacks.get();
        int[] bodies = stack.bodies;
        int size = stack.size;
        if (size < bodies.length && seen[bodies[size - 1] * width + body]) {
            bodies[size] = body;
            stack.size = size + 1;
        } else {
            enterAnew(stack, body);
        }
    }

    private static void enterAnew(Stack stack, int body) {
        if (stack.size == stack.bodies.length) {
            stack.bodies = Arrays.copyOf(stack.bodies, 2 * stack.size);
        }
        int caller = stack.bodies[stack.size - 1];
        if (width == 0) {
            note(caller, body);
        } else if (!seen[caller * width + body]) {
            confirm(caller, body);
            seen[caller * width + body] = true;
        }
        stack.bodies[stack.size++] = body;
    }

    /** Looks whether an edge is on the stack. Where the stack is too full for this, nobody knows. */
    private static void confirm(int caller, int body) {
        try {
            forged |= caller != 0 && !names[body].startsWith(" ") && !isCalled(caller, body);
        } catch (StackOverflowError full) {
            lost = true;
        }
    }

    /** Whether a body is what calls this class, and the next body on the stack is that of its caller. */
    private static boolean isCalled(int caller, int body) {
        return walker.walk(frames -> {
            Iterator<StackWalker.StackFrame> left = frames.iterator();
            String own = Witness.class.getName();
            StackWalker.StackFrame frame = left.next();
            while (frame.getClassName().equals(own)) {
                frame = left.next();
            }
            int found = find(frame);
            if (found != body) {
                return false;
            }
            do {
                found = left.hasNext() ? find(left.next()) : -1;
            } while (found == 0);
            return found == caller;
        });
    }

    private static int find(StackWalker.StackFrame frame) {
        return numbers.getOrDefault(frame.getClassName() + ":" + frame.getMethodName() + frame.getDescriptor(), 0);
    }

    /** A body is left. */
    public static void leave(int body) {
        Stack stack = Thread.currentThread() == first ? Witness.stack : stacks.get();
        int top = stack.size - 1;
        stack.size = stack.bodies[top] == body ? top : unwind(stack, body);
    }

    private static int unwind(Stack stack, int body) {
        int at = find(stack, body);
        lost |= at == 0 || hasLost(stack, at);
        return Math.max(at, 1);
    }

    /**
     * A body goes on after an exception.
     *
     * <p>A full stack may have left methods without a word. Those that it threw away are known here, unless the body calls
     * itself: then nobody knows which of its calls goes on, and the next method that is left so has lost its callers.
     */
    public static void resume(Throwable thrown, int body) {
        Stack stack = Thread.currentThread() == first ? Witness.stack : stacks.get();
        int at = find(stack, body);
        boolean full = thrown instanceof StackOverflowError;
        lost |= (!full || stack.unsure) && hasLost(stack, at);
        for (int below = at - 1; full && below > 0; below--) {
            stack.unsure |= stack.bodies[below] == body;
        }
        stack.size = at + 1;
    }

    /** Where a body stands. */
    private static int find(Stack stack, int body) {
        int at = stack.size - 1;
        while (at > 0 && stack.bodies[at] != body) {
            at--;
        }
        return at;
    }

    /**
     * Whether a method was left without a word above a place, as where the thread had no room for the call of {@link
     * #leave}. A constructor whose superclass threw is left so too.
     */
    private static boolean hasLost(Stack stack, int at) {
        boolean any = false;
        for (int above = at + 1; above < stack.size; above++) {
            any |= !names[stack.bodies[above]].contains(":<init>(");
        }
        return any;
    }

    /** A line begins. */
    public static void reach(int line) {
        counts.incrementAndGet(line);
    }

    private static synchronized void note(int caller, int body) {
        if (caller != 0 && !names[body].startsWith(" ") && edges.add(names[caller].strip() + "\n" + names[body]) && width == 0) {
            confirm(caller, body);
        }
    }

    /** Why there is no trace; empty if there is one. An error, in place of a value, may be that of a full stack. */
    static String complaint(boolean returned) {
        boolean sure = !lost && stack.size == 1 || !returned;
        return forged ? FORGED : sure ? "" : UNSURE;
    }

    /** The trace as JSON. */
    static synchronized String encode() {
        for (int at = 0; at < width * width; at++) {
            if (seen[at]) {
                note(at / width, at % width);
            }
        }
        StringBuilder json = new StringBuilder("{\"edges\":[");
        String comma = "";
        for (String edge : edges) {
            String[] ends = edge.split("\n");
            json.append(comma).append('[');
            Harness.write(json, ends[0]);
            json.append(',');
            Harness.write(json, ends[1]);
            json.append(']');
            comma = ",";
        }
        Map<String, StringBuilder> files = new TreeMap<>();
        for (int i = 1; i < places.length; i++) {
            int cut = places[i].lastIndexOf(' ');
            if (counts.get(i) > 0) {
                StringBuilder file = files.computeIfAbsent(places[i].substring(0, cut), key -> new StringBuilder());
                file.append(file.isEmpty() ? "[" : ",[").append(places[i].substring(cut + 1)).append(',');
                file.append(counts.get(i)).append(']');
            }
        }
        comma = "],\"lines\":{";
        for (Map.Entry<String, StringBuilder> file : files.entrySet()) {
            Harness.write(json.append(comma), file.getKey());
            json.append(":[").append(file.getValue()).append(']');
            comma = ",";
        }
        return json.append(files.isEmpty() ? "]}" : "}}").toString();
    }
}
