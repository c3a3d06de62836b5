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
import java.util.function.BiFunction;
import java.util.function.IntUnaryOperator;

/**
 * Puts a call of {@link Witness} at the start and at each end of the methods of a class file.
 *
 * <p>No edit of the source can do so: a constructor calls that of its superclass before its first statement, and a class
 * with an enum's constants has none before them. An end is a return, or an exception that nobody in the method catches.
 */
public final class Weaver {
    private static final int UTF8 = 1, INTEGER = 3, LONG = 5, DOUBLE = 6, CLASS = 7, METHOD = 10, NAME_AND_TYPE = 12;
    private static final int NEW = 187, INVOKESPECIAL = 183, INVOKESTATIC = 184, DUP = 89, ATHROW = 191, WIDE = 196, IINC = 132;
    private static final int SYNTHETIC = 0x1000, TABLESWITCH = 170, LOOKUPSWITCH = 171, IRETURN = 172, RETURN = 177, LDC_W = 19;
    private static final int GOTO_W = 200, JSR_W = 201;
    private final DataInputStream in;
    private final List<byte[]> pool = new ArrayList<>(); // entries as they stand, null after a long one
    private final Map<String, Integer> added = new HashMap<>();
    private final IntUnaryOperator place;
    private String type;

    private Weaver(byte[] bytes, IntUnaryOperator place) {
        this.place = place;
        this.in = new DataInputStream(new ByteArrayInputStream(bytes));
    }

    /**
     * The class with calls in its methods.
     *
     * @param number the number of a method, given its name and descriptor; 0 for a method that is not to tell
     * @param place the number of a line; null if no line is to be counted
     */
    public static byte[] weave(byte[] bytes, BiFunction<String, String, Integer> number, IntUnaryOperator place)
            throws IOException {
        return new Weaver(bytes, place).weave(number);
    }

