import com.sun.source.tree.BreakTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ContinueTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticListener;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A warm compiler: for each line of its input, {"files": {"Program.java": ..., "call": ...}} or
 * {"files": {path: ..., "main": path, "call": ...}}, it writes one line to the
 * descriptor that CODEREASON_RESULT names: {"files": {"program.jar": base64}} or {"rejected": text}. Beside a program
 * that is to be traced, {"trace": ...}, there is a "harness.jar", a module of its own.
 *
 * <p>The call becomes a method of the class that declares what it calls, so that it sees all that the class sees. What
 * stands in the folder "beside" is compiled at the start and travels in every jar. No program is run here, nor any processor
 * of annotations.
 */
public final class Compiler {
    static final String METHOD = "codereason$call";
    static final int MAX_COMPLAINTS = 5;
    static final Pattern CALLED = Pattern.compile("([\\w$]+)\\s*\\(");
    // To open what the harness needs by a flag of the command line would cost the shared archive of modules.
    static final String MANIFEST = "Manifest-Version: 1.0\nMain-Class: codereason.Harness\nAdd-Opens: java.base/java.io\n"
            + "Add-Exports: java.base/jdk.internal.misc\n";
    static final List<String> EXPORTS = List.of("--add-exports", "java.base/jdk.internal.access=codereason",
            "--add-exports", "java.base/jdk.internal.misc=codereason");
    /** Has the compiler say where statements begin, and which variables have values. */
    static final List<String> RANGES = List.of("-g", "-Xjcov");
    static final int MOST_COLUMNS = 1000; // beyond some more, the compiler does not say so
    static final Path RUNTIME = Path.of("runtime");
    static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();

    static final class Rejected extends Exception {
        Rejected(String message) {
            super(message);
        }
    }

    /** A program's text under whatever name its public class asks for. */
    static final class Text extends SimpleJavaFileObject {
        final String path;
        final String text;

        Text(String path, String text) {
            super(URI.create("memory:///" + path.replaceAll("[^\\w./-]", "_")), Kind.SOURCE);
            this.path = path;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return kind == Kind.SOURCE;
        }
    }

    /** What the compiler says against a program. */
    static final class Complaints implements DiagnosticListener<JavaFileObject> {
        final List<String> errors = new ArrayList<>();
        final boolean several; // whether it is to say which file

        Complaints(boolean several) {
            this.several = several;
        }

        @Override
        public void report(Diagnostic<? extends JavaFileObject> said) {
            if (said.getKind() == Diagnostic.Kind.ERROR && errors.size() < MAX_COMPLAINTS) {
                String file = several && said.getSource() != null ? said.getSource().getName().replaceFirst("^/?program/", "") + " " : "";
                errors.add(file + "line " + said.getLineNumber() + ": " + said.getMessage(Locale.ROOT));
            }
        }

        void check() throws Rejected {
            if (!errors.isEmpty()) {
                throw new Rejected(String.join("\n", errors));
            }
        }
    }

    /** Keeps the classes that the compiler writes. */
    static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        final Map<String, ByteArrayOutputStream> classes = new TreeMap<>();

