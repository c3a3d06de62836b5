package codereason;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The table that says which types a method's variables have, wherever it may be jumped to. Each frame is written in full. */
final class Frames {
    private static final int INTEGER = 1, LONG = 4, DOUBLE = 3, UNMADE = 6, OBJECT = 7, NEW = 8;
    private final Pool pool;
    private final int locals; // slots of the method's own variables
    private final int variables; // those behind them
    private final List<byte[]> parameters = new ArrayList<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private int last = -1;
    private int count;

    /**
     * @param self the class, if the method has an object; else null
     * @param builds whether it is a constructor
     */
    Frames(Pool pool, String self, String descriptor, boolean builds, int locals, int variables) throws IOException {
        this.pool = pool;
        this.locals = locals;
        this.variables = variables;
        if (self != null) {
            parameters.add(builds ? new byte[] {UNMADE} : object(self));
        }
        for (int at = 1; descriptor.charAt(at) != ')'; ) {
            int start = at;
            while (descriptor.charAt(at) == '[') {
                at++;
            }
            at = descriptor.charAt(at) == 'L' ? descriptor.indexOf(';', at) + 1 : at + 1;
            String type = descriptor.substring(start, at);
            char letter = type.charAt(0);
            if (letter == 'L' || letter == '[') {
                parameters.add(object(letter == 'L' ? type.substring(1, type.length() - 1) : type));
            } else {
                parameters.add(new byte[] {(byte) (letter == 'F' ? 2 : letter == 'D' ? DOUBLE : letter == 'J' ? LONG : INTEGER)});
            }
        }
    }

    private byte[] object(String type) throws IOException {
        int index = pool.type(type);
        return new byte[] {OBJECT, (byte) (index >> 8), (byte) index};
    }

    /** Takes the frames of a method whose instructions stand elsewhere now, each behind what is put before it. */
    void move(byte[] table, int[] moved, int[] behind) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(table));
        List<byte[]> known = new ArrayList<>(parameters);
        int old = -1;
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            int kind = in.readUnsignedByte();
            old += 1 + (kind < 64 ? kind : kind < 128 ? kind - 64 : in.readUnsignedShort());
            List<byte[]> stack = new ArrayList<>();
            if (kind == 255) {
                known.clear();
                read(in, in.readUnsignedShort(), known);
                read(in, in.readUnsignedShort(), stack);
            } else if (kind > 251) {
                read(in, kind - 251, known);
            } else if (kind > 247) {
                known.subList(known.size() - (251 - kind), known.size()).clear();
            } else if (kind >= 64) {
                read(in, 1, stack);
            }
            write(moved[old], known, stack, behind);
        }
    }

    private static void read(DataInputStream in, int count, List<byte[]> types) throws IOException {
        for (int i = 0; i < count; i++) {
            byte tag = in.readByte();
            types.add(tag < OBJECT ? new byte[] {tag} : new byte[] {tag, in.readByte(), in.readByte()});
        }
    }

    /** The frame of a handler for every exception. What holds everywhere holds there: the types of the parameters. */
    void addHandler(int at, String self) throws IOException {
        List<byte[]> known = new ArrayList<>(parameters);
        if (self != null) {
            known.set(0, object(self));
        }
        write(at, known, List.of(object("java/lang/Throwable")), null);
    }

    private void write(int at, List<byte[]> known, List<byte[]> stack, int[] behind) throws IOException {
        out.writeByte(255);
        out.writeShort(at - last - 1);
        last = at;
        count++;
        List<byte[]> all = new ArrayList<>(known);
        if (variables > 0) {
            int slots = 0;
            for (byte[] type : known) {
                slots += type[0] == LONG || type[0] == DOUBLE ? 2 : 1;
            }
            for (; slots < locals; slots++) {
                all.add(new byte[] {0}); // nothing that can be read
            }
            for (int i = 0; i < variables; i++) {
                all.add(new byte[] {INTEGER});
            }
        }
        for (List<byte[]> types : List.of(all, stack)) {
            out.writeShort(types.size());
            for (byte[] type : types) {
                if (type[0] == NEW) { // an object that is not made yet, by the place of its "new"
                    out.writeByte(NEW);
                    out.writeShort(behind[(type[1] & 255) << 8 | type[2] & 255]);
                } else {
                    out.write(type);
                }
            }
        }
    }

    byte[] table() throws IOException {
        ByteArrayOutputStream table = new ByteArrayOutputStream();
        new DataOutputStream(table).writeShort(count);
        bytes.writeTo(table);
        return table.toByteArray();
    }
}
