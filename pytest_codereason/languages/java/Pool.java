package codereason;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The constants of a class file, to which others can be added. */
final class Pool {
    private static final int UTF8 = 1, INTEGER = 3, LONG = 5, DOUBLE = 6, CLASS = 7, METHOD = 10, NAME_AND_TYPE = 12;
    private final List<byte[]> entries = new ArrayList<>(); // as they stand, null after a long one
    private final Map<String, Integer> added = new HashMap<>();

    Pool(DataInputStream in) throws IOException {
        int count = in.readUnsignedShort();
        entries.add(null);
        while (entries.size() < count) {
            int tag = in.readUnsignedByte();
            int length = switch (tag) {
                case UTF8 -> -1;
                case LONG, DOUBLE -> 8;
                case CLASS, 8, 16, 19, 20 -> 2;
                case 15 -> 3;
                default -> 4;
            };
            ByteArrayOutputStream entry = new ByteArrayOutputStream();
            entry.write(tag);
            if (length < 0) {
                length = in.readUnsignedShort();
                new DataOutputStream(entry).writeShort(length);
            }
            entry.write(in.readNBytes(length));
            entries.add(entry.toByteArray());
            if (tag == LONG || tag == DOUBLE) {
                entries.add(null);
            }
        }
    }

    void write(DataOutputStream out) throws IOException {
        out.writeShort(entries.size());
        for (byte[] entry : entries) {
            if (entry != null) {
                out.write(entry);
            }
        }
    }

    /** The index that stands at a place of an entry. */
    int read(int index, int at) {
        byte[] entry = entries.get(index);
        return (entry[at] & 255) << 8 | entry[at + 1] & 255;
    }

    String text(int index) throws IOException {
        byte[] entry = entries.get(index);
        return new DataInputStream(new ByteArrayInputStream(entry, 1, entry.length - 1)).readUTF();
    }

    int text(String text) throws IOException {
        return add(UTF8, text);
    }

    int type(String name) throws IOException {
        return add(CLASS, add(UTF8, name));
    }

    int integer(int number) throws IOException {
        return add(INTEGER, number);
    }

    int method(String owner, String name, String descriptor) throws IOException {
        return add(METHOD, type(owner), add(NAME_AND_TYPE, add(UTF8, name), add(UTF8, descriptor)));
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
        String key = bytes.toString(StandardCharsets.ISO_8859_1);
        if (!added.containsKey(key)) {
            added.put(key, entries.size());
            entries.add(bytes.toByteArray());
        }
        return added.get(key);
    }
}