        Memory(JavaFileManager below) {
            super(below);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location at, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    classes.put(name.replace('.', '/') + ".class", bytes);
                    return bytes;
                }
            };
        }

        /** What the module of the harness needs to know of a program. */
        final Map<String, byte[]> notes = new TreeMap<>();

        /** Lets the classes tell which of their bodies are entered. */
        void weave(Tracing tracing) throws IOException {
            for (Map.Entry<String, ByteArrayOutputStream> found : classes.entrySet()) {
                String type = found.getKey().substring(0, found.getKey().length() - ".class".length());
                byte[] woven = tracing.moments == null
                        ? Weaving.weave(found.getValue().toByteArray(), tracing, type)
                        : Weaving.weaveMoments(found.getValue().toByteArray(), tracing, type);
                found.getValue().reset();
                found.getValue().write(woven);
            }
            if (tracing.moments != null) {
                notes.putAll(tracing.moments.write());
                return;
            }
            notes.put("codereason/bodies", String.join("\n", tracing.bodies).getBytes(StandardCharsets.UTF_8));
            notes.put("codereason/methods", String.join("\n", tracing.methods).getBytes(StandardCharsets.UTF_8));
            notes.put("codereason/lines", String.join("\n", tracing.lines.keySet()).getBytes(StandardCharsets.UTF_8));
        }

        /** Everything that the program needs to run, as archives by name; the harness apart if it is to be traced. */
        Map<String, byte[]> jars(boolean apart) throws IOException {
            Map<String, byte[]> program = new LinkedHashMap<>(Map.of("META-INF/MANIFEST.MF", MANIFEST.getBytes(StandardCharsets.US_ASCII)));
            Map<String, byte[]> harness = apart ? new LinkedHashMap<>(notes) : program;
            try (Stream<Path> runtime = Files.walk(RUNTIME)) {
                for (Path path : (Iterable<Path>) runtime.filter(Files::isRegularFile)::iterator) {
                    String name = RUNTIME.relativize(path).toString();
                    boolean own = name.startsWith("codereason/") || name.equals("module-info.class");
                    (own ? harness : program).put(name, Files.readAllBytes(path));
                }
            }
            classes.forEach((name, written) -> program.put(name, written.toByteArray()));
            Map<String, byte[]> jars = new TreeMap<>(Map.of("program.jar", jar(program)));
            if (harness != program) {
                jars.put("harness.jar", jar(harness));
            }
            return jars;
        }

        static byte[] jar(Map<String, byte[]> entries) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
                zip.setLevel(Deflater.NO_COMPRESSION);
                for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                    zip.putNextEntry(new ZipEntry(entry.getKey()));
                    zip.write(entry.getValue());
                }
            }
            return bytes.toByteArray();
        }

        @Override
        public void close() {
            // The one below goes on, with what it knows of the class path.
        }
    }

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        OutputStream result = result();
        // Not the same as below: where a module has been written, the compiler takes what follows for parts of it.
        try (StandardJavaFileManager runtime = JAVAC.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            compileRuntime(runtime);
        }
        StandardJavaFileManager files = JAVAC.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            result.write((answer(line, files) + "\n").getBytes(StandardCharsets.US_ASCII));
            result.flush();
        }
    }

    /** The descriptor as it is: a job has no /proc to open it by. */
    static OutputStream result() throws ReflectiveOperationException {
        Constructor<FileDescriptor> made = FileDescriptor.class.getDeclaredConstructor(int.class);
        made.setAccessible(true);
        return new FileOutputStream(made.newInstance(Integer.parseInt(System.getenv("CODEREASON_RESULT"))));
    }

    /** What runs beside every program, compiled from the files of a folder. */
    static void compileRuntime(StandardJavaFileManager files) throws IOException {
        Files.createDirectories(RUNTIME);
        // A program finds no access to this: it is opened to the module alone.
        List<String> options =
                new ArrayList<>(List.of("-d", RUNTIME.toString(), "-proc:none", "-implicit:none", "-nowarn"));
        options.addAll(EXPORTS);
        if (!JAVAC.getTask(null, files, null, options, null, files.getJavaFileObjects(new File("beside").listFiles())).call()) {
            throw new IllegalStateException("the harness does not compile");
        }
    }

    static String answer(String line, StandardJavaFileManager files) {
        try (Memory memory = new Memory(files)) {
            Map<String, String> request = request(line);
            String entry = compile(request, memory);
            StringBuilder jars = new StringBuilder();
            Map<String, byte[]> written = memory.jars(request.containsKey("trace"));
            written.forEach((name, bytes) -> jars.append(quoted(name)).append(":\"").append(base64(bytes)).append("\","));
            return "{\"files\":{" + jars + "\"entry\":\"" + base64(entry.getBytes()) + "\"}}";
        } catch (Rejected rejected) {
            return "{\"rejected\":" + quoted(rejected.getMessage()) + "}";
        } catch (Throwable beyond) { // a program that it stumbles over, in whatever way, is no reason to end
            return "{\"rejected\":" + quoted("the compiler gave up: " + beyond) + "}";
        }
    }

    /** Compiles a program with its call, and says which class to start and which of its methods. */
    static String compile(Map<String, String> request, Memory memory) throws Rejected, IOException {
        String call = request.get("call");
        List<Text> sources = sources(request);
        Complaints complaints = new Complaints(sources.size() > 1);
        JavacTask parsing = task(sources, memory, complaints, List.of());
        CompilationUnitTree unit = parsing.parse().iterator().next();
        complaints.check();
        Matcher called = CALLED.matcher(call == null ? "main(" : call);
        ClassTree entry = declaring(unit, called.find() ? called.group(1) : "");
        String name = (unit.getPackageName() == null ? "" : unit.getPackageName() + ".") + entry.getSimpleName();
        Added added = Added.NOTHING;
        if (call != null) {
            String source = sources.get(0).text;
            int brace = (int) Trees.instance(parsing).getSourcePositions().getEndPosition(unit, entry) - 1;
            String method = "public static Object " + METHOD + "() throws Throwable { return " + call + "\n; }";
            String whole = source.substring(0, brace) + method + source.substring(brace);
            sources.set(0, new Text(sources.get(0).path, whole));
            added = new Added(sources.get(0).path, lines(source.substring(0, brace)), lines(method) - 1);
        }
        Tracing tracing = build(request, sources, memory, complaints, added);
        if (tracing != null && tracing.moments != null && !tracing.moments.conditions.isEmpty()) {
            Map<String, ByteArrayOutputStream> classes = new TreeMap<>(memory.classes);
            Map<String, byte[]> notes = new TreeMap<>(memory.notes);
            memory.classes.clear();
            try {
                build(request, tracing.moments.keep(sources), memory, new Complaints(false), added);
            } catch (Rejected unclear) { // whether a variable has a value depended on the condition
                memory.classes.clear();
                memory.classes.putAll(classes);
                memory.notes.putAll(notes);
            }
        }
        return name + " " + (call == null ? "main" : METHOD);
    }

    /** Compiles a program; what is to be known of its trace, if it has one. */
    static Tracing build(Map<String, String> request, List<Text> sources, Memory memory, Complaints complaints, Added added)
            throws Rejected, IOException {
        String trace = request.getOrDefault("trace", "");
        boolean noted = !trace.isEmpty() && !trace.equals("entered"); // what was entered, the machine itself tells
        JavacTask task = task(sources, memory, complaints, trace.equals("moments") ? RANGES : List.of());
        Tracing tracing = noted ? new Tracing(task, sources, request, added) : null;
        if (tracing == null) {
            if (!task.call()) {
                complaints.check();
                throw new Rejected("the compiler gave up"); // out of resources, which it tells nobody
            }
        } else {
            tracing.compile(complaints);
        }
        complaints.check();
        if (tracing != null) {
            memory.weave(tracing);
        }
        return tracing;
    }

    static int lines(String text) {
        return (int) text.chars().filter(unit -> unit == '\n').count() + 1;
    }

    /** Where lines were added to a file: behind a line, so many of them. */
    record Added(String path, int line, int count) {
        static final Added NOTHING = new Added("", 0, 0);

        /** The line that a line of the compiled text is in the program. */
        int find(String file, int compiled) {
            return !file.equals(path) || compiled <= line ? compiled : Math.max(line, compiled - count);
        }
    }

    /** The weaver, compiled from a file of that folder. */
    static final class Weaving {
        static final Method WEAVE = find("weave", byte[].class, BiFunction.class, IntUnaryOperator.class);
        static final Method WEAVE_MOMENTS = find("weaveMoments", byte[].class, BiFunction.class, int.class,
                IntUnaryOperator.class, Set.class, Map.class, List.class);

        static Method find(String name, Class<?>... parameters) {
            try {
                ClassLoader runtime = new URLClassLoader(new URL[] {RUNTIME.toUri().toURL()});
                Class<?> weaver = runtime.loadClass("codereason.Weaver");
                return weaver.getMethod(name, parameters);
            } catch (IOException | ReflectiveOperationException failed) {
                throw new IllegalStateException("the weaver cannot be loaded", failed);
            }
        }

        static byte[] weave(byte[] bytes, Tracing tracing, String type) throws IOException {
            BiFunction<String, String, Integer> number = (name, descriptor) -> tracing.number(type, name, descriptor);
            IntUnaryOperator place = tracing.countsLines ? line -> tracing.place(type, line) : null;
            return invoke(WEAVE, bytes, number, place);
        }

        static byte[] weaveMoments(byte[] bytes, Tracing tracing, String type) throws IOException {
            BiFunction<String, String, Integer> number = (name, descriptor) -> tracing.number(type, name, descriptor);
            String path = tracing.files.getOrDefault(type.replace('/', '.'), "");
            int file = tracing.moments.files.indexOf(path);
            IntUnaryOperator place = line -> tracing.added.find(path, line);
            Map<Integer, List<String>> probes = tracing.moments.probes.getOrDefault(path, Map.of());
            Set<Integer> jumps = tracing.moments.jumps.getOrDefault(path, Set.of());
            return file < 0 ? bytes : invoke(WEAVE_MOMENTS, bytes, number, file, place, jumps, probes, tracing.moments.marks);
        }

        static byte[] invoke(Method method, Object... given) throws IOException {
            try {
                return (byte[]) method.invoke(null, given);
            } catch (ReflectiveOperationException failed) {
                throw new IOException(failed.getCause() == null ? failed : failed.getCause());
            }
        }
    }

    /** Compiles a program and knows which of its methods stand in its text. */
    static final class Tracing {
        final List<String> bodies = new ArrayList<>(List.of("")); // by number, from 1
        final List<String> methods = new ArrayList<>(List.of("")); // as the machine calls them, by number
        final Map<String, Integer> lines = new LinkedHashMap<>(Map.of("", 0)); // by file and line: the number
        final Map<URI, String> paths = new TreeMap<>(); // of the files, by what the compiler calls them
        final Map<String, String> files = new TreeMap<>(); // by class
        final JavacTask task;
        final boolean countsLines;
        final Added added;
        final MomentTracing moments; // null if none are to be noted
        /** By class and name: the types of the parameters of each method that somebody wrote. */
        final Map<String, List<List<String>>> written = new TreeMap<>();

        Tracing(JavacTask task, List<Text> sources, Map<String, String> request, Added added) {
            this.task = task;
            sources.forEach(source -> paths.put(source.toUri(), source.path));
            this.countsLines = request.get("trace").equals("lines");
            this.added = added;
            this.moments = request.get("trace").equals("moments") ? new MomentTracing(request) : null;
        }

        void compile(Complaints complaints) throws Rejected, IOException {
            Iterable<? extends CompilationUnitTree> units = task.parse();
            task.analyze();
            complaints.check();
            Trees trees = Trees.instance(task);
            for (CompilationUnitTree unit : units) {
                new TreePathScanner<Void, Void>() {
                    @Override
                    public Void visitClass(ClassTree tree, Void nothing) {
                        if (trees.getElement(getCurrentPath()) instanceof TypeElement type) {
                            files.put(task.getElements().getBinaryName(type).toString(), paths.get(unit.getSourceFile().toUri()));
                        }
                        return super.visitClass(tree, nothing);
                    }

                    @Override
                    public Void visitMethod(MethodTree tree, Void nothing) {
                        if (trees.getElement(getCurrentPath()) instanceof ExecutableElement method) {
                            learn(method);
                        }
                        return super.visitMethod(tree, nothing);
                    }

                    @Override
                    public Void visitIf(IfTree tree, Void nothing) {
                        long line = line(tree);
                        if (moments != null && line(tree.getCondition()) == line) {
                            String path = paths.get(unit.getSourceFile().toUri());
                            int start = (int) trees.getSourcePositions().getStartPosition(unit, tree.getCondition()) + 1;
                            int end = (int) trees.getSourcePositions().getEndPosition(unit, tree.getCondition()) - 1;
                            moments.conditions.add(new Condition(path, added.find(path, (int) line), start, end));
                        }
                        return super.visitIf(tree, nothing);
                    }

                    @Override
                    public Void visitBreak(BreakTree tree, Void nothing) {
                        return jump(tree);
                    }

                    @Override
                    public Void visitContinue(ContinueTree tree, Void nothing) {
                        return jump(tree);
                    }

                    @Override
                    public Void visitReturn(ReturnTree tree, Void nothing) {
                        return tree.getExpression() == null ? jump(tree) : super.visitReturn(tree, nothing);
                    }

                    Void jump(Tree tree) {
                        if (moments != null) {
                            long start = trees.getSourcePositions().getStartPosition(unit, tree);
                            int column = (int) unit.getLineMap().getColumnNumber(start);
                            String path = paths.get(unit.getSourceFile().toUri());
                            moments.jumps.computeIfAbsent(path, key -> new TreeSet<>()).add((int) line(tree) << 10 | column);
                        }
                        return null;
                    }

                    long line(Tree tree) {
                        return unit.getLineMap().getLineNumber(trees.getSourcePositions().getStartPosition(unit, tree));
                    }
                }.scan(unit, null);
            }
            task.generate();
        }

        void learn(ExecutableElement method) {
            boolean own = !method.getSimpleName().contentEquals(METHOD);
            if (own && task.getElements().getOrigin(method) == Elements.Origin.EXPLICIT) {
                String type = task.getElements().getBinaryName((TypeElement) method.getEnclosingElement()).toString();
                List<String> parameters = new ArrayList<>();
                for (VariableElement parameter : method.getParameters()) {
                    parameters.add(name(task.getTypes().erasure(parameter.asType())));
                }
                written.computeIfAbsent(type + ":" + method.getSimpleName(), key -> new ArrayList<>()).add(parameters);
            }
        }

        int place(String type, int line) {
            String file = files.getOrDefault(type.replace('/', '.'), "");
            String place = file.replaceFirst("^program/", "") + " " + added.find(file, line);
            return file.isEmpty() ? 0 : lines.computeIfAbsent(place, key -> lines.size());
        }

        String name(TypeMirror type) {
            return switch (type.getKind()) {
                case ARRAY -> name(((ArrayType) type).getComponentType()) + "[]";
                case DECLARED -> task.getElements().getBinaryName((TypeElement) ((DeclaredType) type).asElement()).toString();
                default -> type.getKind().toString().toLowerCase(Locale.ROOT);
            };
        }

        /** The number of a method in a class file; 0 if nobody wrote it. */
        int number(String type, String name, String descriptor) {
            String key = type.replace('/', '.') + ":" + name;
            if (name.equals("<clinit>")) {
                return add(" " + key + "()", key + descriptor);
            }
            List<String> given = parameters(descriptor);
            List<List<String>> longestFirst = new ArrayList<>(written.getOrDefault(key, List.of()));
            longestFirst.sort(Comparator.comparing(List<String>::size).reversed());
            for (List<String> parameters : longestFirst) {
                // A constructor also gets the object around its own, the place of a constant, and variables around its class.
                int most = name.equals("<init>") ? given.size() - parameters.size() : 0;
                for (int from = 0; from <= Math.min(most, 2); from++) {
                    boolean as = most > 0 || given.size() == parameters.size();
                    if (as && given.subList(from, from + parameters.size()).equals(parameters)) {
                        return add(key + "(" + String.join(",", parameters) + ")", key + descriptor);
                    }
                }
            }
            return 0;
        }

        int add(String body, String method) {
            bodies.add(body);
            methods.add(method);
            return bodies.size() - 1;
        }

        /** The names of the types in a descriptor. */
        static List<String> parameters(String descriptor) {
            List<String> names = new ArrayList<>();
            for (int at = 1; descriptor.charAt(at) != ')'; at++) {
                int dimensions = 0;
                for (; descriptor.charAt(at) == '['; at++) {
                    dimensions++;
                }
                String name;
                if (descriptor.charAt(at) == 'L') {
                    int end = descriptor.indexOf(';', at);
                    name = descriptor.substring(at + 1, end).replace('/', '.');
                    at = end;
                } else {
                    int known = "BCDFIJSZ".indexOf(descriptor.charAt(at));
                    name = List.of("byte", "char", "double", "float", "int", "long", "short", "boolean").get(known);
                }
                names.add(name + "[]".repeat(dimensions));
            }
            return names;
        }
    }

    /** A condition of an "if" between its parentheses. */
    record Condition(String path, int line, int start, int end) {}

    /** What is asked about the moments of a program, and what there is to note. */
    static final class MomentTracing {
        final List<String> files;
        /** By file and line: the number of a probe, and the names that it looks at. */
        final Map<String, Map<Integer, List<String>>> probes = new TreeMap<>();
        final List<String> marks = new ArrayList<>();
        /** The conditions; in the end those that no class has, because they are constant. */
        final List<Condition> conditions = new ArrayList<>();
        /** By file: where statements begin that only jump, as the compiler writes it. */
        final Map<String, Set<Integer>> jumps = new TreeMap<>();
        final List<String> known; // how much is noted at most, and how many probes there are
        String complaint = "";

        MomentTracing(Map<String, String> request) {
            files = request.get("order").lines().toList();
            known = request.get("most").lines().toList();
            request.get("probes").lines().map(line -> List.of(line.split(" "))).forEach(probe -> {
                List<String> looks = new ArrayList<>(probe.subList(2, probe.size()));
                looks.add(0, probe.get(0));
                String[] place = probe.get(1).split(":");
                String file = files.get(Integer.parseInt(place[0]));
                probes.computeIfAbsent(file, key -> new TreeMap<>()).put(Integer.valueOf(place[1]), looks);
            });
            for (String file : files) {
                if (request.get(file).lines().anyMatch(line -> line.length() + 7 * line.chars().filter(unit -> unit == '\t').count() > MOST_COLUMNS)) {
                    complaint = "a line of the program is too long";
                }
            }
        }

        /** The program, with conditions that the compiler does not find to be constant. */
        List<Text> keep(List<Text> sources) {
            List<Text> kept = new ArrayList<>();
            for (Text source : sources) {
                StringBuilder text = new StringBuilder(source.text);
                conditions.stream().filter(each -> each.path.equals(source.path))
                        .sorted(Comparator.comparing(Condition::start).reversed())
                        .forEach(each -> text.insert(each.end, ")").insert(each.start, "codereason.Moments.always() && ("));
                kept.add(new Text(source.path, text.toString()));
            }
            return kept;
        }

        Map<String, byte[]> write() {
            Set<String> noted = new TreeSet<>();
            marks.stream().map(mark -> mark.split(" ")).forEach(mark -> noted.add(files.get(Integer.parseInt(mark[4])) + " " + mark[5]));
            conditions.removeIf(each -> noted.contains(each.path + " " + each.line));
            if (!conditions.isEmpty()) {
                complaint = "a condition is constant, so the compiler leaves it out";
            }
            List<String> most = new ArrayList<>(known);
            most.add(complaint);
            Map<String, byte[]> notes = new TreeMap<>();
            notes.put("codereason/marks", String.join("\n", marks).getBytes(StandardCharsets.UTF_8));
            notes.put("codereason/most", String.join("\n", most).getBytes(StandardCharsets.UTF_8));
            return notes;
        }
    }

    /** The source files of a request, the one that is run first: "main" says which, of several. */
    static List<Text> sources(Map<String, String> request) {
        String main = request.getOrDefault("main", "Program.java");
        List<Text> sources = new ArrayList<>();
        sources.add(new Text(main, request.get(main)));
        for (Map.Entry<String, String> file : request.entrySet()) {
            if (file.getKey().endsWith(".java") && !file.getKey().equals(main)) {
                sources.add(new Text(file.getKey(), file.getValue()));
            }
        }
        return sources;
    }

    static JavacTask task(List<Text> sources, Memory memory, Complaints complaints, List<String> more) {
        List<String> options = new ArrayList<>(more);
        options.addAll(List.of("-cp", RUNTIME.toString(), "-proc:none", "-implicit:none", "-nowarn", "-Xlint:none"));
        return (JavacTask) JAVAC.getTask(null, memory, complaints, options, null, sources);
    }

    /** The first class that declares a method of that name, else the first class. */
    static ClassTree declaring(CompilationUnitTree unit, String method) throws Rejected {
        ClassTree first = null;
        for (Tree type : unit.getTypeDecls()) {
            if (type instanceof ClassTree declared) {
                first = first == null ? declared : first;
                for (Tree member : declared.getMembers()) {
                    if (member instanceof MethodTree found && found.getName().contentEquals(method)) {
                        return declared;
                    }
                }
            }
        }
        if (first == null) {
            throw new Rejected("it declares no class");
        }
        return first;
    }

    /** The names and texts of a request: all its strings but the first, two by two. */
    static Map<String, String> request(String line) {
        List<String> strings = new ArrayList<>();
        for (int at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at)) {
            StringBuilder text = new StringBuilder();
            for (at++; line.charAt(at) != '"'; at++) {
                char unit = line.charAt(at);
                if (unit == '\\') {
                    unit = line.charAt(++at);
                    if (unit == 'u') {
                        unit = (char) Integer.parseInt(line, at + 1, at + 5, 16);
                        at += 4;
                    } else {
                        int known = "bfnrt".indexOf(unit);
                        unit = known < 0 ? unit : "\b\f\n\r\t".charAt(known);
                    }
                }
                text.append(unit);
            }
            at++;
            strings.add(text.toString());
        }
        Map<String, String> request = new TreeMap<>();
        for (int i = 1; i + 1 < strings.size(); i += 2) {
            request.put(strings.get(i), strings.get(i + 1));
        }
        return request;
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (char unit : text.toCharArray()) {
            boolean plain = unit >= ' ' && unit < 127 && unit != '"' && unit != '\\';
            json.append(plain ? unit : String.format("\\u%04x", (int) unit));
        }
        return json.append('"').toString();
    }
}