    private byte[] weave(BiFunction<String, String, Integer> number) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        copy(head, 8);
        readPool();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(body);
        copy(body, 2);
        int self = in.readUnsignedShort();
        type = text(entry(self, 1));
        out.writeShort(self);
        copy(body, 2);
        int interfaces = in.readUnsignedShort();
        out.writeShort(interfaces);
        copy(body, 2 * interfaces);
        copyMembers(out, null);
        copyMembers(out, number);
        in.transferTo(body);
        DataOutputStream whole = new DataOutputStream(head);
        whole.writeShort(pool.size());
        for (byte[] entry : pool) {
            if (entry != null) {
                whole.write(entry);
            }
        }
        body.writeTo(head);
        return head.toByteArray();
    }

    private void copy(ByteArrayOutputStream out, int count) throws IOException {
        out.write(in.readNBytes(count));
    }

    // ---- the pool of constants

    private void readPool() throws IOException {
        int count = in.readUnsignedShort();
        pool.add(null);
        while (pool.size() < count) {
            int tag = in.readUnsignedByte();
            int length = switch (tag) {
                case UTF8 -> -1;
                case LONG, DOUBLE -> 8;
                case CLASS, 8, 16, 19, 20 -> 2;
                case 15 -> 3;
                default -> 4;
            };
            byte[] rest;
            if (length < 0) {
                int size = in.readUnsignedShort();
                ByteArrayOutputStream text = new ByteArrayOutputStream();
                new DataOutputStream(text).writeShort(size);
                copy(text, size);
                rest = text.toByteArray();
            } else {
                rest = in.readNBytes(length);
            }
            byte[] entry = new byte[rest.length + 1];
            entry[0] = (byte) tag;
            System.arraycopy(rest, 0, entry, 1, rest.length);
            pool.add(entry);
            if (tag == LONG || tag == DOUBLE) {
                pool.add(null);
            }
        }
    }

    private int entry(int index, int at) {
        byte[] entry = pool.get(index);
        return (entry[at] & 255) << 8 | entry[at + 1] & 255;
    }

    private String text(int index) throws IOException {
        byte[] entry = pool.get(index);
        return new DataInputStream(new ByteArrayInputStream(entry, 1, entry.length - 1)).readUTF();
    }

    private int add(int tag, Object... parts) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeByte(tag);
        for (Object part : parts) {
            if (part instanceof String text) {
                out.writeUTF(text);
            } else if (tag == INTEGER) {
                out.writeInt((Integer) part);
            } else {
                out.writeShort((Integer) part);
            }
        }
        String key = bytes.toString(java.nio.charset.StandardCharsets.ISO_8859_1);
        if (!added.containsKey(key)) {
            added.put(key, pool.size());
            pool.add(bytes.toByteArray());
        }
        return added.get(key);
    }

    private int method(String name) throws IOException {
        int owner = add(CLASS, add(UTF8, "codereason/Witness"));
        String parameters = name.equals("resume") ? "(Ljava/lang/Throwable;I)V" : "(I)V";
        return add(METHOD, owner, add(NAME_AND_TYPE, add(UTF8, name), add(UTF8, parameters)));
    }

    // ---- fields and methods

    private void copyMembers(DataOutputStream out, BiFunction<String, String, Integer> number) throws IOException {
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
            boolean made = (access & SYNTHETIC) != 0; // by the compiler: a lambda, or a bridge to a method of another type
            int body = number == null || made ? 0 : number.apply(text(name), text(descriptor));
            for (int j = 0; j < attributes; j++) {
                int attribute = in.readUnsignedShort();
                byte[] content = in.readNBytes(in.readInt());
                if (number != null && (body > 0 || place != null) && text(attribute).equals("Code")) {
                    content = new Code(content, body, text(name), text(descriptor), (access & 8) != 0).weave();
                }
                out.writeShort(attribute);
                out.writeInt(content.length);
                out.write(content);
            }
        }
    }

    /** The code of one method. */
    private final class Code {
        final DataInputStream in;
        final int body;
        final String name;
        final String descriptor;
        final boolean isStatic;
        byte[] code;
        byte[] caught; // the table of handlers as it stood
        final Map<Integer, Integer> lines = new HashMap<>(); // the number of the line that begins at an offset
        int[] moved; // where the instruction that stood at an offset stands now; of one before which a call is put, the call
        int[] behind; // the same, after the call
        final ByteArrayOutputStream woven = new ByteArrayOutputStream();
        final DataOutputStream out = new DataOutputStream(woven);

        Code(byte[] content, int body, String name, String descriptor, boolean isStatic) {
            this.in = new DataInputStream(new ByteArrayInputStream(content));
            this.body = body;
            this.name = name;
            this.descriptor = descriptor;
            this.isStatic = isStatic;
        }

        byte[] weave() throws IOException {
            int stack = in.readUnsignedShort();
            int locals = in.readUnsignedShort();
            code = in.readNBytes(in.readInt());
            int built = body > 0 && name.equals("<init>") ? findBuilt() : -3;
            caught = in.readNBytes(8 * in.readUnsignedShort());
            findLines();
            place();
            write();
            int end = woven.size();
            // The handlers: one for the part of a constructor before the object is made, one for the rest.
            List<int[]> handlers = new ArrayList<>();
            if (built > 0) {
                handlers.add(new int[] {moved[0], moved[built], woven.size()});
                writeHandler();
            }
            if (body > 0) {
                handlers.add(new int[] {moved[built + 3], end, woven.size()});
                writeHandler();
            }
            if (woven.size() > 65535) {
                throw new IOException("a method is too long to be traced");
            }
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            DataOutputStream all = new DataOutputStream(content);
            all.writeShort(stack + 3);
            all.writeShort(locals);
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
            for (int[] handler : handlers) {
                all.writeShort(handler[0]);
                all.writeShort(handler[1]);
                all.writeShort(handler[2]);
                all.writeShort(0);
            }
            writeAttributes(all, handlers, built > 0);
            return content.toByteArray();
        }

        /** In a constructor: the offset of the call that makes the object. No handler may guard this call. */
        int findBuilt() throws IOException {
            int open = 0;
            for (int at = 0; at < code.length; at += length(at)) {
                int operation = code[at] & 255;
                if (operation == NEW) {
                    open++;
                } else if (operation == INVOKESPECIAL && text(entry(entry(unsigned(at + 1), 3), 1)).equals("<init>")) {
                    if (open-- == 0) {
                        return at;
                    }
                }
            }
            throw new IOException("a constructor that makes no object");
        }

        int unsigned(int at) {
            return (code[at] & 255) << 8 | code[at + 1] & 255;
        }

        int integer(int at) {
            return unsigned(at) << 16 | unsigned(at + 2);
        }

        int length(int at) {
            int operation = code[at] & 255;
            int padded = at + 4 & ~3;
            if (operation == TABLESWITCH) {
                return padded + 12 + 4 * (integer(padded + 8) - integer(padded + 4) + 1) - at;
            }
            if (operation == LOOKUPSWITCH) {
                return padded + 8 + 8 * integer(padded + 4) - at;
            }
            if (operation == WIDE) {
                return (code[at + 1] & 255) == IINC ? 6 : 4;
            }
            return switch (operation) {
                case 16, 18, 21, 22, 23, 24, 25, 54, 55, 56, 57, 58, 169, 188 -> 2;
                case 17, 19, 20, IINC, 178, 179, 180, 181, 182, INVOKESPECIAL, INVOKESTATIC, NEW, 189, 192, 193 -> 3;
                case 197 -> 4;
                case 185, 186, GOTO_W, JSR_W -> 5;
                default -> jumps(operation) ? 3 : 1;
            };
        }

        boolean jumps(int operation) {
            return operation >= 153 && operation <= 168 || operation == 198 || operation == 199;
        }

        /** Reads ahead which lines begin where. */
        void findLines() throws IOException {
            if (place == null) {
                return;
            }
            in.mark(Integer.MAX_VALUE);
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                String attribute = text(in.readUnsignedShort());
                DataInputStream table = new DataInputStream(new ByteArrayInputStream(in.readNBytes(in.readInt())));
                for (int i = attribute.equals("LineNumberTable") ? table.readUnsignedShort() : 0; i > 0; i--) {
                    int at = table.readUnsignedShort();
                    lines.put(at, place.applyAsInt(table.readUnsignedShort()));
                }
            }
            in.reset();
        }

        /** What is called before an instruction: at the end of the method, and where an exception is caught. */
        String called(int at) {
            if (body == 0) {
                return "";
            }
            int operation = code[at] & 255;
            if (operation >= IRETURN && operation <= RETURN) {
                return "leave";
            }
            for (int i = 4; i < caught.length; i += 8) {
                if (((caught[i] & 255) << 8 | caught[i + 1] & 255) == at) {
                    return "resume";
                }
            }
            return "";
        }

        /** The new offset of each instruction. */
        void place() {
            moved = new int[code.length + 1];
            behind = new int[code.length + 1];
            int now = body > 0 ? 6 : 0;
            for (int at = 0; at < code.length; ) {
                int length = length(at);
                moved[at] = now;
                now += (called(at).isEmpty() ? 0 : called(at).equals("resume") ? 7 : 6) + (lines.containsKey(at) ? 6 : 0);
                behind[at] = now;
                int operation = code[at] & 255;
                boolean padded = operation == TABLESWITCH || operation == LOOKUPSWITCH;
                now += padded ? length - (at + 4 & ~3) + at + (now + 4 & ~3) - now : length;
                at += length;
            }
            moved[code.length] = behind[code.length] = now;
        }

        void writeCall(String called, int number) throws IOException {
            if (called.equals("resume")) {
                out.writeByte(DUP); // the exception
            }
            out.writeByte(LDC_W);
            out.writeShort(add(INTEGER, number));
            out.writeByte(INVOKESTATIC);
            out.writeShort(method(called));
        }

        void write() throws IOException {
            if (body > 0) {
                writeCall("enter", body);
            }
            for (int at = 0; at < code.length; ) {
                int length = length(at);
                int operation = code[at] & 255;
                String called = called(at);
                if (!called.isEmpty()) {
                    writeCall(called, body);
                }
                if (lines.containsKey(at)) {
                    writeCall("reach", lines.get(at));
                }
                if (operation == TABLESWITCH || operation == LOOKUPSWITCH) {
                    writeSwitch(at, operation);
                } else if (jumps(operation)) {
                    int target = moved[at + (short) unsigned(at + 1)] - behind[at];
                    if (target != (short) target) {
                        throw new IOException("a method is too long to be traced");
                    }
                    out.writeByte(operation);
                    out.writeShort(target);
                } else if (operation == GOTO_W || operation == JSR_W) {
                    out.writeByte(operation);
                    out.writeInt(moved[at + integer(at + 1)] - behind[at]);
                } else {
                    out.write(code, at, length);
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
            out.writeInt(moved[at + integer(from)] - here);
            if (operation == TABLESWITCH) {
                out.writeInt(integer(from + 4));
                out.writeInt(integer(from + 8));
                for (int i = from + 12; i < at + length(at); i += 4) {
                    out.writeInt(moved[at + integer(i)] - here);
                }
            } else {
                out.writeInt(integer(from + 4));
                for (int i = from + 8; i < at + length(at); i += 8) {
                    out.writeInt(integer(i));
                    out.writeInt(moved[at + integer(i + 4)] - here);
                }
            }
        }

        void writeHandler() throws IOException {
            writeCall("leave", body);
            out.writeByte(ATHROW);
        }

        // ---- what belongs to the code

        void writeAttributes(DataOutputStream all, List<int[]> handlers, boolean built) throws IOException {
            int count = in.readUnsignedShort();
            ByteArrayOutputStream kept = new ByteArrayOutputStream();
            DataOutputStream attributes = new DataOutputStream(kept);
            byte[] frames = {0, 0};
            int written = 1;
            for (int i = 0; i < count; i++) {
                int attribute = in.readUnsignedShort();
                byte[] content = in.readNBytes(in.readInt());
                switch (text(attribute)) {
                    case "StackMapTable" -> {
                        frames = content;
                        continue;
                    }
                    case "LineNumberTable" -> content = moveTable(content, false);
                    case "LocalVariableTable", "LocalVariableTypeTable" -> content = moveTable(content, true);
                    default -> {
                        continue; // annotations of types, which nothing reads at run time
                    }
                }
                attributes.writeShort(attribute);
                attributes.writeInt(content.length);
                attributes.write(content);
                written++;
            }
            byte[] moved = moveFrames(frames, handlers, built);
            attributes.writeShort(add(UTF8, "StackMapTable"));
            attributes.writeInt(moved.length);
            attributes.write(moved);
            all.writeShort(written);
            kept.writeTo(all);
        }

        byte[] moveTable(byte[] content, boolean variables) throws IOException {
            DataInputStream table = new DataInputStream(new ByteArrayInputStream(content));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream result = new DataOutputStream(bytes);
            int count = table.readUnsignedShort();
            result.writeShort(count);
            for (int i = 0; i < count; i++) {
                int start = table.readUnsignedShort();
                result.writeShort(moved[start]);
                if (variables) {
                    result.writeShort(moved[start + table.readUnsignedShort()] - moved[start]);
                    result.write(table.readNBytes(6));
                } else {
                    result.writeShort(table.readUnsignedShort());
                }
            }
            return bytes.toByteArray();
        }

        /** The frames at their new places, each written in full of its kind, and one for each handler. */
        byte[] moveFrames(byte[] content, List<int[]> handlers, boolean built) throws IOException {
            DataInputStream table = new DataInputStream(new ByteArrayInputStream(content));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream result = new DataOutputStream(bytes);
            int count = table.readUnsignedShort();
            result.writeShort(count + handlers.size());
            int old = -1;
            int last = -1;
            for (int i = 0; i < count; i++) {
                int kind = table.readUnsignedByte();
                int delta = kind < 64 ? kind : kind < 128 ? kind - 64 : table.readUnsignedShort();
                old += delta + 1;
                int delta2 = moved[old] - last - 1;
                last = moved[old];
                if (kind < 64 || kind == 251) {
                    result.writeByte(251);
                    result.writeShort(delta2);
                } else if (kind < 128 || kind == 247) {
                    result.writeByte(247);
                    result.writeShort(delta2);
                    moveTypes(table, result, 1);
                } else {
                    result.writeByte(kind);
                    result.writeShort(delta2);
                    if (kind == 255) {
                        for (int part = 0; part < 2; part++) {
                            int types = table.readUnsignedShort();
                            result.writeShort(types);
                            moveTypes(table, result, types);
                        }
                    } else if (kind > 251) {
                        moveTypes(table, result, kind - 251);
                    }
                }
            }
            for (int i = 0; i < handlers.size(); i++) {
                int at = handlers.get(i)[2];
                result.writeByte(255);
                result.writeShort(at - last - 1);
                last = at;
                writeLocals(result, built && i == 0);
                result.writeShort(1);
                result.writeByte(7);
                result.writeShort(add(CLASS, add(UTF8, "java/lang/Throwable")));
            }
            return bytes.toByteArray();
        }

        void moveTypes(DataInputStream table, DataOutputStream result, int count) throws IOException {
            for (int i = 0; i < count; i++) {
                int tag = table.readUnsignedByte();
                result.writeByte(tag);
                if (tag == 7) {
                    result.writeShort(table.readUnsignedShort());
                } else if (tag == 8) { // an object that is not made yet, by the place of its "new"
                    result.writeShort(behind[table.readUnsignedShort()]);
                }
            }
        }

        /** The types of the parameters, which every place of the code has. */
        void writeLocals(DataOutputStream result, boolean unmade) throws IOException {
            ByteArrayOutputStream types = new ByteArrayOutputStream();
            DataOutputStream written = new DataOutputStream(types);
            int count = 0;
            if (!isStatic) {
                count++;
                written.writeByte(unmade ? 6 : 7);
                if (!unmade) {
                    written.writeShort(add(CLASS, add(UTF8, type)));
                }
            }
            for (int at = 1; descriptor.charAt(at) != ')'; count++) {
                int start = at;
                while (descriptor.charAt(at) == '[') {
                    at++;
                }
                at = descriptor.charAt(at) == 'L' ? descriptor.indexOf(';', at) + 1 : at + 1;
                String parameter = descriptor.substring(start, at);
                char letter = parameter.charAt(0);
                if (letter == 'L' || letter == '[') {
                    String named = letter == 'L' ? parameter.substring(1, parameter.length() - 1) : parameter;
                    written.writeByte(7);
                    written.writeShort(add(CLASS, add(UTF8, named)));
                } else {
                    written.writeByte(letter == 'F' ? 2 : letter == 'D' ? 3 : letter == 'J' ? 4 : 1);
                }
            }
            result.writeShort(count);
            types.writeTo(result);
        }
    }
}
