import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Compiles a program of Java and runs it under the machine's debugger, which stops before each of the given lines and looks
 * at variables. Each line of the input names a program: {@code FOLDER LIBRARY MAIN}. FOLDER has the program's text, and a
 * file {@code lines} with rows {@code FILE LINE NAME ...}. It gets a file {@code stops} with a row for each stop, with tabs
 * between: the file, the line, and for each name the name and its value; and at the end one for the line that raises the
 * exception that ends the run. For each program a line is written: nothing, or what the compiler says. It shares nothing
 * with the tracer: the machine finds the place where a line begins, and the writer of values is its own.
 */
class Inspecting {
    static final Map<String, Map<Integer, List<String>>> wanted = new HashMap<>();
    static final List<String> rows = new ArrayList<>();
    /** Where each exception was thrown first. */
    static final Map<ObjectReference, String> known = new HashMap<>();

    public static void main(String[] arguments) throws Exception {
        for (Scanner input = new Scanner(System.in); input.hasNext();) {
            String folder = input.next(), library = input.next(), main = input.next();
            String complaint = compile(folder, library);
            if (complaint.isEmpty()) {
                debug(folder, library, main);
            }
            System.out.println(complaint.replace('\n', ' '));
        }
    }

    static String compile(String folder, String library) throws Exception {
        List<String> options = new ArrayList<>(List.of("-g", "-nowarn", "-cp", library, "-d", folder + "/classes"));
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(options::add);
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int failed = ToolProvider.getSystemJavaCompiler().run(null, said, said, options.toArray(String[]::new));
        return failed == 0 ? "" : said.toString();
    }

