package codereason;

import java.io.IOException;
import java.util.Map;

/** Says where a body is entered, goes on after an exception, and is left; and which lines it reaches. */
final class CallNotes extends Notes {
    private static final String WITNESS = "codereason/Witness";
    private final Weaver.Code code;
    private final int body;
    private final Map<Integer, Integer> lines;

    /**
     * @param body its number; 0 if it is not to tell
     * @param lines the number of the line that begins at an offset
     */
    CallNotes(Pool pool, Weaver.Code code, int body, Map<Integer, Integer> lines) {
        super(pool);
        this.code = code;
        this.body = body;
        this.lines = lines;
    }

    @Override
    byte[] start() throws IOException {
        return body == 0 ? new byte[0] : new Piece().push(body).call(WITNESS, "enter", "(I)V").bytes();
    }

    @Override
    byte[] before(int at) throws IOException {
        Piece piece = new Piece();
        int operation = code.instructions.operation(at);
        if (body > 0 && operation >= Instructions.IRETURN && operation <= Instructions.RETURN) {
            piece.push(body).call(WITNESS, "leave", "(I)V");
        } else if (body > 0 && code.isHandler(at)) {
            piece.duplicate().push(body).call(WITNESS, "resume", "(Ljava/lang/Throwable;I)V");
        }
        if (lines.containsKey(at)) {
            piece.push(lines.get(at)).call(WITNESS, "reach", "(I)V");
        }
        return piece.bytes();
    }

    @Override
    byte[] thrown() throws IOException {
        return body == 0 ? new byte[0] : new Piece().push(body).call(WITNESS, "leave", "(I)V").bytes();
    }
}
