package codereason;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Says which line of which call of a method is about to run, what variables hold there, and what exceptions pass.
 *
 * <p>A call of a method has a number, which a variable of its own holds. Where a statement begins, the compiler says by its
 * table of ranges of characters ({@code -Xjcov}), of which only the places in the code are always right. On which line it
 * stands, the table of lines says; but a jump may have no code of its own, before a "finally" that is copied to it. Which
 * variables have a value there, the table of variables says ({@code -g}). Each call that is put there is described by a
 * mark, and the call hands on the number of its mark.
 */
final class MomentNotes extends Notes {
    private static final String WITNESS = "codereason/Moments", THROWN = "(Ljava/lang/Throwable;II)V";
    private static final int STATEMENT = 1, BLOCK = 2;
    private static final Line NO_LINE = new Line(0, 0);
    private static final String PRIMITIVES = "ZBCSIJFD";
    private static final List<String> BOXES =
            List.of("Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double");

    /** A statement: where it begins in the code, and a start and an end in the text that no other statement has. */
    private record Statement(int at, int line, int compiled, int start, int end) {
        boolean is(Statement other) {
            return start == other.start && end == other.end;
        }
    }

    /** A line of the program that begins somewhere, and what it is in the class file. */
    private record Line(int line, int compiled) {}

    /** A variable with a value, from an instruction to another. */
    private record Variable(int start, int end, String name, String type, int slot) {}

    /** A mark whose call is not placed yet: it stands so far behind what is moved to an offset; -1 at ways out. */
    private record Waiting(int number, int at, int shift) {}

    private final Weaver.Code code;
    private final int file;
    private final Map<Integer, List<String>> probes;
    private final List<String> marks;
    private final List<Variable> variables = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();
    /** By offset: the lines of the program that begin there. */
    private final Map<Integer, List<Line>> lines = new HashMap<>();

    MomentNotes(Pool pool, Weaver.Code code, int file, IntUnaryOperator place, Set<Integer> jumps,
            Map<Integer, List<String>> probes, List<String> marks) throws IOException {
        super(pool);
        this.code = code;
        this.file = file;
        this.probes = probes;
        this.marks = marks;
        findLines(place, jumps);
        for (DataInputStream row : code.rows("LocalVariableTable", 10)) {
            int start = row.readUnsignedShort();
            int end = start + row.readUnsignedShort();
            variables.add(new Variable(start, end, pool.text(row.readUnsignedShort()), pool.text(row.readUnsignedShort()),
                    row.readUnsignedShort()));
        }
    }

    /** Finds where lines begin: of several statements on a line the first one. A "finally" stands in the code repeatedly. */
    private void findLines(IntUnaryOperator place, Set<Integer> jumps) throws IOException {
        TreeMap<Integer, Integer> table = new TreeMap<>(code.lines());
        Map<Integer, List<Statement>> found = new TreeMap<>();
        for (DataInputStream row : code.rows("CharacterRangeTable", 14)) {
            int at = row.readUnsignedShort();
            row.readUnsignedShort();
            int start = row.readInt();
            int end = row.readInt();
            int flags = row.readUnsignedShort();
            if ((flags & STATEMENT) != 0 && (flags & BLOCK) == 0 && table.floorKey(at) != null) {
                int compiled = jumps.contains(start) ? start >>> 10 : table.floorEntry(at).getValue();
                int line = place.applyAsInt(compiled);
                found.computeIfAbsent(line, key -> new ArrayList<>()).add(new Statement(at, line, compiled, start, end));
            }
        }
        found.remove(0);
        found.forEach((line, statements) -> {
            statements.sort(Comparator.comparing(Statement::at));
            Statement first = statements.get(0);
            for (Statement each : statements) {
                first = count(each, statements) > count(first, statements) ? each : first;
            }
            for (Statement each : statements) {
                List<Line> here = lines.computeIfAbsent(each.at, key -> new ArrayList<>());
                Line begins = new Line(line, each.compiled);
                if (each.is(first) && !here.contains(begins)) {
                    here.add(begins);
                }
            }
        });
    }

