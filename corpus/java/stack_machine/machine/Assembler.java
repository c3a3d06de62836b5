package machine;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Turns words into instructions. */
public final class Assembler {

    public record Instruction(Opcode opcode, int operand) {}

    private Assembler() {
    }

    public static List<Instruction> assemble(String source) {
        List<Instruction> program = new ArrayList<>();
        Iterator<String> words = List.of(source.trim().split("\\s+")).iterator();
        while (words.hasNext()) {
            Opcode opcode = opcode(words.next());
            program.add(new Instruction(opcode, opcode.takesOperand() ? operand(words) : 0));
        }
        return program;
    }

    private static int operand(Iterator<String> words) {
        String word = words.hasNext() ? words.next() : "";
        if (!word.matches("-?\\d+")) {
            throw new IllegalStateException("operand missing");
        }
        return Integer.parseInt(word);
    }

    private static Opcode opcode(String word) {
        try {
            return Opcode.valueOf(word.toUpperCase());
        } catch (IllegalArgumentException unknown) {
            throw new IllegalStateException("no instruction " + word);
        }
    }
}
