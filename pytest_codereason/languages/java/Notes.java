package codereason;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** What the weaver puts into one method. All of it is code that leaves the stack as it was. */
abstract class Notes {
    final Pool pool;

    Notes(Pool pool) {
        this.pool = pool;
    }

    /** How many variables it has of its own, whole numbers that stand behind all others. */
    int variables() {
        return 0;
    }

    /** At the start of the method. */
    abstract byte[] start() throws IOException;

    /** Before the instruction that stands at an offset. */
    abstract byte[] before(int at) throws IOException;

    /** Where the method is left by an exception, which lies on the stack; empty if nothing is to be put there. */
    abstract byte[] thrown() throws IOException;

    /** Learns where all of it stands: what is before each instruction, and what is at each way out by an exception. */
    void place(int[] before, int... thrown) {}

    /** A piece of code. */
    final class Piece extends DataOutputStream {
        Piece() {
            super(new ByteArrayOutputStream());
        }

        Piece push(int number) throws IOException {
            writeByte(Instructions.LDC_W);
            writeShort(pool.integer(number));
            return this;
        }

        Piece duplicate() throws IOException {
            writeByte(Instructions.DUP);
            return this;
        }

        /** Loads or stores a variable. */
        Piece variable(int operation, int slot) throws IOException {
            writeByte(Instructions.WIDE);
            writeByte(operation);
            writeShort(slot);
            return this;
        }

        Piece call(String owner, String name, String descriptor) throws IOException {
            writeByte(Instructions.INVOKESTATIC);
            writeShort(pool.method(owner, name, descriptor));
            return this;
        }

        byte[] bytes() {
            return ((ByteArrayOutputStream) out).toByteArray();
        }
    }
}