    private static long count(Statement one, List<Statement> statements) {
        return statements.stream().filter(one::is).count();
    }

    boolean anyLine() {
        return !lines.isEmpty();
    }

    @Override
    int variables() {
        return 1;
    }

    @Override
    byte[] start() throws IOException {
        return new Piece().call(WITNESS, "frame", "()I").variable(Instructions.ISTORE, code.locals).bytes();
    }

    @Override
    byte[] before(int at) throws IOException {
        Piece piece = new Piece();
        if (code.isHandler(at)) {
            piece.duplicate();
            push(piece, at, "caught", NO_LINE, -1, "").call(WITNESS, "caught", THROWN);
        }
        for (Line line : lines.getOrDefault(at, List.of())) {
            List<String> probe = probes.getOrDefault(line.line, List.of());
            if (probe.isEmpty()) {
                push(piece, at, "line", line, -1, "").call(WITNESS, "line", "(II)V");
            } else {
                pushVisit(piece, at, line, probe);
            }
        }
        return piece.bytes();
    }

    @Override
    byte[] thrown() throws IOException {
        Piece piece = new Piece().duplicate();
        return push(piece, -1, "raise", NO_LINE, -1, "").call(WITNESS, "raise", THROWN).bytes();
    }

    /** Pushes the number of the call of the method, and that of a mark whose call comes next. */
    private Piece push(Piece piece, int at, String kind, Line line, int probe, String bound) throws IOException {
        piece.variable(Instructions.ILOAD, code.locals).push(marks.size());
        waiting.add(new Waiting(marks.size(), at, piece.size()));
        marks.add(String.join(" ", kind, code.type().replace('/', '.'), code.name, code.descriptor, "" + file, "" + line.line,
                "" + line.compiled, "" + probe, "." + bound));
        return piece;
    }

    /** Hands on what the names of a probe hold, as far as they hold something. */
    private void pushVisit(Piece piece, int at, Line line, List<String> probe) throws IOException {
        List<Variable> held = new ArrayList<>();
        StringBuilder bound = new StringBuilder();
        for (int i = 1; i < probe.size(); i++) {
            Variable found = find(probe.get(i), at);
            bound.append(found == null ? '-' : '+');
            if (found != null) {
                held.add(found);
            }
        }
        push(piece, at, "line", line, Integer.parseInt(probe.get(0)), bound.toString());
        piece.push(held.size());
        piece.writeByte(Instructions.ANEWARRAY);
        piece.writeShort(pool.type("java/lang/Object"));
        for (int i = 0; i < held.size(); i++) {
            piece.duplicate().push(i);
            pushValue(piece, held.get(i));
            piece.writeByte(Instructions.AASTORE);
        }
        Waiting placed = waiting.remove(waiting.size() - 1);
        waiting.add(new Waiting(placed.number, at, piece.size()));
        piece.call(WITNESS, "look", "(II[Ljava/lang/Object;)V");
    }

    private Variable find(String name, int at) {
        for (Variable each : variables) {
            if (each.name.equals(name) && each.start <= at && at < each.end) {
                return each;
            }
        }
        return null;
    }

    private void pushValue(Piece piece, Variable variable) throws IOException {
        char letter = variable.type.charAt(0);
        int load = letter == 'J' ? 22 : letter == 'F' ? 23 : letter == 'D' ? 24 : PRIMITIVES.indexOf(letter) >= 0 ? 21 : 25;
        piece.variable(load, variable.slot);
        if (load != 25) {
            String box = "java/lang/" + BOXES.get(PRIMITIVES.indexOf(letter));
            piece.call(box, "valueOf", "(" + letter + ")L" + box + ";");
        }
    }

    /** Adds to each mark where its call stands, one for each place. */
    @Override
    void place(int[] before, int... thrown) {
        for (Waiting each : waiting) {
            StringBuilder places = new StringBuilder(marks.get(each.number));
            for (int from : each.at < 0 ? thrown : new int[] {before[each.at]}) {
                places.append(' ').append(from + each.shift);
            }
            marks.set(each.number, places.toString());
        }
    }
}
