package machine;

import java.util.ArrayList;
import java.util.List;

public final class Machine {
    private static final int FUEL = 1000;
    private final List<Assembler.Instruction> program;
    private final List<Integer> stack = new ArrayList<>();
    private final List<Integer> output = new ArrayList<>();
    private int counter;

    public Machine(List<Assembler.Instruction> program) {
        this.program = program;
    }

    public List<Integer> run() {
        for (int step = 0; counter < program.size(); step++) {
            if (step == FUEL) {
                throw new IllegalStateException("too long");
            }
            Assembler.Instruction instruction = program.get(counter++);
            instruction.opcode().effect.on(this, instruction.operand());
        }
        return output;
    }

    void push(int value) {
        stack.add(value);
    }

    int pop() {
        int top = peek();
        stack.remove(stack.size() - 1);
        return top;
    }

    int peek() {
        require(1);
        return stack.get(stack.size() - 1);
    }

    /** Brings the value at a depth, counted from 1 at the top, to the top. */
    void roll(int depth) {
        require(depth);
        push(stack.remove(stack.size() - depth));
    }

    private void require(int depth) {
        if (stack.size() < depth) {
            throw new IllegalStateException("stack too small before " + counter);
        }
    }

    /** How many values are on the stack. */
    public int depth() {
        return stack.size();
    }

    void jump(int target) {
        counter = target;
    }

    void print(int value) {
        output.add(value);
    }
}