    static void debug(String folder, String library, String main) throws Exception {
        wanted.clear();
        rows.clear();
        known.clear();
        for (String row : Files.readAllLines(Path.of(folder, "lines"))) {
            List<String> parts = List.of(row.split(" "));
            wanted.computeIfAbsent(parts.get(0), key -> new HashMap<>())
                    .put(Integer.valueOf(parts.get(1)), parts.subList(2, parts.size()));
        }
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> options = connector.defaultArguments();
        options.get("main").setValue(main);
        options.get("options").setValue("-ea -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp " + folder + "/classes:" + library);
        VirtualMachine machine = connector.launch(options);
        for (InputStream printed : List.of(machine.process().getInputStream(), machine.process().getErrorStream())) {
            Thread reader = new Thread(() -> drain(printed));
            reader.setDaemon(true);
            reader.start();
        }
        EventRequestManager requests = machine.eventRequestManager();
        ClassPrepareRequest prepare = requests.createClassPrepareRequest();
        for (String own : List.of("java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*", "org.javatuples.*")) {
            prepare.addClassExclusionFilter(own);
        }
        prepare.enable();
        ExceptionRequest thrown = requests.createExceptionRequest(null, true, true);
        thrown.enable();
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove();
                for (Event event : events) {
                    handle(event, requests);
                }
                events.resume();
            }
        } catch (VMDisconnectedException ended) {
            Files.write(Path.of(folder, "stops"), rows);
        }
    }

    static void drain(InputStream printed) {
        try {
            printed.readAllBytes();
        } catch (IOException ended) {
            // so has the program
        }
    }

    static String file(Location location) throws AbsentInformationException {
        return location.sourcePath();
    }

    static void handle(Event event, EventRequestManager requests) throws Exception {
        if (event instanceof ClassPrepareEvent prepared) {
            ReferenceType type = prepared.referenceType();
            for (Map.Entry<String, Map<Integer, List<String>>> file : wanted.entrySet()) {
                for (int line : file.getValue().keySet()) {
                    for (Location location : find(type, line)) {
                        if (location.sourcePath().equals(file.getKey())) {
                            requests.createBreakpointRequest(location).enable();
                        }
                    }
                }
            }
        } else if (event instanceof BreakpointEvent stopped) {
            Location location = stopped.location();
            StringBuilder row = new StringBuilder(file(location) + "\t" + location.lineNumber());
            for (String name : wanted.get(file(location)).get(location.lineNumber())) {
                StackFrame frame = stopped.thread().frame(0); // anew: to call a method makes the old one stale
                LocalVariable variable = frame.visibleVariableByName(name);
                if (variable != null) {
                    StringBuilder json = new StringBuilder();
                    try {
                        write(json, frame.getValue(variable), stopped.thread(), 0);
                        row.append('\t').append(name).append('\t').append(json);
                    } catch (UnsupportedOperationException foreign) {
                        // not a value that is compared
                    }
                }
            }
            rows.add(row.toString());
        } else if (event instanceof ExceptionEvent raised) {
            String place = "";
            for (StackFrame frame : raised.thread().frames()) {
                Location location = frame.location();
                boolean written = !location.declaringType().availableStrata().isEmpty() && location.lineNumber() > 0;
                if (written && location.declaringType().classLoader() != null) {
                    place = "raised\t" + file(location) + "\t" + location.lineNumber();
                    break;
                }
            }
            known.putIfAbsent(raised.exception(), place); // what passes it on, such as a proxy, throws it once more
            if (raised.catchLocation() == null && !known.get(raised.exception()).isEmpty()) {
                rows.add(known.get(raised.exception()));
            }
        }
    }

    static List<Location> find(ReferenceType type, int line) {
        try {
            return type.locationsOfLine(line);
        } catch (AbsentInformationException none) {
            return List.of();
        }
    }

    static final Set<String> BOXES = Set.of("Integer", "Long", "Short", "Byte", "Character", "Boolean", "Double", "Float");

    /** Writes a value in the notation of the harness. */
    static void write(StringBuilder json, Value value, ThreadReference thread, int depth) throws Exception {
        if (depth > 20) {
            throw new UnsupportedOperationException("deep");
        }
        if (value == null || value instanceof BooleanValue || value instanceof IntegerValue || value instanceof ShortValue
                || value instanceof ByteValue) {
            json.append(value);
        } else if (value instanceof LongValue number) {
            json.append("{\"long\":").append(number.value()).append('}');
        } else if (value instanceof DoubleValue number) {
            json.append("{\"double\":\"").append(Long.toHexString(Double.doubleToLongBits(number.value()))).append("\"}");
        } else if (value instanceof FloatValue number) {
            json.append("{\"float\":\"").append(Integer.toHexString(Float.floatToIntBits(number.value()))).append("\"}");
        } else if (value instanceof CharValue letter) {
            quote(json.append("{\"char\":"), String.valueOf(letter.value()));
            json.append('}');
        } else if (value instanceof StringReference text) {
            quote(json, text.value());
        } else if (value instanceof ArrayReference array) {
            list(json, array, thread, depth);
        } else {
            object(json, (ObjectReference) value, thread, depth);
        }
    }

    static void object(StringBuilder json, ObjectReference object, ThreadReference thread, int depth) throws Exception {
        ClassType type = (ClassType) object.referenceType();
        String name = type.name();
        String last = name.substring(name.lastIndexOf('.') + 1);
        if (name.startsWith("java.lang.") && BOXES.contains(last)) {
            write(json, object.getValue(type.fieldByName("value")), thread, depth);
        } else if (!name.startsWith("java.util.") || type.classLoader() != null) {
            throw new UnsupportedOperationException(name);
        } else if (is(type, "java.util.Map")) {
            ArrayReference keys = (ArrayReference) call((ObjectReference) call(object, thread, "keySet", "()Ljava/util/Set;"),
                    thread, "toArray", "()[Ljava/lang/Object;");
            ArrayReference values = (ArrayReference) call(
                    (ObjectReference) call(object, thread, "values", "()Ljava/util/Collection;"), thread, "toArray",
                    "()[Ljava/lang/Object;");
            json.append("{\"map\":[");
            for (int i = 0; i < keys.length(); i++) {
                write(json.append(i == 0 ? "[" : ",["), keys.getValue(i), thread, depth + 1);
                write(json.append(','), values.getValue(i), thread, depth + 1);
                json.append(']');
            }
            json.append("]}");
        } else if (is(type, "java.util.Collection")) {
            ArrayReference items = (ArrayReference) call(object, thread, "toArray", "()[Ljava/lang/Object;");
            boolean set = is(type, "java.util.Set");
            list(json.append(set ? "{\"set\":" : ""), items, thread, depth);
            json.append(set ? "}" : "");
        } else {
            throw new UnsupportedOperationException(name);
        }
    }

    static boolean is(ClassType type, String implemented) {
        return type.allInterfaces().stream().anyMatch(each -> each.name().equals(implemented));
    }

    static Value call(ObjectReference object, ThreadReference thread, String name, String descriptor) throws Exception {
        Method method = ((ClassType) object.referenceType()).concreteMethodByName(name, descriptor);
        return object.invokeMethod(thread, method, List.of(), ObjectReference.INVOKE_SINGLE_THREADED);
    }

    static void list(StringBuilder json, ArrayReference items, ThreadReference thread, int depth) throws Exception {
        json.append('[');
        for (int i = 0; i < items.length(); i++) {
            write(json.append(i == 0 ? "" : ","), items.getValue(i), thread, depth + 1);
        }
        json.append(']');
    }

    static void quote(StringBuilder json, String text) {
        json.append('"');
        for (char unit : text.toCharArray()) {
            json.append(unit >= ' ' && unit < 127 && unit != '"' && unit != '\\' ? String.valueOf(unit) : String.format("\\u%04x", (int) unit));
        }
        json.append('"');
    }
}
