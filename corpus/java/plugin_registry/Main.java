import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;

/** Finds the commands of a text tool by looking at annotations. */
public class Main {

    private record Entry(Object owner, Method method, Command command) {
        String call(String[] words) {
            int given = words.length - 1;
            if (given < command.least() || given > method.getParameterCount()) {
                return "usage: " + words[0] + " " + command.usage();
            }
            Object[] arguments = new Object[method.getParameterCount()];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = i < given ? convert(words[i + 1], method.getParameterTypes()[i]) : null;
            }
            try {
                return String.valueOf(method.invoke(owner, arguments));
            } catch (InvocationTargetException failure) {
                return "failed: " + failure.getCause().getMessage();
            } catch (IllegalAccessException hidden) {
                throw new IllegalStateException(hidden);
            }
        }
    }

    private final Map<String, Entry> entries = new TreeMap<>();

    static Object convert(String word, Class<?> type) {
        return type == Integer.class ? (Object) Integer.valueOf(word) : word;
    }

    Main install(Class<?> plugin) {
        Object owner = create(plugin);
        for (Method method : plugin.getDeclaredMethods()) {
            Command command = method.getAnnotation(Command.class);
            if (command != null) {
                add(command, new Entry(owner, method, command));
            }
        }
        return this;
    }

    private void add(Command command, Entry entry) {
        if (entries.putIfAbsent(command.name(), entry) != null) {
            throw new IllegalStateException("two commands " + command.name());
        }
    }

    private static Object create(Class<?> plugin) {
        try {
            return plugin.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException failure) {
            throw new IllegalArgumentException("cannot make " + plugin.getSimpleName(), failure);
        }
    }

    String execute(String line) {
        String[] words = line.split(" ");
        Entry entry = entries.get(words[0]);
        return entry == null ? "unknown: " + words[0] : entry.call(words);
    }

    public static void main(String[] args) {
        Main tool = new Main().install(TextPlugin.class).install(CounterPlugin.class);
        System.out.println(tool.entries.keySet());
        for (String line : new String[] {
            "reverse stressed", "repeat ab 3", "repeat ab", "repeat ab -1", "count 5", "count", "quit",
        }) {
            System.out.println(tool.execute(line));
        }
    }
}
