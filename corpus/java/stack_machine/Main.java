import machine.Assembler;
import machine.Machine;

public class Main {
    private static final String FACTORIAL = """
        push 5 push 1 swap
        dup jumpzero 12
        dup rotate mul swap
        push 1 sub jump 3
        drop print
        """;

    static void run(String title, String source) {
        try {
            Machine machine = new Machine(Assembler.assemble(source));
            System.out.println(title + " " + machine.run());
        } catch (IllegalStateException error) {
            System.out.println(title + " stops: " + error.getMessage());
        }
    }

    public static void main(String[] args) {
        run("5!", FACTORIAL);
        run("difference", "push 30 push 12 sub dup print print");
        run("empty", "push 4 add");
        run("endless", "jump 0");
    }
}
