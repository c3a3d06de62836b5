package machine;

import java.util.function.IntBinaryOperator;

/** What each instruction does to a machine. */
enum Opcode {
    PUSH((machine, operand) -> machine.push(operand)),
    ADD(binary(Math::addExact)),
    SUB(binary(Math::subtractExact)),
    MUL(binary(Math::multiplyExact)),
    DUP((machine, operand) -> machine.push(machine.peek())),
    DROP((machine, operand) -> machine.pop()),
    SWAP((machine, operand) -> machine.roll(2)),
    ROTATE((machine, operand) -> machine.roll(3)),
    JUMP((machine, operand) -> machine.jump(operand)),
    JUMPZERO((machine, operand) -> {
        if (machine.pop() == 0) {
            machine.jump(operand);
        }
    }),
    PRINT((machine, operand) -> machine.print(machine.pop()));

    interface Effect {
        void on(Machine machine, int operand);
    }

    final Effect effect;

    Opcode(Effect effect) {
        this.effect = effect;
    }

    private static Effect binary(IntBinaryOperator operator) {
        return (machine, operand) -> {
            int right = machine.pop();
            machine.push(operator.applyAsInt(machine.pop(), right));
        };
    }

    boolean takesOperand() {
        return this == PUSH || this == JUMP || this == JUMPZERO;
    }
}
