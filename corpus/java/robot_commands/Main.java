import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.BiConsumer;

/** Drives a robot over a walled field by a line of commands such as {@code f3 r f [l f]2}. */
public class Main {

    enum Heading {
        NORTH(0, -1), EAST(1, 0), SOUTH(0, 1), WEST(-1, 0);

        final int dx;
        final int dy;

        Heading(int dx, int dy) {
            this.dx = dx;
            this.dy = dy;
        }

        Heading turn(int quarters) {
            return values()[Math.floorMod(ordinal() + quarters, 4)];
        }

        char arrow() {
            return switch (this) {
                case NORTH -> '^';
                case EAST -> '>';
                case SOUTH -> 'v';
                case WEST -> '<';
            };
        }
    }

    private static final Map<Character, BiConsumer<Main, Integer>> COMMANDS = Map.of(
        'f', Main::forward,
        'b', Main::back,
        'l', (robot, times) -> robot.heading = robot.heading.turn(-times),
        'r', (robot, times) -> robot.heading = robot.heading.turn(times),
        'm', Main::mark);

    private final char[][] field;
    private int x;
    private int y;
    private Heading heading = Heading.EAST;
    private int bumps;

    Main(String... rows) {
        field = new char[rows.length][];
        for (int row = 0; row < rows.length; row++) {
            field[row] = rows[row].toCharArray();
        }
    }

    private boolean blocked(int column, int row) {
        return row < 0 || row >= field.length || column < 0 || column >= field[row].length
            || field[row][column] == '#';
    }

    private void forward(int steps) {
        walk(heading, steps);
    }

    private void back(int steps) {
        walk(heading.turn(2), steps);
    }

    private void walk(Heading direction, int steps) {
        for (int step = 0; step < steps; step++) {
            if (blocked(x + direction.dx, y + direction.dy)) {
                bumps++;
                return;
            }
            x += direction.dx;
            y += direction.dy;
        }
    }

    private void mark(int value) {
        field[y][x] = (char) ('0' + value % 10);
    }

    void run(String program) {
        int at = 0;
        Deque<Integer> opened = new ArrayDeque<>();
        Deque<Integer> rounds = new ArrayDeque<>();
        while (at < program.length()) {
            char command = program.charAt(at);
            int end = endOfNumber(program, at + 1);
            int count = end == at + 1 ? 1 : Integer.parseInt(program.substring(at + 1, end));
            switch (command) {
                case ' ' -> { }
                case '[' -> {
                    opened.push(at);
                    rounds.push(0);
                }
                case ']' -> {
                    int done = rounds.pop() + 1;
                    if (done < count) {
                        rounds.push(done);
                        end = opened.peek() + 1;
                    } else {
                        opened.pop();
                    }
                }
                default -> execute(command, count);
            }
            at = end;
        }
    }

    private void execute(char command, int count) {
        BiConsumer<Main, Integer> action = COMMANDS.get(command);
        if (action == null) {
            throw new IllegalArgumentException("unknown command " + command);
        }
        action.accept(this, count);
    }

    private static int endOfNumber(String program, int from) {
        int end = from;
        while (end < program.length() && Character.isDigit(program.charAt(end))) {
            end++;
        }
        return end;
    }

    void print() {
        for (int row = 0; row < field.length; row++) {
            StringBuilder line = new StringBuilder(new String(field[row]));
            if (row == y) {
                line.setCharAt(x, heading.arrow());
            }
            System.out.println(line);
        }
        System.out.println(x + "," + y + " bumps " + bumps);
    }

    public static void main(String[] args) {
        Main robot = new Main("......", "..#...", ".#..#.", "......");
        robot.run("f9 m5 r f2 [m r f l f]3 l3");
        robot.print();
    }
}
