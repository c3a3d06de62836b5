package codereason;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.IntUnaryOperator;

/**
 * Puts calls of a witness into the methods of a class file: at their starts and ends, at their lines.
 *
 * <p>No edit of the source can do so: a constructor calls that of its superclass before its first statement, and a class
 * with an enum's constants has none before them. An end is a return, or an exception that nobody in the method catches.
 */
public final class Weaver {
    private static final int SYNTHETIC = 0x1000, STATIC = 8;
    private static final String LAMBDA = "lambda$", IN_CALL = "lambda$codereason$call$";
    private final DataInputStream in;
    private Pool pool;
    private String type;

    /** Chooses what is put into a method; nothing if it is to stay as it is. */
    interface Chooser {
        Notes choose(Code code) throws IOException;
    }

    private Weaver(byte[] bytes) {
        this.in = new DataInputStream(new ByteArrayInputStream(bytes));
    }

    /**
     * The class with calls of {@link Witness} in its methods.
     *
     * @param number the number of a method, given its name and descriptor; 0 for a method that is not to tell
     * @param place the number of a line; null if no line is to be counted
     */
    public static byte[] weave(byte[] bytes, BiFunction<String, String, Integer> number, IntUnaryOperator place)
            throws IOException {
        return new Weaver(bytes).weave(code -> {
            int body = code.isMade() ? 0 : number.apply(code.name, code.descriptor);
            Map<Integer, Integer> lines = new HashMap<>();
            if (place != null) {
                code.lines().forEach((at, line) -> lines.put(at, place.applyAsInt(line)));
            }
            return body > 0 || place != null ? new CallNotes(code.pool(), code, body, lines) : null;
        });
    }

    /**
     * The class with calls of {@link Moments} in its methods.
     *
     * @param number as above
     * @param file what stands for the file of the class in the marks
     * @param place the line that a line of the class file is in the program; 0 if it is none
     * @param jumps where statements begin that do nothing but jump: 1,024 times the line, and the column
     * @param probes by their lines: the number of each probe, and the names that it looks at
     * @param marks those of other classes, to which those of this one are added: what {@link Moments} reads
     */
    public static byte[] weaveMoments(byte[] bytes, BiFunction<String, String, Integer> number, int file,
            IntUnaryOperator place, Set<Integer> jumps, Map<Integer, List<String>> probes, List<String> marks) throws IOException {
        return new Weaver(bytes).weave(code -> {
            MomentNotes notes = new MomentNotes(code.pool(), code, file, place, jumps, probes, marks);
            boolean written = code.name.startsWith("<") || !code.isMade() && number.apply(code.name, code.descriptor) > 0;
            return (written || code.isLambda()) && notes.anyLine() ? notes : null;
        });
    }

