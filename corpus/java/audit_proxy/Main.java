import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Wraps services into watchers that stand between the caller and the real object. */
public class Main {

    interface Library {
        int copies(String title);

        boolean borrow(String title, String reader);

        void giveBack(String title);
    }

    static class Shelf implements Library {
        private final Map<String, Integer> stock = new TreeMap<>();

        Shelf put(String title, int count) {
            stock.put(title, count);
            return this;
        }

        @Override
        public int copies(String title) {
            Integer count = stock.get(title);
            if (count == null) {
                throw new IllegalArgumentException("no such book: " + title);
            }
            return count;
        }

        @Override
        public boolean borrow(String title, String reader) {
            int left = copies(title);
            if (left == 0) {
                return false;
            }
            put(title, left - 1);
            return true;
        }

        @Override
        public void giveBack(String title) {
            put(title, copies(title) + 1);
        }
    }

    /** Writes every call and its end into a log. */
    static class Audit implements InvocationHandler {
        private final Object target;
        private final List<String> log;

        Audit(Object target, List<String> log) {
            this.target = target;
            this.log = log;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            String call = method.getName() + Arrays.toString(arguments);
            try {
                Object result = method.invoke(target, arguments);
                log.add(call + " = " + result);
                return result;
            } catch (InvocationTargetException failure) {
                log.add(call + " fails");
                throw failure.getCause();
            }
        }
    }

    /** Refuses calls of a method after it has been called too often with the same last argument. */
    static class Quota implements InvocationHandler {
        private final Object target;
        private final String limited;
        private final int most;
        private final Map<Object, Integer> used = new HashMap<>();

        Quota(Object target, String limited, int most) {
            this.target = target;
            this.limited = limited;
            this.most = most;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals(limited)) {
                charge(arguments[arguments.length - 1]);
            }
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException failure) {
                throw failure.getCause();
            }
        }

        private void charge(Object who) {
            if (used.merge(who, 1, Integer::sum) > most) {
                throw new IllegalStateException(who + " has no quota left");
            }
        }
    }

    static <T> T wrap(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    static String borrow(Library library, String title, String reader) {
        try {
            return reader + (library.borrow(title, reader) ? " gets " : " waits for ") + title;
        } catch (IllegalArgumentException | IllegalStateException problem) {
            return problem.getMessage();
        }
    }

    public static void main(String[] args) {
        List<String> log = new ArrayList<>();
        Shelf shelf = new Shelf().put("Emma", 1).put("Dracula", 3);
        Library audited = wrap(Library.class, new Audit(shelf, log));
        Library desk = wrap(Library.class, new Quota(audited, "borrow", 2));
        System.out.println(borrow(desk, "Emma", "Kim"));
        System.out.println(borrow(desk, "Emma", "Lou"));
        System.out.println(borrow(desk, "Dracula", "Kim"));
        System.out.println(borrow(desk, "Dracula", "Kim"));
        System.out.println(borrow(audited, "Ulysses", "Kim"));
        log.forEach(System.out::println);
        System.out.println(shelf.copies("Dracula") + " left");
    }
}
