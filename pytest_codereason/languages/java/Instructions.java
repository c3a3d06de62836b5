package codereason;

/** The instructions of a method as they stand in its class file. */
final class Instructions {
    static final int NEW = 187, INVOKESPECIAL = 183, INVOKESTATIC = 184, DUP = 89, ATHROW = 191, WIDE = 196, IINC = 132;
    static final int TABLESWITCH = 170, LOOKUPSWITCH = 171, IRETURN = 172, RETURN = 177, LDC_W = 19, GOTO_W = 200, JSR_W = 201;
    static final int ILOAD = 21, ISTORE = 54, AASTORE = 83, ANEWARRAY = 189;
    final byte[] bytes;

    Instructions(byte[] bytes) {
        this.bytes = bytes;
    }

    int operation(int at) {
        return bytes[at] & 255;
    }

    int unsigned(int at) {
        return (bytes[at] & 255) << 8 | bytes[at + 1] & 255;
    }

    int integer(int at) {
        return unsigned(at) << 16 | unsigned(at + 2);
    }

    int length(int at) {
        int operation = operation(at);
        int padded = at + 4 & ~3;
        if (operation == TABLESWITCH) {
            return padded + 12 + 4 * (integer(padded + 8) - integer(padded + 4) + 1) - at;
        }
        if (operation == LOOKUPSWITCH) {
            return padded + 8 + 8 * integer(padded + 4) - at;
        }
        if (operation == WIDE) {
            return operation(at + 1) == IINC ? 6 : 4;
        }
        return switch (operation) {
            case 16, 18, 21, 22, 23, 24, 25, 54, 55, 56, 57, 58, 169, 188 -> 2;
            case 17, 19, 20, IINC, 178, 179, 180, 181, 182, INVOKESPECIAL, INVOKESTATIC, NEW, ANEWARRAY, 192, 193 -> 3;
            case 197 -> 4;
            case 185, 186, GOTO_W, JSR_W -> 5;
            default -> jumps(operation) ? 3 : 1;
        };
    }

    static boolean jumps(int operation) {
        return operation >= 153 && operation <= 168 || operation == 198 || operation == 199;
    }
}