    private byte[] weave(Chooser chooser) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        copy(head, 8);
        pool = new Pool(in);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(body);
        copy(body, 2);
        int self = in.readUnsignedShort();
        type = pool.text(pool.read(self, 1));
        out.writeShort(self);
        copy(body, 2);
        int interfaces = in.readUnsignedShort();
        out.writeShort(interfaces);
        copy(body, 2 * interfaces);
        copyMembers(out, null);
        copyMembers(out, chooser);
        in.transferTo(body);
        pool.write(new DataOutputStream(head));
        body.writeTo(head);
        return head.toByteArray();
    }

    private void copy(ByteArrayOutputStream out, int count) throws IOException {
        out.write(in.readNBytes(count));
    }

    /** Fields, or with a chooser methods. */
    private void copyMembers(DataOutputStream out, Chooser chooser) throws IOException {
        int count = in.readUnsignedShort();
        out.writeShort(count);
        for (int i = 0; i < count; i++) {
            int access = in.readUnsignedShort();
            int name = in.readUnsignedShort();
            int descriptor = in.readUnsignedShort();
            int attributes = in.readUnsignedShort();
            out.writeShort(access);
            out.writeShort(name);
            out.writeShort(descriptor);
            out.writeShort(attributes);
            for (int j = 0; j < attributes; j++) {
                int attribute = in.readUnsignedShort();
                byte[] content = in.readNBytes(in.readInt());
                if (chooser != null && pool.text(attribute).equals("Code")) {
                    Code code = new Code(content, access, pool.text(name), pool.text(descriptor));
                    Notes notes = chooser.choose(code);
                    content = notes == null ? content : code.weave(notes);
                }
                out.writeShort(attribute);
                out.writeInt(content.length);
                out.write(content);
            }
        }
    }

    /** The code of one method. */
    final class Code {
        final int access;
        final String name;
        final String descriptor;
        final int stack;
        final int locals;
        final Instructions instructions;
        private final byte[] caught; // the table of handlers as it stood
        private final Map<String, List<byte[]>> attributes = new HashMap<>();
        private int[] moved; // where the instruction that stood at an offset stands now; of one before which something is put, that
        private int[] behind; // the same, after what is put before it
        private final ByteArrayOutputStream woven = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(woven);

        Code(byte[] content, int access, String name, String descriptor) throws IOException {
            this.access = access;
            this.name = name;
            this.descriptor = descriptor;
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
            stack = in.readUnsignedShort();
            locals = in.readUnsignedShort();
            instructions = new Instructions(in.readNBytes(in.readInt()));
            caught = in.readNBytes(8 * in.readUnsignedShort());
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                String attribute = pool.text(in.readUnsignedShort());
                attributes.computeIfAbsent(attribute, key -> new ArrayList<>()).add(in.readNBytes(in.readInt()));
            }
        }

        Pool pool() {
            return pool;
        }

        String type() {
            return type;
        }

        /** Whether the compiler made it: a lambda, or a bridge to a method of another type. */
        boolean isMade() {
            return (access & SYNTHETIC) != 0;
        }

        /** Whether it is a lambda of the program. */
        boolean isLambda() {
            return isMade() && name.startsWith(LAMBDA) && !name.startsWith(IN_CALL);
        }

        /** The rows of the tables of a kind, each of so many bytes. */
        List<DataInputStream> rows(String attribute, int length) throws IOException {
            List<DataInputStream> rows = new ArrayList<>();
            for (byte[] content : attributes.getOrDefault(attribute, List.of())) {
                DataInputStream table = new DataInputStream(new ByteArrayInputStream(content));
                for (int left = table.readUnsignedShort(); left > 0; left--) {
                    rows.add(new DataInputStream(new ByteArrayInputStream(table.readNBytes(length))));
                }
            }
            return rows;
        }

        /** The line that begins at an offset. */
        Map<Integer, Integer> lines() throws IOException {
            Map<Integer, Integer> lines = new HashMap<>();
            for (DataInputStream row : rows("LineNumberTable", 4)) {
                lines.put(row.readUnsignedShort(), row.readUnsignedShort());
            }
            return lines;
        }

        /** Whether an exception is caught at an offset. */
        boolean isHandler(int at) {
            for (int i = 4; i < caught.length; i += 8) {
                if (((caught[i] & 255) << 8 | caught[i + 1] & 255) == at) {
                    return true;
                }
            }
            return false;
        }

        byte[] weave(Notes notes) throws IOException {
            byte[] handler = notes.thrown();
            int built = handler.length > 0 && name.equals("<init>") ? findBuilt() : -3;
            boolean isStatic = (access & STATIC) != 0;
            byte[][] before = new byte[instructions.bytes.length][];
            byte[] start = notes.start();
            place(start, notes, before);
            write(start, before);
            // The handlers: one for the part of a constructor before the object is made, one for the rest.
            String self = isStatic ? null : type;
            Frames frames = new Frames(pool, self, descriptor, name.equals("<init>"), locals, notes.variables());
            List<byte[]> tables = attributes.get("StackMapTable");
            if (tables != null) {
                frames.move(tables.get(0), moved, behind);
            }
            int end = woven.size();
            List<int[]> handlers = new ArrayList<>();
            if (built > 0) {
                handlers.add(new int[] {moved[0], moved[built], woven.size()});
                frames.addHandler(woven.size(), null);
                writeHandler(handler);
            }
            if (handler.length > 0) {
                handlers.add(new int[] {moved[built + 3], end, woven.size()});
                frames.addHandler(woven.size(), self);
                writeHandler(handler);
            }
            if (woven.size() > 65535) {
                throw new IOException("a method is too long to be traced");
            }
            notes.place(moved, handlers.stream().mapToInt(each -> each[2]).toArray());
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            DataOutputStream all = new DataOutputStream(content);
            all.writeShort(stack + 8);
            all.writeShort(locals + notes.variables());
            all.writeInt(woven.size());
            woven.writeTo(all);
            all.writeShort(caught.length / 8 + handlers.size());
            DataInputStream table = new DataInputStream(new ByteArrayInputStream(caught));
            for (int i = 0; i < caught.length; i += 8) {
                all.writeShort(moved[table.readUnsignedShort()]);
                all.writeShort(moved[table.readUnsignedShort()]);
                all.writeShort(moved[table.readUnsignedShort()]);
                all.writeShort(table.readUnsignedShort());
            }
            for (int[] each : handlers) {
                all.writeShort(each[0]);
                all.writeShort(each[1]);
                all.writeShort(each[2]);
                all.writeShort(0);
            }
            // Names of variables are left out: the machine would write them into messages, which it does not untraced.
            all.writeShort(2);
            writeAttribute(all, "LineNumberTable", moveLines());
            writeAttribute(all, "StackMapTable", frames.table());
            return content.toByteArray();
        }

        /** In a constructor: the offset of the call that makes the object. No handler may guard this call. */
        int findBuilt() throws IOException {
            int open = 0;
            for (int at = 0; at < instructions.bytes.length; at += instructions.length(at)) {
                int operation = instructions.operation(at);
                if (operation == Instructions.NEW) {
                    open++;
                } else if (operation == Instructions.INVOKESPECIAL) {
                    int named = pool.read(instructions.unsigned(at + 1), 3);
                    if (pool.text(pool.read(named, 1)).equals("<init>") && open-- == 0) {
                        return at;
                    }
                }
            }
            throw new IOException("a constructor that makes no object");
        }

        /** The new offset of each instruction. */
        void place(byte[] start, Notes notes, byte[][] before) throws IOException {
            int size = instructions.bytes.length;
            moved = new int[size + 1];
            behind = new int[size + 1];
            int now = start.length;
            for (int at = 0; at < size; ) {
                int length = instructions.length(at);
                moved[at] = now;
                before[at] = notes.before(at);
                now += before[at].length;
                behind[at] = now;
                int operation = instructions.operation(at);
                boolean padded = operation == Instructions.TABLESWITCH || operation == Instructions.LOOKUPSWITCH;
                now += padded ? length - (at + 4 & ~3) + at + (now + 4 & ~3) - now : length;
                at += length;
            }
            moved[size] = behind[size] = now;
        }

        void write(byte[] start, byte[][] before) throws IOException {
            out.write(start);
            for (int at = 0; at < instructions.bytes.length; ) {
                int length = instructions.length(at);
                int operation = instructions.operation(at);
                out.write(before[at]);
                if (operation == Instructions.TABLESWITCH || operation == Instructions.LOOKUPSWITCH) {
                    writeSwitch(at, operation);
                } else if (Instructions.jumps(operation)) {
                    int target = moved[at + (short) instructions.unsigned(at + 1)] - behind[at];
                    if (target != (short) target) {
                        throw new IOException("a method is too long to be traced");
                    }
                    out.writeByte(operation);
                    out.writeShort(target);
                } else if (operation == Instructions.GOTO_W || operation == Instructions.JSR_W) {
                    out.writeByte(operation);
                    out.writeInt(moved[at + instructions.integer(at + 1)] - behind[at]);
                } else {
                    out.write(instructions.bytes, at, length);
                }
                at += length;
            }
        }

        void writeSwitch(int at, int operation) throws IOException {
            int from = at + 4 & ~3;
            int here = behind[at];
            out.writeByte(operation);
            while (woven.size() % 4 != 0) {
                out.writeByte(0);
            }
            out.writeInt(moved[at + instructions.integer(from)] - here);
            out.writeInt(instructions.integer(from + 4));
            if (operation == Instructions.TABLESWITCH) {
                out.writeInt(instructions.integer(from + 8));
                for (int i = from + 12; i < at + instructions.length(at); i += 4) {
                    out.writeInt(moved[at + instructions.integer(i)] - here);
                }
            } else {
                for (int i = from + 8; i < at + instructions.length(at); i += 8) {
                    out.writeInt(instructions.integer(i));
                    out.writeInt(moved[at + instructions.integer(i + 4)] - here);
                }
            }
        }

        void writeHandler(byte[] handler) throws IOException {
            out.write(handler);
            out.writeByte(Instructions.ATHROW);
        }

        void writeAttribute(DataOutputStream all, String attribute, byte[] content) throws IOException {
            all.writeShort(pool.text(attribute));
            all.writeInt(content.length);
            all.write(content);
        }

        byte[] moveLines() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream result = new DataOutputStream(bytes);
            List<DataInputStream> rows = rows("LineNumberTable", 4);
            result.writeShort(rows.size());
            for (DataInputStream row : rows) {
                result.writeShort(moved[row.readUnsignedShort()]);
                result.writeShort(row.readUnsignedShort());
            }
            return bytes.toByteArray();
        }
    }
}
